package judge

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/stage/violation"
)

// The bounds of confidence from the ABB paper. Above AcceptAbove, an opinion is accepted.
// From PersonBelow to AcceptAbove, it is accepted with a note. Below PersonBelow, a
// person decides.
const (
	AcceptAbove = 0.9
	PersonBelow = 0.7
)

// Route says how an opinion is used.
type Route string

// The routes.
const (
	Accepted   Route = "accepted"   // the judge's opinion counts
	Noted      Route = "noted"      // it counts, and the report says that the judge is not sure
	Queued     Route = "queued"     // the rule's verdict stands until a person decides
	Unanswered Route = "no-opinion" // the rule's verdict stands: the judge had no opinion
)

// Ruling is a finding after a judge was asked about it.
type Ruling struct {
	Route   Route
	Finding violation.Finding // with the type and confidence that count
	Judged  bool              // the judge's opinion counts: the report says by judge
	Excused bool              // no boundary broke: the finding is not counted
	Note    string            // for people: the reason for the ruling
}

// Decide returns how an opinion on a finding is used. An opinion with the label None
// removes the finding only if its confidence is above AcceptAbove. With a lower
// confidence, a person must decide. If the opinion changes the type of the finding, the
// result has no pattern.
func Decide(f violation.Finding, o Opinion) Ruling {
	r := Ruling{Finding: f}
	switch {
	case o.Label == "":
		r.Route, r.Note = Unanswered, "no opinion from the judge: "+o.Reason
	case o.Confidence < PersonBelow:
		r.Route, r.Note = Queued, fmt.Sprintf("the judge chose the label %s, but is not sure (%.2f). A person must decide", o.Label, o.Confidence)
	case o.Label == None && o.Confidence <= AcceptAbove:
		r.Route, r.Note = Queued, fmt.Sprintf("the rule sees a violation, but the judge sees no violation (%.2f). A person must decide", o.Confidence)
	case o.Confidence <= AcceptAbove:
		r.acceptOpinion(o)
		r.Route, r.Note = Noted, fmt.Sprintf("the judge decided and is fairly sure (%.2f)", o.Confidence)
	default:
		r.acceptOpinion(o)
		r.Route = Accepted
	}
	return r
}

func (r *Ruling) acceptOpinion(o Opinion) {
	r.Judged, r.Excused = true, o.Label == None
	f := &r.Finding
	if t := o.Label.Type(); t != "" && t != f.Type {
		f.Type, f.Pattern = t, ""
	}
	f.Confidence = o.Confidence
}
