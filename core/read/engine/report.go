package engine

import (
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/core/read/failure"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// readReports reads what the results of the calls say of them in any words. A run with a call that was done in part
// is one about which nobody can tell.
func (d *Decoder) readReports() {
	deeds := failure.Deeds{}
	for i := range d.Trajectories {
		t := &d.Trajectories[i]
		deeds.ReadReports(t.Actions, func(j int) {
			addDoubt(t, fmt.Sprintf("the result of %s (action %d) says that only a part was done", shape.QuoteExcerpt(t.Actions[j].Name, 0, 60), j+1))
		})
	}
}

// The law of the rest of this file: no call is read as failed if the record shows that its deed
// happened.

// Page is what a record shows of a page: its address and its tree, "" for what it does not show.
type Page struct{ Address, Tree string }

// SetPageResult attaches the result of an action on a page. An error is none of the action if
// the page has changed its address, or if nothing came in time and the page has changed.
func (r *Run) SetPageResult(i int, o trajectory.Observation, before, after Page) {
	switch {
	case !o.Error:
	case before.Address != "" && after.Address != "" && before.Address != after.Address && !strings.HasPrefix(after.Address, "chrome-error:"):
		o.Error, o.Shown = false, "the page changed to "+after.Address
	case before.Tree != "" && after.Tree != "" && before.Tree != after.Tree && failure.LeavesOpen(o.Text):
		o.Error, o.Shown = false, "the page changed"
	}
	r.Trajectory.Actions[i].Observation = &o
}
