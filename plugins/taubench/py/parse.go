package py

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Parse reads one JSON value in the same way as json.loads of Python. Integers stay
// integers. If a key is repeated, its first place and its last value count. The strings
// in the result share the memory of s. A number that no float64 can hold is an error.
func Parse(s string) (Value, error) {
	v, err := jsonval.Parse(s)
	if err != nil {
		return nil, err
	}
	p := parser{}
	return p.parseValue(v), p.err
}

type parser struct {
	// members holds the members of all open objects, the inner objects after the outer
	// ones. When an object is closed, its members are copied at their exact size.
	members []member
	err     error
}

func (p *parser) parseValue(v jsonval.Value) Value {
	switch v.Kind() {
	case jsonval.Object:
		return p.parseObject(v)
	case jsonval.Array:
		l := &List{Items: make([]Value, 0, v.Len())}
		v.Each(func(_ string, e jsonval.Value) bool {
			l.Items = append(l.Items, p.parseValue(e))
			return true
		})
		return l
	case jsonval.String:
		return v.Text()
	case jsonval.Bool:
		b, _ := v.Bool()
		return b
	case jsonval.Number:
		return p.parseNumber(v.Raw())
	}
	return nil
}

func (p *parser) parseObject(v jsonval.Value) Value {
	from := len(p.members)
	v.Each(func(key string, m jsonval.Value) bool {
		v := p.parseValue(m)
		if at := findMember(p.members[from:], key); at >= 0 {
			p.members[from+at].value = v
		} else {
			p.members = append(p.members, member{key, v})
		}
		return true
	})
	d := &Dict{members: slices.Clone(p.members[from:])}
	p.members = p.members[:from]
	return d
}

func (p *parser) parseNumber(text string) Value {
	whole := !strings.ContainsAny(text, ".eE")
	if whole {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return n
		}
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil && p.err == nil {
		p.err = fmt.Errorf("a number is too large: %s", text)
	}
	if whole {
		return Long(text)
	}
	return f
}
