package story

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/match"
	"github.com/boundcheck/boundcheck/core/stage/violation"
)

// This file tells what the agent claimed of a run that failed, and what in the record is against
// it: a thing that it did not see, a number that it had from nowhere, an error at the end of an
// output, and its word that all is done.

// passesBy: a result has a thing that the agent looked for, and no action names it.
func (t *teller) passesBy(violation.Work) *fact {
	for m, tried := 1, 0; m < len(t.Messages) && tried < mostTold; m++ {
		if !isOfAgent(t.Messages[m]) || !strings.Contains(t.Messages[m].Text, " found") {
			continue
		}
		for _, s := range splitSentences(t.Messages[m].Text) {
			word := missedWord(strings.ToLower(s))
			if word == "" {
				continue
			}
			if tried++; t.actedText().mayHave(word) {
				continue
			}
			for i := range t.Actions {
				if o := t.Actions[i].Observation; o != nil && !o.Error && len(o.Text) <= mostQuoted && hasNumbered(strings.ToLower(o.Text), word) {
					return &fact{fmt.Sprintf("The agent looked for %s, the result of step %d has it, and no action names it: “%s”", word, i+1, strings.TrimSpace(o.Text)), []int{i}}
				}
			}
		}
	}
	return nil
}

// hasNumbered reports whether a text lists a thing with its number, such as "mug 1".
func hasNumbered(lower, thing string) bool {
	words := strings.FieldsFunc(lower, func(r rune) bool { return !isWordRune(r) })
	for i := 1; i < len(words); i++ {
		if words[i-1] == thing && strings.Trim(words[i], "0123456789") == "" {
			return true
		}
	}
	return false
}

// statesUnknown: one of several agents states a large number as one that was looked up, and
// nothing before it has it.
func (t *teller) statesUnknown(violation.Work) *fact {
	var before strings.Builder // all that was said and returned, without the commas of numbers
	for m := range t.Messages {
		message := &t.Messages[m]
		if isOfAgent(*message) && message.Speaker != "" && m > 0 {
			text := outsideOfCode(message.Text)
			if lower := strings.ToLower(text); holdsAnyOf(lower, "retrieved", "according to", "verified", "confirmed", "as per", "data shows", "records show") {
				known := before.String()
				for _, s := range splitSentences(text) {
					if n := longNumber(s); n != "" && len(s) <= mostQuoted && !strings.ContainsAny(s, "=+*×≈\\") && !strings.HasSuffix(s, "?") && !match.ContainsNumber(known, strings.ReplaceAll(n, ",", "")) {
						return &fact{fmt.Sprintf("The agent stated %s (message %d), which nothing before it has: “%s”", n, m+1, s), nil}
					}
				}
			}
		}
		before.WriteString(strings.ReplaceAll(message.Text, ",", "") + "\n")
	}
	return nil
}

// longNumber returns the first number of a sentence that has four digits or more and is no year; ""
// if it has none. A number with a point is none, because it has several spellings.
func longNumber(s string) string {
	for _, word := range strings.Fields(s) {
		word = strings.Trim(word, ".,:;!?*()[]\"'“”`$€£%")
		if digits := strings.ReplaceAll(word, ",", ""); strings.Trim(digits, "0123456789") == "" && (len(digits) > 4 || len(digits) == 4 && digits != word) {
			return word
		}
	}
	return ""
}

// endsInError: the output of the last script or test that ended with an error, after which the
// same was not run again.
func (t *teller) endsInError(work violation.Work) *fact {
	if work != violation.Code && work != violation.Shell {
		return nil
	}
	for i, tried := len(t.Obs)-1, 0; i >= 0 && tried < mostTold; i-- {
		o := t.Actions[i].Observation
		if o == nil || o.Error || o.Open() != "" || t.Obs[i].ByUser || t.Obs[i].Proposed || onlyLooks(&t.Obs[i]) {
			continue
		}
		tried++
		line := strings.TrimSpace(o.Text)
		line = strings.TrimSpace(line[strings.LastIndexByte(line, '\n')+1:])
		if raised := strings.TrimSpace(strings.TrimPrefix(line, "E ")); (isRaised(raised) || isTimeout(line)) && len(line) <= mostQuoted && !t.comesAgain(i, func(*boundary.Action) bool { return true }) {
			return &fact{fmt.Sprintf("The output of step %d, %s, ends with “%s”, and the same was not run again.", i+1, t.sayCall(i), line), []int{i}}
		}
	}
	return nil
}

