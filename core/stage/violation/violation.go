// Package violation is stage three: it classifies every violation that stage two found. A
// finding has a type, a pattern if one of seven fits, the parts of the boundary that
// differ, evidence, and a confidence.
package violation

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/kind"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/match"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
	"github.com/boundcheck/boundcheck/core/math/align"
	"github.com/boundcheck/boundcheck/core/stage/equivalence"
	"github.com/boundcheck/boundcheck/core/stage/relation"
	"github.com/boundcheck/boundcheck/core/stage/sentences"
)

// Type is one of the six ways in which an action boundary breaks.
type Type string

// The types.
const (
	OverGranular  Type = "over-granular"
	UnderGranular Type = "under-granular"
	OverAction    Type = "over-action"
	UnderAction   Type = "under-action"
	StartBoundary Type = "start-boundary"
	EndBoundary   Type = "end-boundary"
)

// Part is one part of a boundary B(a) = ⟨pre, eff, scope, gran⟩.
type Part string

// The parts.
const (
	Pre   Part = "pre"
	Eff   Part = "eff"
	Scope Part = "scope"
	Gran  Part = "gran"
)

// Pattern is a common way of breaking a boundary; "" if none fits.
type Pattern string

// The paper's six patterns and MissingConsent, which this project adds. Missing
// confirmation means that the operation was not acknowledged afterwards, as in the paper.
// Missing consent means that the agent did not ask the user to agree before the
// operation.
const (
	MissingVerification      Pattern = "missing-verification"
	MissingConfirmation      Pattern = "missing-confirmation"
	MissingConsent           Pattern = "missing-consent"
	ScopeOvergeneralisation  Pattern = "scope-overgeneralisation"
	PrematureTermination     Pattern = "premature-termination"
	UnnecessaryDecomposition Pattern = "unnecessary-decomposition"
	PreconditionIgnorance    Pattern = "precondition-ignorance"
)

// Evidence is one place where the run and the reference differ, or one relevant text.
type Evidence struct{ Path, Observed, Reference string }

// The rules of findings that come from a checker, of texts that the agent never said, and
// of actions that began too early.
const (
	OutputNotSaid     = "output-not-said"
	StateDiffers      = "state-differs"
	GoalNotReached    = "goal-not-reached"
	UnmetPrecondition = "unmet-precondition"
)

// Finding is one violation. Row is an index into the alignment, Obs and Ref are indices
// of actions; -1 means none.
type Finding struct {
	Type          Type
	Pattern       Pattern
	Rule          string // stable kebab-case id
	Row, Obs, Ref int
	Confidence    float64 // 0 to 1
	Reason        string
	Evidence      []Evidence
	Within        int    // 1 + the observed action that also stands for the missing step, or acts on what an extra action selected; 0 for none
	Rows          []int  // all rows of a finding about several rows, in order; nil for Row alone
	Differs       []Part // the parts of the boundary that differ
}

// Classify returns the findings in the order of the rows. Findings about the entire run
// come last. rulings must be the result of equivalence.Judge for the same case. If the
// differences in a row only follow from another finding, Classify changes the row's
// ruling to a note. So a row has the verdict violation exactly if a finding is about it.
// O(rows).
func Classify(c *boundary.Case, rulings []equivalence.Ruling) []Finding {
	k := newClassifier(c)
	k.found = make([]Finding, 0, countViolations(rulings))
	grouped := map[*equivalence.Group]bool{}
	for row := range rulings {
		r := &rulings[row]
		if r.Verdict != equivalence.Violation {
			continue
		}
		for ; r != nil; r = r.Also {
			if !grouped[r.Group] {
				k.addRuling(row, r)
			}
			if r.Group != nil {
				grouped[r.Group] = true
			}
		}
	}
	k.dropConsequences(rulings)
	k.joinCollapsed()
	for i := range k.found {
		k.found[i].fillDiffers()
		k.found[i].hideSecrets()
	}
	k.addPartly(rulings)
	k.addForbidden(rulings)
	k.addUnsaid()
	k.found = append(k.found, cutOff(c)...)
	return k.found
}

// countViolations returns the number of rows with a violation, so that many findings are
// not copied while their list grows.
func countViolations(rulings []equivalence.Ruling) (n int) {
	for i := range rulings {
		if rulings[i].Verdict == equivalence.Violation {
			n++
		}
	}
	return n
}

// addRuling adds the finding about a violation, except a late action.
func (k *classifier) addRuling(row int, r *equivalence.Ruling) {
	about := r.About(k.Steps[row])
	f := Finding{Row: row, Obs: about.Obs, Ref: about.Ref, Reason: r.Reason}
	switch r.Kind {
	case equivalence.Extra:
		k.fillExtra(&f)
		k.blameSelection(&f)
		if r.Hint {
			f.Confidence, f.Reason = UnsureValue, r.Reason
		}
	case equivalence.Missing:
		if said := k.triedReason(&k.Ref[f.Ref]); said != "" && !r.Undone {
			r.Reason = said
		}
		k.fillMissing(&f)
		if r.Undone {
			f.Reason = r.Reason
		}
	case equivalence.Wrong:
		k.fillWrong(&f, r)
	case equivalence.State:
		f.Type, f.Rule, f.Confidence = EndBoundary, StateDiffers, 0.95
	case equivalence.Late:
		k.fillLate(&f)
	case equivalence.Granular:
		k.fillGranular(&f, r.Group)
	case equivalence.Uneven:
		k.fillUneven(&f, r)
	case equivalence.Unmet:
		k.fillUnmet(&f)
	}
	k.found = append(k.found, f)
}

