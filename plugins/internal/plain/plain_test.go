package plain

import (
	"strings"
	"testing"
)

func slowly(s string, i int, ascii bool) int {
	for ; i < len(s); i++ {
		if c := s[i]; c == '"' || c == '\\' || c < ' ' || ascii && c >= 0x7f {
			break
		}
	}
	return i
}

func agree(t *testing.T, s string, i int) {
	t.Helper()
	if got, want := Run(s, i), slowly(s, i, false); got != want {
		t.Errorf("Run(%q, %d) = %d, want %d", s, i, got, want)
	}
	if got, want := ASCII(s, i), slowly(s, i, true); got != want {
		t.Errorf("ASCII(%q, %d) = %d, want %d", s, i, got, want)
	}
}

// TestEveryPair sets each pair of bytes side by side, at each place of a word: a hit must
// not be seen where a lower one borrows.
func TestEveryPair(t *testing.T) {
	for a := range 256 {
		for b := range 256 {
			for at := range 8 {
				s := []byte(strings.Repeat("a", 17))
				s[at], s[at+1] = byte(a), byte(b)
				agree(t, string(s), 0)
			}
		}
	}
}

func TestEnds(t *testing.T) {
	for n := range 20 {
		s := strings.Repeat("z", n)
		for i := range n + 1 {
			agree(t, s, i)
			agree(t, s+`"`, i)
			agree(t, s+"\x7f"+s, i)
		}
	}
}
