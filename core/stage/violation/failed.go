package violation

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/stage/sentences"
)

// FailedCheck is the id of the rule about a change after a check with a negative answer.
const FailedCheck = "failed-check"

// isChecker reports whether a tool's name says that it checks something. Checking in and
// out (of a hotel) does not count.
func isChecker(name string) bool {
	words := mutation.NameWords(name)
	for i, w := range words {
		if isListedIn(w, "checks") && !(w == "check" && i+1 < len(words) && (words[i+1] == "in" || words[i+1] == "out")) {
			return true
		}
	}
	return false
}

// isCheck is isChecker for an action of the run, whose name is read once.
func (l *linter) isCheck(obs int) bool {
	for len(l.checks) < len(l.Obs) {
		l.checks = append(l.checks, isChecker(l.Obs[len(l.checks)].Name))
	}
	return l.checks[obs]
}

// checkAnswer is what a tool answered to a check.
type checkAnswer struct {
	negative, positive bool
	strong             bool   // the member speaks of a permission or a match, not of a state
	shown              string // the negative member, as in match: false
}

// readAnswer reads the answer of a checking tool, which is a JSON object with members
// such as match or status. The result is neither negative nor positive if the answer has
// an error, or if its members contradict each other.
func readAnswer(tool, text string) checkAnswer {
	var c checkAnswer
	v, err := jsonval.Parse(text)
	if err != nil || v.Kind() != jsonval.Object {
		return c
	}
	words := mutation.NameWords(tool)
	adverse, matching := anyListed(words, "adverse"), checksIdentity(tool) || slices.ContainsFunc(words, func(w string) bool { return w == "verify" || w == "validate" })
	accepts := func(member string) bool {
		if strings.HasPrefix(member, "match") {
			return matching && !adverse
		}
		return !adverse || isListedIn(member, "permission")
	}
	c.readMembers(v, accepts)
	for _, name := range [...]string{"result", "data", "check", "response"} {
		if m := v.Get(name); m.Kind() == jsonval.Object {
			c.readMembers(m, accepts)
		}
	}
	if e := v.Get("error"); c.negative && c.positive || e.Exists() && e.Kind() != jsonval.Null {
		return checkAnswer{}
	}
	return c
}

func (c *checkAnswer) readMembers(v jsonval.Value, accepts func(member string) bool) {
	v.Each(func(key string, m jsonval.Value) bool {
		words := splitName(key)
		if len(words) == 0 || len(words) > 3 {
			return true
		}
		last := words[len(words)-1]
		if !accepts(last) {
			return true
		}
		strong := isListedIn(last, "verdict")
		if b, is := m.Bool(); is && (strong || isListedIn(last, "weakVerdict")) {
			c.noteMember(!b, strong, key+": "+m.Raw())
		}
		if s, is := m.Str(); is && isListedIn(last, "status") {
			s = plainWords(s)
			if negative := isListedIn(s, "negative"); negative || isListedIn(s, "positive") {
				c.noteMember(negative, false, key+": "+m.Raw())
			}
		}
		return true
	})
}

// noteMember records one member of an answer. negative reports whether the member is negative.
// strong reports whether the member is about a permission or a match. shown is the member's
// text.
func (c *checkAnswer) noteMember(negative, strong bool, shown string) {
	if !negative {
		c.positive = true
		return
	}
	if !c.negative || strong && !c.strong {
		c.shown = shown
	}
	c.negative, c.strong = true, c.strong || strong
}

// isChange reports whether an action changes something. This must be certain, or at least
// the verb of the action must say so.
func isChange(a *boundary.Action) bool {
	return a.Mutation.Mutating == mutation.Yes || a.Mutation.Counts() && a.Deed().Effectful()
}

// isReporting reports whether a change only reports a problem, refuses something, or
// passes a problem on. Such a change is correct after a negative check.
func isReporting(a *boundary.Action) bool {
	words := mutation.NameWords(a.Name)
	if a.Mutation.Control || isListedIn(a.Deed().Verb, "reporting") || len(words) > 0 && isListedIn(words[0], "reporting") {
		return true
	}
	return anyListed(words, "reportThing") && (isListedIn(a.Deed().Verb, "reportVerb") || isListedIn(words[0], "reportVerb"))
}