// dropConsequences removes findings about wrong arguments that repeat another finding.
// All of these arguments must be guesses that a finding about collapsed steps already
// reports.
func (k *classifier) dropConsequences(rulings []equivalence.Ruling) {
	guessed := map[string]bool{} // action and path
	for i := range k.found {
		if f := &k.found[i]; f.Rule == "collapsed-steps" {
			for _, e := range f.Evidence {
				guessed[fmt.Sprint(f.Within-1, " ", e.Path)] = true
			}
		}
	}
	if len(guessed) == 0 {
		return
	}
	k.found = slices.DeleteFunc(k.found, func(f Finding) bool {
		if f.Rule != "wrong-arguments" || f.Type != EndBoundary || slices.ContainsFunc(f.Evidence, func(e Evidence) bool { return !guessed[fmt.Sprint(f.Obs, " ", e.Path)] }) {
			return false
		}
		rulings[f.Row].Verdict = equivalence.Note
		rulings[f.Row].Reason += sentences.Guesses.With()
		return true
	})
}

type classifier struct {
	*boundary.Case
	found []Finding

	related    *relation.Run  // see relations
	done       map[string]int // key → first action that did it
	tried      map[string]int // key → last action that failed at it
	rowOfObs   []int
	rowOfRef   []int
	firstWrite int   // see wroteBefore
	knowsWrite bool  // firstWrite is set
	follows    *bool // see followsSoFar
	nextWrite  []int // row → reference step of the first match with an effect in this row or below, -1 if there is none
	nextMatch  []int
}

func newClassifier(c *boundary.Case) *classifier {
	k := &classifier{Case: c, done: make(map[string]int, len(c.Obs)), tried: map[string]int{}, rowOfObs: make([]int, len(c.Obs)), rowOfRef: make([]int, len(c.Ref)),
		nextWrite: make([]int, len(c.Steps)+1), nextMatch: make([]int, len(c.Steps)+1)}
	for i := range c.Obs {
		k.rowOfObs[i] = -1
		if a := &c.Obs[i]; a.Failed {
			k.tried[a.Key] = i
		} else if _, again := k.done[a.Key]; !again {
			k.done[a.Key] = i
		}
	}
	k.nextWrite[len(c.Steps)], k.nextMatch[len(c.Steps)] = -1, -1
	for row := len(c.Steps) - 1; row >= 0; row-- {
		k.placeRow(row)
	}
	return k
}

// placeRow records one row in the classifier's tables. The rows must be given from the
// last to the first.
func (k *classifier) placeRow(row int) {
	s := k.Steps[row]
	if s.Obs >= 0 {
		k.rowOfObs[s.Obs] = row
	}
	if s.Ref >= 0 {
		k.rowOfRef[s.Ref] = row
	}
	k.nextWrite[row], k.nextMatch[row] = k.nextWrite[row+1], k.nextMatch[row+1]
	if s.Op == align.Match || s.Op == align.Substitution && k.Obs[s.Obs].Writes() { // done, perhaps with different arguments
		k.nextMatch[row] = s.Ref
		if k.Ref[s.Ref].Writes() {
			k.nextWrite[row] = s.Ref
		}
	}
}

// writeConfidence returns the confidence of a finding about a write. It is lower if it is
// not certain that the action writes.
func writeConfidence(a *boundary.Action) float64 {
	if a.Mutation.Mutating == mutation.Yes {
		return 0.95
	}
	return 0.75
}

func (k *classifier) fillExtra(f *Finding) {
	a := &k.Obs[f.Obs]
	f.Type, f.Rule, f.Confidence = OverAction, "extra-action", writeConfidence(a)
	if a.Mutation.Mutating == mutation.Unknown && (a.AsksAddress() || a.Deed().Class == "compute" || saysLook(a)) || a.OnlyLooks() {
		f.Confidence = UnsureValue
	}
	switch {
	case isQuantified(a):
		f.Pattern = ScopeOvergeneralisation
	case k.afterError(f.Obs):
		f.Pattern = PreconditionIgnorance
	case k.repeatsEarlier(f.Obs):
		f.Pattern = UnnecessaryDecomposition
		f.Reason = sentences.DoneAgain.With(a.Name)
	}
}

// saysLook reports whether a name says that an action looks, as get_lease does, although another of its words or an
// argument may be a deed. A name of one word, select, looks into a table.
func saysLook(a *boundary.Action) bool {
	d, words := a.Deed(), a.Words()
	if len(words) == 1 {
		return d.Verb == "select" && looksIntoTable(a)
	}
	return (d.Class == "read" || d.Verb == "check") && len(words) > 1 && words[0] == d.Verb
}

func looksIntoTable(a *boundary.Action) bool {
	return hasArgument(a, "table") || hasArgument(a, "columns") || hasArgument(a, "where")
}

