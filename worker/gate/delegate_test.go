//go:build !js

package gate_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/notify"
	"github.com/boundcheck/boundcheck/worker/gate/store"
	"github.com/boundcheck/boundcheck/worker/receipt"
)

// delegating is the policy of these tests: two people of three for pay_x.
const delegating = `{"cooldown":"none","expiry":"1h","delegate":{"by":["ann","ben","cem"],"within":"2h"},"bypass":["ann"],
	"rules":[{"name":"pays","tool":"pay_x","effect":"hold","people":2,"from":["ann","ben","cem"]},{"name":"sends","tool":"send_x","effect":"hold","from":["ann"]}]}`

// team gives a service four approvers. The key of each has a number, so that it can change.
type team struct {
	*service
	number map[string]int
}

var members = []string{"ann", "ben", "cem", "dan"}

func (t *team) key(name string) string {
	return fmt.Sprintf("%s-key-%d-0123456789abcdef", name, t.number[name])
}

func newTeam(t *testing.T, change ...func(*gate.Options)) *team {
	out := &team{newTestService(t, delegating, change...), map[string]int{}}
	out.setKeys()
	return out
}

// setKeys puts the keys of now into force; a number below zero is nobody.
func (t *team) setKeys() {
	t.t.Helper()
	text := "t agent bot " + agentKey + "\n"
	for _, name := range members {
		if t.number[name] >= 0 {
			text += "t approver " + name + " " + t.key(name) + "\n"
		}
	}
	keys, err := gate.ReadKeys(text)
	if err == nil {
		_, err = t.gate.ReloadKeys(t.t.Context(), keys)
	}
	if err != nil {
		t.t.Fatal(err)
	}
}

func (t *team) delegate(giver, to string, long int64) answer {
	return t.callAPI("POST", "/v1/delegations", t.key(giver), `{"to":"`+to+`","until":"`+store.Instant(t.now.Load()+long)+`"}`)
}

func (t *team) vote(name, giver, id, digest string) answer {
	return t.callAPI("POST", "/v1/proposals/"+id+"/decision", t.key(name), `{"approve":true,"digest":"`+digest+`","for":"`+giver+`"}`)
}

