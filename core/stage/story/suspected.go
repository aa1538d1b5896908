package story

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/utterance"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
	"github.com/boundcheck/boundcheck/core/stage/took"
	"github.com/boundcheck/boundcheck/core/stage/violation"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// This file tells what may have gone wrong in a run whose record says that it failed, where no
// finding explains it. The law: each sentence states a fact of the record that a reader can
// look up. Whether it is the cause is not known, and the story says so.

const (
	mostSuspected = 3   // facts of a story
	suspicion     = 0.5 // the confidence of such a story, below that of a hint
	leastLoop     = 3   // equal calls in a row at the end of a run
	loopWindow    = 6   // steps in which equal calls are a loop
	leastFailed   = 3   // failed calls that are told, if they are a third of all
	lastWords     = 6   // messages of the agent at the end of a run
	mostNamed     = 3   // things or places that a sentence lists
)

// FailedCheck is the fact of a suspected story that lists the benchmark's checks that failed.
const FailedCheck = "failed-check"

// fact is one sentence with the actions that it is about.
type fact struct {
	text    string
	actions []int
}

// suspicions are the facts that may be why a run failed, the most telling first. The words say
// in short what each sentence of a fact says, for groups of runs.
var suspicions = [...]struct {
	name, words string
	find        func(*teller, violation.Work) *fact
}{
	{FailedCheck, "a check of the benchmark failed", (*teller).failsChecks},
	{"wrong-answer", "the record has another answer as the right one", (*teller).missesAnswer},
	{"left-step", "a step of the reference was not done", (*teller).leavesStep},
	{"gave-up", "the agent gave up with its last action", (*teller).givesUp},
	{"loop", "the same call was made again and again", (*teller).loops},
	{"own-data", "the agent went on with a stand-in for the data", (*teller).makesData},
	{"assumed", "the agent went on with something that it only assumed to have", (*teller).assumes},
	{"assumed-value", "the agent assumed a value that nothing before has", (*teller).assumesValue},
	{"unnamed-thing", "the agent acted on a thing that nothing before names", (*teller).takesUnnamed},
	{"claimed-undone", "the agent said that things were changed that no call names", (*teller).claimsUndone},
	{"overlooked", "the agent said that it found none of what a result has", (*teller).overlooks},
	{"passed-by", "the agent said that it found none of what a result has, and no action names it", (*teller).passesBy},
	{"unknown-number", "the agent stated a number that nothing before it has", (*teller).statesUnknown},
	{"changed-test", "the agent changed a test that had failed", (*teller).changesTest},
	{"no-call", "no tool was called", (*teller).callsNothing},
	{"cut-off", "the run was cut off, or ended with words about a limit", (*teller).isCutOff},
	{"not-submitted", "nothing was submitted", (*teller).submitsNothing},
	{"only-adds", "what was submitted only adds files", (*teller).onlyAddsFiles},
	{"not-found", "the agent looked for something that no result names", (*teller).missesSought},
	{"said-no", "the agent said that it could not do it", (*teller).saysNo},
	{"missed-deed", "no action did a deed that the request names", (*teller).missesDeeds},
	{"failed-often", "a third of the calls failed, or more", (*teller).failsOften},
	{"left-failed", "a call failed and did not succeed later", (*teller).leavesFailed},
	{"ends-in-error", "the output of a step ends with an error, and the same was not run again", (*teller).endsInError},
	{"left-open", "one of several code blocks failed", (*teller).leavesOpen},
	{"missed-place", "no action has a place that the user named", (*teller).missesPlaces},
	{"missed-name", "no action has a name that the user wrote", (*teller).missesNames},
	{"missed-words", "no action has words that the user put into quotation marks", (*teller).missesWords},
	{"left-thing", "a thing that the user named was not changed", (*teller).leavesThings},
	{"no-change", "the agent changed nothing", (*teller).changesNothing},
	{"handed-over", "the user was sent to a person", (*teller).leavesUser},
	{"otherwise", "the agent says that something is otherwise than asked", (*teller).doesOtherwise},
	{"announced", "the run ends with an announcement", (*teller).announcesMore},
	{"offered", "the run ends with an offer that nobody answered", (*teller).offersInstead},
	{"question", "the user's last question was not answered", (*teller).leavesQuestion},
	{"unchecked", "the agent ran nothing after its last change", (*teller).checksNothing},
	{"no-test", "no command of the agent names a test", (*teller).runsNoTest},
	{"left-read", "the agent did not look at something that the reference looks at", (*teller).leavesRead},
	{"repeated-call", "the same call was made several times within a few steps", (*teller).repeatsCalls},
	{"repeated-words", "the agent said one long text twice", (*teller).repeatsWords},
	{"answered", "the answer to what was asked is not the one that was wanted", (*teller).answersQuestion},
	{"claimed-done", "the agent says that it is done", (*teller).claimsDone},
	{"typed", "the agent typed something else than was wanted", (*teller).typesWords},
	{"open-end", "the run ends with a call and without a closing word", (*teller).endsOpen},
}