// afterError reports whether the action directly before action obs failed, and has an
// entity in common with it.
func (k *classifier) afterError(obs int) bool {
	if obs == 0 || !k.Obs[obs-1].Failed {
		return false
	}
	before := k.Obs[obs-1].Scope()
	for _, entity := range k.Obs[obs].Scope() {
		for _, b := range before {
			if entity == b {
				return true
			}
		}
	}
	return false
}

// repeatsEarlier reports whether an earlier action had the same name and arguments.
func (k *classifier) repeatsEarlier(obs int) bool {
	first, ok := k.done[k.Obs[obs].Key]
	return ok && first < obs && !k.Obs[obs].Unrecorded
}

func (k *classifier) fillMissing(f *Finding) {
	r := &k.Ref[f.Ref]
	f.Type, f.Rule, f.Confidence = UnderAction, "missing-step", 0.9
	if said := k.triedReason(r); said != "" {
		f.Reason = said
	}
	guard := k.nextDone(f.Ref)
	isTold := guard < 0 && k.wroteBefore(f.Ref) && k.relations().IsToldAsEnd(r)
	switch {
	case isTold:
		f.Type, f.Pattern = EndBoundary, PrematureTermination
		f.Reason = sentences.NotClosed.With(r.Name)
		return
	case isAcknowledgment(r.Name) && k.wroteBefore(f.Ref), guard < 0 && isConsentRequest(r.Name) && k.wroteBefore(f.Ref):
		f.Pattern = MissingConfirmation
		f.Reason = sentences.NotConfirmed.With(r.Name)
		if guard < 0 && k.stopsShort(f.Ref) {
			f.Type = EndBoundary
		}
		return
	case k.closesWork(f.Ref):
		f.Type, f.Pattern = EndBoundary, PrematureTermination
		f.Reason = sentences.NotFinished.With(r.Name)
		return
	case guard < 0 && k.stopsShort(f.Ref):
		f.Type, f.Pattern = EndBoundary, PrematureTermination
		f.Reason = sentences.NotClosed.With(r.Name)
		return
	case guard < 0 && r.Writes() && !isCheckName(r.Name):
		f.Pattern = PrematureTermination
	case guard < 0:
		f.Type, f.Pattern = EndBoundary, PrematureTermination
		f.Reason = sentences.NotClosed.With(r.Name)
	case isConsentRequest(r.Name):
		f.Pattern = MissingConsent
	case k.compound(f.Ref, guard) >= 0:
		guard = k.compound(f.Ref, guard)
		f.Type, f.Rule, f.Confidence = UnderGranular, "collapsed-steps", 0.8
		f.Reason = sentences.NotPrepared.With(relation.CallName(&k.Ref[guard], r), relation.CallName(r, &k.Ref[guard]))
		f.Within = 1 + k.Steps[k.rowOfRef[guard]].Obs
		return
	case !r.Writes() || isCheckName(r.Name):
		f.Pattern = MissingVerification
	}
	if guard < 0 {
		return
	}
	if f.Pattern != "" {
		f.Reason = sentences.NotBefore.With(relation.CallName(&k.Ref[guard], r), relation.CallName(r, &k.Ref[guard]))
	}
	if f.Pattern != "" || findsOut(r) {
		k.subsumeStep(f, guard)
	}
}

// compound returns the step that carries out what a missing step prepares, and that was done: the next one that changes
// something, or one of the MostNear behind it that names the same thing. It returns -1 if there is none.
func (k *classifier) compound(ref, next int) int {
	r := &k.Ref[ref]
	for at := next; at < min(len(k.Ref), next+relation.MostNear); at++ {
		step := &k.Ref[at]
		if equivalence.Constituent(r, step) && (at == next || k.Steps[k.rowOfRef[at]].Obs >= 0 && relation.HaveCommonEntity(r.Scope(), step.Scope())) {
			return at
		}
	}
	return -1
}

// triedReason says that a step was tried. It returns "" if it was not.
func (k *classifier) triedReason(r *boundary.Action) string {
	i, ok := k.tried[r.Key]
	if !ok {
		return k.triedOtherwise(r)
	}
	why, all := k.refusal(i), k.attempts(r)
	switch {
	case k.Obs[i].Proposed:
		return sentences.TriedProposed.With(r.Name, strconv.Itoa(i+1))
	case why == "":
		return sentences.Tried.With(r.Name, strconv.Itoa(i+1))
	case len(all) > 1:
		return sentences.TriedSame.With(r.Name, strings.Join(all, ", "), why)
	}
	return sentences.TriedWhy.With(r.Name, strconv.Itoa(i+1), why)
}

// attempts returns the numbers of the failed calls of a step with its arguments.
func (k *classifier) attempts(r *boundary.Action) (all []string) {
	for i := range k.Obs {
		if a := &k.Obs[i]; a.Key == r.Key && a.Failed && !a.Proposed {
			all = append(all, strconv.Itoa(i+1))
		}
	}
	return all
}