// TestDelegated plays at random: people delegate, end it and vote, keys change and go, time
// passes and the policy changes. A simple program knows which vote counts.
func TestDelegated(t *testing.T) {
	rng := rand.New(rand.NewPCG(81, 3))
	type given struct {
		id, giver, to  string
		created, until int64
		keys           [2]int
		ended          bool
	}
	type call struct {
		id, digest, tool string
		used             []string
		votes            int
		over             bool
	}
	counted, refused, passed := 0, 0, 0
	for range drawn.Cases(8) {
		s := newTeam(t)
		var all []*given
		var calls []*call
		by, within := []string{"ann", "ben", "cem"}, int64(7_200_000)
		counts := func(d *given) bool {
			now := s.now.Load()
			return !d.ended && now < d.until && slices.Contains(by, d.giver) && now < d.created+within && d.keys == [2]int{s.number[d.giver], s.number[d.to]}
		}
		anybody := func() string { return members[rng.IntN(len(members))] }
		for range 120 {
			switch k := rng.IntN(20); {
			case k < 4:
				giver, to, long := anybody(), anybody(), 1000*rng.Int64N(8_000)
				if s.number[giver] < 0 {
					continue
				}
				want := slices.Contains(by, giver) && giver != to && long > 0 && long <= within && s.number[to] >= 0
				a := s.delegate(giver, to, long)
				if (a.status == 200) != want {
					t.Fatalf("%s to %s for %d: %d %s, want %v", giver, to, long, a.status, a.text, want)
				}
				if want {
					all = append(all, &given{id: a.textField("id"), giver: giver, to: to, created: s.now.Load(), until: s.now.Load() + long, keys: [2]int{s.number[giver], s.number[to]}})
				}
			case k < 5 && len(all) > 0:
				d := all[rng.IntN(len(all))]
				if name := anybody(); s.number[name] >= 0 {
					a := s.callAPI("POST", "/v1/delegations/"+d.id+"/revoke", s.key(name), `{"reason":"r"}`)
					if want := !d.ended && s.now.Load() < d.until; (a.status == 200) != want {
						t.Fatalf("end of %+v: %d %s", d, a.status, a.text)
					}
					d.ended = d.ended || a.status == 200
				}
			case k == 5 && rng.IntN(2) == 0:
				name := anybody()
				for _, d := range all { // for good
					d.ended = d.ended || d.giver == name || d.to == name
				}
				if s.number[name]++; rng.IntN(3) == 0 {
					s.number[name] = -s.number[name]
				} else if s.number[name] <= 0 {
					s.number[name] = 100 + rng.IntN(1000)
				}
				s.setKeys()
			case k < 7:
				s.now.Add(rng.Int64N(600_000))
			case k == 7 && rng.IntN(3) == 0:
				by, within = [][]string{{"ann", "ben", "cem"}, {"ann"}, nil, {}}[rng.IntN(4)], 3_600_000*(1+rng.Int64N(2))
				text := delegating
				switch {
				case by == nil: // everybody
					by, text = members, strings.Replace(text, `"by":["ann","ben","cem"],`, "", 1)
				case len(by) == 0:
					text = strings.Replace(text, `"delegate":{"by":["ann","ben","cem"],"within":"2h"},`, "", 1)
				default:
					text = strings.Replace(text, `"by":["ann","ben","cem"]`, `"by":["`+strings.Join(by, `","`)+`"]`, 1)
				}
				p, err := machine.ReadPolicy(strings.Replace(text, `"2h"`, fmt.Sprintf(`"%dh"`, within/3_600_000), 1))
				if err != nil {
					t.Fatal(err)
				}
				s.gate.SetPolicy(p)
			case k < 10 || len(calls) == 0:
				tool := []string{"pay_x", "send_x"}[rng.IntN(2)]
				id, digest := s.proposeHeld(tool, fmt.Sprintf(`{"n":%d}`, len(calls)))
				calls = append(calls, &call{id: id, digest: digest, tool: tool})
			default:
				c, name, giver := calls[max(0, len(calls)-1-rng.IntN(3))], anybody(), ""
				if rng.IntN(4) == 0 {
					giver = anybody()
				} else if rng.IntN(3) > 0 && len(all) > 0 {
					d := all[max(0, len(all)-1-rng.IntN(4))]
					name, giver = d.to, d.giver
				}
				if s.number[name] < 0 {
					continue
				}
				right, parts, by := name, []string{name}, "themselves"
				want := !c.over && s.proposalState(c.id) == "pending"
				if giver != "" {
					right, parts, by = giver, append(parts, giver), giver
					want = want && slices.ContainsFunc(all, func(d *given) bool { return d.giver == giver && d.to == name && counts(d) })
				}
				want = want && !slices.ContainsFunc(parts, func(p string) bool { return slices.Contains(c.used, p) }) &&
					(c.tool == "send_x" && right == "ann" || c.tool == "pay_x" && right != "dan")
				a := s.vote(name, giver, c.id, c.digest)
				if (a.status == 200) != want {
					t.Fatalf("%s for %s about %+v: %d %s, want %v", name, by, c, a.status, a.text, want)
				}
				if !want {
					refused++
					continue
				}
				if c.used = append(c.used, parts...); giver != "" {
					counted++
				}
				if c.votes++; c.votes == map[string]int{"pay_x": 2, "send_x": 1}[c.tool] {
					c.over = true
					passed++
				}
				if (a.textField("state") == "approved") != c.over {
					t.Fatalf("%d votes: %s", c.votes, a.text)
				}
			}
			live := 0
			for _, d := range all {
				if counts(d) {
					live++
				}
			}
			for _, name := range members {
				if s.number[name] >= 0 {
					if a := s.callAPI("GET", "/v1/delegations", s.key(name), "").assertStatus(t, 200); strings.Count(a.text, `"id":`) != live {
						t.Fatalf("%d count, but listed are %s", live, a.text)
					}
					break
				}
			}
		}
		s.assertWhole()
	}
	if counted < 10 || refused < 20 || passed < 10 {
		t.Errorf("%d votes counted for a giver, %d were refused, %d calls passed", counted, refused, passed)
	}
	t.Log(counted, refused, passed)
}

