package machine

import (
	"slices"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/match"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// The values of a rule's condition "asked".
const (
	AskedUser   = "user"   // a person asked, in the conversation or in the policy's guidance
	AskedData   = "data"   // only the data asks
	AskedNobody = "nobody" // no person asked
)

// readAsked reads the condition "asked". Only a rule that denies or holds may have it,
// because whoever writes the conversation can write a request into it.
func (r *reader) readAsked(v, effect jsonval.Value) string {
	if effect.Text() == AllowCall {
		r.fail(v, "invalid asked: a rule with effect allow cannot have it, because the conversation is what the agent's program sends; want it in a rule that denies or holds")
	}
	return r.readWord(v, "asked", AskedUser, AskedData, AskedNobody)
}

// askedFits reports whether a call was asked for as a rule's condition says. It is not
// known without a conversation. A call that does not even name a change never fits.
func (f *facts) askedFits(want string) match.Answer {
	switch a := f.asked; {
	case a == nil && !f.changes:
		return match.No
	case a == nil:
		return match.Unknown
	case a.Also != "":
		other := *a
		other.By = a.Also
		return max(fitsAsked(want, a), fitsAsked(want, &other))
	default:
		return fitsAsked(want, a)
	}
}

func fitsAsked(want string, a *proposal.Asker) match.Answer {
	person := a.By == proposal.AskedByUser || a.By == proposal.AskedByDeveloper
	switch {
	case want == AskedUser && person, want == AskedData && a.By == proposal.AskedByData,
		want == AskedNobody && (a.By == proposal.AskedByData || a.By == proposal.AskedByNobody):
		return match.Yes
	case want == AskedData && a.Partial && !person, want != AskedData && a.By == proposal.AskedUnknown:
		return match.Unknown
	}
	return match.No
}

// newAskedAxis returns the axis of the conditions on who asked. Its points are the sets of
// conditions that may hold together.
func newAskedAxis() *axis {
	a := &axis{tests: map[string]int{AskedUser: 0, AskedData: 1, AskedNobody: 2}}
	for _, fits := range [...][]bool{{false, false, false}, {true, false, false}, {false, false, true}, {true, false, true}, {false, true, true}, {true, true, true}} {
		a.points = append(a.points, point{"", fits})
	}
	return a
}

// AskedOnlyByData reports whether a call must be held whatever the policy allows, because
// as far as is known no person asked for it, but the data does.
func (w *Why) AskedOnlyByData() bool { return w.Asked.MayBeDataAlone() }

// describeAsked says what a rule's condition means.
func describeAsked(want string) string {
	return map[string]string{AskedUser: "a person asked for the call", AskedData: "only the data asks for the call", AskedNobody: "no person asked for the call"}[want]
}

// descriptions returns what others say about the tools: it is data.
func (p *Policy) descriptions(c *proposal.Proposal) (out []string) {
	for i := range c.Tools {
		ours := slices.ContainsFunc(p.Definitions, func(t mutation.Tool) bool { return t.Name == c.Tools[i].Name })
		if d := c.Tools[i].Description; d != "" && !ours {
			out = append(out, d)
		}
	}
	return out
}

// askedName returns who asked for a call, for the audit; "" if it is not known.
func askedName(a *proposal.Asker) string {
	if a == nil {
		return ""
	}
	return a.By
}
