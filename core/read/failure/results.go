package failure

import (
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// Deeds caches the deeds of tools by name; nil for a tool that only reads.
type Deeds map[string]*mutation.Deed

// ReadReports marks the calls of a run that failed, or were only proposed, by what their results say of them in any
// words, and calls partly with the index of each that was done in part. It leaves out free texts: a script may have done
// a part.
func (deeds Deeds) ReadReports(actions []trajectory.Action, partly func(action int)) {
	showAlready(actions)
	for i := range actions {
		a := &actions[i]
		if a.Observation == nil || a.Observation.Error && !a.Observation.Read || a.Observation.Open() != "" || a.Text != "" || !mayReport(a.Observation.Text) {
			continue
		}
		deed, known := deeds[a.Name]
		if !known {
			deed = changingDeed(a.Name)
			deeds[a.Name] = deed
		}
		if deed == nil || a.Observation.Error && (a.Proposed || !isOwnState(a.Name, deed, a.Arguments, a.Observation.Text)) {
			continue
		}
		a.Observation.Error, a.Observation.Read = false, false
		switch reportOf(deed, a.Arguments, a.Observation.Text) {
		case Undone:
			a.Observation.Error = true
		case Waiting:
			a.Proposed = true
		case Partly:
			a.Observation.Partly = true
			partly(i)
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

// showAlready marks the calls of which no answer came in time. Those that say when they are made
// again that the deed was already done have not failed.
func showAlready(actions []trajectory.Action) {
	late := false
	for i := range actions {
		if o := actions[i].Observation; o != nil && o.Error && LeavesOpen(o.Text) {
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
