package match

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// TestPatternMeansRE2 holds random patterns against Go's regexp. A pattern that
// compilePattern accepts must be one of RE2 and find the same texts.
func TestPatternMeansRE2(t *testing.T) {
	parts := []string{"a", "b", "k", "K", "ſ", "1", "-", "_", " ", ".", "^", "$", `\d`, `\W`, `\s`, `\b`, `\B`, `\A`, `\z`, `\.`, `\n`, "[a-c]", "[^ab]", `[\W\d-]`, "[^-a]", "(?i)", "(?s)",
		"(", ")", "(?:", "(?i:", "|", "*", "+", "?", "{2}", "{1,3}", "{0,}", "{0}", "{", "}", "]", "[", "é", `\\`, "(?P<n>", `\pL`, "[[:alpha:]]", "[]a]", "[a-", "-]"}
	alphabet := []string{"a", "b", "c", "k", "K", "K", "s", "ſ", "1", "-", "_", " ", "\n", ".", "é", "É", "\xff", "\\", "]"}
	r := rand.New(rand.NewPCG(1, 2))
	accepted := 0
	for range 60_000 {
		var b strings.Builder
		for range 1 + r.IntN(7) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		p, err := compilePattern(b.String())
		if err != nil {
			continue
		}
		accepted++
		want, err := regexp.Compile(b.String())
		if err != nil {
			t.Fatalf("%q is accepted, but RE2 says %v", b.String(), err)
		}
		for range 6 {
			var text strings.Builder
			for range r.IntN(7) {
				text.WriteString(alphabet[r.IntN(len(alphabet))])
			}
			if got := p.Finds(text.String()); got != want.MatchString(text.String()) {
				t.Fatalf("%q finds %q: %v", b.String(), text.String(), got)
			}
		}
	}
	if accepted < 10_000 {
		t.Errorf("only %d patterns were compared", accepted)
	}
}

// TestPatternIsLinear checks a pattern for which backtracking takes exponential time.
func TestPatternIsLinear(t *testing.T) {
	p, err := compilePattern("(a*)*b$|(x+x+)+y")
	if err != nil {
		t.Fatal(err)
	}
	if p.Finds(strings.Repeat("a", 50_000) + strings.Repeat("x", 50_000)) {
		t.Error("found a match that is not there")
	}
	if _, err := compilePattern("((a{1000}){1000}){1000}"); err == nil {
		t.Error("a pattern of 10⁹ parts was accepted")
	}
}
