package violation_test

import "testing"

func TestPairsThatDiffer(t *testing.T) {
	check := func(name, trace, ref, want string) {
		t.Helper()
		got := findingNames(t, `[`+trace+`]`, `[`+ref+`]`, "sop")
		if len(got) != 1 || got[0] != want {
			t.Errorf("%s: %v, want %s", name, got, want)
		}
	}
	limit := func(arguments string) string { return `{"name":"set_limit","arguments":{"id":"a1"` + arguments + `}}` }
	check("missing and extra", limit(`,"soft":true`), limit(`,"limit":6`), "end-boundary//wrong-arguments")
	check("missing and changed", limit(`,"limit":5`), limit(`,"limit":6,"unit":"EUR"`), "end-boundary//wrong-arguments")
	check("missing alone", limit(``), limit(`,"limit":6`), "under-action//wrong-arguments")
	sql := func(query string) string { return `{"name":"run_sql","arguments":{"query":"` + query + `"}}` }
	check("a write for a look", sql("DELETE FROM bills"), sql("SELECT * FROM bills"), "end-boundary//wrong-arguments")
	check("a look for a look", sql("SELECT 1"), sql("SELECT * FROM bills"), "under-action/missing-verification/wrong-arguments")
	pay := `{"name":"pay_bill","arguments":{"id":"p1"}}`
	check("a check that is not known to be a look", pay, `"ensure_paid",`+pay, "under-action/missing-verification/missing-step")
	check("another unknown step", pay, `"frobnicate",`+pay, "under-action//missing-step")
}

// TestLintTellsOfRepeatedCallsOnce checks that three or more equal calls in a row are
// reported once. Only two equal calls in a row, and different calls, are not reported.
func TestLintTellsOfRepeatedCallsOnce(t *testing.T) {
	check := func(want int, words string) {
		t.Helper()
		trace := ""
		for _, w := range words {
			if trace != "" {
				trace += ","
			}
			trace += `{"name":"get_` + string(w) + `"}`
		}
		n := 0
		for _, f := range findingNames(t, `[`+trace+`]`, "", "auto") {
			if f == "over-granular/unnecessary-decomposition/repeated-call" {
				n++
			}
		}
		if n != want {
			t.Errorf("%s: told %d times, want %d", words, n, want)
		}
	}
	check(0, "aa")
	check(1, "aaa")
	check(1, "aaaaaa")
	check(0, "aabaab")
	check(2, "aaabaaa")
	check(1, "baaab")
}

// TestLintTellsOfUnconfirmedWrites checks that a change is reported if the instructions
// require the user's yes, and the user did not say yes.
func TestLintTellsOfUnconfirmedWrites(t *testing.T) {
	check := func(name string, want bool, policy, user, tool string) {
		t.Helper()
		trace := `[{"role":"system","content":"` + policy + `"},{"role":"user","content":"` + user + `"},{"role":"assistant","content":null,"tool_calls":[{"id":"1","function":{"name":"` + tool + `","arguments":"{\"level\":1}"}}]}]`
		got := false
		for _, f := range findingNames(t, trace, "", "auto") {
			got = got || f == "start-boundary/missing-consent/unconfirmed-write"
		}
		if got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	asks := "CONFIRM each change with the user."
	check("no yes", true, asks, "Make it louder.", "set_volume")
	check("yes", false, asks, "YES, that one!", "set_volume")
	check("two words", false, asks, "Then go ahead.", "set_volume")
	check("part of a word", true, asks, "Yesterday it was louder.", "set_volume")
	check("nobody asks", false, "Be kind.", "Make it louder.", "set_volume")
	check("a look", false, asks, "Is it loud?", "get_volume")
	check("only perhaps a change", false, asks, "Make it louder.", "frobnicate")
}
