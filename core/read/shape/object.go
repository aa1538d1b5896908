// Package shape says what the objects and lists of a trace look like: messages, blocks of them,
// calls, results, spans, records and their sides. It looks at members alone, builds no run and
// keeps no state.
package shape

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// Object is a JSON object whose members were read once, so that access to many members
// does not scan the text each time. The members are in the order of the text.
type Object struct {
	Value  jsonval.Value // as it was opened
	Keys   []string
	Values []jsonval.Value // of the keys with the same index
}

// OpenObject reads the members of a JSON object. If v is not an object, the result has no
// members.
func OpenObject(v jsonval.Value) *Object {
	o := &Object{Value: v}
	if v.Kind() == jsonval.Object {
		n := v.Len()
		o.Keys, o.Values = make([]string, 0, n), make([]jsonval.Value, 0, n)
		v.Each(func(key string, m jsonval.Value) bool {
			o.Keys, o.Values = append(o.Keys, key), append(o.Values, m)
			return true
		})
	}
	return o
}

// AddMember adds a member at the end.
func (o *Object) AddMember(name string, v jsonval.Value) {
	o.Keys, o.Values = append(o.Keys, name), append(o.Values, v)
}

// SelectMembers returns the object with only those members whose index keep accepts.
func (o *Object) SelectMembers(keep func(i int) bool) *Object {
	out := &Object{Value: o.Value}
	for i, name := range o.Keys {
		if keep(i) {
			out.AddMember(name, o.Values[i])
		}
	}
	return out
}

// The parameter names of the methods below is a string of several names separated by spaces.
// At hundreds of call sites, this needs a third of the code that a list of names would need.

// eachName calls the function visit for every name in names until visit returns false.
// The names are separated by spaces.
func eachName(names string, visit func(name string) bool) {
	for names != "" {
		name, rest, _ := strings.Cut(names, " ")
		if !visit(name) {
			return
		}
		names = rest
	}
}

// MemberNamed returns the first member with exactly that name, or Missing.
func (o *Object) MemberNamed(name string) jsonval.Value {
	for i, key := range o.Keys {
		if key == name {
			return o.Values[i]
		}
	}
	return jsonval.Value{}
}

// firstWhere returns the first of the named members that the function wanted accepts. The
// names are separated by spaces. It returns Missing if there is no such member.
func (o *Object) firstWhere(names string, wanted func(v jsonval.Value) bool) (found jsonval.Value) {
	if !wordlist.MayHaveAny(names, o.Keys) { // so of most lists of names
		return found
	}
	eachName(names, func(name string) bool {
		if v := o.MemberNamed(name); v.Exists() && wanted(v) {
			found = v
		}
		return !found.Exists()
	})
	return found
}

func acceptAny(jsonval.Value) bool { return true }

// Get returns the first of the named members that exists, or Missing. The names are
// separated by spaces.
func (o *Object) Get(names string) jsonval.Value { return o.firstWhere(names, acceptAny) }

// FirstNonNull returns the first of the named members that exists and is not null.
func (o *Object) FirstNonNull(names string) jsonval.Value {
	return o.firstWhere(names, func(v jsonval.Value) bool { return v.Kind() != jsonval.Null })
}

// FirstText returns the text of the first of the named members whose text is not empty.
func (o *Object) FirstText(names string) string {
	return o.firstWhere(names, func(v jsonval.Value) bool { return v.Text() != "" }).Text()
}

// FirstString returns the content of the first of the named members that is a string.
func (o *Object) FirstString(names string) string {
	s, _ := o.firstWhere(names, func(v jsonval.Value) bool { return v.Kind() == jsonval.String }).Str()
	return s
}

// OpenMember opens the first of the named members that exists and is not null.
func (o *Object) OpenMember(names string) *Object { return OpenObject(o.FirstNonNull(names)) }

// FirstList returns the elements of the first of the named members that is an array.
func (o *Object) FirstList(names string) []jsonval.Value {
	return o.firstWhere(names, func(v jsonval.Value) bool { return v.Kind() == jsonval.Array }).Elements()
}

// HasAll reports whether all named members exist.
func (o *Object) HasAll(names string) bool {
	all := true
	eachName(names, func(name string) bool {
		all = o.MemberNamed(name).Exists()
		return all
	})
	return all
}

// HasAny reports whether at least one of the named members exists.
// It is not inlined, to keep the wasm module small.
//
//go:noinline
func (o *Object) HasAny(names string) bool { return o.Get(names).Exists() }

// IsList reports whether the member with exactly that name is an array.
func (o *Object) IsList(name string) bool { return o.MemberNamed(name).Kind() == jsonval.Array }

// IsText reports whether the member with exactly that name is a string.
func (o *Object) IsText(name string) bool { return o.MemberNamed(name).Kind() == jsonval.String }

// IsObject reports whether the member with exactly that name is an object.
func (o *Object) IsObject(name string) bool { return o.MemberNamed(name).Kind() == jsonval.Object }

// OneOf reports whether a list of words contains the given word. The words in the list
// are separated by spaces.
func OneOf(word, words string) bool { return wordlist.Contains(words, word) }

// FirstElement returns an array's first element, or Missing if there is none.
func FirstElement(list jsonval.Value) jsonval.Value {
	var found jsonval.Value
	if list.Kind() == jsonval.Array {
		list.Each(func(_ string, e jsonval.Value) bool { found = e; return false })
	}
	return found
}

// EncodedValue returns the JSON value inside a string. The inner value must be an object,
// a list or a string. Any other v is returned unchanged.
func EncodedValue(v jsonval.Value) jsonval.Value {
	if s, ok := v.Str(); ok {
		if inner, err := jsonval.Parse(s); err == nil && (inner.Kind() == jsonval.Object || inner.Kind() == jsonval.Array || inner.Kind() == jsonval.String) {
			return inner
		}
	}
	return v
}
