package story

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/match"
	"github.com/boundcheck/boundcheck/core/base/secrets"
	"github.com/boundcheck/boundcheck/core/stage/sentences"
	"github.com/boundcheck/boundcheck/core/stage/violation"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// This file has the sentences of all stories. No other place words a story.

const (
	mostListed = 4   // arguments or calls that a sentence names
	mostMissed = 6   // arguments of the one call that the agent did not make; of each of two calls two less
	mostTried  = 2   // arguments that the sentence of a failed try names on each side
	mostShown  = 120 // characters of a value in a sentence

	mostDecisive = 8  // arguments with two values that the first sentence names
	around       = 24 // characters before the place where long texts differ; twice as many behind it
)

func (t *teller) differsText(s *Story) []string {
	c := &s.Did[0]
	told, more := decisive(s.Differs)
	with, should := differencesText(told, max(mostListed, min(len(told), mostDecisive)))
	if more > 0 {
		with += fmt.Sprintf(", and %d arguments that the reference does not have", more)
	}
	if s.Differs[0].Path == "" && t.Obs[c.Index].Text != "" {
		return []string{fmt.Sprintf("At step %d the agent did %s.", c.Index+1, sayText(s.Differs[0].Observed)), fmt.Sprintf("The reference has %s.", should)}
	}
	call := t.callText(c, &t.Obs[c.Index], 0)
	if o := c.Object; len(o) > 0 && slices.ContainsFunc(s.Differs, func(d Difference) bool { return d.Path == o[0].Path }) {
		call = t.Obs[c.Index].Name // the thing is told as a difference
	}
	return append([]string{
		fmt.Sprintf("At step %d the agent called %s%s.", c.Index+1, call, with),
		fmt.Sprintf("The reference has %s.", should),
	}, partsText(told)...)
}

// decisive returns the differences that a sentence names. Where both sides have some values, the arguments that
// only the agent has are not named but counted, if they are more than two.
func decisive(all []Difference) (told []Difference, more int) {
	told = slices.DeleteFunc(slices.Clone(all), func(d Difference) bool { return d.Reference == "" })
	if more = len(all) - len(told); len(told) == 0 || more < 3 {
		return all, 0
	}
	return told, more
}

// partsText says where long texts differ that a sentence names by their lengths: the first place, with what
// stands around it on both sides.
func partsText(all []Difference) (lines []string) {
	for _, d := range all {
		if len(lines) == mostTried || min(len(d.Observed), len(d.Reference)) < mostShown/2 || max(len(d.Observed), len(d.Reference)) <= mostShown {
			continue // no text is longer than its JSON
		}
		a, b := textOf(d.Observed), textOf(d.Reference)
		if max(utf8.RuneCountInString(a), utf8.RuneCountInString(b)) <= mostShown || min(len(a), len(b)) < mostShown/2 || a == b {
			continue
		}
		at, x, y := firstDifference(a, b)
		name := sayPath(d.Path)
		if name == "" {
			name = "the text"
		}
		lines = append(lines, fmt.Sprintf("From character %d on, %s has “%s” instead of “%s”.", at+1, name, x, y))
	}
	return lines
}

// textOf returns the text of a JSON string, or any other JSON text as it is.
func textOf(raw string) string {
	if v, err := jsonval.Parse(raw); err == nil && v.Kind() == jsonval.String {
		return v.Text()
	}
	return raw
}

// firstDifference returns the number of characters that two texts have in common at their beginning, and what
// stands around that place in each, on one line, with … where something is left out.
func firstDifference(a, b string) (at int, x, y string) {
	p, q := []rune(a), []rune(b)
	for at < min(len(p), len(q)) && p[at] == q[at] {
		at++
	}
	return at, aroundPlace(p, at), aroundPlace(q, at)
}

func aroundPlace(text []rune, at int) string {
	from, to := max(0, at-around), min(len(text), at+2*around)
	s := strings.Join(strings.Fields(string(text[from:to])), " ")
	if from > 0 {
		s = "…" + s
	}
	if to < len(text) {
		s += "…"
	}
	return s
}