// isTimeout reports whether a line only says that a time ended, such as EXECUTION TIMED OUT.
func isTimeout(line string) bool {
	words := strings.FieldsFunc(strings.ToLower(line), func(r rune) bool { return !unicode.IsLetter(r) })
	return len(words) < 6 && holdsAnyOf(strings.Join(words, " "), "timed out", "timeout")
}

// claimsDone: the agent says in its last words that something is done, or by its last action. What
// stands in the last paragraph comes before what stands above it, and only this is the end.
func (t *teller) claimsDone(violation.Work) *fact {
	for _, text := range t.lastWords() {
		above, closing := closingPart(text)
		if said := claimIn(closing); said != "" {
			return &fact{"The agent ended with this claim: " + said, nil}
		}
		if said := claimIn(above); said != "" {
			return &fact{"In its last words the agent claims: " + said, nil}
		}
	}
	last := t.lastAction()
	if last < 0 || slices.ContainsFunc(t.answers(), isAnswer) || !t.Obs[last].Mutation.Control || !holdsWord(mutation.NameWords(t.Obs[last].Name), "done", "finish", "complete") {
		return nil
	}
	return &fact{fmt.Sprintf("With the last action, %s at step %d, the agent said that it was done.", t.Obs[last].Name, last+1), []int{last}}
}

// closingPart divides a text before its last paragraph. Of a list, only the last line closes.
func closingPart(text string) (above, closing string) {
	text = strings.TrimSpace(text)
	at := strings.LastIndex(text, "\n\n") + 1
	if last := strings.LastIndexByte(text, '\n') + 1; last > at && slices.ContainsFunc(strings.Split(text[at:], "\n"), isListed) {
		at = last
	}
	return text[:at], text[at:]
}

// isListed reports whether a line is one of a list.
func isListed(line string) bool {
	line = strings.TrimSpace(line)
	digits := strings.TrimLeft(line, "0123456789")
	return strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "• ") || digits != line && strings.HasPrefix(digits, ". ")
}

// claimIn quotes the longest sentence of a text that says that something is done; "" if there is none. A
// line of a list says what is so, as a rule, and not what was done.
func claimIn(text string) string {
	all, claim := splitSentences(text), -1
	for i, s := range all {
		if len(s) <= mostQuoted && isAnswer(s) && !isListed(s) && isClaim(strings.ToLower(s)) && (claim < 0 || len(s) > len(all[claim])) {
			claim = i
		}
	}
	if claim < 0 {
		return ""
	}
	said := "“" + all[claim] + "”"
	if next := claim + 1; len(strings.Fields(all[claim])) < 4 && next < len(all) && len(all[next]) <= mostQuoted && !strings.HasSuffix(all[next], "?") {
		said += " “" + all[next] + "”" // Done.
	}
	return said
}

// isClaim reports whether a sentence says that something is done, and not that it is to be done.
func isClaim(lower string) bool {
	return !strings.HasSuffix(lower, "?") && !holdsAnyOf(lower, "not", "no", "once", "if", "when", "until", "let me", "let's", "i will", "i'll", "i’ll", "we can", "we will", "to be", "should", "please", "need to") &&
		holdsAnyOf(lower, "done", "all set", "successfully", "i have completed", "is complete", "has been", "have been", "is now", "are now")
}

// missesNames: names that the user wrote with a capital letter, and that no action in a page has,
// although the agent typed something.
func (t *teller) missesNames(work violation.Work) *fact {
	typed := func(a boundary.Action) bool {
		return !a.Failed && !a.ByUser && holdsWord(mutation.NameWords(a.Name), "fill", "type")
	}
	if work != violation.Browser || !slices.ContainsFunc(t.Obs, typed) || !t.isAskedForDeed() {
		return nil
	}
	var missed []string
	for _, s := range splitSentences(t.firstOfUser()) {
		for i, word := range strings.Fields(s) {
			word = strings.Trim(word, ".,;:!?()\"'“”’`")
			if r := []rune(word); i > 0 && len(r) > 3 && unicode.IsUpper(r[0]) && strings.ToUpper(word) != word && strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }) < 0 && !slices.Contains(missed, word) && !t.isHad(word) {
				missed = append(missed, word)
			}
		}
	}
	if len(missed) == 0 {
		return nil
	}
	return &fact{fmt.Sprintf("The user named %s, and no action has %s.", listSome(missed, mostNamed), pronounFor(missed)), nil}
}

