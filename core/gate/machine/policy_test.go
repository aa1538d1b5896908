package machine

import (
	"strings"
	"testing"
)

// TestAllowConditions checks that an allow rule lets a call through only if its
// conditions name and accept every argument.
func TestAllowConditions(t *testing.T) {
	check := func(when, arguments, verdict string) {
		t.Helper()
		p := mustReadPolicy(t, `{"allow":[{"name":"small","tool":"update_cart","until":"2030-01-01T00:00:00Z","when":`+when+`}]}`)
		if got := askCalls(t, p, "update_cart "+arguments).Verdict; got != verdict {
			t.Errorf("when %s, update_cart %s: %s, want %s", when, arguments, got, verdict)
		}
	}
	const allow, confirm = "allow", "confirm"
	check(`{}`, `{}`, allow)
	check(`{}`, `{"a":1}`, confirm) // an argument that the rule does not name

	check(`{"a":{"any":true}}`, `{"a":"x"}`, allow)
	check(`{"a":{"any":true}}`, `{}`, confirm)
	check(`{"a":{"any":true,"optional":true}}`, `{}`, allow)
	check(`{"a":{"any":true}}`, `{"a":{"b":1}}`, confirm) // scalars only
	check(`{"a":{"any":true}}`, `{"a":[1]}`, confirm)
	check(`{"a":{"any":true}}`, `{"a":null}`, confirm)

	check(`{"a":{"equals":"x"}}`, `{"a":"x"}`, allow)
	check(`{"a":{"equals":"x"}}`, `{"a":"\u0078"}`, allow) // the same text in another spelling
	check(`{"a":{"equals":"x"}}`, `{"a":"X"}`, confirm)
	check(`{"a":{"equals":"5"}}`, `{"a":5}`, confirm)
	check(`{"a":{"equals":5}}`, `{"a":5.0}`, allow)
	check(`{"a":{"equals":9007199254740993}}`, `{"a":9007199254740992}`, confirm)
	check(`{"a":{"equals":true}}`, `{"a":true}`, allow)
	check(`{"a":{"equals":true}}`, `{"a":"true"}`, confirm)
	check(`{"a":{"oneOf":["x","y",3]}}`, `{"a":"y"}`, allow)
	check(`{"a":{"oneOf":["x","y",3]}}`, `{"a":3}`, allow)
	check(`{"a":{"oneOf":["x","y",3]}}`, `{"a":"z"}`, confirm)

	check(`{"n":{"min":1,"max":10}}`, `{"n":1}`, allow)
	check(`{"n":{"min":1,"max":10}}`, `{"n":10.0}`, allow)
	check(`{"n":{"min":1,"max":10}}`, `{"n":10.0000000000000000001}`, confirm) // compared exactly
	check(`{"n":{"min":1,"max":10}}`, `{"n":0.99}`, confirm)
	check(`{"n":{"max":10}}`, `{"n":-1e3}`, allow)
	check(`{"n":{"max":10}}`, `{"n":-1e99}`, confirm) // an unusually large number
	check(`{"n":{"max":10}}`, `{"n":"5"}`, confirm)
	check(`{"n":{"max":10}}`, `{"n":5,"n":50}`, confirm) // both members count
	check(`{"n":{"max":10}}`, `[5]`, confirm)
	check(`{"n":{"max":10}}`, `{"n":5`, confirm)
	check(`{"n":{"max":10},"m":{"equals":1}}`, `{"n":5,"m":2}`, confirm)

	// By path: every value must be named, and satisfy all conditions that name it.
	check(`{"card.amount":{"max":10}}`, `{"card":{"amount":5}}`, allow)
	check(`{"card.amount":{"max":10}}`, `{"card":{"amount":50}}`, confirm)
	check(`{"card.amount":{"max":10}}`, `{"card":{"amount":5,"to":"x"}}`, confirm)
	check(`{"card.amount":{"max":10}}`, `{"card.amount":5}`, confirm) // a different argument, whose name contains a dot
	check(`{"[\"card.amount\"]":{"max":10}}`, `{"card.amount":5}`, allow)
	check(`{"card.amount":{"max":10}}`, `{"card":{"amount":5,"amount":50}}`, confirm)
	check(`{"card.amount":{"max":10}}`, `{"card":{"amount":[5]}}`, confirm)
	check(`{"card.amount":{"max":10,"optional":true}}`, `{"card":{}}`, confirm)
	check(`{"card.amount":{"max":10,"optional":true}}`, `{}`, allow)
	check(`{"items.#.price":{"max":10},"items.#.id":{"any":true}}`, `{"items":[{"id":1,"price":5},{"id":2,"price":10}]}`, allow)
	check(`{"items.#.price":{"max":10},"items.#.id":{"any":true}}`, `{"items":[{"id":1,"price":5},{"id":2,"price":11}]}`, confirm)
	check(`{"items.#.price":{"max":10},"items.#.id":{"any":true}}`, `{"items":[{"id":1,"price":5},null]}`, confirm)
	check(`{"items.#.price":{"max":10}}`, `{"items":[]}`, confirm)
	check(`{"items.#.price":{"max":10},"items[0].price":{"max":3}}`, `{"items":[{"price":5}]}`, confirm)
	check(`{"items.#.price":{"max":10},"items[0].price":{"max":3}}`, `{"items":[{"price":3},{"price":5}]}`, allow)
	check(`{"ids.#":{"oneOf":["a","b"]}}`, `{"ids":["a","b","a"]}`, allow)
	check(`{"ids.#":{"oneOf":["a","b"]}}`, `{"ids":["a","c"]}`, confirm)
	check(`{"#":{"any":true}}`, `{"#":1}`, confirm)
}

