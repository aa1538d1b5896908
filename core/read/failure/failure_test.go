package failure

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestMayFail compares mayFail with a simple search for the words, in drawn texts.
func TestMayFail(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	parts := []string{`"`, `""`, `"#`, "#", `!"`, "rror", "error", "ERROR", "ailed", "FAILED", "uccess", "ok", "or", "ed", "é", "x", " ", "12345678", "\x01", "\x80"}
	held := 0
	for range drawn.Cases(50000) {
		text := ""
		for range r.IntN(8) {
			text += parts[r.IntN(len(parts))]
		}
		want := false
		for _, word := range []string{`rror"`, `RROR"`, `ailed"`, `AILED"`, `uccess"`, `ok"`} {
			want = want || strings.Contains(text, word)
		}
		if got := mayFail(text); got != want {
			t.Fatalf("%q: %v, want %v", text, got, want)
		}
		if want {
			held++
		}
	}
	if held < 1000 {
		t.Errorf("only %d texts have a word", held)
	}
}