// differencesText tells arguments that differ: what the agent had, as the end of a call,
// and what the reference has.
func differencesText(all []Difference, most int) (with, should string) {
	var did, wanted, without []string
	for _, d := range all {
		switch name := sayPath(d.Path); {
		case d.Path == "":
			did, wanted = append(did, sayText(d.Observed)), append(wanted, sayText(d.Reference))
		case d.Observed == "":
			without, wanted = append(without, name), append(wanted, sayArgument(name, d.Reference))
		case d.Reference == "":
			did, wanted = append(did, sayArgument(name, d.Observed)), append(wanted, "no "+name)
		case len(all) == 1 && secrets.HideValue(d.Path, d.Reference) != secrets.Hidden:
			did, wanted = append(did, sayArgument(name, d.Observed)), append(wanted, sayValue(d.Reference))
		default:
			did, wanted = append(did, sayArgument(name, d.Observed)), append(wanted, sayArgument(name, d.Reference))
		}
	}
	if len(did) > 0 {
		with = " with " + listSome(did, most)
	}
	if len(without) > 0 {
		with += " without " + listSome(without, most)
	}
	return with, listSome(wanted, most)
}

func (t *teller) extraText(s *Story) []string {
	var places, calls []string
	for i := 0; i < len(s.Did); {
		a := &t.Obs[s.Did[i].Index]
		call := t.callText(&s.Did[i], a, 3)
		var steps []int
		for ; i < len(s.Did) && t.Obs[s.Did[i].Index].Key == a.Key; i++ { // equal calls are told at once
			steps = append(steps, s.Did[i].Index+1)
		}
		places, calls = append(places, placesText(steps)), append(calls, call)
	}
	text := "At " + places[0] + " the agent " + verbFor(&t.Obs[s.Did[0].Index]) + " " + calls[0]
	for i := 1; i < len(calls); i++ {
		if i == mostListed && len(calls) > mostListed+1 {
			text += fmt.Sprintf("; and %d more", len(calls)-i)
			break
		}
		text += "; at " + places[i] + ", " + calls[i]
	}
	text += "."
	lines := []string{text, t.extraReason(s)}
	for i := range s.Instead {
		lines = append(lines, t.eventText(&s.Instead[i]))
	}
	return lines
}

// placesText names steps in their order. Three and more in a row are named by the first
// and the last of them.
func placesText(steps []int) string {
	if len(steps) == 1 {
		return "step " + strconv.Itoa(steps[0])
	}
	var all []string
	for i := 0; i < len(steps); {
		end := i
		for end+1 < len(steps) && steps[end+1] == steps[end]+1 {
			end++
		}
		if end-i < 2 {
			end = i
			all = append(all, strconv.Itoa(steps[i]))
		} else {
			all = append(all, fmt.Sprintf("%d to %d", steps[i], steps[end]))
		}
		i = end + 1
	}
	return "steps " + listSome(all, mostListed)
}

func (t *teller) extraReason(s *Story) string {
	if s.Kind == Instead {
		return fmt.Sprintf("The reference has %s instead, which the agent did not carry out.", t.stepsText(s.Should))
	}
	first := &t.Obs[s.Did[0].Index]
	if slices.ContainsFunc(s.Findings, func(i int) bool { return t.Findings[i].Rule == "forbidden-action" }) {
		return "The reference forbids this."
	}
	if t.doneAlike(s) < 0 {
		if alike := t.alikeReason(s); alike != "" {
			return alike
		}
	}
	isEqual := func(a *boundary.Action) bool { return a.Key == first.Key }
	switch done, held := t.countCalls(isEqual); {
	case held == 0 && t.doneAlike(s) >= 0:
		return fmt.Sprintf("The same call at step %d did what the reference has.", t.doneAlike(s)+1)
	case held == 0 && len(s.Did) > 1:
		return "The reference does not have these calls."
	case held == 0:
		return "The reference does not have this call."
	case done > held:
		return fmt.Sprintf("The agent did this %s, and the reference has it %s.", timesText(done), timesText(held))
	}
	// The step that equals it was compared with another action.
	done, held := t.countCalls(func(a *boundary.Action) bool { return a.Name == first.Name })
	if done > held {
		return fmt.Sprintf("The agent called %s %s, and the reference has it %s.", first.Name, timesText(done), timesText(held))
	}
	return "The reference does not have this call at this place."
}

