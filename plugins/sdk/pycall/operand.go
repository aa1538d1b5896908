package pycall

import "strings"

// operand reads a literal, a name, or an expression in brackets of any kind.
func (p *parser) operand(depth int) (Value, error) {
	switch p.tok.kind {
	case number:
		v := Value{Kind: Number, Text: p.source()}
		return v, p.next()
	case text, formatted:
		return p.strings()
	case name:
		return p.named()
	}
	switch {
	case p.is("("):
		return p.parenthesis(depth + 1)
	case p.is("["):
		return p.sequence(List, "[", "]", depth+1)
	case p.is("{"):
		return p.braces(depth + 1)
	case p.is("..."):
		return Value{Kind: Other, Text: "..."}, p.next()
	}
	return Value{}, p.unexpected()
}

// strings reads one string, or several that follow each other directly. Python joins
// these.
func (p *parser) strings() (Value, error) {
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

func (p *parser) named() (Value, error) {
	word := p.source()
	v := Value{Kind: Chain, Links: []Link{{Name: word}}}
	switch word {
	case "None":
		v = Value{Kind: None}
	case "True", "False":
		v = Value{Kind: Bool, Text: word}
	default:
		if keyword(word) {
			return v, p.fail(p.tok.from, "unexpected %s", word)
		}
	}
	return v, p.next()
}

// parenthesis reads what is between "(" and ")": a tuple or a single expression.
func (p *parser) parenthesis(depth int) (Value, error) {
	v, err := p.sequence(Tuple, "(", ")", depth)
	if err == nil && len(v.Items) == 1 && v.Text == "" {
		return v.Items[0], nil
	}
	v.Text = ""
	return v, err
}

// sequence reads the items between an opening and a closing bracket. If kind is Tuple
// and a comma follows an item, Text is ",": this comma distinguishes a tuple of one
// item from an expression in brackets.
func (p *parser) sequence(kind Kind, open, end string, depth int) (Value, error) {
	out := Value{Kind: kind}
	err := p.bracket(open, end, func() error {
		v, err := p.expression(depth)
		out.Items = append(out.Items, v)
		if kind == Tuple && p.is(",") {
			out.Text = ","
		}
		return err
	})
	if kind != Tuple {
		out.Text = ""
	}
	return out, err
}

// braces reads a dict or a set.
func (p *parser) braces(depth int) (Value, error) {
	out := Value{Kind: Dict}
	err := p.bracket("{", "}", func() error {
		if p.is("**") {
			return p.fail(p.tok.from, "a mapping inside a mapping is not supported")
		}
		v, err := p.expression(depth)
		if err != nil {
			return err
		}
		colon := p.is(":")
		if len(out.Items) > 0 && colon != (out.Kind == Dict) {
			return p.unexpected()
		}
		out.Items = append(out.Items, v)
		if !colon {
			out.Kind = Set
			return nil
		}
		if err := p.next(); err != nil {
			return err
		}
		v, err = p.expression(depth)
		out.Items = append(out.Items, v)
		return err
	})
	return out, err
}

// subscript reads a subscript such as [1] or [1:2]. The result is the source of the whole
// expression, such as x[1]. from is the index where this expression begins.
func (p *parser) subscript(from, depth int) (Value, error) {
	if depth > maxDepth {
		return Value{}, p.fail(p.tok.from, "nested too deeply")
	}
	at := p.tok.from
	p.depth++
	if err := p.next(); err != nil {
		return Value{}, err
	}
	if p.is("]") {
		return Value{}, p.fail(at, "missing a subscript")
	}
	for !p.is("]") {
		if p.is(":") || p.is(",") {
			if err := p.next(); err != nil {
				return Value{}, err
			}
			continue
		}
		if _, err := p.expression(depth + 1); err != nil {
			return Value{}, err
		}
	}
	p.depth--
	to := p.tok.to
	return Value{Kind: Other, Text: p.src[from:to]}, p.next()
}
