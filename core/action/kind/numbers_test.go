package kind

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestKindsOfTextsReadNoNumbers checks that two numbers are compared alike with and without the kinds
// of texts, whatever the tool and the argument are called.
func TestKindsOfTextsReadNoNumbers(t *testing.T) {
	random := rand.New(rand.NewPCG(46, 8))
	tools := strings.Fields("update_order set_timer run_query open_url send_message write_file set_color pay call_phone set_zone convert")
	keys := strings.Fields("id amount price total color hex url path query sql code phone zip country language currency zone time date year size volume percent enabled message content body uuid lat angle version count note")
	numbers := []string{"0", "1", "7", "1.5", "-3", "24", "60", "1000", "1024", "1.250", "2024", "20240101", "4155550132", "1e3", "0.15", "15", "16777215", "1700000000", "1700000000000"}
	none := func(string) string { return "" }
	for range drawn.Cases(4000) {
		tool, key := tools[random.IntN(len(tools))], keys[random.IntN(len(keys))]
		a, b := numbers[random.IntN(len(numbers))], numbers[random.IntN(len(numbers))]
		if random.IntN(2) == 0 {
			b = strconv.Itoa(random.IntN(2000))
		}
		newPair := func() *pair {
			return &pair{tool: NewTool(tool), name: strings.Split(key, "_"), many: isMany(key), a: newValue(a, none), b: newValue(b, none)}
		}
		name, outcome := newPair().compareBy(true)
		if all, want := newPair().compareBy(false); name != all || outcome != want {
			t.Fatalf("%s(%s): %s and %s: %s %d, and with all kinds %s %d", tool, key, a, b, name, outcome, all, want)
		}
	}
}
