// Package story tells what went wrong in a run, in a few sentences: what the agent did,
// what it should have done, and why that is known. Every program that shows a report uses
// these sentences.
//
// The law of a story: it says only what was compared. Every value, error and sentence in
// it stands in the run or in the reference, word for word and whole. A value that is too
// long for a sentence is named by its length, and of two that differ the place is shown. Secrets are hidden.
package story

import (
	"cmp"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/secrets"
	"github.com/boundcheck/boundcheck/core/stage/violation"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// Kind says what a story is about.
type Kind string

// The kinds.
const (
	Differs Kind = "differs" // the right call with other arguments
	Extra   Kind = "extra"   // a call that the reference does not have
	Instead Kind = "instead" // such a call, in place of a missing one for the same thing
	Missing Kind = "missing" // calls of the reference that were not done
	Unsaid  Kind = "unsaid"  // texts that the user was never told
	// Suspected is what may have gone wrong in a run that failed, where no finding says why.
	Suspected Kind = "suspected"
	Found     Kind = "found" // anything else: the text is the reason of the finding
)

// Story is one cause with everything that follows from it.
type Story struct {
	Kind       Kind
	Fact       string   // of a suspected story: what the first sentence states; "" for any other
	Text       []string // sentences: did, should have, because
	Did        []Call   // in the order of the run
	Should     []Call   // in the order of the reference
	Differs    []Difference
	Instead    []Event // what came in place of missing calls
	Because    *Quote  // the sentence that the run goes against; nil if none was found
	Findings   []int   // indices of the findings with this cause
	Confidence float64 // of the most certain finding, 0 to 1

	class, row int      // the order of stories: changes first, then by row
	wanted     []string // the values by which a sentence of the user is found; see addReason
	mayReason  bool     // the user may have said why
}

// Call is one action of the run or one step of the reference, with the thing that it acts
// on.
type Call struct {
	Index  int
	Name   string // of a free-text action, its text
	Object []Value
}

// Value is one argument as JSON text, exactly as it is written.
type Value struct{ Path, Value string }

// Difference is one argument with its values on both sides as JSON text; "" where a side
// does not have it.
type Difference struct{ Path, Observed, Reference string }

// Event is what came instead of missing calls. Action is the index of the observed
// action, or -1.
type Event struct {
	Kind    EventKind
	Action  int
	Text    string       // the error of a refused call, whole; "" for none. Of no-change, of the last change that was tried
	Differs []Difference // the arguments in which a try differs from the missing call
}

// EventKind says what came instead of a missing call.
type EventKind string

// The kinds of events.
const (
	HandedOver EventKind = "handed-over" // the run ends with a transfer to a person
	Refused    EventKind = "refused"     // the missing call was tried and failed
	Proposed   EventKind = "proposed"    // the missing call was proposed and not executed
	Nothing    EventKind = "no-change"   // the agent changed nothing at all
)

// Quote is a sentence of the conversation.
type Quote struct {
	By      string // user, policy or data
	Message int    // index into the run's messages; -1 for instructions outside of them
	Text    string
}

// Run is everything that a story is told from.
type Run struct {
	*boundary.Case
	Findings   []violation.Finding
	Messages   []trajectory.Message
	Actions    []trajectory.Action // the observed actions with their results
	Referenced bool
	Failed     bool                   // the record says that the run failed
	Submission string                 // what it submitted, such as a diff; "" for nothing
	Empty      bool                   // the source says that nothing was submitted
	Checks     []trajectory.Assertion // the benchmark's own checks with their results, as the source lists them

	RightAnswer string // as the source has it; "" if it does not say
}

// most is the largest number of stories of one run.
const most = 3

// mostTold is the largest number of stories of one kind and class that are tried, and of
// steps and arguments that are looked at for one. Of the stories, only most are kept.
const mostTold = 32

// Tell returns the stories of a run, the most decisive first: wrong changes before missing
// changes before everything else, then in the order of the alignment. Findings with one
// cause are one story. For a run without a reference, it is the first finding. A run that failed
// without a reference, or without a finding that is more than a hint, has a story of what may have
// gone wrong.
// O(findings · arguments + texts).
func Tell(r *Run) []Story {
	all := tellAll(r)
	for i := range all {
		for k := range all[i].Text {
			all[i].Text[k] = secrets.HideKeys(all[i].Text[k])
		}
		if q := all[i].Because; q != nil {
			q.Text = secrets.HideKeys(q.Text)
		}
	}
	return all
}

func tellAll(r *Run) []Story {
	t := teller{Run: r}
	if r.Failed && !slices.ContainsFunc(r.Findings, func(f violation.Finding) bool { return f.Confidence >= violation.HintBelow }) {
		if t.tellSuspected(); len(t.stories) > 0 {
			return t.stories
		}
	}
	if len(r.Findings) == 0 {
		return nil
	}
	if !r.Referenced {
		if t.tellFirst(); r.Failed { // the finding need not be the cause
			t.tellSuspected()
		}
		return t.stories
	}
	t.sortFindings()
	t.tellExtras()
	t.tellMissing()
	t.tellUnsaid()
	t.tellOthers()
	slices.SortStableFunc(t.stories, func(a, b Story) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.row, b.row))
	})
	kept := t.keepMost()
	for i := range kept {
		if kept[i].mayReason {
			t.addReason(&kept[i], kept[i].wanted)
		}
	}
	if line := t.handOverText(); line != "" && r.Failed && len(kept) > 0 {
		kept[0].Text = append(kept[0].Text, line)
	}
	return kept
}

