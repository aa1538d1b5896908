package pycall

import "strings"

// maxDepth bounds nesting, so that a hostile text cannot exhaust the stack.
const maxDepth = 100

// Parse reads a program in linear time. If the program cannot be read, Parse returns a
// *SyntaxError and no statements.
func Parse(src string) ([]Statement, error) {
	p := &parser{scanner: scanner{src: src}}
	if err := p.next(); err != nil {
		return nil, err
	}
	var out []Statement
	for p.tok.kind != end {
		if p.tok.kind == newline {
			if err := p.next(); err != nil {
				return nil, err
			}
			continue
		}
		st, err := p.statement()
		if err != nil {
			return nil, err
		}
		out = append(out, st)
		if p.tok.kind != newline && p.tok.kind != end {
			return nil, p.unexpected()
		}
	}
	return out, nil
}

type parser struct {
	scanner
	line, counted int // line ends before src[counted]
}

// lineHere returns the line number of the current token. Tokens come in order, so each
// line end of the source is counted only once.
func (p *parser) lineHere() int {
	p.line += strings.Count(p.src[p.counted:p.tok.from], "\n")
	p.counted = p.tok.from
	return p.line + 1
}

func (p *parser) source() string { return p.src[p.tok.from:p.tok.to] }

func (p *parser) is(op string) bool { return p.tok.kind == operator && p.source() == op }

func (p *parser) isWord(word string) bool { return p.tok.kind == name && p.source() == word }

func (p *parser) unexpected() error {
	switch p.tok.kind {
	case end:
		return p.fail(p.tok.from, "unexpected end")
	case newline:
		return p.fail(p.tok.from, "unexpected end of line")
	}
	return p.fail(p.tok.from, "unexpected %s", p.source())
}

// take skips the current token. It returns an error if the token is not the operator
// op.
func (p *parser) take(op string) error {
	if !p.is(op) {
		if p.tok.kind == end || p.tok.kind == newline {
			return p.fail(p.tok.from, "missing %s", op)
		}
		return p.unexpected()
	}
	return p.next()
}

// keywords holds the words that cannot be names.
const keywords = " False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield "

func keyword(word string) bool { return strings.Contains(keywords, " "+word+" ") }

func (p *parser) statement() (Statement, error) {
	st := Statement{Line: p.lineHere()}
	from := p.tok.from
	if p.tok.kind == name {
		switch word := p.source(); word {
		case "import", "from":
			return p.imported(st)
		case "pass":
			st.Value = Value{Kind: Other, Text: word}
			return st, p.next()
		case "None", "True", "False", "await", "not", "lambda":
		default:
			if keyword(word) {
				return st, p.fail(p.tok.from, "a %s statement is not supported, because it is not a call", word)
			}
		}
	}
	v, err := p.tuple(0)
	if err != nil {
		return st, err
	}
	for p.is("=") {
		if st.Target = strings.TrimSpace(p.src[from:p.tok.from]); v.Kind == String || v.Kind == Number || v.Kind == None || v.Kind == Bool {
			return st, p.fail(from, "cannot assign to %s", st.Target)
		}
		if err := p.next(); err != nil {
			return st, err
		}
		if v, err = p.tuple(0); err != nil {
			return st, err
		}
	}
	st.Value = v
	return st, nil
}

// imported reads an import statement and keeps its source. Examples of such statements
// are "import a.b as c, d" and "from a import b".
func (p *parser) imported(st Statement) (Statement, error) {
	from := p.tok.from
	words := 0
	for ; p.tok.kind != newline && p.tok.kind != end; words++ {
		known := p.tok.kind == name || p.is(".") || p.is(",") || p.is("*") || p.is("(") || p.is(")") || p.is("...")
		if !known {
			return st, p.unexpected()
		}
		if p.is("(") {
			p.depth++
		} else if p.is(")") && p.depth > 0 {
			p.depth--
		}
		if err := p.next(); err != nil {
			return st, err
		}
	}
	if words < 2 {
		return st, p.unexpected()
	}
	st.Import = strings.TrimSpace(p.src[from:p.tok.from])
	return st, nil
}

// tuple reads one expression, or a tuple without brackets: several expressions with
// commas between them.
func (p *parser) tuple(depth int) (Value, error) {
	v, err := p.expression(depth)
	if err != nil || !p.is(",") {
		return v, err
	}
	out := Value{Kind: Tuple, Items: []Value{v}}
	for p.is(",") {
		if err := p.next(); err != nil {
			return v, err
		}
		if p.tok.kind == newline || p.tok.kind == end || p.is("=") {
			break
		}
		if v, err = p.expression(depth); err != nil {
			return v, err
		}
		out.Items = append(out.Items, v)
	}
	return out, nil
}

// infix holds the operators and words between two operands.
const infix = " + - * / // % ** @ & | ^ << >> < > <= >= == != and or in is if else not := "