// TestDelegationAudited checks the rows of a delegation, of a vote by it, and of its end, and
// what the call's proposal and receipt say.
func TestDelegationAudited(t *testing.T) {
	s := newTeam(t)
	g := s.delegate("ann", "dan", 60_000).assertStatus(t, 200, `"giver":"ann"`, `"to":"dan"`).textField("id")
	id, digest := s.proposeHeld("send_x", `{}`)
	s.vote("dan", "", id, digest).assertStatus(t, 403)
	s.vote("dan", "ben", id, digest).assertStatus(t, 403, "has not delegated")
	s.callAPI("POST", "/v1/proposals/"+id+"/decision", s.key("dan"), `{"approve":true,"digest":"`+digest+`","for":"ann","bypass":true,"reason":"r"}`).assertStatus(t, 403, "not delegated")
	s.vote("dan", "ann", id, digest).assertStatus(t, 200, `"approved"`)
	s.callAPI("GET", "/v1/proposals/"+id, agentKey, "").assertStatus(t, 200, `"by":"dan"`, `"for":"ann"`)
	s.callAPI("POST", "/v1/delegations/"+g+"/revoke", s.key("ben"), `{"reason":"back"}`).assertStatus(t, 200, `"delegations":[]`)
	s.callAPI("POST", "/v1/delegations/"+g+"/revoke", s.key("ben"), "").assertStatus(t, 404)
	audit := s.exportedAudit()
	for _, part := range []string{`\"event\":\"delegate\"`, `\"for\":\"ann\",\"delegate\":\"dan\",\"delegation\":\"` + g, `\"for\":\"ann\",\"delegation\":\"` + g, `\"event\":\"undelegate\"`, `\"text\":\"back\"`} {
		if !strings.Contains(audit, part) {
			t.Errorf("the audit lacks %s in %s", part, audit)
		}
	}
	s.callAPI("GET", "/v1/audit", s.key("ann"), "").assertStatus(t, 200, `"for":"ann","delegate":"dan","delegation":"`+g, `"event":"undelegate"`)
	s.delegate("ann", "nobody", 60_000).assertStatus(t, 400, "no approver of this tenant")
	s.delegate("dan", "ann", 60_000).assertStatus(t, 403, "does not let dan")
	s.assertWhole()
}

// TestDelegationRace ends a delegation while its delegate votes. After the end was answered,
// no vote counts.
func TestDelegationRace(t *testing.T) {
	s := newTeam(t)
	for round := range 6 {
		g := s.delegate("ann", "dan", 60_000).assertStatus(t, 200).textField("id")
		var ids, digests []string
		for i := range 12 {
			id, digest := s.proposeHeld("send_x", fmt.Sprintf(`{"n":%d}`, 100*round+i))
			ids, digests = append(ids, id), append(digests, digest)
		}
		raceCalls(7, func(i int) int {
			if i == 3 {
				return s.callAPI("POST", "/v1/delegations/"+g+"/revoke", s.key("ben"), "").status
			}
			return s.vote("dan", "ann", ids[i], digests[i]).status
		})
		for i := 7; i < 12; i++ {
			s.vote("dan", "ann", ids[i], digests[i]).assertStatus(t, 403, "has not delegated")
		}
	}
	s.assertWhole()
}

