package violation

import (
	"github.com/boundcheck/boundcheck/core/action/requests"
	"github.com/boundcheck/boundcheck/core/stage/sentences"
)

// The rules about changes that nobody asked for.
const (
	UnaskedChange    = "unasked-change"
	InstructedByData = "instructed-by-data"
)

// WordsOfData is the path of the evidence that has the passage of the data.
const WordsOfData = "the words of the data"

// fewRuns is the number of recorded runs below which these rules only give hints.
const fewRuns = 30

// lintUnasked returns a finding if nobody asked for the change i. A change of which this
// cannot be decided leads to no finding, but the run is not fine.
func (l *linter) lintUnasked(i int) []Finding {
	if l.Asking == nil {
		return nil
	}
	switch t, a := l.Asking(i), &l.Obs[i]; t.By {
	case requests.ByData:
		return l.newUnasked(i, InstructedByData, sentences.NobodyAsked.With(a.Name, t.Why), WordsOfData, &t)
	case requests.ByNobody:
		return l.newUnasked(i, UnaskedChange, sentences.NobodyAsked.With(a.Name, t.Why), "the user's words", &t)
	}
	return nil
}

// lintSentAway returns a finding if the action i only looks, but sends away what was read before in the
// address that it opens. What it sends has left, as with a message that nobody asked for.
func (l *linter) lintSentAway(i int) []Finding {
	a := &l.Obs[i]
	if l.SentAway == nil || a.ByUser || a.Failed && !a.Proposed || !requests.MaySendAway(&a.Call) {
		return nil
	}
	t, ok := l.SentAway(i)
	if !ok {
		return nil
	}
	rule := UnaskedChange
	if t.By == requests.ByData {
		rule = InstructedByData
	}
	return l.newUnasked(i, rule, sentences.NobodyAsked.With(a.Name, t.Why), WordsOfData, &t)
}

// newUnasked returns a finding with the words of a trace as its evidence, if there are any. What the words alone say
// is read from them, whatever the work: that somebody does not want a change, that he only asked to know something, or
// that data gives the order.
func (l *linter) newUnasked(i int, rule, reason, whose string, t *requests.Trace) []Finding {
	f := l.newFinding(OverAction, "", rule, i, reason)
	if measureOf(rule, l.work).Of < fewRuns {
		f.Confidence = Measure{}.Confidence()
	}
	if t.Against || t.Plain {
		f.Confidence = max(f.Confidence, measureOf(rule, Desk).Confidence())
	}
	if t.Words != "" {
		f.Evidence = []Evidence{{Path: whose, Observed: t.Words}}
	}
	return []Finding{f}
}
