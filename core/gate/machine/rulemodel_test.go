package machine

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// The simple evaluator: rules and calls are plain numbers and words, and every decision
// scans the whole history. It shares no code with the rules.

type simpleRule struct {
	tool, agent string // "" for all
	minAmount   int    // the amount must be at least this; -1 for no condition
	changes     bool
	from, to    int // hours in UTC outside which the rule is in force; equal for always
	n           int // at most n claims
	sum         int // at most this sum of amounts; -1 for none
	per         int // minutes
	byAgent     bool
	byOrder     bool
	after       string // a tool that must have been executed in the last hour, for the same order
	reading     bool   // after any claim of read_secret in the last day
	effect      string
	people      int
	log         bool
}

type simpleCall struct {
	minute      int
	agent, tool string
	order       string // "" for absent
	amount      int    // -1 for absent
	outcome     State  // Claimed: handed out without an outcome; "": not handed out
}

var simpleTools = []string{"get_order", "refund", "cancel_order", "read_secret", "send_mail"}

func (c *simpleCall) isChange() bool { return c.tool != "get_order" && c.tool != "read_secret" }

func (r *simpleRule) selects(c *simpleCall) bool {
	hour := c.minute / 60 % 24
	return (r.tool == "" || r.tool == c.tool) && (r.agent == "" || r.agent == c.agent) && (r.minAmount < 0 || c.amount >= r.minAmount) &&
		(!r.changes || c.isChange()) && (r.from == r.to || hour < r.from || hour >= r.to)
}

func (r *simpleRule) fails(c *simpleCall, history []simpleCall) bool {
	if r.n == 0 && r.sum < 0 && r.after == "" && !r.reading {
		return true
	}
	count, sum, looked, read, uncounted := 0, 0, false, false, false
	for i := range history {
		h := &history[i]
		if h.outcome == "" {
			continue
		}
		age := c.minute - h.minute
		if h.outcome != Failed && age < r.per && r.selects(h) && (!r.byAgent || h.agent == c.agent) {
			noOrder := r.byOrder && h.order == ""
			if !r.byOrder || h.order == c.order {
				count++
				sum += max(0, h.amount)
			}
			uncounted = uncounted || noOrder || r.sum >= 0 && h.amount < 0 && (!r.byOrder || h.order == c.order)
		}
		looked = looked || h.outcome == Executed && h.tool == r.after && h.agent == c.agent && h.order == c.order && age < 60
		read = read || h.tool == "read_secret" && h.agent == c.agent && age < 24*60
	}
	return (r.n > 0 || r.sum >= 0) && uncounted || (r.n > 0 || r.sum >= 0) && r.byOrder && c.order == "" || r.n > 0 && count >= r.n || r.sum >= 0 && (c.amount < 0 || sum+c.amount > r.sum) || r.after != "" && (!looked || c.order == "") || r.reading && read
}

func (r *simpleRule) text(name string) string {
	parts := []string{fmt.Sprintf(`"name":%q,"effect":%q`, name, r.effect)}
	add := func(when bool, format string, a ...any) {
		if when {
			parts = append(parts, fmt.Sprintf(format, a...))
		}
	}
	add(r.tool != "", `"tool":%q`, r.tool)
	add(r.agent != "", `"agent":%q`, r.agent)
	add(r.minAmount >= 0, `"when":{"amount":{"min":%d}}`, r.minAmount)
	add(r.changes, `"changes":true`)
	add(r.from != r.to, `"time":{"outside":"%02d:00-%02d:00 UTC"}`, r.from, r.to)
	var by []string
	if r.byAgent {
		by = append(by, `"agent"`)
	}
	if r.byOrder {
		by = append(by, `"order"`)
	}
	who := ""
	if by != nil {
		who = `,"by":[` + strings.Join(by, ",") + `]`
	}
	add(r.n > 0, `"atMost":{"n":%d,"per":"%dm"%s}`, r.n, r.per, who)
	add(r.sum >= 0, `"atMost":{"sum":"amount","max":%d,"per":"%dm"%s}`, r.sum, r.per, who)
	add(r.after != "", `"after":{"tool":%q,"where":{"order":"same"},"executed":true,"within":"1h"}`, r.after)
	add(r.reading, `"afterReading":"secret"`)
	add(r.effect == HoldCall && r.people > 1, `"people":%d`, r.people)
	add(r.log, `"mode":"log"`)
	return "{" + strings.Join(parts, ",") + "}"
}

