// Package attribution says why a run went wrong: the first failure point, one
// primary mode, and the factors that contributed, each with its evidence.
//
// It is the substitution test as a decision tree. If putting the reference's
// action in the place of the agent's would change the kind of action, the agent
// chose the wrong tool. If the kind is right and the scope, the steps or the
// decomposition is wrong, a boundary broke. If the agent acted on a value that
// its observations contradict, it lost track of the state. If its own words
// argue for leaving the step out, its reasoning failed, with the boundary as a
// factor.
package attribution

import (
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/core/align"
	"github.com/boundcheck/boundcheck/core/boundary"
	"github.com/boundcheck/boundcheck/core/violation"
)

// Mode is a way of failing.
type Mode string

// The modes.
const (
	ToolSelection Mode = "tool-selection-error"
	Boundary      Mode = "boundary-violation"
	StateTracking Mode = "state-tracking-failure"
	Reasoning     Mode = "reasoning-error"
)

// Cause is one mode with why it is thought to be one.
type Cause struct {
	Mode       Mode
	Confidence float64 // 0 to 1
	Reason     string
	Evidence   string // the agent's words, or the observation; "" without one
}

// Result attributes one run. First indexes the findings.
type Result struct {
	First   int
	Primary Cause
	Factors []Cause
}

// Attribute looks at the first failure point of a run: the finding that stands
// first in the alignment. It needs the findings of violation.Classify on the
// same case; ok is false when there is none. O(rows + text).
func Attribute(c *boundary.Case, findings []violation.Finding) (r Result, ok bool) {
	if len(findings) == 0 {
		return r, false
	}
	for i := range findings {
		if before(&findings[i], &findings[r.First]) {
			r.First = i
		}
	}
	a := attributor{Case: c, findings: findings, first: &findings[r.First]}
	causes := a.causes()
	r.Primary, r.Factors = causes[0], causes[1:]
	return r, true
}

// before orders findings by row; those about the whole run come last.
func before(a, b *violation.Finding) bool {
	if a.Row < 0 || b.Row < 0 {
		return a.Row >= 0 && b.Row < 0
	}
	return a.Row < b.Row
}

type attributor struct {
	*boundary.Case
	findings []violation.Finding
	first    *violation.Finding
}

// causes lists what applies, the primary first: the tree's questions in order
// of how specific their evidence is.
func (a *attributor) causes() []Cause {
	var all []Cause
	for _, question := range []func() (Cause, bool){a.justified, a.contradicted, a.otherTool} {
		if cause, ok := question(); ok {
			all = append(all, cause)
		}
	}
	if len(all) == 0 || all[0].Mode != ToolSelection {
		all = append(all, a.boundary())
	}
	return all
}

func (a *attributor) boundary() Cause {
	return Cause{Mode: Boundary, Confidence: a.first.Confidence, Reason: fmt.Sprintf("%s: %s", a.first.Type, a.first.Reason)}
}

// otherTool asks whether the reference has another kind of action in this
// place: an extra action and a missing one of another name side by side.
func (a *attributor) otherTool() (Cause, bool) {
	if a.first.Row < 0 {
		return Cause{}, false
	}
	obs, ref := a.gap(a.first.Row)
	if obs < 0 || ref < 0 || a.Obs[obs].Name == a.Ref[ref].Name {
		return Cause{}, false
	}
	return Cause{Mode: ToolSelection, Confidence: 0.7,
		Reason: fmt.Sprintf("%s was done in the place of %s", a.Obs[obs].Name, a.Ref[ref].Name)}, true
}

// gap gives the first extra and the first missing action that may have an
// effect between two matches around a row; -1 where there is none.
func (a *attributor) gap(row int) (obs, ref int) {
	from, to := row, row
	for from > 0 && a.Steps[from-1].Op != align.Match {
		from--
	}
	for to < len(a.Steps) && a.Steps[to].Op != align.Match {
		to++
	}
	done, wanted := a.keys()
	obs, ref = -1, -1
	for _, s := range a.Steps[from:to] {
		if obs < 0 && s.Op == align.Insertion && !wanted[a.Obs[s.Obs].Key] && a.Obs[s.Obs].Writes() {
			obs = s.Obs
		}
		if ref < 0 && s.Op == align.Deletion && !done[a.Ref[s.Ref].Key] && a.Ref[s.Ref].Writes() {
			ref = s.Ref
		}
	}
	return obs, ref
}

// keys are what was done and what was wanted: an action that only moved stands
// in nobody's place.
func (a *attributor) keys() (done, wanted map[string]bool) {
	done, wanted = map[string]bool{}, map[string]bool{}
	for i := range a.Obs {
		if !a.Obs[i].Failed {
			done[a.Obs[i].Key] = true
		}
	}
	for i := range a.Ref {
		wanted[a.Ref[i].Key] = true
	}
	return done, wanted
}

// contradicted asks whether a wrong argument goes against what the agent had
// seen: the reference's value stood before it, the agent's own nowhere.
func (a *attributor) contradicted() (Cause, bool) {
	f := a.first
	if f.Obs < 0 || a.Known == nil {
		return Cause{}, false
	}
	known := ""
	for _, e := range f.Evidence {
		if e.Observed == "" || e.Reference == "" || len(e.Reference) < 3 {
			continue
		}
		if known == "" {
			known = a.Known(f.Obs)
		}
		if violation.Grounded(e.Reference, known) && !violation.Grounded(e.Observed, known) {
			return Cause{Mode: StateTracking, Confidence: 0.75, Evidence: e.Reference,
				Reason: fmt.Sprintf("%s = %s stands nowhere in what the agent had seen; %s does", e.Path, e.Observed, e.Reference)}, true
		}
	}
	return Cause{}, false
}

// excuses are how an agent argues for leaving something out.
var excuses = [...]string{"no need to", "don't need to", "do not need to", "not necessary", "unnecessary", "isn't necessary", "skip", "without checking",
	"without verifying", "i'll assume", "i will assume", "assuming", "i assume", "should be fine", "to save time", "already verified", "already confirmed", "usually"}

// justified asks whether the agent's own words, since its action before, argue
// for the gap.
func (a *attributor) justified() (Cause, bool) {
	if a.Words == nil || a.first.Row < 0 {
		return Cause{}, false
	}
	next := a.nextObs(a.first.Row)
	if next < 0 {
		return Cause{}, false
	}
	words := a.Words(next)
	lower := asciiLower(words)
	for _, excuse := range excuses {
		if i := strings.Index(lower, excuse); i >= 0 {
			quote := sentence(words, i)
			return Cause{Mode: Reasoning, Confidence: 0.6, Evidence: quote,
				Reason: fmt.Sprintf("the agent argued for it before %s", a.Obs[next].Name)}, true
		}
	}
	return Cause{}, false
}

func (a *attributor) nextObs(row int) int {
	for ; row < len(a.Steps); row++ {
		if a.Steps[row].Obs >= 0 {
			return a.Steps[row].Obs
		}
	}
	return -1
}

// asciiLower lowers A to Z alone, so that places stay places.
func asciiLower(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, text)
}

// sentence cuts the sentence around byte i, at most 200 bytes of it, i among
// them.
func sentence(text string, i int) string {
	if i >= len(text) {
		return ""
	}
	from := strings.LastIndexAny(text[:i], ".!?\n") + 1
	to := len(text)
	if n := strings.IndexAny(text[i:], ".!?\n"); n >= 0 {
		to = i + n + 1
	}
	if to-from > 200 {
		from = max(from, i-100)
		to = min(to, from+200)
	}
	return strings.TrimSpace(strings.ToValidUTF8(text[from:to], ""))
}
