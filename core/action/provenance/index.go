package provenance

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// needle is one distinct value to look for.
type needle struct {
	tokens []string     // lower case; nil for a number
	number decimal      // of a number
	first  [writers]int // by writer: index of the first text that contains it; -1
}

// index holds the values to look for, by the hash of their first token and by number.
type index struct {
	needles []needle
	of      []int            // query → needle; -1 for none
	classes []Class          // of the queries
	words   map[uint32][]int // hash of the first token → needles
	numbers map[decimal]int
	bloom   [64]uint64 // of the hashes of first tokens
	last    int        // the largest number of texts that a query may know
}

func newIndex(queries []Query) *index {
	ix := &index{of: make([]int, len(queries)), classes: make([]Class, len(queries)), words: map[uint32][]int{}, numbers: map[decimal]int{}}
	known := map[string]int{}
	for i := range queries {
		q := &queries[i]
		ix.of[i] = -1
		c := classifyValue(q.Key, q.Value)
		ix.classes[i] = c
		text := q.Value.Text()
		if c == Small || len(text) > longest {
			continue
		}
		if n, again := known[text]; again {
			ix.of[i] = n
		} else if n := ix.addNeedle(c, text, q.Value.Kind() == jsonval.Number); n >= 0 {
			known[text], ix.of[i] = n, n
		}
		if ix.of[i] >= 0 {
			ix.last = max(ix.last, q.Before)
		}
	}
	return ix
}

// addNeedle adds a value to look for, and returns the index of the value in ix.needles.
// It returns -1 if the value has no tokens, or if it is a number that cannot be read.
func (ix *index) addNeedle(c Class, text string, number bool) int {
	n := needle{}
	for i := range n.first {
		n.first[i] = -1
	}
	if number || c == Money {
		d, end, ok := readNumber(strings.TrimLeft(text, "-$€£"))
		if !ok || end == 0 {
			return -1
		}
		if at, again := ix.numbers[d]; again {
			return at
		}
		n.number = d
		ix.numbers[d] = len(ix.needles)
	} else {
		n.tokens = tokensOf(text)
		if len(n.tokens) == 0 {
			return -1
		}
		h := hashToken(n.tokens[0])
		ix.words[h] = append(ix.words[h], len(ix.needles))
		ix.bloom[h>>6&63] |= 1 << (h & 63)
	}
	ix.needles = append(ix.needles, n)
	return len(ix.needles) - 1
}

// letter maps a byte to its lower case if it belongs to a token, else to 0.
var letter = func() (t [256]byte) {
	for c := range 256 {
		switch {
		case c >= 'A' && c <= 'Z':
			t[c] = byte(c) + 'a' - 'A'
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80:
			t[c] = byte(c)
		}
	}
	return t
}()

const prime = 16777619

func hashToken(token string) uint32 {
	h := uint32(2166136261)
	for i := range len(token) {
		h = (h ^ uint32(token[i])) * prime
	}
	return h ^ h>>15
}

// tokensOf splits a text into tokens in lower case.
func tokensOf(text string) []string {
	var out []string
	for i := 0; i < len(text); {
		start := i
		for i < len(text) && letter[text[i]] != 0 {
			i++
		}
		if i > start {
			out = append(out, toLower(text[start:i]))
		} else {
			i++
		}
	}
	return out
}

func toLower(s string) string {
	b := []byte(s)
	for i := range b {
		b[i] = letter[b[i]]
	}
	return string(b)
}