// alikeReason says what the reference has for the calls of a story that it has with other arguments: a step
// of the same tool for the same thing. It returns "" if it has none of them in this way, or the first one as it
// is.
// O(calls · steps · arguments), both at most mostTold.
func (t *teller) alikeReason(s *Story) string {
	var lines []string
	plain := 0 // calls of which the reference has nothing alike
	told, steps := map[string]bool{}, map[*boundary.Action]bool{}
	for n, c := range s.Did[:min(len(s.Did), mostTold)] {
		a := &t.Obs[c.Index]
		if told[a.Key] {
			continue
		}
		told[a.Key] = true
		if done, held := t.countCalls(func(b *boundary.Action) bool { return b.Key == a.Key }); held > 0 {
			if n == 0 {
				return ""
			}
			lines = append(lines, fmt.Sprintf("The reference has the call of step %d as it is, %s; the agent made it %s.", c.Index+1, timesText(held), timesText(done)))
			continue
		}
		step, held := t.alikeStep(a)
		switch {
		case step == nil:
			plain++
		case !steps[step] && len(lines) < mostTried: // no more than a reader can hold
			steps[step] = true
			lines = append(lines, t.alikeText(c.Index, a, step, held))
		}
	}
	switch {
	case len(lines) == 0:
		return ""
	case len(lines) == 1 && plain == 0:
		return strings.Replace(lines[0], fmt.Sprintf("the call of step %d", s.Did[0].Index+1), "this call", 1)
	case plain == 1:
		lines = append(lines, "The other call is not in the reference.")
	case plain > 1:
		lines = append(lines, fmt.Sprintf("The other %d are not in the reference.", plain))
	}
	return strings.Join(lines, " ")
}

// alikeText says how often the reference has a call, and with which other arguments.
func (t *teller) alikeText(index int, a, step *boundary.Action, held int) string {
	line := fmt.Sprintf("The reference has the call of step %d %s, %s.", index+1, timesText(held), stepHas(differencesOf(a, step)))
	if done, _ := t.countCalls(func(b *boundary.Action) bool { return b.Name == a.Name && t.isOfThing(b, a) }); done > held {
		line += fmt.Sprintf(" The agent made it %s.", timesText(done))
	}
	return line
}

// stepHas says what a step has where an action differs from it: "with flight number HAT1", or "without price" if
// the action only has more.
func stepHas(all []Difference) string {
	wanted := slices.DeleteFunc(slices.Clone(all), func(d Difference) bool { return d.Reference == "" })
	var with []string
	for _, d := range wanted {
		if d.Path == "" {
			with = append(with, sayText(d.Reference))
		} else {
			with = append(with, sayArgument(sayPath(d.Path), d.Reference))
		}
	}
	if len(with) > 0 {
		return "with " + listSome(with, mostListed)
	}
	for _, d := range all {
		with = append(with, sayPath(d.Path))
	}
	return "without " + listSome(with, mostListed)
}

// alikeStep returns the step of the reference that has the tool of an action and is for the same thing, with
// the fewest arguments that differ, and how many such steps there are. It returns nil if there is no such step, or
// if the action names no thing.
func (t *teller) alikeStep(a *boundary.Action) (best *boundary.Action, held int) {
	least := 0
	for i := range t.Ref {
		step := &t.Ref[i]
		if step.Name != a.Name || step.ByUser != a.ByUser || !t.haveSameObject(step, a) {
			continue
		}
		if held++; held > mostTold {
			continue
		}
		if n := len(differencesOf(a, step)); n > 0 && (best == nil || n < least) {
			best, least = step, n
		}
	}
	return best, held
}

// isOfThing reports whether two actions are one, or are about the same thing.
func (t *teller) isOfThing(a, b *boundary.Action) bool { return a == b || t.haveSameObject(a, b) }

// doneAlike returns an action without a finding that equals the first call of a story and
// did a step of the reference in other words. It returns -1 if there is none.
func (t *teller) doneAlike(s *Story) int {
	for _, i := range t.Done.Action {
		if i >= 0 && t.Obs[i].Key == t.Obs[s.Did[0].Index].Key && !slices.ContainsFunc(t.Findings, func(f violation.Finding) bool { return f.Obs == i }) {
			return i
		}
	}
	return -1
}