// runsNoTest: the agent submitted changes of code, and no command names a test.
func (t *teller) runsNoTest(work violation.Work) *fact {
	if work != violation.Code || t.Submission == "" {
		return nil
	}
	changed, ran, own := -1, "", ""
	made := map[string]bool{}
	for i := range t.Obs {
		a := &t.Obs[i]
		words := mutation.NameWords(a.Name)
		said, _, _ := strings.Cut(cmp.Or(a.Text, a.Raw), "\n")
		files := filesIn(said)
		switch {
		case a.ByUser:
		case holdsWord(words, "create", "write", "touch") && len(files) > 0:
			made[lastSegment(files[0])] = true
		case holdsWord(words, "open", "view", "edit", "replace", "insert", "patch") && len(files) > 0 && made[lastSegment(files[0])]:
		case strings.Contains(strings.ToLower(a.Name+said), "test"):
			if len(files) == 0 || slices.ContainsFunc(files, func(file string) bool { return !made[lastSegment(file)] }) {
				return nil
			}
			own = files[0]
		case holdsWord(words, "edit", "replace", "insert", "patch") && !a.Failed:
			changed = i
		case a.Text != "" && !onlyLooks(a) && !a.Mutation.Control && changed >= 0 && holdsWord(words, "python", "node", "ruby", "go", "cargo", "java", "bash", "sh", "make", "npm"):
			ran = said
		}
	}
	switch {
	case own != "":
		return &fact{fmt.Sprintf("The agent ran no test but its own (%s).", own), nil}
	case changed < 0:
		return nil
	case ran == "" || len(ran) > mostShown:
		return &fact{"The agent submitted changes, and no command of it names a test.", nil}
	}
	return &fact{fmt.Sprintf("The agent submitted changes, and no command of it names a test; the last one that it ran was “%s”.", ran), nil}
}

// missesDeeds: deeds in a room that the request names, and with whose verb no action succeeded.
func (t *teller) missesDeeds(work violation.Work) *fact {
	if work != violation.Embodied {
		return nil
	}
	request := strings.TrimSpace(t.firstOfUser())
	request = request[strings.LastIndexByte(request, '\n')+1:]
	var missed []string
	for word := range strings.FieldsFuncSeq(strings.ToLower(request), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if class := mutation.DeedOf(word).Class; class == "" || class == "read" || class == "search" || slices.Contains(missed, "“"+word+"”") {
			continue
		}
		if !slices.ContainsFunc(t.Obs, func(a boundary.Action) bool {
			return !a.Failed && holdsWords(strings.ToLower(a.Name+" "+a.Text+" "+a.Raw), word)
		}) {
			missed = append(missed, "“"+word+"”")
		}
	}
	if len(missed) == 0 {
		return nil
	}
	return &fact{fmt.Sprintf("The request has %s, and no action with %s succeeded.", listSome(missed, mostNamed), map[bool]string{true: "this word", false: "these words"}[len(missed) == 1]), nil}
}

// typesWords: what the agent typed into a page, if it is little.
func (t *teller) typesWords(work violation.Work) *fact {
	if work != violation.Browser {
		return nil
	}
	var typed []string
	for i := range t.Obs {
		a := &t.Obs[i]
		if a.Failed || a.ByUser || a.Text == "" || !holdsWord(mutation.NameWords(a.Name), "fill", "type") {
			continue
		}
		_, rest, _ := strings.Cut(a.Text, ",")
		text := quotedPart(rest)
		if text == rest || text == "" || len(text) > mostShown || strings.Contains(text, "\n") {
			return nil
		}
		if text = fmt.Sprintf("“%s” (step %d)", text, i+1); !slices.Contains(typed, text) {
			typed = append(typed, text)
		}
	}
	if len(typed) == 0 || len(typed) > mostNamed {
		return nil
	}
	return &fact{fmt.Sprintf("The agent typed %s.", listSome(typed, mostNamed)), nil}
}
