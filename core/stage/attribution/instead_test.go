package attribution_test

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

var insteadOf = regexp.MustCompile(`(\w+) was done instead of (\w+)`)

// TestInsteadOf attacks the law that a tool was used instead of another only if the reference has no
// step of it that was left to do. The reference has each tool at most once.
func TestInsteadOf(t *testing.T) {
	told, tried := 0, 0
	for seed := range drawn.Cases(800) {
		d := rand.New(rand.NewPCG(uint64(seed), 4803))
		tools := []string{"update_reservation_flights", "update_reservation_passengers", "update_reservation_baggages", "cancel_reservation", "refund_reservation"}
		d.Shuffle(len(tools), func(i, j int) { tools[i], tools[j] = tools[j], tools[i] })
		call := func(tool, card string) map[string]any {
			return map[string]any{"name": tool, "arguments": map[string]any{"reservation_id": "FQ8APE", "payment_id": card}}
		}
		var reference, run []any
		for _, tool := range tools[:1+d.IntN(3)] {
			reference = append(reference, call(tool, "gift_card_1"))
		}
		wanted := slices.Clone(tools[:len(reference)])
		d.Shuffle(len(tools)-1, func(i, j int) { tools[i], tools[j] = tools[j], tools[i] })
		for _, tool := range tools[:1+d.IntN(3)] {
			run = append(run, call(tool, []string{"gift_card_1", "credit_card_2"}[d.IntN(2)]))
		}
		trace, _ := json.Marshal(run)
		ref, _ := json.Marshal(reference)
		a := attributeTrace(t, string(trace), string(ref))
		if a == nil {
			continue
		}
		text, _ := json.Marshal(a)
		m := insteadOf.FindStringSubmatch(string(text))
		calls := 0 // of the tool, other than the reference has it
		for _, c := range run {
			name := c.(map[string]any)["name"]
			if tried++; m != nil && name == m[1] {
				calls++
			}
		}
		if m == nil {
			continue
		}
		if told++; calls == 1 && slices.Contains(wanted, m[1]) {
			t.Fatalf("seed %d: %s\n%s\n%s", seed, m[0], trace, ref)
		}
	}
	if told < 40 || tried < 800 {
		t.Errorf("told %d times: too seldom to show anything", told)
	}
}
