package story

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/utterance"
	"github.com/boundcheck/boundcheck/core/math/align"
	"github.com/boundcheck/boundcheck/core/stage/violation"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// This file tells what the record itself says of a failed run: its right answer, a step of the
// reference that was left out, an error of which it is not known where it belongs, the answer
// and what was asked.

// missesAnswer: the record has a right answer, and the agent did not give it.
func (t *teller) missesAnswer(violation.Work) *fact {
	want := strings.ToLower(t.RightAnswer)
	if want == "" || len(want) > mostQuoted {
		return nil
	}
	said, last, words := false, "", ""
	var spoken []int // messages with words of the agent
	for m := range t.Messages {
		if text := strings.TrimSpace(outsideOfCode(t.Messages[m].Text)); isOfAgent(t.Messages[m]) {
			said, spoken = said || holdsWords(strings.ToLower(text), want), append(spoken, m)
			if isAnswer(text) {
				last, words = strings.ToLower(text), text
			}
		}
	}
	if i := slices.IndexFunc(t.answers(), isAnswer); i >= 0 {
		words = outsideOfCode(t.answers()[i])
		last = strings.ToLower(words)
		said = said || holdsWords(last, want)
	}
	instead := insteadText(words, want)
	if instead == "" {
		instead = t.earlierText(spoken, want)
	}
	switch {
	case last == "" || holdsWords(last, want):
		return nil
	case said:
		return &fact{fmt.Sprintf("The record has “%s” as the right answer, and the agent's last words do not have it.%s", t.RightAnswer, instead), nil}
	}
	return &fact{fmt.Sprintf("The record has “%s” as the right answer, and the agent never said it.%s", t.RightAnswer, instead), nil}
}

// insteadText says what an agent's last words have where another answer is right: all of them if
// they are short, or else the last sentence with a number that is written as the right one is. The
// number of a heading or of a list is none.
func insteadText(text, want string) string {
	if text = strings.TrimSpace(text); text != "" && len(text) <= mostShown && !strings.Contains(text, "\n") {
		return " Its last words: “" + text + "”"
	}
	all, form := splitSentences(text), numberForm(want)
	if form == "" {
		return concludingText(all)
	}
	if s := lastWithNumber(all, form); s != "" {
		return " Its last sentence with such a number: “" + s + "”"
	}
	return ""
}

// earlierText quotes the last sentence with a number that is written as the right one is, of the messages
// before the last words; "" if there is none.
func (t *teller) earlierText(spoken []int, want string) string {
	form := numberForm(want)
	for i := len(spoken) - 1; i >= max(0, len(spoken)-lastWords) && form != "" && spoken[i] > 0; i-- { // the first one has the task
		if s := lastWithNumber(splitSentences(outsideOfCode(t.Messages[spoken[i]].Text)), form); s != "" {
			return fmt.Sprintf(" Its last sentence with such a number (message %d): “%s”", spoken[i]+1, s)
		}
	}
	return ""
}

// lastWithNumber returns the last sentence with a number of a form. The number of a heading, of a list or
// of a label, as in Search Result 1, is none.
func lastWithNumber(all []string, form string) string {
	for _, s := range slices.Backward(all) {
		words := strings.Fields(s)
		if len(s) > mostQuoted || len(words) < 3 || strings.HasPrefix(s, "#") {
			continue
		}
		for i := 1; i < len(words); i++ {
			if numberForm(words[i]) == form && !isLabel(words, i) {
				return s
			}
		}
	}
	return ""
}

// isLabel reports whether the word i, a number of one or two digits, only says which one: after a word with a
// capital letter inside the sentence, or between brackets.
func isLabel(words []string, i int) bool {
	digits := strings.Trim(words[i], marksAround)
	before, _ := utf8.DecodeRuneInString(words[i-1])
	return len(digits) < 3 && strings.Trim(digits, "0123456789") == "" && (i > 1 && unicode.IsUpper(before) || strings.HasPrefix(words[i], "(") && strings.Contains(words[i], ")"))
}

