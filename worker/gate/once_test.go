//go:build !js

package gate_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestOneRunOfAnAllowedCall draws requests with one key, with and without an attempt, and compares the attempt that the answers
// name with the first that was sent. A call that only reads names none.
func TestOneRunOfAnAllowedCall(t *testing.T) {
	s := newTestService(t, `{"allow":[{"name":"n","tool":"add_note","until":"2030-01-01T00:00:00Z","when":{}}]}`)
	draw := rand.New(rand.NewPCG(6, 49))
	for round := range 40 {
		tool := []string{"add_note", "add_note", "get_note"}[draw.IntN(3)]
		body, first := fmt.Sprintf(`{"tool":%q,"arguments":{}}`, tool), ""
		for range 5 {
			head, run := []string{"Idempotency-Key", fmt.Sprint("k", round)}, ""
			if draw.IntN(3) > 0 {
				run = fmt.Sprint("run ", draw.IntN(3))
				head = append(head, "Idempotency-Run", run)
			}
			if tool == "add_note" && first == "" {
				first = run
			}
			a := s.callAPI("POST", "/v1/proposals", agentKey, body, head...)
			a.assertStatus(t, 200)
			if got, _ := a.body["run"].(string); run != "" && got != first {
				t.Errorf("round %d: %s is for the attempt %q, want %q", round, tool, got, first)
			}
		}
	}
	one := `{"tool":"add_note","arguments":{}}`
	for _, bad := range [][]string{{"Idempotency-Run", "r"}, {"Idempotency-Run", strings.Repeat("r", 65), "Idempotency-Key", "z"}, {"Idempotency-Run", "a\tb", "Idempotency-Key", "z"}} {
		s.callAPI("POST", "/v1/proposals", agentKey, one, bad...).assertStatus(t, 400)
	}
	s.callAPI("POST", "/v1/proposals", agentKey, "["+one+"]", "Idempotency-Run", "r", "Idempotency-Key", "z").assertStatus(t, 400)
}
