package shape

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/tongues"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// CallState is what the members of an object say of a call.
type CallState struct {
	Flag             Flag
	Waiting, Refused bool
}

// The words for the state of a call, as wordlist.FoldName returns them.
const (
	failedWords  = "error errored fail failed failure fault exception crashed timeout timedout incomplete internalerror outputerror unsuccessful"
	fineWords    = "success succeeded successful completed complete ok done finished outputavailable"
	refusedWords = "denied rejected declined refused cancelled canceled aborted skipped blocked deny reject refuse decline block cancel veto vetoed disallow disallowed disapproved forbidden prohibited dismissed notapproved notallowed notexecuted unexecuted notrun dryrun simulated outputdenied usercancelled usercanceled userrejected"
	waitingWords = "proposed suggested interrupted interrupt notstarted queued inputstreaming inputavailable requested deferred paused"
)

// becauseWords stand between the state of a call and who or what brought it about.
const becauseWords = "by before until due because as per por pelo pela antes prima dal dalla da von vor durch wegen par avant door voor av innan przez przed"

// IsProposedState reports whether a word for the state of a call or a run says that it was not
// executed: it waits for somebody, or somebody refused it.
func IsProposedState(word string) bool {
	s := WordState(word)
	return s.Waiting || s.Refused
}

// WordState returns what a word for the state of a call says.
func WordState(word string) (s CallState) {
	if strings.ContainsAny(word, " (:") && len(word) < 96 {
		return statePhrase(word)
	}
	return stateWord(word)
}

// statePhrase returns what a state with its reason says: error: no such row, not executed (blocked by policy).
func statePhrase(text string) (s CallState) {
	if at := strings.IndexAny(text, "(:"); at > 0 {
		if s = WordState(strings.TrimSpace(text[:at])); s != (CallState{}) || text[at] == ':' {
			return s
		}
		first, _, _ := strings.Cut(strings.TrimSpace(text[at+1:]), " ")
		return stateWord(strings.Trim(first, ")"))
	}
	if first, rest, ok := strings.Cut(text, " "); ok && first != "" {
		next, _, _ := strings.Cut(rest, " ")
		if s = stateWord(strings.TrimRight(first, ",;")); s.Refused && (first[len(first)-1] == ',' || strings.Contains(next, "'") || OneOf(strings.ToLower(next), becauseWords)) {
			return s
		}
	}
	return stateWord(text)
}

func stateWord(word string) (s CallState) {
	if word == "" || len(word) > 32 {
		return s
	}
	word = wordlist.FoldName(word)
	switch {
	case OneOf(word, fineWords):
		s.Flag = Fine
	case OneOf(word, failedWords):
		s.Flag = Failed
	case OneOf(word, refusedWords):
		s.Refused, s.Flag = true, Failed
	case OneOf(word, waitingWords):
		s.Waiting = true
	default:
		if english := tongues.Outcome(word); english == "rejected" || english == "failed" || english == "error" {
			return WordState(english)
		}
		if tongues.Member(word) == "blocked" {
			return WordState("blocked")
		}
		for _, opening := range [...]string{"pending", "await", "waiting", "requiresa", "requiresc", "requiresh", "needsa", "needsc", "approvalre", "confirmationre", "queuedfor"} {
			s.Waiting = s.Waiting || strings.HasPrefix(word, opening)
		}
	}
	return s
}

// NoteMember adds what a member with this name says. It does nothing for a member of another kind.
func (s *CallState) NoteMember(key string, v jsonval.Value) {
	switch key {
	case "is_error", "isError", "is_err", "isErr", "error", "err", "exception", "raised", "exc", "error_message", "errorMessage", "error_info", "errorInfo", "has_error", "hasError", "tool_error", "toolError", "tool_call_error", "toolCallError", "errored", "failed":
		if raw := v.Raw(); raw != "{}" && raw != "[]" {
			s.AddState(CallState{Flag: ErrorFlag(v)})
		}
	case "success", "succeeded", "successful", "is_success", "isSuccess", "ok", "okay":
		s.AddState(CallState{Flag: SuccessFlag(v)})
	case "exit_code", "exitCode", "exitcode", "exit_status", "exitStatus", "return_code", "returnCode", "returncode":
		s.AddState(CallState{Flag: ExitFlag(v)})
	case "status", "state", "outcome", "phase", "call_status", "callStatus", "execution_status", "executionStatus", "tool_status", "toolStatus", "tool_call_status", "toolCallStatus", "result_status", "resultStatus",
		"confirmation_state", "confirmationState", "confirmation_status", "confirmationStatus", "approval_status", "approvalStatus", "approval_state", "approvalState", "estado", "zustand", "statut", "stato":
		if v.Kind() == jsonval.String {
			s.AddState(WordState(v.Text()))
		} else if v.Kind() == jsonval.Object {
			v.Each(func(inner string, m jsonval.Value) bool { s.NoteMember(inner, m); return true })
		}
	case "decision", "approval", "user_decision", "userDecision", "human_decision", "humanDecision", "reviewer_decision", "reviewerDecision", "confirmation", "permission", "consent", "authorization", "gate", "guardrail", "hitl", "human", "review",
		"human_review", "humanReview", "human_response", "humanResponse", "user_response", "userResponse", "user_action", "userAction", "user_choice", "userChoice":
		s.noteDecision(v)
	case "metadata":
		if v.Kind() == jsonval.Object {
			v.Each(func(inner string, m jsonval.Value) bool { s.NoteMember(inner, m); return true })
		}
	case "approve", "approved", "is_approved", "isApproved", "confirmed", "accepted", "allow", "allowed", "is_allowed", "isAllowed", "authorized", "permitted", "executed", "was_executed", "wasExecuted", "ran":
		s.Refused = s.Refused || SuccessFlag(v) == Failed
	case "denied", "rejected", "declined", "cancelled", "canceled", "skipped", "refused", "vetoed", "blocked", "aborted", "interrupted", "disallowed", "tripwire_triggered", "tripwireTriggered", "dry_run", "dryRun", "simulate", "simulated":
		s.Refused = s.Refused || SuccessFlag(v) == Fine
	case "blocked_by", "blockedBy", "denied_by", "deniedBy", "rejected_by", "rejectedBy", "cancelled_by", "cancelledBy":
		s.Refused = s.Refused || v.Kind() == jsonval.String && v.Text() != ""
	case "requires_approval", "requiresApproval", "needs_approval", "needsApproval", "requires_confirmation", "requiresConfirmation", "awaiting_approval", "awaitingApproval", "pending":
		s.Waiting = s.Waiting || v.Raw() == "true"
	default:
		s.noteSort(key, v)
	}
}