// triedOtherwise names the failed actions with the name of a step that nothing did, and
// the error of the last one. It returns "" if there are none, or if the trace has no results.
func (k *classifier) triedOtherwise(r *boundary.Action) string {
	why, at := "", []string(nil)
	for i := range k.Obs {
		if a := &k.Obs[i]; a.Name == r.Name && a.Failed && !a.Proposed && !a.ByUser && a.Text == "" {
			at, why = append(at, strconv.Itoa(i+1)), k.refusal(i)
		}
	}
	switch {
	case len(at) == 0 || why == "" || !r.Writes():
		return ""
	case len(at) == 1:
		return sentences.TriedOnce.With(r.Name, at[0], why)
	}
	return sentences.TriedOften.With(r.Name, strings.Join(at, ", "), why)
}

// refusal returns the beginning of the result of an action, or "" if it is not known.
func (k *classifier) refusal(i int) string {
	if k.Refusal == nil {
		return ""
	}
	return shortenValue(strings.Join(strings.Fields(k.Refusal(i)), " "))
}

// wroteBefore reports whether the run did an earlier reference step that has an effect.
// Checks and requests for consent do not count.
func (k *classifier) wroteBefore(ref int) bool {
	if !k.knowsWrite {
		k.knowsWrite, k.firstWrite = true, -1
		for r := range k.Ref {
			if k.Ref[r].Writes() && k.Steps[k.rowOfRef[r]].Obs >= 0 && !isCheckName(k.Ref[r].Name) && !isConsentRequest(k.Ref[r].Name) {
				k.firstWrite = r
				break
			}
		}
	}
	return k.firstWrite >= 0 && k.firstWrite < ref
}

// nextDone returns the index of the first later reference step that the run did and that
// has an effect. If no later step has an effect, it returns the first later step that the
// run did, or -1.
func (k *classifier) nextDone(ref int) int {
	below := k.rowOfRef[ref] + 1
	if w := k.nextWrite[below]; w >= 0 {
		return w
	}
	return k.nextMatch[below]
}

// subsumeStep changes a finding about a missing step to under-granularity, if the agent
// guessed the value that the missing step produces. guard is the index of the later step
// that needs the value.
func (k *classifier) subsumeStep(f *Finding, guard int) {
	if guard == f.Ref {
		return
	}
	obs := k.Steps[k.rowOfRef[guard]].Obs
	if obs < 0 {
		return
	}
	for _, l := range k.guessedValues(obs, guard, f.Ref) {
		f.Type, f.Rule, f.Confidence = UnderGranular, "collapsed-steps", 0.8
		f.Reason = sentences.Guessed.With(relation.CallName(&k.Ref[guard], &k.Ref[f.Ref]), relation.CallName(&k.Ref[f.Ref], &k.Ref[guard]), l.Path)
		f.Evidence, f.Within = append(f.Evidence, Evidence{Path: l.Path, Observed: l.Raw}), 1+obs
	}
}

// Grounded reports whether a value occurs in the given text, which is everything that the
// agent had seen. The value is JSON text or canonical text.
func Grounded(value, known string) bool {
	bare := similarity.Plain(similarity.ShowValue(value))
	return bare == "" || strings.Contains(known, bare)
}

func showAll(values []string) string {
	shown := make([]string, len(values))
	for i, v := range values {
		shown[i] = similarity.ShowValue(v)
	}
	return strings.Join(shown, ", ")
}

// fillUneven fills in a finding about one action with a list of entities. The other side,
// which is the run or the reference, has separate actions for only some of these
// entities.
func (k *classifier) fillUneven(f *Finding, r *equivalence.Ruling) {
	f.Rule = "wrong-arguments"
	if f.Obs >= 0 {
		f.Type, f.Pattern, f.Confidence = OverAction, ScopeOvergeneralisation, writeConfidence(&k.Obs[f.Obs])
		f.Reason = scopeReason(k.Obs[f.Obs].Name, r.Beyond, nil)
		return
	}
	f.Type, f.Confidence = UnderAction, writeConfidence(&k.Ref[f.Ref])
	f.Reason = sentences.DoneInPart.With(k.Ref[f.Ref].Name, showAll(r.Beyond))
}

// fillLate fills in a finding about an action that came before a step on which it depends.
func (k *classifier) fillLate(f *Finding) {
	f.Type, f.Rule, f.Confidence = StartBoundary, "out-of-order", 0.85
	needed, a := &k.Ref[f.Ref], &k.Obs[f.Obs]
	f.Pattern = PreconditionIgnorance
	if a.Writes() && (!needed.Mutation.Counts() || isCheckName(needed.Name)) { // a check that came too late
		f.Pattern = MissingVerification
	}
}

// UnsureValue is the confidence of a finding about values of which only a judge can say
// whether they are the same.
const UnsureValue = 0.5

// LikelyValue is the largest confidence of a finding about values that probably differ,
// although no table of a kind says so, such as other words in a free text.
const LikelyValue = 0.85

