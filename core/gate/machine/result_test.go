package machine

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestResultForms is the law of results: a call meets a value of an earlier result exactly
// if the result surely says it, in whatever form a host passes it on.
func TestResultForms(t *testing.T) {
	p := mustReadPolicy(t, `{"rules":[{"name":"own","tool":"refund","after":{"tool":"get_order","where":{"id":"same","to":{"result":"customer.id"}},"executed":true},"effect":"deny"}]}`)
	agent := Principal{Tenant: "t", Name: "a", Role: Agent}
	r := rand.New(rand.NewPCG(47, 14))
	forms := map[string]int{}
	for range drawn.Cases(400) {
		order := func() (text, who string) {
			who = fmt.Sprint("C-", r.IntN(3))
			return fmt.Sprintf(`{"total":%d,"customer":{"name":"x","id":%q}}`, r.IntN(9), who), who
		}
		first, says := order()
		second, other := order()
		part := func(text string) string { return `{"type":"text","text":` + jsonval.Quoted(text) + `}` }
		form, result := r.IntN(9), ""
		switch form {
		case 0:
			result = first
		case 1:
			result = jsonval.Quoted(first)
		case 2:
			result = "[" + part(first) + "]"
		case 3:
			result = `{"content":[` + part("Here it is:") + "," + part(first) + `],"isError":false}`
		case 4:
			result = `{"content":[` + part(first) + `],"structuredContent":` + first + `}`
		case 5: // two forms, which may differ
			result = `{"content":[` + part(first) + `],"structuredContent":` + second + `}`
			if other != says {
				says = ""
			}
		case 6:
			result, says = `{"content":[`+part("the customer is "+says)+`]}`, ""
		case 7: // one part does not say it
			result, says = `{"content":[`+part(first)+","+part(`{"customer":{}}`)+`]}`, ""
		default:
			result, says = first[:len(first)-1], ""
		}
		x := Replay{Policy: p}
		d := x.Decide("look", agent, proposal.Proposal{Tool: "get_order", Arguments: `{"id":1}`}, 1)
		if why := x.Claim(&d, 1).Text; why != "" {
			t.Fatal(why)
		}
		x.Settle(&d, Executed, result)
		for n := range 3 {
			to := fmt.Sprint("C-", n)
			d := x.Decide("change", agent, proposal.Proposal{Tool: "refund", Arguments: `{"id":1,"to":"` + to + `"}`}, 2)
			if (d.Verdict != Denial) != (to == says) {
				t.Fatalf("to %s after %s: %s", to, result, d.Verdict)
			}
			forms[fmt.Sprint(form, d.Verdict != Denial)]++
		}
	}
	if len(forms) < 15 {
		t.Errorf("too few forms: %v", forms)
	}
}