// checksIdentity reports whether a tool checks who somebody is.
func checksIdentity(name string) bool {
	words := mutation.NameWords(name)
	return anyListed(words, "identity") || len(words) == 2 && words[0] == "verify" && isListedIn(words[1], "person")
}

// lintFailedCheck returns a finding if the agent made the change i although a check for
// this change had a negative answer. Each check is reported only once, at the first
// change.
func (l *linter) lintFailedCheck(i int) []Finding {
	a := &l.Obs[i]
	if l.Answer == nil || !isChange(a) || isReporting(a) {
		return nil
	}
	for j := i - 1; j >= max(0, i-window); j-- {
		b := &l.Obs[j]
		if b.ByUser || b.Failed || b.Text != "" || l.reported[j] || !l.isCheck(j) {
			continue
		}
		answer := readAnswer(b.Name, l.Answer(j))
		if !answer.negative || l.isOverruled(j, i) || !l.bearsOn(j, i, answer) {
			continue
		}
		l.reported[j] = true
		f := l.newFinding(StartBoundary, PreconditionIgnorance, FailedCheck, i, sentences.AfterCheck.With(a.Name, b.Name, answer.shown))
		f.Evidence = []Evidence{{Path: b.Name, Observed: answer.shown}}
		if s := l.sentenceAbout(b.Name); s != "" {
			f.Evidence = append(f.Evidence, Evidence{Path: "the instructions", Reference: s})
		}
		return []Finding{f}
	}
	return nil
}

// isOverruled reports whether the negative check j no longer matters for the change i.
// One of these must have happened between them:
//
//   - a later check of the same thing
//   - a repair of the checked thing
//   - a change by the user
//   - a message in which the user insists
func (l *linter) isOverruled(j, i int) bool {
	check, change := &l.Obs[j], &l.Obs[i]
	ids := checkedValues(check)
	for k := j + 1; k < i; k++ {
		b := &l.Obs[k]
		switch {
		case b.Failed:
		case b.ByUser && b.Writes():
			return true
		case b.Name == check.Name:
			if !l.isOnlyAbout(change, check, b) {
				return true
			}
		case l.isCheck(k) && readAnswer(b.Name, l.Answer(k)).positive && (checksIdentity(b.Name) || sharesValue(b, ids) || !sharesValue(change, ids)):
			return true
		case b.Writes() && !isReporting(b) && sharesValue(b, ids) && (isListedIn(b.Deed().Verb, "repairing") || isListedIn(b.Deed().Verb, "editing")):
			return true
		}
	}
	return l.Asked != nil && l.Asked(i) != l.Asked(j) && holdsListed(l.Asked(i), "insisting")
}

// isOnlyAbout reports whether a later check says nothing about a change that the first
// check was about. The change must have all checked values of check, and later must not
// have all of them.
func (l *linter) isOnlyAbout(change, check, later *boundary.Action) bool {
	ids := checkedValues(check)
	return usesValues(change, ids) && !usesValues(later, ids)
}

// checkedValues returns the values of a check's arguments that identify something. These
// are ids, and texts with a digit, a space or an @. Dates are left out.
func checkedValues(a *boundary.Action) []string {
	var out []string
	for _, leaf := range a.Leaves {
		text := strings.Trim(leaf.Value, `"`)
		quoted := strings.HasPrefix(leaf.Value, `"`)
		switch {
		case len(text) < 4, quoted && isDate(text):
		case quoted && strings.ContainsAny(text, "0123456789 @"), boundary.Identifies(leaf.Key, leaf.Value):
			out = append(out, leaf.Value)
		}
	}
	return out
}

// isDate reports whether a text consists of digits and the signs of dates and times.
func isDate(text string) bool {
	return strings.Trim(text, "0123456789-/.:TZ+ ") == "" && strings.ContainsAny(text, "-/.:") && len(text) >= 5 && len(text) <= 25 && strings.Count(text, "-")+strings.Count(text, "/")+strings.Count(text, ".")+strings.Count(text, ":") >= 2
}

