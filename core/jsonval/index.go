package jsonval

import (
	"math"
	"slices"
)

// doc is a checked text with the places of its values.
type doc struct {
	text string
	tape []entry
	few  [8]entry // the tape of a small text: the arguments of a call need no second allocation
}

// entry is one value, in text order. start is the offset of its first byte. For a scalar,
// end is the offset after it. For an array or object, end is the index of the entry that
// closes it, whose start is the offset after the bracket. Between the two are the entries
// of the values inside. Names have no entries: they come before their value in the text.
//
// An entry needs 8 bytes and stands for at least one byte of text, so an index needs at
// most 8 times its text ([1,1,1…] needs 4 times). Traces need about a tenth of their
// text.
type entry struct{ start, end uint32 }

// maxText is the longest text whose offsets fit into an entry.
const maxText = math.MaxUint32

// builder builds an index. parent is the tape index of the open array or object, none at
// the top. While one is open, its end holds its own parent, so that nesting needs neither
// recursion nor a stack.
type builder struct {
	text   string
	tape   []entry
	i      int
	parent uint32
	depth  int
}

const none = math.MaxUint32

// index checks that text is one JSON value (RFC 8259) and finds all values in it. It
// returns nil for anything else, and for nesting deeper than MaxDepth. It reads the text
// once, and needs less time than gjson.Valid alone (BenchmarkParse). Validating with
// gjson first and indexing then would double the time to open a trace. The tests compare
// it with gjson and encoding/json.
func index(text string) *doc {
	d := &doc{text: text}
	b := builder{text: text, tape: d.few[:0], parent: none}
	if len(text) > 512 {
		b.tape = make([]entry, 0, min(len(text)/16, 1024))
	}
	for {
		if !b.value() {
			return nil
		}
		if b.next() {
			continue
		}
		if b.depth > 0 || space(text, b.i) < len(text) {
			return nil
		}
		d.tape = b.tape
		return d
	}
}

// value reads one scalar or one empty array or object. For any other array or object it
// continues with the first value inside, until a value has ended.
func (b *builder) value() bool {
	for {
		b.i = space(b.text, b.i)
		if b.i >= len(b.text) {
			return false
		}
		switch b.text[b.i] {
		case '{', '[':
			if !b.open() {
				return false
			}
			if b.i = space(b.text, b.i); b.i < len(b.text) && b.text[b.i] == b.closer() {
				b.close()
				return true
			}
			if b.object() && !b.name() {
				return false
			}
		default:
			return b.scalar()
		}
	}
}

// next closes the arrays and objects that end here and continues after the next comma. It
// returns false at the end of the outermost value, and at any other character.
func (b *builder) next() bool {
	for b.depth > 0 {
		if b.i = space(b.text, b.i); b.i >= len(b.text) {
			return false
		}
		switch b.text[b.i] {
		case ',':
			b.i++
			return !b.object() || b.name()
		case b.closer():
			b.close()
		default:
			return false
		}
	}
	return false
}

func (b *builder) scalar() bool {
	end := scalarEnd(b.text, b.i)
	if end < 0 {
		return false
	}
	b.add(entry{uint32(b.i), uint32(end)})
	b.i = end
	return true
}

// name skips a member's name and its colon.
func (b *builder) name() bool {
	b.i = space(b.text, b.i)
	if b.i >= len(b.text) || b.text[b.i] != '"' {
		return false
	}
	end := stringEnd(b.text, b.i)
	if end < 0 {
		return false
	}
	if b.i = space(b.text, end); b.i >= len(b.text) || b.text[b.i] != ':' {
		return false
	}
	b.i++
	return true
}

func (b *builder) open() bool {
	if b.depth++; b.depth > MaxDepth {
		return false
	}
	b.add(entry{uint32(b.i), b.parent})
	b.parent = uint32(len(b.tape) - 1)
	b.i++
	return true
}

func (b *builder) close() {
	b.i++
	opened := &b.tape[b.parent]
	b.parent, opened.end = opened.end, uint32(len(b.tape))
	b.add(entry{start: uint32(b.i)})
	b.depth--
}

func (b *builder) object() bool { return b.text[b.tape[b.parent].start] == '{' }

// closer returns the bracket that closes the open array or object. In ASCII both closing
// brackets are two after their opening bracket.
func (b *builder) closer() byte { return b.text[b.tape[b.parent].start] + 2 }

// add appends an entry. It grows the tape by the number of entries so far in relation to
// the text read, at most eightfold: a tape is copied once or twice and has little unused
// space.
func (b *builder) add(e entry) {
	if n := len(b.tape); n == cap(b.tape) {
		want := uint64(n) * uint64(len(b.text)) / uint64(b.i+1)
		b.tape = slices.Grow(b.tape, int(min(max(want+want/16-uint64(n), 8), uint64(n)*7+8)))
	}
	b.tape = append(b.tape, e)
}