// repeatsDone reports whether all calls of a story are one call that the agent also made as the
// reference has it.
func (t *teller) repeatsDone(s *Story) bool {
	key := t.Obs[s.Did[0].Index].Key
	if slices.ContainsFunc(s.Did, func(c Call) bool { return t.Obs[c.Index].Key != key }) {
		return false
	}
	_, held := t.countCalls(func(a *boundary.Action) bool { return a.Key == key })
	return held > 0 || t.doneAlike(s) >= 0
}

// countCalls counts the successful actions of the agent and the reference steps for which
// is holds.
func (t *teller) countCalls(is func(a *boundary.Action) bool) (done, held int) {
	for i := range t.Obs {
		if a := &t.Obs[i]; !a.Failed && !a.ByUser && is(a) {
			done++
		}
	}
	for i := range t.Ref {
		if is(&t.Ref[i]) {
			held++
		}
	}
	return done, held
}

func timesText(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return strconv.Itoa(n) + " times"
}

func (t *teller) missingText(s *Story) []string {
	text := []string{fmt.Sprintf("The agent did not carry out %s, which the reference has.", t.stepsText(s.Should))}
	if len(s.Should) > 1 {
		text[0] = fmt.Sprintf("The agent did not carry out %d calls of the reference: %s.", len(s.Should), t.stepsText(s.Should))
	}
	whose := slices.ContainsFunc(s.Should, t.isOfUser)
	if whose { // "it" would not say who
		text[0] = fmt.Sprintf("Of the reference, this was not done: %s.", t.stepsText(s.Should))
	}
	for _, e := range s.Instead {
		line := t.eventText(&e)
		if whose {
			line = strings.Replace(strings.Replace(line, " it handed", " the agent handed", 1), "It ", "The agent ", 1)
		}
		text = append(text, line)
	}
	if change := uncheckedChange(&t.Findings[s.Findings[0]]); change != "" && len(s.Findings) > 1 && !slices.ContainsFunc(s.Findings, func(i int) bool { return uncheckedChange(&t.Findings[i]) != change }) {
		return append(text, upperFirst(change)+" was done without them before it.")
	}
	for _, i := range s.Findings {
		if f := &t.Findings[i]; isAboutCheck(f.Pattern) {
			return append(text, upperFirst(f.Reason)+".")
		}
	}
	return text
}

// isAboutCheck reports whether the reason of a missing step names the change that needed
// it.
func isAboutCheck(p violation.Pattern) bool {
	return p == violation.MissingVerification || p == violation.MissingConsent || p == violation.MissingConfirmation
}

// verbFor returns the verb for an action: a tool is called, and a free text is done.
func verbFor(a *boundary.Action) string {
	if a.Text != "" {
		return "did"
	}
	return "called"
}

func (t *teller) eventText(e *Event) string {
	var call string
	if e.Action >= 0 {
		c := t.observedCall(e.Action)
		call = t.callText(&c, &t.Obs[e.Action], 0) + " at " + t.triesText(e.Action)
		if e.Differs != nil {
			with, should := differencesText(e.Differs, mostTried)
			call += fmt.Sprintf("%s (the reference has %s)", with, should)
		}
	}
	switch e.Kind {
	case Nothing:
		if len(t.Obs) == 0 {
			return "It called no tool."
		}
		if e.Action < 0 {
			return "It changed nothing."
		}
		text := "It changed nothing: " + t.Obs[e.Action].Name
		if n := t.countFailed(t.Obs[e.Action].Name); n > 1 {
			text += fmt.Sprintf(" failed %s, the last time", timesText(n))
		} else {
			text += " failed"
		}
		if text += fmt.Sprintf(" at step %d", e.Action+1); e.Text == "" {
			return text + "."
		}
		return text + ": “" + e.Text + "”"
	case HandedOver:
		return fmt.Sprintf("Instead, at step %d it handed the user over to a person (%s).", e.Action+1, t.Obs[e.Action].Name)
	case Proposed:
		return fmt.Sprintf("It proposed %s, but the call was not executed.", call)
	}
	how := t.failedText(e.Action)
	if e.Text == "" {
		return fmt.Sprintf("It tried %s, but the call %s.", call, how)
	}
	if how != "failed" {
		return fmt.Sprintf("It tried %s, but the call %s: “%s”", call, how, e.Text)
	}
	return fmt.Sprintf("It tried %s, but was refused: “%s”", call, e.Text)
}

