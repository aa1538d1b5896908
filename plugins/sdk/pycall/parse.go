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
		st, err := p.readStatement()
		if err != nil {
			return nil, err
		}
		out = append(out, st)
		if p.tok.kind != newline && p.tok.kind != end {
			return nil, p.unexpectedToken()
		}
	}
	return out, nil
}

type parser struct {
	scanner
	line, counted int // line ends before src[counted]
}

// lineHere returns the line number of the current token. The first line has the number 1.
func (p *parser) lineHere() int {
	p.line += strings.Count(p.src[p.counted:p.tok.from], "\n")
	p.counted = p.tok.from
	return p.line + 1
}

func (p *parser) tokenText() string { return p.src[p.tok.from:p.tok.to] }

func (p *parser) isOperator(op string) bool { return p.tok.kind == operator && p.tokenText() == op }

func (p *parser) isWord(word string) bool { return p.tok.kind == name && p.tokenText() == word }

func (p *parser) unexpectedToken() error {
	switch p.tok.kind {
	case end:
		return p.errorAt(p.tok.from, "unexpected end")
	case newline:
		return p.errorAt(p.tok.from, "unexpected end of line")
	}
	return p.errorAt(p.tok.from, "unexpected %s", p.tokenText())
}

// takeOperator skips the current token. It returns an error if the token is not the
// operator op.
func (p *parser) takeOperator(op string) error {
	if !p.isOperator(op) {
		if p.tok.kind == end || p.tok.kind == newline {
			return p.errorAt(p.tok.from, "missing %s", op)
		}
		return p.unexpectedToken()
	}
	return p.next()
}

// keywords holds the words that cannot be names.
const keywords = " False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield "

func isKeyword(word string) bool { return strings.Contains(keywords, " "+word+" ") }

func (p *parser) readStatement() (Statement, error) {
	st := Statement{Line: p.lineHere()}
	from := p.tok.from
	if p.tok.kind == name {
		switch word := p.tokenText(); word {
		case "import", "from":
			return p.readImport(st)
		case "pass":
			st.Value = Value{Kind: Other, Text: word}
			return st, p.next()
		case "None", "True", "False", "await", "not", "lambda":
		default:
			if isKeyword(word) {
				return st, p.errorAt(p.tok.from, "a %s statement is not supported, because it is not a call", word)
			}
		}
	}
	v, err := p.readTuple(0)
	if err != nil {
		return st, err
	}
	for p.isOperator("=") {
		if st.Target = strings.TrimSpace(p.src[from:p.tok.from]); v.Kind == String || v.Kind == Number || v.Kind == None || v.Kind == Bool {
			return st, p.errorAt(from, "cannot assign to %s", st.Target)
		}
		if err := p.next(); err != nil {
			return st, err
		}
		if v, err = p.readTuple(0); err != nil {
			return st, err
		}
	}
	st.Value = v
	return st, nil
}

// readImport reads an import statement and keeps its source. Examples of such statements
// are "import a.b as c, d" and "from a import b".
func (p *parser) readImport(st Statement) (Statement, error) {
	from := p.tok.from
	words := 0
	for ; p.tok.kind != newline && p.tok.kind != end; words++ {
		known := p.tok.kind == name || p.isOperator(".") || p.isOperator(",") || p.isOperator("*") || p.isOperator("(") || p.isOperator(")") || p.isOperator("...")
		if !known {
			return st, p.unexpectedToken()
		}
		if p.isOperator("(") {
			p.depth++
		} else if p.isOperator(")") && p.depth > 0 {
			p.depth--
		}
		if err := p.next(); err != nil {
			return st, err
		}
	}
	if words < 2 {
		return st, p.unexpectedToken()
	}
	st.Import = strings.TrimSpace(p.src[from:p.tok.from])
	return st, nil
}

// readTuple reads one expression, or several expressions with commas between them.
// Several expressions are a tuple without brackets.
func (p *parser) readTuple(depth int) (Value, error) {
	v, err := p.readExpression(depth)
	if err != nil || !p.isOperator(",") {
		return v, err
	}
	out := Value{Kind: Tuple, Items: []Value{v}}
	for p.isOperator(",") {
		if err := p.next(); err != nil {
			return v, err
		}
		if p.tok.kind == newline || p.tok.kind == end || p.isOperator("=") {
			break
		}
		if v, err = p.readExpression(depth); err != nil {
			return v, err
		}
		out.Items = append(out.Items, v)
	}
	return out, nil
}

// infix holds the operators and words between two operands.
const infix = " + - * / // % ** @ & | ^ << >> < > <= >= == != and or in is if else not := "

