//go:build !js

package gate_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestManyDecisionsRandom draws lists of decisions with right, wrong and repeated digests,
// calls of other tenants, and calls that were edited or decided in between. Each result
// must be that of the decision by itself, and exactly the calls whose digests were named
// are approved.
func TestManyDecisionsRandom(t *testing.T) {
	s := newTestService(t, editPolicy)
	rng := rand.New(rand.NewPCG(11, 3))
	foreign := s.callAPI("POST", "/v1/proposals", spyKey, `{"tool":"send_x","arguments":{}}`).assertStatus(t, 202)
	approved, refused := 0, 0
	for round := range drawn.Cases(25) {
		type held struct{ id, digest, state string }
		var calls []*held
		for i := range 2 + rng.IntN(5) {
			id, digest := s.proposeHeld("send_x", fmt.Sprintf(`{"round":%d,"n":%d}`, round, i))
			calls = append(calls, &held{id, digest, "pending"})
		}
		late, lateDigest := s.proposeHeld("send_x", fmt.Sprintf(`{"late":%d}`, round))
		for _, c := range calls { // what happens after the list was shown
			switch rng.IntN(6) {
			case 0:
				s.sendEdit(aliceKey, c.id, c.digest, fmt.Sprintf(`{"round":%d,"n":99}`, round)).assertStatus(t, 200)
				c.state = "superseded"
			case 1:
				s.sendDecision(bobKey, c.id, c.digest, false).assertStatus(t, 200)
				c.state = "denied"
			}
		}
		type decision struct {
			ID      string `json:"id"`
			Digest  string `json:"digest"`
			Approve bool   `json:"approve"`
		}
		var list []decision
		var want []int
		for range 1 + rng.IntN(8) {
			c := calls[rng.IntN(len(calls))]
			d := decision{c.id, c.digest, rng.IntN(5) > 0}
			switch rng.IntN(6) {
			case 0:
				d.Digest = calls[rng.IntN(len(calls))].digest
			case 1:
				d.ID, d.Digest = foreign.textField("id"), foreign.textField("digest")
			}
			list = append(list, d)
			switch {
			case d.ID != c.id:
				want = append(want, 404)
			case c.state != "pending" || d.Digest != c.digest:
				want = append(want, 409)
				refused++
			default:
				want = append(want, 200)
				if c.state = "denied"; d.Approve {
					c.state = "approved"
					approved++
				}
			}
		}
		body, _ := json.Marshal(map[string]any{"decisions": list})
		a := s.callAPI("POST", "/v1/decisions", bobKey, string(body)).assertStatus(t, 200)
		var got struct {
			Results []struct {
				ID     string
				Status int
				State  string
				Error  *struct{ Code, Message string }
			}
		}
		json.Unmarshal([]byte(a.text), &got)
		for i, r := range got.Results {
			if r.ID != list[i].ID || r.Status != want[i] || (r.Status == 200) != (r.Error == nil) || (r.State != "") != (r.Error == nil) {
				t.Fatalf("%+v: %+v, want %d", list[i], r, want[i])
			}
		}
		if len(got.Results) != len(list) {
			t.Fatalf("%d results of %d", len(got.Results), len(list))
		}
		for _, c := range calls {
			if state := s.proposalState(c.id); state != c.state {
				t.Fatalf("%s is %s, want %s", c.id, state, c.state)
			}
			s.sendDecision(bobKey, c.id, c.digest, false) // for the next round
		}
		if s.proposalState(late) != "pending" {
			t.Fatal("a call was decided that no decision named")
		}
		s.sendDecision(bobKey, late, lateDigest, false)
	}
	if approved < 20 || refused < 10 {
		t.Errorf("%d approved, %d refused: the test does not reach them", approved, refused)
	}
	s.assertWhole()
}

// TestAllOnOnePage approves all calls that a page shows: each by the digest that was shown.
// One that came later is not included, and one that was changed is reported.
func TestAllOnOnePage(t *testing.T) {
	s := newTestService(t, editPolicy)
	var ids [3]string
	var digests [3]string
	for i := range ids {
		ids[i], digests[i] = s.proposeHeld("send_x", fmt.Sprintf(`{"n":%d}`, i))
	}
	alice := s.signIn(aliceKey)
	if _, page, _ := alice.doRequest("GET", "/pending", nil); !strings.Contains(page, `href="/pending/all"`) {
		t.Error("the list has no link to the whole calls")
	}
	status, page, _ := alice.doRequest("GET", "/pending/all", nil)
	if status != 200 || strings.Count(page, `<article class="card">`) != 3 || !strings.Contains(page, "Approve all 3 calls that are shown") || strings.Count(page, "Allow this call?") != 3 {
		t.Fatalf("%d %s", status, page)
	}
	form := url.Values{"do": {"all"}, "reason": {"all fine"}}
	for _, part := range strings.Split(page, `name="call" value="`)[1:] {
		value, _, _ := strings.Cut(part, `"`)
		form["call"] = append(form["call"], value)
	}
	later, _ := s.proposeHeld("send_x", `{"later":true}`)
	s.sendEdit(bobKey, ids[1], digests[1], `{"n":7}`).assertStatus(t, 200)
	status, page, _ = alice.doRequest("POST", "/pending/all", form)
	if status != 409 || !strings.Contains(page, "the edited call stands in its place") {
		t.Errorf("%d %s", status, page)
	}
	for i, want := range []string{"approved", "superseded", "approved"} {
		if state := s.proposalState(ids[i]); state != want {
			t.Errorf("call %d is %s, want %s", i, state, want)
		}
	}
	if s.proposalState(later) != "pending" {
		t.Error("a call that was not shown was decided")
	}
	for i := range form["call"] {
		form["call"][i] = strings.Replace(form["call"][i], digests[0], digests[2], 1)
	}
	if status, _, _ = alice.doRequest("POST", "/pending/all", form); status != 403 {
		t.Errorf("a form that was not shown: %d", status)
	}
	s.assertWhole()
}