// concludingText quotes the last sentence that says what the answer is, with the lines of a list that
// it announces; "" if there is none.
func concludingText(all []string) string {
	for i := len(all) - 1; i >= 0; i-- {
		if lower := strings.ToLower(all[i]); len(all[i]) > mostQuoted || strings.HasSuffix(lower, "?") || lower[0] == '#' || !holdsAnyOf(lower, "final", "the answer is", "therefore", "thus", "in conclusion") ||
			holdsAnyOf(lower, "conversation", "task", "script", "code", "error", "confirmed", "agreement", "aspects", "let us", "let's") {
			continue
		}
		out := " It concluded: “" + all[i] + "”"
		for k := i + 1; k < len(all) && k <= i+mostListed && strings.HasSuffix(all[i], ":") && strings.IndexAny(all[k], "-*0123456789") == 0 && len(all[k]) > 3 && len(all[k]) <= mostShown; k++ {
			out += " “" + all[k] + "”"
		}
		if !strings.HasSuffix(out, ":”") {
			return out
		}
	}
	return ""
}

// numberForm returns a number with 0 for each row of its digits: "1:41.6" → "0:0.0". It returns ""
// for anything else.
func numberForm(word string) string {
	word = strings.Trim(word, ".,:;!?*()[]\"'“”$€%")
	var b strings.Builder
	for i, r := range word {
		switch {
		case !unicode.IsDigit(r) && !strings.ContainsRune(".,:/-", r):
			return ""
		case !unicode.IsDigit(r):
			b.WriteRune(r)
		case i == 0 || !unicode.IsDigit(rune(word[i-1])):
			b.WriteByte('0')
		}
	}
	return b.String()
}

// submitsNothing: the record says that nothing was submitted.
func (t *teller) submitsNothing(violation.Work) *fact {
	if !t.Empty {
		return nil
	}
	return &fact{"Nothing was submitted.", nil}
}

// outsideOfCode returns a text without its fenced blocks of code.
func outsideOfCode(text string) string {
	var out strings.Builder
	for i, part := range strings.Split(text, "```") {
		if i%2 == 0 {
			out.WriteString(part)
		}
	}
	return out.String()
}

// leavesStep: a step of the reference that is no read was not done, and was excused.
func (t *teller) leavesStep(violation.Work) *fact {
	return t.leftSteps(func(a *boundary.Action) bool { return !onlyLooks(a) })
}

// leavesRead: the agent did not look at something that the reference looks at.
func (t *teller) leavesRead(violation.Work) *fact {
	return t.leftSteps(onlyLooks)
}

func onlyLooks(a *boundary.Action) bool {
	return a.Mutation.Mutating == mutation.No && !a.Mutation.Control && !mutation.HandsOver(a.Name)
}

func (t *teller) leftSteps(is func(*boundary.Action) bool) *fact {
	var left []Call
	for i := range t.Steps {
		s := &t.Steps[i]
		if s.Op == align.Deletion && (t.Done.Action == nil || t.Done.Action[s.Ref] < 0) && is(&t.Ref[s.Ref]) && !t.isDone(&t.Ref[s.Ref]) {
			left = append(left, t.referenceCall(s.Ref))
		}
	}
	if len(left) == 0 {
		return nil
	}
	return &fact{fmt.Sprintf("The reference has %s, which was not done.", t.stepsText(left)), nil}
}

// leavesOpen: one of several pieces of code failed, and none that ran later succeeded.
func (t *teller) leavesOpen(violation.Work) *fact {
	for i := len(t.Actions) - 1; i >= 0; i-- {
		o := t.Actions[i].Observation
		if o == nil || t.Obs[i].ByUser || t.Obs[i].Proposed {
			continue
		}
		if o.Among == 0 {
			return nil
		}
		text := fmt.Sprintf("One of the %d code blocks of message %d failed, and no later one is known to have succeeded", o.Among, t.Actions[i].Message+1)
		if line := errorLine(o.Text); line != "" {
			return &fact{fmt.Sprintf("%s: “%s”", text, line), []int{i}}
		}
		return &fact{text + ".", []int{i}}
	}
	return nil
}

