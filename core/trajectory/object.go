package trajectory

import (
	"github.com/boundcheck/boundcheck/core/jsonval"
)

// object is a JSON object read once, so that looking at many members is not a
// scan each. Members keep the order of the text.
type object struct {
	v      jsonval.Value
	keys   []string
	values []jsonval.Value
}

// open reads an object's members; anything else has none.
func open(v jsonval.Value) *object {
	o := &object{v: v}
	if v.Kind() == jsonval.Object {
		v.Each(func(key string, m jsonval.Value) bool {
			o.keys, o.values = append(o.keys, key), append(o.values, m)
			return true
		})
	}
	return o
}

// get gives the first of the named members that exists.
func (o *object) get(names ...string) jsonval.Value {
	for _, name := range names {
		for i, key := range o.keys {
			if key == name {
				return o.values[i]
			}
		}
	}
	return jsonval.Value{}
}

// some gives the first of the named members that is there and not null.
func (o *object) some(names ...string) jsonval.Value {
	for _, name := range names {
		if v := o.get(name); v.Exists() && v.Kind() != jsonval.Null {
			return v
		}
	}
	return jsonval.Value{}
}

// text gives the first of the named members that has text.
func (o *object) text(names ...string) string {
	for _, name := range names {
		if s := o.get(name).Text(); s != "" {
			return s
		}
	}
	return ""
}

// word gives the first of the named members that is a string.
func (o *object) word(names ...string) string {
	for _, name := range names {
		if s, ok := o.get(name).Str(); ok {
			return s
		}
	}
	return ""
}

// in opens a member that is an object.
func (o *object) in(names ...string) *object { return open(o.some(names...)) }

// list gives the elements of the first of the named members that is an array.
func (o *object) list(names ...string) []jsonval.Value {
	for _, name := range names {
		if v := o.get(name); v.Kind() == jsonval.Array {
			return v.Elements()
		}
	}
	return nil
}

// has tells whether every named member is there.
func (o *object) has(names ...string) bool {
	for _, name := range names {
		if !o.get(name).Exists() {
			return false
		}
	}
	return true
}

// any tells whether one of the named members is there.
func (o *object) any(names ...string) bool { return o.get(names...).Exists() }

func (o *object) isList(name string) bool   { return o.get(name).Kind() == jsonval.Array }
func (o *object) isText(name string) bool   { return o.get(name).Kind() == jsonval.String }
func (o *object) isObject(name string) bool { return o.get(name).Kind() == jsonval.Object }

// oneOf tells whether a word is among others.
func oneOf(word string, words ...string) bool {
	for _, w := range words {
		if w == word {
			return true
		}
	}
	return false
}
