package pycall

import "strings"

// Kind is the kind of a Value.
type Kind uint8

// The kinds of values. Other is an expression that is not a literal: its Text is the
// source, which is not evaluated.
const (
	None Kind = iota
	Bool
	Number
	String
	List
	Tuple
	Set
	Dict
	Chain
	Star
	Other
)

// Value is an argument, or the expression of a statement.
type Value struct {
	Kind Kind

	// Text is a string's content; a number, True or False as written, with its sign;
	// the source of Other.
	Text string

	// Items holds the elements of List, Tuple and Set, alternating keys and values of
	// Dict, or the one operand of Star.
	Items []Value

	// Links holds the links of Chain, at least one: a name, and the calls and members
	// after it.
	Links []Link
}

// Link is a name in a chain such as page.locator("a").first.click(), with its arguments
// if it is called.
type Link struct {
	Name     string
	Called   bool
	Args     []Value
	Keywords []Keyword
}

// Keyword is an argument that is passed by name; the name is "" for **mapping.
type Keyword struct {
	Name  string
	Value Value
}

// Statement is one statement of the program.
type Statement struct {
	Line   int    // from 1
	Import string // the imported names; "" for other statements
	Target string // the name that is assigned; "" if there is none
	Value  Value
}

// Call splits a chain of dotted names that ends with a call. For page.mouse.click(1, 2),
// last is the call click(1, 2) and object is "page.mouse". object is "" if no names come
// before the call. ok is false for any other value.
func (v *Value) Call() (object string, last *Link, ok bool) {
	if v.Kind != Chain || !v.Links[len(v.Links)-1].Called {
		return "", nil, false
	}
	n := len(v.Links) - 1
	names := make([]string, n)
	for i := range n {
		names[i] = v.Links[i].Name
	}
	return strings.Join(names, "."), &v.Links[n], true
}

// Argument returns an argument of a call, or nil if there is none. It looks for the
// positional argument with the index i, and then for a keyword argument with one of the
// names. If i < 0, it looks only at keyword arguments.
func (l *Link) Argument(i int, names ...string) *Value {
	if i >= 0 && i < len(l.Args) {
		return &l.Args[i]
	}
	for k := range l.Keywords {
		for _, name := range names {
			if l.Keywords[k].Name == name {
				return &l.Keywords[k].Value
			}
		}
	}
	return nil
}

// Spread returns the positional arguments. An argument *[a, b] is replaced by the
// elements of the list or tuple.
func (l *Link) Spread() []Value {
	var out []Value
	for _, a := range l.Args {
		if a.Kind == Star && (a.Items[0].Kind == List || a.Items[0].Kind == Tuple) {
			out = append(out, a.Items[0].Items...)
			continue
		}
		out = append(out, a)
	}
	return out
}
