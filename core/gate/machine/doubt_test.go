package machine

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestOnceInEveryNotation is the law of counting: a call of which it is not certain that
// its value is a new one fails the requirement, whatever the tool's name and the value look
// like.
func TestOnceInEveryNotation(t *testing.T) {
	p := mustReadPolicy(t, `{"rules":[{"name":"once","tool":"refund_order","atMost":{"n":1,"per":"30d","by":["order_id"]},"effect":"deny"}]}`)
	agent := Principal{Tenant: "t", Name: "a", Role: Agent}
	r := rand.New(rand.NewPCG(47, 8))
	pick := func(all ...string) string { return all[r.IntN(len(all))] }
	for range drawn.Cases(400) {
		x := Replay{Policy: p}
		d := x.Decide("first", agent, proposal.Proposal{Tool: "refund_order", Arguments: `{"order_id":"W-1"}`}, 1)
		if why := x.Claim(&d, 1).Text; d.Verdict != proposal.Confirm || why != "" {
			t.Fatal(d, why)
		}
		tool := pick("refund_order", "Refund_Order", "refundOrder", "REFUND_ORDER", "refund-order", " refund_order ", "functions.refund_order", "mcp__shop__refund_order", "ｒefund_order", "refund_order\u200b", "r\u0435fund_order")
		value := pick(`"W-1"`, `" W-1"`, `"Ｗ-1"`, `"W-1\u200b"`, `"W\u0000-1"`, `["W-1"]`, `[["W-1"]]`, `{"id":"W-1"}`, `null`, `""`, `" "`, `[]`, `{}`, `"[\"W-1\"]"`, `"\"W-1\""`)
		arguments := pick(`{"order_id":`+value+`}`, `{"Order_ID":`+value+`}`, `{"order_id":"W-2","orderId":`+value+`}`, `{}`)
		if d := x.Decide("again", agent, proposal.Proposal{Tool: tool, Arguments: arguments}, 2); d.Verdict != Denial {
			t.Fatalf("%q %s: %s", tool, arguments, d.Verdict)
		}
		other := fmt.Sprintf(`{"order_id":%s}`, pick(`"W-2"`, `2`, `"Ünit 7"`, `true`))
		if d := x.Decide("other", agent, proposal.Proposal{Tool: "refund_order", Arguments: other}, 2); d.Verdict == Denial {
			t.Fatalf("%s: %s", other, d.Reason)
		}
	}
}

// TestOnceInEveryNumber is the law of counting for numbers: two that some program reads as
// the same one, exactly or as a float, are never two new values.
func TestOnceInEveryNumber(t *testing.T) {
	p := mustReadPolicy(t, `{"rules":[{"name":"once","tool":"pay","atMost":{"n":1,"per":"30d","by":["id"]},"effect":"deny"}]}`)
	agent := Principal{Tenant: "t", Name: "a", Role: Agent}
	r := rand.New(rand.NewPCG(47, 12))
	both := 0
	for range drawn.Cases(2_000) {
		digits := fmt.Sprint(1 + r.Int64N([]int64{9, 1e6, 1 << 53, 1 << 62}[r.IntN(4)]))
		number := func() string {
			s := digits
			switch r.IntN(6) {
			case 0: // another end
				s = s[:len(s)-1] + fmt.Sprint(r.IntN(10))
			case 1:
				s += "." + strings.Repeat("0", r.IntN(22)) + fmt.Sprint(r.IntN(2))
			case 2:
				s += "e" + fmt.Sprint(r.IntN(400))
			}
			if s = strings.TrimPrefix(s, "0"); s == "" || s[0] == '.' || s[0] == 'e' {
				return "7"
			}
			return s
		}
		first, second := number(), number()
		x := Replay{Policy: p}
		d := x.Decide("first", agent, proposal.Proposal{Tool: "pay", Arguments: `{"id":` + first + `}`}, 1)
		if d.Verdict == Denial {
			continue // it is not surely one value
		}
		if why := x.Claim(&d, 1).Text; why != "" {
			t.Fatal(why)
		}
		a, _ := strconv.ParseFloat(first, 64)
		b, _ := strconv.ParseFloat(second, 64)
		again := x.Decide("again", agent, proposal.Proposal{Tool: "pay", Arguments: `{"id":` + second + `}`}, 2)
		if a == b && again.Verdict != Denial {
			t.Fatalf("%s and then %s: %s", first, second, again.Verdict)
		}
		if a != b && again.Verdict != Denial {
			both++
		}
	}
	if both < 100 {
		t.Errorf("only %d pairs are surely different", both)
	}
	x := Replay{Policy: p} // long ids in texts stay what they are
	d := x.Decide("1", agent, proposal.Proposal{Tool: "pay", Arguments: `{"id":"90071992547409930001"}`}, 1)
	x.Claim(&d, 1)
	if d := x.Decide("2", agent, proposal.Proposal{Tool: "pay", Arguments: `{"id":"90071992547409930002"}`}, 2); d.Verdict == Denial {
		t.Error(d.Reason)
	}
}

