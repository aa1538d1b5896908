package batch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/study/lines"
	"github.com/boundcheck/boundcheck/core/study/tally"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/faults"
	"github.com/boundcheck/boundcheck/internal/stream"
)

func readElements(t *testing.T) (all []string) {
	t.Helper()
	text, err := os.ReadFile("../../testdata/traces/tau-bench.json")
	var list []any
	if err != nil || json.Unmarshal(text, &list) != nil || len(list) < 3 {
		t.Fatal("no rows in the τ-bench example", err)
	}
	for _, row := range list {
		text, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(text))
	}
	return all
}

// inParts scores a file in parts and returns its rows and figures. The parameter places
// contains the byte offsets at which the file is cut. A line belongs to the part in which
// it begins.
func inParts(t *testing.T, file string, places []int) (string, string) {
	t.Helper()
	rows, order := scoreInParts(t, file, places)
	last, err := order.Summary()
	if err != nil {
		t.Fatal(err)
	}
	return rows, string(last)
}

// shared scores the lines of all files of these tests, as one isolate does.
var shared lines.Scorer

// scoreInParts scores a file in parts and returns the rows, and the Order after all
// parts. The parameter places contains the byte offsets at which the file is cut.
func scoreInParts(t *testing.T, file string, places []int) (string, *Order) {
	t.Helper()
	type part struct{ index, tails []byte }
	var parts []part
	var starts []int
	places = append(places, len(file))
	for i, from := 0, 0; i < len(places); from, i = places[i], i+1 {
		begins := func(at int) bool { return at == 0 || file[at-1] == '\n' }
		first, last := from, places[i]
		for first < last && !begins(first) {
			first++
		}
		for last > first && last < len(file) && !begins(last) {
			last++
		}
		p := NewPart(&shared, File{"runs.jsonl", int64(len(file)), len(places)}, i)
		text := strings.TrimSuffix(file[first:last], "\n")
		var tails []byte
		if first < last {
			// A line at a time, or all at once.
			line := 1
			for _, chunk := range map[bool][]string{true: {text}, false: strings.Split(text, "\n")}[i%2 == 0] {
				tails = append(tails, p.Add([]byte(chunk), line)...)
				line += strings.Count(chunk, "\n") + 1
			}
		}
		n := 0
		for at := first; at < last; at++ {
			if begins(at) {
				n++
			}
		}
		parts = append(parts, part{p.Index(n), tails})
		starts = append(starts, n)
	}
	var order Order
	var out []byte
	base := 0
	for i, p := range parts {
		ids, err := order.Add(p.index)
		if err != nil {
			t.Fatal(err)
		}
		r, err := NewRows("runs.jsonl", base, p.index, ids, p.tails)
		if err != nil {
			t.Fatal(err)
		}
		for text := r.Next(100); len(text) > 0; text = r.Next(100) {
			out = append(out, text...)
		}
		base += starts[i]
	}
	return string(out), &order
}

// TestPartsMakeOneReport checks that the rows and figures of a file do not depend on
// where it is cut into parts. The figures must equal those of one report over the whole
// file.
func TestPartsMakeOneReport(t *testing.T) {
	one := `{"trace":[{"name":"get_a"},{"name":"delete_b"}],"reference":["get_a"]}`
	good := slices.Concat(readElements(t), readElements(t), []string{one, one}, readElements(t))
	whole, err := core.Evaluate(core.Request{Inputs: []core.Source{{Data: []byte("[" + strings.Join(slices.Concat(readElements(t), readElements(t), readElements(t)), ",") + "]")}}})
	if err != nil {
		t.Fatal(err)
	}
	rowsAlone, corpus := inParts(t, strings.Join(slices.Concat(readElements(t), readElements(t), readElements(t)), "\n"), []int{100, 2000})
	if want := `{"corpus":` + strings.TrimSpace(string(wire.Marshal(whole.Corpus))) + `,"schema":`; !strings.HasPrefix(corpus, want) {
		t.Errorf("figures\n%s\nwant\n%s", corpus, want)
	}
	if n := strings.Count(rowsAlone, "\n"); n != len(whole.Trajectories) {
		t.Errorf("%d rows of %d runs", n, len(whole.Trajectories))
	}

	two := `{"simulations":[{"task_id":"1","messages":[]},{"task_id":"2","messages":[]}],"tasks":[]}`
	mixed := "\xef\xbb\xbf" + strings.Join(slices.Concat(good, []string{"", "nonsense", `  {"broken`, two, "  ", `{"a":1}`}, good, []string{two}), "\r\n")
	wantRows, wantCorpus := inParts(t, mixed, nil)
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		places := make([]int, random.IntN(8))
		for i := range places {
			places[i] = random.IntN(len(mixed))
		}
		slices.Sort(places)
		gotRows, gotCorpus := inParts(t, mixed, places)
		if gotRows != wantRows || gotCorpus != wantCorpus {
			t.Fatalf("cut at %d, the rows or the figures differ", places)
		}
	}
	var ids, at []string
	for text := range strings.Lines(wantRows) {
		var row struct {
			ID    string
			Line  int
			Error *wire.Error
		}
		if err := json.Unmarshal([]byte(text), &row); err != nil {
			t.Fatal(err)
		}
		if row.Error != nil {
			row.ID = row.Error.Code
			if row.Error.Line > 0 && row.Error.Line != row.Line {
				t.Errorf("an error of line %d in line %d", row.Error.Line, row.Line)
			}
		}
		ids, at = append(ids, row.ID), append(at, fmt.Sprint(row.Line))
	}
	if len(slices.Compact(slices.Sorted(slices.Values(at)))) < len(good)*2 || !slices.Contains(ids, "1#2") || !slices.Contains(ids, "invalid-input") {
		t.Errorf("%q at lines %q", ids, at)
	}
}

