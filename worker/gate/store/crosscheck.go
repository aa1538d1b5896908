package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// history is the audit's information about one proposal.
type history struct {
	last  machine.Entry
	votes []machine.Vote // of its decisions, in order
}

// crossCheck compares the state, the decisions and the shown bytes of every record with
// its audit entries. It returns a text for each difference.
func (s *Store) crossCheck(ctx context.Context, tenant string) (faults []string, err error) {
	said, emptied, err := s.auditHistories(ctx, tenant)
	if err != nil {
		return nil, err
	}
	records, err := s.queryRecords(ctx, `tenant = ? ORDER BY created, id`, tenant)
	if err != nil {
		return nil, err
	}
	for i := range records {
		r := &records[i]
		h := said[r.ID]
		delete(said, r.ID)
		if h == nil && r.At < emptied {
			continue // its entries were emptied, which the chain records
		}
		if fault := h.firstDifference(r, r.Created < emptied); fault != "" {
			faults = append(faults, fault)
		}
	}
	for id := range said {
		faults = append(faults, fmt.Sprintf("proposal %s is in the audit, but not in the table of proposals", id))
	}
	slices.Sort(faults)
	return faults, nil
}

// auditHistories returns the history of each proposal in the audit, by the id of the
// proposal. Retention may have emptied the entries that were written before the time
// emptied.
func (s *Store) auditHistories(ctx context.Context, tenant string) (said map[string]*history, emptied int64, err error) {
	said = map[string]*history{}
	texts, err := s.queryTexts(ctx, `SELECT entry FROM audit WHERE tenant = ? AND entry <> '' ORDER BY seq`, tenant)
	if err != nil {
		return nil, 0, err
	}
	for _, text := range texts {
		var e machine.Entry
		if json.Unmarshal([]byte(text), &e) != nil {
			continue
		}
		if e.Event == machine.Redact && e.Text == RetainAudit {
			emptied = max(emptied, e.Before)
		}
		if e.ID == "" {
			continue
		}
		h := said[e.ID]
		if h == nil {
			h = &history{}
			said[e.ID] = h
		}
		if e.Rev > h.last.Rev {
			h.last = e
		}
		switch e.Event {
		case string(machine.Decide), string(machine.Revoke), string(machine.Respond), machine.Bypass:
			h.votes = append(h.votes, voteOf(&e))
		}
	}
	return said, emptied, nil
}

// voteOf returns the vote that an entry about a decision stands for, with every member.
func voteOf(e *machine.Entry) machine.Vote {
	return machine.Vote{By: e.By, Channel: e.Channel, Approve: e.Approve != nil && *e.Approve, Reason: e.Text, Giver: e.Giver, Again: e.Again, At: e.At,
		Revoke: e.Event == string(machine.Revoke), Bypass: e.Event == machine.Bypass, Answer: e.Event == string(machine.Respond)}
}

// firstDifference returns a text about the first difference between a record and the
// audit. It returns "" if there is no difference. The parameter partial is true if early
// entries about the record may have been emptied.
func (h *history) firstDifference(r *machine.Record, partial bool) string {
	if h == nil {
		return fmt.Sprintf("proposal %s has no audit entry: its audit rows were removed", r.ID)
	}
	redacted := r.Prompt == "" && r.Arguments == ""
	switch e := &h.last; {
	case e.Rev != r.Rev || e.To != r.State:
		return fmt.Sprintf("proposal %s has the state %s (change %d), but its last audit row has the state %s (change %d)", r.ID, r.State, r.Rev, e.To, e.Rev)
	case redacted && e.Event != machine.Redact:
		return fmt.Sprintf("the content of proposal %s was deleted, but the audit has no record of the deletion", r.ID)
	case e.Digest != r.Digest, !redacted && (!r.IsWhole() || machine.TextHash(r.Prompt) != r.PromptHash):
		return fmt.Sprintf("proposal %s does not contain the bytes that were proposed and shown", r.ID)
	case !redacted && r.Why.Asked != nil && !strings.Contains(r.Prompt, "\n"+r.Why.Asked.Line()+"\n"):
		return fmt.Sprintf("who asked for proposal %s differs from the approved text", r.ID)
	case !sourcesShown(r):
		return fmt.Sprintf("the sources of values in proposal %s differ from the sources in the approved text", r.ID)
	case !sameVotes(r.Votes, h.votes, redacted, partial):
		return fmt.Sprintf("the votes of proposal %s differ from the votes in the audit", r.ID)
	}
	return ""
}

// sourcesShown reports whether the record's prompt contains the origins of all values in
// the record. If the call could not be shown completely, the prompt may lack origins, so
// sourcesShown returns true without a comparison.
func sourcesShown(r *machine.Record) bool {
	return r.Why.Uninspectable || !slices.ContainsFunc(r.Sources, func(s proposal.Source) bool { return !strings.Contains(r.Prompt, "\n  ^ from "+s.Text+"\n") })
}

// sameVotes reports whether the stored votes are the same as the votes in the audit, in every member. If
// redacted is true, the reasons of the votes are not compared, because they were removed.
// If partial is true, early audit entries may be missing, so sameVotes compares only the
// last stored votes.
func sameVotes(stored, said []machine.Vote, redacted, partial bool) bool {
	if partial && len(said) < len(stored) {
		stored = stored[len(stored)-len(said):]
	}
	return slices.EqualFunc(stored, said, func(a, b machine.Vote) bool {
		if redacted {
			a.Reason, b.Reason = "", ""
		}
		return a == b
	})
}
