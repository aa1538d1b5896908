package jsonval

import (
	"math"
	"slices"
	"unsafe"
)

// doc is a valid JSON text with the positions of its values.
type doc struct {
	text string
	tape []entry
	few  [8]entry // the memory of a short tape, so that small texts need no second allocation
}

// entry is the position of one value. The entries of a tape are in text order. start is the
// offset of the value's first byte. For a scalar, end is the offset after the value. An
// array or object has two entries: one for its opening bracket, and one whose start is the
// offset after its closing bracket. The end of the first is the tape index of the second.
// Between the two are the entries of the values inside. Names have no entries, because
// they are in the text before their values.
//
// An entry has 8 bytes, and there is at most one entry for each byte of text. So an index
// has at most 8 times the size of its text (4 times for [1,1,1…]). The index of a trace has
// about a tenth of the size of the trace.
type entry struct{ start, end uint32 }

// maxText is the length of the longest text whose offsets fit into an entry.
const maxText = math.MaxUint32

// builder builds an index. parent is the tape index of the innermost open array or object,
// or none. While an array or object is open, the end of its entry contains the index of its
// own parent. So the builder needs neither recursion nor a stack.
type builder struct {
	text   string
	tape   []entry
	i      int
	parent uint32
	depth  int
	long   [8]string // the last string literals of at least longText bytes, each by its first bytes
}

// longText is the length from which a string is compared with those before it. Many files
// repeat one long text, such as a system message, in each of their runs.
const longText = 512

const none = math.MaxUint32

// buildIndex checks that text is one JSON value (RFC 8259) and returns an index of all
// values in it. It returns nil for any other text, and if the nesting is deeper than
// MaxDepth. It reads the text once. This is faster than a call of gjson.Valid, which only
// validates (BenchmarkParse).
func buildIndex(text string) *doc {
	d := &doc{text: text}
	b := builder{text: text, tape: d.few[:0], parent: none}
	if len(text) > 512 {
		b.tape = make([]entry, 0, min(len(text)/16, 1024))
	}
	for {
		if !b.readValue() {
			return nil
		}
		if b.next() {
			continue
		}
		if b.parent != none || skipSpace(text, b.i) < len(text) {
			return nil
		}
		d.tape = b.tape
		return d
	}
}

// readValue reads the next scalar, or the next empty array or object. It enters all
// arrays and objects that begin before this value. It returns false if the text is
// invalid.
func (b *builder) readValue() bool {
	for {
		b.i = skipSpace(b.text, b.i)
		if b.i >= len(b.text) {
			return false
		}
		switch b.text[b.i] {
		case '{', '[':
			if !b.openContainer() {
				return false
			}
			if b.i = skipSpace(b.text, b.i); b.i < len(b.text) && b.text[b.i] == b.closingBracket() {
				b.closeContainer()
				return true
			}
			if b.inObject() && !b.skipName() {
				return false
			}
		default:
			return b.readScalar()
		}
	}
}

// next closes the arrays and objects that end at the current position. It returns true if
// another value follows, and then it has read the comma and, in an object, the member's
// name. It returns false at the end of the outermost value, and if the text is invalid.
func (b *builder) next() bool {
	for b.parent != none {
		if b.i = skipSpace(b.text, b.i); b.i >= len(b.text) {
			return false
		}
		switch b.text[b.i] {
		case ',':
			b.i++
			return !b.inObject() || b.skipName()
		case b.closingBracket():
			b.closeContainer()
		default:
			return false
		}
	}
	return false
}

func (b *builder) readScalar() bool {
	end := b.repeatEnd()
	if end < 0 {
		if end = scalarEnd(b.text, b.i); end < 0 {
			return false
		}
		if end-b.i >= longText {
			b.long[b.longSlot()] = b.text[b.i:end]
		}
	}
	b.addEntry(entry{uint32(b.i), uint32(end)})
	b.i = end
	return true
}

// repeatEnd returns the offset after the value at the current position if it is a long string
// that was there before, or -1.
func (b *builder) repeatEnd() int {
	if len(b.text)-b.i < longText {
		return -1
	}
	known := b.long[b.longSlot()]
	end := b.i + len(known)
	if known == "" || end > len(b.text) || b.text[end-1] != '"' || b.text[b.i:end] != known {
		return -1
	}
	return end
}

// longSlot returns the place of a long string that begins at the current position.
func (b *builder) longSlot() uint64 {
	return wordAt(unsafe.StringData(b.text), b.i) * 0x9e3779b97f4a7c15 >> 61
}

// skipName skips a member's name and its colon. It returns false if the text is invalid.
func (b *builder) skipName() bool {
	b.i = skipSpace(b.text, b.i)
	if b.i >= len(b.text) || b.text[b.i] != '"' {
		return false
	}
	end := stringEnd(b.text, b.i)
	if end < 0 {
		return false
	}
	if b.i = skipSpace(b.text, end); b.i >= len(b.text) || b.text[b.i] != ':' {
		return false
	}
	b.i++
	return true
}

func (b *builder) openContainer() bool {
	if b.depth++; b.depth > MaxDepth {
		return false
	}
	b.addEntry(entry{uint32(b.i), b.parent})
	b.parent = uint32(len(b.tape) - 1)
	b.i++
	return true
}

func (b *builder) closeContainer() {
	b.i++
	opened := &b.tape[b.parent]
	b.parent, opened.end = opened.end, uint32(len(b.tape))
	b.addEntry(entry{start: uint32(b.i)})
	b.depth--
}

func (b *builder) inObject() bool { return b.text[b.tape[b.parent].start] == '{' }

// closingBracket returns the closing bracket of the innermost open array or object. In
// ASCII, both closing brackets are 2 greater than their opening brackets.
func (b *builder) closingBracket() byte { return b.text[b.tape[b.parent].start] + 2 }

// addEntry appends an entry to the tape. If the tape is full, addEntry first makes it
// larger, at most eight times as large. The new size is an estimate of the final length,
// so that a tape is copied only once or twice.
func (b *builder) addEntry(e entry) {
	if n := len(b.tape); n == cap(b.tape) {
		want := uint64(n) * uint64(len(b.text)) / uint64(b.i+1)
		b.tape = slices.Grow(b.tape, int(min(max(want+want/16-uint64(n), 8), uint64(n)*7+8)))
	}
	b.tape = append(b.tape, e)
}