// noteSort adds what the sort of an event says. Nearly all of them have no word for a refusal, and cost little.
func (s *CallState) noteSort(key string, v jsonval.Value) {
	if text, ok := v.Str(); ok && len(text) <= 48 && OneOf(key, "event ev type kind event_type eventType event_name eventName msg message") {
		for _, word := range [...]string{"efuse", "eject", "eni", "eclin", "block", "veto", "isallow"} {
			if strings.Contains(text, word) {
				s.Refused = s.Refused || SaysRefusedCall(text)
				return
			}
		}
	}
}

// SaysRefusedCall reports whether the sort of an event is that a call was refused, such as call.rejected or
// "tool refused before execution". It has no other word, so that no result is taken for one.
func SaysRefusedCall(sort string) bool {
	if len(sort) < 8 || len(sort) > 48 {
		return false
	}
	call, refused := false, false
	for _, word := range SplitWords(sort) {
		switch {
		case OneOf(word, "refused rejected denied declined blocked vetoed disallowed"):
			refused = true
		case OneOf(word, "tool call function action"):
			call = true
		case !OneOf(word, sortWords) && !OneOf(word, "before by user human guard policy not"):
			return false
		}
	}
	return call && refused
}

// IsRefusedCall reports whether an event says by its sort that its call was refused.
func IsRefusedCall(o *Object) bool {
	return SaysRefusedCall(o.FirstString("event ev type kind event_type eventType event_name eventName")) || SaysRefusedCall(o.FirstString("msg message"))
}

// DecisionState returns what somebody decided of a call: a word, or an object with one.
func DecisionState(v jsonval.Value) (s CallState) {
	s.noteDecision(v)
	return s
}

// noteDecision adds what somebody decided of a call: a word, or an object with one.
func (s *CallState) noteDecision(v jsonval.Value) {
	switch v.Kind() {
	case jsonval.String:
		s.AddState(WordState(v.Text()))
		s.Refused = s.Refused || SuccessFlag(v) == Failed
	case jsonval.Bool:
		s.Refused = s.Refused || v.Raw() == "false"
	case jsonval.Object:
		v.Each(func(key string, m jsonval.Value) bool {
			switch key {
			case "type", "action", "value", "choice", "verdict", "result", "answer", "response", "kind":
				s.noteDecision(m)
			case "triggered":
				s.Refused = s.Refused || m.Raw() == "true"
			default:
				s.NoteMember(key, m)
			}
			return true
		})
	}
}

// AddState adds what another place says of the same call. The stricter word counts.
func (s *CallState) AddState(other CallState) {
	s.Flag = max(s.Flag, other.Flag)
	s.Waiting, s.Refused = s.Waiting || other.Waiting, s.Refused || other.Refused
}

// StateOf returns what the members of an object say of a call.
func StateOf(o *Object) (s CallState) {
	for i, key := range o.Keys {
		s.NoteMember(key, o.Values[i])
	}
	return s
}

// HeldNames are the members with the calls that wait for a person.
const HeldNames = "interruptions approvals pending_approvals pendingApprovals pending_tool_calls pendingToolCalls"

// StateNames are HeldNames, and the members that may say what became of a call with an id beside
// them.
var StateNames = jsonval.NewNames(strings.Fields(HeldNames + " tool_call_error success confirmed is_error isError is_err error status state outcome decision response permission consent approve approved allow allowed authorized denied rejected declined vetoed blocked cancelled canceled skipped executed")...)