// countFailed counts the agent's failed calls of a tool.
func (t *teller) countFailed(name string) (n int) {
	for i := range t.Obs {
		if a := &t.Obs[i]; a.Name == name && a.Failed && !a.Proposed && !a.ByUser {
			n++
		}
	}
	return n
}

// handOverText says that the reference ends with a hand-over to a person that no call did; "" if
// it does not, or a story has the step.
func (t *teller) handOverText() string {
	last := len(t.Ref) - 1
	if last < 0 || !mutation.HandsOver(t.Ref[last].Name) || slices.ContainsFunc(t.Obs, func(a boundary.Action) bool { return mutation.HandsOver(a.Name) }) ||
		slices.ContainsFunc(t.stories, func(s Story) bool {
			return slices.ContainsFunc(s.Should, func(c Call) bool { return c.Index == last })
		}) {
		return ""
	}
	return fmt.Sprintf("The reference ends with a hand-over to a person (%s), which was not done.", t.Ref[last].Name)
}

// triesText says at which steps a call was made: all tries, if the last one failed.
func (t *teller) triesText(last int) string {
	var all []string
	for i := range t.Obs[:last+1] {
		if a := &t.Obs[i]; a.Failed && !a.Proposed && a.Key == t.Obs[last].Key {
			all = append(all, strconv.Itoa(i+1))
		}
	}
	if len(all) < 2 || len(all) > mostTold {
		return "step " + strconv.Itoa(last+1)
	}
	return "steps " + sentences.List(all)
}

func unsaidText(texts []Difference) []string {
	all := make([]string, len(texts))
	for i, d := range texts {
		all[i] = sayText(d.Reference)
	}
	required := "The reference requires it."
	if len(all) > 1 {
		required = "The reference requires them."
	}
	return []string{"The agent never told the user " + listSome(all, mostListed) + ".", required}
}

// besideCalls quotes the messages that have a text which the user was not told, and that he never
// saw: the agent wrote them beside a call.
func (t *teller) besideCalls(texts []Difference) (out []string) {
	for _, d := range texts[:min(len(texts), mostListed)] {
		want := strings.ReplaceAll(strings.ToLower(d.Reference), ",", "")
		for m := range t.Messages {
			if !isOfAgent(t.Messages[m]) || !t.Messages[m].Unsaid {
				continue
			}
			if s := sentenceOf(t.Messages[m].Text, func(lower string) bool { return match.ContainsNumber(strings.ReplaceAll(lower, ",", ""), want) }); s != "" {
				out = append(out, fmt.Sprintf("Message %d has it, which stands beside a call and was not sent to the user: “%s”", m+1, s))
				break
			}
		}
	}
	return out
}

// toldInstead quotes the sentence with the one other number that the agent told the user, of as many digits as
// a number that it never told. A number of less than four digits counts only if no result has it.
func (t *teller) toldInstead(texts []Difference) (out []string) {
	for _, d := range texts[:min(len(texts), mostListed)] {
		want := strings.ReplaceAll(strings.Trim(d.Reference, `"`), ",", "")
		if strings.Trim(want, "0123456789") != "" || len(want) < 2 {
			continue
		}
		told, in := "", -1
		given := map[string]bool{} // each number is sought once, because a search reads all that was said before
		for m := range t.Messages {
			if !isOfAgent(t.Messages[m]) || t.Messages[m].Unsaid || t.Messages[m].Calls {
				continue
			}
			for number := range numbersIn(t.Messages[m].Text) {
				digits := strings.ReplaceAll(number, ",", "")
				if len(digits) != len(want) || number == told || given[digits] {
					continue
				}
				if len(want) < 4 && t.isGiven(digits, m) {
					given[digits] = true
					continue
				}
				if told != "" {
					in = len(t.Messages)
				} else {
					told, in = number, m
				}
			}
		}
		if in < 0 || in == len(t.Messages) {
			continue
		}
		for _, s := range splitSentences(t.Messages[in].Text) {
			if slices.Contains(slices.Collect(numbersIn(s)), told) && len(s) <= mostQuoted && s[0] != '|' {
				out = append(out, fmt.Sprintf("It told the user %s (message %d): “%s”", told, in+1, s))
				break
			}
		}
	}
	return out
}

