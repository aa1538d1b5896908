package trajectory

// isCrewLog reports whether an object is an entry of the file that CrewAI writes if
// output_log_file is set.
func isCrewLog(o *object) bool {
	return oneOf(o.word("status"), "started completed failed") && o.word("agent") != "" && o.has("task") && o.has("timestamp")
}

// decodeCrewLog reads CrewAI's log of a crew, which contains the tasks of the agents and
// their answers. The log has no tool calls. So the turns of the agents are the actions,
// as in other conversations of agents.
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
			if !o.has("output") { // older versions write the output in task
				text = o.text("task")
			}
			r.spoke(o.word("agent"), text, v)
		}
	}
	r.done()
}
