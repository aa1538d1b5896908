package envelope

import (
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// The program that runs an agent's tests prints them on a console: a line that begins a case, a line for
// each call and each result, what was expected, and a verdict. Its law: each line that names a call is a
// call of the case in which it stands, or it stays in the list of that case as a text, which the reader of
// calls states as unread; or the text is not such a log. TestEachLineIsACall tries to break it.

// consoleRows returns the cases of a log of a console as lines of JSON, and reports whether it is one. It
// must have a case or a verdict, and a call. O(n).
func consoleRows(text string) (string, bool) {
	if len(text) < 16 {
		return "", false
	}
	l := consoleLog{marked: hasRunMarks(text), names: map[string]bool{}, open: map[string]int{}}
	if !l.marked {
		l.ids = caseIDs(text)
	}
	line := 0
	for raw := range strings.Lines(text) {
		line++
		l.readLine(line, strings.TrimRight(raw, "\r\n"))
	}
	if l.calls == 0 || l.bounds == 0 || 2*l.broken > l.calls {
		return "", false
	}
	l.keepUnclear()
	l.dropEmpty()
	return l.rowsText(), true
}

// consoleCase is one case of a log.
type consoleCase struct {
	line               int
	id, asked, outcome string
	answer             string // that was expected
	said               []string
	calls              []string // each call in JSON, of an object without the closing brace
	names              []string // of the calls
	open               []int    // the indices of the calls without a result
	expected, actual   string   // lists of calls, or a text that is none, in JSON; "" for none
	trial              string
	ended              bool
}

type consoleLog struct {
	cases                 []consoleCase
	calls, bounds, broken int
	marked                bool            // each line says of which run it is
	run                   string          // of which run the line is; "" if it says none
	ids                   map[string]bool // of the cases that a line names, and with which other lines begin
	open                  map[string]int  // the last case of each run
	names                 map[string]bool // of the tools that were called
	unclear               []unclearLine
}

// unclearLine is a line that may name a call.
type unclearLine struct {
	at         int // the index of its case
	name, text string
}

// The words with which lines begin, after times, levels and names of programs.
const (
	callWords   = "call calls calling tool tool_call toolcall invoke invoking action -> → ➜ >>"
	resultWords = "ok result results response output returned returns return ret observation err error <- ← <<"
	askWords    = "user human prompt question input query request"
	sayWords    = "agent assistant answer final bot say says said reply"
	caseWords   = "case test run task trial scenario example sample episode conversation session"
	passWords   = "pass passed fail failed ✓ ✗ ✔ ✘ ✅ ❌ ok"
	notRunMarks = "x ✗ ✘ ✖ ⊘ ⛔ 🚫"
	beginWords  = "start started begin begins beginning"
	endWords    = "end ended ends finish finished done complete completed stop stopped"
	levelWords  = "info debug warn warning error trace notice fatal"
)

// readLine reads a line.
func (l *consoleLog) readLine(n int, line string) {
	body := strings.TrimSpace(cutStamp(line))
	if l.run = ""; l.marked {
		l.run, body = cutRunMark(body)
	} else if l.ids != nil {
		l.run, body = l.cutCaseID(body)
	}
	if body == "" {
		return
	}
	body = englishLine(body)
	said := afterProgram(body)
	if list, name := consoleCalls(said); list != nil {
		c := l.currentCase(n)
		for _, call := range list {
			c.open = append(c.open, len(c.calls))
			c.calls, c.names, l.names[call.name] = append(c.calls, call.text()), append(c.names, call.name), true
			if call.output != "" {
				l.readResult("result " + call.output)
			}
			l.calls++
			l.broken += shape.IfElse(call.broken, 1, 0)
		}
		return
	} else if name != "" {
		l.addUnclear(n, name, said)
	}
	if l.readSide(n, said) || l.readBound(n, body, said) || l.readResult(said) {
		return
	}
	word, rest := firstWord(body)
	if l.ids != nil && l.run != "" && l.lastCase() == nil {
		l.addCase(consoleCase{line: n, id: l.run})
	}
	switch {
	case rest == "" || l.lastCase() == nil:
	case shape.OneOf(word, askWords) && l.currentCase(n).asked == "":
		l.currentCase(n).asked = rest
	case shape.OneOf(word, sayWords):
		l.currentCase(n).said = append(l.currentCase(n).said, rest)
	default:
		if name, _, ok := strings.Cut(rest, "("); ok && isWrittenCalls(rest) {
			l.addUnclear(n, strings.TrimSpace(name), body)
		} else if name, _, ok = strings.Cut(body, "("); ok && isWrittenCalls(body) {
			l.addUnclear(n, strings.TrimSpace(name), body)
		}
	}
}

// addUnclear keeps a line that names a call if another line calls the tool, or if it is the name of one.
func (l *consoleLog) addUnclear(n int, name, text string) {
	l.currentCase(n)
	at := len(l.cases) - 1
	if l.run != "" {
		at = l.open[l.run]
	}
	l.unclear = append(l.unclear, unclearLine{at, name, text})
}

// keepUnclear adds the lines that name a tool as texts to the calls of their cases.
func (l *consoleLog) keepUnclear() {
	for _, u := range l.unclear {
		if c := &l.cases[u.at]; l.names[u.name] || strings.ContainsAny(u.name, "_.") || strings.Contains(u.text, u.name+"(") {
			c.calls = append(c.calls, literal.Quote(u.text))
		}
	}
}

// currentCase returns the case in which a line stands.
func (l *consoleLog) currentCase(n int) *consoleCase {
	if c := l.lastCase(); c != nil && !c.ended {
		return c
	}
	return l.addCase(consoleCase{line: n, id: l.run})
}

// lastCase returns the last case of the run of a line, or nil.
func (l *consoleLog) lastCase() *consoleCase {
	at := len(l.cases) - 1
	if l.run != "" {
		known, ok := l.open[l.run]
		at = shape.IfElse(ok, known, -1)
	}
	if at < 0 {
		return nil
	}
	return &l.cases[at]
}

func (l *consoleLog) addCase(c consoleCase) *consoleCase {
	l.cases = append(l.cases, c)
	l.open[l.run] = len(l.cases) - 1
	return &l.cases[len(l.cases)-1]
}

// hasRunMarks reports whether at least half of the lines of a log say of which run they are.
func hasRunMarks(text string) bool {
	lines, marks := 0, 0
	for raw := range strings.Lines(text) {
		if line := strings.TrimSpace(cutStamp(strings.TrimSpace(raw))); line != "" {
			id, _ := cutRunMark(line)
			lines, marks = lines+1, marks+shape.IfElse(id != "", 1, 0)
		}
	}
	return marks > 1 && 2*marks >= lines
}

// cutRunMark returns the id of the run of which a line says that it is, and the rest of the line, which is
// not empty: [run=7f3a] text, and run_id=7f3a text.
func cutRunMark(line string) (id, rest string) {
	mark, rest, _ := strings.Cut(line, " ")
	if line != "" && strings.IndexByte("[(<", line[0]) >= 0 {
		var closed bool
		if mark, rest, closed = strings.Cut(line[1:], shape.IfElse(line[0] == '[', "]", shape.IfElse(line[0] == '(', ")", ">"))); !closed {
			return "", line
		}
	}
	at := strings.IndexAny(mark, "=:# ")
	if rest = strings.TrimSpace(strings.TrimPrefix(strings.TrimLeft(rest, " :|"), "- ")); at <= 0 || rest == "" || !shape.NamesRun(mark[:at]) {
		return "", line
	}
	if id = strings.Trim(mark[at+1:], " :|,;"); id == "" || strings.Contains(id, " ") {
		return "", line
	}
	return id, rest
}

// cutStamp returns a line without the time, the level and the name of the program at its beginning.
func cutStamp(line string) string {
	for range 4 {
		line = strings.TrimSpace(line)
		word, rest, _ := strings.Cut(line, " ")
		bare := strings.Trim(word, "[]():|")
		digits := strings.IndexFunc(bare, unicode.IsDigit) >= 0 && strings.Trim(bare, "0123456789-:/.,TZ+") == "" && len(bare) > 4
		switch {
		case digits, shape.OneOf(strings.ToLower(bare), levelWords) && !strings.HasSuffix(word, ">") && (word == strings.ToUpper(word) || strings.HasPrefix(word, "[")):
			line = rest
		default:
			return line
		}
	}
	return line
}

// firstWord returns the word with which a line begins, in lower case and without marks, and the rest.
func firstWord(line string) (word, rest string) {
	end := strings.IndexFunc(line, func(r rune) bool {
		return r == ':' || r == '>' && !strings.HasPrefix(line, ">") || r == '=' || unicode.IsSpace(r)
	})
	if strings.HasPrefix(line, "->") || strings.HasPrefix(line, "<-") || strings.HasPrefix(line, ">>") || strings.HasPrefix(line, "<<") {
		end = 2
	}
	if end <= 0 {
		return strings.ToLower(strings.Trim(line, "[]*•-")), ""
	}
	return strings.ToLower(strings.Trim(line[:end], "[]*•")), strings.TrimSpace(strings.TrimLeft(line[end:], ":> ="))
}

// afterProgram returns a line without the name of the program before an arrow or a word, such as "agent   ->".
func afterProgram(body string) string {
	word, rest, ok := strings.Cut(body, " ")
	if rest = strings.TrimSpace(rest); !ok || !shape.IsName(word) || shape.OneOf(strings.ToLower(word), passWords) {
		return body
	}
	for _, mark := range [...]string{"->", "<-", "→", "←", ">>", "<<", "==", "final answer", "expected", "actual"} {
		if strings.HasPrefix(rest, mark) {
			return rest
		}
	}
	return body
}

// consoleCalled is a call that a line names.
type consoleCalled struct {
	name, arguments string // the arguments in JSON; "" if the line says none
	output          string // what the line says of its result
	state           string // a word for a call that was not executed
	broken          bool   // the arguments are a text that cannot be read
}

// text returns a call in JSON, without the closing brace.
func (c consoleCalled) text() string {
	return `{"name":` + literal.Quote(c.name) + shape.IfElse(c.arguments == "", "", `,"arguments":`+c.arguments) + shape.IfElse(c.state == "", "", `,"status":`+literal.Quote(c.state))
}

// consoleCalls returns the calls that a line with a word for a call names, with their arguments: call>
// pay(id=1), and -> tool=pay args={"id":1}, and TOOL pay {"id":1}, and CALL pay id=1. If nothing says that the
// first word is a tool, it returns only this word as the name.
func consoleCalls(said string) (list []consoleCalled, name string) {
	word, rest := firstWord(said)
	if call, ok := refusedLine(word, rest); ok {
		return []consoleCalled{call}, call.name
	}
	if !shape.OneOf(word, callWords) {
		return nil, ""
	}
	for _, opening := range [...]string{"tool_call", "tool call", "call", "tool", "name", "calling", "invoke"} { // such as tool= after an arrow
		if cut, found := strings.CutPrefix(rest, opening); found && cut != "" && strings.IndexByte("=: ", cut[0]) >= 0 {
			rest = strings.TrimSpace(cut[1:])
			break
		}
	}
	at := strings.IndexAny(rest, "( {\t")
	if at < 0 {
		at = len(rest)
	}
	name, tail := strings.Trim(rest[:at], "\"'`,:"), strings.TrimSpace(rest[at:])
	if !shape.IsName(name) || saysState(name) {
		return nil, ""
	}
	switch {
	case tail == "":
		return []consoleCalled{{name: name}}, name
	case tail[0] == '(':
		return calledInCode(name, rest, tail), name
	}
	given := tail
	for _, opening := range [...]string{"arguments", "args", "params", "parameters", "input", "with"} {
		if cut, found := strings.CutPrefix(given, opening); found && (cut == "" || strings.IndexByte("=: {", cut[0]) >= 0) {
			given = strings.TrimLeft(cut, "=: ")
			break
		}
	}
	arguments, output, ok := argumentsBeside(given)
	switch {
	case ok:
		call := consoleCalled{name: name, arguments: arguments, output: output}
		if word, _ := firstWord(output); shape.IsProposedState(word) {
			call.state, call.output = word, ""
		}
		return []consoleCalled{call}, name
	case given != tail || tail[0] == '{':
		return []consoleCalled{{name: name, arguments: literal.Quote(given), broken: true}}, name
	}
	return nil, name
}

// saysState reports whether a word after one for a call says how the call went, or that there is none.
func saysState(word string) bool {
	return isNoCall(word) || shape.WordState(word) != shape.CallState{} || shape.CellOutcome("passed", word) != ""
}

// calledInCode returns the calls in a text such as pay(id=1) -> ok. tail is the text after the name.
func calledInCode(name, text, tail string) (list []consoleCalled) {
	if parts := splitCalls(text); isWrittenCalls(text) {
		for _, part := range parts {
			called, _, _ := strings.Cut(part, "(")
			arguments, ok := shape.CalledArguments(strings.TrimSpace(part))
			if !ok {
				list = nil
				break
			}
			list = append(list, consoleCalled{name: strings.TrimSpace(called), arguments: arguments})
		}
		if list != nil {
			return list
		}
	}
	if end := closingParen(tail); end >= 0 {
		after := strings.Trim(tail[end+1:], " .…")
		output, shown := cutArrow(after)
		arguments, ok := shape.CalledArguments(name + tail[:end+1])
		state, _ := firstWord(after)
		said := shape.WordState(state)
		switch {
		case ok && (said.Refused || said.Waiting):
			return []consoleCalled{{name: name, arguments: arguments, state: state}}
		case ok && (shown || after == "" || after[0] == '#' || said != shape.CallState{}):
			return []consoleCalled{{name: name, arguments: arguments, output: shape.IfElse(shown, output, after)}}
		}
	}
	return []consoleCalled{{name: name, arguments: literal.Quote(tail), broken: true}}
}

// cutArrow returns the text after the arrow with which a text begins, and reports whether there is one.
func cutArrow(text string) (rest string, ok bool) {
	for _, arrow := range [...]string{"->", "=>", "→", "⇒"} {
		if rest, ok = strings.CutPrefix(text, arrow); ok {
			return strings.TrimSpace(rest), true
		}
	}
	return "", false
}

// argumentsBeside reads arguments that stand after the name of a tool: an object, perhaps with a result after an
// arrow or a word for what became of the call, or words such as id=1.
func argumentsBeside(text string) (arguments, output string, ok bool) {
	if strings.HasPrefix(text, "{") {
		for end := len(text); end > 0; end = strings.LastIndexByte(text[:end-1], '}') + 1 {
			after := strings.TrimSpace(text[end:])
			rest, shown := cutArrow(after)
			if word, _ := firstWord(after); !shown && shape.WordState(word) != (shape.CallState{}) { // a column with what became of it
				rest, shown = after, true
			}
			if after != "" && !shown {
				continue
			}
			if v, err := jsonval.Parse(text[:end]); err == nil {
				return v.Raw(), rest, true
			}
			if v := literal.Python(text[:end]); v.Kind() == jsonval.Object {
				return v.Raw(), rest, true
			}
		}
		return "", "", false
	}
	var parts []string
	for text != "" {
		name, rest, found := strings.Cut(text, "=")
		if !found || !shape.IsName(name) || rest == "" {
			return "", "", false
		}
		value := rest
		if quote := rest[0]; quote == '"' || quote == '\'' {
			end := strings.IndexByte(rest[1:], quote)
			if end < 0 {
				return "", "", false
			}
			value, text = literal.Quote(rest[1:end+1]), strings.TrimLeft(rest[end+2:], ", ")
		} else {
			value, text, _ = strings.Cut(rest, " ")
			value, text = strings.TrimSuffix(value, ","), strings.TrimLeft(text, " ")
			if v, err := jsonval.Parse(value); err != nil || v.Kind() == jsonval.String {
				value = literal.Quote(value)
			}
		}
		parts = append(parts, literal.Quote(name)+":"+value)
	}
	return "{" + strings.Join(parts, ",") + "}", "", len(parts) > 0
}

// closingParen returns the offset of the parenthesis that closes the one with which a text begins, or -1.
func closingParen(text string) int {
	depth, quote := 0, byte(0)
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote && text[i-1] != '\\' {
				quote = 0
			}
		case c == '"' || c == '\'' && strings.IndexByte("(=[{, ", text[max(i-1, 0)]) >= 0:
			quote = c
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// readSide reads a line that says what was expected or done: expected tools: find, pay.
func (l *consoleLog) readSide(n int, said string) bool {
	head, rest, ok := strings.Cut(said, ":")
	if left, right, columns := strings.Cut(said, "  "); columns && (!ok || len(left) < len(head)) {
		head, rest, ok = left, right, true
	}
	if rest = strings.TrimSpace(rest); !ok || len(head) > 32 || rest == "" {
		return false
	}
	words := shape.SplitWords(head)
	expected, actual := false, false
	for _, word := range words {
		expected, actual = expected || shape.OneOf(word, "expected want wanted expect"), actual || shape.OneOf(word, "actual got observed")
	}
	if expected == actual {
		return false
	}
	list := calledNames(rest, false)
	if list == "" {
		if v, err := jsonval.Parse(rest); err == nil && v.Kind() == jsonval.Array {
			list = v.Raw()
		}
	}
	c := l.currentCase(n)
	switch answer := list == "" && !shape.SpeaksOfCalls(head) && !namesCallInside(rest); {
	case answer && expected:
		c.answer = rest
	case answer:
		return false
	case expected:
		c.expected = shape.IfElse(list == "", literal.Quote(rest), list)
	case list == "":
		l.addUnclear(n, "_", said)
	default:
		c.actual = list
		v, _ := jsonval.Parse(list)
		l.calls += v.Len()
	}
	return true
}

// namesCallInside reports whether a text has a name with an opening parenthesis behind it.
func namesCallInside(text string) bool {
	before, _, ok := strings.Cut(text, "(")
	return ok && before != "" && shape.IsName(before[strings.LastIndexAny(before, " ,;")+1:])
}

// readBound reads a line that begins or ends a case. said is the line without the name of its program.
func (l *consoleLog) readBound(n int, body, said string) bool {
	marked := strings.HasPrefix(body, "==") || strings.HasPrefix(body, "--") || strings.HasPrefix(body, "##") || strings.HasPrefix(said, "==")
	inner := strings.TrimSpace(strings.Trim(said, "=-# "))
	word, rest := firstWord(inner)
	lower := strings.ToLower(inner)
	end, last := "", l.lastCase()
	switch {
	case shape.OneOf(word, "verdict outcome grade") || word == "status" && rest != "":
		end, _, _ = strings.Cut(rest, " (")
	case marked && (strings.Contains(lower, "finished") || strings.Contains(lower, "ended") || strings.Contains(lower, "done")):
		_, end, _ = strings.Cut(inner, ":")
		end, _, _ = strings.Cut(strings.TrimSpace(end), " (")
	case l.run != "" && shape.OneOf(word, beginWords):
		l.bounds++
		l.addCase(consoleCase{line: n, id: l.run, asked: askedIn(rest)})
		return true
	case l.run != "" && shape.OneOf(word, endWords):
		if end = outcomeIn(rest); end == "" && last != nil {
			last.ended = true
			return true
		}
	case shape.OneOf(word, passWords) && last != nil && !last.ended && (rest == "" || strings.Contains(rest, last.id) || strings.HasPrefix(rest, "(") || saysVerdict(inner, rest)):
		end = word
	case isCounted(body) && !shape.OneOf(strings.ToLower(caseID(rest)), passWords+" "+callWords):
		l.bounds++
		l.addCase(consoleCase{line: n, id: shape.IfElse(strings.Contains(rest, " "), word, rest)})
		return true
	case (marked || strings.HasPrefix(body, "[")) && shape.OneOf(word, caseWords) || marked && strings.Contains(inner, "id="):
		l.bounds++
		c := consoleCase{line: n, id: caseID(rest)}
		if id, ok := wordAfter(inner, "id="); ok {
			c.id = id
		}
		if trial, ok := wordAfter(inner, "trial "); ok {
			c.trial, _, _ = strings.Cut(trial, "/")
		}
		if l.ids[c.id] {
			l.run = c.id
		}
		if _, asked, ok := strings.Cut(rest, `"`); ok {
			c.asked = strings.TrimSuffix(asked, `"`)
		}
		l.addCase(c)
		return true
	case shape.OneOf(word, caseWords) && rest != "" && strings.HasPrefix(strings.TrimSpace(inner[len(word):]), ":") && !strings.Contains(rest, " "):
		l.bounds++
		l.addCase(consoleCase{line: n, id: rest})
		return true
	}
	if end == "" || last == nil {
		return false
	}
	l.bounds++
	last.outcome, last.ended = strings.TrimSpace(end), true
	return true
}

// askedIn returns what a line that begins a run says of its task: task="morning report", or all of it.
func askedIn(rest string) string {
	if _, value, ok := strings.Cut(rest, "="); ok {
		rest = value
	}
	return strings.Trim(strings.TrimSpace(rest), "\"'")
}

// outcomeIn returns the word for how a run ended in a line that ends it: PASS 1.9s, and status=failed.
func outcomeIn(rest string) string {
	word, _, _ := strings.Cut(rest, " ")
	if _, value, ok := strings.Cut(word, "="); ok {
		word = value
	}
	word = strings.Trim(word, ",;()[]")
	return shape.IfElse(shape.CellOutcome("passed", word) != "", word, rest)
}

// caseID returns the id with which the rest of a line that begins a case begins.
func caseID(rest string) string {
	word, _, _ := strings.Cut(strings.TrimLeft(rest, "#"), " ")
	return strings.Trim(word, ":,()[]")
}

// wordAfter returns the word after a mark.
func wordAfter(text, mark string) (string, bool) {
	_, rest, ok := strings.Cut(text, mark)
	word, _, _ := strings.Cut(rest, " ")
	return strings.Trim(word, ",;()[]"), ok && word != ""
}

// readResult reads a line with the result of a call: that of the tool which it names, or else of the last.
func (l *consoleLog) readResult(said string) bool {
	word, rest := firstWord(said)
	c := l.lastCase()
	if !shape.OneOf(word, resultWords) || c == nil {
		return false
	}
	named := ""
	if name, ok := wordAfter(rest, "tool="); ok && strings.HasPrefix(rest, "tool=") {
		named, rest = name, strings.TrimSpace(rest[min(len("tool=")+len(name), len(rest)):])
	} else if name, _, _ := strings.Cut(rest, " "); word != "ok" && len(name) < len(rest) {
		for _, known := range c.names {
			if known == strings.Trim(name, ":") {
				named, rest = known, strings.TrimSpace(rest[len(name):])
				if shown, ok := cutArrow(rest); ok {
					rest = shown
				}
				break
			}
		}
	}
	last := len(c.open) - 1
	for last >= 0 && named != "" && c.names[c.open[last]] != named {
		last--
	}
	if last < 0 {
		return false
	}
	at := c.open[last]
	c.open = slices.Delete(c.open, last, last+1)
	failed := shape.OneOf(word, "err error")
	if state, text := firstWord(rest); shape.OneOf(state, "error err failed") {
		failed, rest = true, text
	} else if state == "ok" && text != "" {
		rest = text
	}
	if c.calls[at][0] == '"' {
		return false
	}
	c.calls[at] += shape.IfElse(failed, `,"error":`, `,"output":`) + literal.Quote(shape.IfElse(failed && rest == "", "error", rest))
	return true
}

// dropEmpty drops the cases of which the log says nothing.
func (l *consoleLog) dropEmpty() {
	kept := l.cases[:0]
	for _, c := range l.cases {
		if len(c.calls) > 0 || c.expected != "" || c.actual != "" || c.outcome != "" || c.asked != "" {
			kept = append(kept, c)
		}
	}
	l.cases = kept
}

// rowsText returns the cases as lines of JSON, each in the line where it begins.
func (l *consoleLog) rowsText() string {
	var b strings.Builder
	line := 1
	for _, c := range l.cases {
		for ; line < c.line; line++ {
			b.WriteByte('\n')
		}
		b.WriteString(`{"case_id":` + literal.Quote(c.id))
		for _, m := range [...][2]string{{"input", c.asked}, {"trial", c.trial}, {"outcome", c.outcome}, {"answer", strings.Join(c.said, "\n")}} {
			if m[1] != "" {
				b.WriteString(`,"` + m[0] + `":` + shape.IfElse(m[0] == "trial" && jsonval.Valid(m[1]), m[1], literal.Quote(m[1])))
			}
		}
		if c.answer != "" {
			b.WriteString(`,"expected_output":` + literal.Quote(c.answer))
		}
		if c.expected != "" {
			b.WriteString(`,"expected_calls":` + c.expected)
		}
		for i, call := range c.calls {
			c.calls[i] = call + shape.IfElse(call[0] == '{', "}", "")
		}
		b.WriteString(`,"actual_calls":` + shape.IfElse(len(c.calls) == 0 && c.actual != "", c.actual, "["+strings.Join(c.calls, ",")+"]") + "}")
	}
	return b.String() + "\n"
}
