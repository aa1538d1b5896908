package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// object is a JSON object whose members were read once, so that access to many members
// does not scan the text each time. The members are in the order of the text.
type object struct {
	v      jsonval.Value
	keys   []string
	values []jsonval.Value
}

// open reads an object's members. For any other value it returns an object without
// members.
func open(v jsonval.Value) *object {
	o := &object{v: v}
	if v.Kind() == jsonval.Object {
		n := v.Len()
		o.keys, o.values = make([]string, 0, n), make([]jsonval.Value, 0, n)
		v.Each(func(key string, m jsonval.Value) bool {
			o.keys, o.values = append(o.keys, key), append(o.values, m)
			return true
		})
	}
	return o
}

// The parameter names of the methods below is a string of several names separated by spaces.
// At hundreds of call sites, this needs a third of the code that a list of names would need.

// each calls the function visit for every name in names until visit returns false. The
// names are separated by spaces.
func each(names string, visit func(name string) bool) {
	for names != "" {
		name, rest, _ := strings.Cut(names, " ")
		if !visit(name) {
			return
		}
		names = rest
	}
}

// member returns the first member with exactly that name, or Missing.
func (o *object) member(name string) jsonval.Value {
	for i, key := range o.keys {
		if key == name {
			return o.values[i]
		}
	}
	return jsonval.Value{}
}

// first returns the first of the named members for which wanted(v) is true.
func (o *object) first(names string, wanted func(v jsonval.Value) bool) (found jsonval.Value) {
	each(names, func(name string) bool {
		if v := o.member(name); v.Exists() && wanted(v) {
			found = v
		}
		return !found.Exists()
	})
	return found
}

func anything(jsonval.Value) bool { return true }

// get returns the first of the named members that exists.
func (o *object) get(names string) jsonval.Value { return o.first(names, anything) }

// some returns the first of the named members that exists and is not null.
func (o *object) some(names string) jsonval.Value {
	return o.first(names, func(v jsonval.Value) bool { return v.Kind() != jsonval.Null })
}

// text returns the text of the first of the named members whose text is not empty.
func (o *object) text(names string) string {
	return o.first(names, func(v jsonval.Value) bool { return v.Text() != "" }).Text()
}

// word returns the content of the first of the named members that is a string.
func (o *object) word(names string) string {
	s, _ := o.first(names, func(v jsonval.Value) bool { return v.Kind() == jsonval.String }).Str()
	return s
}

// in opens the first of the named members that exists and is not null.
func (o *object) in(names string) *object { return open(o.some(names)) }

// list returns the elements of the first of the named members that is an array.
func (o *object) list(names string) []jsonval.Value {
	return o.first(names, func(v jsonval.Value) bool { return v.Kind() == jsonval.Array }).Elements()
}

// has reports whether all named members exist.
func (o *object) has(names string) bool {
	all := true
	each(names, func(name string) bool {
		all = o.member(name).Exists()
		return all
	})
	return all
}

// any reports whether at least one of the named members exists.
func (o *object) any(names string) bool { return o.get(names).Exists() }

func (o *object) isList(name string) bool   { return o.member(name).Kind() == jsonval.Array }
func (o *object) isText(name string) bool   { return o.member(name).Kind() == jsonval.String }
func (o *object) isObject(name string) bool { return o.member(name).Kind() == jsonval.Object }

// oneOf reports whether words, a list of words separated by spaces, contains the given
// word.
func oneOf(word, words string) bool {
	for at := 0; word != ""; {
		i := strings.Index(words[at:], word)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(word)
		if (from == 0 || words[from-1] == ' ') && (to == len(words) || words[to] == ' ') {
			return true
		}
		at = to
	}
	return false
}
