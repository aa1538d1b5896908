package osworld

import (
	"strings"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// step is one recorded call: what it did, and the screen about it, where that was
// recorded.
type step struct {
	gestures      []gesture
	err           error // why the call cannot be read
	failed        bool
	before, after *screen
	effect        string // in normal form, "" where it cannot be read
}

// run is one side's run, followed.
type run struct {
	steps  []step
	last   *screen
	unread []int   // calls that cannot be read
	final  gesture // the last one
}

// follow goes through a side's calls.
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

// views tells a call that changes nothing but what is seen.
func (s *step) views() bool {
	for i := range s.gestures {
		if !s.gestures[i].views() {
			return false
		}
	}
	return s.err == nil
}

// idle tells a call before and after which the screen was recorded, and is the same to
// the pixel. A perceptual hash is not fine enough here: a box that is ticked, or a
// letter that is typed, does not change it.
func (s *step) idle() bool {
	return s.before != nil && s.after != nil && s.before.exact == s.after.exact && s.before.width == s.after.width && s.before.height == s.after.height
}

// ends tells a call that only says that the run is over.
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
