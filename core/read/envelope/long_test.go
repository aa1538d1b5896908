package envelope

import (
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/pace"
)

// TestLongTextsAreQuick checks long texts of people: no line is looked at once for each line after it.
func TestLongTextsAreQuick(t *testing.T) {
	const n = 40_000
	for kind, texts := range map[string][]string{
		"yaml": {
			"a:\n  - x: [\n" + strings.Repeat("      12345,\n", n) + "      1]\n",
			"a:\n  - x: word\n" + strings.Repeat("      another\n", n),
		},
		"console":  {"=== case a started ===\n" + strings.Repeat("call> pay(id=1)\n", 4*n) + strings.Repeat("ok> done\n", 4*n) + "verdict: pass\n"},
		"markdown": {strings.Repeat("|expected_calls|b|\n|--|--|\n|a(x=1)|c|\n\n", n)},
	} {
		for _, text := range texts {
			got := ""
			spent := pace.Spent(func() { _, got = WrittenRows(text) })
			if got != kind {
				t.Errorf("%.40q is %q, want %q", text, got, kind)
			}
			if spent > 4*time.Second {
				t.Errorf("%.40q took %v", text, spent)
			}
		}
	}
}