// SuspicionText returns the words for a fact of a suspected story; "" for an unknown one.
func SuspicionText(fact string) string {
	for i := range suspicions {
		if suspicions[i].name == fact {
			return suspicions[i].words
		}
	}
	return ""
}

// lastTelling is the last suspicion that says something beside a finding.
const lastTelling = "left-open"

// tellSuspected tells the facts of a failed run that may be the cause, the most telling first.
// Beside a finding it tells only those up to lastTelling.
func (t *teller) tellSuspected() {
	work := violation.WorkOf(t.Case)
	s := Story{Kind: Suspected, Confidence: suspicion, Findings: []int{}}
	var facts []fact
	for i := range suspicions {
		if len(facts) == mostSuspected || len(t.stories) > 0 && i > 0 && suspicions[i-1].name == lastTelling {
			break
		}
		f := suspicions[i].find(t, work)
		if f == nil || slices.ContainsFunc(facts, func(other fact) bool {
			return f.actions != nil && slices.Equal(f.actions, other.actions) || f.actions == nil && quotesSame(f.text, other.text)
		}) {
			continue
		}
		text := f.text
		if len(facts) == 0 {
			s.Fact, text = suspicions[i].name, "This may be why the run failed: "+lowerFirst(text)
			for _, a := range f.actions {
				s.Did = append(s.Did, t.observedCall(a))
			}
		}
		facts, s.Text = append(facts, *f), append(s.Text, text)
	}
	if len(facts) > 0 {
		t.stories = append(t.stories, s)
	}
}

// quotesSame reports whether two facts quote the same sentence.
func quotesSame(a, b string) bool {
	for _, part := range strings.Split(a, "“")[1:] {
		if said, _, whole := strings.Cut(part, "”"); whole && strings.Contains(said, " ") && strings.Contains(b, "“"+said+"”") {
			return true
		}
	}
	return false
}

// lastAction returns the index of the agent's last action, or -1.
func (t *teller) lastAction() int {
	for i := len(t.Obs) - 1; i >= 0; i-- {
		if !t.Obs[i].ByUser {
			return i
		}
	}
	return -1
}

func (t *teller) sayCall(i int) string {
	c := t.observedCall(i)
	return t.callText(&c, &t.Obs[i], 2)
}

// failsChecks: checks of the benchmark failed, and the record says what they check.
func (t *teller) failsChecks(violation.Work) *fact {
	var failed []string
	for _, c := range t.Checks {
		if c.Result < c.Total && strings.Contains(c.Name, ": ") && len(c.Name) <= mostQuoted {
			failed = append(failed, fmt.Sprintf("“%s” (%v of %v)", c.Name, c.Result, c.Total))
		}
	}
	if len(failed) == 0 {
		return nil
	}
	return &fact{fmt.Sprintf("These checks of the benchmark failed: %s.", listSome(failed, mostNamed)), nil}
}

// TellsCheck reports whether the sentences of a story about failed checks tell the one with this name.
func TellsCheck(text []string, name string) bool {
	return slices.ContainsFunc(text, func(sentence string) bool { return strings.Contains(sentence, "“"+name+"” (") })
}

// givesUp: the last action says so by its name.
func (t *teller) givesUp(violation.Work) *fact {
	last := t.lastAction()
	if last < 0 {
		return nil
	}
	words := mutation.NameWords(t.Obs[last].Name)
	if len(words) > 2 || !holdsWord(words, "fail", "giveup", "infeasible", "abort", "surrender", "impossible") && !(holdsWord(words, "give") && holdsWord(words, "up")) {
		return nil
	}
	return &fact{fmt.Sprintf("With the last action, %s at step %d, the agent gave up.", t.Obs[last].Name, last+1), []int{last}}
}

// loops: the run ends with one call again and again, or has a long row of it.
func (t *teller) loops(violation.Work) *fact {
	first, n := t.longestStreak()
	if n < leastStreak && (n < leastLoop || first+n-1 != t.lastAction()) || t.Obs[first].ByUser {
		return nil
	}
	return &fact{fmt.Sprintf("Steps %d to %d are the same call: %s.", first+1, first+n, t.sayCall(first)), []int{first}}
}

const (
	madeUp  = "mock sample simulated dummy synthetic placeholder fake made-up hypothetical stand-in"
	madeOf  = "data dataset datasets image images file files document documents record records input inputs results"
	makings = "use using create creating created generate generating simulate make making with assume"
)

// isStandIn reports whether a sentence says that something is done with a stand-in, such as
// "I will use a sample image".
func isStandIn(lower string) bool {
	words := strings.FieldsFunc(lower, func(r rune) bool { return !isWordRune(r) && r != '-' })
	made := false
	for i, w := range words {
		made = made || wordlist.Contains(makings, w)
		if made && i > 0 && wordlist.Contains(madeUp, words[i-1]) && wordlist.Contains(madeOf, w) {
			return true
		}
	}
	return false
}

