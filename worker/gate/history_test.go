//go:build !js

package gate_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/pace"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// pastCall is what the test knows of a call by other ways than by a search.
type pastCall struct {
	id, tool, agent, state, shown string
	people, words                 []string // who decided; the reasons and the outcome
	created                       int64
}

// meetsQuery is the oracle of TestHistorySearch.
func (c *pastCall) meetsQuery(q url.Values) bool {
	day := func(name string) int64 {
		t, _ := time.Parse(time.RFC3339, q.Get(name))
		return t.UnixMilli()
	}
	is := func(name, have string) bool { return q.Get(name) == "" || q.Get(name) == have }
	text := strings.ToLower(q.Get("text")) // the test's words have no letters but those of ASCII with a case
	said := slices.ContainsFunc(append(c.words, c.shown, c.tool), func(s string) bool { return strings.Contains(strings.ToLower(s), text) })
	return c.state != "pending" && is("state", c.state) && is("tool", c.tool) && is("agent", c.agent) && said &&
		(q.Get("person") == "" || slices.Contains(c.people, q.Get("person"))) &&
		(q.Get("since") == "" || c.created >= day("since")) && (q.Get("until") == "" || c.created < day("until"))
}

// TestHistorySearch draws calls of two agents with every end, and searches with drawn
// conditions and page sizes. The pages together have exactly the calls that meet the
// conditions, each once and newest first. Nobody finds a call that he may not see.
func TestHistorySearch(t *testing.T) {
	s := newTestService(t, `{"edit":[{"name":"all","arguments":["*"],"counts":true}]}`)
	rng := rand.New(rand.NewPCG(49, 1))
	pick := func(all ...string) string { return all[rng.IntN(len(all))] }
	words := []string{"Ärger", "zebra", `quote " and \\ slash`, "<b>&amp;", "line\nfeed", "by", "reason"}
	var calls []*pastCall
	keep := func(id, agent string, people []string, words ...string) {
		key := map[string]string{"bot": agentKey, "bot2": otherKey}[agent]
		a := s.callAPI("GET", "/v1/proposals/"+id, key, "").assertStatus(t, 200)
		created, _ := time.Parse(time.RFC3339, a.textField("created"))
		raw, _ := json.Marshal(a.body["arguments"])
		calls = append(calls, &pastCall{id, a.textField("tool"), agent, a.textField("state"), a.textField("prompt") + "\n" + string(raw), people, words, created.UnixMilli()})
	}
	for i := range drawn.Cases(48) {
		s.now.Add(int64(rng.IntN(3)) * 500)
		agent, key := "bot", agentKey
		if rng.IntN(3) == 0 {
			agent, key = "bot2", otherKey
		}
		arguments, _ := json.Marshal(map[string]string{"n": strconv.Itoa(i), "note": pick(words...)})
		a := s.callAPI("POST", "/v1/proposals", key, `{"tool":"`+pick("cancel_x", "send_x", "Book_X")+`","arguments":`+string(arguments)+`}`).assertStatus(t, 202)
		id, digest, reason := a.textField("id"), a.textField("digest"), pick(words...)
		by, person := aliceKey, "alice"
		if agent == "bot" && rng.IntN(2) == 0 {
			by, person = bobKey, "bob"
		}
		said, _ := json.Marshal(map[string]any{"approve": true, "digest": digest, "reason": reason})
		switch decide := "/v1/proposals/" + id + "/decision"; rng.IntN(6) {
		case 0: // waits
			keep(id, agent, nil)
		case 1:
			s.callAPI("POST", decide, by, strings.Replace(string(said), "true", "false", 1)).assertStatus(t, 200)
			keep(id, agent, []string{person}, reason)
		case 2:
			s.callAPI("POST", decide, by, string(said)).assertStatus(t, 200)
			keep(id, agent, []string{person}, reason)
		case 3:
			s.callAPI("POST", decide, by, string(said)).assertStatus(t, 200)
			grant := s.callAPI("POST", "/v1/proposals/"+id+"/claim", key, "").assertStatus(t, 200).textField("grant")
			outcome, _ := json.Marshal(map[string]string{"grant": grant, "status": pick("executed", "failed", "ambiguous"), "detail": "it was a Zebra"})
			s.callAPI("POST", "/v1/proposals/"+id+"/outcome", key, string(outcome)).assertStatus(t, 200)
			keep(id, agent, []string{person}, reason, "it was a Zebra")
		case 4:
			answer, _ := json.Marshal(map[string]string{"digest": digest, "answer": reason})
			s.callAPI("POST", "/v1/proposals/"+id+"/answer", by, string(answer)).assertStatus(t, 200)
			keep(id, agent, []string{person}, reason)
		case 5:
			edited := s.callAPI("POST", "/v1/proposals/"+id+"/edit", by, `{"digest":"`+digest+`","arguments":{"n":"edited `+strconv.Itoa(i)+`"}}`).assertStatus(t, 200)
			keep(id, agent, nil)
			s.callAPI("POST", "/v1/proposals/"+edited.textField("id")+"/cancel", key, "").assertStatus(t, 200)
			keep(edited.textField("id"), agent, []string{person})
		}
	}
	for range drawn.Cases(60) {
		q := url.Values{}
		maybe := func(name string, all ...string) {
			if rng.IntN(4) == 0 {
				q.Set(name, pick(all...))
			}
		}
		at := func() string { return time.UnixMilli(start + int64(rng.IntN(40))*1000).UTC().Format(time.RFC3339) }
		maybe("state", "approved", "denied", "answered", "superseded", "cancelled", "executed", "failed", "ambiguous", "claimed", "expired")
		maybe("tool", "cancel_x", "send_x", "Book_X", "x")
		maybe("agent", "bot", "bot2", "alice")
		maybe("person", "alice", "bob", "bot", "n")
		maybe("since", at())
		maybe("until", at())
		maybe("text", "zebra", "ZEBRA", "Ärger", `quote "`, `\`, "<b>&amp;", "line\nfeed", "by", "votes", "book_x", "edited", "%", "_")
		s.assertHistory(q, aliceKey, calls, 1+rng.IntN(9), func(*pastCall) bool { return true })
		s.assertHistory(q, agentKey, calls, 100, func(c *pastCall) bool { return c.agent == "bot" })
		s.assertHistory(q, spyKey, calls, 100, func(*pastCall) bool { return false })
		s.assertHistory(q, carolKey, calls, 100, func(*pastCall) bool { return false })
	}
	for query, part := range map[string]string{"state=pending": "want one of", "limit=0": "invalid limit", "limit=201": "invalid limit", "since=x": "invalid since", "until=2027-13-01": "invalid until", "after=x": "after",
		"text=%ff": "invalid text", "text=" + strings.Repeat("x", 201): "invalid text", "tools=x": "unknown parameter", "tool=a&tool=b": "twice"} {
		s.callAPI("GET", "/v1/history?"+query, aliceKey, "").assertStatus(t, 400, part)
	}
}

// assertHistory reads all pages of a search and compares them with the oracle.
func (s *service) assertHistory(q url.Values, key string, calls []*pastCall, limit int, sees func(*pastCall) bool) {
	s.t.Helper()
	var want, got []string
	for _, c := range calls {
		if c.meetsQuery(q) && sees(c) {
			want = append(want, store.Stamp(c.created)+" "+c.id)
		}
	}
	slices.Sort(want)
	slices.Reverse(want)
	q = url.Values(mapsClone(q))
	q.Set("limit", strconv.Itoa(limit))
	for pages := 0; ; pages++ {
		a := s.callAPI("GET", "/v1/history?"+q.Encode(), key, "").assertStatus(s.t, 200)
		list, _ := a.body["settled"].([]any)
		for _, m := range list {
			created, _ := time.Parse(time.RFC3339, m.(map[string]any)["created"].(string))
			got = append(got, store.Stamp(created.UnixMilli())+" "+m.(map[string]any)["id"].(string))
		}
		if len(list) > limit || pages > len(calls)+1 {
			s.t.Fatalf("%s: %d calls on page %d", q.Encode(), len(list), pages)
		}
		if a.textField("next") == "" {
			break
		}
		q.Set("after", a.textField("next"))
	}
	if !slices.Equal(got, want) {
		s.t.Fatalf("%s: found %d calls %v, want %d %v", q.Encode(), len(got), got, len(want), want)
	}
}

func mapsClone(q url.Values) map[string][]string {
	out := map[string][]string{}
	for name, v := range q {
		out[name] = slices.Clone(v)
	}
	return out
}

// TestHistoryIsBounded checks that a search among many calls ends after a bounded part of
// them with the place to continue, and that its pages together find the oldest call.
func TestHistoryIsBounded(t *testing.T) {
	s, _ := open(t)
	for i := range 9 {
		a := machine.Ask{By: bot, Session: "s"}
		for j := range 500 {
			note := "hay"
			if i == 0 && j == 0 {
				note = "needle"
			}
			a.Calls = append(a.Calls, proposal.Proposal{Tool: "cancel_x", Arguments: fmt.Sprintf(`{"n":%d,"note":%q}`, j, note)})
			a.IDs = append(a.IDs, fmt.Sprintf("p_%d_%03d", i, j))
		}
		plan := machine.Propose(machine.Default(), a, start+int64(i))
		for j := range plan.Records {
			plan.Records[j].Batch, plan.Records[j].State = "", machine.Cancelled
		}
		if err := s.Insert(context.Background(), plan.Records, plan.Entries); err != nil {
			t.Fatal(err)
		}
	}
	q, found := store.Search{Tenant: "t", Text: "needle", Limit: 10}, 0
	for pages := 1; ; pages++ {
		began := time.Now()
		list, next, err := s.Search(context.Background(), q)
		if err != nil || time.Since(began) > pace.Within(5*time.Second) {
			t.Fatalf("page %d after %s: %v", pages, time.Since(began), err)
		}
		if found += len(list); next == (store.Place{}) {
			if pages != 3 || found != 1 {
				t.Errorf("%d calls on %d pages, want 1 on 3", found, pages)
			}
			return
		}
		q.After = next
	}
}

// TestHistoryPage checks that the page finds, keeps the conditions, shows no markup of a
// call, and links to the next page.
func TestHistoryPage(t *testing.T) {
	s := newTestService(t, "")
	for i := range 60 {
		id, digest := s.proposeHeld("cancel_order", fmt.Sprintf(`{"n":%d,"note":"<script>"}`, i))
		s.sendDecision(aliceKey, id, digest, i%2 == 0).assertStatus(t, 200)
	}
	b := s.signIn(aliceKey)
	if _, text, _ := b.doRequest("GET", "/pending", nil); !strings.Contains(text, `href="/history"`) {
		t.Error("no link to the page")
	}
	status, text, _ := b.doRequest("GET", "/history?state=denied&text=SCRIPT", nil)
	if status != 200 || strings.Count(text, "<li>") != 30 || strings.Contains(text, "<script>\"") || !strings.Contains(text, `value="SCRIPT"`) || !strings.Contains(text, " selected>denied") || !strings.Contains(text, "alice denied at") {
		t.Errorf("%d %d %s", status, strings.Count(text, "<li>"), text)
	}
	_, text, _ = b.doRequest("GET", "/history", nil)
	_, older, more := strings.Cut(text, `<a rel="next" href="`)
	older, _, _ = strings.Cut(older, `"`)
	if strings.Contains(text, "changes nothing") {
		t.Error("the page says of an approved change that it changes nothing")
	}
	if _, rest, _ := b.doRequest("GET", older, nil); !more || strings.Count(text, "<li>") != 50 || strings.Count(rest, "<li>") != 10 || strings.Contains(rest, "Older calls") {
		t.Errorf("%d calls, then %d", strings.Count(text, "<li>"), strings.Count(rest, "<li>"))
	}
	if status, text, _ := b.doRequest("GET", "/history?since=yesterday", nil); status != 400 || !strings.Contains(text, "invalid since") {
		t.Errorf("%d %s", status, text)
	}
	if _, text, _ := s.signIn(carolKey).doRequest("GET", "/history", nil); !strings.Contains(text, "No call meets these conditions") {
		t.Error("another tenant finds calls")
	}
}

// TestHistoryOfRemembered checks that the page does not say of a change that passes by a
// remembered yes, which nobody voted on, that it changes nothing.
func TestHistoryOfRemembered(t *testing.T) {
	s := newTestService(t, rememberPolicy)
	id, digest := s.proposeInSession("add_x", `{"n":1}`, "s1")
	s.remember(id, digest, `{"n":{"max":5}}`, 60_000).assertStatus(t, 200)
	s.sendProposal(`{"tool":"add_x","arguments":{"n":5},"session":"s1"}`).assertStatus(t, 202, `"approved"`)
	_, text, _ := s.signIn(aliceKey).doRequest("GET", "/history", nil)
	if strings.Contains(text, "changes nothing") || !strings.Contains(text, "Passes by a remembered yes of alice") {
		t.Error(text)
	}
}
