package mutation

import (
	"strings"
	"testing"
)

// TestWordLists checks that each list of words.txt has a name in the code, and each name
// in the code has a list.
func TestWordLists(t *testing.T) {
	seen := map[string]bool{}
	for line := range strings.Lines(wordsText) {
		name, _, begins := strings.Cut(line, ":")
		if strings.HasPrefix(line, "#") || !begins {
			continue
		}
		if classNamed(name) == 0 && listNamed(name) == 0 {
			t.Errorf("words.txt has a list %q that no code asks for", name)
		}
		seen[name] = true
	}
	for _, name := range listNames {
		if !seen[name] {
			t.Errorf("the list %q has no words", name)
		}
	}
	for w, k := range wordIndex().All() {
		if w != strings.ToLower(w) || k == (known{}) {
			t.Errorf("%q is not a lower-case word of a list", w)
		}
	}
	if wordClass("create") != write || wordClass("update") != write|noun || wordClass("xyzzy") != 0 || !isListed("uuid", tailList) || isListed("uuid", glueList) {
		t.Error("the index is wrong")
	}
}

func BenchmarkWordIndex(b *testing.B) {
	for b.Loop() {
		readWords(wordsText)
	}
}