// keepMost returns the first stories. The missing changes are always among them.
func (t *teller) keepMost() []Story {
	if len(t.stories) <= most {
		return t.stories
	}
	if last := t.stories[most-1]; last.class == changes {
		if at := slices.IndexFunc(t.stories, func(s Story) bool { return s.class == omissions }); at >= most {
			t.stories[most-1] = t.stories[at]
		}
	}
	return t.stories[:most]
}

// The classes of stories, in their order.
const (
	changes   = iota
	omissions // missing changes
	repeats   // changes that were done again as the reference has them
	unsaid
	whole // of the entire run
	reads
)

type teller struct {
	*Run
	stories    []Story
	missed     map[string]int                        // by key: how often the reference has a call more than the agent made it
	objects    map[*boundary.Action]*similarity.Leaf // see object
	carriedOut map[string]objectSet                  // by the name of the tool; see isFurtherTry
	lower      []string                              // by message; see lowerText

	did, shown spelled // see isHad

	extras, missing, unsaid, others []int // findings by what is told about them
}

// sortFindings tells the stories of single pairs, and sorts the other findings by what is
// told about them.
func (t *teller) sortFindings() {
	told := map[bool]int{} // of actions that change something, and of others
	for i := range t.Findings {
		switch f := &t.Findings[i]; {
		case f.Rule == violation.OutputNotSaid:
			t.unsaid = append(t.unsaid, i)
		case f.Rows != nil:
			t.others = append(t.others, i)
		case f.Rule == "wrong-arguments" && f.Obs >= 0 && f.Ref >= 0:
			writes := t.Obs[f.Obs].Writes() || t.Ref[f.Ref].Writes()
			if told[writes]++; told[writes] <= mostTold {
				t.tellDifference(i)
			} else {
				t.Bounds.Stories++
			}
		case (f.Rule == "extra-action" || f.Rule == "forbidden-action") && f.Obs >= 0 && f.Ref < 0 && f.Within == 0:
			t.extras = append(t.extras, i)
		case (f.Rule == "missing-step" || f.Rule == "collapsed-steps") && f.Obs < 0 && f.Ref >= 0 && !t.isDone(&t.Ref[f.Ref]):
			t.missing = append(t.missing, i)
		default:
			t.others = append(t.others, i)
		}
	}
}

