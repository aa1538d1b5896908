package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// object is a JSON object whose members were read once, so that access to many members
// does not scan the text each time. The members are in the order of the text.
type object struct {
	v      jsonval.Value
	keys   []string
	values []jsonval.Value
}

// openObject reads the members of a JSON object. If v is not an object, the result has no
// members.
func openObject(v jsonval.Value) *object {
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

// memberNamed returns the first member with exactly that name, or Missing.
func (o *object) memberNamed(name string) jsonval.Value {
	for i, key := range o.keys {
		if key == name {
			return o.values[i]
		}
	}
	return jsonval.Value{}
}

// firstWhere returns the first of the named members that the function wanted accepts. The
// names are separated by spaces. It returns Missing if there is no such member.
func (o *object) firstWhere(names string, wanted func(v jsonval.Value) bool) (found jsonval.Value) {
	eachName(names, func(name string) bool {
		if v := o.memberNamed(name); v.Exists() && wanted(v) {
			found = v
		}
		return !found.Exists()
	})
	return found
}

func acceptAny(jsonval.Value) bool { return true }

// get returns the first of the named members that exists, or Missing. The names are
// separated by spaces.
func (o *object) get(names string) jsonval.Value { return o.firstWhere(names, acceptAny) }

// firstNonNull returns the first of the named members that exists and is not null.
func (o *object) firstNonNull(names string) jsonval.Value {
	return o.firstWhere(names, func(v jsonval.Value) bool { return v.Kind() != jsonval.Null })
}

// firstText returns the text of the first of the named members whose text is not empty.
func (o *object) firstText(names string) string {
	return o.firstWhere(names, func(v jsonval.Value) bool { return v.Text() != "" }).Text()
}

// firstString returns the content of the first of the named members that is a string.
func (o *object) firstString(names string) string {
	s, _ := o.firstWhere(names, func(v jsonval.Value) bool { return v.Kind() == jsonval.String }).Str()
	return s
}

// openMember opens the first of the named members that exists and is not null.
func (o *object) openMember(names string) *object { return openObject(o.firstNonNull(names)) }

// firstList returns the elements of the first of the named members that is an array.
func (o *object) firstList(names string) []jsonval.Value {
	return o.firstWhere(names, func(v jsonval.Value) bool { return v.Kind() == jsonval.Array }).Elements()
}

// hasAll reports whether all named members exist.
func (o *object) hasAll(names string) bool {
	all := true
	eachName(names, func(name string) bool {
		all = o.memberNamed(name).Exists()
		return all
	})
	return all
}

// hasAny reports whether at least one of the named members exists.
// It is not inlined, to keep the wasm module small.
//
//go:noinline
func (o *object) hasAny(names string) bool { return o.get(names).Exists() }

func (o *object) isList(name string) bool   { return o.memberNamed(name).Kind() == jsonval.Array }
func (o *object) isText(name string) bool   { return o.memberNamed(name).Kind() == jsonval.String }
func (o *object) isObject(name string) bool { return o.memberNamed(name).Kind() == jsonval.Object }

// oneOf reports whether a list of words contains the given word. The words in the list
// are separated by spaces.
func oneOf(word, words string) bool { return wordlist.Contains(words, word) }
