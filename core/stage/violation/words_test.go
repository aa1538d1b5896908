package violation

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

func TestTokens(t *testing.T) {
	check := func(name, want string) {
		t.Helper()
		if got := strings.Join(splitName(name), " "); got != want {
			t.Errorf("tokens of %q: %q, want %q", name, got, want)
		}
	}
	check("", "")
	check("verify_owner", "verify owner")
	check("verifyOwner", "verify owner")
	check("VerifyOwner2", "verify owner2")
	check("fs.delete-all__now", "fs delete all now")
	check("getURL", "get url")
	check("ÄndereÄmter", "ändere ämter")
	check("_x_", "x")
}

func TestNamesThatAskForConsent(t *testing.T) {
	for _, name := range []string{"confirm", "ask", "confirm_with_user", "askCustomer", "ask_human", "confirm_person", "confirm_client", "get_consent", "request_approval", "approve", "authorize", "authorise_payment", "send_confirmation"} {
		if !isConsentRequest(name) {
			t.Errorf("%s asks for no consent", name)
		}
	}
	for _, name := range []string{"confirm_address", "ask_database", "verify_user", "delete_user", "get_customer", ""} {
		if isConsentRequest(name) {
			t.Errorf("%s asks for consent", name)
		}
	}
}

func TestNamesThatCheck(t *testing.T) {
	for _, name := range []string{"verify_owner", "verification", "confirm_address", "checkStock", "validate", "review_code", "inspect", "authenticate_user", "identify", "ensure_paid", "run_test"} {
		if !isCheckName(name) {
			t.Errorf("%s checks nothing", name)
		}
	}
	for _, name := range []string{"checkout", "delete", "get_owner", ""} {
		if isCheckName(name) {
			t.Errorf("%s checks", name)
		}
	}
}

func TestQuantified(t *testing.T) {
	check := func(name, arguments string, want bool) {
		t.Helper()
		v, err := jsonval.Parse(arguments)
		if err != nil {
			t.Fatal(err)
		}
		a := boundary.Action{Call: similarity.NewCall(name, v, "", "")}
		if got := isQuantified(&a); got != want {
			t.Errorf("%s %s: quantified %v, want %v", name, arguments, got, want)
		}
	}
	for _, name := range []string{"delete_all", "every_row", "take_everything", "notifyEveryone", "bulk_delete"} {
		check(name, `{}`, true)
	}
	check("call_home", `{}`, false)
	check("install", `{}`, false)
	for _, value := range []string{`"*"`, `"ALL"`, `"every"`, `"Everything"`, `"everyone"`, `["x","all"]`, `{"of":"*"}`} {
		check("f", `{"what":`+value+`}`, true)
	}
	check("f", `{"what":"all of it"}`, false)
	check("f", `{"all":true}`, true)
	check("f", `{"deleteAll":true}`, true)
	check("f", `{"for_every_row":true}`, true)
	check("f", `{"all":false}`, false)
	check("f", `{"call":true}`, false)
	check("f", `{"force":true}`, false)
}

func TestNumbersAreShownPlainly(t *testing.T) {
	check := func(raw, want string) {
		t.Helper()
		v, err := jsonval.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		if got := similarity.ShowValue(v.Canonical()); got != want {
			t.Errorf("%s is shown as %s, want %s", raw, got, want)
		}
	}
	check(`0`, "0")
	check(`7`, "7")
	check(`-7`, "-7")
	check(`1200`, "1200")
	check(`13.50`, "13.5")
	check(`-2.75`, "-2.75")
	check(`240.5`, "240.5")
	check(`1e3`, "1000")
	check(`10000000000000000000`, "10000000000000000000")
	check(`true`, "true")
	check(`"2e5"`, `"2e5"`)
	check(`"e"`, `"e"`)
	if got := showAll([]string{`"a"`, "12e1"}); got != `"a", 120` {
		t.Errorf("several: %s", got)
	}
}

func TestGrounded(t *testing.T) {
	check := func(value, known string, want bool) {
		t.Helper()
		if got := Grounded(value, known); got != want {
			t.Errorf("%s in %q: %v, want %v", value, known, got, want)
		}
	}
	check(`"O-1"`, "your order O-1 is here", true)
	check(`"O-1"`, "your order O-2 is here", false)
	check(`485e-1`, "it is 48.5 in all", true)
	check(`485e-1`, "it is 485 in all", false)
	check(`12e2`, "pay 1200", true)
	check(`""`, "", true)
	check(`"x"`, "", false)
}

func TestSaid(t *testing.T) {
	check := func(want bool, text string, told ...string) {
		t.Helper()
		if got := (&saidTexts{texts: told}).contain(text); got != want {
			t.Errorf("%q in %q: %v, want %v", text, told, got, want)
		}
	}
	check(true, "1,250", "It is 1250.")
	check(true, "1250", "It is", "1,250 in all")
	check(true, "DONE", "all done")
	check(false, "1250", "12", "50")
	check(false, "x")
}

func TestBeyond(t *testing.T) {
	check := func(a, b, want string) {
		t.Helper()
		if got := strings.Join(elementsBeyond(strings.Fields(a), strings.Fields(b)), " "); got != want {
			t.Errorf("%s beyond %s: %q, want %q", a, b, got, want)
		}
	}
	check("a b c", "b", "a c")
	check("a", "a b", "")
	check("a b", "", "a b")
	check("", "a", "")
}