// failedText says in what way an action failed: that no answer came in time leaves open whether
// it was done.
func (t *teller) failedText(i int) string {
	if o := t.Actions[i].Observation; o != nil && o.Late {
		return "timed out"
	}
	return "failed"
}

// answers returns what the agent answered with its last calls that only answer.
func (t *teller) answers() (out []string) {
	for i := len(t.Obs) - 1; i >= 0; i-- {
		a := &t.Obs[i]
		switch {
		case a.ByUser:
		case !mutation.Answers(a.Name):
			return out
		case a.Text != "":
			out = append(out, quotedPart(a.Text))
		default:
			for k := range a.Leaves {
				if s, err := strconv.Unquote(a.Leaves[k].Raw); err == nil {
					out = append(out, s)
				}
			}
		}
	}
	return out
}

// quotedPart returns what stands between the first and the last quotation mark of a call that
// is written as text, or else the text.
func quotedPart(text string) string {
	from, to := strings.IndexAny(text, `"'`), strings.LastIndexAny(text, `"'`)
	if from < 0 || to <= from+1 {
		return text
	}
	return strings.NewReplacer(`\n`, "\n", `\"`, `"`, `\'`, "'").Replace(text[from+1 : to])
}

// doesOtherwise: in its answer the agent says that something is otherwise than it was asked for.
func (t *teller) doesOtherwise(violation.Work) *fact {
	for _, text := range t.lastWords() {
		if s := sentenceOf(text, func(lower string) bool {
			return !strings.Contains(lower, "instead of") && holdsAnyOf(lower, "instead", "unavailable", "not available", "already taken", "already exists", "was taken", "is taken", "closest match", "could not", "couldn't", "couldn’t", "did not find", "didn't find", "no results", "found 0", "0 records", "no records", "no change", "no changes", "nothing to", "there are no", "there is no") && !strings.HasSuffix(lower, "?") && !strings.HasPrefix(lower, "if ")
		}); s != "" {
			return &fact{fmt.Sprintf("In its last words the agent says: “%s”", s), nil}
		}
	}
	return nil
}

// lastWords returns the answers at the end, or else the agent's last message.
func (t *teller) lastWords() []string {
	all := t.answers()
	if m := t.lastOfAgent(); len(all) == 0 && m >= 0 && !t.Messages[m].Unsaid {
		all = append(all, t.Messages[m].Text)
	}
	return all
}

// answersQuestion: the user asked for no deed, and this is what was answered.
func (t *teller) answersQuestion(violation.Work) *fact {
	asked := -1
	for m := range t.Messages {
		if t.Messages[m].Role == "user" {
			if asked >= 0 {
				return nil // a conversation, in which the last answer need not be the one
			}
			asked = m
		}
	}
	if asked < 0 || len(t.Messages[asked].Text) > mostQuoted {
		return nil
	}
	question := strings.TrimSpace(t.Messages[asked].Text)
	for _, s := range utterance.Read(question, "").Sentences {
		if !s.Question && s.Asks&utterance.Deeds != 0 && (len(s.Words) == 0 || !holdsWord(s.Words[:1], "show", "tell", "list", "give", "find", "get")) {
			return nil
		}
	}
	answers := t.answers()
	if len(answers) == 0 {
		return nil
	}
	answer, begins := wholeSentence(answers[0]), "was"
	if !isAnswer(answer) {
		return nil
	}
	if answer != strings.TrimSpace(answers[0]) {
		begins = "began"
	}
	return &fact{fmt.Sprintf("The user asked (message %d): “%s” The answer %s: “%s”", asked+1, question, begins, answer), []int{t.lastAction()}}
}

