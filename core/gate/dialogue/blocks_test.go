package dialogue

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/similarity"
)

func TestBlocks(t *testing.T) {
	check := func(roles string, want ...int) {
		t.Helper()
		var all []Said
		for _, r := range strings.Fields(roles) {
			all = append(all, Said{Role: map[string]string{"u": "user", "a": "assistant", "t": "tool"}[r]})
		}
		if got := Blocks(all); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", roles, got, want)
		}
	}
	check("")
	check("u a t a u a", 0, 4)
	check("a u a u", 0, 1, 3)
	check("u u u", 0, 1, 2)
}

// TestSummary checks that a summary consists of the block's own words, shows or counts
// every call, and stays short.
func TestSummary(t *testing.T) {
	got := Summary([]Said{
		{Role: "user", Text: "Cancel   order\n#W1, please"},
		{Role: "assistant", Text: "Let me look.", Calls: []Called{{"get_order", `{"id":"#W1"}`}}},
		{Role: "tool", Text: strings.Repeat("x", 500)},
		{Role: "assistant", Text: "It is cancelled."},
	})
	want := "user: Cancel order #W1, please\n  call: get_order {\"id\":\"#W1\"}\n  result: " + strings.Repeat("x", keepResult) + " [...]\nassistant: It is cancelled.\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	var many []Said
	for i := range 200 {
		many = append(many, Said{Role: "assistant", Calls: []Called{{fmt.Sprintf("call_%d", i), strings.Repeat("y", 1000)}}}, Said{Role: "tool", Text: strings.Repeat("z", 1000)})
	}
	if got := Summary(many); len(got) > 6000 || !strings.Contains(got, "and 188 more calls") {
		t.Errorf("%d bytes: %s", len(got), got)
	}
}

func TestRelevant(t *testing.T) {
	summaries := []string{"flight to Boston", "baggage fee", "cancel order W1", "weather", "order W1 refund"}
	check := func(query string, n int, want ...int) {
		t.Helper()
		if got := Relevant(query, summaries, n, similarity.Texts{}); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%q %d: %v, want %v", query, n, got, want)
		}
	}
	check("refund order W1", 2, 2, 4)
	check("refund order W1", 1, 4)
	check("nothing of it", 2, 3, 4) // equally similar: the later ones
	check("x", 0)
	check("x", -1)
	if got := Relevant("x", make([]string, 100), 99, similarity.Texts{}); len(got) != MaxBlocks {
		t.Errorf("%d blocks", len(got))
	}
}

func TestDigested(t *testing.T) {
	s := []string{"one\n", "two\n", "three\n", "four\n"}
	check := func(budget int, chosen []int, has, hasNot string) {
		t.Helper()
		got := Digested(s, chosen, budget)
		if !strings.Contains(got, has) || hasNot != "" && strings.Contains(got, hasNot) {
			t.Errorf("%s", got)
		}
	}
	check(100, []int{0, 2}, "2 of 4", "")
	check(100, []int{0, 2}, "[part 1]\none\n[part 3]\nthree\n", "two")
	check(6, []int{0, 2}, "[part 3]\nthree\n", "one")
	check(0, []int{0, 2}, "1 of 4", "one")
}

func TestThought(t *testing.T) {
	for style, want := range map[string]string{Think: "<think>\na\nb\n</think>", React: "Thought: a b", "": "a\nb\n"} {
		if got := Thought(style, "a\nb\n"); got != want {
			t.Errorf("%s: %q", style, got)
		}
	}
}