// numbersIn yields the whole numbers of a text, as they are written, with commas. Digits inside a word, a code, a
// date, a time or a fraction are none.
func numbersIn(text string) iter.Seq[string] {
	isPart := func(c byte) bool {
		return c >= 0x80 || c == '_' || c == '-' || c == '/' || c == ':' || c == '#' || c == '.' || 'a' <= c|0x20 && c|0x20 <= 'z'
	}
	return func(yield func(string) bool) {
		for i := 0; i < len(text); i++ {
			if text[i]-'0' > 9 {
				continue
			}
			from := i
			for i < len(text) && (text[i]-'0' <= 9 || text[i] == ',' && i+1 < len(text) && text[i+1]-'0' <= 9) {
				i++
			}
			ends := i == len(text) || !isPart(text[i]) || text[i] == '.' && (i+1 == len(text) || text[i+1]-'0' > 9)
			if (from == 0 || !isPart(text[from-1])) && ends && !yield(text[from:i]) {
				return
			}
		}
	}
}

// isGiven reports whether a number stands in a message before m that is not the agent's, or in the instructions.
func (t *teller) isGiven(number string, m int) bool {
	return match.ContainsNumber(t.Policy, number) || slices.ContainsFunc(t.Messages[:m], func(b trajectory.Message) bool {
		return b.Role != "assistant" && match.ContainsNumber(strings.ReplaceAll(b.Text, ",", ""), number)
	})
}

// foundText tells a finding by its reason.
func (t *teller) foundText(s *Story, f *violation.Finding) (text []string) {
	if len(s.Did) > 0 {
		c := &s.Did[0]
		a := &t.Obs[c.Index]
		text = append(text, fmt.Sprintf("At step %d the agent %s %s.", c.Index+1, verbFor(a), t.callText(c, a, 2)))
	}
	reason := upperFirst(f.Reason) + "."
	if late := t.doneBefore(f); late >= 0 && len(s.Did) > 0 {
		c := t.observedCall(late)
		reason = fmt.Sprintf("It came before %s (step %d), which the reference has first.", t.callText(&c, &t.Obs[late], 0), late+1)
	}
	if f.Within > 0 && f.Obs >= 0 { // what was selected stands in the result
		if o := t.Actions[f.Obs].Observation; o != nil && !o.Error && wholeSentence(o.Text) != "" {
			reason += fmt.Sprintf(" %s answered: “%s”", t.Obs[f.Obs].Name, wholeSentence(o.Text))
		}
	}
	if !t.Referenced && f.Confidence < violation.HintBelow {
		reason = "Perhaps: " + f.Reason + "."
	}
	text = append(text, reason)
	if f.Rule == "cut-off" {
		if first, n := t.longestStreak(); n >= leastStreak {
			c := t.observedCall(first)
			text = append(text, fmt.Sprintf("Steps %d to %d are the same call: %s.", first+1, first+n, t.callText(&c, &t.Obs[first], 0)))
		}
	}
	return text
}

// leastStreak is the smallest number of equal calls in a row that a story tells of a run
// that was cut off.
const leastStreak = 5

// longestStreak returns the longest row of equal actions: the index of its first action and
// its length.
func (t *teller) longestStreak() (first, n int) {
	for i := 0; i < len(t.Obs); {
		end := i + 1
		for end < len(t.Obs) && t.Obs[end].Key == t.Obs[i].Key && !t.Obs[i].Unrecorded {
			end++
		}
		if end-i > n {
			first, n = i, end-i
		}
		i = end
	}
	return first, n
}

// doneBefore returns the later action that did the step before which the action of a finding came
// too early. It returns -1 for any other finding.
func (t *teller) doneBefore(f *violation.Finding) int {
	if f.Rule != "out-of-order" || f.Ref < 0 || f.Obs < 0 || t.Done.Action == nil {
		return -1
	}
	if late := t.Done.Action[f.Ref]; late > f.Obs {
		return late
	}
	return -1
}

// sayReason adds the quoted sentence to the text of a story.
func (t *teller) sayReason(s *Story) {
	q := s.Because
	if q == nil {
		return
	}
	who := "The user said"
	switch q.By {
	case "policy":
		who = "The instructions say"
	case "data":
		who = "The data says"
	}
	place := ""
	if q.Message >= 0 {
		place = fmt.Sprintf(" (message %d)", q.Message+1)
	}
	s.Text = append(s.Text, fmt.Sprintf("%s%s: “%s”", who, place, q.Text))
}

