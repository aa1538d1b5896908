package shape

import (
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// IsOpening reports whether messages begin with the user or the system.
func IsOpening(talk []jsonval.Value) bool {
	return len(talk) > 0 && (OneOf(RoleOf(OpenObject(talk[0])), "user system") || OpenObject(talk[0]).FirstString("kind") == "request")
}

// SameMessages reports whether two lists of messages are equal.
func SameMessages(a, b []jsonval.Value) bool {
	for i := range a {
		if len(a) != len(b) || a[i].Raw() != b[i].Raw() {
			return false
		}
	}
	return true
}

// IsContinuedBy reports whether the second list begins with all messages of the first
// list, and has more messages. If the first list has several messages, the first message
// may be different in the two lists.
func IsContinuedBy(short, long []jsonval.Value) bool {
	if len(short) == 0 || len(short) >= len(long) {
		return false
	}
	for i := range short {
		if short[i].Raw() != long[i].Raw() && (i > 0 || len(short) == 1) {
			return false
		}
	}
	return true
}

// MainList returns the first list of messages inside v, or nil if there is none. depth is
// the number of values around v. Values at a depth of more than 5 are not searched.
func MainList(v jsonval.Value, depth int) []jsonval.Value {
	if depth > 5 {
		return nil
	}
	switch v.Kind() {
	case jsonval.Array:
		list := v.Elements()
		if len(list) > 0 && (RoleOf(OpenObject(list[0])) != "" || IsPydantic(OpenObject(list[0]))) {
			return list
		}
		if len(list) == 1 {
			return MainList(list[0], depth+1)
		}
	case jsonval.Object:
		o := OpenObject(v)
		for pass := range 3 {
			for i, key := range o.Keys {
				if MemberRank(key, o.Values[i]) != pass {
					continue
				}
				if list := MainList(o.Values[i], depth+1); list != nil {
					return list
				}
			}
		}
	}
	return nil
}

// IsPydantic reports whether an object is a request or a response of Pydantic AI, {kind, parts}.
func IsPydantic(o *Object) bool {
	return OneOf(o.FirstString("kind"), "request response") && o.IsList("parts")
}