// makesData: after a failed call, the agent says that it works with something in place of the
// real data.
func (t *teller) makesData(violation.Work) *fact {
	failed := slices.IndexFunc(t.Obs, func(a boundary.Action) bool { return a.Failed && !a.ByUser })
	if failed < 0 {
		return nil
	}
	from := max(1, t.Actions[failed].Message)
	for m := from; m < len(t.Messages); m++ {
		if t.Messages[m].Role != "assistant" {
			continue
		}
		if s := sentenceOf(t.Messages[m].Text, isStandIn); s != "" {
			return &fact{fmt.Sprintf("After step %d had failed, the agent went on with a stand-in for the data (message %d): “%s”", failed+1, m+1, s), nil}
		}
	}
	return nil
}

// assumes: the agent says that it goes on as if it had what it does not have.
func (t *teller) assumes(violation.Work) *fact {
	for m := range t.Messages {
		if !isOfAgent(t.Messages[m]) {
			continue
		}
		if s := sentenceOf(t.Messages[m].Text, func(lower string) bool {
			return holdsAnyOf(lower, "assume we have", "assume that we have", "assuming we have", "assuming that we have", "assume i have", "assuming i have", "consider that we have", "hypothetical path", "hypothetical file", "hypothetical document")
		}); s != "" {
			return &fact{fmt.Sprintf("The agent went on with something that it only assumed to have (message %d): “%s”", m+1, s), nil}
		}
	}
	return nil
}

// overlooks: the agent says that there is none of something that the result before names.
func (t *teller) overlooks(violation.Work) *fact {
	for m := 1; m < len(t.Messages); m++ {
		before := &t.Messages[m-1]
		if t.Messages[m].Role != "assistant" || before.Role != "tool" || !strings.Contains(t.Messages[m].Text, " found") || len(before.Text) > mostQuoted || strings.Contains(before.Text, "://") || strings.Contains(before.Text, "\n") {
			continue
		}
		for _, s := range splitSentences(t.Messages[m].Text) {
			word := missedWord(wordlist.Lower(s))
			result := wordlist.Lower(before.Text)
			if len(s) > mostQuoted || word == "" || !holdsWords(result, word) || holdsWords(result, "no "+word) || holdsWords(result, "not") {
				continue
			}
			return &fact{fmt.Sprintf("The agent said (message %d): “%s” But the result before it has %s: “%s”", m+1, s, word, strings.TrimSpace(before.Text)), nil}
		}
	}
	return nil
}

// missedWord returns X of a sentence with "no X found" or "no cool X found"; "" for any other.
func missedWord(lower string) string {
	words := strings.FieldsFunc(lower, func(r rune) bool { return !unicode.IsLetter(r) })
	for i, word := range words {
		if at := slices.Index(words[i:min(i+4, len(words))], "found"); word == "no" && at > 1 && len(words[i+at-1]) > 2 {
			return words[i+at-1]
		}
	}
	return ""
}

// callsNothing: the record has no call, so that nothing supports what was said.
func (t *teller) callsNothing(violation.Work) *fact {
	called := slices.ContainsFunc(t.Obs, func(a boundary.Action) bool { return !a.ByUser && a.Name != trajectory.Say })
	if called || !slices.ContainsFunc(t.Messages, isOfAgent) {
		return nil
	}
	return &fact{"The record has no call of a tool.", nil}
}

// isCutOff: the source says that the run was stopped, or the last words name a limit.
func (t *teller) isCutOff(violation.Work) *fact {
	if t.Stopped != "" && len(t.Stopped) <= mostQuoted {
		return &fact{fmt.Sprintf("The run was cut off before its end: %s.", t.Stopped), nil}
	}
	for m := len(t.Messages) - 1; m >= max(0, len(t.Messages)-2); m-- {
		if !isOfAgent(t.Messages[m]) || len(t.Messages[m].Text) > mostQuoted {
			continue
		}
		if s := sentenceOf(t.Messages[m].Text, namesLimit); s != "" {
			return &fact{fmt.Sprintf("The run ended with the words “%s” (message %d).", s, m+1), nil}
		}
	}
	return nil
}

func namesLimit(lower string) bool {
	words := mutation.NameWords(strings.ReplaceAll(lower, " ", "_"))
	return len(words) < 12 && holdsWord(words, "limit", "budget", "exceeded") && holdsWord(words, "cost", "token", "tokens", "context", "step", "steps", "turn", "turns", "time", "iteration", "iterations")
}