// stepsText lists reference steps. One or two steps are told with their arguments, and of
// more steps those that name no thing.
func (t *teller) stepsText(steps []Call) string {
	var all []string
	for i := range steps {
		arguments := 0
		switch {
		case len(steps) <= 2:
			arguments = mostMissed - 2*(len(steps)-1)
		case steps[i].Object == nil:
			arguments = 2
		}
		all = append(all, t.callText(&steps[i], &t.Ref[steps[i].Index], arguments))
		if t.isOfUser(steps[i]) {
			all[i] += " (a step of the user)"
		}
	}
	all = countEqual(all)
	if len(all) == 2 && len(steps) <= 2 {
		return all[0] + "; and " + all[1] // their arguments have commas
	}
	return listSome(all, mostListed)
}

// countEqual joins equal neighbours: "a", "a" → "a (twice)".
func countEqual(all []string) (out []string) {
	for i := 0; i < len(all); {
		n := 1
		for i+n < len(all) && all[i+n] == all[i] {
			n++
		}
		switch n {
		case 1:
			out = append(out, all[i])
		case 2:
			out = append(out, all[i]+" (twice)")
		default:
			out = append(out, fmt.Sprintf("%s (%d times)", all[i], n))
		}
		i += n
	}
	return out
}

// callText returns a call with its thing and up to a number of its other arguments that
// are short.
func (t *teller) callText(c *Call, a *boundary.Action, arguments int) string {
	if a.Text != "" {
		return sayText(a.Text)
	}
	text := a.Name
	object := ""
	for _, o := range c.Object {
		object = o.Path
		text += " for " + sayObject(o.Path, o.Value)
	}
	if with := argumentsText(a, object, arguments); len(with) > 0 {
		text += " with " + sentences.List(with)
	}
	return text
}

// argumentsText returns up to most arguments of an action in their own order: those that
// are short, without the one at the path object.
func argumentsText(a *boundary.Action, object string, most int) (with []string) {
	if most == 0 {
		return nil
	}
	v, err := jsonval.Parse(a.Raw)
	if err != nil {
		return nil
	}
	v.Each(func(key string, member jsonval.Value) bool {
		if len(with) == most {
			return false
		}
		raw := member.Raw()
		switch k := member.Kind(); {
		case key == object || k == jsonval.Null || k == jsonval.Object:
		case len(raw) <= mostShort:
			with = append(with, sayArgument(sayPath(key), raw))
		default:
			with = appendLong(with, a, key, raw)
		}
		return true
	})
	return with
}

// mostShort is the length of an argument, in characters without blanks, up to which a call has it whole.
const mostShort = 60

// appendLong appends an argument that is perhaps too long to be told whole: then the things that the elements of a
// list name, such as the numbers of flights. It appends nothing if they name none, or more than a sentence lists.
func appendLong(with []string, a *boundary.Action, list, raw string) []string {
	if utf8.RuneCountInString(jsonval.Compact(raw)) <= mostShort {
		return append(with, sayArgument(sayPath(list), raw))
	}
	var all []string
	for i := range a.Leaves {
		l := &a.Leaves[i]
		if strings.HasPrefix(l.Path, list) && strings.HasPrefix(l.Path[len(list):], "[") && strings.HasSuffix(l.Path, "]."+l.Key) && boundary.Identifies(l.Key, "") {
			if len(all) == mostListed || secrets.HideValue(l.Key, l.Raw) == secrets.Hidden {
				return with
			}
			all = append(all, sayValue(l.Raw))
		}
	}
	if len(all) == 0 {
		return with
	}
	return append(with, nameMarks.Replace(list)+" "+sentences.List(all))
}

// sayObject names a thing: "reservation_id", "YAX4DR" → "reservation YAX4DR".
func sayObject(path, raw string) string {
	name := sayPath(path)
	for _, end := range []string{" id", " ids", " number", " key"} {
		if short, ok := strings.CutSuffix(name, end); ok {
			name = short
			break
		}
	}
	return sayArgument(name, raw)
}

// sayArgument returns an argument with its value. Several members stand in parentheses.
func sayArgument(name, raw string) string {
	if hidden := secrets.HideValue(name, raw); hidden == secrets.Hidden {
		return name + " " + hidden
	}
	if raw == "" || raw[0] != '[' && raw[0] != '{' { // as most arguments
		return name + " " + sayValue(raw)
	}
	if v, err := jsonval.Parse(raw); err == nil && v.Len() > 1 {
		if text := sayValue(raw); text[0] != '(' || text[len(text)-1] != ')' { // each member has its own
			return name + " (" + text + ")"
		}
	}
	return name + " " + sayValue(raw)
}

