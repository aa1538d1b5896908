package py

import (
	"strings"
	"testing"
)

func checkPlainEnd(t *testing.T, s string, i int) {
	t.Helper()
	want := i
	for want < len(s) && s[want] != '"' && s[want] != '\\' && s[want] >= ' ' && s[want] < 0x7f {
		want++
	}
	if got := plainEnd(s, i); got != want {
		t.Errorf("plainEnd(%q, %d) = %d, want %d", s, i, got, want)
	}
}

// TestEveryPair checks plainEnd for every pair of neighbouring bytes, at each place in a
// word of eight bytes.
func TestEveryPair(t *testing.T) {
	for a := range 256 {
		for b := range 256 {
			for at := range 8 {
				s := []byte(strings.Repeat("a", 17))
				s[at], s[at+1] = byte(a), byte(b)
				checkPlainEnd(t, string(s), 0)
			}
		}
	}
}

func TestEnds(t *testing.T) {
	for n := range 20 {
		s := strings.Repeat("z", n)
		for i := range n + 1 {
			checkPlainEnd(t, s, i)
			checkPlainEnd(t, s+`"`, i)
			checkPlainEnd(t, s+"\x7f"+s, i)
		}
	}
}
