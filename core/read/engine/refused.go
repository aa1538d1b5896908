package engine

import (
	"slices"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// A call can be read in full and still not have been executed: somebody refused it, or the
// run waits for somebody. The law: such a call is proposed, and never counts as done.

// waits reports whether the record of a run says that the run waits for somebody, so that its
// calls without a result were not executed: a list of interrupts, also in one of its tasks, an
// action that is required of somebody, or a word for its state.
func waits(record *shape.Object) bool {
	for i, key := range record.Keys {
		switch v := record.Values[i]; key {
		case "__interrupt__", "interrupts", "interruptions", "interrupt", "required_action", "requiredAction":
			if k := v.Kind(); (k == jsonval.Array || k == jsonval.Object) && v.Len() > 0 {
				return true
			}
		case "tasks":
			if v.Kind() == jsonval.Array && slices.ContainsFunc(v.Elements(), func(e jsonval.Value) bool { return e.Get("interrupts").Len() > 0 }) {
				return true
			}
		case "stop_reason", "stopReason", "finish_reason", "finishReason", "status", "state":
			if word, ok := v.Str(); ok && shape.IsProposedState(word) {
				return true
			}
		}
	}
	return false
}

// proposeWaiting records that the calls of a run without a result were not executed.
func proposeWaiting(t *trajectory.Trajectory) {
	for i := range t.Actions {
		if a := &t.Actions[i]; a.Observation == nil {
			a.Proposed = true
		}
	}
}
