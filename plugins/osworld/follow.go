package osworld

import (
	"strings"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// step is one recorded call: its gestures, and the screens before and after it, if they
// were recorded.
type step struct {
	gestures      []gesture
	err           error // why the call cannot be read
	failed        bool
	before, after *screen
	effect        string // in normal form; "" if the call cannot be read
}

// run is one side's run, with the screens tracked.
type run struct {
	steps  []step
	last   *screen
	unread []int   // indices of the calls that cannot be read
	final  gesture // the last gesture
}

// followCalls reads the calls of one run and the screens that were recorded. opening is
// the observation before the first call.
func followCalls(calls []abi.Action, opening string, g *gallery) *run {
	r := &run{last: g.readScreen(opening)}
	for i := range calls {
		s := step{failed: calls[i].Failed, before: r.last}
		if s.gestures, s.err = readGestures(&calls[i]); s.err != nil {
			r.unread, r.final = append(r.unread, i), gesture{}
		} else {
			s.effect = strings.Join(composeGestures(s.gestures), "; ")
			r.final = s.gestures[len(s.gestures)-1]
		}
		if calls[i].Observation != nil {
			s.after = g.readScreen(*calls[i].Observation)
		}
		r.last = s.after
		r.steps = append(r.steps, s)
	}
	return r
}

// isViewOnly reports whether a call changes only the view, for example by scrolling.
func (s *step) isViewOnly() bool {
	for i := range s.gestures {
		if !s.gestures[i].isViewOnly() {
			return false
		}
	}
	return s.err == nil
}

// isIdle reports whether the recorded screens before and after a call are equal in every
// pixel.
func (s *step) isIdle() bool {
	return s.before != nil && s.after != nil && s.before.exact == s.after.exact && s.before.width == s.after.width && s.before.height == s.after.height
}

// endsRun reports whether a call only says that the run is over.
func (s *step) endsRun() bool {
	for i := range s.gestures {
		if !s.gestures[i].endsRun() {
			return false
		}
	}
	return s.err == nil
}

// mayHaveChanged reports whether a call may have changed anything.
func (s *step) mayHaveChanged() bool {
	return !s.failed && s.err == nil && !s.isViewOnly() && !s.isIdle() && !s.endsRun()
}
