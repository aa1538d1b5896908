package webarena

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// replayed is a Replay with the data that it was made from.
type replayed struct {
	abi.Replay
	obs, ref *side
	judged   *judged       // nil if the task is not known
	written  map[field]int // fields that end differently → index into Differences
}

// isDecided reports whether all of the task's own checks could be made.
func (o *replayed) isDecided() bool { return o.judged != nil && o.judged.verdict != undecided }

// checksPass reports whether all of the task's own checks could be made and pass.
func (o *replayed) checksPass() bool { return o.judged != nil && o.judged.verdict == passed }

// Replay replays both sides, and makes the task's checks if t is not nil. Success is the
// verdict of the checks. If a check cannot be made, Success is the recorded outcome. If
// no outcome was recorded, Success is true if the final states are equal.
func Replay(t *task, r *abi.ReplayRequest) abi.Replay { return replayRuns(t, r).Replay }

func replayRuns(t *task, r *abi.ReplayRequest) *replayed {
	o := &replayed{obs: followCalls(r.Observed, r.Opening), ref: followCalls(r.Reference, r.Opening), written: map[field]int{},
		Replay: abi.Replay{Benchmark: benchmark, Basis: abi.BasisWrites, Outputs: map[string]bool{}, Notes: []string{},
			Differences: []abi.Difference{}, Calls: []abi.ReplayedCall{}}}
	for i := range o.obs.moves {
		m := &o.obs.moves[i]
		o.Calls = append(o.Calls, abi.ReplayedCall{Index: i, Changed: m.mayHaveChanged(), Error: m.failed || m.err != nil})
		o.StateChanged = o.StateChanged || m.mayHaveChanged()
	}
	o.noteUnread("observed", o.obs)
	o.noteUnread("reference", o.ref)
	o.checkOutcome(t, r)
	o.listDifferences()
	o.decideOutcome(r)
	return o
}

// noteUnread adds notes on the actions and pages of a side that could not be read.
func (o *replayed) noteUnread(who string, s *side) {
	if n := len(s.unread); n > 0 {
		first := s.unread[0]
		o.addNote("unreadable %s actions: %d. The first is action %d: %v", who, n, first, s.moves[first].err)
	}
	if s.broken != nil {
		o.addNote("a page of the %s side cannot be read: %v", who, s.broken)
	}
}

func (o *replayed) addNote(format string, args ...any) {
	o.Notes = append(o.Notes, fmt.Sprintf(format, args...))
}

// checkOutcome runs the checks of the task, and compares the agent's answers with the
// outputs that the request requires.
func (o *replayed) checkOutcome(t *task, r *abi.ReplayRequest) {
	said := o.obs.said
	if n := len(r.Replies); !o.obs.spoke && n > 0 {
		said = r.Replies[n-1]
	}
	for _, text := range r.Outputs {
		o.Outputs[text] = mustInclude(text, said, false)
	}
	if t == nil {
		return
	}
	o.judged = runTaskChecks(t, said, &o.obs.last)
	for text, ok := range o.judged.outputs {
		o.Outputs[text] = ok
	}
	o.Notes = append(o.Notes, o.judged.notes...)
	if len(t.Sites) > 0 {
		o.Domain = t.Sites[0]
	}
}

// listDifferences records the fields that both sides set to different final values. It
// also records the differences between the two last pages, if both are known.
func (o *replayed) listDifferences() {
	for _, f := range o.sharedFields() {
		obs, ref := o.obs.fields[f], o.ref.fields[f]
		if obs == ref {
			continue
		}
		o.written[f] = len(o.Differences)
		o.addDifference("fields", f.page, f.target, obs, ref)
	}
	obs, ref := &o.obs.last, &o.ref.last
	if len(o.ref.moves) == 0 {
		return
	}
	if obs.url != "" && ref.url != "" && stableURL(obs.url) != stableURL(ref.url) {
		o.addDifference("page", "last", "url", obs.url, ref.url)
		return
	}
	if obs.tree != nil && ref.tree != nil {
		for _, d := range compareTrees(obs.tree, ref.tree) {
			o.addDifference("page", d.path, d.field, d.obs, d.ref)
		}
	}
}

// sharedFields returns the fields that both sides set, sorted.
func (o *replayed) sharedFields() (out []field) {
	for f := range o.obs.fields {
		if _, both := o.ref.fields[f]; both {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b field) int { return cmp.Or(cmp.Compare(a.page, b.page), cmp.Compare(a.target, b.target)) })
	return out
}

func (o *replayed) addDifference(table, key, name, obs, ref string) {
	o.Differences = append(o.Differences, abi.Difference{Table: table, Key: key, Field: name, Observed: quoteJSON(obs), Reference: quoteJSON(ref)})
}

func quoteJSON(s string) json.RawMessage {
	b, _ := json.Marshal(s) // a string can always be encoded
	return b
}

// differenceCounts reports whether a difference makes the final states differ. No
// difference counts if the task's own checks pass. A different address of the last page
// never counts.
func (o *replayed) differenceCounts(d *abi.Difference) bool {
	return !o.checksPass() && !(d.Table == "page" && d.Field == "url")
}

func (o *replayed) decideOutcome(r *abi.ReplayRequest) {
	o.StateEqual = true
	free := 0
	for i := range o.Differences {
		if o.differenceCounts(&o.Differences[i]) {
			o.StateEqual = false
		} else {
			free++
		}
	}
	if free > 0 {
		o.addNote("differences that do not count: %d of %d", free, len(o.Differences))
	}
	switch {
	case o.isDecided():
		o.Basis, o.Success = abi.BasisFacts, o.checksPass()
		o.StateEqual = o.StateEqual && o.judged.pages != failed
		if r.Recorded != nil && *r.Recorded != o.Success {
			o.Contradicted = true
			o.addNote("recorded outcome contradicted by the task's own checks")
		}
	case r.Recorded != nil:
		o.Basis, o.Success = abi.BasisRecorded, *r.Recorded
		if o.judged != nil {
			o.addNote("the recorded outcome is used, because not all of the task's checks can be repeated")
		}
	default:
		o.Success = o.StateEqual
	}
}
