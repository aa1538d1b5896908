package engine

import (
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/failure"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// readReports marks the calls that failed, or were only proposed, by what their results say of them in any words. A run
// with a call that was done in part is one about which nobody can tell. It leaves out free texts:
// a script may have done a part.
func (d *Decoder) readReports() {
	deeds := map[string]*mutation.Deed{}
	for i := range d.Trajectories {
		showAlready(d.Trajectories[i].Actions)
		for j := range d.Trajectories[i].Actions {
			a := &d.Trajectories[i].Actions[j]
			if a.Observation == nil || a.Observation.Error && !a.Observation.Read || a.Observation.Open() != "" || a.Text != "" || !failure.MayReport(a.Observation.Text) {
				continue
			}
			deed, known := deeds[a.Name]
			if !known {
				deed = changingDeed(a.Name)
				deeds[a.Name] = deed
			}
			if deed == nil || a.Observation.Error && (a.Proposed || !failure.SaysDone(a.Name, deed, a.Arguments, a.Observation.Text)) {
				continue
			}
			a.Observation.Error, a.Observation.Read = false, false
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

// showAlready marks the calls of which no answer came in time. Those that say when they are made
// again that the deed was already done have not failed.
func showAlready(actions []trajectory.Action) {
	late := false
	for i := range actions {
		if o := actions[i].Observation; o != nil && o.Error && failure.LeavesOpen(o.Text) {
			o.Late, late = true, true
		}
	}
	if !late {
		return
	}
	says := func(a *trajectory.Action) bool {
		return a.Observation.Error && strings.Contains(strings.ToLower(a.Observation.Text), "already")
	}
	next := map[string]int{} // the next call with this name and these arguments
	for i := len(actions) - 1; i >= 0; i-- {
		a := &actions[i]
		if a.Observation == nil || a.Text != "" {
			continue
		}
		key := a.Name + "\x00" + a.Arguments.Raw()
		if j, again := next[key]; again && a.Observation.Late && says(&actions[j]) && !says(a) {
			a.Observation.Error, a.Observation.Shown = false, fmt.Sprintf("the result of the same call at step %d has the word “already”", j+1)
		}
		next[key] = i
	}
}
