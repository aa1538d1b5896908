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

// TestStrictestIsNamed is the law of names: the rule that a decision, its record and its
// audit entry name is one of the strictest that apply, and so is the rule that a claim is
// refused for. A rule in mode log is never named.
func TestStrictestIsNamed(t *testing.T) {
	agent := Principal{Tenant: "t", Name: "bot", Role: Agent}
	r := rand.New(rand.NewPCG(47, 16))
	seen := map[string]int{}
	for range drawn.Cases(400) {
		late := r.IntN(2) == 0 // the rules apply only when the call is claimed
		when := `,"time":{"inside":"00:00-24:00 UTC"}`
		if late {
			when = `,"time":{"inside":"12:00-13:00 UTC"}`
		}
		var rules []string
		strict := map[int][]string{} // names by rank
		most := 0
		for i := range 1 + r.IntN(5) {
			name, rank := fmt.Sprint("r", i), 1+r.IntN(4)
			effect := `"effect":"hold","people":` + fmt.Sprint(rank)
			if rank == 4 {
				effect = `"effect":"deny"`
			}
			if r.IntN(3) == 0 {
				effect, rank = effect+`,"mode":"log"`, 0
			}
			if r.IntN(4) == 0 {
				effect += `,"atMost":{"n":1,"per":"1h","by":["id"]}` // id is absent
			}
			rules = append(rules, `{"name":"`+name+`","tool":"wire"`+when+`,`+effect+"}")
			strict[rank], most = append(strict[rank], name), max(most, rank)
		}
		p := mustReadPolicy(t, `{"rules":[`+strings.Join(rules, ",\n")+`]}`)
		p.Zone = func(string, int64) (int, bool) { return 0, true }
		noon := int64(12*3600_000 + 1)
		at := noon
		if late {
			at = noon - 3600_000
		}
		plan := Propose(p, Ask{By: agent, IDs: []string{"p_1"}, Calls: []proposal.Proposal{{Tool: "wire", Arguments: `{}`}}}, at)
		named := func(what, rule string, line int, text string) {
			t.Helper()
			if seen[fmt.Sprint(what, most)]++; most == 0 {
				if rule != "" || line != 0 {
					t.Fatalf("%s names %q, line %d of %v", what, rule, line, rules)
				}
				return
			}
			want := fmt.Sprintf("the rule %q (line %d)", rule, line)
			if !slices.Contains(strict[most], rule) || line != 1+slices.IndexFunc(rules, func(s string) bool { return strings.Contains(s, `"`+rule+`"`) }) || !strings.HasPrefix(text, want) {
				t.Fatalf("%s names %q, line %d (%s) of %v", what, rule, line, text, rules)
			}
		}
		if !late {
			m := plan.Members[0]
			if m.Rule != "" && most == 4 || len(plan.Records) == 0 {
				named("a denial", m.Rule, m.Line, m.Reason)
				named("its entry", plan.Notes[0].Rule, plan.Notes[0].Line, plan.Notes[0].Text)
				continue
			}
			named("a question", m.Rule, m.Line, m.Reason)
			named("its entry", plan.Entries[0].Rule, plan.Entries[0].Line, m.Reason)
			continue
		}
		record := plan.Records[0]
		record.State, record.Needs = Approved, 1
		h := p.Handout(&record, []byte("k"), noon)
		stop := h.Objection(nil)
		named("a stopped claim", stop.Rule, stop.Line, stop.Text)
	}
	for _, what := range []string{"a denial4", "its entry4", "a question1", "a question2", "a question3", "a stopped claim3", "a stopped claim4", "a question0"} {
		if seen[what] == 0 {
			t.Errorf("no case of %s: %v", what, seen)
		}
	}
}

// TestOtherDenialsNameNoRule checks that a call that no rule denies names none: a freeze, a
// person's no, and a tool that the policy denies.
func TestOtherDenialsNameNoRule(t *testing.T) {
	agent := Principal{Tenant: "t", Name: "bot", Role: Agent}
	p := mustReadPolicy(t, `{"fourEyes":["wipe"],"tools":{"wipe":{"deny":"never"}},"rules":[{"name":"r","tool":"wi*","effect":"hold","people":2}]}`)
	for name, a := range map[string]Ask{
		"frozen":    {Calls: []proposal.Proposal{{Tool: "wire", Arguments: `{}`}}, Frozen: &Freeze{By: "ann", At: start}},
		"cool-down": {Calls: []proposal.Proposal{{Tool: "wire", Arguments: `{}`}}, Before: []*Refusal{{By: "ann", At: start, Times: 1}}},
		"tool":      {Calls: []proposal.Proposal{{Tool: "wipe", Arguments: `{}`}}},
	} {
		a.By, a.IDs = agent, []string{"p_1"}
		plan := Propose(p, a, start+1)
		if e := plan.Notes; plan.Verdict != Denial || plan.Members[0].Rule != "" || e[0].Rule != "" || e[0].Line != 0 {
			t.Errorf("%s: %+v %+v", name, plan.Members[0], plan.Notes)
		}
	}
	both := Propose(p, Ask{By: agent, IDs: []string{"p_1"}, Calls: []proposal.Proposal{{Tool: "wire", Arguments: `{}`}}}, start)
	if m := both.Members[0]; m.Rule != "r" || m.Line != 1 {
		t.Errorf("%+v", m)
	}
	p = mustReadPolicy(t, `{"fourEyes":["wire"],"rules":[{"name":"r","tool":"wire","effect":"hold","people":2}]}`)
	both = Propose(p, Ask{By: agent, IDs: []string{"p_1"}, Calls: []proposal.Proposal{{Tool: "wire", Arguments: `{}`}}}, start)
	if m := both.Members[0]; m.Rule != "r" || m.Line != 1 || !strings.HasPrefix(m.Reason, `the rule "r" (line 1)`) {
		t.Errorf("fourEyes beside a rule of two people: %+v", m)
	}
}