// expression reads an expression. If it consists of one operand, the result is this
// operand. If it has operators between operands, the result is only the source.
func (p *parser) expression(depth int) (Value, error) {
	from := p.tok.from
	v, err := p.unary(depth)
	if err != nil {
		return v, err
	}
	to := p.tok.from
	joined := false
	for (p.tok.kind == operator || p.tok.kind == name) && strings.Contains(infix, " "+p.source()+" ") {
		joined = true
		negated := p.isWord("not")
		if err := p.next(); err != nil {
			return v, err
		}
		if negated {
			if !p.isWord("in") {
				return v, p.unexpected()
			}
			if err := p.next(); err != nil {
				return v, err
			}
		}
		if _, err := p.unary(depth); err != nil {
			return v, err
		}
		to = p.tok.from
	}
	if joined {
		v = Value{Kind: Other, Text: strings.TrimSpace(p.src[from:to])}
	}
	return v, nil
}

// unary reads an operand with the operators before it.
func (p *parser) unary(depth int) (Value, error) {
	from := p.tok.from
	if depth > maxDepth {
		return Value{}, p.fail(from, "nested too deeply")
	}
	switch {
	case p.is("*"):
		if err := p.next(); err != nil {
			return Value{}, err
		}
		v, err := p.unary(depth + 1)
		return Value{Kind: Star, Items: []Value{v}}, err
	case p.is("-"), p.is("+"), p.is("~"), p.isWord("not"), p.isWord("await"):
		sign := p.source()
		if err := p.next(); err != nil {
			return Value{}, err
		}
		v, err := p.unary(depth + 1)
		switch {
		case err != nil || sign == "await":
		case sign == "-" && v.Kind == Number && !strings.HasPrefix(v.Text, "-"):
			v.Text = "-" + v.Text
		case sign == "+" && v.Kind == Number:
		default:
			v = Value{Kind: Other, Text: strings.TrimSpace(p.src[from:p.tok.from])}
		}
		return v, err
	}
	return p.postfix(depth)
}

// postfix reads an operand with the calls, members and subscripts after it.
func (p *parser) postfix(depth int) (Value, error) {
	from := p.tok.from
	v, err := p.operand(depth)
	for err == nil {
		switch {
		case p.is("."):
			v, err = p.member(v, from)
		case p.is("("):
			v, err = p.call(v, from, depth)
		case p.is("["):
			v, err = p.subscript(from, depth)
		default:
			return v, nil
		}
	}
	return v, err
}

func (p *parser) member(v Value, from int) (Value, error) {
	if err := p.next(); err != nil {
		return v, err
	}
	if p.tok.kind != name {
		return v, p.unexpected()
	}
	if v.Kind != Chain {
		v = Value{Kind: Chain, Links: []Link{{Name: strings.TrimSpace(p.src[from : p.tok.from-1])}}}
	}
	v.Links = append(v.Links, Link{Name: p.source()})
	return v, p.next()
}

func (p *parser) call(v Value, from, depth int) (Value, error) {
	if v.Kind != Chain || v.Links[len(v.Links)-1].Called {
		v = Value{Kind: Chain, Links: []Link{{Name: strings.TrimSpace(p.src[from:p.tok.from])}}}
	}
	last := &v.Links[len(v.Links)-1]
	last.Called = true
	return v, p.bracket("(", ")", func() error { return p.argument(last, depth+1) })
}

// bracket reads an opening bracket, items, and a closing bracket. It calls item to read
// each item. Commas separate the items; a comma after the last item is allowed.
func (p *parser) bracket(open, close string, item func() error) error {
	p.depth++
	if err := p.take(open); err != nil {
		return err
	}
	for !p.is(close) {
		if err := item(); err != nil {
			return err
		}
		if p.is(close) {
			break
		}
		if p.tok.kind == end {
			return p.fail(p.tok.from, "missing %s", close)
		}
		if err := p.take(","); err != nil {
			return err
		}
	}
	p.depth--
	return p.take(close)
}

// argument reads one argument of a call.
func (p *parser) argument(l *Link, depth int) error {
	if p.is("**") {
		if err := p.next(); err != nil {
			return err
		}
		v, err := p.expression(depth)
		l.Keywords = append(l.Keywords, Keyword{Value: v})
		return err
	}
	from := p.tok.from
	v, err := p.expression(depth)
	if err != nil {
		return err
	}
	if !p.is("=") {
		if len(l.Keywords) > 0 && v.Kind != Star {
			return p.fail(from, "a positional argument after a keyword argument")
		}
		l.Args = append(l.Args, v)
		return nil
	}
	if v.Kind != Chain || len(v.Links) != 1 || v.Links[0].Called {
		return p.fail(from, "invalid argument name")
	}
	if err := p.next(); err != nil {
		return err
	}
	key := v.Links[0].Name
	if v, err = p.expression(depth); err == nil {
		l.Keywords = append(l.Keywords, Keyword{Name: key, Value: v})
	}
	return err
}
