package engine

import (
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// What became of a call is told by the members of the object that is the call or its result,
// or by an object that names the call's id. The law of this file: one table says for all
// formats which members and which words mean that a call was done, that it failed, that it
// waits for somebody, or that somebody refused it. A call that waits was not executed unless
// it has a result. A refused one was not executed, and what stands as its result says so.

// markAction records the state of the action with the index i. It does nothing for -1. It reports
// whether the action was not executed.
func (r *Run) markAction(i int, s shape.CallState) bool {
	if i < 0 {
		return false
	}
	return markState(&r.Trajectory.Actions[i], s)
}

// namedCall is a call with an id in a record. The empty place stands for all of the text.
type namedCall struct {
	record place
	id     string
}

// stater gives the calls of a text the states that objects with their ids have.
type stater struct {
	d       *Decoder
	records places
	calls   map[namedCall][]*trajectory.Action
	runs    map[namedCall]int // 1 more than the run with such calls, or -1 if several have some
}

// applyStates gives the calls the states that objects with their ids have, anywhere in the
// values. An object in no record says nothing if several runs have calls with its id. O(n).
func (d *Decoder) applyStates(values []jsonval.Value) {
	s := stater{d: d}
	for _, v := range values {
		v.Find(shape.StateNames, s.visitMember)
	}
}

// visitMember reads the member of an object that may say what became of a call.
func (s *stater) visitMember(o jsonval.Value, name string, v jsonval.Value) {
	if shape.OneOf(name, shape.HeldNames) {
		for _, e := range v.Elements() {
			b := shape.OpenBlock(e)
			if raw := shape.OpenObject(e).OpenMember("rawItem raw_item"); b.PairingID() == "" {
				b = shape.OpenBlock(raw.Value)
			}
			s.applyState(e, b.PairingID(), shape.CallState{Waiting: true})
		}
		return
	}
	var state shape.CallState
	if state.NoteMember(name, v); state.Refused || state.Waiting || state.Flag == shape.Failed {
		b := shape.OpenBlock(o)
		s.applyState(o, shape.IfElse(b.UseID != "", b.UseID, b.CallID), state)
	}
}

// applyState gives the calls with an id in the record of the object o a state.
func (s *stater) applyState(o jsonval.Value, id string, state shape.CallState) {
	if id == "" {
		return
	}
	s.indexCalls()
	key := namedCall{s.records.find(s.d.offsetOf(o)), id}
	if s.runs[key] < 0 {
		return
	}
	for _, a := range s.calls[key] {
		if a.Observation == nil && state.Flag == shape.Failed && !state.Refused {
			a.Proposed, a.Unanswered, a.Observation = a.Refused, false, &trajectory.Observation{}
		}
		markState(a, state)
	}
}

// indexCalls finds the calls with ids, once.
func (s *stater) indexCalls() {
	if s.calls != nil {
		return
	}
	s.records, s.calls, s.runs = s.d.sortRecords(), map[namedCall][]*trajectory.Action{}, map[namedCall]int{}
	for i := range s.d.Trajectories {
		for j := range s.d.Trajectories[i].Actions {
			a := &s.d.Trajectories[i].Actions[j]
			for _, at := range []place{s.d.records[i], {}} {
				key := namedCall{at, a.CallID}
				if n := len(s.calls[key]); a.CallID == "" || n > 0 && s.calls[key][n-1] == a {
					continue
				}
				s.calls[key] = append(s.calls[key], a)
				s.runs[key] = shape.IfElse(s.runs[key] == 0 || s.runs[key] == i+1, i+1, -1)
			}
		}
	}
}

// markState records what became of an action, and reports whether it was not executed.
func markState(a *trajectory.Action, s shape.CallState) bool {
	a.Refused = a.Refused || s.Refused
	a.Proposed = a.Proposed || s.Refused || s.Waiting && a.Observation == nil
	if a.Observation != nil {
		a.Observation.Error = a.Observation.Error || s.Flag == shape.Failed
	}
	return a.Proposed
}
