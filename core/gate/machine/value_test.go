package machine

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// sameValue is the plain oracle of where: two JSON scalars are surely the same if both are
// numbers that floats keep and that are equal, if both are the same plain text, or if one
// is the text that programs print for the other one.
func sameValue(a, b string) bool {
	print := func(raw string) string {
		if raw[0] == '"' {
			return strings.Trim(raw, `"`)
		}
		f, _ := strconv.ParseFloat(raw, 64)
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return print(a) == print(b)
}

// TestWhereIsExact is the law of where: an argument meets the value of an earlier call only
// if the two are surely the same, so ids that are texts are compared letter by letter.
func TestWhereIsExact(t *testing.T) {
	p := mustReadPolicy(t, `{"rules":[{"name":"look first","tool":"refund","after":{"tool":"get_order","where":{"id":"same"},"executed":true},"effect":"deny"},
		{"name":"own","tool":"pay","after":{"tool":"get_order","where":{"to":{"result":"to"}},"executed":true},"effect":"deny"}]}`)
	agent := Principal{Tenant: "t", Name: "a", Role: Agent}
	r := rand.New(rand.NewPCG(47, 15))
	forms := []string{`1.1`, `1.10`, `"1.1"`, `"1.10"`, `"01.1"`, `"1.1e0"`, `11e-1`, `7`, `"7"`, `"07"`, `"7.0"`, `7.0`, `70e-1`, `"+7"`, `"7e0"`, `1000`, `1e3`, `"1000"`, `"1e3"`, `"1,000"`, `"W-1"`, `"w-1"`, `"W-10"`, `"x\u0041"`}
	met, refused := 0, 0
	for range drawn.Cases(600) {
		first, second := forms[r.IntN(len(forms))], forms[r.IntN(len(forms))]
		x := Replay{Policy: p}
		d := x.Decide("look", agent, proposal.Proposal{Tool: "get_order", Arguments: `{"id":` + first + `}`}, 1)
		if why := x.Claim(&d, 1).Text; why != "" {
			t.Fatal(why)
		}
		x.Settle(&d, Executed, `{"to":`+first+`}`)
		want := strings.ReplaceAll(first, `\u0041`, "A")
		same := sameValue(want, strings.ReplaceAll(second, `\u0041`, "A"))
		for _, call := range []proposal.Proposal{{Tool: "refund", Arguments: `{"id":` + second + `}`}, {Tool: "pay", Arguments: `{"to":` + second + `}`}} {
			if d := x.Decide("change", agent, call, 2); (d.Verdict != Denial) != same {
				t.Fatalf("%s %s after %s: %s", call.Tool, second, first, d.Verdict)
			}
		}
		if same {
			met++
		} else {
			refused++
		}
	}
	if met < 40 || refused < 40 {
		t.Errorf("%d met, %d refused", met, refused)
	}
	for _, odd := range []string{`" W-1"`, `"Ｗ-1"`, `"W-1\n"`, `""`, `null`, `["W-1"]`} { // not surely one value, whatever came before
		x := Replay{Policy: p}
		d := x.Decide("look", agent, proposal.Proposal{Tool: "get_order", Arguments: `{"id":` + odd + `}`}, 1)
		x.Claim(&d, 1)
		x.Settle(&d, Executed, "")
		for _, id := range []string{odd, `"W-1"`} {
			if d := x.Decide("change", agent, proposal.Proposal{Tool: "refund", Arguments: `{"id":` + id + `}`}, 2); d.Verdict != Denial {
				t.Errorf("%s after %s: %s", id, odd, d.Verdict)
			}
		}
	}
}

// TestOnceInEverySpelling is the law of counting for texts: what some program reads as the
// same number, or as the same word, is counted together.
func TestOnceInEverySpelling(t *testing.T) {
	p := mustReadPolicy(t, `{"rules":[{"name":"once","tool":"pay","atMost":{"n":1,"per":"30d","by":["id"]},"effect":"deny"}]}`)
	agent := Principal{Tenant: "t", Name: "a", Role: Agent}
	for _, class := range [][]string{
		{`7`, `"7"`, `"07"`, `"007"`, `"7.0"`, `"+7"`, `"7e0"`, `70e-1`, `" 7"`, `"7."`, `"0_7"`},
		{`.5`[1:], `"5"`, `"5.00"`},
		{`0.5`, `".5"`, `"0.50"`},
		{`1000`, `"1,000"`, `"1_000"`, `"1 000"`, `"1'000"`, `1e3`},
		{`"W-1"`, `"w-1"`, `"Ｗ-1"`, `" W-1 "`},
		{`-3`, `"-3"`, `"-03"`},
		{`"straße"`, `"STRAßE"`},
		{`true`, `"true"`, `"True"`},
	} {
		for _, first := range class {
			for _, second := range class {
				x := Replay{Policy: p}
				d := x.Decide("first", agent, proposal.Proposal{Tool: "pay", Arguments: `{"id":` + first + `}`}, 1)
				if why := x.Claim(&d, 1).Text; why != "" {
					t.Fatal(first, why)
				}
				if d := x.Decide("again", agent, proposal.Proposal{Tool: "pay", Arguments: `{"id":` + second + `}`}, 2); d.Verdict != Denial {
					t.Errorf("%s and then %s: %s", first, second, d.Verdict)
				}
				other := fmt.Sprintf(`{"id":%s}`, []string{`"W-2"`, `8`, `"70"`, `"0.05"`, `"-W-1"`}[len(first)%5])
				if d := x.Decide("other", agent, proposal.Proposal{Tool: "pay", Arguments: other}, 2); d.Verdict == Denial {
					t.Errorf("%s and then %s: %s", first, other, d.Reason)
				}
			}
		}
	}
}
