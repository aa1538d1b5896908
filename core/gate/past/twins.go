package past

import (
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// This file holds one law: what equal calls are, for everybody who asks. Calls are equal if they are
// the same call, in one directory and in any spelling (see proposal.SameKey), or if an approver edited
// the same call of the agent into one of them, or into each. The statements of the stores compare the
// same two keys.

// EqualTo returns a function that reports whether a record is equal to r. byEdit says that the two
// differ.
func EqualTo(r *machine.Record) func(o *machine.Record) (equal, byEdit bool) {
	same, root := r.Key(), r.RootKey()
	return func(o *machine.Record) (equal, byEdit bool) {
		if o.Key() == same {
			return true, false
		}
		equal = o.RootKey() == root
		return equal, equal
	}
}

// UnsureBefore returns the latest of the records that is equal to r, was handed out and has no
// known outcome, first those that are no other edit; nil for none. O(size of the records).
func UnsureBefore(taken []machine.Record, r *machine.Record) *proposal.Unsure {
	var found *proposal.Unsure
	equal := EqualTo(r)
	for i := range taken {
		o := &taken[i]
		if o.State != machine.Claimed && o.State != machine.Ambiguous || found != nil && !found.Edited && o.Claim.At <= found.At {
			continue
		}
		if is, byEdit := equal(o); is && (found == nil || !byEdit && found.Edited || byEdit == found.Edited && o.Claim.At > found.At) {
			found = &proposal.Unsure{ID: o.ID, Running: o.State == machine.Claimed, Edited: byEdit, At: o.Claim.At}
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
	from, equal := r.Asked(), EqualTo(r)
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
	out := machine.RefusedBefore(refused, r)
	same := r.Key()
	for i := range refused {
		o := &refused[i]
		if v, decided := o.Decided(); decided && o.State == machine.Answered && v.At >= r.Asked() && (out == nil || v.At > out.At) && o.Key() == same {
			out = &machine.Refusal{By: v.By, Channel: v.Channel, Reason: v.Reason, At: v.At, Answer: true}
		}
	}
	return out
}
