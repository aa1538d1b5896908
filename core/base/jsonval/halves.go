package jsonval

import (
	"slices"
	"strings"
)

// smallestHalves is the length of the shortest text that is read in two halves.
const smallestHalves = 1 << 18

// outerDepth is the largest depth of a list that is read in two halves.
const outerDepth = 16

// ParseHalves returns the same result as Parse. It reads a long text in two goroutines.
func ParseHalves(text string) (Value, error) {
	if len(text) >= smallestHalves && uint64(len(text)) <= maxText {
		if d := indexHalves(text); d != nil {
			return Value{d: d}, nil
		}
	}
	return Parse(text)
}

// indexHalves returns the same result as buildIndex.
//
// A second goroutine guesses that an element of a list begins after a comma in the middle
// of the text, and reads from there to the end of the list. The guess is right exactly if
// the builder, which reads the text from its beginning, arrives at this comma in a list. If
// the guess is wrong, the builder reads the whole text.
func indexHalves(text string) *doc {
	guess := make(chan half, 1)
	go func() { guess <- guessHalf(text) }()
	b := builder{text: text, tape: make([]entry, 0, len(text)/128), parent: none}
	var second *half
	for b.readValue() {
		more := b.next()
		if more && b.i > len(text)/2 && !b.inObject() {
			if second == nil {
				h := <-guess
				second = &h
			}
			if b.i == second.from && b.depth <= outerDepth {
				b.addHalf(second)
				more = b.next()
			}
		}
		if more {
			continue
		}
		if b.parent != none || skipSpace(text, b.i) < len(text) {
			return nil
		}
		return &doc{text: text, tape: b.tape}
	}
	return nil
}

// half is the index of the last elements of a list. from is the offset after the comma
// before these elements, and to is the offset after the list. from is 0 if there is no half.
// The tape begins with an entry for some list, and ends with the second entry of the list
// that was read.
type half struct {
	from, to int
	tape     []entry
}

// guessHalf returns the half that begins after a comma after the middle of the text. A
// comma can be inside a string, or in a short list. Then the text after it is invalid, or
// the list ends soon, and the search continues where this was found. O(n).
func guessHalf(text string) half {
	list := strings.IndexByte(text, '[')
	if list < 0 {
		return half{}
	}
	tape := make([]entry, 0, len(text)/128)
	for i := len(text) / 2; ; {
		comma := strings.IndexByte(text[i:], ',')
		if comma < 0 {
			return half{}
		}
		i += comma + 1
		if first := skipSpace(text, i); first == len(text) || text[first] != '{' && text[first] != '[' {
			continue
		}
		b := builder{text: text, tape: append(tape[:0], entry{uint32(list), none}), i: i, depth: outerDepth}
		for b.readValue() {
			if b.next() {
				continue
			}
			if b.parent == none && b.i-i >= len(text)/8 {
				return half{i, b.i, b.tape}
			}
			break
		}
		i = b.i
	}
}

// addHalf adds the last elements of the innermost open list, and closes the list.
func (b *builder) addHalf(h *half) {
	shift := uint32(len(b.tape) - 1)
	list := &b.tape[b.parent]
	b.parent, list.end = list.end, h.tape[0].end+shift
	b.depth--
	b.i = h.to
	b.tape = slices.Grow(b.tape, len(h.tape)-1)
	for _, e := range h.tape[1:] {
		if e.end > 0 && (b.text[e.start] == '{' || b.text[e.start] == '[') {
			e.end += shift
		}
		b.tape = append(b.tape, e)
	}
}
