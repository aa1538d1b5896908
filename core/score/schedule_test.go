package score

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/base/concurrent"
	"github.com/boundcheck/boundcheck/core/stage/checker"
	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/recordings"
)

// manyRuns returns a trace of n runs. They have warnings, shared references and
// different tasks.
func manyRuns(n int) []byte {
	var b strings.Builder
	b.WriteString(`{"trajectories":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		var calls []string
		for k := range 6 + i%5 {
			calls = append(calls, fmt.Sprintf(`{"name":%q,"arguments":{"id":%d,"items":"['a', 'b%d']"},"observation":"ok"}`, []string{"get_order", "cancel_order", "delete_item", "remove_from_cart"}[k%4], i%7, k))
		}
		fmt.Fprintf(&b, `{"id":"r%d","task":"t%d","trial":%d,"success":%v,"actions":[%s],"reference":[{"name":"get_order","arguments":{"id":%d,"items":["a","b0"]}},{"name":"cancelOrder","arguments":{"id":%d}}]}`,
			i, i%11, i/11, i%3 == 0, strings.Join(calls, ","), i%7, i%7)
	}
	b.WriteString("]}")
	return []byte(b.String())
}

func evaluateText(t *testing.T, r Request) []byte {
	t.Helper()
	report, err := Evaluate(r)
	if err != nil {
		return []byte(err.Error())
	}
	text, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestCores evaluates large inputs many times, which takes seconds. It checks that the
// report does not depend on the number of goroutines: 2, 3 or 7 in turn, and with
// BOUNDCHECK_LONG=1 each of them.
func TestCores(t *testing.T) {
	vocabulary := &boundary.Vocabulary{Aliases: [][]string{{"cancelOrder", "delete_item"}}}
	inputs := map[string]Request{
		"many runs":  {Inputs: []Source{{Data: manyRuns(300)}}},
		"lint":       {Inputs: []Source{{Data: manyRuns(40)}}, Options: Options{Unreferenced: true}},
		"consensus":  {Inputs: []Source{{Data: manyRuns(40)}}, Options: Options{Consensus: 0.5}},
		"vocabulary": {Inputs: []Source{{Data: manyRuns(300)}}, Options: Options{Vocabulary: vocabulary}},
		"two files":  {Inputs: []Source{{Name: "a", Data: manyRuns(90)}, {Name: "b", Data: manyRuns(220)}}, Options: Options{Params: Params{}}},
		"checker":    {Inputs: []Source{{Data: manyRuns(300)}}, Options: Options{Checkers: []checker.Checker{failEach{}}}},
	}
	for _, pattern := range []string{"../../testdata/traces/*", "../../testdata/cases/*"} {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			if data, err := os.ReadFile(file); err == nil {
				inputs[file] = Request{Inputs: []Source{{Name: file, Data: data}}}
			}
		}
	}
	for n, name := range slices.Sorted(maps.Keys(inputs)) {
		request := inputs[name]
		want := evaluateText(t, request)
		for k, cores := range []int{2, 3, 7} {
			if !drawn.InShare(n+k, 3) {
				continue
			}
			request.Options.Cores = cores
			if got := evaluateText(t, request); !bytes.Equal(got, want) {
				t.Errorf("%s: another report with %d cores", name, cores)
			}
		}
	}
}

// TestCoresOnRecordedRuns scores recorded runs twice, which takes seconds. It checks that the
// report on the small files does not depend on the number of goroutines: with and without
// references in turn, and with BOUNDCHECK_LONG=1 all files in both ways.
func TestCoresOnRecordedRuns(t *testing.T) {
	for n, file := range recordings.Small(t, recordings.Glob(t, "tau-bench/*.json", "tau2/*.json", "webarena/*.json*", "swe-bench/*.json*", "theagentcompany/*.jsonl", "osworld/*.jsonl")) {
		data := recordings.Read(t, file)
		for k, alone := range []bool{false, true} {
			if !drawn.InShare(n+k, 2) {
				continue
			}
			request := Request{Inputs: []Source{{Data: data}}, Options: Options{Unreferenced: alone}}
			want := evaluateText(t, request)
			request.Options.Cores = 4
			if got := evaluateText(t, request); !bytes.Equal(got, want) {
				t.Errorf("%s, without references %v: another report with 4 cores", file, alone)
			}
		}
	}
}

// failEach is a checker that refuses every run and counts nothing.
type failEach struct{}

func (failEach) Applies(string, []string) (string, bool) { return "none", true }
func (failEach) About() checker.About                    { return checker.About{Name: "refuse"} }
func (failEach) Check(c *checker.Case) (checker.Verdict, error) {
	return checker.Verdict{}, fmt.Errorf("task %s", c.Task)
}

// TestSchedule checks that each run is in one group, that the runs of a task are in the
// same group, and that there are as many workers as the work is worth.
func TestSchedule(t *testing.T) {
	for _, n := range []int{0, 1, 2, 40, 300} {
		for _, cores := range []int{-1, 0, 1, 2, 3, 4} {
			e := newEvaluator(Request{}, nil)
			if err := e.readAll([]Source{{Data: manyRuns(n)}}); err != nil && n > 0 {
				t.Fatal(err)
			}
			s := e.newSchedule(cores)
			in := make([]int, n)
			groupOf := map[string]int{}
			for k, runs := range s.groups {
				if !slices.IsSorted(runs) {
					t.Errorf("the runs of a group are not in order: %v", runs)
				}
				for _, i := range runs {
					in[i]++
					if other, ok := groupOf[e.runs[i].Task]; ok && other != k {
						t.Errorf("%d runs for %d cores: a task is in two groups", n, cores)
					}
					groupOf[e.runs[i].Task] = k
				}
			}
			if slices.ContainsFunc(in, func(n int) bool { return n != 1 }) {
				t.Errorf("%d runs for %d cores: the groups contain the runs %v times", n, cores, in)
			}
			want := 1 // the actions of 40 runs are too few for a second worker
			if n == 300 && concurrent.Possible {
				want = max(cores, 1)
			}
			if len(s.workers) != want {
				t.Errorf("%d runs for %d cores: %d workers, want %d", n, cores, len(s.workers), want)
			}
		}
	}
}

// TestScheduleKeeps checks that each run is passed once in each call, and always with the
// same worker.
func TestScheduleKeeps(t *testing.T) {
	e := newEvaluator(Request{}, nil)
	if err := e.readAll([]Source{{Data: manyRuns(300)}}); err != nil {
		t.Fatal(err)
	}
	for _, cores := range []int{1, 2, 3} {
		s := e.newSchedule(cores)
		of := make([][]*evaluator, 300)
		for range 3 {
			s.forEachRun(func(w *evaluator, run int) { of[run] = append(of[run], w) })
		}
		for run, workers := range of {
			if len(workers) != 3 || workers[1] != workers[0] || workers[2] != workers[0] {
				t.Fatalf("%d cores: run %d was passed with the workers %p", cores, run, workers)
			}
		}
	}
}

// TestScheduleOneTask checks that the runs of a single task are divided.
func TestScheduleOneTask(t *testing.T) {
	if !concurrent.Possible {
		t.Skip("this platform has one core")
	}
	e := newEvaluator(Request{}, nil)
	if err := e.readAll([]Source{{Data: bytes.ReplaceAll(manyRuns(300), []byte(`"task":"t`), []byte(`"task":"t0","was":"`))}}); err != nil {
		t.Fatal(err)
	}
	if s := e.newSchedule(3); len(s.workers) != 3 || len(s.groups) != 300 {
		t.Errorf("%d workers for %d groups, want 3 for 300", len(s.workers), len(s.groups))
	}
}

// TestCoresProgress checks that the progress counts each run once, and that the function
// Progress is never called twice at the same time.
func TestCoresProgress(t *testing.T) {
	var busy atomic.Bool
	var all []int
	request := Request{Inputs: []Source{{Data: manyRuns(300)}}, Options: Options{Cores: 4}}
	request.Progress = func(done, total int) {
		if !busy.CompareAndSwap(false, true) || total != 300 {
			t.Error("two calls at once, or a wrong total")
		}
		all = append(all, done)
		busy.Store(false)
	}
	if _, err := Evaluate(request); err != nil {
		t.Fatal(err)
	}
	for i, done := range all {
		if done != i+1 {
			t.Fatalf("progress %v", all)
		}
	}
	if len(all) != 300 {
		t.Errorf("%d calls for 300 runs", len(all))
	}
}

// TestCoresPanic checks that a panic in a goroutine reaches the caller.
func TestCoresPanic(t *testing.T) {
	var once sync.Once
	request := Request{Inputs: []Source{{Data: manyRuns(300)}}, Options: Options{Cores: 4}}
	request.Progress = func(int, int) { once.Do(func() { panic("no more") }) }
	defer func() {
		if p := recover(); p != "no more" {
			t.Errorf("recovered %v", p)
		}
	}()
	Evaluate(request)
	t.Error("there was no panic")
}