// saysNo: near the end the agent says that it could not do it. The longest sentence has the reason.
func (t *teller) saysNo(violation.Work) *fact {
	said, at := "", 0
	for m, seen := len(t.Messages)-1, 0; m >= 2*len(t.Messages)/3 && seen < lastWords; m-- {
		if !isOfAgent(t.Messages[m]) {
			continue
		}
		seen++
		for _, s := range splitSentences(t.Messages[m].Text) {
			if len(s) <= mostQuoted && len(s) > len(said) && saysCannot(strings.ToLower(s)) {
				said, at = s, m
			}
		}
	}
	if said != "" {
		return &fact{fmt.Sprintf("Near its end the agent said (message %d): “%s”", at+1, said), nil}
	}
	for _, text := range t.answers() {
		if s := sentenceOf(text, saysCannot); s != "" {
			return &fact{fmt.Sprintf("Near its end the agent said (step %d): “%s”", t.lastAction()+1, s), nil}
		}
	}
	return nil
}

// admits returns the sentence of the last paragraph of an agent's last words which says that it could not do its task,
// whole; "" if none does, or if it is too long to quote.
func admits(text string) string {
	paragraphs := strings.Split(strings.TrimSpace(text), "\n\n")
	return sentenceOf(paragraphs[len(paragraphs)-1], func(lower string) bool {
		return saysCannot(lower) || holdsAnyOf(lower, "i cannot proceed", "i can't proceed", "i can’t proceed", "unable to proceed", "unable to complete", "i have to end this", "i will have to end this")
	})
}

func saysCannot(lower string) bool {
	return holdsAnyOf(lower, "give up", "giving up", "task is failed", "task has failed", "i failed to", "was unable to", "were unable to", "wasn't able to", "wasn’t able to", "was not able to", "i am unable to find", "could not find", "couldn't find", "couldn’t find", "cannot find", "can't find", "can’t find",
		"cannot complete", "could not complete", "couldn't complete", "cannot be completed", "could not be completed")
}

// changesTest: after tests had failed, the agent changed a test that it had not written.
func (t *teller) changesTest(work violation.Work) *fact {
	if work != violation.Code && work != violation.Shell {
		return nil
	}
	opened, failed := "", -1 // the file of the last call that names one, and the last run of tests that failed
	made := map[string]bool{}
	for i := range t.Obs {
		a := &t.Obs[i]
		if a.ByUser || a.Failed && !a.Mutation.Counts() {
			continue
		}
		said, _, _ := strings.Cut(cmp.Or(a.Text, a.Raw), "\n")
		words := mutation.NameWords(a.Name)
		files := filesIn(said)
		if len(files) > 0 && holdsWord(words, "open", "view", "create", "write", "edit", "replace", "insert", "patch") {
			opened = files[0]
		}
		switch o := t.Actions[i].Observation; {
		case holdsWord(words, "create", "write"):
			made[lastSegment(opened)] = true
		case holdsWord(words, "cat", "echo", "tee", "touch", "cp", "mv", "printf"):
			for _, file := range files {
				made[lastSegment(file)] = true
			}
		case holdsWord(words, "edit", "replace", "insert", "patch"):
			if failed >= 0 && !a.Failed && isTest(opened) && !made[lastSegment(opened)] {
				return &fact{fmt.Sprintf("At step %d (%s) the agent changed %s, a test that it had not written, after tests had failed at step %d.", i+1, a.Name, opened, failed+1), []int{i}}
			}
		case o != nil && strings.Contains(strings.ToLower(said), "test") && countsFailures(strings.ToLower(o.Text)):
			failed = i
		}
	}
	return nil
}

// countsFailures reports whether a test's output says that something failed: "0 failed" and
// "failures: 0" do not.
func countsFailures(lower string) bool {
	words := strings.FieldsFunc(lower, func(r rune) bool { return !isWordRune(r) })
	none := func(i int) bool { return i >= 0 && i < len(words) && (words[i] == "0" || words[i] == "no") }
	for i, w := range words {
		if (w == "failed" || w == "failures") && !none(i-1) && !none(i+1) {
			return true
		}
	}
	return false
}

// isTest reports whether a file is one of tests, by its name.
func isTest(file string) bool {
	words := strings.FieldsFunc(strings.ToLower(lastSegment(file)), func(r rune) bool { return !unicode.IsLetter(r) })
	return holdsWord(words, "test", "tests", "spec")
}

// leavesFailed: the last call that failed and did not succeed later.
func (t *teller) leavesFailed(work violation.Work) *fact {
	if work == violation.Browser { // where a call fails although the page has changed
		return nil
	}
	for i, tried := len(t.Obs)-1, 0; i >= 0 && tried < mostTold; i-- {
		a := &t.Obs[i]
		if !a.Failed || a.Proposed || a.ByUser || !a.Mutation.Counts() && a.Text == "" && work == violation.Desk {
			continue
		}
		if tried++; t.succeedsLater(i) {
			continue
		}
		text := fmt.Sprintf("Step %d, %s, %s and did not succeed later", i+1, t.sayCall(i), t.failedText(i))
		if o := t.Actions[i].Observation; o != nil && errorLine(o.Text) != "" {
			return &fact{fmt.Sprintf("%s: “%s”", text, errorLine(o.Text)), []int{i}}
		}
		return &fact{text + ".", []int{i}}
	}
	return nil
}