// TestDelegationInTheStore checks that the write of a vote itself needs the delegation: it may
// end between the look at it and the write.
func TestDelegationInTheStore(t *testing.T) {
	s := newTeam(t)
	g := s.delegate("ann", "dan", 60_000).assertStatus(t, 200).textField("id")
	id, digest := s.proposeHeld("send_x", `{}`)
	r, err := s.store.Load(t.Context(), "t", id)
	if err != nil {
		t.Fatal(err)
	}
	d := &machine.Delegation{ID: g, Tenant: "t", Giver: "ann", To: "dan", Until: s.now.Load() + 60_000}
	e := machine.Event{Kind: machine.Decide, By: machine.Principal{Tenant: "t", Name: "dan", Role: machine.Approver}, Approve: true, Digest: digest, Giver: "ann", Delegation: d}
	s.callAPI("POST", "/v1/delegations/"+g+"/revoke", s.key("ann"), "").assertStatus(t, 200)
	if done, err := s.store.Update(t.Context(), machine.Step([]machine.Record{r}, 0, e, s.now.Load())); done || err != nil {
		t.Errorf("a vote by a delegation that has ended: %v %v", done, err)
	}
}

// TestDelegateOnPage gives a delegation on the page, decides by it there, and ends it.
func TestDelegateOnPage(t *testing.T) {
	s := newTeam(t)
	ann, dan := s.signIn(s.key("ann")), s.signIn(s.key("dan"))
	if _, text, _ := dan.doRequest("GET", "/delegations", nil); !strings.Contains(text, "Nobody has delegated") || !strings.Contains(text, "does not let you delegate") {
		t.Error(text)
	}
	f := ann.hiddenFields("/delegations")
	if status, text, _ := ann.doRequest("POST", "/delegations", withFields(f, "do", "give", "to", "nobody", "for", "15m")); status != 409 || !strings.Contains(text, "Not delegated: unknown approver nobody") {
		t.Error(status, text)
	}
	if status, _, _ := ann.doRequest("POST", "/delegations", url.Values{"do": {"give"}, "to": {"dan"}, "for": {"15m"}, "token": {"x"}}); status != 403 {
		t.Error(status)
	}
	if status, text, _ := ann.doRequest("POST", "/delegations", withFields(f, "do", "give", "to", "dan", "for", "15m")); status != 303 {
		t.Fatal(status, text)
	}
	id, _ := s.proposeHeld("send_x", `{}`)
	if _, text, _ := s.signIn(s.key("ben")).doRequest("GET", "/p/"+id, nil); strings.Contains(text, "Approve for") {
		t.Error(text)
	}
	if _, text, _ := dan.doRequest("GET", "/p/"+id, nil); !strings.Contains(text, "You decide in the place of ann") || !strings.Contains(text, "Approve for ann") {
		t.Fatal(text)
	}
	if status, text, _ := dan.doRequest("POST", "/p/"+id, withFields(dan.hiddenFields("/p/"+id), "giver", "ann", "choice", "approve")); status != 303 || s.proposalState(id) != "approved" {
		t.Fatal(status, text)
	}
	if _, text, _ := ann.doRequest("GET", "/p/"+id, nil); !strings.Contains(text, "dan (for ann) approved") {
		t.Error(text)
	}
	_, text, _ := dan.doRequest("GET", "/delegations", nil)
	_, g, _ := strings.Cut(text, `name="id" value="`)
	if g, _, _ = strings.Cut(g, `"`); g == "" || !strings.Contains(text, "ann to dan") {
		t.Error(text)
	}
	if status, text, _ := dan.doRequest("POST", "/delegations", withFields(dan.hiddenFields("/delegations"), "id", g, "do", "end", "reason", "done")); status != 303 {
		t.Fatal(status, text)
	}
	id, _ = s.proposeHeld("send_x", `{"n":2}`)
	if _, text, _ := dan.doRequest("GET", "/p/"+id, nil); strings.Contains(text, "in the place of") {
		t.Error(text)
	}
	s.assertWhole()
}

