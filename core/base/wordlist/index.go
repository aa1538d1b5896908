package wordlist

import (
	"iter"
	"math/bits"
)

// Index maps words to values. It is filled in a third of the time of a map, because a command that
// reads one small file pays for each table of words that it needs. The zero value is empty.
type Index[V any] struct {
	slots []slot[V] // the length is a power of two; at most half of them have a word
	n     int
}

type slot[V any] struct {
	word  string // "" for a free slot
	value V
}

// IndexFor returns an empty index with space for n words.
func IndexFor[V any](n int) Index[V] {
	return Index[V]{slots: make([]slot[V], 1<<bits.Len(uint(2*n)))}
}

// findSlot returns the slot of a word, or the free slot where it belongs. There must be one.
func (x *Index[V]) findSlot(word string) *slot[V] {
	h := uint32(len(word))
	for i := range len(word) {
		h = (h ^ uint32(word[i])) * 0x01000193
	}
	for {
		s := &x.slots[(h^h>>15)&uint32(len(x.slots)-1)]
		if s.word == word || s.word == "" {
			return s
		}
		h++
	}
}

// Get returns the value of a word, or the zero value if the index does not have it. O(len(word)).
func (x *Index[V]) Get(word string) (v V) {
	if len(x.slots) == 0 || word == "" {
		return v
	}
	return x.findSlot(word).value
}

// At returns the value of a word, which is added to the index if it is missing. The word must not be
// "". The pointer is valid until the next call of At.
func (x *Index[V]) At(word string) *V {
	if 2*(x.n+1) > len(x.slots) {
		old := x.slots
		*x = IndexFor[V](max(8, len(old)))
		for _, s := range old {
			if s.word != "" {
				*x.At(s.word) = s.value
			}
		}
	}
	s := x.findSlot(word)
	if s.word == "" {
		s.word = word
		x.n++
	}
	return &s.value
}

// All returns the words with their values, in no order that means something.
func (x *Index[V]) All() iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		for _, s := range x.slots {
			if s.word != "" && !yield(s.word, s.value) {
				return
			}
		}
	}
}

// Len returns the number of words.
func (x *Index[V]) Len() int { return x.n }
