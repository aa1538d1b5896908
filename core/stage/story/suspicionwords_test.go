package story

import (
	"regexp"
	"strings"
	"testing"
)

// TestSuspicionsAreClauses checks that the words of each suspicion can stand after "perhaps
// because": without their subordinate clauses they have a verb.
func TestSuspicionsAreClauses(t *testing.T) {
	verb := regexp.MustCompile(`\b(has|is|was|were|gave|went|assumed|acted|said|says|stated|changed|looked|did|failed|ends|ran|names|adds|typed)\b`)
	subordinate := regexp.MustCompile(`\b(what|that|which) (was \w+|the \w+ \w+|no \w+ \w+|it .*|things .*|somebody .*)`)
	for _, s := range suspicions {
		main := subordinate.ReplaceAllString(s.words, "it")
		if !verb.MatchString(main) {
			t.Errorf("%s: “failed, perhaps because %s” has no verb", s.name, s.words)
		}
		if strings.HasSuffix(s.words, ".") {
			t.Errorf("%s: %q ends with a full stop", s.name, s.words)
		}
	}
}
