// Package attribution explains why a run went wrong. It returns the first failure point,
// one primary mode, and the factors that contributed, each with its evidence.
//
// It applies the substitution test as a decision tree to every finding. (1) If the
// reference has a different action for the same goal at this point, the mode is a
// tool-selection error. (2) If the agent argued for leaving the step out, the mode is a
// reasoning error. The mode is the same if all actions were right, but the agent told the
// user a figure that appears nowhere in what it had seen. (3) If the agent acted on a
// value that contradicts what it had seen, the mode is a state-tracking failure. (4)
// Otherwise the mode is a boundary violation: the action is of the right sort, but its
// scope, its steps or its decomposition is wrong.
//
// The mode of the first failure point is the primary mode. The other modes, of all
// findings, are the factors. If the agent argued for leaving a step out, the step is also
// missing, so the boundary violation is a factor.
package attribution

import (
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/math/align"
	"github.com/boundcheck/boundcheck/core/stage/equivalence"
	"github.com/boundcheck/boundcheck/core/stage/violation"
)

// Mode is a failure mode: one of the four kinds of causes of a failed run.
type Mode string

// The modes.
const (
	ToolSelection Mode = "tool-selection-error"
	Boundary      Mode = "boundary-violation"
	StateTracking Mode = "state-tracking-failure"
	Reasoning     Mode = "reasoning-error"
)

// Cause is one mode with the reason for it.
type Cause struct {
	Mode       Mode
	Confidence float64 // 0 to 1
	Reason     string
	Evidence   string // the agent's words, or the observation; "" for none
}

// Result holds the causes of one run. First is the index of the finding that is the first
// failure point.
type Result struct {
	First   int
	Primary Cause
	Factors []Cause
}

// Attribute returns the primary cause of a run's first failure, and further causes
// (factors). The first failure is the finding that comes first in the alignment. findings
// must be the result of violation.Classify for the same case. ok is false if there are no
// findings.
//
// The factors come from the first mostFindings findings. O(rows + text).
func Attribute(c *boundary.Case, findings []violation.Finding) (r Result, ok bool) {
	if len(findings) == 0 {
		return r, false
	}
	for i := range findings {
		if comesBefore(&findings[i], &findings[r.First]) {
			r.First = i
		}
	}
	a := attributor{Case: c, acted: !slices.ContainsFunc(findings, func(f violation.Finding) bool { return f.Rule != violation.OutputNotSaid })}
	a.addPrimaryCauses(findings, r.First)
	for i := range findings[:min(len(findings), mostFindings)] {
		if i != r.First { // its causes are there
			a.addFindingCauses(&findings[i])
		}
	}
	r.Primary, r.Factors = a.causes[0], a.causes[1:]
	return r, true
}

// The limits of the search: the number of findings of a run, and the number of rows on
// each side of a row.
const (
	mostFindings = 64
	mostRows     = 32
)

// comesBefore reports whether finding a comes before finding b. A hint, which is perhaps no failure, comes behind all
// others. Findings are ordered by row, and findings about the whole run come last.
func comesBefore(a, b *violation.Finding) bool {
	if isHint, other := a.Confidence <= violation.AtMostHint, b.Confidence <= violation.AtMostHint; isHint != other {
		return other
	}
	if a.Row < 0 || b.Row < 0 {
		return a.Row >= 0 && b.Row < 0
	}
	return a.Row < b.Row
}

// attributor collects the causes of a run's findings. It keeps the first cause of each
// mode.
type attributor struct {
	*boundary.Case
	acted        bool // every action was right: only the agent's words are wrong
	causes       []Cause
	spoken       map[int][]string             // by action: see excuseSentences
	done, wanted map[string]bool              // keys of the observed actions that did not fail, and of all reference steps
	open, extra  map[string]int               // by name: reference steps that were not done, and actions that the reference does not have
	tried        map[string]bool              // names of failed actions
	origins      map[string]provenance.Origin // of the arguments of the action originsOf - 1, by path
	originsOf    int
}

// addPrimaryCauses adds the causes of findings[first], the first failure. A wrong tool
// comes first among these causes, if it explains any finding between the same two
// matches. The reason is that an alignment does not define the order of extra and missing
// actions between two matches.
func (a *attributor) addPrimaryCauses(findings []violation.Finding, first int) {
	f := &findings[first]
	from, to := a.rowsBetweenMatches(f.Row)
	for i := range findings[:min(len(findings), mostFindings)] {
		if g := &findings[i]; g.Row >= from && g.Row < to {
			if cause, ok := a.otherTool(g); ok {
				a.addCause(cause)
				break
			}
		}
	}
	a.addFindingCauses(f)
}