// succeedsLater reports whether a call was made again without an error: the same call, one that
// is nearly the same, or one of the tool for the same thing.
func (t *teller) succeedsLater(i int) bool {
	return t.isTriedAgain(i) || t.comesAgain(i, func(b *boundary.Action) bool { return !b.Failed })
}

// comesAgain reports whether a call for which is holds does a call again.
func (t *teller) comesAgain(i int, is func(*boundary.Action) bool) bool {
	a := &t.Obs[i]
	for j := i + 1; j < len(t.Obs); j++ {
		if b := &t.Obs[j]; is(b) && (b.Name == a.Name || b.Text != "" && a.Text != "") && (b.Key == a.Key || t.haveSameObject(b, a) || sharesHalf(b, a) || took.IsNearly(b, a)) {
			return true
		}
	}
	return false
}

// errorLine returns the line of an error that says what is wrong, whole: the only line, or the
// last line of a trace of calls or of a program's output, or else the first, that names an error. It
// returns "" if there is none, or if it is too long to be quoted: other lines are what was printed.
func errorLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) > 1 {
		for _, line := range slices.Backward(lines) { // of a trace of calls, whatever is printed after it
			if line = strings.TrimSpace(line); strings.Contains(text, "Traceback") && isRaised(line) && len(line) <= mostQuoted {
				return line
			}
		}
		if strings.Contains(text, "Traceback") || strings.HasPrefix(lines[0], "exit") || !namesError(lines[0]) {
			slices.Reverse(lines)
		}
		lines = lines[max(0, slices.IndexFunc(lines, namesError)):]
		if !namesError(lines[0]) {
			return ""
		}
	}
	line := strings.TrimSpace(lines[0])
	if len(line) > mostQuoted {
		return ""
	}
	return line
}

// isRaised reports whether a line begins with the name of an error, such as "ValueError: bad".
func isRaised(line string) bool {
	name, _, _ := strings.Cut(line, ":")
	return (strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception")) && strings.IndexFunc(name, func(r rune) bool { return r != '.' && !isWordRune(r) }) < 0
}

// namesError reports whether a line of an output says by a word that something went wrong.
func namesError(line string) bool {
	words := strings.FieldsFunc(line, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '’' })
	return slices.ContainsFunc(words, func(w string) bool {
		return strings.HasSuffix(w, "Error") || strings.HasSuffix(w, "Exception") || holdsWord([]string{strings.ToLower(w)},
			"error", "errors", "exception", "fail", "failed", "failure", "fatal", "cannot", "can't", "couldn't", "not", "no", "unable", "invalid", "denied", "refused", "missing", "unknown", "unexpected", "timeout", "timed", "aborted", "killed")
	})
}

// onlyAddsFiles: what was submitted is a diff that changes no file that was there.
func (t *teller) onlyAddsFiles(violation.Work) *fact {
	if t.Submission == "" {
		return nil
	}
	var added []string
	for part := range strings.SplitSeq("\n"+t.Submission, "\ndiff --git a/") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		name, rest, _ := strings.Cut(part, " b/")
		_, rest, _ = strings.Cut(rest, "\n")
		if !strings.HasPrefix(rest, "new file mode") || len(name) > mostShown {
			return nil
		}
		added = append(added, name)
	}
	if len(added) == 0 {
		return nil
	}
	return &fact{fmt.Sprintf("What was submitted only adds files (%s) and changes none that was there.", listSome(added, mostNamed)), nil}
}

// failsOften: at least a third of the agent's calls failed.
func (t *teller) failsOften(violation.Work) *fact {
	n, failed, last, how := 0, 0, -1, "failed"
	for i := range t.Obs {
		if a := &t.Obs[i]; !a.ByUser {
			if n++; a.Failed && !a.Proposed {
				failed, last = failed+1, i
				if t.failedText(i) != how {
					how = "failed or timed out"
				}
			}
		}
	}
	if failed < leastFailed || 3*failed < n {
		return nil
	}
	text := fmt.Sprintf("%d of the agent's %d calls %s, the last at step %d, %s", failed, n, how, last+1, t.sayCall(last))
	if o := t.Actions[last].Observation; o != nil && errorLine(o.Text) != "" {
		return &fact{fmt.Sprintf("%s: “%s”", text, errorLine(o.Text)), []int{last}}
	}
	return &fact{text + ".", []int{last}}
}

