//go:build !js

package gate_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestOneRunOfAnAllowedCall draws requests with one key, with and without an attempt, and compares the attempt that the answers
// name with that of the first request: if this has none, its client may have run the call, so no later attempt may. A call that only
// reads names none.
func TestOneRunOfAnAllowedCall(t *testing.T) {
	s := newTestService(t, `{"allow":[{"name":"n","tool":"add_note","until":"2030-01-01T00:00:00Z","when":{}}]}`)
	draw := rand.New(rand.NewPCG(6, 49))
	for round := range 40 {
		tool := []string{"add_note", "add_note", "get_note"}[draw.IntN(3)]
		body, first := fmt.Sprintf(`{"tool":%q,"arguments":{}}`, tool), ""
		for n := range 5 {
			head, run := []string{"Idempotency-Key", fmt.Sprint("k", round)}, ""
			if draw.IntN(3) > 0 {
				run = fmt.Sprint("run ", draw.IntN(3))
				head = append(head, "Idempotency-Run", run)
			}
			if tool == "add_note" && n == 0 {
				first = run
			}
			a := s.callAPI("POST", "/v1/proposals", agentKey, body, head...)
			a.assertStatus(t, 200)
			want := first
			if tool == "add_note" && first == "" && run != "" { // the client without an attempt may have run it
				want = "(a request without Idempotency-Run)"
			}
			if got, _ := a.body["run"].(string); got != want {
				t.Errorf("round %d: %s is for the attempt %q, want %q", round, tool, got, want)
			}
		}
	}
	one := `{"tool":"add_note","arguments":{}}`
	for _, bad := range [][]string{{"Idempotency-Run", "r"}, {"Idempotency-Run", strings.Repeat("r", 65), "Idempotency-Key", "z"}, {"Idempotency-Run", "a\tb", "Idempotency-Key", "z"}} {
		s.callAPI("POST", "/v1/proposals", agentKey, one, bad...).assertStatus(t, 400)
	}
	s.callAPI("POST", "/v1/proposals", agentKey, "["+one+"]", "Idempotency-Run", "r", "Idempotency-Key", "z").assertStatus(t, 400)
}

// TestAllowedMayHaveRun repeats requests that were allowed, with and without an attempt, while the agent is frozen: the
// answer says that the call may have run, and never that nothing has.
func TestAllowedMayHaveRun(t *testing.T) {
	s := newTestService(t, `{"allow":[{"name":"n","tool":"add_note","until":"2030-01-01T00:00:00Z","when":{}}]}`)
	const one = `{"tool":"add_note","arguments":{}}`
	for round, first := range []string{"", "r1"} {
		ask := func(run string) answer {
			head := []string{"Idempotency-Key", fmt.Sprint("k", round)}
			if run != "" {
				head = append(head, "Idempotency-Run", run)
			}
			return s.callAPI("POST", "/v1/proposals", agentKey, one, head...)
		}
		ask(first).assertStatus(t, 200)
		s.callAPI("POST", "/v1/freezes", aliceKey, `{"frozen":true}`).assertStatus(t, 200)
		for _, run := range []string{"", "r1", "r2"} {
			if a := ask(run).assertStatus(t, 409, "may have run", "Check its effect"); strings.Contains(a.text, "othing has run") {
				t.Error(a.text)
			}
		}
		s.callAPI("POST", "/v1/freezes", aliceKey, `{"frozen":false}`).assertStatus(t, 200)
	}
}
