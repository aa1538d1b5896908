package provenance_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestValuesWithoutSpaces draws values inside Chinese and Japanese sentences, which have no spaces: a value is found where the
// sentence has it, and not where it has another one.
func TestValuesWithoutSpaces(t *testing.T) {
	random := rand.New(rand.NewPCG(44, 31))
	forms := []string{"受講料%sの返金をお願いします。", "请把%s的库存清零。", "料金は%s円です。", "注文番号%s、よろしく。"}
	for range drawn.Cases(300) {
		n := 1000 + random.IntN(8000)
		written, value := fmt.Sprintf("%d,%03d", n/1000, n%1000), fmt.Sprint(n)
		other := fmt.Sprint(n + 1)
		if random.IntN(2) == 0 {
			written = fmt.Sprintf("TK-%d", n)
			value, other = `"`+written+`"`, fmt.Sprintf(`"TK-%d"`, n+1)
		}
		texts := parseConversation("tool: " + fmt.Sprintf(forms[random.IntN(len(forms))], written))
		for v, want := range map[string]provenance.Kind{value: provenance.Tool, other: provenance.Nowhere} {
			if got := traceOrigins(t, texts, `{"booking":`+v+`}`)[0]; got.Kind != want {
				t.Fatalf("%s in %q: %s, want %s", v, texts[0].Text, got.Kind, want)
			}
		}
	}
}
