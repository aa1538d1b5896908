//go:build !js

package gate_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/worker/gate/store"
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

// TestInterruptedKey keeps a key for calls that were never stored, as a gate that is killed between the two leaves it, and sends the
// request again at drawn ages, several times at once: it is refused for a minute, and then makes one proposal, whose answer each later
// request gets.
func TestInterruptedKey(t *testing.T) {
	s := newTestService(t, "")
	draw := rand.New(rand.NewPCG(7, 49))
	for round := range drawn.Cases(12) {
		key, body := fmt.Sprint("k", round), fmt.Sprintf(`{"tool":"cancel_order","arguments":{"id":%d}}`, round)
		if draw.IntN(2) == 0 {
			body = `{"calls":[` + body + `,` + body + `]}`
		}
		sum := sha256.Sum256([]byte(body))
		kept := store.Kept{Digest: hex.EncodeToString(sum[:]), Status: 202, Answer: "{}", IDs: []string{"p_lost"}}
		at := s.now.Load()
		if _, fresh, err := s.store.Keep(t.Context(), "t", "bot", key, kept, at); err != nil || !fresh {
			t.Fatal(err, fresh)
		}
		for age := int64(0); age <= 60_000; age += 1 + draw.Int64N(60_000) {
			s.callAPI("POST", "/v1/proposals", agentKey, body, "Idempotency-Key", key).assertStatus(t, 409, `"code":"idempotency"`, "after a minute")
			s.now.Add(1)
		}
		s.now.Add(60_001)
		var group sync.WaitGroup
		answers := make([]answer, 4)
		for i := range answers {
			group.Go(func() {
				answers[i] = s.callAPI("POST", "/v1/proposals", agentKey, body, "Idempotency-Key", key)
			})
		}
		group.Wait()
		if err := s.store.UnkeepOld(t.Context(), "t", "bot", key, at); err != nil { // one that read the old key, and comes last
			t.Fatal(err)
		}
		again := s.callAPI("POST", "/v1/proposals", agentKey, body, "Idempotency-Key", key).assertStatus(t, 202)
		for _, a := range answers {
			if a.text != again.text && a.status != 409 {
				t.Fatalf("round %d: two answers: %s and %s", round, a.text, again.text)
			}
		}
		list := s.callAPI("GET", "/v1/proposals", aliceKey, "").assertStatus(t, 200).text
		if n, want := strings.Count(list, fmt.Sprintf(`"arguments":{"id":%d}`, round)), strings.Count(body, "tool"); n != want {
			t.Fatalf("round %d: %d calls wait, want %d: %s", round, n, want, list)
		}
	}
}
