package trajectory

// isCrewLog tells an entry of the file that CrewAI writes as output_log_file.
func isCrewLog(o *object) bool {
	return oneOf(o.word("status"), "started completed failed") && o.word("agent") != "" && o.has("task") && o.has("timestamp")
}

// decodeCrewLog reads CrewAI's log of a crew: a task that was given to an agent, and what
// the agent answered. The calls of an agent are not in that file, so its turns are the
// actions, as in other talk among agents.
func decodeCrewLog(d *decoder, in batch) {
	r := d.run()
	r.t.meta(in.outer)
	for _, v := range in.values {
		o := open(v)
		switch o.word("status") {
		case "started":
			r.message("user", o.text("task"))
		case "completed", "failed":
			text := o.text("output")
			if !o.has("output") { // older versions write it in task
				text = o.text("task")
			}
			r.spoke(o.word("agent"), text, v)
		}
	}
	r.done()
}