// leavesThings: things that the user named and the agent looked at, but did not change.
func (t *teller) leavesThings(work violation.Work) *fact {
	if work != violation.Desk {
		return nil
	}
	changed := objectSet{}
	var values []string // of the changes
	for i := range t.Obs {
		if a := &t.Obs[i]; a.Writes() && !a.ByUser {
			for k := range a.Leaves {
				changed.add(&a.Leaves[k])
				values = append(values, similarity.Plain(a.Leaves[k].Raw))
			}
		}
	}
	var left []string
	var at []int
	for i := range t.Obs {
		o := t.knownObject(&t.Obs[i])
		if o == nil || t.Obs[i].ByUser || identifies(o.Key) || changed.hasValue(o.Value) || t.servesChange(i, values) {
			continue
		}
		value := similarity.Plain(o.Raw)
		m := newMention(value)
		if name := sayObject(o.Path, o.Raw); isTelling(value) && !slices.Contains(left, name) && slices.ContainsFunc(t.Messages, func(message trajectory.Message) bool {
			return message.Role == "user" && m.standsIn(strings.ToLower(message.Text))
		}) {
			left, at = append(left, name), append(at, i)
		}
	}
	var found *fact
	if len(left) == 0 {
		found = t.missesThings()
	} else {
		found = &fact{fmt.Sprintf("The agent looked at %s, which the user named, and did not change %s.", listSome(left, mostNamed), pronounFor(left)), at}
	}
	if found == nil || !t.isAskedForDeed() { // last, because it reads the table of words
		return nil
	}
	return found
}

// identifies reports whether an argument only says who somebody is.
func identifies(key string) bool {
	return holdsWord(mutation.NameWords(key), "email", "mail", "phone", "telephone", "name", "zip", "postcode", "birthday", "dob")
}

// servesChange reports whether one of the values of the changes was first shown by the result of a call.
func (t *teller) servesChange(i int, values []string) bool {
	o := t.Actions[i].Observation
	if o == nil {
		return false
	}
	result, before := wordlist.Lower(o.Text), t.Messages[:min(t.Actions[i].Message+1, len(t.Messages))]
	return slices.ContainsFunc(values, func(value string) bool {
		if !isTelling(value) {
			return false
		}
		m := newMention(value)
		return m.standsIn(result) && !slices.ContainsFunc(before, func(b trajectory.Message) bool { return m.standsIn(wordlist.Lower(b.Text)) })
	})
}

// missesThings: codes that the user named and no call names, although some result has them, or
// that nothing has, although actions have others that he named.
func (t *teller) missesThings() *fact {
	used := false
	var missed, known []string // known are those that a result has
	for m := range t.Messages {
		if t.Messages[m].Role != "user" {
			continue
		}
		for code := range strings.FieldsFuncSeq(t.Messages[m].Text, func(r rune) bool { return !isWordRune(r) }) {
			switch {
			case !isCode(code) || slices.Contains(missed, code) || slices.Contains(known, code):
			case t.actedText().mayHave(code):
				used = true
			case t.isHad(code):
				known = append(known, code)
			default:
				missed = append(missed, code)
			}
		}
	}
	switch {
	case len(known) > 0:
		return &fact{fmt.Sprintf("The user named %s, which results have, and no call names %s.", listSome(known, mostNamed), pronounFor(known)), nil}
	case !used || len(missed) == 0:
		return nil
	}
	return &fact{fmt.Sprintf("The user named %s, and no action has %s.", listSome(missed, mostNamed), pronounFor(missed)), nil}
}

// isCode reports whether a word is a code in capitals with a digit, such as NQNU5R.
func isCode(word string) bool {
	return len(word) > 4 && strings.ToUpper(word) == word && strings.ContainsFunc(word, unicode.IsLetter) && strings.ContainsFunc(word, unicode.IsDigit)
}

func (o objectSet) hasValue(value string) bool {
	for leaf := range o {
		if leaf.Value == value {
			return true
		}
	}
	return false
}

// changesNothing: the user asked for something, and the agent changed nothing.
func (t *teller) changesNothing(work violation.Work) *fact {
	if work != violation.Desk && work != violation.Talk || t.lastAction() < 0 || slices.ContainsFunc(t.Obs, func(a boundary.Action) bool { return a.Writes() && !a.ByUser }) {
		return nil
	}
	for m := range t.Messages {
		if t.Messages[m].Role != "user" {
			continue
		}
		for _, s := range splitSentences(t.Messages[m].Text) {
			if len(s) <= mostQuoted && asksForDeed(s) {
				return &fact{fmt.Sprintf("The agent changed nothing. The user had said (message %d): “%s”", m+1, s), nil}
			}
		}
	}
	return nil
}

// asksForDeed reports whether a sentence asks for a deed, and not only to know something.
func asksForDeed(text string) bool {
	lower := wordlist.Lower(text)
	if holdsAnyOf(lower, "thank you", "thanks", "tell me", "let me know", "would you like") {
		return false
	}
	r := utterance.Read(text, "")
	return slices.ContainsFunc(r.Sentences, func(s utterance.Sentence) bool { return s.Asks&utterance.Deeds != 0 && !s.Question })
}

// isAskedForDeed reports whether a sentence of the user asks for a deed.
func (t *teller) isAskedForDeed() bool {
	return slices.ContainsFunc(t.Messages, func(m trajectory.Message) bool {
		return m.Role == "user" && slices.ContainsFunc(splitSentences(m.Text), asksForDeed)
	})
}

