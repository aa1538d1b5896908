package engine

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// What became of a call is told by the members of the object that is the call or its result,
// or by an object that names the call's id. The law of this file: one table says for all
// formats which members and which words mean that a call was done, that it failed, that it
// waits for somebody, or that somebody refused it. A call that waits was not executed unless
// it has a result. A refused one was not executed, and what stands as its result says so.

// callState is what the members of an object say of a call.
type callState struct {
	flag             Flag
	waiting, refused bool
}

// The words for the state of a call, as foldName returns them.
const (
	failedWords  = "error errored failed failure fault exception crashed timeout timedout incomplete internalerror outputerror unsuccessful"
	fineWords    = "success succeeded successful completed complete ok done finished outputavailable"
	refusedWords = "denied rejected declined refused cancelled canceled aborted skipped blocked deny reject refuse decline block notexecuted unexecuted notrun outputdenied usercancelled usercanceled userrejected"
	waitingWords = "proposed suggested interrupted interrupt notstarted queued inputstreaming inputavailable requested deferred paused"
)

// isProposedState reports whether a word for the state of a call or a run says that it was not
// executed: it waits for somebody, or somebody refused it.
func isProposedState(word string) bool {
	s := wordState(word)
	return s.waiting || s.refused
}

// wordState returns what a word for the state of a call says.
func wordState(word string) (s callState) {
	if word == "" || len(word) > 32 {
		return s
	}
	word = foldName(word)
	switch {
	case OneOf(word, fineWords):
		s.flag = Fine
	case OneOf(word, failedWords):
		s.flag = Failed
	case OneOf(word, refusedWords):
		s.refused, s.flag = true, Failed
	case OneOf(word, waitingWords):
		s.waiting = true
	default:
		for _, opening := range [...]string{"pending", "await", "waiting", "requiresa", "requiresc", "requiresh", "needsa", "needsc", "approvalre", "confirmationre"} {
			s.waiting = s.waiting || strings.HasPrefix(word, opening)
		}
	}
	return s
}

// noteMember adds what a member with this name says. It does nothing for a member of another kind.
func (s *callState) noteMember(key string, v jsonval.Value) {
	switch key {
	case "is_error", "isError", "is_err", "isErr", "error", "err", "exception", "error_message", "errorMessage", "error_info", "errorInfo", "has_error", "hasError", "tool_error", "toolError", "tool_call_error", "toolCallError", "errored", "failed":
		if raw := v.Raw(); raw != "{}" && raw != "[]" {
			s.addState(callState{flag: ErrorFlag(v)})
		}
	case "success", "succeeded", "successful", "is_success", "isSuccess":
		s.addState(callState{flag: SuccessFlag(v)})
	case "status", "state", "outcome", "call_status", "callStatus", "execution_status", "executionStatus", "tool_status", "toolStatus", "tool_call_status", "toolCallStatus", "result_status", "resultStatus",
		"decision", "approval", "approval_status", "approvalStatus", "user_decision", "userDecision", "confirmation", "confirmation_state", "confirmationState", "confirmation_status":
		if v.Kind() == jsonval.String {
			s.addState(wordState(v.Text()))
		} else if v.Kind() == jsonval.Object {
			v.Each(func(inner string, m jsonval.Value) bool { s.noteMember(inner, m); return true })
		}
	case "approve", "approved", "is_approved", "isApproved", "confirmed", "accepted", "allowed", "executed":
		s.refused = s.refused || v.Raw() == "false"
	case "denied", "rejected", "declined", "cancelled", "canceled", "skipped", "refused":
		s.refused = s.refused || v.Raw() == "true"
	case "requires_approval", "requiresApproval", "needs_approval", "needsApproval", "requires_confirmation", "requiresConfirmation", "awaiting_approval", "awaitingApproval", "pending":
		s.waiting = s.waiting || v.Raw() == "true"
	}
}

func (s *callState) addState(other callState) {
	s.flag = max(s.flag, other.flag)
	s.waiting, s.refused = s.waiting || other.waiting, s.refused || other.refused
}

// stateOf returns what the members of an object say of a call.
func stateOf(o *Object) (s callState) {
	for i, key := range o.Keys {
		s.noteMember(key, o.Values[i])
	}
	return s
}

// markAction records the state of the action with the index i. It does nothing for -1. It reports
// whether the action was not executed.
func (r *Run) markAction(i int, s callState) bool {
	if i < 0 {
		return false
	}
	return markState(&r.Trajectory.Actions[i], s)
}

// markState records what became of an action, and reports whether it was not executed.
func markState(a *trajectory.Action, s callState) bool {
	a.Refused = a.Refused || s.refused
	a.Proposed = a.Proposed || s.refused || s.waiting && a.Observation == nil
	if a.Observation != nil {
		a.Observation.Error = a.Observation.Error || s.flag == Failed
	}
	return a.Proposed
}

// heldNames are the members with the calls that wait for a person.
const heldNames = "interruptions approvals pending_approvals pendingApprovals pending_tool_calls pendingToolCalls"

// stateNames are heldNames, and the members that may say what became of a call with an id beside
// them.
var stateNames = jsonval.NewNames(strings.Fields(heldNames + " tool_call_error success confirmed is_error isError is_err error status state outcome decision approve approved denied rejected cancelled canceled executed")...)

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
		v.Find(stateNames, s.visitMember)
	}
}

// visitMember reads the member of an object that may say what became of a call.
func (s *stater) visitMember(o jsonval.Value, name string, v jsonval.Value) {
	if OneOf(name, heldNames) {
		for _, e := range v.Elements() {
			b := OpenBlock(e)
			if raw := OpenObject(e).OpenMember("rawItem raw_item"); b.pairingID() == "" {
				b = OpenBlock(raw.Value)
			}
			s.applyState(e, b.pairingID(), callState{waiting: true})
		}
		return
	}
	var state callState
	if state.noteMember(name, v); state.refused || state.waiting || state.flag == Failed {
		b := OpenBlock(o)
		s.applyState(o, IfElse(b.useID != "", b.useID, b.callID), state)
	}
}

// applyState gives the calls with an id in the record of the object o a state.
func (s *stater) applyState(o jsonval.Value, id string, state callState) {
	if id == "" {
		return
	}
	s.indexCalls()
	key := namedCall{s.records.find(s.d.offsetOf(o)), id}
	if s.runs[key] < 0 {
		return
	}
	for _, a := range s.calls[key] {
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
				s.runs[key] = IfElse(s.runs[key] == 0 || s.runs[key] == i+1, i+1, -1)
			}
		}
	}
}
