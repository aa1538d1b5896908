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
// each call and each result, what was expected, and a verdict. Its law: each line that names a call is
// one call of the case in which it stands, or the text is not such a log.

// consoleRows returns the cases of a log of a console as lines of JSON, and reports whether it is one. It
// must have a case or a verdict, and a call. O(n).
func consoleRows(text string) (string, bool) {
	if len(text) < 16 {
		return "", false
	}
	var l consoleLog
	line := 0
	for raw := range strings.Lines(text) {
		line++
		l.readLine(line, strings.TrimRight(raw, "\r\n"))
	}
	if l.calls == 0 || l.bounds == 0 || l.foreign > l.calls {
		return "", false
	}
	l.dropEmpty()
	return l.rowsText(), true
}

// consoleCase is one case of a log.
type consoleCase struct {
	line               int
	id, asked, outcome string
	said               []string
	calls              []string // the members of each call in JSON, without the closing brace
	names              []string
	open               []int  // the indices of the calls without a result
	expected, actual   string // lists of calls in JSON; "" for none
	trial              string
	ended              bool
}

type consoleLog struct {
	cases                  []consoleCase
	calls, bounds, foreign int
}

// The words with which lines begin, after times, levels and names of programs.
const (
	callWords   = "call calls calling tool tool_call toolcall invoke invoking action -> → ➜ >>"
	resultWords = "ok result results response output returned returns return observation err error <- ← <<"
	askWords    = "user human prompt question input query request"
	sayWords    = "agent assistant answer final bot"
	caseWords   = "case test run task trial scenario example sample episode"
	levelWords  = "info debug warn warning error trace notice fatal"
)

// readLine reads a line.
func (l *consoleLog) readLine(n int, line string) {
	body := strings.TrimSpace(cutStamp(line))
	if body == "" {
		return
	}
	said := afterProgram(body)
	if name, arguments, ok := consoleCall(said); ok {
		c := l.currentCase(n)
		c.open = append(c.open, len(c.calls))
		c.calls, c.names = append(c.calls, `{"name":`+literal.Quote(name)+`,"arguments":`+arguments), append(c.names, name)
		l.calls++
		return
	}
	if word, rest := firstWord(body); shape.OneOf(word, callWords) && strings.ContainsAny(rest, "({") {
		l.foreign++ // it may be a call
	}
	if l.readSide(n, said) || l.readBound(n, body, said) || l.readResult(said) {
		return
	}
	switch word, rest := firstWord(body); {
	case rest == "" || len(l.cases) == 0:
	case shape.OneOf(word, askWords) && l.currentCase(n).asked == "":
		l.currentCase(n).asked = rest
	case shape.OneOf(word, sayWords):
		l.currentCase(n).said = append(l.currentCase(n).said, rest)
	}
}

// currentCase returns the case in which a line stands.
func (l *consoleLog) currentCase(n int) *consoleCase {
	if k := len(l.cases); k == 0 || l.cases[k-1].ended {
		l.cases = append(l.cases, consoleCase{line: n})
	}
	return &l.cases[len(l.cases)-1]
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
	if rest = strings.TrimSpace(rest); !ok || !shape.IsName(word) {
		return body
	}
	for _, mark := range [...]string{"->", "<-", "→", "←", ">>", "<<", "==", "final answer", "expected", "actual"} {
		if strings.HasPrefix(rest, mark) {
			return rest
		}
	}
	return body
}

