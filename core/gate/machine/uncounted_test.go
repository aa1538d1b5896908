package machine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// paidCall is a call of the history below: its agent and account as plain words, and its
// amount in cents, -1 if a program may read it in two ways or it is no amount in EUR.
type paidCall struct {
	at             int64
	agent, account string // account is "" if it is not surely one value
	cents          int
}

// wronged reports whether an earlier claim may belong to a call and could not be counted,
// by a scan of all claims.
func (c *paidCall) wronged(before []paidCall, byAccount bool) bool {
	return slices.ContainsFunc(before, func(b paidCall) bool {
		mine := b.agent == c.agent && (!byAccount || b.account == "" || c.account == "" || b.account == c.account)
		return mine && c.at-b.at < 60_000 && (b.cents < 0 || byAccount && b.account == "")
	})
}

// TestUncountedIsNeverNothing is the law of sums: a claim whose amount or whose values of
// by are not surely known is never as if it had not been. While it is in the window, every
// call to which it may belong fails the requirement and says so.
func TestUncountedIsNeverNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(47, 11))
	pick := func(all ...string) string { return all[r.IntN(len(all))] }
	seen := map[string]int{}
	for range drawn.Cases(150) {
		byAccount, by := r.IntN(2) == 0, `"agent"`
		if byAccount {
			by += `,"to.account"`
		}
		x := Replay{Policy: mustReadPolicy(t, `{"rules":[{"name":"sum","tool":"pay","atMost":{"sum":"to.amount","max":500,"currency":"EUR","per":"1m","by":[`+by+`]},"effect":"hold","people":2,"reason":"daily sum"}]}`)}
		var claimed []paidCall
		for n := range 12 {
			c := paidCall{at: int64(n) * int64(5_000+r.IntN(10_000)), agent: pick("a", "b"), account: pick("X", "Y"), cents: r.IntN(20_000)}
			if n > 0 && len(claimed) > 0 {
				c.at = max(c.at, claimed[len(claimed)-1].at)
			}
			account, amount, currency := `"`+c.account+`"`, fmt.Sprintf("%d.%02d", c.cents/100, c.cents%100), `"EUR"`
			if r.IntN(5) == 0 {
				c.cents, amount = -1, pick(`"`+amount+`"`, "5000000000", "499.12345678", "["+amount+"]", "null", `{"value":1}`, "1e99", `"six"`)
			}
			if r.IntN(7) == 0 {
				c.cents, currency = -1, pick(`"USD"`, "null", `["EUR"]`, `"eur"`, `" EUR"`)
			}
			if r.IntN(7) == 0 {
				c.account, account = "", pick(`["X"]`, "null", `""`, `{"X":1}`, `"X\u200b"`)
			}
			d := x.Decide(fmt.Sprint(n), Principal{Tenant: "t", Name: c.agent, Role: Agent}, proposal.Proposal{Tool: "pay", Arguments: `{"to":{"account":` + account + `,"amount":` + amount + `,"currency":` + currency + `}}`}, c.at)
			total := c.cents
			for _, b := range claimed {
				if b.agent == c.agent && (!byAccount || b.account == c.account) && c.at-b.at < 60_000 {
					total += max(0, b.cents)
				}
			}
			want, wronged := 1, c.wronged(claimed, byAccount)
			if c.cents < 0 || byAccount && c.account == "" || wronged || total > 50_000 {
				want = 2
			}
			seen[fmt.Sprint(want, wronged)]++
			if d.People != want {
				t.Fatalf("%+v after %+v: %d people, want %d (%s)", c, claimed, d.People, want, d.Rule)
			}
			if text := d.record.Why.RuleText; want == 2 && (!strings.HasPrefix(text, "daily sum; ") || wronged && c.cents >= 0 && c.account != "" && !strings.Contains(text, "could not be counted")) {
				t.Fatalf("%+v after %+v: %q does not say what is wrong", c, claimed, text)
			}
			if r.IntN(3) > 0 {
				if why := x.Claim(&d, c.at).Text; why != "" {
					t.Fatal(why)
				}
				if r.IntN(4) == 0 {
					x.Settle(&d, Failed, "")
				} else {
					claimed = append(claimed, c)
				}
			}
		}
	}
	for _, k := range []string{"1 false", "2 false", "2 true"} {
		if seen[k] < 50 {
			t.Errorf("too few cases: %v", seen)
		}
	}
}

// TestUncountedOnce checks the same for a number of calls: a list in place of an id that
// two people approved holds every later one.
func TestUncountedOnce(t *testing.T) {
	x := Replay{Policy: mustReadPolicy(t, `{"rules":[{"name":"once","tool":"refund","atMost":{"n":1,"per":"30d","by":["order_id"]},"effect":"hold","people":2}]}`)}
	agent := Principal{Tenant: "t", Name: "a", Role: Agent}
	ask := func(id, order string, at int64) Decided {
		return x.Decide(id, agent, proposal.Proposal{Tool: "refund", Arguments: `{"order_id":` + order + `}`}, at)
	}
	d := ask("1", `["W-1"]`, 1)
	if d.People != 2 || x.Claim(&d, 1).Text != "" {
		t.Fatalf("%+v", d)
	}
	for at, want := range map[int64]int{2: 2, 30*dayMS + 1: 1} {
		d := ask("2", `"W-1"`, at)
		if d.People != want {
			t.Errorf("at %d: %d people, want %d", at, d.People, want)
		}
		if named := strings.HasPrefix(d.Reason, `the rule "once" (line 1): at most 1 call in 30d for each order_id; a call in this time could not be counted; `); named != (want == 2) {
			t.Errorf("at %d: %s", at, d.Reason)
		}
	}
}

// TestRefusalNamesTheRule checks that an approver who is missing in one of several lists
// reads the name of the rule with this list.
func TestRefusalNamesTheRule(t *testing.T) {
	p := mustReadPolicy(t, `{"rules":[{"name":"r1","tool":"wire","effect":"hold","from":["ann","ben"]},{"name":"r2","tool":"wire","effect":"hold","from":["cyd","ben"]}]}`)
	plan := Propose(p, Ask{By: Principal{Tenant: "t", Name: "bot", Role: Agent}, IDs: []string{"p_1"}, Calls: []proposal.Proposal{{Tool: "wire", Arguments: `{}`}}}, start)
	for name, want := range map[string]string{"ann": "the rule r2 lets", "cyd": "the rule r1 lets", "ben": ""} {
		e := Event{Kind: Decide, By: Principal{Tenant: "t", Name: name, Role: Approver}, Approve: true, Digest: plan.Records[0].Digest}
		if a := Step(plan.Records, 0, e, start+1).Answer; !strings.HasPrefix(a.Text, want) || (a.Code == OK) != (want == "") {
			t.Errorf("%s: %+v, want %q", name, a, want)
		}
	}
}
