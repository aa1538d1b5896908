package engine

import (
	"slices"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// readAsked gives each run without a word of the user those of its record. Agents that talk are left out:
// their messages say the task, and the numbers of their messages are those of the record.
func (d *Decoder) readAsked() {
	for i := range d.Trajectories {
		t := &d.Trajectories[i]
		if len(t.Actions) == 0 || slices.ContainsFunc(t.Messages, speaksFirst) {
			continue
		}
		var record jsonval.Value
		if at := d.records[i]; at != (place{}) {
			record, _ = jsonval.Parse(d.text[at.from:at.to])
		} else if len(d.rows) == len(d.Trajectories) {
			record = d.rows[i]
		}
		if text := shape.AskedIn(shape.OpenObject(record), 2); text != "" {
			t.Messages = append([]trajectory.Message{{Role: "user", Text: text}}, t.Messages...)
			for j := range t.Actions {
				if a := &t.Actions[j]; a.Message >= 0 {
					a.Message++
				}
			}
		}
	}
}

// speaksFirst reports whether a message is the user's, or that of an agent among others.
func speaksFirst(m trajectory.Message) bool {
	return m.Role == "user" && m.Text != "" || m.Speaker != ""
}
