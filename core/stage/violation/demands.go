package violation

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/stage/sentences"
)

// SkippedCheck is the id of the rule about a change before which the instructions demand
// a tool that the run did not call.
const SkippedCheck = "skipped-check"

// maxDemands is the number of demands of one list, and of all instructions, that the rule
// reads.
const maxDemands = 500

// demand is one tool that the instructions demand before a change.
type demand struct {
	tool     string
	change   changeWords
	heading  string // of the list that has the tool as a step; "" for none
	sentence string
}

// changeWords describes which changes a sentence of the instructions means. A change fits
// if its tool is in names. It also fits if its verb is in verbs and noun, unless empty,
// is one of the words for its object.
type changeWords struct {
	names, verbs []string
	noun         string
	every        bool // every change fits
}

// toolNames holds the names of the tools that a run can call.
type toolNames struct {
	known   map[string]bool // names with and without their namespace
	called  map[string]bool // those that the run calls
	defined bool            // the trace defines its tools, so no others exist
}

// knownTools returns the names of the tools that the trace defines or that the run calls.
func (l *linter) knownTools() toolNames {
	t := toolNames{known: map[string]bool{}, called: map[string]bool{}, defined: len(l.Tools) > 0}
	for _, name := range l.Tools {
		t.known[name], t.known[bareTool(name)] = true, true
	}
	for i := range l.Obs {
		if name := l.Obs[i].Name; l.Obs[i].Text == "" {
			t.known[name], t.known[bareTool(name)] = true, true
			t.called[name], t.called[bareTool(name)] = true, true
		}
	}
	return t
}

// bareTool returns a tool's name without its namespace. For example, mcp__bank__get_card
// becomes get_card.
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