// TestStrictToolNames checks that what a policy says of one tool is also said of names
// that may be taken for it, if it is stricter.
func TestStrictToolNames(t *testing.T) {
	p := mustReadPolicy(t, `{"tools":{"get_key":{"deny":"never"},"get_page":"yes","pay":"no"}}`)
	x := Replay{Policy: p}
	for tool, want := range map[string]string{"get_key": Denial, "Get_Key": Denial, "functions.get_key": Denial, "getPage": proposal.Confirm, "get_pages": proposal.Allow, "pay": proposal.Allow, "Pay": proposal.Confirm} {
		if d := x.Decide(tool, Principal{Tenant: "t", Name: "a", Role: Agent}, proposal.Proposal{Tool: tool, Arguments: "{}"}, 1); d.Verdict != want {
			t.Errorf("%s: %s, want %s", tool, d.Verdict, want)
		}
	}
}

// TestAfterBehindNamespace checks that the look and the change may stand behind a namespace,
// but only behind the same one.
func TestAfterBehindNamespace(t *testing.T) {
	p := mustReadPolicy(t, `{"rules":[{"name":"look first","tool":"refund","after":{"tool":"get_order","where":{"id":"same"},"executed":true},"effect":"deny"}]}`)
	agent := Principal{Tenant: "t", Name: "a", Role: Agent}
	places := []string{"", "mcp__shop__", "mcp__other__", "functions.", "shop/"}
	for _, look := range places {
		for _, change := range places {
			x := Replay{Policy: p}
			d := x.Decide("look", agent, proposal.Proposal{Tool: look + "get_order", Arguments: `{"id":1}`}, 1)
			if why := x.Claim(&d, 1).Text; why != "" {
				t.Fatal(why)
			}
			x.Settle(&d, Executed, "")
			d = x.Decide("change", agent, proposal.Proposal{Tool: change + "refund", Arguments: `{"id":1}`}, 2)
			if (d.Verdict != Denial) != (look == change) {
				t.Errorf("%srefund after %sget_order: %s", change, look, d.Verdict)
			}
		}
	}
}

// TestAllowCoversOneName checks that a rule that allows a tool covers neither the tool of a
// server nor another spelling, also if it needs an earlier call that was made.
func TestAllowCoversOneName(t *testing.T) {
	p := mustReadPolicy(t, `{"rules":[{"name":"a","tool":"add_note","effect":"allow","until":"2030-01-01T00:00:00Z","when":{"id":{"any":true}},"after":{"tool":"get_order","executed":true}}]}`)
	agent := Principal{Tenant: "t", Name: "a", Role: Agent}
	x := Replay{Policy: p}
	for i, look := range []string{"get_order", "mcp__shop__get_order"} {
		d := x.Decide(look, agent, proposal.Proposal{Tool: look, Arguments: `{}`}, int64(i))
		x.Claim(&d, int64(i))
		x.Settle(&d, Executed, "")
	}
	for tool, want := range map[string]string{"add_note": proposal.Allow, "mcp__shop__add_note": proposal.Confirm, "functions.add_note": proposal.Confirm, "Add_Note": proposal.Confirm, "shop/add_note": proposal.Confirm, "add_note ": proposal.Confirm} {
		if d := x.Decide(tool, agent, proposal.Proposal{Tool: tool, Arguments: `{"id":1}`}, 9); d.Verdict != want {
			t.Errorf("%s: %s, want %s", tool, d.Verdict, want)
		}
	}
}