// rowsBetweenMatches returns the rows [from, to) between the two matches around a row. It
// returns an empty range if the row is a match, or if row is negative.
func (a *attributor) rowsBetweenMatches(row int) (from, to int) {
	if row < 0 || a.Steps[row].Op == align.Match {
		return 0, 0
	}
	from, to = row, row
	for from > 0 && row-from < mostRows && a.Steps[from-1].Op != align.Match {
		from--
	}
	for to < len(a.Steps) && to-row < mostRows && a.Steps[to].Op != align.Match {
		to++
	}
	return from, to
}

// addFindingCauses adds the causes of one finding.
func (a *attributor) addFindingCauses(f *violation.Finding) {
	substituted, isSubstituted := a.otherTool(f)
	argued, isArgued := a.findJustification(f)
	if !isArgued {
		argued, isArgued = a.findMisstatement(f)
	}
	switch {
	case isSubstituted:
		a.addCause(substituted)
		if isArgued {
			a.addCause(argued)
		}
	case isArgued:
		a.addCause(argued)
		if leftOut(f) {
			a.addCause(boundaryCause(f))
		}
	default:
		if wrong, ok := a.findMiscalculation(f); ok {
			a.addCause(wrong)
			return
		}
		if lost, ok := a.findContradiction(f); ok {
			a.addCause(lost)
			return
		}
		a.addCause(boundaryCause(f))
	}
}

func (a *attributor) addCause(c Cause) {
	if !slices.ContainsFunc(a.causes, func(other Cause) bool { return other.Mode == c.Mode }) {
		a.causes = append(a.causes, c)
	}
}

func boundaryCause(f *violation.Finding) Cause {
	return Cause{Mode: Boundary, Confidence: f.Confidence, Reason: fmt.Sprintf("%s: %s", f.Type, f.Reason)}
}

// leftOut reports whether a finding is about a step that was not done.
func leftOut(f *violation.Finding) bool {
	return f.Obs < 0 && f.Ref >= 0 || f.Rule == violation.UnmetPrecondition || f.Rule == violation.OutputNotSaid
}

// otherTool reports whether the agent used a different tool than the reference for the
// same goal, and whether this explains the finding f. It looks for an extra action and a
// missing action between the same two matches (see findGapPair). It returns false for a
// finding about a match or about the whole run.
func (a *attributor) otherTool(f *violation.Finding) (Cause, bool) {
	if f.Row < 0 || a.Steps[f.Row].Op == align.Match || f.Rows != nil || f.Type == violation.UnderGranular || f.Pattern == violation.ScopeOvergeneralisation {
		return Cause{}, false
	}
	obs, ref := a.findGapPair(f)
	if obs < 0 {
		return Cause{}, false
	}
	return Cause{Mode: ToolSelection, Confidence: 0.7,
		Reason: fmt.Sprintf("%s was done instead of %s", a.Obs[obs].Name, a.Ref[ref].Name)}, true
}

// findGapPair returns an extra action and a missing action that together explain the
// finding f. Both are between the two matches around the finding's row. It returns -1, -1
// if there is no such pair.
func (a *attributor) findGapPair(f *violation.Finding) (obs, ref int) {
	from, to := a.rowsBetweenMatches(f.Row)
	a.fillKeys()
	for _, s := range a.Steps[from:to] {
		if s.Op != align.Deletion || !a.isOpenStep(s.Ref) {
			continue
		}
		for _, x := range a.Steps[from:to] {
			if x.Op == align.Insertion && a.isExtraWrite(x.Obs) && servesSameGoal(&a.Obs[x.Obs], &a.Ref[s.Ref]) && a.pairExplains(f, x.Obs, s.Ref) {
				return x.Obs, s.Ref
			}
		}
	}
	return -1, -1
}

// isOpenStep reports whether a reference step has an effect and was neither done nor
// tried. A step that the agent tried does not count, because the agent chose the right
// tool for it.
func (a *attributor) isOpenStep(ref int) bool {
	r := &a.Ref[ref]
	return !a.done[r.Key] && r.Writes() && !a.tried[r.Name]
}

