package jsonval

import "strings"

// Names is a set of member names for Value.Find. The zero value is empty.
type Names struct {
	endings [1 << 10]uint64 // by the last two bytes, so that most members need one lookup
}

// NewNames returns a set of names. Each name must have at least two bytes, and only characters of ASCII that JSON need not
// escape. A text may escape them all the same, so the set has the endings of these spellings, too: \u006c ends in 6c.
func NewNames(names ...string) *Names {
	n := &Names{}
	for _, name := range names {
		before, last := name[len(name)-2], name[len(name)-1]
		n.add(before, last)
		for _, hex := range [...]string{"0123456789abcdef", "0123456789ABCDEF"} {
			n.add(hex[before&15], last)
			for _, other := range [...]string{"0123456789abcdef", "0123456789ABCDEF"} {
				n.add(hex[last>>4], other[last&15])
			}
		}
	}
	return n
}

func (n *Names) add(before, last byte) {
	e := endingCode(before, last)
	n.endings[e>>6] |= 1 << (e & 63)
}

func endingCode(a, b byte) uint16 { return uint16(a)<<8 | uint16(b) }

// Find calls fn, in text order, for the members at any depth below v whose name is in the
// set. It also calls fn for a few members with other names, so fn must compare the name.
// object is the object that contains the member. Find reads the index once. O(values).
func (v Value) Find(n *Names, fn func(object Value, name string, member Value)) {
	first, last := v.contentRange()
	if first == last {
		return
	}
	d := v.d
	opened := []uint32{v.at}
	for at := first; at < last; at++ {
		top := opened[len(opened)-1]
		if at == d.tape[top].end {
			opened = opened[:len(opened)-1]
			continue
		}
		start := d.tape[at].start
		if d.text[d.tape[top].start] == '{' {
			if end := d.nameEnd(start); d.mayEndName(end, n) {
				fn(Value{d, top}, d.nameUpTo(end), Value{d, at})
			}
		}
		if c := d.text[start]; c == '{' || c == '[' {
			opened = append(opened, at)
		}
	}
}

// MemberName returns the name of the member whose value this is, as Each gives it. It returns "" for an element of an
// array, for the whole text, and for Missing. O(length of the name).
func (v Value) MemberName() string {
	if v.d == nil || !strings.HasSuffix(strings.TrimRight(v.d.text[:v.d.tape[v.at].start], " \t\r\n"), ":") {
		return ""
	}
	return v.d.memberName(v.at)
}

// IsRoot reports whether the value is the whole of the text that was parsed.
func (v Value) IsRoot() bool { return v.d != nil && v.at == 0 }

// mayEndName reports whether a name in the set may end as the name does that the quote at end closes.
func (d *doc) mayEndName(end int, n *Names) bool {
	if end < 3 {
		return false
	}
	e := endingCode(d.text[end-2], d.text[end-1])
	return n.endings[e>>6]&(1<<(e&63)) != 0
}
