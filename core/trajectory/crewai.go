package trajectory

// isCrewLog reports whether an object is an entry of the file that CrewAI writes if
// output_log_file is set.
func isCrewLog(o *object) bool {
	return oneOf(o.firstString("status"), "started completed failed") && o.firstString("agent") != "" && o.hasAll("task") && o.hasAll("timestamp")
}

// decodeCrewLog reads CrewAI's log of a crew, which contains the tasks of the agents and
// their answers. The log has no tool calls. So the turns of the agents are the actions,
// as in other conversations of agents.
func decodeCrewLog(d *decoder, in batch) {
	r := d.newRun()
	r.t.copyMeta(in.outer)
	for _, v := range in.values {
		o := openObject(v)
		switch o.firstString("status") {
		case "started":
			r.addMessage("user", o.firstText("task"))
		case "completed", "failed":
			text := o.firstText("output")
			if !o.hasAll("output") { // older versions write the output in task
				text = o.firstText("task")
			}
			r.addAgentTurn(o.firstString("agent"), text, v)
		}
	}
	r.addToDocument()
}