// isExtraWrite reports whether a change of the agent is none of the reference. A call with other arguments
// than a reference step of the tool that was not done is the agent's try at that step: with as many open
// steps of the tool as such calls, none of them is extra.
func (a *attributor) isExtraWrite(obs int) bool {
	o := &a.Obs[obs]
	open := a.open[o.Name]
	return !a.wanted[o.Key] && o.Writes() && !o.ByUser && (open == 0 || open < a.extra[o.Name])
}

// pairExplains reports whether the extra action obs, done in place of the missing action
// ref, is the reason for a finding. The finding must be about one of these:
//
//   - obs or ref;
//   - another extra action for the goal of ref;
//   - a missing step before ref that has no effect and is not a check, an approval or a notification.
func (a *attributor) pairExplains(f *violation.Finding, obs, ref int) bool {
	if f.Obs == obs || f.Ref == ref {
		return true
	}
	if f.Obs >= 0 {
		return a.isExtraWrite(f.Obs) && servesSameGoal(&a.Obs[f.Obs], &a.Ref[ref])
	}
	if f.Ref < 0 || f.Ref > ref {
		return false
	}
	step := &a.Ref[f.Ref]
	switch class := step.Deed().Class; class {
	case "check", "approve", "acknowledge", "notify":
		return false
	}
	return !step.Writes() || !step.Deed().Effectful()
}

// servesSameGoal reports whether two actions with different names serve the same goal.
// Both must be known to have an effect, and equivalence.Kin must not relate their names.
// In addition, one of these conditions must be true:
//
//   - the actions share an entity;
//   - their verbs are of different classes, and their objects share a word;
//   - their verbs are of different classes, and one of the objects is not known.
func servesSameGoal(obs, ref *boundary.Action) bool {
	if obs.Name == ref.Name || obs.Text != "" || ref.Text != "" {
		return false
	}
	d, e := obs.Deed(), ref.Deed()
	if !d.Effectful() || !e.Effectful() || equivalence.Kin(obs, ref) != "" {
		return false
	}
	if slices.ContainsFunc(obs.Scope(), func(entity string) bool { return slices.Contains(ref.Scope(), entity) }) {
		return true
	}
	if len(d.Object) == 0 || len(e.Object) == 0 {
		return d.Class != e.Class
	}
	return d.Class != e.Class && slices.ContainsFunc(d.Object, func(w string) bool { return slices.Contains(e.Object, w) })
}

// isChoiceArgument reports whether an argument selects an option, such as a means of
// payment or a new variant, and not the thing itself.
func isChoiceArgument(path string) bool {
	return slices.ContainsFunc(mutation.NameWords(path), func(w string) bool {
		switch w {
		case "payment", "method", "new", "option", "variant", "preferred":
			return true
		}
		return false
	})
}

// fillKeys fills the maps done, wanted, tried, open and extra at its first call. The map done gets the
// keys of the successful actions, and tried gets the names of the failed ones. The map
// wanted gets the keys of the reference steps.
func (a *attributor) fillKeys() {
	if a.done != nil {
		return
	}
	a.done, a.wanted, a.tried = make(map[string]bool, len(a.Obs)), make(map[string]bool, len(a.Ref)), map[string]bool{}
	a.open, a.extra = map[string]int{}, map[string]int{}
	for i := range a.Obs {
		if a.Obs[i].Failed {
			a.tried[a.Obs[i].Name] = true
		} else {
			a.done[a.Obs[i].Key] = true
		}
	}
	for i := range a.Ref {
		a.wanted[a.Ref[i].Key] = true
		if !a.done[a.Ref[i].Key] {
			a.open[a.Ref[i].Name]++
		}
	}
	for i := range a.Obs {
		if o := &a.Obs[i]; !o.Failed && !o.ByUser && !a.wanted[o.Key] {
			a.extra[o.Name]++
		}
	}
}