// TestEveryVoteChecked is the law that any single change of a stored vote is found: it draws a vote and one of its members,
// and gives it another value.
func TestEveryVoteChecked(t *testing.T) {
	s, rng := newTeam(t), rand.New(rand.NewPCG(59, 4))
	s.delegate("ann", "dan", 60_000).assertStatus(t, 200)
	decide := func(name, what, members string) {
		t.Helper()
		id, digest := s.proposeHeld("send_x", fmt.Sprintf(`{"n":%d}`, rng.IntN(1<<30)))
		s.callAPI("POST", "/v1/proposals/"+id+"/"+what, s.key(name), `{"digest":"`+digest+`",`+members+`}`).assertStatus(t, 200)
		if what == "decision" && strings.Contains(members, "true") && rng.IntN(2) == 0 {
			s.callAPI("POST", "/v1/proposals/"+id+"/revoke", s.key("ben"), `{"reason":"no"}`).assertStatus(t, 200)
		}
	}
	for range 3 {
		decide("dan", "decision", `"approve":true,"for":"ann","reason":"r"`)
		decide("dan", "decision", `"approve":false,"for":"ann"`)
		decide("ann", "decision", `"approve":true,"bypass":true,"reason":"it burns"`)
		decide("ann", "decision", `"approve":true`)
		decide("ann", "answer", `"answer":"ask again"`)
	}
	if err := s.gate.Housekeep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if c := s.verifyTenant(); len(c.Faults) > 0 {
		t.Fatalf("untouched: %q", c.Faults)
	}
	db := openRaw(t, s.file)
	for _, guard := range []string{"proposals_fixed", "proposals_update", "proposals_terminal"} {
		if _, err := db.Exec("DROP TRIGGER " + guard); err != nil {
			t.Fatal(err)
		}
	}
	for range drawn.Cases(40) {
		var id, life string
		if err := db.QueryRow(`SELECT id, life FROM proposals ORDER BY id LIMIT 1 OFFSET ?`, rng.IntN(15)).Scan(&id, &life); err != nil {
			t.Fatal(err)
		}
		var whole map[string]json.RawMessage
		var votes []machine.Vote
		if err := errors.Join(json.Unmarshal([]byte(life), &whole), json.Unmarshal(whole["votes"], &votes)); err != nil {
			t.Fatal(err)
		}
		v := reflect.ValueOf(&votes[rng.IntN(len(votes))]).Elem()
		at := rng.IntN(v.NumField())
		switch f := v.Field(at); f.Kind() {
		case reflect.Bool:
			f.SetBool(!f.Bool())
		case reflect.String:
			f.SetString([]string{f.String() + "x", "ben" + f.String()}[rng.IntN(2)])
		default:
			f.SetInt(f.Int() + 1)
		}
		whole["votes"], _ = json.Marshal(votes)
		changed, _ := json.Marshal(whole)
		for i, text := range []string{string(changed), life} {
			if _, err := db.Exec(`UPDATE proposals SET life = ? WHERE id = ?`, text, id); err != nil {
				t.Fatal(err)
			}
			if c := s.verifyTenant(); (len(c.Faults) == 0) != (i == 1) {
				t.Errorf("another %s in %s: %q", v.Type().Field(at).Name, life, c.Faults)
			}
		}
	}
}