// sayPath returns an argument's path in words: "payment_methods[1].amount" → "payment
// method 2 amount".
func sayPath(path string) string {
	if strings.IndexByte(path, '.') < 0 && strings.IndexByte(path, '[') < 0 {
		return nameMarks.Replace(path)
	}
	var b strings.Builder
	for i, name := range strings.Split(path, ".") {
		if i > 0 {
			b.WriteByte(' ')
		}
		name, index, _ := strings.Cut(name, "[")
		name = nameMarks.Replace(name)
		n, err := strconv.Atoi(strings.TrimSuffix(index, "]"))
		switch {
		case index == "":
			b.WriteString(name)
		case err != nil:
			return path // a name with dots, or a list in a list
		default:
			fmt.Fprintf(&b, "%s %d", singularForm(name), n+1)
		}
	}
	return b.String()
}

func singularForm(s string) string {
	switch {
	case strings.HasSuffix(s, "ies"):
		return s[:len(s)-3] + "y"
	case strings.HasSuffix(s, "sses"):
		return s[:len(s)-2]
	case strings.HasSuffix(s, "s") && !strings.HasSuffix(s, "ss"):
		return s[:len(s)-1]
	}
	return s
}

// sayValue returns a JSON value for people. A value that is too long is named by its
// length.
func sayValue(raw string) string {
	v, err := jsonval.Parse(raw)
	if err != nil {
		return sayText(raw)
	}
	switch v.Kind() {
	case jsonval.String:
		text := v.Text()
		if text == "null" { // not the value null
			return "“null”"
		}
		if text != "" && !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == '"' || r == ',' }) {
			return limitText(text)
		}
		return sayText(text)
	case jsonval.Array:
		return limitList(sayMembers(v), "values")
	case jsonval.Object:
		return limitList(sayMembers(v), "members")
	}
	return limitText(v.Raw())
}

func sayMembers(v jsonval.Value) (all []string) {
	v.Each(func(key string, member jsonval.Value) bool {
		switch {
		case key != "":
			all = append(all, sayArgument(sayPath(key), member.Raw()))
		case member.Len() > 1:
			all = append(all, "("+sayValue(member.Raw())+")")
		default:
			all = append(all, sayValue(member.Raw()))
		}
		return true
	})
	return all
}

func limitList(all []string, unit string) string {
	text := strings.Join(all, ", ")
	switch {
	case len(all) == 0:
		return "nothing"
	case utf8.RuneCountInString(text) > mostShown:
		return fmt.Sprintf("%d %s", len(all), unit)
	}
	return text
}

// sayText returns a free text in quotation marks. Of several lines it has the first one,
// and says how many more there are.
func sayText(s string) string {
	if s == "" {
		return "nothing"
	}
	first, rest, more := strings.Cut(strings.TrimSpace(s), "\n")
	if more && utf8.RuneCountInString(first) <= mostShown {
		lines := strings.Count(rest, "\n") + 1
		if lines == 1 {
			return "“" + first + "” and 1 more line"
		}
		return fmt.Sprintf("“%s” and %d more lines", first, lines)
	}
	if utf8.RuneCountInString(s) > mostShown {
		return limitText(s)
	}
	return "“" + s + "”"
}

func limitText(s string) string {
	if n := utf8.RuneCountInString(s); n > mostShown {
		return fmt.Sprintf("a text of %d characters", n)
	}
	return s
}

// listSome lists up to most texts, and says how many more there are.
func listSome(all []string, most int) string {
	if n := len(all) - most; n > 1 {
		return strings.Join(all[:most], ", ") + fmt.Sprintf(" and %d more", n)
	}
	return sentences.List(all)
}

func upperFirst(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if first, _, _ := strings.Cut(s, " "); size == 0 || strings.Contains(first, "_") { // a tool's name stays as it is
		return s
	}
	return string(unicode.ToUpper(r)) + s[size:]
}

// nameMarks writes a name in words.
var nameMarks = strings.NewReplacer("_", " ", "-", " ")
