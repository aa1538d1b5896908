package trajectory

import (
	"github.com/boundcheck/boundcheck/core/jsonval"
	"github.com/boundcheck/boundcheck/core/reference"
)

// isTau2 reports whether an object is a result file or one simulation. A result file may
// have tasks but no simulations.
func isTau2(o *object) bool {
	return o.isList("simulations") && o.any("tasks info") || o.isList("tasks") && o.in("info").any("environment_info") || isSimulation(o)
}

func isSimulation(o *object) bool {
	return (o.isList("messages") || o.isList("ticks")) && o.any("reward_info termination_reason") && o.any("task_id")
}

func decodeTau2(d *decoder, in batch) {
	for _, v := range in.values {
		o := open(v)
		if isSimulation(o) {
			d.simulation(o, nil)
			continue
		}
		tasks := d.tau2Tasks(o.list("tasks"))
		model, policy := o.in("info").in("agent_info").word("llm"), o.in("info").in("environment_info").text("policy")
		if !o.isList("simulations") { // each simulation is in a separate file
			d.Shared = &Shared{tasks, model, policy}
		}
		for _, s := range o.list("simulations") {
			before := len(d.Trajectories)
			d.simulation(open(s), tasks)
			d.Trajectories[before].Model, d.Trajectories[before].Policy = model, policy
		}
	}
}

// tau2Tasks reads the reference of every task.
func (d *decoder) tau2Tasks(tasks []jsonval.Value) map[string]*reference.Reference {
	gold := make(map[string]*reference.Reference, len(tasks))
	for _, v := range tasks {
		o := open(v)
		gold[o.text("id")] = d.gold(v)
	}
	return gold
}

func (d *decoder) simulation(o *object, gold map[string]*reference.Reference) {
	r := d.run()
	r.t.Task = o.text("task_id")
	if n, ok := o.get("trial").Int(); ok {
		trial := int(n)
		r.t.Trial = &trial
	}
	if o.any("reward_info") {
		info := o.in("reward_info")
		r.t.reward(info.get("reward"))
	}
	switch reason := o.word("termination_reason"); reason {
	case "", "user_stop", "agent_stop":
	default:
		r.t.Stopped = reason
	}
	if o.isObject("task") { // some exports keep the task in the run
		r.t.Reference = d.gold(o.get("task"))
	} else {
		r.t.Reference = gold[r.t.Task]
	}
	if messages := o.list("messages"); len(messages) > 0 {
		for _, m := range messages {
			r.read(m)
		}
	} else {
		r.ticks(o.list("ticks"))
	}
	r.done()
}

// ticks reads the voice form of a simulation. Each tick contains pieces of speech and
// calls of the agent and the user.
func (r *run) ticks(list []jsonval.Value) {
	for _, v := range list {
		o := open(v)
		for _, side := range [...]string{"agent", "user"} {
			if m := o.get(side + "_chunk"); m.Kind() == jsonval.Object {
				r.read(m)
			}
			r.turn(either(side == "user", "user", "assistant"))
			for _, c := range o.list(side + "_tool_calls") {
				r.toolCall(c)
			}
			for _, m := range o.list(side + "_tool_results") {
				r.read(m)
			}
		}
	}
}
