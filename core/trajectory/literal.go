package trajectory

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// quote returns a text as a JSON string.
func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return `""` // never happens: a string can always be marshalled
	}
	return string(b)
}

// members returns an object of names and texts.
func members(pairs ...string) jsonval.Value {
	var parts []string
	for i := 0; i+1 < len(pairs); i += 2 {
		parts = append(parts, quote(pairs[i])+":"+quote(pairs[i+1]))
	}
	v, err := jsonval.Parse("{" + strings.Join(parts, ",") + "}")
	if err != nil {
		return jsonval.Value{}
	}
	return v
}

func countLines(n int) string {
	if n == 1 {
		return "1 line"
	}
	return fmt.Sprintf("%d lines", n)
}

// python parses a value in Python's notation ({'id': 'A', 'ok': True}), which tracers
// write where they should write JSON. It returns Missing for any other text.
func python(text string) jsonval.Value {
	p := repr{text: strings.TrimSpace(text)}
	if p.text == "" || (p.text[0] != '{' && p.text[0] != '[') {
		return jsonval.Value{}
	}
	for p.i < len(p.text) && p.ok() {
		p.step()
	}
	v, err := jsonval.Parse(p.out.String())
	if err != nil {
		return jsonval.Value{}
	}
	return v
}

// repr rewrites Python's literals as JSON's, one token at a time. Text that is neither
// fails when the result is parsed.
type repr struct {
	text string
	i    int
	out  strings.Builder
	bad  bool
}

func (p *repr) ok() bool { return !p.bad }

func (p *repr) step() {
	c := p.text[p.i]
	switch {
	case c == '\'' || c == '"':
		p.str(c)
	case c == '(':
		p.put("[")
	case c == ')':
		p.put("]")
	case c == ',' && p.closes():
		p.put("") // Python allows a comma before the end
	case c >= 'A' && c <= 'Z':
		p.word()
	default:
		p.put(p.text[p.i : p.i+1])
	}
}

func (p *repr) put(s string) { p.out.WriteString(s); p.i++ }

// closes reports whether a closing bracket follows the comma.
func (p *repr) closes() bool {
	rest := strings.TrimLeft(p.text[p.i+1:min(p.i+8, len(p.text))], " ")
	return rest != "" && strings.IndexByte(")]}", rest[0]) >= 0
}

func (p *repr) word() {
	for _, w := range [...][2]string{{"True", "true"}, {"False", "false"}, {"None", "null"}} {
		if strings.HasPrefix(p.text[p.i:], w[0]) {
			p.out.WriteString(w[1])
			p.i += len(w[0])
			return
		}
	}
	p.bad = true
}

func (p *repr) str(end byte) {
	var b strings.Builder
	for p.i++; p.i < len(p.text) && p.text[p.i] != end; p.i++ {
		c := p.text[p.i]
		if c == '\\' && p.i+1 < len(p.text) {
			p.i++
			switch c = p.text[p.i]; c {
			case 'n':
				c = '\n'
			case 't':
				c = '\t'
			case 'r':
				c = '\r'
			case '\\', '\'', '"':
			default:
				b.WriteByte('\\')
			}
		}
		b.WriteByte(c)
	}
	if p.i >= len(p.text) {
		p.bad = true
	}
	p.i++
	p.out.WriteString(quote(b.String()))
}
