package engine

import "github.com/boundcheck/boundcheck/core/trajectory"

// doubtMapped marks runs that were read with a mapping which leaves something out, and adds
// a warning. fault says what; "" for nothing.
func (d *Decoder) doubtMapped(runs []trajectory.Trajectory, fault string) {
	if fault == "" {
		return
	}
	for i := range runs {
		runs[i].Doubt = fault
	}
	d.Warn("calls-not-read", fault, -1, -1)
}
