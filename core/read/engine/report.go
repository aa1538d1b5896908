package engine

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/failure"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// readReports marks the calls that failed, or were only proposed, by what their results say of them in any words. A run
// with a call that was done in part is one about which nobody can tell. It leaves out free texts:
// a script may have done a part.
func (d *Decoder) readReports() {
	deeds := map[string]*mutation.Deed{}
	for i := range d.Trajectories {
		for j := range d.Trajectories[i].Actions {
			a := &d.Trajectories[i].Actions[j]
			if a.Observation == nil || a.Observation.Error || a.Text != "" || !failure.MayReport(a.Observation.Text) {
				continue
			}
			deed, known := deeds[a.Name]
			if !known {
				deed = changingDeed(a.Name)
				deeds[a.Name] = deed
			}
			if deed == nil {
				continue
			}
			switch failure.ReportOf(deed, a.Arguments, a.Observation.Text) {
			case failure.Undone:
				a.Observation.Error = true
			case failure.Waiting:
				a.Proposed = true
			case failure.Partly:
				a.Observation.Partly = true
				addDoubt(&d.Trajectories[i], fmt.Sprintf("the result of %s (action %d) says that only a part was done", shape.QuoteExcerpt(a.Name, 0, 60), j+1))
			}
		}
	}
}

// changingDeed returns the deed that a tool's name means, or nil if the tool only reads.
func changingDeed(name string) *mutation.Deed {
	if mutation.New(nil, nil).Once(name, jsonval.Value{}).Mutating == mutation.No {
		return nil
	}
	deed := mutation.DeedOf(name)
	return &deed
}