func randomRule(g *rand.Rand) simpleRule {
	r := simpleRule{minAmount: -1, sum: -1, effect: []string{DenyCall, HoldCall}[g.IntN(2)], people: 1 + g.IntN(3), log: g.IntN(6) == 0, per: 1 + g.IntN(600)}
	if g.IntN(4) > 0 {
		r.tool = simpleTools[g.IntN(len(simpleTools))]
	}
	if g.IntN(4) == 0 {
		r.agent = []string{"a", "b"}[g.IntN(2)]
	}
	if g.IntN(4) == 0 {
		r.minAmount = g.IntN(10)
	}
	r.changes = g.IntN(5) == 0
	if g.IntN(5) == 0 {
		r.from, r.to = g.IntN(12), 12+g.IntN(12)
	}
	switch g.IntN(5) {
	case 0:
		r.n = 1 + g.IntN(3)
	case 1:
		r.sum = g.IntN(20)
	case 2:
		r.after = "get_order"
	case 3:
		r.reading = true
	}
	r.byAgent, r.byOrder = g.IntN(2) == 0, g.IntN(2) == 0
	return r
}

func utc(name string, _ int64) (int, bool) { return 0, name == "UTC" }

// TestRulesModel decides random histories under random policies, and compares each
// decision, and each claim, with the simple evaluator.
func TestRulesModel(t *testing.T) {
	worlds := 400
	if testing.Short() {
		worlds = 100
	}
	if os.Getenv("BOUNDCHECK_LONG") != "" {
		worlds = 20_000
	}
	g := rand.New(rand.NewPCG(7, 9))
	verdicts := map[string]int{}
	for range worlds {
		var rules []simpleRule
		var texts []string
		for i := range 1 + g.IntN(4) {
			r := randomRule(g)
			rules, texts = append(rules, r), append(texts, r.text(fmt.Sprint("r", i)))
		}
		policy := `{"tools":{"get_order":"no","read_secret":"no","send_mail":"yes"},"readings":{"secret":{"tool":"read_secret"}},"rules":[` + strings.Join(texts, ",") + `]}`
		p := mustReadPolicy(t, policy)
		if err := p.SetZone(utc); err != nil {
			t.Fatal(err)
		}
		x := Replay{Policy: p}
		var history []simpleCall
		for n := range 25 {
			c := simpleCall{minute: n*7 + g.IntN(7), agent: []string{"a", "b"}[g.IntN(2)], tool: simpleTools[g.IntN(len(simpleTools))], amount: g.IntN(12) - 2}
			if c.amount < 0 {
				c.amount = -1
			}
			if n > 0 && g.IntN(4) == 0 { // a long pause before this call
				c.minute += g.IntN(400)
			}
			if len(history) > 0 {
				c.minute = max(c.minute, history[len(history)-1].minute)
			}
			arguments := []string{}
			if g.IntN(5) > 0 {
				c.order = fmt.Sprint("W-", g.IntN(2))
				arguments = append(arguments, fmt.Sprintf(`"order":%q`, c.order))
			}
			if c.amount >= 0 {
				arguments = append(arguments, fmt.Sprintf(`"amount":%d`, c.amount))
			}
			deny, people := false, 0
			if c.isChange() {
				people = 1
			}
			for i := range rules {
				if r := &rules[i]; !r.log && r.selects(&c) && r.fails(&c, history) {
					if deny = deny || r.effect == DenyCall; r.effect == HoldCall {
						people = max(people, r.people)
					}
				}
			}
			want := fmt.Sprint("asks ", people)
			if deny {
				want = Denial
			}
			d := x.Decide(fmt.Sprint("p", n), Principal{Tenant: "t", Name: c.agent, Role: Agent}, proposal.Proposal{Tool: c.tool, Arguments: "{" + strings.Join(arguments, ",") + "}"}, int64(c.minute)*60_000)
			got := fmt.Sprint("asks ", d.People)
			if d.Verdict == Denial {
				got = Denial
			}
			verdicts[want]++
			if got != want {
				t.Fatalf("%s\nhistory %+v\ncall %+v: %s (%s), want %s", policy, history, c, got, d.Reason, want)
			}
			if !deny && g.IntN(4) > 0 {
				if why := x.Claim(&d, int64(c.minute)*60_000).Text; why != "" {
					t.Fatalf("%s\nhistory %+v\ncall %+v: decided, but not handed out: %s", policy, history, c, why)
				}
				c.outcome = []State{Claimed, Executed, Executed, Failed, Ambiguous}[g.IntN(5)]
				if c.outcome != Claimed {
					x.Settle(&d, c.outcome, "")
				}
			}
			history = append(history, c)
		}
	}
	for _, v := range []string{Denial, "asks 0", "asks 1", "asks 2", "asks 3"} {
		if verdicts[v] < worlds/8 {
			t.Errorf("only %d calls are decided %q: %v", verdicts[v], v, verdicts)
		}
	}
}