func holdsValue(a *boundary.Action, value string) bool {
	return slices.ContainsFunc(a.Leaves, func(leaf similarity.Leaf) bool { return leaf.Value == value })
}

func sharesValue(a *boundary.Action, values []string) bool {
	return slices.ContainsFunc(values, func(v string) bool { return holdsValue(a, v) })
}

// usesValues reports whether an action has all of the given values. The result is false
// if values is empty.
func usesValues(a *boundary.Action, values []string) bool {
	return len(values) > 0 && !slices.ContainsFunc(values, func(v string) bool { return !holdsValue(a, v) })
}

// bearsOn reports whether the change i depends on the check j, which had a negative
// answer.
func (l *linter) bearsOn(j, i int, answer checkAnswer) bool {
	check, change := &l.Obs[j], &l.Obs[i]
	topics := slices.DeleteFunc(slices.Clone(mutation.NameWords(check.Name)), func(w string) bool {
		return isListedIn(w, "checks") || isListedIn(w, "vague") || isListedIn(w, "person")
	})
	if conflicts(check, change) || !answer.strong && anyListed(mutation.NameWords(check.Name), "fragile") {
		return false
	}
	verb, ids := change.Deed().Verb, checkedValues(check)
	if sameStem(answer.shown, verb) { // approved: false, and then it is approved
		return false
	}
	demanded := slices.ContainsFunc(l.demands, func(d demand) bool {
		return bareTool(d.tool) == bareTool(check.Name) && !d.change.every && d.change.fitsChange(change)
	})
	if checksIdentity(check.Name) && l.sentenceAbout(check.Name) != "" || demanded && (len(ids) == 0 || sharesValue(change, ids)) {
		return true
	}
	if !usesValues(change, ids) {
		return false
	}
	actions := slices.DeleteFunc(slices.Clone(topics), func(w string) bool {
		return !slices.ContainsFunc(verbStems(w), func(stem string) bool { return isListedIn(stem, "action") })
	})
	if len(actions) > 0 { // the check of a refund says nothing about an exchange
		return slices.ContainsFunc(actions, func(w string) bool {
			return sameStem(w, verb) || slices.Contains(mutation.NameWords(change.Name), w)
		})
	}
	if isListedIn(verb, "repairing") || isListedIn(verb, "editing") && !checksText(check, change) {
		return false
	}
	return len(ids) > 1 || slices.ContainsFunc(topics, func(w string) bool { return slices.Contains(topicWords(change), w) })
}

// conflicts reports whether a check and a change have different values for the same
// argument. In this case they are about different things.
func conflicts(check, change *boundary.Action) bool {
	for _, a := range check.Leaves {
		if slices.ContainsFunc(change.Leaves, func(b similarity.Leaf) bool { return a.Path == b.Path && a.Value != b.Value }) {
			return true
		}
	}
	return false
}

// sameStem reports whether a text begins with a verb, or with the first five letters of a
// longer verb. For example, the result is true for the text "cancellation" and the verb
// "cancel".
func sameStem(text, verb string) bool {
	return verb != "" && strings.HasPrefix(strings.ToLower(text), verb[:min(len(verb), 5)])
}

// checksText reports whether a change writes a value that the check examined and that is
// not an id. For example, the value is an address.
func checksText(check, change *boundary.Action) bool {
	return slices.ContainsFunc(check.Leaves, func(leaf similarity.Leaf) bool {
		return !boundary.Identifies(leaf.Key, "") && slices.Contains(checkedValues(check), leaf.Value) && holdsValue(change, leaf.Value)
	})
}

// sentenceAbout returns the first sentence of the instructions that names a tool, or ""
// if there is none.
func (l *linter) sentenceAbout(tool string) string {
	for _, s := range l.sentences {
		if holdsID(s, bareTool(tool)) {
			return s
		}
	}
	return ""
}
