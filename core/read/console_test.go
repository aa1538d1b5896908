package read

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// The lines of a console that name calls, each with how many.
var (
	wholeLines = map[string]int{
		`call> find(n=3)`: 1, `-> tool=pay args={"n":1}`: 1, `TOOL pay {"n":1}`: 1, `CALL pay n=1 to="a b"`: 1, `tool: list_bills`: 1, `calling pay(n=1), notify(to="x")`: 2, `CALL pay(n=2) -> done`: 1,
		`tool_call: notify {"to": "a"} => sent`: 1, `action: cancel.order`: 1, `agent   -> find(n=4)`: 1, `pay(n=5)`: 1,
	}
	brokenLines   = []string{`call> pay(n=3`, `-> tool=pay args={"n":`, `TOOL pay {n: }`, `CALL notify(to="x", "y")`, `tool: pay(n=1) and more`}
	unclearLines  = []string{`retry pay(n=4)`, `skipped: notify(to="x")`, `call find_order the red one`, `TOOL pay the bill`, `actual tools: something else`}
	noiseLines    = []string{`calling the customer back`, `loaded 3 tools`, `user: call me back`, `agent: I will pay (soon).`, `tool ok`, `tool: none`, `ok: done`, `latency 12 ms (p95)`}
	unreadWanted  = []string{`expected tools: pay the bill`, `expected: pay(n=`, `wanted calls: find and pay`}
	readWanted    = []string{`expected: find(n=3)`, `expected tools: none`, `expected tools: find, pay`, `expected answer: 12 euros`}
	consoleStamps = []string{"", "2026-03-14T02:01:00Z ", "[09:14:02] ", "2026-03-08 07:00:01,120 INFO  "}
)

// TestEachLineIsACall draws logs of a console, and checks that each line which names a call is one call of
// its run, or that the run is doubtful; and that an expected side which cannot be read is said.
func TestEachLineIsACall(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 82))
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	whole := slices.Sorted(maps.Keys(wholeLines))
	for n := range drawn.Cases(300) {
		type run struct {
			lines                   []string
			calls, unclear, unreads int
		}
		runs := make([]run, 2+r.IntN(2))
		for i := range runs {
			one := &runs[i]
			add := func(line string, calls int) { one.lines, one.calls = append(one.lines, line), one.calls+calls }
			for range 2 + r.IntN(3) {
				line := pick(whole)
				add(line, wholeLines[line])
			}
			if r.IntN(3) == 0 {
				add(pick(brokenLines), 1)
			}
			if r.IntN(3) == 0 {
				add(pick(unclearLines), 0)
				one.unclear++
			}
			add(pick(noiseLines), 0)
			r.Shuffle(len(one.lines), func(a, b int) { one.lines[a], one.lines[b] = one.lines[b], one.lines[a] })
			switch r.IntN(3) {
			case 0:
				add(pick(unreadWanted), 0)
				one.unreads++
			case 1:
				add(pick(readWanted), 0)
			}
		}
		var b strings.Builder
		stamp, marked := pick(consoleStamps), r.IntN(2) == 0
		if marked {
			mark := pick([]string{"[run=r%d] ", "run_id=r%d ", "(session: r%d) ", "[trace r%d] "})
			at := make([]int, len(runs))
			for i := range runs {
				runs[i].lines = append(append([]string{pick([]string{`START task="do it"`, "START"})}, runs[i].lines...), "END PASS 1.9s")
			}
			for left := true; left; { // in turns
				left = false
				for i := range runs {
					for range r.IntN(3) {
						if at[i] < len(runs[i].lines) {
							fmt.Fprintf(&b, "%s"+mark+"%s\n", stamp, i, runs[i].lines[at[i]])
							at[i]++
						}
					}
					left = left || at[i] < len(runs[i].lines)
				}
			}
		} else {
			for i := range runs {
				fmt.Fprintf(&b, "%s== case r%d\n%s%s\n%sverdict: PASS\n", stamp, i, stamp, strings.Join(runs[i].lines, "\n"+stamp), stamp)
			}
		}
		text := b.String()
		doc, err := Decode([]byte(text))
		if err != nil {
			continue // it is refused
		}
		if len(doc.Trajectories) != len(runs) {
			t.Fatalf("%d: %d runs, want %d\n%s", n, len(doc.Trajectories), len(runs), text)
		}
		at := map[string]int{}
		for i := range doc.Trajectories {
			at[doc.Trajectories[i].ID] = i
		}
		for i, want := range runs {
			got := &doc.Trajectories[at[fmt.Sprintf("r%d", i)]]
			if len(got.Actions) != want.calls {
				t.Fatalf("%d: run %d has %d calls, want %d\n%s\n%+v", n, i, len(got.Actions), want.calls, text, got.Actions)
			}
			if want.unclear+want.unreads > 0 && got.Doubt == "" {
				t.Fatalf("%d: a line of run %d was not read, and nothing says so\n%s\n%+v", n, i, text, doc.Warnings)
			}
			if got.Success == nil || !*got.Success {
				t.Fatalf("%d: run %d has no outcome\n%s", n, i, text)
			}
		}
	}
}
