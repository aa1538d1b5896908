package py

import "fmt"

// Exception is a raised Python exception; the benchmarks show only its text. Tools
// raise it by a panic, because that keeps Python's semantics: changes made before the
// exception remain. Only Catch recovers an Exception.
type Exception struct{ Text string }

// Error returns the text of the exception, as Python's str(e) does.
func (e *Exception) Error() string { return e.Text }

// Raise panics with an *Exception. The text of the exception is made as in fmt.Sprintf.
func Raise(format string, args ...any) {
	panic(&Exception{Text: fmt.Sprintf(format, args...)})
}

// Catch runs f and returns the exception that it raised, or nil. Other panics are bugs
// and are not recovered.
func Catch(f func()) (raised *Exception) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*Exception)
			if !ok {
				panic(r)
			}
			raised = e
		}
	}()
	f()
	return nil
}

// Index returns container[key], as Python does. For a missing key or a container of the
// wrong type, it raises KeyError or TypeError with Python's text.
func Index(container Value, key string) Value {
	switch c := container.(type) {
	case *Dict:
		if v, ok := c.Get(key); ok {
			return v
		}
		Raise("%s", reprString(key))
	case string:
		Raise("string indices must be integers, not 'str'")
	case *List:
		Raise("list indices must be integers or slices, not str")
	}
	Raise("'%s' object is not subscriptable", TypeName(container))
	return nil
}

// Key returns v as the key of a dict whose keys are strings. If v is another hashable
// value, it returns "" and false. If v is a list or a dict, it raises TypeError.
func Key(v Value) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case *List, *Dict:
		Raise("unhashable type: '%s'", TypeName(v))
	}
	return "", false
}

// Items returns the elements of v in a Python loop. These are the items of a list, the
// keys of a dict, or the characters of a string.
func Items(v Value) []Value {
	switch v := v.(type) {
	case *List:
		return v.Items
	case *Dict:
		out := make([]Value, len(v.members))
		for i := range v.members {
			out[i] = v.members[i].key
		}
		return out
	case string:
		var out []Value
		for _, r := range v {
			out = append(out, string(r))
		}
		return out
	}
	Raise("'%s' object is not iterable", TypeName(v))
	return nil
}

// Len returns len(v).
func Len(v Value) int64 {
	switch v.(type) {
	case *List, *Dict, string:
		return int64(len(Items(v)))
	}
	Raise("object of type '%s' has no len()", TypeName(v))
	return 0
}

// Lower returns the same text as Python's v.lower(). A few special cases beyond ASCII may
// differ.
func Lower(v Value) string {
	s, ok := v.(string)
	if !ok {
		Raise("'%s' object has no attribute 'lower'", TypeName(v))
	}
	return lower(s)
}
