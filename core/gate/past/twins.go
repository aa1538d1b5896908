package past

import (
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// This file finds earlier calls that are equal to one. Calls are equal if they are the same call
// (see proposal.SameAs), or if an approver edited the same call of the agent into one of them, or
// into each.

// EqualTo returns a function that reports whether a record is equal to the given call. root is
// the digest of the call before an edit, or of the call itself. byEdit says that the two differ.
func EqualTo(tool, arguments, root string) func(o *machine.Record) (equal, byEdit bool) {
	same := proposal.SameAs(tool, arguments)
	return func(o *machine.Record) (equal, byEdit bool) {
		if same(o.Tool, o.Arguments) {
			return true, false
		}
		equal = o.Root() == root
		return equal, equal
	}
}

// UnsureBefore returns the latest of the records that is equal to a call (see EqualTo), was
// handed out and has no known outcome, first those that are no other edit; nil for none. O(size of the records).
func UnsureBefore(taken []machine.Record, tool, arguments, root string) *proposal.Unsure {
	var found *proposal.Unsure
	equal := EqualTo(tool, arguments, root)
	for i := range taken {
		r := &taken[i]
		if r.State != machine.Claimed && r.State != machine.Ambiguous || found != nil && !found.Edited && r.Claim.At <= found.At {
			continue
		}
		if is, byEdit := equal(r); is && (found == nil || !byEdit && found.Edited || byEdit == found.Edited && r.Claim.At > found.At) {
			found = &proposal.Unsure{ID: r.ID, Running: r.State == machine.Claimed, Edited: byEdit, At: r.Claim.At}
		}
	}
	return found
}

// lookedUp is how long before the proposal of a call, in milliseconds, an equal one may have been handed out without
// being seen: while the proposal was on its way.
const lookedUp = 60_000

// RanSince returns the latest of the records, other than r and those of its turn, which are shown together, that is equal to r and was handed
// out since the agent proposed r, or directly before and its proposal did not know of it, unless it has failed; nil for none. O(size of the records).
func RanSince(taken []machine.Record, r *machine.Record) *proposal.Unsure {
	var found *proposal.Unsure
	from, equal := r.Asked(), EqualTo(r.Tool, r.Arguments, r.Root())
	for i := range taken {
		o := &taken[i]
		out := o.State == machine.Claimed || o.State == machine.Ambiguous || o.State == machine.Executed && o.Outcome.At > from
		if !out || o.ID == r.ID || r.Batch != "" && o.Batch == r.Batch || o.Claim.At < from-lookedUp || r.Why.Unsure != nil && o.Claim.At <= r.Why.Unsure.At || found != nil && o.Claim.At <= found.At {
			continue
		}
		if is, byEdit := equal(o); is {
			found = &proposal.Unsure{ID: o.ID, Running: o.State == machine.Claimed, Ran: o.State == machine.Executed, Since: true, Edited: byEdit, At: o.Claim.At}
		}
	}
	return found
}

// LatestRefusal returns the latest no to the same call as r, or an answer to it since r was proposed; nil for none.
func LatestRefusal(refused []machine.Record, r *machine.Record) *machine.Refusal {
	out := machine.RefusedBefore(refused, r.Tool, r.Arguments)
	same := proposal.SameAs(r.Tool, r.Arguments)
	for i := range refused {
		o := &refused[i]
		if v, decided := o.Decided(); decided && o.State == machine.Answered && v.At >= r.Asked() && (out == nil || v.At > out.At) && same(o.Tool, o.Arguments) {
			out = &machine.Refusal{By: v.By, Channel: v.Channel, Reason: v.Reason, At: v.At, Answer: true}
		}
	}
	return out
}
