package trajectory

import (
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// isTau2 reports whether an object is a result file of τ²-bench, or one simulation of
// such a file. A result file may have tasks but no simulations.
func isTau2(o *object) bool {
	return o.isList("simulations") && o.hasAny("tasks info") || o.isList("tasks") && o.openMember("info").hasAny("environment_info") || isSimulation(o)
}

func isSimulation(o *object) bool {
	return (o.isList("messages") || o.isList("ticks")) && o.hasAny("reward_info termination_reason") && o.hasAny("task_id")
}

func decodeTau2(d *decoder, in batch) {
	for _, v := range in.values {
		o := openObject(v)
		if isSimulation(o) {
			d.readSimulation(o, nil)
			continue
		}
		tasks := d.tau2Tasks(o.firstList("tasks"))
		model, policy := o.openMember("info").openMember("agent_info").firstString("llm"), o.openMember("info").openMember("environment_info").firstText("policy")
		if !o.isList("simulations") { // each simulation is in a separate file
			d.Shared = &Shared{tasks, model, policy}
		}
		d.readEach(o.firstList("simulations"), func(d *decoder, s jsonval.Value) {
			before := len(d.Trajectories)
			d.readSimulation(openObject(s), tasks)
			d.Trajectories[before].Model, d.Trajectories[before].Policy = model, policy
		})
	}
}

// tau2Tasks returns the reference of every task, by the id of the task.
func (d *decoder) tau2Tasks(tasks []jsonval.Value) map[string]*reference.Reference {
	gold := make(map[string]*reference.Reference, len(tasks))
	for _, v := range tasks {
		o := openObject(v)
		gold[o.firstText("id")] = d.readGold(v)
	}
	return gold
}

func (d *decoder) readSimulation(o *object, gold map[string]*reference.Reference) {
	r := d.newRun()
	r.t.Task = o.firstText("task_id")
	if n, ok := o.get("trial").Int(); ok {
		trial := int(n)
		r.t.Trial = &trial
	}
	if o.hasAny("reward_info") {
		info := o.openMember("reward_info")
		r.t.setReward(info.get("reward"))
	}
	switch reason := o.firstString("termination_reason"); reason {
	case "", "user_stop", "agent_stop":
	default:
		r.t.Stopped = reason
	}
	if o.isObject("task") { // some exports keep the task in the run
		r.t.Reference = d.readGold(o.get("task"))
	} else {
		r.t.Reference = gold[r.t.Task]
	}
	if messages := o.firstList("messages"); len(messages) > 0 {
		for _, m := range messages {
			r.readMessageValue(m)
		}
	} else {
		r.readTicks(o.firstList("ticks"))
	}
	r.addToDocument()
}

// readTicks reads the voice form of a simulation. Each tick contains pieces of speech and
// calls of the agent and the user.
func (r *run) readTicks(list []jsonval.Value) {
	for _, v := range list {
		o := openObject(v)
		for _, side := range [...]string{"agent", "user"} {
			if m := o.get(side + "_chunk"); m.Kind() == jsonval.Object {
				r.readMessageValue(m)
			}
			r.beginTurn(ifElse(side == "user", "user", "assistant"))
			for _, c := range o.firstList(side + "_tool_calls") {
				r.toolCall(c)
			}
			for _, m := range o.firstList(side + "_tool_results") {
				r.readMessageValue(m)
			}
		}
	}
}