// TestAllowDestructive checks that an allow rule covers calls that cannot be undone only
// if the rule says so.
func TestAllowDestructive(t *testing.T) {
	check := func(extra, call, verdict string) {
		t.Helper()
		tool, _, _ := strings.Cut(call, " ")
		p := mustReadPolicy(t, `{"allow":[{"name":"r","tool":"`+tool+`","until":"2030-01-01T00:00:00Z","when":{"command":{"any":true,"optional":true},"id":{"any":true,"optional":true}}`+extra+`}],
			"definitions":[{"name":"update_thing","annotations":{"readOnlyHint":false,"destructiveHint":true}},{"name":"update_note","annotations":{"readOnlyHint":false,"destructiveHint":false}}]}`)
		if got := askCalls(t, p, call).Verdict; got != verdict {
			t.Errorf("%s with %q: %s, want %s", call, extra, got, verdict)
		}
	}
	check(``, `update_note {"id":1}`, "allow")
	check(``, `delete_note {"id":1}`, "confirm")
	check(`,"destructive":true`, `delete_note {"id":1}`, "allow")
	check(``, `update_thing {"id":1}`, "confirm") // its definition says so
	check(`,"destructive":true`, `update_thing {"id":1}`, "allow")
	check(``, `bash {"command":"mkdir x"}`, "confirm") // a command line is never known to be harmless
}

func TestPolicyFileErrors(t *testing.T) {
	check := func(text, part string) {
		t.Helper()
		if _, err := ReadPolicy(text); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v, want %q", text, err, part)
		}
	}
	rule := func(when string) string {
		return `{"allow":[{"name":"x","tool":"y","until":"2030-01-01T00:00:00Z","when":` + when + `}]}`
	}
	check(`{"allow":{}}`, "want an array of rules, saw object")
	check(rule(`{"a":{"equals":[1]}}`), "want a string, number or boolean, saw array")
	check(rule(`{"a":{"equals":null}}`), "want a string, number or boolean, saw null")
	check(rule(`{"a":{"oneOf":"x"}}`), "want a list of values, saw")
	check(rule(`{"a":{"oneOf":[]}}`), "want a list of values")
	check(rule(`{"a":{"any":false}}`), "want true, saw false")
	check(rule(`{"a":{"any":"yes"}}`), "want true, saw")
	check(rule(`{"a":{"any":true,"max":3}}`), "cannot stand beside another test")
	check(rule(`{"a..b":{"any":true}}`), `invalid condition: invalid path "a..b" at character 3: a name is missing`)
	check(rule(`{"a.*":{"any":true}}`), "the name must not contain * or ?")
	check(rule(`{"a.#(b==1)":{"any":true}}`), "are allowed here")
	check(rule(`[]`), "invalid when: want an object, saw array")
	check(`{"tools":[]}`, "invalid tools: want an object, saw array")
	check(`{"tools":{"a":{"deny":" "}}}`, "want a text, saw an empty one")
	check(`{"definitions":"x"}`, "invalid definitions: ")
	check(`{"conversation":{}}`, "want an array of tool names, saw object")
	check(`{"conversation":[""]}`, "want a text, saw an empty one")
	check(`{"conversation":["add_*"]}`, "want the exact name of one tool")
	check(`{"mode":5}`, "want strict or faithful, saw 5")
}

func TestPolicyTools(t *testing.T) {
	p := mustReadPolicy(t, `{"tools":{"peek":"yes","delete_draft":"no","think_hard":"control"},"outcomeWithin":"30s","guidance":"Only what was asked."}`)
	for call, verdict := range map[string]string{"peek {}": "confirm", "delete_draft {}": "allow", "think_hard {}": "allow"} {
		if got := askCalls(t, p, call).Verdict; got != verdict {
			t.Errorf("%s: %s, want %s", call, got, verdict)
		}
	}
}

// TestClaimOfATamperedRecord checks that a call cannot be claimed if its stored tool,
// arguments or prompt differ from the approved ones. It also checks that a short nonce is
// refused.
func TestClaimOfATamperedRecord(t *testing.T) {
	check := func(why string, tamper func(*Record), e Event, code Code) {
		t.Helper()
		batch := askCalls(t, Default(), `cancel_order {"id":1}`).Records
		if _, decided := batch[0].Decided(); decided {
			t.Error("decided before anybody decided")
		}
		playEvents(batch, 0, approveEvent(alice, batch[0]))
		if v, ok := batch[0].Decided(); !ok || v.By != "alice" {
			t.Errorf("the deciding vote is %+v", v)
		}
		tamper(&batch[0])
		if c := Step(batch, 0, e, start); c.Answer.Code != code || c.Record.State == Claimed {
			t.Errorf("%s: code %d, %s", why, c.Answer.Code, c.Record.State)
		}
	}
	check("another argument", func(r *Record) { r.Arguments = `{"id":2}` }, claimEvent(), Unavailable)
	check("another tool", func(r *Record) { r.Tool = "cancel_all" }, claimEvent(), Unavailable)
	check("another prompt", func(r *Record) { r.Prompt += " " }, claimEvent(), Unavailable)
	check("a guessable nonce", func(*Record) {}, Event{Kind: Claim, By: agent, Nonce: "1"}, Invalid)
}
