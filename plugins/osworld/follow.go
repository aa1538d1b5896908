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

// follow reads the calls of one run and the screens that were recorded. opening is the
// observation before the first call.
func follow(calls []abi.Action, opening string, g *gallery) *run {
	r := &run{last: g.of(opening)}
	for i := range calls {
		s := step{failed: calls[i].Failed, before: r.last}
		if s.gestures, s.err = read(&calls[i]); s.err != nil {
			r.unread, r.final = append(r.unread, i), gesture{}
		} else {
			s.effect = strings.Join(compose(s.gestures), "; ")
			r.final = s.gestures[len(s.gestures)-1]
		}
		if calls[i].Observation != nil {
			s.after = g.of(*calls[i].Observation)
		}
		r.last = s.after
		r.steps = append(r.steps, s)
	}
	return r
}

// views reports whether a call changes only the view.
func (s *step) views() bool {
	for i := range s.gestures {
		if !s.gestures[i].views() {
			return false
		}
	}
	return s.err == nil
}

// idle reports whether the recorded screens before and after a call are the same to the
// pixel. A perceptual hash is not precise enough here: a ticked box or a typed letter
// does not change it.
func (s *step) idle() bool {
	return s.before != nil && s.after != nil && s.before.exact == s.after.exact && s.before.width == s.after.width && s.before.height == s.after.height
}

// ends reports whether a call only says that the run is over.
func (s *step) ends() bool {
	for i := range s.gestures {
		if !s.gestures[i].ends() {
			return false
		}
	}
	return s.err == nil
}

// changed reports whether a call may have changed anything.
func (s *step) changed() bool {
	return !s.failed && s.err == nil && !s.views() && !s.idle() && !s.ends()
}