// findTools returns the tools that a text names exactly, in the order of the text. A
// known name that is an English word counts only in quotes, before a parenthesis or as
// the entire text. If the trace defines no tools, an unknown name with an underscore
// counts if it begins with a verb or follows a word such as "call".
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
		switch {
		case t.known[word]:
			marked := from > 0 && strings.IndexByte("`'\"", text[from-1]) >= 0 || to < len(text) && text[to] == '(' || strings.Trim(text, " .;:,") == word
			if marked || isCompound(word) {
				out = append(out, namedTool{word, from, to})
			}
		case !t.defined && strings.IndexByte(word, '_') > 0 && (isCallable(word) || isListedIn(lastWordOf(text[max(0, from-20):from]), "call")):
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

// firstWordOf returns the first word of a text in lower case.
func firstWordOf(text string) string {
	first, _, _ := strings.Cut(strings.ToLower(text), " ")
	return strings.Trim(first, ",:")
}

// isCompound reports whether an identifier cannot be an English word. Such an identifier
// has an underscore, or capitals and small letters after its first letter, for example
// getCard.
func isCompound(word string) bool {
	return strings.IndexByte(word, '_') > 0 || strings.ToLower(word[1:]) != word[1:] && strings.ToUpper(word) != word
}

// isCallable reports whether an unknown identifier with an underscore is the name of a
// tool. The first word of such a name is a verb.
func isCallable(word string) bool {
	if word != strings.ToLower(word) {
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

// readDemands returns the demands of the instructions to call a tool before a change. It
// leaves out a demand if another sentence makes an exception to it. It returns at most
// maxDemands demands. O(length).
func (l *linter) readDemands() []demand {
	tools := l.knownTools()
	lists, lines := readLists(l.Policy)
	for i := range lists {
		tools.readSteps(&lists[i])
	}
	steps := countSteps(lists)
	var out []demand
	for i := range lists {
		list := &lists[i]
		out = append(out, tools.demandsOf(list, steps)...)
		if isConditional(list.heading) && !holdsListed(list.heading, "asking") {
			continue
		}
		for _, item := range list.items {
			out = append(out, tools.readLine(textLine{item, list.heading})...)
		}
	}
	for _, line := range lines {
		out = append(out, tools.readLine(line)...)
	}
	if out == nil {
		return nil
	}
	excepting := slices.DeleteFunc(slices.Clone(l.sentences), func(s string) bool { return !holdsListed(s, "exception") })
	return slices.DeleteFunc(out[:min(len(out), maxDemands)], func(d demand) bool {
		return slices.ContainsFunc(excepting, func(s string) bool { return !strings.Contains(d.sentence, s) && d.isExcepted(s) })
	})
}

// readLine returns the demands in the sentences of a line.
func (t toolNames) readLine(line textLine) []demand {
	var out []demand
	for _, s := range splitSentences(line.text) {
		if d, ok := t.readSentence(s); ok {
			d.heading = line.heading
			out = append(out, d)
		}
	}
	return out
}

// isExcepted reports whether a sentence with an exception is about this demand. The
// sentence must name the demanded tool, or a tool of the change.
func (d *demand) isExcepted(s string) bool {
	return holdsID(s, d.tool) || slices.ContainsFunc(d.change.names, func(name string) bool { return holdsID(s, name) })
}

// stepList is a list of the instructions.
type stepList struct {
	heading string
	items   []string
	kind    byte // 1 for numbers, a for letters, - for bullets, > for arrows
	indent  int
	last    string        // the last mark
	tools   [][]namedTool // that each item names
	ordered bool          // the list is a procedure that names a tool
}

// textLine is a line outside of lists, with the heading of its section.
type textLine struct{ text, heading string }

// readLists returns the lists of a text, and the lines that are in no list. The lines of
// a list begin with numbers, letters, bullets or arrows. A list with a deeper indent is a
// separate list: its heading is the outer heading and the item above. A single line with
// arrows between its parts is a list, too.
func readLists(text string) (done []stepList, lines []textLine) {
	var open []stepList
	section, heading := "", ""
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
		case strings.HasPrefix(bare, "#"):
			closeFrom(0)
			section, heading = "", ""
			if strings.HasPrefix(bare, "##") { // the title is about the entire text
				section = strings.Trim(bare, "# ") + ": "
			}
		case kind == 0 && len(open) > 0 && indent > open[len(open)-1].indent:
			items := open[len(open)-1].items
			items[len(items)-1] += " " + bare
		case kind == 0:
			closeFrom(0)
			if heading = bare[strings.LastIndex(bare, ". ")+1:]; !strings.HasSuffix(strings.Trim(heading, " *_"), ":") && !holdsListed(heading, "order") {
				heading = ""
			}
			if list, ok := cutArrows(bare); ok {
				list.heading = section + list.heading
				done = append(done, list)
			} else {
				lines = append(lines, textLine{bare, section})
			}
		default:
			for len(open) > 0 && indent < open[len(open)-1].indent {
				closeFrom(len(open) - 1)
			}
			n := len(open)
			if n > 0 && indent == open[n-1].indent && open[n-1].continues(kind, mark) {
				open[n-1].items, open[n-1].last = append(open[n-1].items, rest), mark
				continue
			}
			above := section + heading
			if n > 0 && indent > open[n-1].indent {
				above = open[n-1].heading + " " + open[n-1].items[len(open[n-1].items)-1]
			} else {
				closeFrom(0)
			}
			open, heading = append(open, stepList{heading: above, items: []string{rest}, kind: kind, indent: indent, last: mark}), ""
		}
	}
	closeFrom(0)
	return done, lines
}

// continues reports whether an item with the given mark continues a list. The mark must
// be of the same kind. A number or a letter must be higher than the mark of the last
// item.
func (s *stepList) continues(kind byte, mark string) bool {
	if kind != s.kind {
		return false
	}
	return kind == '-' || kind == '>' || len(mark) > len(s.last) || len(mark) == len(s.last) && mark > s.last
}

// cutMark splits a list item into its mark and its text. The mark is a number, a letter,
// a bullet or an arrow, for example "2." or "Step 3:". kind is 0 if the line has no mark.
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

// cutArrows splits a line with arrows into the steps of a list, for example "Refund:
// get_order -> get_policy -> refund_order". The second result is false if the line has no
// arrow.
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

// readSteps sets which tools each item of a list names, and whether the list is a
// procedure.
func (t toolNames) readSteps(s *stepList) {
	any := false
	for _, item := range s.items {
		named := t.findTools(item)
		s.tools = append(s.tools, named)
		any = any || len(named) > 0
	}
	s.ordered = any && s.isOrdered()
}

// isOrdered reports whether a list is a procedure, whose steps have a fixed order. A list
// is a procedure in these cases:
//
//   - It has arrows.
//   - Its heading says so.
//   - It has numbers or letters, and a step begins with a word such as "then".
//   - It has numbers or letters, and two steps tell the agent to call a tool.
//
// A list is never a procedure if its heading announces a catalogue, or is a condition
// without a word for asking.
func (s *stepList) isOrdered() bool {
	if holdsListed(s.heading, "catalogue") || isConditional(s.heading) && !holdsListed(s.heading, "asking") {
		return false
	}
	if s.kind == '>' || holdsListed(s.heading, "order") {
		return true
	}
	if s.kind == '-' {
		return false
	}
	calls := 0
	for i, item := range s.items {
		if isListedIn(firstWordOf(item), "sequel") {
			return true
		}
		if named := s.tools[i]; len(named) == 1 && isListedIn(lastWordOf(item[:named[0].from]), "call") {
			calls++
		}
	}
	return calls > 1
}

// isFollowed reports whether the run follows a procedure, so that the procedure's heading
// does not matter. The run must call at least two of the changing tools that the
// procedure names.
func (t toolNames) isFollowed(s *stepList) bool {
	called := map[string]bool{}
	for _, named := range s.tools {
		if len(named) == 1 && t.called[named[0].name] && !looksOnly(named[0].name) {
			called[named[0].name] = true
		}
	}
	return len(called) > 1
}

// isConditional reports whether a text applies only in some cases. Such a text contains a
// condition, or begins with "for".
func isConditional(text string) bool {
	return holdsListed(text, "condition") || strings.HasPrefix(strings.ToLower(text), "for ")
}

// demandsOf returns the demands of one procedure. Each step that names one reading tool
// is demanded before each later step that names one changing tool. A changing tool that
// is a step of several procedures has no demand.
func (t toolNames) demandsOf(list *stepList, steps map[string]int) []demand {
	if !list.ordered {
		return nil
	}
	heading := list.heading
	if t.isFollowed(list) {
		heading = ""
	}
	var out []demand
	var before []demand
	for i, item := range list.items {
		if len(list.tools[i]) != 1 {
			continue
		}
		name := list.tools[i][0].name
		switch {
		case looksOnly(name):
			if !isConditional(item) && !holdsAny(item, []string{"or", "not"}) {
				before = append(before, demand{tool: name, heading: heading, sentence: item})
			}
		case holdsListed(item, "negation") || isFallback(item), steps[name] > 1, !t.called[name]:
		default:
			for _, d := range before {
				if d.change.names = []string{name}; len(out) < maxDemands {
					out = append(out, d)
				}
			}
		}
	}
	return out
}

// isFallback reports whether a step has a condition, for example "if it fails". A
// condition for success, such as "if it is valid", does not count.
func isFallback(item string) bool {
	return isConditional(item) && !holdsAny(item, []string{"pass", "passes", "passed", "eligible", "valid", "confirms", "confirmed", "agrees", "yes", "in order", "succeeds"})
}

// countSteps returns for each tool the number of procedures that name the tool in a step.
func countSteps(lists []stepList) map[string]int {
	count := map[string]int{}
	for i := range lists {
		if !lists[i].ordered {
			continue
		}
		seen := map[string]bool{}
		for _, n := range slices.Concat(lists[i].tools...) {
			if !seen[n.name] {
				seen[n.name] = true
				count[n.name]++
			}
		}
	}
	return count
}

// readSentence returns the demand of a sentence that requires a tool before a change. The
// second result is false for any other sentence. For the tool T and the change W, it
// reads these forms:
//
//   - "Call T before W"
//   - "Before W, call T"
//   - "T must answer before W"
//   - "Never W before calling T"
//   - "Always run T first"
func (t toolNames) readSentence(s string) (demand, bool) {
	named := t.findTools(s)
	low := strings.ToLower(s)
	if len(named) == 0 || len(low) != len(s) || isConditional(s) || isListedIn(firstWordOf(low), "continuing") {
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

// cutFold removes mark from the beginning of a text, and ignores letter case. The second
// result is false if the text does not begin with mark. Spaces around the text are
// removed.
func cutFold(text, mark string) (string, bool) {
	text = strings.TrimSpace(text)
	if len(text) < len(mark) || !strings.EqualFold(text[:len(mark)], mark) {
		return text, false
	}
	return text[len(mark):], true
}

// indexBefore finds the word "before", or a phrase with this meaning, in a lower-case
// text. It returns the offsets at which the word begins and ends. Both are -1 if there is
// no such word.
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

// demandedTool returns the only tool that a clause names. The second result reports
// whether the clause tells the agent to call this tool. The clause must begin with the
// name, or have a verb such as "call" before the name.
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

// readAlways returns the demand of a sentence such as "Always run T first", which
// requires a tool before every change. The second result is false for any other sentence.
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

// readChange reads the words of a clause that mean a change. These are names of tools, a
// phrase such as "any change", or a verb with its object. ok is false if there are no
// such words.
func (t toolNames) readChange(clause string) (c changeWords, ok bool) {
	if named := t.findTools(clause); len(named) > 0 {
		for _, n := range named {
			c.names = append(c.names, n.name)
		}
		return c, true
	}
	low := strings.ToLower(clause)
	for _, phrase := range listed("anyChange") { // "any change", but not "any change of address"
		before, after, found := strings.Cut(low, phrase)
		if found && !slices.ContainsFunc(lettersOf(before+" "+after), func(w string) bool { return !isListedIn(w, "plain") }) {
			c.every = true
			return c, true
		}
	}
	c.addWords(lettersOf(low))
	return c, len(c.verbs) > 0
}

// addWords adds the verbs and the first noun of a clause. Some words can be both. For
// example, "order" is a noun in "changing an order", and a verb in "you order".
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

// lintSkipped returns the findings about the change i. There is a finding for each tool
// that the instructions demand before this change, but that the run did not call. Each
// tool is reported only once.
func (l *linter) lintSkipped(i int) []Finding {
	a := &l.Obs[i]
	if !isChange(a) || isReporting(a) {
		return nil
	}
	var found []Finding
	for _, d := range l.demands {
		if l.settled[d.tool] || !d.change.fitsChange(a) {
			continue
		}
		if l.wasCalled(d.tool, i) {
			l.settled[d.tool] = true
			continue
		}
		if !l.fitsHeading(&d, i) {
			continue
		}
		l.settled[d.tool] = true
		f := l.newFinding(StartBoundary, MissingVerification, SkippedCheck, i, sentences.CheckSkipped.With(a.Name, d.tool))
		f.Evidence = []Evidence{{Path: "the instructions", Reference: d.sentence}}
		found = append(found, f)
	}
	return found
}

// wasCalled reports whether a tool was called before action i, directly or inside another
// call. It is also true if the user mentioned the tool.
func (l *linter) wasCalled(tool string, i int) bool {
	for j := range i {
		if b := &l.Obs[j]; b.Name == tool || bareTool(b.Name) == bareTool(tool) || strings.Contains(b.Raw, tool) || strings.Contains(b.Text, tool) {
			return true
		}
	}
	return l.Request != nil && strings.Contains(l.Request(i), strings.ToLower(tool))
}

// fitsHeading reports whether the heading above a demand is about the change i. For
// example, "Refunds, in this order" is about refund_order. Each word of the heading must
// be in the names of the two tools or in the user's request, or be the verb of the
// change.
func (l *linter) fitsHeading(d *demand, i int) bool {
	heading := strings.ToLower(d.heading)
	for _, phrase := range listed("order") {
		heading = strings.ReplaceAll(heading, phrase, "")
	}
	if heading == "" {
		return true
	}
	known := map[string]bool{}
	add := func(words []string) {
		for _, w := range words {
			for _, stem := range verbStems(w) {
				known[stem] = true
			}
		}
	}
	add(topicWords(&l.Obs[i]))
	add(mutation.NameWords(d.tool))
	if l.Request != nil {
		add(lettersOf(l.Request(i)))
	}
	for _, w := range lettersOf(heading) {
		stems := append(verbStems(w), singularWord(w))
		if len(w) > 2 && !isListedIn(w, "plain") && !isListedIn(w, "heading") && !slices.ContainsFunc(stems, func(s string) bool { return known[s] }) && !verbMatches(verbsIn(w), l.Obs[i].Name) {
			return false
		}
	}
	return true
}

// lettersOf splits a lower-case text into words of the letters a to z.
func lettersOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r < 'a' || r > 'z' })
}