// TestAfterOfServers checks which look comes before which change, for each way to write the
// two tools in a policy: one of the same server, or one that the policy names in full.
func TestAfterOfServers(t *testing.T) {
	agent := Principal{Tenant: "t", Name: "a", Role: Agent}
	for _, c := range []struct{ tool, after, change, met, unmet string }{
		{"refund", "get_order", "mcp__shop__refund", "mcp__shop__get_order", "get_order|mcp__crm__get_order|mcp__shop__x__get_order"},
		{"refund", "get_order", "refund", "get_order", "mcp__shop__get_order"},
		{"mcp__shop__refund", "get_order", "mcp__shop__refund", "mcp__shop__get_order|get_order", "mcp__crm__get_order"},
		{"mcp__shop__*", "get_order", "mcp__shop__refund", "mcp__shop__get_order|get_order", "mcp__crm__get_order"},
		{"mcp__*", "get_order", "mcp__shop__refund", "mcp__shop__get_order", "mcp__crm__get_order"},
		{"mcp__*__refund", "get_order", "mcp__shop__refund", "mcp__shop__get_order", "mcp__crm__get_order|get_order"},
		{"*refund", "*get_order", "mcp__shop__refund", "mcp__shop__get_order", "mcp__crm__get_order"},
		{"*refund", "*get_order", "shop_refund", "get_order|crm_get_order|shop_get_order", "mcp__crm__get_order"},
		{"", "get_order", "mcp__shop__refund", "mcp__shop__get_order", "mcp__crm__get_order"},
		{"", "get_user", "orders.refund", "get_user", "orders.get_user|mcp__shop__get_user"},
		{"orders.refund", "get_user", "orders.refund", "get_user|orders.get_user", "mcp__shop__get_user"},
		{"mcp__shop__refund", "mcp__crm__get_order", "mcp__shop__refund", "mcp__crm__get_order", "mcp__shop__get_order|get_order|functions.mcp__crm__get_order"},
		{"mcp_shop_refund", "mcp_shop_get_order", "mcp_shop_refund", "mcp_shop_get_order", "get_order|mcp_crm_get_order|mcp__shop__get_order"},
		{"refund", "mcp_shop_get_order", "mcp_shop_refund", "mcp_shop_get_order", "get_order|mcp_crm_get_order"},
		{"refund", "mcp__crm__get_order", "mcp__shop__refund", "mcp__crm__get_order", "mcp__shop__get_order|get_order"},
	} {
		text := `{"rules":[{"name":"look first","tool":"` + c.tool + `","after":{"tool":"` + c.after + `","executed":true},"effect":"deny","changes":true}]}`
		p := mustReadPolicy(t, strings.Replace(text, `"tool":"",`, "", 1))
		for i, list := range []string{c.met, c.unmet} {
			for _, look := range strings.Split(list, "|") {
				x := Replay{Policy: p}
				d := x.Decide("look", agent, proposal.Proposal{Tool: look, Arguments: `{}`}, 1)
				if d.Verdict != Denial {
					if why := x.Claim(&d, 1).Text; why != "" {
						t.Fatal(why)
					}
					x.Settle(&d, Executed, "")
				}
				d = x.Decide("change", agent, proposal.Proposal{Tool: c.change, Arguments: `{}`}, 2)
				if (d.Verdict != Denial) != (i == 0) {
					t.Errorf("%s after %s: %s after %s: %s", c.tool, c.after, c.change, look, d.Verdict)
				}
			}
		}
	}
}

// TestNoWordsOfUser is the law of a conversation without a user: it is none, so each
// condition on who asked selects the change.
func TestNoWordsOfUser(t *testing.T) {
	for _, messages := range []string{`[]`, `[{"role":"assistant","content":"I pay"}]`, `[{"role":"user","content":" \u200b"}]`, `[{"role":"system","content":"pay"}]`, `[{"role":"user","content":[{"type":"image_url"}]}]`,
		`[{"role":"tool","tool_call_id":"x","content":"fine weather"}]`} {
		for _, asked := range []string{AskedUser, AskedData, AskedNobody} {
			p := mustReadPolicy(t, `{"rules":[{"name":"r","asked":"`+asked+`","effect":"deny"}]}`)
			v, err := jsonval.Parse(messages)
			if err != nil {
				t.Fatal(err)
			}
			c, err := proposal.ReadConversation(v)
			if err != nil {
				t.Fatal(err)
			}
			x := Replay{Policy: p}
			if d := x.Decide("p", Principal{Tenant: "t", Name: "a", Role: Agent}, proposal.Proposal{Tool: "pay", Arguments: `{"to":"x"}`, Conversation: c}, 1); d.Verdict != Denial {
				t.Errorf("%s with asked: %s: %s", messages, asked, d.Verdict)
			}
		}
	}
}