// isDone reports whether the agent made a call as often as the reference, or the user one of his. A missing step
// for which this is so was compared with another action.
func (t *teller) isDone(step *boundary.Action) bool {
	if t.missed == nil {
		t.missed = make(map[string]int, len(t.Ref)+len(t.Obs))
		byUser := make(map[string]bool, len(t.Ref))
		for i := range t.Ref {
			t.missed[t.Ref[i].Key]++
			byUser[t.Ref[i].Key] = t.Ref[i].ByUser
		}
		for i := range t.Obs {
			if a := &t.Obs[i]; !a.Failed && (!a.ByUser || byUser[a.Key]) {
				t.missed[a.Key]--
			}
		}
	}
	return t.missed[step.Key] <= 0
}

// newStory returns a story about findings. Its place among the stories is that of its
// first finding.
func (t *teller) newStory(kind Kind, changed bool, findings ...int) Story {
	s := Story{Kind: kind, Findings: findings, class: reads}
	if changed {
		s.class = changes
	}
	for n, i := range findings {
		f := &t.Findings[i]
		s.Confidence = max(s.Confidence, f.Confidence)
		if n == 0 || f.Row >= 0 && f.Row < s.row {
			s.row = f.Row
		}
	}
	return s
}

func (t *teller) tellDifference(i int) {
	f := &t.Findings[i]
	obs, ref := &t.Obs[f.Obs], &t.Ref[f.Ref]
	s := t.newStory(Differs, obs.Writes() || ref.Writes(), i)
	if s.Differs = differencesOf(obs, ref); s.Differs == nil {
		t.others = append(t.others, i)
		return
	}
	s.Did, s.Should = []Call{t.observedCall(f.Obs)}, []Call{t.referenceCall(f.Ref)}
	s.Text = t.differsText(&s)
	var wanted []string
	for _, d := range s.Differs {
		wanted = append(wanted, scalarsIn(d.Reference)...)
	}
	s.wanted, s.mayReason = wanted, true
	t.stories = append(t.stories, s)
}

// tellExtras tells the actions that the reference does not have. Actions with the same
// name or for the same thing are one story. A missing step for the same thing belongs to
// it.
func (t *teller) tellExtras() {
	if len(t.extras) > mostTold { // changes are told first
		slices.SortStableFunc(t.extras, func(a, b int) int {
			return cmp.Compare(readsOnly(t.extraAction(a)), readsOnly(t.extraAction(b)))
		})
	}
	for told := 0; len(t.extras) > 0 && told < mostTold; told++ {
		var group, rest []int
		names, objects := map[string]bool{}, objectSet{}
		for n, i := range t.extras {
			if a := t.extraAction(i); n == 0 || names[a.Name] || objects.has(t.knownObject(a)) {
				group = append(group, i)
				names[a.Name] = true
				objects.add(t.knownObject(a))
			} else {
				rest = append(rest, i)
			}
		}
		t.extras = rest
		t.tellExtra(group)
	}
	t.Bounds.Stories += len(t.extras)
}

// readsOnly returns 1 for an action that changes nothing, and else 0.
func readsOnly(a *boundary.Action) int {
	if a.Writes() {
		return 0
	}
	return 1
}

func (t *teller) extraAction(finding int) *boundary.Action { return &t.Obs[t.Findings[finding].Obs] }

// objectSet is a set of things. A short value under another name is another thing: order 7
// is not item 7.
type objectSet map[similarity.Leaf]bool

func (o objectSet) add(object *similarity.Leaf) {
	if object != nil {
		o[thingOf(object)] = true
	}
}

func (o objectSet) has(object *similarity.Leaf) bool { return object != nil && o[thingOf(object)] }

// thingOf returns a leaf that is equal for two arguments that name the same thing.
func thingOf(object *similarity.Leaf) similarity.Leaf {
	if len(object.Value) > 5 {
		return similarity.Leaf{Value: object.Value}
	}
	return similarity.Leaf{Key: object.Key, Value: object.Value}
}

// haveSameObject reports whether two calls are about the same thing.
func (t *teller) haveSameObject(a, b *boundary.Action) bool {
	x, y := t.knownObject(a), t.knownObject(b)
	return x != nil && y != nil && thingOf(x) == thingOf(y)
}

