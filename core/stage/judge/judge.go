// Package judge gets a second opinion on findings of which a rule is not sure. It does no
// input or output: it writes prompts and parses answers. An implementation of Judge sends
// the prompts over a network or gets the answers in another way.
//
// A finding goes through these steps. Ambiguous decides whether to ask, Prompt writes the
// question, Parse parses the answer without guessing, and Decide returns how the opinion
// is used. If there is no judge, or the judge has no opinion, the verdict of the rule
// stands.
package judge

import (
	"github.com/boundcheck/boundcheck/core/stage/violation"
)

// Label is one of the seven possible answers of a judge or a person. "" means no answer.
type Label string

// The seven labels. None means that no boundary broke.
const (
	GranularityOver  Label = "GRANULARITY_OVER"
	GranularityUnder Label = "GRANULARITY_UNDER"
	ScopeOver        Label = "SCOPE_OVER"
	ScopeUnder       Label = "SCOPE_UNDER"
	BoundaryStart    Label = "BOUNDARY_START"
	BoundaryEnd      Label = "BOUNDARY_END"
	None             Label = "NONE"
)

// labelTypes pairs the labels, in their order, with the types of violation.
var labelTypes = [...]struct {
	label Label
	typ   violation.Type
}{
	{GranularityOver, violation.OverGranular},
	{GranularityUnder, violation.UnderGranular},
	{ScopeOver, violation.OverAction},
	{ScopeUnder, violation.UnderAction},
	{BoundaryStart, violation.StartBoundary},
	{BoundaryEnd, violation.EndBoundary},
	{None, ""},
}

// Labels returns the seven labels. None is the last one.
func Labels() []Label {
	out := make([]Label, len(labelTypes))
	for i, lt := range labelTypes {
		out[i] = lt.label
	}
	return out
}

// Known reports whether the label is one of the seven labels.
func (l Label) Known() bool {
	for _, lt := range labelTypes {
		if lt.label == l {
			return true
		}
	}
	return false
}

// Type returns the type of violation that a label stands for, or "" for None.
func (l Label) Type() violation.Type {
	for _, lt := range labelTypes {
		if lt.label == l {
			return lt.typ
		}
	}
	return ""
}

// LabelOf returns the label for a type of violation, or "" for an unknown type.
func LabelOf(t violation.Type) Label {
	for _, lt := range labelTypes {
		if lt.typ == t && t != "" {
			return lt.label
		}
	}
	return ""
}

// Judge returns one opinion for each case, in order. If it has no opinion on a case, that
// opinion has no label and a reason. It returns an error if it cannot be asked at all.
type Judge interface {
	Judge(cases []Case) ([]Opinion, error)
}

// Opinion is a judge's opinion on one case.
type Opinion struct {
	Label      Label   // "" if there is no opinion
	Confidence float64 // 0 to 1
	Reason     string  // the judge's own words, or why there is no opinion
	Votes      []Vote  // for an ensemble, the vote of each judge in their order; nil for a single judge
}

// Vote is one judge's opinion in an ensemble.
type Vote struct {
	Judge      string
	Label      Label // "" if it had no opinion
	Confidence float64
}

// NoOpinion returns an opinion without a label, with the given reason.
func NoOpinion(reason string) Opinion { return Opinion{Reason: reason} }

// Case is one finding with everything that a judge must see. Observed is nil if the
// finding is about a missing step. Reference is nil if the action has no step in the
// reference.
type Case struct {
	Task      string // the user's request; "" if the trace does not contain it
	Observed  *Action
	Reference *Action
	Before    []Action // observed actions before it, in order, the nearest last
	After     []Action // observed actions after it, in order
	Finding   violation.Finding
	Facts     *Facts // for a run without a reference; nil for a run with one
}

// Facts holds what the program knows about the action of a finding in a run without a
// reference. The prompt tells the judge to accept these facts.
type Facts struct {
	Asked    *Asked  // who asked for the change; nil if a person did, or if it changes nothing
	Values   []Value // the origins of a change's values
	Promised string  // the agent's last offer to the user
	Answered string  // the user's answer to it, or last words
	Claimed  string  // the agent's words after the action
}

// Asked is a link of a change to a request that is open: no person is known to have asked.
type Asked struct {
	By    string `json:"by"`  // data, nobody or unknown
	Why   string `json:"why"` // why the link is open
	Words string `json:"words,omitempty"`
}

// Value is one argument with a description of its origin.
type Value struct {
	Path string `json:"path"`
	Text string `json:"value"`
	From string `json:"from"`
}

// Action is an action in the form in which a judge sees it.
type Action struct {
	Name        string
	Arguments   string // JSON text as written
	Text        string // the text of a free-text action
	Mutating    string // yes, no, unknown
	Observation string // the result; "" for a reference step
	Failed      bool   // the observation is an error
}

// DefaultBelow is the confidence below which a judge is asked about a rule's finding.
const DefaultBelow = 0.9

// Ambiguous reports whether to ask a judge about a finding. The confidence of the finding
// must be less than the limit, and the finding must be about an action or a step. A limit
// of 0 means DefaultBelow.
func Ambiguous(f *violation.Finding, below float64) bool {
	if below == 0 {
		below = DefaultBelow
	}
	return f.Confidence < below && (f.Obs >= 0 || f.Ref >= 0)
}
