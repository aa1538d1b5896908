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
		`-> find(n=6)      ok      118 ms`: 1, `-> pay(n=6)   ERROR  no money`: 1, `x  pay(n=7)   BLOCKED by policy, not run`: 1,
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

// TestLinesBeginWithTheirCase draws logs whose lines begin with the id of their case, in turns, and logs of pairs,
// and checks that each call is one of its case, and that each case has its outcome.
func TestLinesBeginWithTheirCase(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 84))
	forms := []struct{ begin, call, result, end string }{
		{`case   [%s] prompt: "do it"`, `tool   [%s] call pay({"n": %d})`, `tool   [%s] result pay -> {"ok": true}`, `case   [%s] PASSED in 4.1s`},
		{`---- case %s: "do it" ----`, `CALL  %s pay({"n": %d})`, `RET   %s pay -> {"ok": true}`, `INFO  %s PASS (1.1 s model time)`},
		{`run=%s event=start prompt="do it = now"`, `run=%s event=tool tool=pay args={"n":%d,"to":"a b"} status=ok`, `run=%s event=note text="went on"`, `run=%s event=end outcome=passed`},
	}
	for n := range drawn.Cases(100) {
		form := forms[r.IntN(len(forms))]
		lines, want := [][]string{}, map[string]int{}
		for i := range 2 + r.IntN(3) {
			id := fmt.Sprintf("c-%d", i)
			one := []string{fmt.Sprintf(form.begin, id)}
			for k := range r.IntN(3) + 1 - min(i, 1) {
				one = append(one, fmt.Sprintf(form.call, id, k), fmt.Sprintf(form.result, id))
				want[id]++
			}
			lines = append(lines, append(one, fmt.Sprintf(form.end, id)))
		}
		var b strings.Builder
		for left := true; left; { // in turns
			left = false
			for i := range lines {
				if take := min(len(lines[i]), 1+r.IntN(3)); take > 0 {
					b.WriteString("2026-03-02 08:00:01 INFO  " + strings.Join(lines[i][:take], "\n2026-03-02 08:00:02 INFO  ") + "\n")
					lines[i], left = lines[i][take:], true
				}
			}
		}
		doc, err := Decode([]byte(b.String()))
		if err != nil || len(doc.Trajectories) != len(lines) {
			t.Fatalf("%d: %v, want %d runs\n%s", n, err, len(lines), b.String())
		}
		for i := range doc.Trajectories {
			got := &doc.Trajectories[i]
			if len(got.Actions) != want[got.ID] || got.Success == nil || !*got.Success {
				t.Fatalf("%d: run %s has %d calls, want %d\n%s", n, got.ID, len(got.Actions), want[got.ID], b.String())
			}
		}
	}
}

// TestConsoleOfOtherLanguages reads a transcript in Italian as one in English.
func TestConsoleOfOtherLanguages(t *testing.T) {
	doc, err := Decode([]byte("=== Conversazione t-1 ===\nUtente: Due posti.\nAgente chiama: cerca(n=2)\nStrumento risponde: {\"posti\": 11}\nAgente: Fatto.\nChiamate attese: cerca, prenota\nEsito: non superato\n\n=== Conversazione t-2 ===\nUtente: Ciao.\nAgente: Salve.\nChiamate attese: nessuna\nEsito: superato\n"))
	if err != nil || len(doc.Trajectories) != 2 || len(doc.Trajectories[0].Actions) != 1 || len(doc.Trajectories[1].Actions) != 0 {
		t.Fatal(err, doc)
	}
	if a := doc.Trajectories[0]; len(a.Reference.Steps) != 2 || a.Success == nil || *a.Success {
		t.Errorf("%+v", a)
	}
}

// TestTranscripts writes drawn runs as a transcript with heads of one or two words in a drawn spelling, and with a
// heading and a verdict for each run. Each run has its calls with their arguments and results, and its outcome.
func TestTranscripts(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 84))
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	for range drawn.Cases(200) {
		call, result := pick("TOOL CALL", "Tool call", "tool_call", "FUNCTION CALL", "Function call"), pick("TOOL RESULT", "Tool response", "tool_result", "FUNCTION OUTPUT", "Result")
		heading, verdict := pick("=== RUN %d (seed 7) ===", "--- Run %d ---", "## Run %d"), pick("OUTCOME", "Verdict")
		text, want := "", ""
		for i := range 2 + r.IntN(3) {
			text += fmt.Sprintf(heading+"\nUSER: Look after lot %d\n", i+1, i)
			want += fmt.Sprint(i+1, ":")
			for k := range r.IntN(3) + 1 - min(i, 1) {
				text += fmt.Sprintf("%s: get_thing(n=%d, kind='a b')\n", call, k)
				answer := pick(`{"lot": 7, "free": true}`, "seven", "Error: upstream timed out")
				text += result + ": " + answer + "\n"
				want += fmt.Sprintf(` get_thing{"n":%d,"kind":"a b"}%v`, k, strings.HasPrefix(answer, "Error"))
			}
			end := pick("success", "failure")
			text += "ASSISTANT: Done.\n" + verdict + ": " + end + "\n\n"
			want += " " + end + "\n"
		}
		doc, err := Decode([]byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		got := ""
		for _, run := range doc.Trajectories {
			got += run.Task + ":"
			for _, a := range run.Actions {
				got += " " + a.Name + a.Arguments.Raw() + fmt.Sprint(a.Observation != nil && a.Observation.Error)
			}
			if run.Success != nil {
				got += map[bool]string{true: " success", false: " failure"}[*run.Success]
			}
			got += "\n"
		}
		if got = strings.ReplaceAll(got, "run ", ""); got != want {
			t.Fatalf("%s\ngot\n%swant\n%s", text, got, want)
		}
	}
}
