package jsonval

import "strings"

// Names is a set of member names for Value.Find. The zero value is empty.
type Names struct {
	endings [1 << 10]uint64 // by the last two bytes, so that most members need one lookup
}

// NewNames returns a set of names. Each name must have at least two bytes, and no
// character that JSON escapes.
func NewNames(names ...string) *Names {
	n := &Names{}
	for _, name := range names {
		e := endingCode(name[len(name)-2], name[len(name)-1])
		n.endings[e>>6] |= 1 << (e & 63)
	}
	return n
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
			if name, ok := d.nameBefore(start, n); ok {
				fn(Value{d, top}, name, Value{d, at})
			}
		}
		if c := d.text[start]; c == '{' || c == '[' {
			opened = append(opened, at)
		}
	}
}

// MemberName returns the name of the member whose value this is, as it is in the text. It returns ""
// for an element of an array, for the whole text, and for Missing. O(length of the name).
func (v Value) MemberName() string {
	if v.d == nil {
		return ""
	}
	text := strings.TrimRight(v.d.text[:v.d.tape[v.at].start], " \t\r\n")
	if !strings.HasSuffix(text, ":") {
		return ""
	}
	text = text[:strings.LastIndexByte(text, '"')]
	for i := len(text); ; {
		i = strings.LastIndexByte(text[:i], '"')
		if !isEscaped(text, i) {
			return text[i+1:]
		}
	}
}

// IsRoot reports whether the value is the whole of the text that was parsed.
func (v Value) IsRoot() bool { return v.d != nil && v.at == 0 }

// isEscaped reports whether the character at i stands after an odd number of backslashes.
func isEscaped(text string, i int) bool {
	n := 0
	for i-n > 0 && text[i-n-1] == '\\' {
		n++
	}
	return n%2 == 1
}

// nameBefore returns the name of the member whose value begins at start. The second
// result is false if no name in the set ends in the same two bytes as the member's name.
func (d *doc) nameBefore(start uint32, n *Names) (string, bool) {
	text := d.text
	i := int(start) - 1
	for text[i] != '"' { // skips a colon and white space
		i--
	}
	if i < 3 {
		return "", false
	}
	if e := endingCode(text[i-2], text[i-1]); n.endings[e>>6]&(1<<(e&63)) == 0 {
		return "", false
	}
	return text[strings.LastIndexByte(text[:i], '"')+1 : i], true
}
