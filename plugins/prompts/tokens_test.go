package prompts

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer"
	"golang.org/x/tools/txtar"
)

// TestEstimate compares the estimate with two vocabularies of real models. The errors
// must not be larger than the estimate's Method states.
func TestEstimate(t *testing.T) {
	texts := map[string]string{}
	for _, tmpl := range allTemplates() {
		bare, err := tmpl.render(nil)
		if err != nil {
			t.Fatal(err)
		}
		texts[tmpl.id] = bare
	}
	paths, _ := filepath.Glob("../testdata/cases/prompts-*.txtar")
	for _, path := range paths {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			if f.Name == "text.md" {
				texts[filepath.Base(path)] = strings.TrimSuffix(string(f.Data), "\n")
			}
		}
	}
	for _, name := range []tokenizer.Encoding{tokenizer.Cl100kBase, tokenizer.O200kBase} {
		codec, err := tokenizer.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		low, high, sum, total := 1.0, 1.0, 0, 0
		for what, text := range texts {
			n, err := codec.Count(text)
			if err != nil {
				t.Fatal(err)
			}
			e := estimateTokens(text)
			about := e.About
			ratio := float64(about) / float64(n)
			low, high, sum, total = min(low, ratio), max(high, ratio), sum+about, total+n
			if low := strings.Contains(e.Method, "low"); low != (utf8.RuneCountInString(text) < minText) {
				t.Errorf("%s: %d characters are %q", what, utf8.RuneCountInString(text), e.Method)
			}
			if len(text) >= minText && (ratio < 0.99 || ratio > 1.26) {
				t.Errorf("%s: %s: about %d, really %d", name, what, about, n)
			}
		}
		t.Logf("%s: %d texts, about %d tokens for %d; from %.2f to %.2f of the real number", name, len(texts), sum, total, low, high)
	}
}

// minText is the length from which the bounds hold: a shorter text may be one long
// name.
const minText = 400