// findContradiction reports whether a wrong argument contradicts what the agent had seen.
// The right value must have appeared before the action. The wrong value must have
// appeared nowhere, or must belong to another thing, for example to Tuesday's order
// instead of Monday's. A wrong value that the user asked for does not count.
func (a *attributor) findContradiction(f *violation.Finding) (Cause, bool) {
	if f.Obs < 0 || a.Known == nil || f.Pattern == violation.ScopeOvergeneralisation {
		return Cause{}, false
	}
	known := ""
	for _, e := range f.Evidence {
		short := len(e.Reference) < 3
		if e.Observed == "" || e.Reference == "" || short && (len(e.Reference) < 2 || !strings.ContainsAny(e.Reference, "0123456789")) {
			continue
		}
		if known == "" {
			known = a.Known(f.Obs)
		}
		if short && !hasMemberValue(known, e.Reference) {
			continue
		}
		if !violation.Grounded(e.Reference, known) {
			continue
		}
		cause := Cause{Mode: StateTracking, Confidence: 0.75, Evidence: e.Reference}
		if !violation.Grounded(e.Observed, known) && strings.ContainsAny(e.Observed, "0123456789") {
			cause.Reason = fmt.Sprintf("argument %s has the value %s, which the agent had never seen. The agent had seen the right value, %s", e.Path, e.Observed, e.Reference)
			return cause, true
		}
		if a.mixedUp(f, &e, known) {
			cause.Confidence = 0.65
			cause.Reason = fmt.Sprintf("argument %s has the value %s, which belongs to something else that the agent had seen. The right value is %s", e.Path, e.Observed, e.Reference)
			return cause, true
		}
	}
	return a.findMiscopy(f, known)
}

// originOf returns the origin of an argument's value, or the zero Origin if it is not
// known.
func (a *attributor) originOf(obs int, path string) provenance.Origin {
	if a.Origins == nil {
		return provenance.Origin{}
	}
	if a.originsOf != obs+1 {
		a.origins, a.originsOf = map[string]provenance.Origin{}, obs+1
		for _, o := range a.Origins(obs) {
			if _, known := a.origins[o.Path]; !known {
				a.origins[o.Path] = o
			}
		}
	}
	return a.origins[path]
}

// findMiscopy reports whether the agent copied a value with one wrong character. The
// argument known is the text that the agent had seen. The wrong value must not appear in
// this text, but must differ in only one character from a value in the text.
func (a *attributor) findMiscopy(f *violation.Finding, known string) (Cause, bool) {
	for _, e := range f.Evidence {
		if e.Observed == "" || len(e.Reference) < 3 || !strings.ContainsAny(e.Observed, "0123456789") || strings.Contains(known, strings.Trim(e.Observed, `"`)) {
			continue
		}
		o := a.originOf(f.Obs, e.Path)
		if o.Kind != provenance.Nowhere || !o.Class.Exact() || o.Near == nil {
			continue
		}
		return Cause{Mode: StateTracking, Confidence: 0.7, Evidence: o.Near.Value,
			Reason: fmt.Sprintf("argument %s has the value %s, which the agent had never seen. The agent had seen %s, which differs in one character", e.Path, e.Observed, o.Near.Value)}, true
	}
	return Cause{}, false
}

// hasMemberValue reports whether a JSON text has a member with the given value. It does
// not find the value inside other text, where a short value such as A2 may appear by
// chance.
func hasMemberValue(text, value string) bool {
	for from := 0; value != ""; {
		at := strings.Index(text[from:], value)
		if at < 0 {
			break
		}
		at += from
		before, after := strings.TrimRight(text[:at], " "), strings.TrimLeft(text[at+len(value):], " \n")
		if strings.HasSuffix(before, ":") && strings.IndexAny(after, ",}") == 0 {
			return true
		}
		from = at + len(value)
	}
	return false
}

// mixedUp reports whether the agent confused two values that it had seen, for example two
// ids. The result is false if the argument selects an option. The result is also false if
// the user's last message has the wrong value without the right one, and the right one is
// not a replacement (see isReplacement).
func (a *attributor) mixedUp(f *violation.Finding, e *violation.Evidence, known string) bool {
	value := similarity.Plain(e.Observed)
	if len(value) < 3 && !(hasMemberValue(known, e.Observed) && hasMemberValue(known, e.Reference)) || !strings.ContainsAny(value, "0123456789") || !strings.ContainsAny(e.Reference, "0123456789") || strings.Contains(value, " ") {
		return false
	}
	if isChoiceArgument(e.Path) {
		return false
	}
	last := ""
	if a.Asked != nil {
		last = a.Asked(f.Obs)
	}
	return !violation.Grounded(e.Observed, last) || violation.Grounded(e.Reference, last) || isReplacement(known, e.Reference)
}

// isReplacement reports whether a JSON text has the value in a member such as new_id or
// current_address. The name of such a member says that the value replaces an older one.
func isReplacement(text, value string) bool {
	for _, word := range [...]string{"new", "current", "replacement", "updated", "successor"} {
		for _, piece := range strings.Split(text, `"`+word)[1:] {
			name, rest, _ := strings.Cut(piece, `"`)
			if len(name) < 16 && strings.HasPrefix(strings.TrimLeft(rest, ": "), value) {
				return true
			}
		}
	}
	return false
}