// isAnswer reports whether a text is more than a sign of the end in capitals, such as DONE.
func isAnswer(text string) bool {
	return text != strings.ToUpper(text) || strings.ContainsFunc(text, unicode.IsDigit)
}

// missesWords: the user put words into quotation marks, and no action has them, although actions
// have others of them or change something.
func (t *teller) missesWords(work violation.Work) *fact {
	quoted := quotations(t.firstOfUser())
	var missed []string
	used := false
	for _, words := range quoted[:min(mostTold, len(quoted))] {
		switch {
		case t.actedText().mayHave(words):
			used = true
		case !slices.Contains(missed, words) && !isWholePlace(words) && !t.isHad(words):
			missed = append(missed, words)
		}
	}
	if !used || len(missed) == 0 {
		return nil
	}
	for i := range missed {
		missed[i] = "“" + missed[i] + "”"
	}
	return &fact{fmt.Sprintf("The user put %s into quotation marks, and no action has %s.", listSome(missed, mostNamed), pronounFor(missed)), nil}
}

// quotations returns the short texts in double quotation marks, in their order.
func quotations(text string) (out []string) {
	for {
		_, rest, found := strings.Cut(text, `"`)
		inner, after, closed := strings.Cut(rest, `"`)
		if !found || !closed {
			return out
		}
		if text = after; len(inner) > 2 && len(inner) <= mostShown && !strings.Contains(inner, "\n") && strings.ContainsFunc(inner, unicode.IsLetter) {
			out = append(out, inner)
		}
	}
}

func (t *teller) firstOfUser() string {
	for i := range t.Messages {
		if t.Messages[i].Role == "user" {
			return t.Messages[i].Text
		}
	}
	return ""
}

// missesSought: the agent looked for something that no result names. The first message may list
// numbered places that no action has, although actions have at least half of all.
func (t *teller) missesSought(work violation.Work) *fact {
	if work == violation.Browser { // the record of a page need not have all of it
		return nil
	}
	sought := t.soughtInVain()
	if sought == "" {
		return nil
	}
	words := strings.FieldsFunc(strings.ToLower(t.firstOfUser()), func(r rune) bool { return !isWordRune(r) })
	var all, missed []string
	for i := 1; i < len(words) && len(all) < 2*mostTold; i++ {
		name := words[i-1] + " " + words[i]
		if n, err := strconv.Atoi(words[i]); err != nil || n > 99 || n < 1 || len(words[i-1]) < 3 || strings.ContainsFunc(words[i-1], unicode.IsDigit) || slices.Contains(all, name) {
			continue
		}
		if all = append(all, name); !t.isHad(name) {
			missed = append(missed, name)
		}
	}
	text := fmt.Sprintf("The agent looked for %s, which no result names", sought)
	if len(all) > 3 && len(missed) > 0 && 2*len(missed) <= len(all) {
		slices.Sort(missed)
		text += fmt.Sprintf(", and no action has %s, which the first message lists", listSome(missed, mostNamed))
	}
	return &fact{text + ".", nil}
}

// soughtInVain returns a word of which the agent says after a result in words that it found none,
// and which is in no result.
func (t *teller) soughtInVain() string {
	for m, tried := 1, 0; m < len(t.Messages) && tried < mostTold; m++ {
		before := &t.Messages[m-1]
		if !isOfAgent(t.Messages[m]) || before.Role != "tool" || !strings.Contains(t.Messages[m].Text, " found") || !strings.Contains(before.Text, " ") || strings.Contains(before.Text, "://") {
			continue
		}
		for _, s := range splitSentences(t.Messages[m].Text) {
			word := missedWord(strings.ToLower(s))
			if word == "" {
				continue
			}
			if tried++; !slices.ContainsFunc(t.Messages, func(m trajectory.Message) bool {
				return m.Role == "tool" && strings.Contains(strings.ToLower(m.Text), word)
			}) {
				return word
			}
		}
	}
	return ""
}