// fillWrong fills in a finding about different arguments:
//
//   - It is an over-action if the action has other or more entities than the reference step, or does a deed more.
//   - It is an under-action if the action has fewer entities, or leaves a deed out.
//   - If the entities are the same, the different values usually lead to a different state.
//
// Arguments with the same value in another notation do not count.
func (k *classifier) fillWrong(f *Finding, r *equivalence.Ruling) {
	obs, ref := &k.Obs[f.Obs], &k.Ref[f.Ref]
	f.Rule, f.Confidence = "wrong-arguments", writeConfidence(ref)
	f.Evidence = differenceEvidence(r)
	switch {
	case !ref.Writes() && !obs.Writes():
		f.Type, f.Pattern = UnderAction, MissingVerification
		f.Reason = sentences.ReadDiffers.With(ref.Name, describeDifference(&r.Diff))
	case obs.Text != "" || ref.Text != "":
		f.Type = OverAction
		f.Reason = sentences.TextDiffers.With(strconv.Quote(obs.Text), strconv.Quote(ref.Text))
	case !fillDeeds(f, obs, r):
		fillScope(f, obs, ref, r)
	}
	switch r.Certain {
	case kind.Unsure:
		f.Confidence = min(f.Confidence, UnsureValue)
		f.Reason += sentences.Unsure.With()
	case kind.Likely:
		if saysAll(obs) == saysAll(ref) && isQuantified(obs) == isQuantified(ref) {
			f.Confidence = min(f.Confidence, LikelyValue)
		}
	}
}

// fillScope fills in a finding about a call whose entities, lists or values differ.
func fillScope(f *Finding, obs, ref *boundary.Action, r *equivalence.Ruling) {
	more, fewer := differingThings(obs, ref, r)
	over := func(reason string) { f.Type, f.Pattern, f.Reason = OverAction, ScopeOvergeneralisation, reason }
	under := func(reason string) { f.Type, f.Reason = UnderAction, reason }
	switch back := reversed(&r.Diff); {
	case slices.ContainsFunc(r.Diff.Changed, func(p similarity.Pair) bool { return p.Wanted }):
		f.Type, f.Reason = EndBoundary, sentences.OtherValues.With(obs.Name, describeDifference(&r.Diff))
		if len(more) > 0 {
			f.Type = OverAction
		}
	case isWiderPattern(&r.Diff):
		over(sentences.WiderPattern.With(obs.Name, r.Diff.Changed[0].Observed, r.Diff.Changed[0].Reference))
	case isWiderPattern(back):
		under(sentences.NarrowPattern.With(obs.Name, r.Diff.Changed[0].Observed, r.Diff.Changed[0].Reference))
	case pathsContain(more, fewer):
		over(sentences.WholeForPart.With(obs.Name, showAll(more), showAll(fewer)))
	case pathsContain(fewer, more):
		under(sentences.PartForWhole.With(obs.Name, showAll(more), showAll(fewer)))
	case len(more) > 0:
		over(scopeReason(obs.Name, more, fewer))
		if len(fewer) > 0 && !isQuantified(obs) {
			f.Pattern = ""
		}
	case saysAll(obs) && !saysAll(ref):
		over(sentences.ActedOnAll.With(obs.Name))
	case isQuantified(obs) && !isQuantified(ref):
		over(sentences.MoreElements.With(obs.Name, describeDifference(&r.Diff)))
	case isUnfiltered(obs, ref, &r.Diff):
		over(sentences.LimitMissing.With(obs.Name, leavesText(r.Diff.Missing)))
	case len(fewer) > 0 && isOtherFilter(&r.Diff):
		over(sentences.MoreElements.With(obs.Name, describeDifference(&r.Diff)))
	case len(fewer) > 0:
		under(sentences.LeftOut.With(obs.Name, showAll(fewer)))
	case widens(&r.Diff, obs, ref):
		over(sentences.MoreElements.With(obs.Name, describeReach(obs, ref, &r.Diff, sentences.ValueExtra)))
	case widens(back, ref, obs):
		under(sentences.FewerElements.With(obs.Name, describeReach(ref, obs, &r.Diff, sentences.ValueLacks)))
	case areRecipients(r.Diff.Extra) && len(r.Diff.Missing)+len(r.Diff.Changed) == 0:
		over(sentences.MoreElements.With(obs.Name, describeDifference(&r.Diff)))
	case len(r.Diff.Missing) > 0 && len(r.Diff.Extra)+len(r.Diff.Changed) == 0:
		under(sentences.ArgumentsLack.With(obs.Name, describeDifference(&r.Diff)))
	case similarity.AddsAddress(&r.Diff, false):
		over(sentences.MoreElements.With(obs.Name, describeDifference(&r.Diff)))
	case similarity.AddsAddress(&r.Diff, true):
		under(sentences.FewerElements.With(obs.Name, describeDifference(&r.Diff)))
	case amountDiffers(obs, &r.Diff) > 0:
		over(sentences.MoreElements.With(obs.Name, describeDifference(&r.Diff)))
		f.Pattern = ""
	case amountDiffers(obs, &r.Diff) < 0:
		under(sentences.FewerElements.With(obs.Name, describeDifference(&r.Diff)))
	case similarity.AddsElement(&r.Diff, &ref.Call), similarity.ForcesMore(&r.Diff):
		over(sentences.MoreElements.With(obs.Name, describeDifference(&r.Diff)))
	default:
		f.Type = EndBoundary
		f.Reason = sentences.OtherValues.With(obs.Name, describeDifference(&r.Diff))
		if both := withoutMeasures(obs.Scope()); len(both) > 0 && slices.Equal(both, withoutMeasures(ref.Scope())) {
			f.Reason = sentences.OtherState.With(obs.Name, showAll(both), describeDifference(&r.Diff))
		}
	}
}

