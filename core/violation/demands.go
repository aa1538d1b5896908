package violation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/boundary"
	"github.com/boundcheck/boundcheck/core/mutation"
)

// SkippedCheck is the id of the rule about a change before which the instructions demand
// a tool that the run did not call.
const SkippedCheck = "skipped-check"

// demand is one tool that the instructions demand before a change.
type demand struct {
	tool     string
	change   changeWords
	heading  string // of the list that has the tool as a step; "" for none
	sentence string
}

// changeWords says in words of the instructions which changes are meant. A change fits if
// a name is its tool. It also fits if one of the verbs is its verb, and the noun, if there
// is one, is its object.
type changeWords struct {
	names, verbs []string
	noun         string
	every        bool // every change fits
}

// toolNames holds the names of the tools that a run can call.
type toolNames struct {
	known   map[string]bool // names with and without their namespace
	defined bool            // the trace defines its tools, so no others exist
}

// knownTools returns the names of the tools that the trace defines or that the run calls.
func (l *linter) knownTools() toolNames {
	t := toolNames{known: map[string]bool{}, defined: len(l.Tools) > 0}
	for _, name := range l.Tools {
		t.known[name], t.known[bareTool(name)] = true, true
	}
	for i := range l.Obs {
		if name := l.Obs[i].Name; l.Obs[i].Text == "" {
			t.known[name], t.known[bareTool(name)] = true, true
		}
	}
	return t
}

// bareTool returns a tool's name without its namespace: get_card for mcp__bank__get_card.
func bareTool(name string) string {
	if i := strings.LastIndex(name, "__"); i > 0 {
		name = name[i+2:]
	}
	if i := strings.LastIndexAny(name, "./:"); i > 0 && i+1 < len(name) {
		name = name[i+1:]
	}
	return name
}

// namedTool is one name of a tool in a text, and the position of the name.
type namedTool struct {
	name     string
	from, to int
}

// findTools returns the tools that a text names exactly, in the order of the text. A name
// that is an English word counts only in quotes, before a parenthesis or as the entire
// text. A name that is not known counts if it has an underscore, and if it begins with a verb
// or comes after a word such as call.
func (t toolNames) findTools(text string) []namedTool {
	var out []namedTool
	for from := 0; from < len(text); {
		if !wordByte(text[from]) {
			from++
			continue
		}
		to := from
		for to < len(text) && (wordByte(text[to]) || to+1 < len(text) && strings.IndexByte("-.:/", text[to]) >= 0 && wordByte(text[to+1])) {
			to++
		}
		word := text[from:to]
		compound := strings.IndexByte(word, '_') > 0 || strings.ToLower(word[1:]) != word[1:] && strings.ToUpper(word) != word
		marked := from > 0 && strings.IndexByte("`'\"", text[from-1]) >= 0 || to < len(text) && text[to] == '(' || strings.Trim(text, " .;:,") == word
		switch {
		case t.known[word] && (compound || marked), !t.known[word] && !t.defined && (isCallable(word) || strings.IndexByte(word, '_') > 0 && isListedIn(lastWordOf(text[:from]), "call")):
			out = append(out, namedTool{word, from, to})
		}
		from = to
	}
	return out
}

