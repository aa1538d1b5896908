package trajectory

// isAgentDojo reports whether an object is a result of AgentDojo.
func isAgentDojo(o *object) bool {
	return o.isList("messages") && o.any("suite_name") && o.any("user_task_id")
}

// decodeAgentDojo reads results of AgentDojo. A run's task is the user's task, with the
// injected task if there is one. The run succeeded if its utility is true, which means
// that the user's task was done. The security result, which tells about the injected
// task, is not read.
func decodeAgentDojo(d *decoder, in batch) {
	for _, v := range in.values {
		o := open(v)
		r := d.run()
		r.t.Task = o.text("suite_name") + "/" + o.text("user_task_id")
		if injected := o.text("injection_task_id"); injected != "" {
			r.t.Task += "/" + injected
		}
		r.t.Model = o.text("pipeline_name")
		if b, ok := o.get("utility").Bool(); ok {
			r.t.Success = &b
		}
		r.chat(o.get("messages"))
		r.done()
	}
}