// knownObject returns the object of an action, or nil if it has none or if it is a person.
func (t *teller) knownObject(a *boundary.Action) *similarity.Leaf {
	if o := t.object(a); o != nil && !isPerson(o.Key) {
		return o
	}
	return nil
}

// object is like objectOf, but looks for each object once.
func (t *teller) object(a *boundary.Action) *similarity.Leaf {
	object, known := t.objects[a]
	if !known {
		if t.objects == nil {
			t.objects = map[*boundary.Action]*similarity.Leaf{}
		}
		object = objectOf(a)
		t.objects[a] = object
	}
	return object
}

func (t *teller) tellExtra(group []int) {
	changed := slices.ContainsFunc(group, func(i int) bool { return t.extraAction(i).Writes() })
	replaced := t.takeReplaced(group)
	s := t.newStory(Extra, changed, slices.Concat(group, replaced)...)
	slices.Sort(s.Findings)
	if replaced != nil {
		s.Kind = Instead
	}
	for _, i := range group {
		s.Did = append(s.Did, t.observedCall(t.Findings[i].Obs))
	}
	for _, i := range replaced {
		s.Should = append(s.Should, t.referenceCall(t.Findings[i].Ref))
	}
	s.Instead = t.triesOf(s.Should)
	if s.class == changes && replaced == nil && t.repeatsDone(&s) {
		s.class = repeats
	}
	s.Text = t.extraText(&s)
	s.wanted, s.mayReason = t.wantedValues(&s), true
	t.stories = append(t.stories, s)
}

// takeReplaced removes from the missing changes those for the thing of an extra action,
// and returns them. Nothing is replaced by a further try at a step that the reference has for the thing.
func (t *teller) takeReplaced(extras []int) (replaced []int) {
	objects := objectSet{}
	for _, i := range extras {
		a := t.extraAction(i)
		if t.isFurtherTry(a) {
			return nil
		}
		objects.add(t.knownObject(a))
	}
	var rest []int
	for _, i := range t.missing {
		if step := &t.Ref[t.Findings[i].Ref]; step.Writes() && !step.ByUser && objects.has(t.knownObject(step)) {
			replaced = append(replaced, i)
		} else {
			rest = append(rest, i)
		}
	}
	t.missing = rest
	return replaced
}

// isFurtherTry reports whether the reference has a call of the tool of an action for the same thing that
// was carried out, or with which another action was compared. It indexes these calls once.
func (t *teller) isFurtherTry(a *boundary.Action) bool {
	if t.carriedOut == nil {
		isMissing := map[int]bool{}
		for _, f := range t.missing {
			isMissing[t.Findings[f].Ref] = true
		}
		t.carriedOut = map[string]objectSet{}
		for i := range t.Ref {
			if step := &t.Ref[i]; !isMissing[i] {
				if t.carriedOut[step.Name] == nil {
					t.carriedOut[step.Name] = objectSet{}
				}
				t.carriedOut[step.Name].add(t.knownObject(step))
			}
		}
	}
	return t.carriedOut[a.Name].has(t.knownObject(a))
}

// joinChecks returns the missing checks of each change that lacks several, and the other
// missing steps.
func (t *teller) joinChecks() (joined [][]int, rest []int) {
	of := map[string][]int{} // by the change, in the words of the reason
	var order []string
	for _, i := range t.missing {
		change := uncheckedChange(&t.Findings[i])
		if change != "" && of[change] == nil {
			order = append(order, change)
		}
		of[change] = append(of[change], i)
	}
	for _, change := range order {
		if len(of[change]) > 1 {
			joined = append(joined, of[change])
		}
	}
	for _, i := range t.missing {
		if change := uncheckedChange(&t.Findings[i]); change == "" || len(of[change]) < 2 {
			rest = append(rest, i)
		}
	}
	return joined, rest
}

// uncheckedChange returns the change that was done without the missing step of a finding; "" if
// the finding names none.
func uncheckedChange(f *violation.Finding) string {
	if !isAboutCheck(f.Pattern) {
		return ""
	}
	change, rest, _ := strings.Cut(f.Reason, " was done without ")
	if !strings.HasSuffix(rest, " before it") {
		return ""
	}
	return change
}