// readExpression reads an expression. The result for an expression of one operand is this
// operand. The result for an expression with operators between operands is only its
// source.
func (p *parser) readExpression(depth int) (Value, error) {
	from := p.tok.from
	v, err := p.readUnary(depth)
	if err != nil {
		return v, err
	}
	to := p.tok.from
	joined := false
	for (p.tok.kind == operator || p.tok.kind == name) && strings.Contains(infix, " "+p.tokenText()+" ") {
		joined = true
		negated := p.isWord("not")
		if err := p.next(); err != nil {
			return v, err
		}
		if negated {
			if !p.isWord("in") {
				return v, p.unexpectedToken()
			}
			if err := p.next(); err != nil {
				return v, err
			}
		}
		if _, err := p.readUnary(depth); err != nil {
			return v, err
		}
		to = p.tok.from
	}
	if joined {
		v = Value{Kind: Other, Text: strings.TrimSpace(p.src[from:to])}
	}
	return v, nil
}

// readUnary reads an operand with the operators before it.
func (p *parser) readUnary(depth int) (Value, error) {
	from := p.tok.from
	if depth > maxDepth {
		return Value{}, p.errorAt(from, "nested too deeply")
	}
	switch {
	case p.isOperator("*"):
		if err := p.next(); err != nil {
			return Value{}, err
		}
		v, err := p.readUnary(depth + 1)
		return Value{Kind: Star, Items: []Value{v}}, err
	case p.isOperator("-"), p.isOperator("+"), p.isOperator("~"), p.isWord("not"), p.isWord("await"):
		sign := p.tokenText()
		if err := p.next(); err != nil {
			return Value{}, err
		}
		v, err := p.readUnary(depth + 1)
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
	return p.readPostfix(depth)
}

// readPostfix reads an operand with the calls, members and subscripts after it.
func (p *parser) readPostfix(depth int) (Value, error) {
	from := p.tok.from
	v, err := p.readOperand(depth)
	for err == nil {
		switch {
		case p.isOperator("."):
			v, err = p.readMember(v, from)
		case p.isOperator("("):
			v, err = p.readCall(v, from, depth)
		case p.isOperator("["):
			v, err = p.readSubscript(from, depth)
		default:
			return v, nil
		}
	}
	return v, err
}

func (p *parser) readMember(v Value, from int) (Value, error) {
	if err := p.next(); err != nil {
		return v, err
	}
	if p.tok.kind != name {
		return v, p.unexpectedToken()
	}
	if v.Kind != Chain {
		v = Value{Kind: Chain, Links: []Link{{Name: strings.TrimSpace(p.src[from : p.tok.from-1])}}}
	}
	v.Links = append(v.Links, Link{Name: p.tokenText()})
	return v, p.next()
}

func (p *parser) readCall(v Value, from, depth int) (Value, error) {
	if v.Kind != Chain || v.Links[len(v.Links)-1].Called {
		v = Value{Kind: Chain, Links: []Link{{Name: strings.TrimSpace(p.src[from:p.tok.from])}}}
	}
	last := &v.Links[len(v.Links)-1]
	last.Called = true
	return v, p.readBracketed("(", ")", func() error { return p.readArgument(last, depth+1) })
}

// readBracketed reads an opening bracket, items, and a closing bracket. It calls the
// function item to read each item. Commas separate the items, and the last item may have
// a comma after it.
func (p *parser) readBracketed(open, close string, item func() error) error {
	p.depth++
	if err := p.takeOperator(open); err != nil {
		return err
	}
	for !p.isOperator(close) {
		if err := item(); err != nil {
			return err
		}
		if p.isOperator(close) {
			break
		}
		if p.tok.kind == end {
			return p.errorAt(p.tok.from, "missing %s", close)
		}
		if err := p.takeOperator(","); err != nil {
			return err
		}
	}
	p.depth--
	return p.takeOperator(close)
}

// readArgument reads one argument of a call.
func (p *parser) readArgument(l *Link, depth int) error {
	if p.isOperator("**") {
		if err := p.next(); err != nil {
			return err
		}
		v, err := p.readExpression(depth)
		l.Keywords = append(l.Keywords, Keyword{Value: v})
		return err
	}
	from := p.tok.from
	v, err := p.readExpression(depth)
	if err != nil {
		return err
	}
	if !p.isOperator("=") {
		if len(l.Keywords) > 0 && v.Kind != Star {
			return p.errorAt(from, "a positional argument after a keyword argument")
		}
		l.Args = append(l.Args, v)
		return nil
	}
	if v.Kind != Chain || len(v.Links) != 1 || v.Links[0].Called {
		return p.errorAt(from, "invalid argument name")
	}
	if err := p.next(); err != nil {
		return err
	}
	key := v.Links[0].Name
	if v, err = p.readExpression(depth); err == nil {
		l.Keywords = append(l.Keywords, Keyword{Name: key, Value: v})
	}
	return err
}
