package jsonval

import (
	"math/bits"
	"slices"
	"unsafe"
)

// valueEnd returns the offset after the value with the given tape index.
func (d *doc) valueEnd(at uint32) uint32 {
	e := d.tape[at]
	if c := d.text[e.start]; c == '{' || c == '[' {
		return d.tape[e.end].start
	}
	return e.end
}

// entryAfter returns the tape index of the next entry after a value and everything inside
// the value.
func (d *doc) entryAfter(at uint32) uint32 {
	e := d.tape[at]
	if c := d.text[e.start]; c == '{' || c == '[' {
		return e.end + 1
	}
	return at + 1
}

// memberName returns the name of the member whose value has the tape index at.
func (d *doc) memberName(at uint32) string { return d.nameUpTo(d.nameEnd(d.tape[at].start)) }

// nameEnd returns the offset of the quote that closes the name of the member whose value begins at
// start, behind a colon and white space.
func (d *doc) nameEnd(start uint32) int {
	end := int(start) - 1
	for end > 0 && d.text[end] != '"' {
		end--
	}
	return end
}

// nameUpTo returns the name that the quote at an offset closes. It reads backwards, up to a quote or a
// backslash, eight bytes at a time.
func (d *doc) nameUpTo(end int) string {
	text := d.text[:end+1]
	data, from := unsafe.StringData(text), end
	for from >= 8 {
		found := endings(wordAt(data, from-8))
		if found == 0 {
			from -= 8
			continue
		}
		from -= bits.LeadingZeros64(found) / 8
		break
	}
	for from--; text[from] != '"' && text[from] != '\\'; { // endings also finds some other bytes
		from--
	}
	if text[from] == '"' && text[from-1] != '\\' {
		return text[from+1 : end]
	}
	return escapedName(text, from, end)
}

// escapedName returns a name that has an escape at or after the offset from. end is the offset
// of its closing quote. A quote inside a name has a backslash before it, and the first has none.
func escapedName(text string, from, end int) string {
	for text[from] != '"' || text[from-1] == '\\' {
		from--
	}
	return stringContent(text[from : end+1])
}

// contentRange returns the range [first, last) of the tape indices of everything inside
// v. The range is empty if v is empty or a scalar.
func (v Value) contentRange() (first, last uint32) {
	if v.d == nil {
		return 0, 0
	}
	e := v.d.tape[v.at]
	if c := v.d.text[e.start]; c != '{' && c != '[' {
		return 0, 0
	}
	return v.at + 1, e.end
}

// Each calls fn for every member of an object or every element of an array, in text
// order, until fn returns false. If several members have the same name, it calls fn for
// each of them. The key of an element is "".
func (v Value) Each(fn func(key string, member Value) bool) {
	at, last := v.contentRange()
	if at == last {
		return
	}
	d, key := v.d, ""
	named := d.text[d.tape[v.at].start] == '{'
	for at < last {
		if named {
			key = d.memberName(at)
		}
		if !fn(key, Value{d, at}) {
			return
		}
		at = d.entryAfter(at)
	}
}

// Get returns the first member of an object with exactly that name, or Missing if there
// is none. O(members), so use Each to read several members.
func (v Value) Get(name string) Value {
	d := v.d
	if d == nil || d.text[d.tape[v.at].start] != '{' {
		return Value{}
	}
	for at, last := v.at+1, d.tape[v.at].end; at < last; at = d.entryAfter(at) {
		if d.memberName(at) == name {
			return Value{d, at}
		}
	}
	return Value{}
}

// At returns the value that is found by calling Get with each name in turn. For example,
// v.At("a", "b") is v.Get("a").Get("b").
func (v Value) At(names ...string) Value {
	for _, name := range names {
		v = v.Get(name)
	}
	return v
}

// Elements returns an array's elements. It returns nil for any other value.
func (v Value) Elements() []Value {
	n := v.Len()
	if n == 0 || v.Kind() != Array {
		return nil
	}
	out := make([]Value, 0, n)
	for at, last := v.contentRange(); at < last; at = v.d.entryAfter(at) {
		out = append(out, Value{v.d, at})
	}
	return out
}

// Len returns the number of an array's elements or of an object's members. It returns 0
// for any other value.
func (v Value) Len() int {
	n := 0
	for at, last := v.contentRange(); at < last; at = v.d.entryAfter(at) {
		n++
	}
	return n
}

// Keys returns an object's member names in text order. It returns nil for any other
// value.
func (v Value) Keys() []string {
	n := v.Len()
	if n == 0 || v.Kind() != Object {
		return nil
	}
	out := make([]string, 0, n)
	v.Each(func(key string, _ Value) bool { out = append(out, key); return true })
	return out
}

// Repeated returns the first member name of an object that occurs a second time. The
// second result is false if there is none. O(members).
func (v Value) Repeated() (name string, found bool) {
	names := v.Keys()
	const few = 16 // comparing so few is faster than building a map
	if len(names) <= few {
		for i, n := range names {
			if slices.Contains(names[:i], n) {
				return n, true
			}
		}
		return "", false
	}
	seen := make(map[string]bool, len(names))
	for _, n := range names {
		if seen[n] {
			return n, true
		}
		seen[n] = true
	}
	return "", false
}
