package format

import (
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// isTau2 reports whether an object is a result file of τ²-bench, or one simulation of
// such a file. A result file may have tasks but no simulations.
func isTau2(o *shape.Object) bool {
	return o.IsList("simulations") && o.HasAny("tasks info") || o.IsList("tasks") && o.OpenMember("info").HasAny("environment_info") || isSimulation(o)
}

func isSimulation(o *shape.Object) bool {
	return (o.IsList("messages") || o.IsList("ticks")) && o.HasAny("reward_info termination_reason") && o.HasAny("task_id")
}

func decodeTau2(d *engine.Decoder, in engine.Batch) {
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		if isSimulation(o) {
			readSimulation(d, o, nil)
			continue
		}
		tasks := tau2Tasks(d, o.FirstList("tasks"))
		model, policy := o.OpenMember("info").OpenMember("agent_info").FirstString("llm"), o.OpenMember("info").OpenMember("environment_info").FirstText("policy")
		if !o.IsList("simulations") { // each simulation is in a separate file
			d.Shared = &trajectory.Shared{References: tasks, Model: model, Policy: policy}
		}
		d.ReadEach(o.FirstList("simulations"), func(d *engine.Decoder, s jsonval.Value) {
			before := len(d.Trajectories)
			readSimulation(d, shape.OpenObject(s), tasks)
			d.Trajectories[before].Model, d.Trajectories[before].Policy = model, policy
		})
	}
}

// tau2Tasks returns the reference of every task, by the id of the task.
func tau2Tasks(d *engine.Decoder, tasks []jsonval.Value) map[string]*reference.Reference {
	gold := make(map[string]*reference.Reference, len(tasks))
	for _, v := range tasks {
		o := shape.OpenObject(v)
		gold[o.FirstText("id")] = d.ReadGold(v)
	}
	return gold
}

func readSimulation(d *engine.Decoder, o *shape.Object, gold map[string]*reference.Reference) {
	r := d.NewRun()
	r.Trajectory.Task = o.FirstText("task_id")
	if n, ok := o.Get("trial").Int(); ok {
		trial := int(n)
		r.Trajectory.Trial = &trial
	}
	if o.HasAny("reward_info") {
		info := o.OpenMember("reward_info")
		engine.SetReward(&r.Trajectory, info.Get("reward"))
	}
	switch reason := o.FirstString("termination_reason"); reason {
	case "", "user_stop", "agent_stop":
	default:
		r.Trajectory.Stopped = reason
	}
	if o.IsObject("task") { // some exports keep the task in the run
		r.Trajectory.Reference = d.ReadGold(o.Get("task"))
	} else {
		r.Trajectory.Reference = gold[r.Trajectory.Task]
	}
	if messages := o.FirstList("messages"); len(messages) > 0 {
		for _, m := range messages {
			r.ReadMessageValue(m)
		}
	} else {
		readTicks(r, o.FirstList("ticks"))
	}
	r.AddToDocument()
}

// readTicks reads the voice form of a simulation. Each tick contains pieces of speech and
// calls of the agent and the user.
func readTicks(r *engine.Run, list []jsonval.Value) {
	for _, v := range list {
		o := shape.OpenObject(v)
		for _, side := range [...]string{"agent", "user"} {
			if m := o.Get(side + "_chunk"); m.Kind() == jsonval.Object {
				r.ReadMessageValue(m)
			}
			r.BeginTurn(shape.IfElse(side == "user", "user", "assistant"))
			for _, c := range o.FirstList(side + "_tool_calls") {
				r.ToolCall(c)
			}
			for _, m := range o.FirstList(side + "_tool_results") {
				r.ReadMessageValue(m)
			}
		}
	}
}
