package pycall

import "strings"

// readOperand reads a literal, a name, or an expression in brackets of any kind.
func (p *parser) readOperand(depth int) (Value, error) {
	switch p.tok.kind {
	case number:
		v := Value{Kind: Number, Text: p.tokenText()}
		return v, p.next()
	case text, formatted:
		return p.readStrings()
	case name:
		return p.readName()
	}
	switch {
	case p.isOperator("("):
		return p.readParenthesis(depth + 1)
	case p.isOperator("["):
		return p.readSequence(List, "[", "]", depth+1)
	case p.isOperator("{"):
		return p.readBraces(depth + 1)
	case p.isOperator("..."):
		return Value{Kind: Other, Text: "..."}, p.next()
	}
	return Value{}, p.unexpectedToken()
}

// readStrings reads one string, or several strings that follow each other directly. It
// joins them to one string, as Python does.
func (p *parser) readStrings() (Value, error) {
	from, to := p.tok.from, p.tok.to
	v := Value{Kind: String}
	for p.tok.kind == text || p.tok.kind == formatted {
		if p.tok.kind == formatted && strings.ContainsAny(p.tok.value, "{}") {
			v.Kind = Other
		}
		v.Text += p.tok.value
		to = p.tok.to
		if err := p.next(); err != nil {
			return v, err
		}
	}
	if v.Kind == Other {
		v.Text = p.src[from:to]
	}
	return v, nil
}

func (p *parser) readName() (Value, error) {
	word := p.tokenText()
	v := Value{Kind: Chain, Links: []Link{{Name: word}}}
	switch word {
	case "None":
		v = Value{Kind: None}
	case "True", "False":
		v = Value{Kind: Bool, Text: word}
	default:
		if isKeyword(word) {
			return v, p.errorAt(p.tok.from, "unexpected %s", word)
		}
	}
	return v, p.next()
}

// readParenthesis reads a tuple or a single expression between "(" and ")".
func (p *parser) readParenthesis(depth int) (Value, error) {
	v, err := p.readSequence(Tuple, "(", ")", depth)
	if err == nil && len(v.Items) == 1 && v.Text == "" {
		return v.Items[0], nil
	}
	v.Text = ""
	return v, err
}

// readSequence reads the items between an opening and a closing bracket. If kind is Tuple
// and a comma follows an item, the field Text of the result is ",". This comma
// distinguishes a tuple of one item from an expression in brackets.
func (p *parser) readSequence(kind Kind, open, end string, depth int) (Value, error) {
	out := Value{Kind: kind}
	err := p.readBracketed(open, end, func() error {
		v, err := p.readExpression(depth)
		out.Items = append(out.Items, v)
		if kind == Tuple && p.isOperator(",") {
			out.Text = ","
		}
		return err
	})
	if kind != Tuple {
		out.Text = ""
	}
	return out, err
}

// readBraces reads a dict or a set.
func (p *parser) readBraces(depth int) (Value, error) {
	out := Value{Kind: Dict}
	err := p.readBracketed("{", "}", func() error {
		if p.isOperator("**") {
			return p.errorAt(p.tok.from, "a mapping inside a mapping is not supported")
		}
		v, err := p.readExpression(depth)
		if err != nil {
			return err
		}
		colon := p.isOperator(":")
		if len(out.Items) > 0 && colon != (out.Kind == Dict) {
			return p.unexpectedToken()
		}
		out.Items = append(out.Items, v)
		if !colon {
			out.Kind = Set
			return nil
		}
		if err := p.next(); err != nil {
			return err
		}
		v, err = p.readExpression(depth)
		out.Items = append(out.Items, v)
		return err
	})
	return out, err
}

// readSubscript reads a subscript such as [1] or [1:2]. The result is the source of the
// whole expression, such as x[1]. from is the index where this expression begins.
func (p *parser) readSubscript(from, depth int) (Value, error) {
	if depth > maxDepth {
		return Value{}, p.errorAt(p.tok.from, "nested too deeply")
	}
	at := p.tok.from
	p.depth++
	if err := p.next(); err != nil {
		return Value{}, err
	}
	if p.isOperator("]") {
		return Value{}, p.errorAt(at, "missing a subscript")
	}
	for !p.isOperator("]") {
		if p.isOperator(":") || p.isOperator(",") {
			if err := p.next(); err != nil {
				return Value{}, err
			}
			continue
		}
		if _, err := p.readExpression(depth + 1); err != nil {
			return Value{}, err
		}
	}
	p.depth--
	to := p.tok.to
	return Value{Kind: Other, Text: p.src[from:to]}, p.next()
}
