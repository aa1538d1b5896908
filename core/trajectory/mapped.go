package trajectory

// doubtMapped marks runs that were read with a mapping which leaves something out, and adds
// a warning. fault says what; "" for nothing.
func (d *decoder) doubtMapped(runs []Trajectory, fault string) {
	if fault == "" {
		return
	}
	for i := range runs {
		runs[i].Doubt = fault
	}
	d.warn("calls-not-read", fault, -1, -1)
}