// leavesUser: the run ends with a transfer to a person, or with words about one.
func (t *teller) leavesUser(violation.Work) *fact {
	if last := t.lastAction(); last >= 0 && !t.Obs[last].Failed && mutation.HandsOver(t.Obs[last].Name) {
		return &fact{fmt.Sprintf("At step %d it handed the user over to a person (%s), and did nothing after that.", last+1, t.Obs[last].Name), []int{last}}
	}
	m := t.lastOfAgent()
	if m < 0 || slices.ContainsFunc(t.Obs, func(a boundary.Action) bool { return !a.Failed && mutation.HandsOver(a.Name) }) {
		return nil
	}
	if s := sentenceOf(t.Messages[m].Text, func(lower string) bool {
		return holdsAnyOf(lower, "transfer you", "transferring you", "connect you", "connecting you", "human agent")
	}); s != "" {
		if lower := wordlist.Lower(s); strings.HasSuffix(lower, "?") || holdsAnyOf(lower, "if you", "i can transfer", "i can connect", "let me know") {
			return &fact{fmt.Sprintf("The agent only offered to hand the user over to a person (message %d), and no call did it: “%s”", m+1, s), nil}
		}
		return &fact{fmt.Sprintf("The agent's last words send the user to a person (message %d), and no call did it: “%s”", m+1, s), nil}
	}
	return nil
}

// announcesMore: the last words announce a step that does not follow. What is said next is no step.
func (t *teller) announcesMore(violation.Work) *fact {
	m := t.lastOfAgent()
	if m < 0 || m != len(t.Messages)-1 || t.Messages[m].Calls {
		return nil
	}
	_, closing := closingPart(t.Messages[m].Text)
	all := splitSentences(closing)
	for i := len(all) - 1; i >= 0; i-- {
		lower := wordlist.Lower(all[i])
		if len(all[i]) > mostQuoted || !holdsAnyOf(lower, "i'll", "i’ll", "i will", "let me", "next, i need to", "now i need to", "next i need to") || announcesWords(lower) {
			continue
		}
		return &fact{fmt.Sprintf("The run ends with an announcement after which nothing was done (message %d): “%s”", m+1, all[i]), nil}
	}
	return nil
}

// announcesWords reports whether a sentence announces what is said, and no deed.
func announcesWords(lower string) bool {
	words := strings.FieldsFunc(lower, func(r rune) bool { return !unicode.IsLetter(r) })
	return holdsWord(words, "know", "summarize", "summarise", "recap", "explain", "summary", "overview", "answer", "conclude", "report", "list")
}

// offersInstead: where no user answers, the last words offer a deed.
func (t *teller) offersInstead(work violation.Work) *fact {
	m := t.lastOfAgent()
	if m < 0 || work == violation.Desk {
		return nil
	}
	for i := m; i < len(t.Messages); i++ {
		if t.Messages[i].Role == "user" {
			return nil
		}
	}
	if s := sentenceOf(strings.Join(append(t.answers(), t.Messages[m].Text), "\n"), func(lower string) bool {
		return holdsAnyOf(lower, "if you want me to", "if you would like me to", "if you'd like me to", "would you like me to")
	}); s != "" {
		return &fact{fmt.Sprintf("The run ends with an offer, and nobody answered it: “%s”", s), nil}
	}
	return nil
}

// leavesQuestion: the user's last words are a question, and nothing follows.
func (t *teller) leavesQuestion(violation.Work) *fact {
	m := len(t.Messages) - 1
	if m < 0 || t.Messages[m].Role != "user" || t.lastOfAgent() < 0 {
		return nil
	}
	if s := sentenceOf(t.Messages[m].Text, func(lower string) bool { return strings.HasSuffix(lower, "?") }); s != "" {
		return &fact{fmt.Sprintf("The user's last question was not answered (message %d): “%s”", m+1, s), nil}
	}
	return nil
}

// repeatsCalls: one call several times within a few steps; of several, the one that was made most
// often in all. After another input a call is no repetition: a button is pressed for each text.
func (t *teller) repeatsCalls(work violation.Work) *fact {
	if work == violation.Code || work == violation.Shell { // where a test is run again after each change
		return nil
	}
	at, near := map[string][]int{}, map[string]int{} // by call and what came before it: its steps, and where it is in a loop for the first time
	most, last, before := "", "", ""                 // before is what came before the last call
	for i := range t.Obs {
		a := &t.Obs[i]
		if a.ByUser || a.Mutation.Control || a.Unrecorded {
			continue
		}
		after := last
		if a.Key == last {
			after = before
		}
		if !onlyLooks(a) {
			last, before = a.Key, after
		}
		this := a.Key + "\x00" + after
		steps := append(at[this], i)
		at[this] = steps
		if n := len(steps); near[this] == 0 && n >= leastLoop && i-steps[n-leastLoop] < loopWindow {
			near[this] = n
		}
		if near[this] > 0 && (most == "" || len(steps) > len(at[most])) {
			most = this
		}
	}
	if most == "" {
		return nil
	}
	var places []int
	for _, step := range at[most][near[most]-leastLoop : near[most]] {
		places = append(places, step+1)
	}
	text := fmt.Sprintf("The same call was made at %s", placesText(places))
	if n := len(at[most]); n > leastLoop {
		text += fmt.Sprintf(" and %d times in all", n)
	}
	return &fact{fmt.Sprintf("%s: %s.", text, t.sayCall(at[most][0])), []int{at[most][0]}}
}

