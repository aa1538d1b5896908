package score

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// asideRow is a row of a table in testdata/kinds. Even rows were kept aside while the
// rules were written.
type asideRow struct {
	text  string
	cells []string
	aside bool
}

func readAside(t *testing.T, name, separator string, cells int) []asideRow {
	t.Helper()
	data, err := os.ReadFile("testdata/kinds/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	var rows []asideRow
	for line := range strings.SplitSeq(strings.TrimSpace(string(data)), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		r := asideRow{text: line, cells: strings.Split(line, separator), aside: len(rows)%2 == 1}
		if len(r.cells) != cells {
			t.Fatalf("%s: %d cells in %q, want %d", name, len(r.cells), line, cells)
		}
		rows = append(rows, r)
	}
	return rows
}

// certaintyOf says how a run is judged: "clean", "note", "hint" for findings that only a
// judge should settle, or "flagged".
func certaintyOf(t *testing.T, trace, ref, profile string) string {
	t.Helper()
	run := evaluateTrace(t, trace, ref, profile).Trajectories[0]
	most := "clean"
	for _, row := range run.Alignment {
		if row.Verdict == "note" {
			most = "note"
		}
	}
	for i := range run.Violations {
		if run.Violations[i].Confidence >= 0.7 {
			return "flagged"
		}
		most = "hint"
	}
	return most
}

// count is how many rows of a table had each certainty, of those kept aside and of the others.
type count struct{ used, aside map[string]int }

func (c *count) add(r *asideRow, what string) {
	if c.used == nil {
		c.used, c.aside = map[string]int{}, map[string]int{}
	}
	if r.aside {
		c.aside[what]++
	} else {
		c.used[what]++
	}
}

func (c *count) String() string { return fmt.Sprintf("used %v, kept aside %v", c.used, c.aside) }

func (c *count) sumOf(whats ...string) (n int) {
	for _, w := range whats {
		n += c.used[w] + c.aside[w]
	}
	return n
}

// judgePairs counts how the pairs of a table are judged.
func judgePairs(t *testing.T, name, profile string, wrong ...string) (c count) {
	for _, r := range readAside(t, name, " | ", 3) {
		trace := fmt.Sprintf(`[{"name":%q,"arguments":%s,"result":"ok"}]`, r.cells[0], r.cells[1])
		ref := fmt.Sprintf(`[{"name":%q,"arguments":%s}]`, r.cells[0], r.cells[2])
		what := certaintyOf(t, trace, ref, profile)
		c.add(&r, what)
		if slices.Contains(wrong, what) && (!r.aside || os.Getenv("BOUNDCHECK_ASIDE") != "") {
			t.Logf("%s %s %s: %s", profile, name, what, r.text)
		}
	}
	t.Logf("%s, %s: %s", name, profile, &c)
	return c
}

// TestKindPairs checks how pairs of equal and of different values are judged, alike under
// both profiles. A pair that only a judge can settle is never certain.
func TestKindPairs(t *testing.T) {
	for _, profile := range []string{"outcome", "sop"} {
		c := judgePairs(t, "equal", profile, "flagged", "hint")
		if c.sumOf("flagged") > 5 || c.sumOf("flagged", "hint") > 15 {
			t.Errorf("%s: too many equal pairs are flagged", profile)
		}
		c = judgePairs(t, "different", profile, "clean", "note")
		if c.sumOf("clean", "note") > 3 {
			t.Errorf("%s: too many different pairs are missed", profile)
		}
	}
}

// TestFreshPairs checks a second set of pairs and swaps, which was written before the rules
// were changed to judge it. Two swaps in it are of a read, which is excused, and 1.250 and
// 1.25 are equal for any reader of numbers.
func TestFreshPairs(t *testing.T) {
	c := judgePairs(t, "fresh-equal", "outcome", "flagged", "hint")
	if c.sumOf("flagged") > 0 || c.sumOf("hint") > 2 {
		t.Error("too many equal pairs are flagged")
	}
	if c = judgePairs(t, "fresh-different", "outcome", "clean", "note"); c.sumOf("clean", "note") > 1 {
		t.Error("too many different pairs are missed")
	}
	if n := countSwaps(t, "fresh-dependent"); n < 18 {
		t.Errorf("%d of 20 dependent swaps are flagged or noted", n)
	}
	if n := countSwaps(t, "fresh-independent"); n > 0 {
		t.Errorf("%d of 10 independent swaps are flagged or noted", n)
	}
}

// TestSwappedPairs checks how swaps of two calls are judged under the profile outcome.
func TestSwappedPairs(t *testing.T) {
	dependent, independent := countSwaps(t, "dependent"), countSwaps(t, "independent")
	if dependent < 26 || independent > 1 {
		t.Errorf("%d of 30 dependent swaps and %d of 15 independent ones are flagged or noted", dependent, independent)
	}
	if more, apart := countSwaps(t, "more-dependent"), countSwaps(t, "more-independent"); more < 17 || apart > 0 {
		t.Errorf("%d of 18 more dependent swaps and %d of 11 independent ones are flagged or noted", more, apart)
	}
}

// TestMovedInAnotherNotation checks a write that is done at another position and whose value is
// written in another way: it is the same step if its kind says so, a hint if only a judge can
// say, and wrong if the value differs. It is never a missing step and an extra one.
func TestMovedInAnotherNotation(t *testing.T) {
	for _, c := range []struct{ key, observed, reference, want string }{
		{"brightness", `"30%"`, `30`, "clean"},
		{"minutes", `"45 min"`, `45`, "clean"},
		{"level", `"30%"`, `30`, "hint"},
		{"url", `"https://x.org/q?b=2&a=1"`, `"https://x.org/q?a=1&b=2"`, "clean"},
		{"url", `"https://x.org/q?a=2&a=1"`, `"https://x.org/q?a=1&a=2"`, "hint"},
		{"extension", `"30 days"`, `"1 month"`, "hint"},
		{"level", `"30%"`, `40`, "flagged"},
	} {
		trace := fmt.Sprintf(`[{"name":"lock_door","arguments":{"door":"front"},"result":"ok"},{"name":"set_lamp","arguments":{"lamp":"hall",%q:%s},"result":"ok"}]`, c.key, c.observed)
		ref := fmt.Sprintf(`[{"name":"set_lamp","arguments":{"lamp":"hall",%q:%s}},{"name":"lock_door","arguments":{"door":"front"}}]`, c.key, c.reference)
		if got := certaintyOf(t, trace, ref, "outcome"); got != c.want && !(c.want == "clean" && got == "note") {
			t.Errorf("%s %s for %s: %s, want %s", c.key, c.observed, c.reference, got, c.want)
		}
		for _, f := range evaluateTrace(t, trace, ref, "outcome").Trajectories[0].Violations {
			if f.Rule != "wrong-arguments" {
				t.Errorf("%s %s for %s: %s", c.key, c.observed, c.reference, f.Reason)
			}
		}
	}
}

// TestWidePairs checks a third set, of notations that are rarer, under both profiles, and of
// steps whose order has a reason without a value in common. A pair of which only a person
// can say whether it is the same is never certain.
func TestWidePairs(t *testing.T) {
	for _, profile := range []string{"outcome", "sop"} {
		c := judgePairs(t, "wide-equal", profile, "flagged", "hint")
		if c.sumOf("flagged") > 7 || c.sumOf("flagged", "hint") > 14 {
			t.Errorf("%s: too many equal pairs are flagged", profile)
		}
		c = judgePairs(t, "wide-different", profile, "clean", "note", "hint")
		if missed := c.sumOf("clean", "note", "hint"); missed > map[string]int{"outcome": 6, "sop": 3}[profile] { // an other read is excused under outcome
			t.Errorf("%s: %d different pairs are missed", profile, missed)
		}
	}
	for _, r := range readAside(t, "wide-uncertain", " | ", 3) {
		run := evaluateTrace(t, fmt.Sprintf(`[{"name":%q,"arguments":%s,"result":"ok"}]`, r.cells[0], r.cells[1]), fmt.Sprintf(`[{"name":%q,"arguments":%s}]`, r.cells[0], r.cells[2]), "sop").Trajectories[0]
		for i := range run.Violations {
			if run.Violations[i].Confidence > 0.9 {
				t.Errorf("%s: %v", r.text, run.Violations[i].Confidence)
			}
		}
	}
	c := judgePairs(t, "later-equal", "outcome", "flagged", "hint")
	if c.sumOf("flagged") > 5 || c.sumOf("flagged", "hint") > 13 {
		t.Error("too many later pairs are flagged")
	}
	if c = judgePairs(t, "later-different", "sop", "clean", "note", "hint"); c.sumOf("clean", "note", "hint") > 0 {
		t.Error("a later different pair is missed")
	}
	if n, m := countSwaps(t, "later-dependent"), countSwaps(t, "later-independent"); n < 16 || m > 0 {
		t.Errorf("%d of 20 dependent and %d of 10 independent later swaps are flagged or noted", n, m)
	}
	if n := countSwaps(t, "wide-dependent"); n < 36 {
		t.Errorf("%d of 40 dependent swaps are flagged or noted", n)
	}
	if n := countSwaps(t, "wide-independent"); n > 0 {
		t.Errorf("%d of 20 independent swaps are flagged or noted", n)
	}
}

// TestPairsInOtherLanguages checks values in thirteen languages beside English notations.
func TestPairsInOtherLanguages(t *testing.T) {
	for _, profile := range []string{"outcome", "sop"} {
		c := judgePairs(t, "tongues-equal", profile, "flagged", "hint")
		if c.sumOf("flagged") > 0 || c.sumOf("hint") > 3 {
			t.Errorf("%s: too many equal pairs are flagged", profile)
		}
		c = judgePairs(t, "tongues-different", profile, "clean", "note", "hint")
		if c.sumOf("clean", "note") > 0 || c.sumOf("hint") > 1 {
			t.Errorf("%s: too many different pairs are missed", profile)
		}
	}
}

// countSwaps returns how many swaps of a table are flagged or noted.
func countSwaps(t *testing.T, name string) int {
	var c count
	for _, r := range readAside(t, name, " ; ", 2) {
		run := fmt.Sprintf("[%s,%s]", stepAction(t, r.cells[1]), stepAction(t, r.cells[0]))
		what := certaintyOf(t, run, fmt.Sprintf("[%q,%q]", r.cells[0], r.cells[1]), "outcome")
		c.add(&r, what)
		if (what == "clean") != strings.HasSuffix(name, "independent") && (!r.aside || os.Getenv("BOUNDCHECK_ASIDE") != "") {
			t.Logf("%s %s: %s", name, what, r.text)
		}
	}
	t.Logf("%s: %s", name, &c)
	return c.sumOf("flagged", "hint", "note")
}

// TestCallsOfOneMessageHaveNoOrder checks that calls that the agent made together may be in
// any order, and that the same calls in two messages may not.
func TestCallsOfOneMessageHaveNoOrder(t *testing.T) {
	call := func(id, tag string) string {
		return fmt.Sprintf(`{"id":%q,"type":"function","function":{"name":"set_tag","arguments":"{\"post_id\":\"p1\",\"tag\":\"%s\"}"}}`, id, tag)
	}
	result := func(id string) string { return fmt.Sprintf(`{"role":"tool","tool_call_id":%q,"content":"ok"}`, id) }
	ref := `["set_tag(post_id=p1, tag=a)","set_tag(post_id=p1, tag=b)"]`
	together := fmt.Sprintf(`{"messages":[{"role":"assistant","tool_calls":[%s,%s]},%s,%s]}`, call("1", "b"), call("2", "a"), result("1"), result("2"))
	apart := fmt.Sprintf(`{"messages":[{"role":"assistant","tool_calls":[%s]},%s,{"role":"assistant","tool_calls":[%s]},%s]}`, call("1", "b"), result("1"), call("2", "a"), result("2"))
	for _, c := range []struct{ trace, profile, want string }{
		{together, "outcome", "clean"}, {together, "sop", "clean"}, {apart, "outcome", "note"}, {apart, "sop", "flagged"},
	} {
		if got := certaintyOf(t, c.trace, ref, c.profile); got != c.want {
			t.Errorf("%s under %s: %s, want %s", c.trace, c.profile, got, c.want)
		}
	}
	run := evaluateTrace(t, apart, ref, "sop").Trajectories[0]
	if why := run.Violations[0].Reason; !strings.Contains(why, `tag = "b"`) || !strings.Contains(why, `tag = "a"`) {
		t.Errorf("the reason does not tell the two calls apart: %s", why)
	}
}

var keyword = regexp.MustCompile(`(^|, )(\w+)=`)

// stepAction returns a call such as pay(id="p1") as an action of a trace.
func stepAction(t *testing.T, call string) string {
	t.Helper()
	name, arguments, ok := strings.Cut(strings.TrimSuffix(call, ")"), "(")
	if !ok {
		t.Fatalf("no call: %q", call)
	}
	return fmt.Sprintf(`{"name":%q,"arguments":{%s},"result":"ok"}`, strings.TrimSpace(name), keyword.ReplaceAllString(arguments, `$1"$2":`))
}

// TestHintsAloneFlagNothing checks runs whose only differences can be settled by a judge alone.
func TestHintsAloneFlagNothing(t *testing.T) {
	for _, c := range [][3]string{
		{"cabin", `"economy"`, `"Economy"`},
		{"state", `"in_progress"`, `"In progress"`},
		{"start_date", `"03/04/2026"`, `"2026-04-03"`},
		{"phone", `"5550188"`, `"+1 212 555 0188"`},
		{"site", `"shop.example"`, `"https://shop.example"`},
		{"version", `"v2"`, `"2"`},
		{"budget", `"20 USD"`, `"20"`},
	} {
		for _, profile := range []string{"outcome", "sop"} {
			for _, sides := range [][2]string{{c[1], c[2]}, {c[2], c[1]}} {
				trace := `[{"name":"update_booking","arguments":{"id":"b-1","` + c[0] + `":` + sides[0] + `},"result":"ok"}]`
				r := evaluateTrace(t, trace, `[{"name":"update_booking","arguments":{"id":"b-1","`+c[0]+`":`+sides[1]+`}}]`, profile)
				run := &r.Trajectories[0]
				if wrong := incoherentHints(run); wrong != "" || len(run.Violations) == 0 || run.Flagged || run.Passed != nil || run.Verdict != onlyHints {
					t.Errorf("%s: %s for %s under %s: flagged %v, passed %v, %q; %s", c[0], sides[0], sides[1], profile, run.Flagged, run.Passed, run.Verdict, wrong)
				}
			}
		}
	}
}
