package engine

import (
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// readAsked gives each run without a word of the user those of its record.
func (d *Decoder) readAsked() {
	for i := range d.Trajectories {
		t := &d.Trajectories[i]
		if len(t.Actions) == 0 || hasUser(t) {
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

func hasUser(t *trajectory.Trajectory) bool {
	for _, m := range t.Messages {
		if m.Role == "user" && m.Text != "" {
			return true
		}
	}
	return false
}