// tellMissing tells the missing checks of one change as one story, the missing changes as
// another, and the other missing steps as a third.
func (t *teller) tellMissing() {
	var changed, read []int
	joined, rest := t.joinChecks()
	for _, i := range rest {
		if t.Ref[t.Findings[i].Ref].Writes() {
			changed = append(changed, i)
		} else {
			read = append(read, i)
		}
	}
	for _, group := range append(joined, changed, read) {
		if len(group) == 0 {
			continue
		}
		s := t.newStory(Missing, false, group...)
		if slices.ContainsFunc(group, func(i int) bool { return t.Ref[t.Findings[i].Ref].Writes() }) {
			s.class = omissions
		}
		for _, i := range group {
			s.Should = append(s.Should, t.referenceCall(t.Findings[i].Ref))
		}
		s.Instead = t.eventsFor(s.Should)
		s.Text = t.missingText(&s)
		s.wanted, s.mayReason = t.wantedValues(&s), true
		t.stories = append(t.stories, s)
	}
}

// eventsFor returns what came in place of missing steps: the tries that failed, and the
// end of the run.
func (t *teller) eventsFor(steps []Call) []Event {
	events := t.triesOf(steps)
	last, refused, changed := -1, -1, false
	for i := range t.Obs {
		if a := &t.Obs[i]; !a.ByUser {
			last, changed = i, changed || a.Writes()
			if a.Failed && !a.Proposed && a.Mutation.Mutating == mutation.Yes && !slices.ContainsFunc(events, func(e Event) bool { return e.Action == i }) {
				refused = i
			}
		}
	}
	switch {
	case last >= 0 && !t.Obs[last].Failed && mutation.HandsOver(t.Obs[last].Name):
		events = append(events, Event{Kind: HandedOver, Action: last})
	case !changed && !slices.ContainsFunc(steps, t.isOfUser):
		e := Event{Kind: Nothing, Action: refused}
		if refused >= 0 && t.Actions[refused].Observation != nil {
			e.Text = wholeSentence(t.Actions[refused].Observation.Text)
		}
		events = append(events, e)
	}
	return events
}

// isOfUser reports whether a step of the reference is one of the user's side.
func (t *teller) isOfUser(step Call) bool { return t.Ref[step.Index].ByUser }

// triesOf returns the failed tries of missing steps, the last one of each.
func (t *teller) triesOf(steps []Call) (events []Event) {
	told := map[int]bool{}
	for _, c := range steps[:min(len(steps), mostTold)] {
		step := &t.Ref[c.Index]
		i := t.lastTry(step)
		if i < 0 || told[i] {
			continue
		}
		told[i] = true
		e := Event{Kind: Refused, Action: i}
		if t.Obs[i].Proposed {
			e.Kind = Proposed
		} else if o := t.Actions[i].Observation; o != nil {
			e.Text = wholeSentence(o.Text)
		}
		if t.Obs[i].Key != step.Key {
			e.Differs = differencesOf(&t.Obs[i], step)
		}
		events = append(events, e)
	}
	return events
}

// lastTry returns the last failed action that was a try of a reference step: it has the
// step's name, and the same arguments or the same thing. Where no thing is named, it has
// at least half of the step's values. It returns -1 if there is none.
func (t *teller) lastTry(step *boundary.Action) int {
	for i, tried := len(t.Obs)-1, 0; i >= 0 && tried < mostTold; i-- {
		a := &t.Obs[i]
		if !a.Failed || a.Name != step.Name || a.ByUser != step.ByUser {
			continue
		}
		tried++
		if a.Key == step.Key || t.haveSameObject(a, step) || (t.knownObject(a) == nil || t.knownObject(step) == nil) && sharesHalf(a, step) {
			return i
		}
	}
	return -1
}

// sharesHalf reports whether a call has at least half of the values of a step.
func sharesHalf(a, step *boundary.Action) bool {
	d := similarity.Compare(&a.Call, &step.Call, step.Terms)
	return d.Same > 0 && d.Same >= len(d.Missing)+len(d.Changed)
}

