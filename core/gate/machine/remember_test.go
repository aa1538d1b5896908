package machine

import (
	"testing"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// TestRememberedCall checks an allow rule with a digest. Until the rule ends, it covers
// exactly the call with this digest, even if the effect of the call is unknown. A call
// that cannot be undone is covered only if the rule says so.
func TestRememberedCall(t *testing.T) {
	check := func(extra, until, call, verdict string) {
		t.Helper()
		for _, known := range []string{"frobnicate", "update_cart", "delete_cart"} {
			if call[:4] != known[:4] {
				continue
			}
			p := mustReadPolicy(t, `{"allow":[{"name":"r","tool":"`+known+`","until":"`+until+`","digest":"`+proposal.Digest(known, `{"a": 1.0}`)+`"`+extra+`}]}`)
			if got := askCalls(t, p, call).Verdict; got != verdict {
				t.Errorf("%s with %s until %s: %s, want %s", call, extra, until, got, verdict)
			}
		}
	}
	const allow, confirm, later, over = "allow", "confirm", "2030-01-01T00:00:00Z", "2020-01-01T00:00:00Z"
	check("", later, `frobnicate {"a": 1.0}`, allow) // unknown, but somebody has seen it
	check("", later, `update_cart {"a": 1.0}`, allow)
	check("", later, `update_cart {"a":1.0}`, confirm) // other bytes
	check("", later, `update_cart {"a": 1}`, confirm)
	check("", over, `update_cart {"a": 1.0}`, confirm)
	check("", later, `delete_cart {"a": 1.0}`, confirm) // cannot be undone
	check(`,"destructive":true`, later, `delete_cart {"a": 1.0}`, allow)
}

// TestRememberNotBeyond checks a tool whose definition says that it reaches outside its
// own system. An allow rule covers its calls only if the rule says so.
func TestRememberNotBeyond(t *testing.T) {
	yes := true
	for extra, verdict := range map[string]string{"": "confirm", `,"openWorld":true`: "allow"} {
		p := mustReadPolicy(t, `{"allow":[{"name":"r","tool":"update_cart","until":"2030-01-01T00:00:00Z","when":{}`+extra+`}]}`)
		call := proposal.Proposal{Tool: "update_cart", Arguments: "{}", Tools: []mutation.Tool{{Name: "update_cart", Annotations: mutation.Annotations{OpenWorld: &yes}}}}
		if got := Propose(p, Ask{By: Principal{Tenant: "t", Name: "a", Role: Agent}, Calls: []proposal.Proposal{call}, IDs: []string{"p"}}, 1_700_000_000_000).Verdict; got != verdict {
			t.Errorf("rule with %q: %s, want %s", extra, got, verdict)
		}
	}
}

// TestRememberRules checks that an allow rule needs either a digest or conditions, and
// that an invalid digest is an error.
func TestRememberRules(t *testing.T) {
	for _, rule := range []string{`"when":{},"digest":"` + proposal.Digest("x", "{}") + `"`, `"destructive":false`, `"digest":"sha256:00"`, `"digest":"` + proposal.Digest("x", "{}")[7:] + `"`, `"digest":7`, `"when":{},"openWorld":"yes"`} {
		if _, err := ReadPolicy(`{"allow":[{"name":"r","tool":"x","until":"2030-01-01T00:00:00Z",` + rule + `}]}`); err == nil {
			t.Errorf("%s is a rule", rule)
		}
	}
}
