package sentences

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestWith checks that parts are filled in their order and copied as they are.
func TestWith(t *testing.T) {
	for _, c := range []struct {
		of    Sentence
		parts []string
		want  string
	}{
		{OnlyRead, nil, "an extra read changes nothing"},
		{ValueInstead, []string{"a", "{x}", "{"}, "a is {x} instead of {"},
		{ValueIs, []string{"}", "{number}"}, "} = {number}"},
		{ClaimedMore, []string{"3", "sent", "2"}, "the agent said that 3 things were sent, but the correct number is 2"},
	} {
		if got := c.of.With(c.parts...); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestTable checks the table itself: each part is one of those that the package's comment
// explains, each name and each sentence is there once, and no sentence has a verb of a
// format.
func TestTable(t *testing.T) {
	data, err := os.ReadFile("sentences.go")
	if err != nil {
		t.Fatal(err)
	}
	comment, _, _ := strings.Cut(string(data), "\npackage sentences")
	explained := map[string]bool{}
	for _, m := range regexp.MustCompile(`\{(\w+)\}`).FindAllStringSubmatch(comment, -1) {
		explained[m[1]] = true
	}
	seen := map[string]string{}
	part := regexp.MustCompile(`\{([^}]*)\}`)
	for _, m := range regexp.MustCompile(`(?m)^\t(\w+)\s+Sentence = "(.*)"$`).FindAllStringSubmatch(string(data), -1) {
		for _, p := range part.FindAllStringSubmatch(m[2], -1) {
			words := strings.Fields(p[1])
			if len(words) == 0 || !explained[words[len(words)-1]] {
				t.Errorf("%s: the comment does not explain {%s}", m[1], p[1])
			}
		}
		if bare := part.ReplaceAllString(m[2], ""); strings.ContainsAny(bare, "{}%") {
			t.Errorf("%s: %q", m[1], m[2])
		}
		if seen[m[2]] != "" {
			t.Errorf("%s says the same as %s", m[1], seen[m[2]])
		}
		seen[m[2]] = m[1]
	}
	if len(seen) < 150 {
		t.Errorf("the table has %d sentences", len(seen))
	}
}
