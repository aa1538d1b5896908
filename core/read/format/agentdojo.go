package format

import (
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/read/spent"
)

// isAgentDojo reports whether an object is a result of AgentDojo.
func isAgentDojo(o *shape.Object) bool {
	return o.IsList("messages") && o.HasAny("suite_name") && o.HasAny("user_task_id")
}

// decodeAgentDojo reads results of AgentDojo. A run's task is the user's task, with the
// injected task if there is one. The run succeeded if its utility is true, which means
// that the user's task was done. The security result is not read, because it is about the
// injected task.
func decodeAgentDojo(d *engine.Decoder, in engine.Batch) {
	d.ReadEach(in.Values, func(d *engine.Decoder, v jsonval.Value) {
		o := shape.OpenObject(v)
		r := d.NewRun()
		r.Trajectory.Task = o.FirstText("suite_name") + "/" + o.FirstText("user_task_id")
		if injected := o.FirstText("injection_task_id"); injected != "" {
			r.Trajectory.Task += "/" + injected
		}
		r.Trajectory.Model = o.FirstText("pipeline_name")
		if b, ok := o.Get("utility").Bool(); ok {
			r.Trajectory.Success = &b
		}
		r.Trajectory.Whole = spent.OfRun(o, "duration")
		r.ReadChat(o.Get("messages"))
		r.AddToDocument()
	})
}
