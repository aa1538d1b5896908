package wordlist

import (
	"strings"
	"sync/atomic"
	"unsafe"
)

// The lists of Contains are constants nearly always, and most words that are sought are in none of them.
// So each list has a sieve, made when the list is first searched and found again by the address of the
// list. A list that finds no place in the memory is searched without one.
const (
	places = 2048 // a power of two; the lists of the program are a few hundred
	probes = 4    // places beside each other where the sieve of a list may be

	longestList = 16 << 10 // bytes; a longer text is not a list of ours, and is not kept
)

// sieve says which words may be in a list: each word of the list sets a bit.
type sieve struct {
	list string // keeps the text alive, so no other one gets its address
	bits [8]uint64
}

// memory has the sieves of lists.
type memory [places]atomic.Pointer[sieve]

var sieves memory

// of returns the sieve of a list, or nil. O(1) but for the first time.
func (m *memory) of(list string) *sieve {
	if len(list) > longestList {
		return nil
	}
	data := unsafe.StringData(list)
	at := uint(uintptr(unsafe.Pointer(data)))
	at ^= at>>11 ^ uint(len(list))<<3
	for range probes {
		place := &m[at%places]
		s := place.Load()
		if s == nil {
			return fillSieve(place, list)
		}
		if unsafe.StringData(s.list) == data && len(s.list) == len(list) {
			return s
		}
		at++
	}
	return nil
}

func fillSieve(place *atomic.Pointer[sieve], list string) *sieve {
	s := &sieve{list: list}
	for rest, more := list, true; more; {
		var word string
		if word, rest, more = strings.Cut(rest, " "); word != "" {
			bit := bitOf(word)
			s.bits[bit/64] |= 1 << (bit % 64)
		}
	}
	place.CompareAndSwap(nil, s) // another list may have taken the place; then s serves once
	return s
}

// mayHave reports whether the list may have a word, which is not "". False is certain.
func (s *sieve) mayHave(word string) bool {
	bit := bitOf(word)
	return s.bits[bit/64]>>(bit%64)&1 != 0
}

// MayHaveAny reports whether a list may have one of some words. False is certain. A list of one word
// has no sieve, because it need not be a constant. O(len(words)) for a list that was searched before.
func MayHaveAny(list string, words []string) bool {
	if strings.IndexByte(list, ' ') < 0 {
		return true
	}
	s := sieves.of(list)
	if s == nil {
		return true
	}
	for _, w := range words {
		if w == "" || s.mayHave(w) {
			return true
		}
	}
	return false
}

// bitOf returns the bit of a word, which is not "", from its length and its first and last byte.
func bitOf(word string) uint {
	return (uint(word[0]) + uint(word[len(word)-1])*23 + uint(len(word))*79) % 512
}