// lastWordOf returns the last word of a text in lower case, without quotes.
func lastWordOf(text string) string {
	words := strings.Fields(strings.Trim(strings.ToLower(text), " `'\"*"))
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

// isCallable reports whether an unknown identifier is the name of a tool: it has an
// underscore, and its first word is a verb.
func isCallable(word string) bool {
	if strings.IndexByte(word, '_') <= 0 || word != strings.ToLower(word) {
		return false
	}
	d, words := mutation.DeedOf(word), mutation.NameWords(word)
	return len(words) > 1 && d.Class != "" && words[0] == d.Verb
}

// looksOnly reports whether the name of a tool says that it only reads or checks.
func looksOnly(name string) bool {
	d := mutation.DeedOf(name)
	return d.Class != "" && !d.Effectful() || isChecker(name)
}

// readDemands returns the tools that the instructions demand before a change. O(length).
func (l *linter) readDemands() []demand {
	tools := l.knownTools()
	lists := readLists(l.Policy)
	var out []demand
	for i := range lists {
		out = append(out, tools.demandsOf(&lists[i], lists)...)
	}
	sentences := splitSentences(l.Policy)
	for _, s := range sentences {
		if d, ok := tools.readSentence(s); ok {
			out = append(out, d)
		}
	}
	return slices.DeleteFunc(out, func(d demand) bool {
		return slices.ContainsFunc(sentences, func(s string) bool { return !strings.Contains(d.sentence, s) && d.isExcepted(s) })
	})
}

// isExcepted reports whether a sentence makes an exception for the demanded tool or for the
// change before which it is demanded.
func (d *demand) isExcepted(s string) bool {
	return holdsListed(s, "exception") && (holdsID(s, d.tool) || slices.ContainsFunc(d.change.names, func(name string) bool { return holdsID(s, name) }))
}

// stepList is a list of the instructions.
type stepList struct {
	heading string
	items   []string
	kind    byte // 1 for numbers, a for letters, - for bullets, > for arrows
	indent  int
	last    string // the last mark
}

// readLists returns the lists of a text: lines with numbers, letters, bullets or arrows.
// A list with a deeper indent is a list of its own, whose heading is the item above it. A
// line with arrows between its parts is a list, too.
func readLists(text string) []stepList {
	var done, open []stepList
	heading := ""
	closeFrom := func(n int) {
		for len(open) > n {
			done, open = append(done, open[len(open)-1]), open[:len(open)-1]
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		bare := strings.TrimSpace(line)
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		kind, mark, rest := cutMark(bare)
		switch {
		case bare == "":
		case kind == 0 && len(open) > 0 && indent > open[len(open)-1].indent:
			items := open[len(open)-1].items
			items[len(items)-1] += " " + bare
		case kind == 0:
			closeFrom(0)
			if list, ok := cutArrows(bare); ok {
				done = append(done, list)
			}
			heading = bare[strings.LastIndex(bare, ". ")+1:]
		default:
			for len(open) > 0 && indent < open[len(open)-1].indent {
				closeFrom(len(open) - 1)
			}
			if n := len(open); n > 0 && indent == open[n-1].indent && kind == open[n-1].kind && (mark > open[n-1].last || len(mark) > len(open[n-1].last) || kind == '-' || kind == '>') {
				open[n-1].items, open[n-1].last = append(open[n-1].items, rest), mark
				continue
			}
			if n := len(open); n > 0 && indent > open[n-1].indent {
				heading = open[n-1].items[len(open[n-1].items)-1]
			} else {
				closeFrom(0)
			}
			open, heading = append(open, stepList{heading, []string{rest}, kind, indent, mark}), ""
		}
	}
	closeFrom(0)
	return done
}

// cutMark cuts the mark of a list item from a line: "2.", "b)", "Step 3:", a bullet or an
// arrow. kind is 0 if the line has none.
func cutMark(line string) (kind byte, mark, rest string) {
	for _, arrow := range [...]string{"->", "→", "=>"} {
		if rest, ok := strings.CutPrefix(line, arrow); ok {
			return '>', "", strings.TrimSpace(rest)
		}
	}
	if rest, ok := strings.CutPrefix(strings.ReplaceAll(line, "•", "*"), "* "); ok || strings.HasPrefix(line, "- ") {
		return '-', "", strings.TrimSpace(strings.TrimPrefix(rest, "- "))
	}
	numbered := line
	if strings.HasPrefix(strings.ToLower(line), "step ") {
		numbered = line[len("step "):]
	}
	end := strings.IndexAny(numbered, ".):")
	if end <= 0 || end > 2 || end+1 >= len(numbered) || numbered[end+1] != ' ' {
		return 0, "", line
	}
	mark, rest = numbered[:end], strings.TrimSpace(numbered[end+1:])
	switch {
	case strings.Trim(mark, "0123456789") == "":
		return '1', mark, rest
	case len(mark) == 1 && numbered[end] != ':' && wordByte(mark[0]):
		return 'a', mark, rest
	}
	return 0, "", line
}

// cutArrows splits a line such as "Refund: get_order -> get_policy -> refund_order" into
// its steps.
func cutArrows(line string) (stepList, bool) {
	parts := strings.Split(strings.ReplaceAll(line, "→", "->"), "->")
	if len(parts) < 2 {
		return stepList{}, false
	}
	list := stepList{kind: '>'}
	if head, first, ok := strings.Cut(parts[0], ": "); ok {
		list.heading, parts[0] = head, first
	}
	for _, p := range parts {
		list.items = append(list.items, strings.TrimSpace(p))
	}
	return list, true
}

// isOrdered reports whether a list is a procedure: its heading says so, or it has arrows,
// or it has numbers and a step that begins with a word such as "then".
func (s *stepList) isOrdered() bool {
	if holdsListed(s.heading, "catalogue") || isConditional(s.heading) && !holdsListed(s.heading, "asking") {
		return false
	}
	return s.kind == '>' || holdsListed(s.heading, "order") || s.kind != '-' && slices.ContainsFunc(s.items, func(item string) bool {
		first, _, _ := strings.Cut(strings.ToLower(item), " ")
		return isListedIn(strings.Trim(first, ",:"), "sequel")
	})
}

// isConditional reports whether a text holds only in some cases.
func isConditional(text string) bool {
	return holdsListed(text, "condition") || strings.HasPrefix(strings.ToLower(text), "for ")
}

// demandsOf returns the demands of one list: each step that names one reading tool comes
// before each later step that names one changing tool. A change that is a step of several
// lists has no demand, because the run may have followed another list.
func (t toolNames) demandsOf(list *stepList, lists []stepList) []demand {
	if !list.isOrdered() {
		return nil
	}
	var out []demand
	var before []int
	for i, item := range list.items {
		named := t.findTools(item)
		if len(named) != 1 {
			continue
		}
		name := named[0].name
		switch {
		case looksOnly(name):
			if !isConditional(item) && !holdsAny(item, []string{"or", "not"}) {
				before = append(before, i)
			}
		case holdsListed(item, "negation") || isFallback(item) || t.countLists(name, lists) > 1:
		default:
			for _, j := range before {
				out = append(out, demand{tool: t.findTools(list.items[j])[0].name, change: changeWords{names: []string{name}}, heading: list.heading, sentence: list.items[j]})
			}
		}
	}
	return out
}

// isFallback reports whether a step is for some cases only. A step for the case that all
// is well is not.
func isFallback(item string) bool {
	return isConditional(item) && !holdsAny(item, []string{"pass", "passes", "passed", "eligible", "valid", "confirms", "confirmed", "agrees", "yes", "in order", "succeeds"})
}

// countLists counts the lists with a step that names a tool.
func (t toolNames) countLists(name string, lists []stepList) int {
	n := 0
	for i := range lists {
		if lists[i].isOrdered() && slices.ContainsFunc(lists[i].items, func(item string) bool {
			return slices.ContainsFunc(t.findTools(item), func(f namedTool) bool { return f.name == name })
		}) {
			n++
		}
	}
	return n
}

// readSentence reads a sentence that demands a tool before a change: "Call T before W",
// "Before W, call T", "T must answer before W", "Never W before calling T" and "Always run
// T first".
func (t toolNames) readSentence(s string) (demand, bool) {
	named := t.findTools(s)
	if len(named) == 0 || isConditional(s) {
		return demand{}, false
	}
	low := strings.ToLower(s)
	if len(low) != len(s) {
		return demand{}, false
	}
	at, end := indexBefore(low)
	if at < 0 {
		return t.readAlways(s, named)
	}
	check, change := s[:at], s[end:]
	if strings.TrimSpace(check) == "" {
		clause, rest, ok := strings.Cut(change, ", ")
		if !ok {
			return demand{}, false
		}
		check, change = rest, clause
	} else {
		if _, more := indexBefore(low[end:]); more >= 0 {
			return demand{}, false
		}
		change = change[:clauseEnd(change)]
	}
	for _, never := range [...]string{"never ", "do not ", "don't "} {
		if rest, ok := cutFold(check, never); ok {
			check, change = change, rest
			break
		}
	}
	if holdsListed(check, "negation") || holdsAny(check, []string{"or"}) {
		return demand{}, false
	}
	tool, ok := t.demandedTool(check)
	words, fits := t.readChange(change)
	return demand{tool: tool, change: words, sentence: s}, ok && fits && !slices.Contains(words.names, tool)
}

// cutFold returns the text after a mark at the beginning, or after "you must ". Letter case
// is ignored.
func cutFold(text, mark string) (string, bool) {
	text = strings.TrimSpace(text)
	if len(text) < len(mark) || !strings.EqualFold(text[:len(mark)], mark) {
		return text, false
	}
	return text[len(mark):], true
}

// indexBefore returns where a word that means "before" begins and ends in a lower-case
// text; -1 if there is none.
func indexBefore(low string) (at, end int) {
	for _, w := range [...]string{"before", "prior to"} {
		if at := indexID(low, w); at >= 0 {
			return at, at + len(w)
		}
	}
	return -1, -1
}

// clauseEnd returns the index at which the first clause of a text ends.
func clauseEnd(text string) int {
	end := len(text)
	for _, mark := range [...]string{",", ";", ":", "(", " so ", " because ", " to make ", " - ", " – ", " — "} {
		if i := strings.Index(text, mark); i >= 0 && !(mark == "(" && i > 0 && wordByte(text[i-1])) {
			end = min(end, i)
		}
	}
	return end
}

// demandedTool returns the one tool that a clause tells the agent to call. A verb such as
// call stands before the name, or the clause begins with the name.
func (t toolNames) demandedTool(clause string) (string, bool) {
	named := t.findTools(clause)
	if len(named) != 1 {
		return "", false
	}
	words := strings.FieldsFunc(strings.ToLower(clause[:named[0].from]), func(r rune) bool { return strings.ContainsRune(" \t`'\",:*", r) })
	for len(words) > 0 && (words[len(words)-1] == "the" || words[len(words)-1] == "tool" || words[len(words)-1] == "function") {
		words = words[:len(words)-1]
	}
	return named[0].name, len(words) == 0 || isListedIn(words[len(words)-1], "call")
}

// readAlways reads "Always run T first": a tool that is demanded before every change.
func (t toolNames) readAlways(s string, named []namedTool) (demand, bool) {
	if len(named) != 1 || !holdsAny(s, []string{"always", "must"}) || !holdsAny(s, []string{"first"}) {
		return demand{}, false
	}
	n := named[0]
	for _, w := range strings.Fields(strings.ToLower(s[:n.from] + " " + s[n.to:])) {
		if w = strings.Trim(w, "`'\"*().,:!"); w != "" && !isListedIn(w, "always") {
			return demand{}, false
		}
	}
	return demand{tool: n.name, change: changeWords{every: true}, sentence: s}, looksOnly(n.name)
}

// readChange reads the words for a change: names of tools, or a verb with its object.
func (t toolNames) readChange(clause string) (c changeWords, ok bool) {
	if named := t.findTools(clause); len(named) > 0 {
		for _, n := range named {
			c.names = append(c.names, n.name)
		}
		return c, true
	}
	low := strings.ToLower(clause)
	if holdsListed(low, "anyChange") {
		c.every = true
		return c, true
	}
	c.addWords(strings.FieldsFunc(low, func(r rune) bool { return r < 'a' || r > 'z' }))
	return c, len(c.verbs) > 0
}

// addWords adds the verbs and the first noun of a clause. Many words are both: order is
// the noun in "changing an order" and in "an order is changed", and the verb in "you order".
func (c *changeWords) addWords(words []string) {
	first := "" // the word of the first verb
	for i, w := range words {
		verbs, form := verbsIn(w), strings.HasSuffix(w, "ing") || strings.HasSuffix(w, "ed")
		switch {
		case isListedIn(w, "plain"):
		case len(verbs) > 0 && c.verbs == nil:
			first, c.verbs = w, verbs
		case len(verbs) > 0 && c.noun == "" && strings.HasSuffix(w, "ed") && !strings.HasSuffix(first, "ing"):
			c.noun, c.verbs = singularWord(first), verbs
		case len(verbs) > 0 && (form || words[i-1] == "or" || words[i-1] == "and"):
			c.verbs = append(c.verbs, verbs...)
		case c.noun == "":
			c.noun = singularWord(w)
		}
	}
}

func singularWord(w string) string {
	if words := mutation.NameWords(w); len(words) == 1 {
		return words[0]
	}
	return w
}

// fitsChange reports whether an action is one of the changes that the words mean.
func (c *changeWords) fitsChange(a *boundary.Action) bool {
	if c.every || slices.Contains(c.names, a.Name) || slices.Contains(c.names, bareTool(a.Name)) {
		return true
	}
	if !verbMatches(c.verbs, a.Name) {
		return false
	}
	return c.noun == "" || slices.Contains(topicWords(a), c.noun)
}

// topicWords returns the words of an action's name and of its argument names, singular.
func topicWords(a *boundary.Action) []string {
	out := mutation.NameWords(a.Name)
	for i := range a.Leaves {
		out = append(out, mutation.NameWords(a.Leaves[i].Key)...)
	}
	return out
}

// lintSkipped returns findings about tools that the instructions demand before a change,
// but that the run did not call before it. A tool has one finding, at the first change.
func (l *linter) lintSkipped(i int) []Finding {
	a := &l.Obs[i]
	if !isChange(a) || isReporting(a) {
		return nil
	}
	var found []Finding
	for _, d := range l.demands {
		if l.told[d.tool] || !d.change.fitsChange(a) || l.wasCalled(d.tool, i) || !l.fitsHeading(d.heading, i) {
			continue
		}
		l.told[d.tool] = true
		f := l.newFinding(StartBoundary, MissingVerification, SkippedCheck, i, fmt.Sprintf("%s was done without %s before it, which the instructions demand", a.Name, d.tool))
		f.Evidence = []Evidence{{Path: "the instructions", Reference: d.sentence}}
		found = append(found, f)
	}
	return found
}

// wasCalled reports whether a tool was called before an action, by itself or inside
// another call, or whether the user spoke of it.
func (l *linter) wasCalled(tool string, i int) bool {
	for j := range i {
		if b := &l.Obs[j]; b.Name == tool || bareTool(b.Name) == bareTool(tool) || strings.Contains(b.Raw, tool) || strings.Contains(b.Text, tool) {
			return true
		}
	}
	return l.Request != nil && strings.Contains(l.Request(i), strings.ToLower(tool))
}

// fitsHeading reports whether the heading of a procedure is about a change: "Refunds, in
// this order" is about refund_order. A heading without a verb is about all changes. If the
// verb is another one ("Raising a limit" above set_limit), the user must have used it.
func (l *linter) fitsHeading(heading string, i int) bool {
	var verbs []string
	heading = strings.ToLower(heading)
	for _, phrase := range listed("order") {
		heading = strings.ReplaceAll(heading, phrase, "")
	}
	for _, w := range strings.FieldsFunc(heading, func(r rune) bool { return r < 'a' || r > 'z' }) {
		if found := verbsIn(w); len(found) > 0 && !isListedIn(w, "gerund") {
			verbs = append(verbs, found...)
		}
	}
	if len(verbs) == 0 || verbMatches(verbs, l.Obs[i].Name) {
		return true
	}
	return l.Request != nil && slices.ContainsFunc(strings.FieldsFunc(l.Request(i), func(r rune) bool { return r < 'a' || r > 'z' }), func(w string) bool {
		return slices.ContainsFunc(verbStems(w), func(v string) bool { return slices.Contains(verbs, v) })
	})
}