// differingThings returns the things on which only the action or only the step acts. If one
// value stands in the place of another one, and one of them is a thing, both are.
func differingThings(obs, ref *boundary.Action, r *equivalence.Ruling) (more, fewer []string) {
	more = withoutMeasures(differingEntities(elementsBeyond(obs.Scope(), ref.Scope()), r, true))
	fewer = withoutMeasures(differingEntities(elementsBeyond(ref.Scope(), obs.Scope()), r, false))
	for _, p := range r.Diff.Changed {
		a, b := canonicalText(p.Observed), canonicalText(p.Reference)
		i, k := slices.Index(more, a), slices.Index(fewer, b)
		switch {
		case isWritten(r.Kinds[p.Path]), wordlist.Contains(" base parent upstream ", p.Key): // from where it begins is no thing on which it acts
			more = slices.DeleteFunc(more, func(e string) bool { return e == a })
			fewer = slices.DeleteFunc(fewer, func(e string) bool { return e == b })
		case i >= 0 && k < 0 && isSettled(p.Reference):
			fewer = append(fewer, b)
		case i < 0 && k >= 0 && isSettled(p.Observed):
			more = append(more, a)
		case i >= 0 && k < 0 && kind.IsMeasure(p.Reference):
			more = slices.Delete(more, i, i+1)
		case i < 0 && k >= 0 && kind.IsMeasure(p.Observed):
			fewer = slices.Delete(fewer, k, k+1)
		case i < 0 && k < 0 && (isMember(obs, ref, p.Path) || isGroupedCode(p.Observed) && isGroupedCode(p.Reference)):
			more, fewer = append(more, a), append(fewer, b)
		}
	}
	return more, fewer
}

// isMember reports whether a path is that of an element of a set, each of which is a thing.
func isMember(obs, ref *boundary.Action, path string) bool {
	list, index, ok := strings.Cut(path, "[")
	return ok && strings.IndexByte(index, ']') == len(index)-1 && similarity.IsSet(&obs.Call, &ref.Call, list)
}

