package secrets

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestHideValue draws words behind the marks of secrets, under their names and as plain codes, and checks that no
// secret stays, that no plain code is hidden, and that the text around them keeps its place.
func TestHideValue(t *testing.T) {
	for seed := range drawn.Cases(500) {
		d := rand.New(rand.NewPCG(uint64(seed), 48777))
		mark, name := secretMarks[d.IntN(len(secretMarks))], secretNames[d.IntN(len(secretNames))]
		secret := fmt.Sprintf("%sx%09d%c", mark, d.IntN(1e9), 'a'+rune(d.IntN(26)))
		code := []string{"HAT172", "gift_card_8190333", "#W2466703", "reservation_update_2024_05_25_final", "a@b.example"}[d.IntN(5)]
		text := code + " and “" + secret + "”, then " + code
		if got := HideKeys(text); strings.Contains(got, secret) || len(got) != len(text) || strings.Count(got, code) != 2 {
			t.Fatalf("%q: %q", text, got)
		}
		if got := HideValue("login."+name, `"`+code+`"`); got != Hidden {
			t.Fatalf("%s: %q", name, got)
		}
		inside := fmt.Sprintf(`[{"id" : %q, "a":{%q : %q,"n":5}}, %q]`, code, "x_"+name, "hunter\\\"2", code)
		if got := HideValue("more[0]", inside); got != strings.Replace(inside, strconv.Quote("hunter\\\"2"), Hidden, 1) {
			t.Fatalf("%s: %q", inside, got)
		}
		if got := HideValue("order_id", `"`+code+`"`); got != `"`+code+`"` {
			t.Fatalf("%q: %q", code, got)
		}
		if got := HideValue("max_"+name, "5"); got != "5" {
			t.Fatalf("%s: %q", name, got)
		}
	}
}

// TestHideKeysReadsEachWord compares HideKeys with a walk over all words of texts of words, secrets and signs, and checks
// what the walk by steps relies on.
func TestHideKeysReadsEachWord(t *testing.T) {
	for _, mark := range secretMarks {
		if len(mark)+9 < shortest || !strings.Contains(firstLetters, mark[:1]) {
			t.Errorf("a secret with %s may be overlooked", mark)
		}
	}
	for _, name := range secretNames {
		if !Names(name) || !Names("X_"+strings.ToUpper(name)) {
			t.Errorf("%s is no name of a secret", name)
		}
	}
	for c := range 256 {
		letter := c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if want := letter || strings.ContainsRune("_-.+/=!$%@~", rune(c)); isByte(byte(c)) != want {
			t.Errorf("%q may stand in a secret: %v, want %v", rune(c), !want, want)
		}
	}
	hidden := 0
	for seed := range drawn.Cases(2000) {
		d := rand.New(rand.NewPCG(uint64(seed), 48778))
		var text strings.Builder
		for range d.IntN(9) {
			if d.IntN(2) == 0 {
				text.WriteString(secretMarks[d.IntN(len(secretMarks))])
			}
			for range d.IntN(16) {
				text.WriteByte("ab9_-.Z5"[d.IntN(8)])
			}
			text.WriteString([]string{" ", "\"", ", ", "é", ""}[d.IntN(5)])
		}
		want := []byte(text.String())
		for i := 0; i < len(want); {
			end := i
			for end < len(want) && isByte(want[end]) {
				end++
			}
			if word := string(want[i:end]); Begins(word) && strings.ContainsAny(word, "0123456789") {
				copy(want[i:end], strings.Repeat("*", end-i))
				hidden++
			}
			i = end + 1
		}
		if got := HideKeys(text.String()); got != string(want) {
			t.Fatalf("%q: %q, want %q", text.String(), got, want)
		}
	}
	if hidden < 500 {
		t.Errorf("%d secrets: too few to show anything", hidden)
	}
}