// scanText looks for the values of the index in one text. The parameter at is the number
// of the text. For each value that the text contains, scanText stores this number, if no
// earlier text of the same writer contains the value. O(len(text)).
func (ix *index) scanText(at int, from From, text string) {
	numbers := len(ix.numbers) > 0
	for i := 0; i < len(text); {
		if letter[text[i]] == 0 {
			i++
			continue
		}
		start, h := i, uint32(2166136261)
		for i < len(text) {
			c := letter[text[i]]
			if c == 0 {
				break
			}
			h = (h ^ uint32(c)) * prime
			i++
		}
		h ^= h >> 15
		if ix.bloom[h>>6&63]&(1<<(h&63)) != 0 {
			for _, n := range ix.words[h] {
				if ix.needles[n].first[from] < 0 && holdsAt(text, start, ix.needles[n].tokens) {
					ix.needles[n].first[from] = at
				}
			}
		}
		if text[start] >= firstUnspaced {
			ix.scanUnspaced(at, from, text, start, i)
		}
		if numbers && text[start] >= '0' && text[start] <= '9' {
			i = max(i, start+ix.scanNumber(at, from, text[start:]))
		}
	}
}

// The first bytes of the signs of Chinese and Japanese, which stand without spaces around a value: 受講料4,800円.
const (
	firstUnspaced = 0xe3
	lastUnspaced  = 0xe9
)

// scanUnspaced looks for the values in a word text[start:end] that begin behind a Chinese or Japanese sign. O(end-start).
func (ix *index) scanUnspaced(at int, from From, text string, start, end int) {
	for i := start + 3; i < end; i++ {
		if text[i] >= 0x80 || text[i-1] < 0x80 || text[i-3] < firstUnspaced || text[i-3] > lastUnspaced {
			continue
		}
		h, j := uint32(2166136261), i
		for ; j < end && text[j] < 0x80; j++ {
			h = (h ^ uint32(letter[text[j]])) * prime
		}
		h ^= h >> 15
		for _, n := range ix.words[h] {
			if ix.needles[n].first[from] < 0 && holdsAt(text, i, ix.needles[n].tokens) {
				ix.needles[n].first[from] = at
			}
		}
		if isDigit(text[i]) && len(ix.numbers) > 0 {
			ix.scanNumber(at, from, text[i:])
		}
		i = j
	}
}

// scanNumber looks up the number at the beginning of a text, and returns the length of
// the number. Digits with commas may also be a list of several numbers. So for 1,234 it
// looks up both 1234 and 1.
func (ix *index) scanNumber(at int, from From, text string) int {
	d, end, ok := readNumber(text)
	comma := strings.IndexByte(text[:end], ',')
	for ok {
		if n, is := ix.numbers[d]; is && ix.needles[n].first[from] < 0 {
			ix.needles[n].first[from] = at
		}
		if comma < 0 || end <= comma {
			break
		}
		d, end, ok = readNumber(text[:comma])
	}
	return end
}

// holdsAt reports whether a text contains all tokens one after the other, beginning at
// the index start. There may be at most three bytes between two tokens.
func holdsAt(text string, start int, tokens []string) bool {
	i := start
	for n, token := range tokens {
		if n > 0 {
			gap := i
			for i < len(text) && letter[text[i]] == 0 {
				i++
			}
			if i-gap > 3 {
				return false
			}
		}
		if len(text)-i < len(token) {
			return false
		}
		for j := range len(token) {
			if letter[text[i+j]] != token[j] {
				return false
			}
		}
		if i += len(token); i < len(text) && letter[text[i]] != 0 && !(text[i] >= firstUnspaced && text[i] <= lastUnspaced && token[len(token)-1] < 0x80) {
			return false
		}
	}
	return true
}

// valueOrigin returns the origin of the i-th query's value. It must be called after all
// texts have been scanned.
func (ix *index) valueOrigin(i int, q *Query) Origin {
	o := Origin{Path: q.Path, Raw: q.Value.Raw(), Class: ix.classes[i], Kind: Untraced, Text: -1, Agent: -1, Day: -1}
	if ix.of[i] < 0 {
		return o
	}
	n := &ix.needles[ix.of[i]]
	switch {
	case o.Class.Exact():
		o.Kind = Nowhere
	case o.Class == Word:
		o.Kind = Chosen
	}
	for f := range writers {
		at := n.first[f]
		if at < 0 || at >= q.Before {
			continue
		}
		if From(f) == FromAgent {
			o.Agent = at
		} else if o.Text < 0 {
			o.Kind, o.Text = kindOf(From(f)), at
		}
	}
	return o
}