// repeatsWords: two long messages of agents are the same.
func (t *teller) repeatsWords(violation.Work) *fact {
	seen := map[string]int{}
	for m := range t.Messages {
		text := t.Messages[m].Text
		if !isOfAgent(t.Messages[m]) || len(text) < mostShown {
			continue
		}
		if first, known := seen[text]; known {
			return &fact{fmt.Sprintf("Messages %d and %d are the same text.", first+1, m+1), nil}
		}
		seen[text] = m
	}
	return nil
}

// checksNothing: after its last change of a file, the agent ran nothing.
func (t *teller) checksNothing(work violation.Work) *fact {
	if work != violation.Code && work != violation.Shell {
		return nil
	}
	for i := len(t.Obs) - 1; i >= 0; i-- {
		a := &t.Obs[i]
		words := mutation.NameWords(a.Name)
		switch {
		case a.ByUser || a.Mutation.Control || mutation.Answers(a.Name) || holdsWord(words, "submit", "finish"):
		case !a.Failed && holdsWord(words, "edit", "write", "replace", "insert", "patch"):
			return &fact{fmt.Sprintf("After its last change, %s at step %d, the agent ran nothing.", a.Name, i+1), []int{i}}
		default:
			return nil
		}
	}
	return nil
}

// endsOpen: the run ends with a call, and without a closing word. A thought has words, and is quoted.
func (t *teller) endsOpen(violation.Work) *fact {
	last, m := t.lastAction(), len(t.Messages)-1
	if last < 0 || m < 0 || t.Obs[last].Text == "" && t.Obs[last].Mutation.Control && !holdsWord(mutation.NameWords(t.Obs[last].Name), "think", "thought", "calculate") || mutation.Answers(t.Obs[last].Name) {
		return nil
	}
	words := mutation.NameWords(t.Obs[last].Name)
	if holdsWord(words, "done", "submit", "finish", "exit", "stop", "answer", "terminate", "complete") || t.Actions[last].Message < m-1 || !t.Messages[m].Calls && t.Messages[m].Role != "tool" {
		return nil
	}
	if holdsWord(words, "think", "thought") {
		text := fmt.Sprintf("The run ends with step %d, %s, and no message follows it", last+1, t.Obs[last].Name)
		if all := splitSentences(t.longestText(last)); len(all) > 0 && len(all[len(all)-1]) <= mostQuoted {
			return &fact{fmt.Sprintf("%s. Its last words: “%s”", text, all[len(all)-1]), []int{last}}
		}
		return &fact{text + ".", []int{last}}
	}
	return &fact{fmt.Sprintf("The run ends with step %d, %s, and without a closing word.", last+1, t.sayCall(last)), []int{last}}
}

// longestText returns the longest text among the arguments of an action.
func (t *teller) longestText(i int) (longest string) {
	for _, leaf := range t.Obs[i].Leaves {
		if s, err := strconv.Unquote(leaf.Raw); err == nil && len(s) > len(longest) {
			longest = s
		}
	}
	return longest
}

func isOfAgent(m trajectory.Message) bool { return m.Role == "assistant" && m.Text != "" }

// lastOfAgent returns the index of the agent's last message with a text, or -1.
func (t *teller) lastOfAgent() int {
	for m := len(t.Messages) - 1; m >= 0; m-- {
		if isOfAgent(t.Messages[m]) {
			return m
		}
	}
	return -1
}

// sentenceOf returns the first sentence of a text, whole, for which is holds in lower case and
// that can be quoted; "" if there is none.
func sentenceOf(text string, is func(lower string) bool) string {
	for _, s := range splitSentences(text) {
		if len(s) <= mostQuoted && is(strings.ToLower(s)) {
			return s
		}
	}
	return ""
}

func holdsAnyOf(text string, phrases ...string) bool {
	return slices.ContainsFunc(phrases, func(p string) bool { return holdsWords(text, p) })
}

func lowerFirst(s string) string {
	for _, word := range [...]string{"The ", "These ", "Near ", "With ", "After ", "In ", "One ", "Nothing ", "At ", "Steps ", "Step ", "Messages ", "What "} {
		if strings.HasPrefix(s, word) {
			return strings.ToLower(s[:1]) + s[1:]
		}
	}
	return s
}