// TestDelegationSeenEverywhere is the law that a decision in somebody's place names both: in the receipt, in the trace, and in
// the search for either of them.
func TestDelegationSeenEverywhere(t *testing.T) {
	collector := &receiver{}
	s := newTeam(t, signed(t, "names"), func(o *gate.Options) {
		to, err := notify.ReadTraces([]string{"t=https://collector.example"}, "")
		if err != nil {
			t.Fatal(err)
		}
		o.Traces, o.Transport = to, collector
	})
	tell := func() {
		if err := s.gate.Housekeep(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.gate.Deliver(t.Context())
	}
	tell()
	s.delegate("ann", "dan", 60_000).assertStatus(t, 200)
	id, digest := s.proposeHeld("send_x", `{}`)
	s.vote("dan", "ann", id, digest).assertStatus(t, 200, `"approved"`)
	a := s.sendClaim(id).assertStatus(t, 200)
	r, err := s.verifierOf(receipt.Options{}).Verify(t.Context(), a.textField("receipt"), "send_x", []byte(`{}`))
	if err != nil || len(r.Approvers) != 1 || r.Approvers[0].Name != "dan" || r.Approvers[0].For != "ann" {
		t.Errorf("the receipt says %+v: %v", r, err)
	}
	s.callAPI("POST", "/v1/proposals/"+id+"/outcome", agentKey, `{"grant":"`+a.textField("grant")+`","status":"executed"}`).assertStatus(t, 200)
	other, digest := s.proposeHeld("send_x", `{"n":2}`)
	s.vote("ann", "", other, digest).assertStatus(t, 200)
	for person, want := range map[string][]string{"ann": {other, id}, "dan": {id}, "ben": nil} {
		text := s.callAPI("GET", "/v1/history?person="+person, s.key("ben"), "").assertStatus(t, 200).text
		for _, p := range []string{id, other} {
			if strings.Contains(text, `"`+p+`"`) != slices.Contains(want, p) {
				t.Errorf("the calls of %s: %s, want %q", person, text, want)
			}
		}
	}
	tell()
	if text := strings.Join(collector.text, "\n"); !strings.Contains(text, `{"key":"boundcheck.by","value":{"stringValue":"dan"}},{"key":"boundcheck.for","value":{"stringValue":"ann"}}`) {
		t.Errorf("the traces: %s", text)
	}
}

// TestEveryDelegationIsListed is the law that each delegation and each remembered yes that counts is on one page of its list,
// at the API and on the page for people, and can be ended from there.
func TestEveryDelegationIsListed(t *testing.T) {
	s, rng := newTeam(t), rand.New(rand.NewPCG(59, 5))
	s.delegate("ann", "dan", 3_600_000).assertStatus(t, 200)
	given, _, err := s.store.Delegations(t.Context(), "t", "", s.now.Load(), store.Place{})
	if err != nil || len(given) != 1 {
		t.Fatal(given, err)
	}
	want := map[string]bool{given[0].ID: true}
	for i := range 430 + rng.IntN(40) {
		d := given[0]
		d.ID, d.Created = fmt.Sprintf("g_%04d%d", rng.IntN(9000), i), d.Created+rng.Int64N(3)
		if rng.IntN(8) == 0 {
			d.Until = d.Created - 1
		}
		want[d.ID] = d.Until > s.now.Load()
		if err := s.store.Delegate(t.Context(), d, machine.Entry{Version: 1, Tenant: "t", Event: "delegate", Delegation: d.ID}); err != nil {
			t.Fatal(err)
		}
	}
	page := s.signIn(s.key("ben"))
	for round := range 2 {
		seen, shown := map[string]int{}, map[string]int{}
		for after, more := "", true; more; more = after != "" {
			a := s.callAPI("GET", "/v1/delegations?after="+after, s.key("ben"), "").assertStatus(t, 200)
			list, _ := a.body["delegations"].([]any)
			for _, m := range list {
				seen[m.(map[string]any)["id"].(string)]++
			}
			_, text, _ := page.doRequest("GET", "/delegations?after="+after, nil)
			for _, part := range strings.Split(text, `name="id" value="`)[1:] {
				id, _, _ := strings.Cut(part, `"`)
				shown[id]++
			}
			if after = a.textField("next"); (after != "") != strings.Contains(text, "/delegations?after="+after+`"`) {
				t.Fatalf("the link to the next page %q is not on %s", after, text)
			}
		}
		for id, counts := range want {
			if n := map[bool]int{true: 1}[counts]; seen[id] != n || shown[id] != n {
				t.Fatalf("%s (counts: %v) is listed %d times and shown %d times", id, counts, seen[id], shown[id])
			}
			if round == 0 && counts && rng.IntN(2) == 0 {
				s.callAPI("POST", "/v1/delegations/"+id+"/revoke", s.key("ben"), "").assertStatus(t, 200)
				want[id] = false
			}
		}
	}
	if a := s.callAPI("GET", "/v1/delegations?after=x", s.key("ben"), ""); a.status != 400 {
		t.Error(a.text)
	}
}