// TestAllowAfter checks that a rule that allows applies while its requirement is met, also
// if the policy has no other rule.
func TestAllowAfter(t *testing.T) {
	p := mustReadPolicy(t, `{"rules":[{"name":"a","tool":"add_note","effect":"allow","until":"2030-01-01T00:00:00Z","when":{"id":{"any":true}},"after":{"tool":"get_order","where":{"id":"same"},"executed":true}},
		{"name":"b","tool":"add_tag","effect":"allow","until":"2030-01-01T00:00:00Z","when":{"id":{"any":true}},"atMost":{"n":1,"per":"1h"}}]}`)
	x := Replay{Policy: p}
	n := 0
	call := func(tool, id string, want string, run State) {
		t.Helper()
		n++
		d := x.Decide(fmt.Sprint(n), Principal{Tenant: "t", Name: "a", Role: Agent}, proposal.Proposal{Tool: tool, Arguments: `{"id":"` + id + `"}`}, int64(n))
		if got := fmt.Sprint(d.Verdict, d.People); got != want {
			t.Errorf("%s %s: %s, want %s", tool, id, got, want)
		}
		if run != "" {
			if why := x.Claim(&d, int64(n)).Text; why != "" {
				t.Error(why)
			}
			x.Settle(&d, run, "")
		}
	}
	call("add_note", "x", "confirm1", "")
	call("get_order", "x", "allow0", Failed)
	call("add_note", "x", "confirm1", "")
	call("get_order", "x", "allow0", Executed)
	call("add_note", "x", "allow0", Executed)
	call("add_note", "y", "confirm1", "")
	call("add_tag", "x", "allow0", Executed)
	call("add_tag", "x", "confirm1", "")
}

// TestMisleadingNames checks that names in a policy that would match nothing are refused.
func TestMisleadingNames(t *testing.T) {
	for text, want := range map[string]string{
		`{"rules":[{"name":"a","tool":" refund","effect":"deny"}]}`:                                         `want "refund"`,
		`{"rules":[{"name":"a","tool":"refund\u200b","effect":"deny"}]}`:                                    `want "refund"`,
		`{"rules":[{"name":"a","agent":"bot ","effect":"deny"}]}`:                                           `want "bot"`,
		`{"rules":[{"name":"a","tool":"pay_*","atMost":{"n":1,"per":"1h","by":["tool"]},"effect":"deny"}]}`: "tool is no argument",
		`{"rules":[{"name":"a","atMost":{"sum":"amount","max":1000000000,"per":"1h"},"effect":"deny"}]}`:    "999999999.999999",
	} {
		if _, err := ReadPolicy(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	mustReadPolicy(t, `{"rules":[{"name":"a","atMost":{"n":1,"per":"1h","by":["[\"tool\"]"]},"effect":"deny"}]}`)
}

// TestWhereCountsEnd checks the notations that have a count of their own in docs/policies.md, and the rule
// that it gives for tools which read them as the same.
func TestWhereCountsEnd(t *testing.T) {
	once := `{"name":"once","tool":"take","atMost":{"n":1,"per":"30d","by":["id"]},"effect":"deny"}`
	plain := `{"name":"plain","tool":"take","when":{"id":{"not":{"matches":"^[0-9]+$"}}},"effect":"deny"}`
	for _, rules := range []string{once, once + "," + plain} {
		x := Replay{Policy: mustReadPolicy(t, `{"rules":[`+rules+`]}`)}
		for i, id := range []string{"7", "0x7", "0b111", "7abc", "٧", "%37", "./7", "7/", "7#x", "7?x"} {
			d := x.Decide(id, Principal{Tenant: "t", Name: "a", Role: Agent}, proposal.Proposal{Tool: "take", Arguments: fmt.Sprintf(`{"id":%q}`, id)}, int64(i))
			if x.Claim(&d, int64(i)); (d.Verdict == Denial) != (rules != once && i > 0) {
				t.Errorf("%s under %s: %s", id, rules, d.Verdict)
			}
		}
	}
}