// consoleCall returns the call that a line names, with its arguments in JSON: call> pay(id=1), and
// -> tool=pay args={"id":1}, and TOOL pay {"id":1}.
func consoleCall(said string) (name, arguments string, ok bool) {
	word, rest := firstWord(said)
	if !shape.OneOf(word, callWords) {
		return "", "", false
	}
	for _, opening := range [...]string{"tool_call", "tool call", "call", "tool", "name", "calling"} { // such as tool= after an arrow
		if cut, found := strings.CutPrefix(rest, opening); found && cut != "" && strings.IndexByte("=: ", cut[0]) >= 0 {
			rest = strings.TrimSpace(cut[1:])
			break
		}
	}
	at := strings.IndexAny(rest, "( {")
	if at <= 0 || !shape.IsName(rest[:at]) {
		return "", "", false
	}
	name, rest = rest[:at], strings.TrimSpace(rest[at:])
	if rest[0] == '(' {
		end := closingParen(rest)
		if end < 0 || strings.TrimSpace(rest[end+1:]) != "" && strings.Trim(rest[end+1:], " .…") != "" && !strings.HasPrefix(strings.TrimSpace(rest[end+1:]), "#") {
			return "", "", false
		}
		arguments, ok := shape.CalledArguments(name + rest[:end+1])
		if !ok {
			return "", "", false
		}
		return name, arguments, true
	}
	for _, opening := range [...]string{"arguments", "args", "params", "parameters", "input", "with"} {
		if cut, found := strings.CutPrefix(rest, opening); found {
			rest = strings.TrimLeft(cut, "=: ")
			break
		}
	}
	if !strings.HasPrefix(rest, "{") {
		return "", "", false
	}
	if v, err := jsonval.Parse(rest); err == nil {
		return name, v.Raw(), true
	}
	v := literal.Python(rest)
	return name, v.Raw(), v.Kind() == jsonval.Object
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
	if list == "" {
		return false
	}
	c := l.currentCase(n)
	if expected {
		c.expected = list
	} else {
		c.actual = list
		v, _ := jsonval.Parse(list)
		l.calls += v.Len()
	}
	return true
}

// readBound reads a line that begins or ends a case. said is the line without the name of its program.
func (l *consoleLog) readBound(n int, body, said string) bool {
	marked := strings.HasPrefix(body, "==") || strings.HasPrefix(body, "--") || strings.HasPrefix(body, "##") || strings.HasPrefix(said, "==")
	inner := strings.TrimSpace(strings.Trim(said, "=-# "))
	word, rest := firstWord(inner)
	lower := strings.ToLower(inner)
	end := ""
	switch {
	case shape.OneOf(word, "verdict outcome grade") || word == "status" && rest != "":
		end, _, _ = strings.Cut(rest, " (")
	case marked && (strings.Contains(lower, "finished") || strings.Contains(lower, "ended") || strings.Contains(lower, "done")):
		_, end, _ = strings.Cut(inner, ":")
		end, _, _ = strings.Cut(strings.TrimSpace(end), " (")
	case shape.OneOf(word, "pass passed fail failed ✓ ✗ ✔ ✘ ✅ ❌ ok") && len(l.cases) > 0 && !l.cases[len(l.cases)-1].ended && (rest == "" || strings.Contains(rest, l.cases[len(l.cases)-1].id) || strings.HasPrefix(rest, "(")):
		end = word
	case (marked || strings.HasPrefix(body, "[")) && shape.OneOf(word, caseWords) || marked && strings.Contains(inner, "id="):
		l.bounds++
		c := consoleCase{line: n, id: caseID(rest)}
		if id, ok := wordAfter(inner, "id="); ok {
			c.id = id
		}
		if trial, ok := wordAfter(inner, "trial "); ok {
			c.trial, _, _ = strings.Cut(trial, "/")
		}
		l.cases = append(l.cases, c)
		return true
	case shape.OneOf(word, caseWords) && rest != "" && strings.HasPrefix(strings.TrimSpace(inner[len(word):]), ":") && !strings.Contains(rest, " "):
		l.bounds++
		l.cases = append(l.cases, consoleCase{line: n, id: rest})
		return true
	}
	if end == "" || len(l.cases) == 0 {
		return false
	}
	l.bounds++
	c := &l.cases[len(l.cases)-1]
	c.outcome, c.ended = strings.TrimSpace(end), true
	return true
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
	if !shape.OneOf(word, resultWords) || len(l.cases) == 0 {
		return false
	}
	c := &l.cases[len(l.cases)-1]
	named := ""
	if name, ok := wordAfter(rest, "tool="); ok && strings.HasPrefix(rest, "tool=") {
		named, rest = name, strings.TrimSpace(rest[min(len("tool=")+len(name), len(rest)):])
	} else if name, _, _ := strings.Cut(rest, " "); word != "ok" && len(name) < len(rest) {
		for _, known := range c.names {
			if known == strings.Trim(name, ":") {
				named, rest = known, strings.TrimSpace(rest[len(name):])
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
		if c.expected != "" {
			b.WriteString(`,"expected_calls":` + c.expected)
		}
		if calls := strings.Join(c.calls, "},"); c.actual == "" || calls != "" {
			b.WriteString(`,"actual_calls":[` + calls + shape.IfElse(calls != "", "}", "") + "]}")
		} else {
			b.WriteString(`,"actual_calls":` + c.actual + "}")
		}
	}
	return b.String() + "\n"
}
