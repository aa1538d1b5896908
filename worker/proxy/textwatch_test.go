package proxy

import (
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestWatcherMissesNothing checks random texts in random pieces. No part of a call may be
// released before the end of the call is known. The released text must contain no call.
func TestWatcherMissesNothing(t *testing.T) {
	parts := []string{"<tool_call>", "{\"name\": \"x\", \"arguments\": {}}", "</tool_call>", "Action:", "Action: x\n", "Action Input: {}", "\n", " ", "<tool", "_call>", "<function=f>", "{}", "</function>",
		"[TOOL_CALLS]", "```json\n", "```", "Thought: a", "words", "`", "**Action:** y", "1", "<", "{", "\"tool\": \"x\"", "}", "<invoke name=\"x\">", "</invoke>", "<\uff5ctool\u2581calls\u2581begin\uff5c>", " to=functions.x", "to=", "functions.x", "{\"a\": 1}", "{\"action\": \"y\", ", "\"action_input\": 1}", "{'x", "[", "```js\n", "\"", "{ ", "{\"tool_calls\": [{\"name\": \"z\"}]}", strings.Repeat("long ", 30)}
	r := rand.New(rand.NewPCG(1, 2))
	found := 0
	total := drawn.Cases(12_000)
	for range total {
		words := ""
		for range 1 + r.IntN(9) {
			words += parts[r.IntN(len(parts))]
		}
		w, let, kept := watcher{}, "", ""
		for rest := words; rest != ""; {
			n := min(len(rest), 1+r.IntN(1+r.IntN(24)))
			kept += rest[:n]
			if !w.mustHoldBack(rest[:n]) {
				let, kept = let+kept, ""
			}
			rest = rest[n:]
		}
		calls := textCalls(words)
		if found += len(calls); len(calls) > 0 && (kept == "" || strings.Trim(let[min(len(let), textStart(words)):], " \n\t*_#>-0123456789AactTo`") != "") {
			t.Fatalf("%q: %d calls, and %q was let go", words, len(calls), let)
		}
		if n := len(textCalls(let)); n > 0 {
			t.Fatalf("%q holds %d calls and was let go", let, n)
		}
	}
	if found < total/12 {
		t.Errorf("%d calls only: the test shows little", found)
	}
}

// TestObjectsMissNothing checks that textCalls finds a call in every text that contains a
// JSON object with a name and arguments in any place.
func TestObjectsMissNothing(t *testing.T) {
	parts := []string{"{", "}", "{\"", "\"", "\"}", "\\", "\\\"", ":", ",", "'", "[", "]", " ", "\n", "```", "```json\n", "a", "{\"a\": ", "{\"a\": 1}", "{'a': 1}",
		"\"name\": \"x\"", "\"name\": 1", "\"args\": {}", "\"input\": {\"b\": 2}", "{\"name\": \"x\", \"args\": {}}", "{\"name\": \"x\", \"input\": 1, \"b\": 3}", "\"tool_calls\": [", "\"function\": "}
	r := rand.New(rand.NewPCG(3, 4))
	found := 0
	for range 200_000 {
		words := ""
		for range 1 + r.IntN(8) {
			words += parts[r.IntN(len(parts))]
		}
		if !holdsCall(words) {
			continue
		}
		if found++; len(textCalls(words)) == 0 {
			t.Fatalf("%q holds a call", words)
		}
	}
	if found < 5000 {
		t.Errorf("%d calls only: the test shows little", found)
	}
}

// holdsCall reports whether any part of a text is a call in JSON. O(n³).
func holdsCall(words string) bool {
	for i := range len(words) {
		for j := i + 1; words[i] == '{' && j < len(words); j++ {
			if words[j] != '}' {
				continue
			}
			if v, err := jsonval.Parse(words[i : j+1]); err == nil && callShaped(v) {
				return true
			}
		}
	}
	return false
}

// TestObjectsAreNotCopied checks that the time for a text with many objects is not
// quadratic. The rest of the text must not be copied for each object.
func TestObjectsAreNotCopied(t *testing.T) {
	text := strings.Repeat("{\"a\":1} ", 10_000)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	textCalls(text)
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > uint64(200*len(text)) {
		t.Errorf("%d bytes for a text of %d", n, len(text))
	}
}

// BenchmarkWatcher measures the time per byte for a long and a short text of objects. The
// metric times-short is the time for the long text divided by the time for the short
// text. It is near 1 if the time is linear.
func BenchmarkWatcher(b *testing.B) {
	each := func(n int) float64 {
		text := strings.Repeat("{\"a\":1} ", n)
		start := time.Now()
		for _, piece := range []string{text, "{", strings.Repeat(" ", n), "}"} {
			var w watcher
			w.mustHoldBack(piece)
		}
		textCalls(text)
		return float64(time.Since(start)) / float64(len(text))
	}
	var short, long float64
	for b.Loop() {
		short += each(1_000)
		long += each(30_000)
	}
	b.ReportMetric(long/short, "times-short")
}

// FuzzTextCalls checks that no text makes the readers panic. Each call that they find
// must have a name, arguments and an id.
func FuzzTextCalls(f *testing.F) {
	for _, s := range []string{"<tool_call>{\"name\":\"x\",\"arguments\":{}}</tool_call>", "Action: x\nAction Input: y", "[TOOL_CALLS]x[ARGS]{}", "<function=x><parameter=a>b</parameter></function>", "{\"tool_calls\":[{\"name\":\"a\"}]}", "a ```json\n{\"action\":\"x\",\"args\":{}}\n``` b", "{\"a\":1}{'name'", "{\"\\u006eame\":1,"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, words string) {
		for _, c := range textCalls(words) {
			if c.Name == "" || c.Text == "" || c.ID == "" || c.Kind != kindText {
				t.Errorf("%q: %+v", words, c)
			}
		}
	})
}