// isGroupedCode reports whether a value is a code of capital letters and digits in groups, such as AT 0417 3392.
func isGroupedCode(raw string) bool {
	text := similarity.Plain(raw)
	return len(text) > 6 && strings.Contains(text, " ") && !kind.IsMeasure(raw) && strings.ContainsAny(text, "0123456789") &&
		!strings.ContainsFunc(text, func(r rune) bool { return r != ' ' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') }) &&
		strings.ContainsFunc(text, func(r rune) bool { return r >= 'A' })
}

// isWritten reports whether values of a kind are written or run: they are no things that an
// action acts on, although they may look like names.
func isWritten(n kind.Name) bool {
	switch n {
	case kind.Message, kind.Content, kind.Notation, kind.JSON, kind.XML, kind.Query, kind.Command, kind.Formula:
		return true
	}
	return false
}

// isSettled reports whether a value can name a thing: it is a text of one word, and no measure.
func isSettled(raw string) bool {
	return strings.HasPrefix(raw, `"`) && len(raw) > 2 && !strings.ContainsAny(raw, " \t") && !kind.IsMeasure(raw)
}

// canonicalText returns a value as the scope of an action has it.
func canonicalText(raw string) string {
	v, err := jsonval.Parse(raw)
	if err != nil {
		return raw
	}
	return similarity.NormalText(v)
}

// withoutMeasures returns the entities that are no dates, times, amounts, sizes or formulas: an
// action acts on a thing, and not on its date.
func withoutMeasures(entities []string) []string {
	if !slices.ContainsFunc(entities, kind.IsMeasure) {
		return entities
	}
	return slices.DeleteFunc(slices.Clone(entities), kind.IsMeasure)
}

// differingEntities returns the entities that are among the differences. The others are the same in
// another notation. observed says whether they are those of the action or of the step. O(entities + differences).
func differingEntities(entities []string, r *equivalence.Ruling, observed bool) []string {
	leaves := r.Diff.Missing
	if observed {
		leaves = r.Diff.Extra
	}
	differ := make(map[string]bool, len(leaves)+2*len(r.Diff.Changed))
	for i := range leaves {
		differ[leaves[i].Value] = true
	}
	for _, p := range r.Diff.Changed {
		raw := p.Reference
		if observed {
			raw = p.Observed
		}
		differ[raw], differ[canonicalText(raw)] = true, true
	}
	return slices.DeleteFunc(entities, func(e string) bool { return !differ[e] })
}

// describeReach says which elements the lists of wide have beyond those of narrow, each with
// the given sentence. It lists all differences if no list of single values differs.
func describeReach(wide, narrow *boundary.Action, d *similarity.Difference, sentence sentences.Sentence) string {
	if len(d.Changed) == 0 {
		return describeDifference(d)
	}
	var out []string
	left := slices.Clone(narrow.Leaves)
	for _, l := range wide.Leaves {
		list, _, isList := strings.Cut(l.Path, "[")
		i := slices.IndexFunc(left, func(x similarity.Leaf) bool { return strings.HasPrefix(x.Path, list+"[") && x.Value == l.Value })
		switch {
		case !isList:
		case !strings.HasSuffix(l.Path, "]"):
			return describeDifference(d)
		case i < 0:
			out = append(out, sentence.With(l.Path, shortenValue(l.Raw)))
		default:
			left = slices.Delete(left, i, i+1)
		}
	}
	if n := len(out) - mostDescribed; n > 0 {
		return sentences.MoreDifferences.With(strings.Join(out[:mostDescribed], ", "), strconv.Itoa(n))
	}
	if len(out) == 0 {
		return describeDifference(d)
	}
	return strings.Join(out, ", ")
}

// mostDescribed is the largest number of differences that a sentence lists.
const mostDescribed = 4

// describeDifference lists the differences between two calls.
func describeDifference(d *similarity.Difference) string {
	var out []string
	for _, p := range d.Changed {
		if p.Wanted {
			out = append(out, sentences.ValueWanted.With(p.Path, shortenValue(p.Observed), p.Reference))
			continue
		}
		out = append(out, sentences.ValueInstead.With(p.Path, shortenValue(p.Observed), shortenValue(p.Reference)))
	}
	for _, l := range d.Missing {
		if _, err := jsonval.Parse(l.Raw); err != nil { // a matcher in words
			out = append(out, sentences.ValueAbsent.With(l.Path, l.Raw))
			continue
		}
		out = append(out, sentences.ValueLacks.With(l.Path, shortenValue(l.Raw)))
	}
	for _, l := range d.Extra {
		out = append(out, sentences.ValueExtra.With(l.Path, shortenValue(l.Raw)))
	}
	if n := len(out) - mostDescribed; n > 0 {
		return sentences.MoreDifferences.With(strings.Join(out[:mostDescribed], ", "), strconv.Itoa(n))
	}
	return strings.Join(out, ", ")
}

// shortenValue returns a value of at most 60 bytes, and its beginning if it is longer.
func shortenValue(raw string) string {
	if len(raw) <= 60 {
		return raw
	}
	end := 56
	for end > 0 && !utf8.RuneStart(raw[end]) {
		end--
	}
	return raw[:end] + " …"
}

func differenceEvidence(r *equivalence.Ruling) []Evidence {
	var out []Evidence
	for _, p := range r.Diff.Changed {
		out = append(out, Evidence{p.Path, p.Observed, p.Reference})
	}
	for _, l := range r.Diff.Missing {
		out = append(out, Evidence{Path: l.Path, Reference: l.Raw})
	}
	for _, l := range r.Diff.Extra {
		out = append(out, Evidence{Path: l.Path, Observed: l.Raw})
	}
	return out
}

// scopeReason says on which entities an action acted beyond the reference, and which others
// the reference has.
func scopeReason(action string, more, fewer []string) string {
	if len(fewer) > 0 {
		return sentences.ActedInstead.With(action, showAll(more), showAll(fewer))
	}
	return sentences.ActedBeyond.With(action, showAll(more))
}

// elementsBeyond returns the elements of a that are not in b, in the order of a.
func elementsBeyond(a, b []string) []string {
	has := map[string]bool{}
	for _, s := range b {
		has[s] = true
	}
	var out []string
	for _, s := range a {
		if !has[s] {
			out = append(out, s)
		}
	}
	return out
}

// addPartly adds a hint for each action that a row takes as done although its result says that
// only a part was done, or a finding if the result names what was left and nothing does it later. Its law: no figure counts such an action as correct.
func (k *classifier) addPartly(rulings []equivalence.Ruling) {
	for i := range k.Obs {
		a, row := &k.Obs[i], k.rowOfObs[i]
		if !a.Partly || a.Failed || a.ByUser || row < 0 || rulings[row].Verdict == equivalence.Violation || relation.CompletedBy(k.Case, i) >= 0 {
			continue
		}
		f := Finding{Type: UnderAction, Rule: "partly-done", Row: row, Obs: i, Ref: k.Steps[row].Ref,
			Confidence: AtMostHint, Reason: sentences.PartlyDone.With(a.Name), Differs: []Part{Scope}}
		if relation.LeavesListed(k.Case, i) {
			f.Confidence = min(LikelyValue, writeConfidence(a))
		}
		rulings[row].Verdict, rulings[row].Stage, rulings[row].Reason = equivalence.Violation, "", f.Reason
		k.found = append(k.found, f)
	}
}

// addForbidden adds findings about actions that the reference forbids. If an action
// already has a finding, that finding gets both reasons, so that the action stays one
// violation. The row of the action becomes a violation.
func (k *classifier) addForbidden(rulings []equivalence.Ruling) {
	if len(k.Never)+len(k.Forbidden) == 0 {
		return
	}
	never := newForbidden(k.Never)
	about := map[int]int{} // observed action → its finding
	for i := range k.found {
		if f := &k.found[i]; f.Obs >= 0 && f.Rows == nil {
			about[f.Obs] = i
		}
	}
	for i := range k.Obs {
		a := &k.Obs[i]
		reason := k.Forbidden[i]
		ruledOut := reason != ""
		if a.Failed || a.ByUser {
			continue
		}
		if never.isForbidden(a) {
			ruledOut = false
			reason = sentences.Forbidden.With(a.Name)
		}
		if reason == "" {
			continue
		}
		if row := k.rowOfObs[i]; row >= 0 {
			if r := &rulings[row]; r.Verdict != equivalence.Violation || r.Kind == equivalence.Extra {
				r.Verdict, r.Stage, r.Reason = equivalence.Violation, "", reason
			}
		}
		if at, known := about[i]; known {
			f := &k.found[at]
			if f.Rule != "extra-action" || !ruledOut { // the reference may have what it rules out
				reason = sentences.BothReasons.With(reason, f.Reason)
			}
			f.Type, f.Rule, f.Confidence, f.Reason = OverAction, "forbidden-action", 0.95, reason
			f.Differs = withPart(f.Differs, Eff)
			continue
		}
		k.found = append(k.found, Finding{Type: OverAction, Rule: "forbidden-action", Row: k.rowOfObs[i], Obs: i, Ref: -1,
			Confidence: 0.95, Reason: reason, Differs: []Part{Eff}})
	}
}

// forbidden finds the forbidden steps that an action may do: those with its name and with
// one of its arguments, and those of its name that have terms or no arguments. A name in
// another spelling is the same name, also that of a read. Its law: what would do a required step
// does the same step if it is forbidden, so a few steps are compared in other notations and names.
type forbidden struct {
	byLeaf, byName map[string][]*boundary.Action
	few            []boundary.Action // all steps, if they are not many
}

// mostForbidden is the largest number of forbidden steps that are compared in other notations.
const mostForbidden = 64

func newForbidden(steps []boundary.Action) forbidden {
	f := forbidden{byLeaf: map[string][]*boundary.Action{}, byName: map[string][]*boundary.Action{}}
	if len(steps) <= mostForbidden {
		f.few = steps
	}
	for i := range steps {
		s := &steps[i]
		if len(s.Leaves) > 0 && s.Terms.Plain() {
			key := leafOf(s, 0)
			f.byLeaf[key] = append(f.byLeaf[key], s)
		} else {
			f.byName[s.NameKey()] = append(f.byName[s.NameKey()], s)
		}
	}
	return f
}

func leafOf(a *boundary.Action, i int) string {
	return a.NameKey() + "\x00" + a.Leaves[i].Path + "\x01" + a.Leaves[i].Value
}

// isForbidden reports whether an action does one of the forbidden steps.
func (f forbidden) isForbidden(a *boundary.Action) bool {
	done := func(s *boundary.Action) bool { return mutation.SameName(a.Name, s.Name) && a.HasArguments(s) }
	if slices.ContainsFunc(f.byName[a.NameKey()], done) {
		return true
	}
	for i := range a.Leaves {
		if slices.ContainsFunc(f.byLeaf[leafOf(a, i)], done) {
			return true
		}
	}
	for i := range f.few {
		if equivalence.Does(a, &f.few[i]) {
			return true
		}
	}
	return false
}

// addUnsaid adds a finding for each text that the agent should have told the user but did
// not. As in the benchmarks, it ignores letter case and the commas in large numbers.
func (k *classifier) addUnsaid() {
	said := saidTexts{texts: k.Said, whole: k.SaysWhole}
	for _, want := range k.Says {
		if !said.contain(want) {
			k.found = append(k.found, Finding{Type: UnderAction, Pattern: PrematureTermination, Rule: OutputNotSaid,
				Row: -1, Obs: -1, Ref: -1, Confidence: 0.9, Reason: sentences.NeverTold.With(strconv.Quote(want)), Differs: []Part{Eff},
				Evidence: []Evidence{{Path: "said", Reference: want}}})
		}
	}
}

// cutOff returns a finding if the run was cut off before it ended by itself.
func cutOff(c *boundary.Case) []Finding {
	if c.Stopped == "" {
		return nil
	}
	return []Finding{{Type: EndBoundary, Pattern: PrematureTermination, Rule: "cut-off", Row: -1, Obs: -1, Ref: -1,
		Confidence: 0.9, Reason: sentences.CutOff.With(c.Stopped), Differs: []Part{Eff}}}
}

// saidTexts are texts in which the method contain searches.
type saidTexts struct {
	texts []string
	plain []string // the same texts after plainText; nil until they are needed
	whole bool     // a number is no part of a longer one
}

func (s *saidTexts) contain(want string) bool {
	want = plainText(want)
	found := func(t string) bool { return strings.Contains(t, want) }
	if s.whole {
		found = func(t string) bool { return match.ContainsNumber(t, want) }
	}
	if slices.ContainsFunc(s.texts, found) { // unchanged first: this makes no copy
		return true
	}
	if s.plain == nil {
		for _, t := range s.texts {
			s.plain = append(s.plain, plainText(t))
		}
	}
	return slices.ContainsFunc(s.plain, found)
}

func plainText(s string) string { return strings.ReplaceAll(wordlist.Lower(s), ",", "") }
