package format

import (
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// isCrewLog reports whether an object is an entry of the file that CrewAI writes if
// output_log_file is set.
func isCrewLog(o *shape.Object) bool {
	return shape.OneOf(o.FirstString("status"), "started completed failed") && o.FirstString("agent") != "" && o.HasAll("task") && o.HasAll("timestamp")
}

// decodeCrewLog reads CrewAI's log of a crew, which contains the tasks of the agents and
// their answers. The log has no tool calls. So the turns of the agents are the actions,
// as in other conversations of agents.
func decodeCrewLog(d *engine.Decoder, in engine.Batch) {
	r := d.NewRun()
	engine.CopyMeta(&r.Trajectory, in.Outer)
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		r.Took.Enter(o)
		switch o.FirstString("status") {
		case "started":
			r.AddMessage("user", o.FirstText("task"))
		case "completed", "failed":
			text := o.FirstText("output")
			if !o.HasAll("output") { // older versions write the output in task
				text = o.FirstText("task")
			}
			r.AddAgentTurn(o.FirstString("agent"), text, v)
		}
	}
	r.AddToDocument()
}