// mergePartials returns the last line that the command "merge" prints for partial
// results. It also returns the data that the command "study" gets from each of their
// shards.
func mergePartials(t *testing.T, partials ...[]byte) (string, [][]byte) {
	t.Helper()
	var set tally.Set
	for i, text := range partials {
		if err := set.Read(fmt.Sprint("part ", i), bytes.NewReader(text), int64(len(text))); err != nil {
			t.Fatal(err)
		}
	}
	last, err := set.Finish(0)
	if err != nil {
		t.Fatal(err)
	}
	var studied [][]byte
	if _, err := set.Join(func(_ string, _ int, extra []byte) error {
		studied = append(studied, bytes.Clone(extra))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return string(wire.Marshal(last)), studied
}

// TestPartialIsTheCommands checks that the partial result of a batch has the same data as
// the partial results that the command writes. Both cut the file at the same places.
func TestPartialIsTheCommands(t *testing.T) {
	runs := readElements(t)
	t.Chdir(t.TempDir()) // the name of the file is in the partial result
	one := `{"trace":[{"name":"get_a"},{"name":"delete_b"}],"reference":["get_a"]}`
	two := `{"simulations":[{"task_id":"1","messages":[]},{"task_id":"2","messages":[]}],"tasks":[]}`
	file := strings.Join(slices.Concat(runs, []string{one, "", "nonsense", two}, runs, []string{`{"broken`, one, ""}), "\r\n")
	if err := os.WriteFile("runs.jsonl", []byte(file), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1, 2, 7} {
		var places []int
		var shards [][]byte
		for i := range n {
			if i > 0 {
				places = append(places, len(file)/n*i+len(file)%n*i/n)
			}
			o := stream.Options{Files: []string{"runs.jsonl"}, Profile: "auto", Partial: fmt.Sprint("part-", i), Shard: stream.Shard{Index: i, Of: n}}
			if _, err := stream.Run(o, strings.NewReader(""), io.Discard, io.Discard); err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(o.Partial)
			if err != nil {
				t.Fatal(err)
			}
			shards = append(shards, text)
		}
		_, order := scoreInParts(t, file, places)
		partial, err := order.Partial()
		if err != nil {
			t.Fatal(err)
		}
		got, gotStudied := mergePartials(t, partial)
		want, wantStudied := mergePartials(t, shards...)
		if got != want {
			t.Errorf("%d parts: figures\n%s\nwant\n%s", n, got, want)
		}
		if !slices.EqualFunc(gotStudied, wantStudied, bytes.Equal) || len(gotStudied) != n {
			t.Errorf("%d parts: data for study\n%q\nwant\n%q", n, gotStudied, wantStudied)
		}
	}
}

func TestResultsAreBounded(t *testing.T) {
	big := `[{"name":"get_a","arguments":{"x":"` + strings.Repeat("y", 10_000) + `"}}]`
	text := []byte(strings.Join([]string{`[{"name":"get_b"}]`, big, strings.Repeat("x", LineLimit+1)}, "\n"))
	p := NewPart(&lines.Scorer{}, File{"-", 1, 1}, 0)
	p.limit = 8_000
	tails := p.Add(text, 1)
	index := p.Index(3)
	var order Order
	ids, err := order.Add(index)
	elements, faults := p.Counts()
	if err != nil || elements != 3 || faults != 1 {
		t.Fatalf("%d elements, %d faults, %v", elements, faults, err)
	}
	r, err := NewRows("-", 0, index, ids, tails)
	if err != nil {
		t.Fatal(err)
	}
	out := r.Next(1 << 30)
	if bytes.Count(out, []byte(wire.CodeTooLarge)) != 2 || bytes.Count(out, []byte("\n")) != 3 {
		t.Errorf("%.300q", out)
	}
	var s tally.Summary
	last, err := order.Summary()
	if err != nil || json.Unmarshal(last, &s) != nil || s.Corpus.N != 2 || s.Corpus.Lengths.Observed != 1 || s.Errors != 1 {
		t.Errorf("%d runs of %v steps are counted, want all", s.Corpus.N, s.Corpus.Lengths.Observed)
	}
}

// TestOneRunIsRefused checks that a file whose lines are events of one run is refused, as
// the command refuses it.
func TestOneRunIsRefused(t *testing.T) {
	p := NewPart(&lines.Scorer{}, File{"-", 1, 1}, 0)
	p.Add([]byte(`{"role":"user","content":"cancel it"}
{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"get_order","arguments":"{}"}}]}
{"role":"tool","tool_call_id":"1","content":"done"}`), 1)
	var order Order
	if _, err := order.Add(p.Index(3)); err != ErrOneRun {
		t.Error(err)
	}
}

// TestBlankLines checks that a file of blank lines has one row, which is an error, and
// that the summary counts this row.
func TestBlankLines(t *testing.T) {
	var order Order
	for i := range 2 {
		p := NewPart(&lines.Scorer{}, File{"-", 4, 2}, i)
		if tails := p.Add([]byte(" \n"), 1); len(tails) > 0 {
			t.Errorf("%q", tails)
		}
		if ids, err := order.Add(p.Index(1)); err != nil || string(ids) != "[]\n" {
			t.Errorf("%q, %v", ids, err)
		}
	}
	var s tally.Summary
	last, err := order.Summary()
	if err != nil || json.Unmarshal(last, &s) != nil || s.Elements != 1 || s.Errors != 1 {
		t.Errorf("%s, %v", last, err)
	}
	if got, want := string(Empty("-", 2)), `{"error":{"code":"invalid-input","message":"the input is empty. Give one trajectory on each line, or a list of trajectories"},"file":"-","line":3}`+"\n"; got != want {
		t.Errorf("%s", got)
	}
}

func TestPartsThatDoNotFit(t *testing.T) {
	p := NewPart(&lines.Scorer{}, File{"-", 1, 1}, 0)
	tails := p.Add([]byte(readElements(t)[0]), 1)
	index := p.Index(3)
	for _, ids := range []string{`[]`, `["a","b"]`, `{}`} {
		if _, err := NewRows("-", 0, index, []byte(ids), tails); err == nil {
			t.Errorf("%s was taken", ids)
		}
	}
	var order Order
	if _, err := order.Add([]byte("nonsense")); err == nil {
		t.Error("nonsense was taken")
	}
	two := NewPart(&lines.Scorer{}, File{"-", 1, 2}, 0)
	if _, err := order.Add(two.Index(0)); err != nil {
		t.Error(err)
	}
	if _, err := order.Summary(); err == nil || !strings.Contains(err.Error(), "missing") {
		t.Errorf("a part is missing: %v", err)
	}
}

// TestBrokenRunInABatch checks a line whose only run, or one of whose runs, panics while it
// is scored. The batch has the other runs, and an error for the line.
func TestBrokenRunInABatch(t *testing.T) {
	defer faults.Cause(func(id string) bool { return id == "b" })()
	run := func(id string) string { return `{"id":"` + id + `","actions":[{"name":"pay"}]}` }
	several := `{"trajectories":[` + run("a") + "," + run("b") + "," + run("c") + `]}`
	file := strings.Join([]string{run("a"), run("b"), several, run("c")}, "\n")
	want := []string{`{"id":"a"`, `{"error":{"code":"internal"`, `{"id":"a#2"`, `{"id":"c"`, `{"error":{"code":"internal"`, `{"id":"c#2"`}
	for cut := range len(file) {
		rows, last := inParts(t, file, []int{cut})
		got := strings.Split(strings.TrimSuffix(rows, "\n"), "\n")
		if len(got) != len(want) || !strings.Contains(last, `"n":4,`) || !strings.Contains(last, `"errors":2`) {
			t.Fatalf("cut at %d:\n%s%s", cut, rows, last)
		}
		for i := range want {
			if !strings.HasPrefix(got[i], want[i]) {
				t.Fatalf("cut at %d, row %d: %s, want %s", cut, i, got[i], want[i])
			}
		}
	}
}
