package machine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

var everybody = []string{"ann", "ben", "cem", "dan", "eve"}

func drawnPeople(rng *rand.Rand, most int) (out []string) {
	for range rng.IntN(most + 1) {
		if name := everybody[rng.IntN(len(everybody))]; !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// drawnCall returns a call that waits for approvals of drawn people.
func drawnCall(rng *rand.Rand) Record {
	r := Record{ID: "p", Tenant: "t", Principal: "bot", Tool: "send_x", Arguments: `{}`, Digest: "d", Needs: 1 + rng.IntN(3), Created: 0, Expires: 1000, Life: Life{State: Pending, Rev: 1}}
	if rng.IntN(4) == 0 {
		r.Principal = everybody[rng.IntN(len(everybody))]
	}
	if rng.IntN(4) == 0 {
		r.For = everybody[rng.IntN(len(everybody))]
	}
	for range rng.IntN(3) {
		r.Why.From, r.Why.FromRules = append(r.Why.From, drawnPeople(rng, 5)), append(r.Why.FromRules, "r")
	}
	if rng.IntN(3) == 0 {
		r.Why.Edit = &Edited{Editors: drawnPeople(rng, 2), Counts: rng.IntN(2) == 0}
	}
	r.Why.Bypass = drawnPeople(rng, 1)
	return r
}

// TestDelegationLaw attacks the law of delegate.go: draws calls, delegations and votes, and
// compares each answer with a simple program. Whenever a call passes, those who had a part in
// it could have let it pass by votes of their own.
func TestDelegationLaw(t *testing.T) {
	rng := rand.New(rand.NewPCG(81, 1))
	passed, through, refused := 0, 0, 0
	for range drawn.Cases(20_000) {
		fresh := drawnCall(rng)
		r, now := fresh, int64(10)
		given := map[string]bool{} // "giver delegate"
		for range rng.IntN(6) {
			given[everybody[rng.IntN(5)]+" "+everybody[rng.IntN(5)]] = true
		}
		var used, humans []string
		for range 8 {
			e := Event{Kind: Decide, By: Principal{Tenant: "t", Name: everybody[rng.IntN(5)], Role: Approver}, Approve: true, Digest: "d"}
			if rng.IntN(2) == 0 {
				e.Giver = everybody[rng.IntN(5)]
				if given[e.Giver+" "+e.By.Name] {
					e.Delegation = &Delegation{ID: "g", Tenant: "t", Giver: e.Giver, To: e.By.Name, Until: 500}
				} else if rng.IntN(2) == 0 { // another's
					e.Delegation = &Delegation{ID: "g", Tenant: []string{"t", "u"}[rng.IntN(2)], Giver: everybody[rng.IntN(5)], To: everybody[rng.IntN(5)], Until: 500}
				}
			}
			d := e.Delegation
			really := e.Giver == "" || d != nil && d.Tenant == "t" && d.Giver == e.Giver && d.To == e.By.Name && d.Giver != d.To
			right, parts := e.By.Name, []string{e.By.Name}
			if e.Giver != "" {
				right, parts = e.Giver, append(parts, e.Giver)
			}
			want := r.State == Pending && really
			for _, list := range r.Why.From {
				want = want && slices.Contains(list, right)
			}
			want = want && (r.For == "" || r.Needs > 1 || r.For == right)
			for _, name := range parts {
				want = want && !slices.Contains(used, name)
				want = want && (r.Why.Edit == nil || r.Why.Edit.Counts || !slices.Contains(r.Why.Edit.Editors, name))
				want = want && (name != r.Principal || r.Needs == 1 && e.Giver == "")
			}
			c := Step([]Record{r}, 0, e, now)
			if (c.Answer.Code == OK) != want {
				t.Fatalf("%+v of %+v: %v %q, want %v", e, r, c.Answer.Code, c.Answer.Text, want)
			}
			if !want {
				refused++
				continue
			}
			if (c.Write.Delegation != "") != (e.Giver != "") || c.Entry.Giver != e.Giver || c.Record.Votes[len(c.Record.Votes)-1].Giver != e.Giver {
				t.Fatalf("the write or the entry does not tell the delegation: %+v", c)
			}
			used, humans = append(used, parts...), append(humans, e.By.Name)
			if r = c.Record; e.Giver != "" {
				through++
			}
		}
		if r.State != Approved {
			continue
		}
		passed++
		themselves := fresh
		for _, name := range used {
			c := Step([]Record{themselves}, 0, Event{Kind: Decide, By: Principal{Tenant: "t", Name: name, Role: Approver}, Approve: true, Digest: "d"}, now)
			themselves = c.Record
		}
		if themselves.State != Approved {
			t.Fatalf("%v could not have approved %+v together: %+v", used, fresh, r.Votes)
		}
		if n := len(slices.Compact(slices.Sorted(slices.Values(humans)))); n < r.Needs || len(r.Approvals()) != n {
			t.Fatalf("%d people for %d: %+v", n, r.Needs, r.Votes)
		}
	}
	if passed < 100 || through < 100 || refused < 100 {
		t.Errorf("%d passed, %d votes by delegation, %d refused", passed, through, refused)
	}
	t.Log(passed, through, refused)
}

// TestDelegatedBypass checks that a bypass is nobody's but one's own, and that who bypasses
// after a vote through a delegate is one person.
func TestDelegatedBypass(t *testing.T) {
	r := Record{ID: "p", Tenant: "t", Principal: "bot", Digest: "d", Needs: 3, Expires: 1000, Why: Why{Bypass: []string{"ann"}}, Life: Life{State: Pending, Rev: 1}}
	vote := Event{Kind: Decide, By: Principal{Tenant: "t", Name: "ben", Role: Approver}, Approve: true, Digest: "d", Giver: "ann", Delegation: &Delegation{ID: "g", Tenant: "t", Giver: "ann", To: "ben"}, Text: "why"}
	pass := vote
	pass.Bypass = true
	if c := Step([]Record{r}, 0, pass, 1); c.Answer.Code != Forbidden {
		t.Errorf("%+v", c.Answer)
	}
	r = Step([]Record{r}, 0, vote, 1).Record
	pass.By.Name, pass.Giver, pass.Delegation = "ann", "", nil
	if r = Step([]Record{r}, 0, pass, 1).Record; r.State != Approved || len(r.Approvals()) != 1 {
		t.Errorf("%s by %+v", r.State, r.Approvals())
	}
}

// TestDelegate draws policies and delegations, and compares with a simple program whether they
// are given, and whether they count later under another policy.
func TestDelegate(t *testing.T) {
	rng := rand.New(rand.NewPCG(81, 2))
	type setting struct {
		text   string
		by, to []string
		within int64
	}
	draw := func() setting {
		if rng.IntN(8) == 0 {
			return setting{text: `{}`, by: []string{}}
		}
		s := setting{within: 1000 * int64(1+rng.IntN(100))}
		s.text = fmt.Sprintf(`{"delegate":{"within":"%ds"`, s.within/1000)
		for name, list := range map[string]*[]string{"by": &s.by, "to": &s.to} {
			if *list = drawnPeople(rng, 4); *list != nil {
				s.text += `,"` + name + `":["` + strings.Join(*list, `","`) + `"]`
			}
		}
		s.text += "}}"
		return s
	}
	lets := func(s setting, giver, to string, long int64) bool {
		return giver != to && (s.by == nil || slices.Contains(s.by, giver)) && (s.to == nil || slices.Contains(s.to, to)) && long > 0 && long <= s.within
	}
	gave, counted := 0, 0
	for range drawn.Cases(5_000) {
		first, later := draw(), draw()
		giver, to, long := everybody[rng.IntN(5)], everybody[rng.IntN(5)], rng.Int64N(120_000)-1000
		p := mustReadPolicy(t, first.text)
		d, e, a := Delegate(p, Principal{Tenant: "t", Name: giver, Role: Approver}, "api", to, "g", 5000+long, 5000)
		if want := lets(first, giver, to, long); (a.Code == OK) != want {
			t.Fatalf("%s to %s for %d under %s: %+v", giver, to, long, first.text, a)
		} else if !want {
			continue
		}
		gave++
		if e.Giver != giver || e.Delegate != to || e.Delegation != "g" || e.Expires != d.Until || e.By != giver {
			t.Fatalf("%+v", e)
		}
		for _, past := range []int64{0, 1, long - 1, long, rng.Int64N(120_000)} {
			want := lets(later, giver, to, 1) && past < long && past < later.within
			if got := mustReadPolicy(t, later.text).Delegates(&d, 5000+past); got != want {
				t.Fatalf("%+v after %d under %s: %v", d, past, later.text, got)
			}
			if want {
				counted++
			}
		}
	}
	if gave < 50 || counted < 50 {
		t.Error(gave, counted)
	}
	if _, _, a := Delegate(mustReadPolicy(t, `{"delegate":{"within":"1h"}}`), Principal{Tenant: "t", Name: "bot", Role: Agent}, "api", "ann", "g", 10, 5); a.Code != Forbidden {
		t.Error("an agent delegates")
	}
	if _, err := ReadPolicy(`{"delegate":{"by":["ann"]}}`); err == nil || !strings.Contains(err.Error(), "want within") {
		t.Error(err)
	}
}