func (t *teller) tellUnsaid() {
	if len(t.unsaid) == 0 {
		return
	}
	s := t.newStory(Unsaid, false, t.unsaid...)
	s.class = unsaid
	for _, i := range t.unsaid {
		for _, e := range t.Findings[i].Evidence {
			s.Differs = append(s.Differs, Difference{Path: e.Path, Reference: e.Reference})
		}
	}
	s.Text = append(append(unsaidText(s.Differs), t.besideCalls(s.Differs)...), t.toldInstead(s.Differs)...)
	if end := t.endsOpen(""); end != nil && t.Failed {
		s.Text = append(s.Text, end.text)
	}
	t.stories = append(t.stories, s)
}

// tellOthers tells the findings that have no form of their own. A finding about an action
// that is already told joins that story.
func (t *teller) tellOthers() {
	for _, i := range t.others {
		f := &t.Findings[i]
		told := slices.IndexFunc(t.stories, func(s Story) bool {
			return slices.ContainsFunc(s.Did, func(c Call) bool { return c.Index == f.Obs })
		})
		if told >= 0 {
			s := &t.stories[told]
			s.Findings, s.Confidence = append(s.Findings, i), max(s.Confidence, f.Confidence)
			continue
		}
		t.stories = append(t.stories, t.foundStory(i))
	}
}

// foundStory tells one finding by its reason.
func (t *teller) foundStory(i int) Story {
	f := &t.Findings[i]
	did, should := f.Obs, f.Ref
	if f.Within > 0 {
		did = f.Within - 1
	}
	s := t.newStory(Found, did >= 0 && t.Obs[did].Writes() || did < 0 && should >= 0 && t.Ref[should].Writes(), i)
	if f.Row < 0 {
		s.class = whole
	}
	if did >= 0 {
		s.Did = []Call{t.observedCall(did)}
	}
	switch {
	case f.Rows != nil && f.Within > 0:
		for _, row := range f.Rows {
			s.Should = append(s.Should, t.referenceCall(t.Steps[row].Ref))
		}
	case should >= 0:
		s.Should = []Call{t.referenceCall(should)}
	}
	s.Text = t.foundText(&s, f)
	return s
}

// tellFirst tells the first finding of a run without a reference that is more than a
// hint, or else the first hint. The other findings about its action belong to it.
func (t *teller) tellFirst() {
	first := max(0, slices.IndexFunc(t.Findings, func(f violation.Finding) bool { return f.Confidence >= violation.HintBelow }))
	unasked := slices.IndexFunc(t.Findings, func(f violation.Finding) bool {
		return f.Confidence >= violation.HintBelow && (f.Rule == violation.UnaskedChange || f.Rule == violation.InstructedByData)
	})
	if unasked >= 0 { // that nobody asked is what a reader must know first
		first = unasked
	}
	s := t.foundStory(first)
	if unasked >= 0 {
		slices.Reverse(s.Text)
	}
	f := &t.Findings[first]
	for i := range t.Findings {
		if i != first && f.Obs >= 0 && t.Findings[i].Obs == f.Obs {
			s.Findings = append(s.Findings, i)
		}
	}
	for _, e := range f.Evidence {
		switch {
		case e.Path == "the instructions" && e.Reference != "":
			s.Because = t.quotePolicy(e.Reference)
		case e.Path == violation.WordsOfData && len(e.Observed) <= mostQuoted:
			s.Because = &Quote{By: "data", Message: -1, Text: e.Observed}
		}
	}
	t.sayReason(&s)
	t.stories = append(t.stories, s)
}

func (t *teller) observedCall(i int) Call  { return t.newCall(i, &t.Obs[i]) }
func (t *teller) referenceCall(i int) Call { return t.newCall(i, &t.Ref[i]) }

func (t *teller) newCall(i int, a *boundary.Action) Call {
	c := Call{Index: i, Name: a.Name}
	if a.Text != "" {
		c.Name = a.Text
	} else if o := t.object(a); o != nil {
		c.Object = []Value{{o.Path, o.Raw}}
	}
	return c
}
