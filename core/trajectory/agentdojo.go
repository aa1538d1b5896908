package trajectory

import "github.com/boundcheck/boundcheck/core/base/jsonval"

// isAgentDojo reports whether an object is a result of AgentDojo.
func isAgentDojo(o *object) bool {
	return o.isList("messages") && o.hasAny("suite_name") && o.hasAny("user_task_id")
}

// decodeAgentDojo reads results of AgentDojo. A run's task is the user's task, with the
// injected task if there is one. The run succeeded if its utility is true, which means
// that the user's task was done. The security result is not read, because it is about the
// injected task.
func decodeAgentDojo(d *decoder, in batch) {
	d.readEach(in.values, func(d *decoder, v jsonval.Value) {
		o := openObject(v)
		r := d.newRun()
		r.t.Task = o.firstText("suite_name") + "/" + o.firstText("user_task_id")
		if injected := o.firstText("injection_task_id"); injected != "" {
			r.t.Task += "/" + injected
		}
		r.t.Model = o.firstText("pipeline_name")
		if b, ok := o.get("utility").Bool(); ok {
			r.t.Success = &b
		}
		r.readChat(o.get("messages"))
		r.addToDocument()
	})
}
