package core

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/boundcheck/boundcheck/core/boundary"
	"github.com/boundcheck/boundcheck/core/checker"
	"github.com/boundcheck/boundcheck/core/concurrent"
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

// TestCores checks that the report does not depend on the number of goroutines.
func TestCores(t *testing.T) {
	vocabulary := &boundary.Vocabulary{Aliases: [][]string{{"cancelOrder", "delete_item"}}}
	inputs := map[string]Request{
		"many runs":  {Inputs: []Source{{Data: manyRuns(300)}}},
		"lint":       {Inputs: []Source{{Data: manyRuns(300)}}, Options: Options{Unreferenced: true}},
		"consensus":  {Inputs: []Source{{Data: manyRuns(300)}}, Options: Options{Consensus: 0.5}},
		"vocabulary": {Inputs: []Source{{Data: manyRuns(300)}}, Options: Options{Vocabulary: vocabulary}},
		"two files":  {Inputs: []Source{{Name: "a", Data: manyRuns(90)}, {Name: "b", Data: manyRuns(220)}}, Options: Options{Params: Params{}}},
		"checker":    {Inputs: []Source{{Data: manyRuns(300)}}, Options: Options{Checkers: []checker.Checker{failEach{}}}},
	}
	for _, pattern := range []string{"../testdata/traces/*", "../testdata/cases/*"} {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			if data, err := os.ReadFile(file); err == nil {
				inputs[file] = Request{Inputs: []Source{{Name: file, Data: data}}}
			}
		}
	}
	for name, request := range inputs {
		want := evaluateText(t, request)
		for _, cores := range []int{2, 3, 7} {
			request.Options.Cores = cores
			if got := evaluateText(t, request); !bytes.Equal(got, want) {
				t.Errorf("%s: another report with %d cores", name, cores)
			}
		}
	}
}

// TestCoresOnRecordedRuns checks that the report on all recorded runs does not depend on
// the number of goroutines.
func TestCoresOnRecordedRuns(t *testing.T) {
	for _, file := range recordings.Glob(t, "tau-bench/*.json", "tau2/*.json", "webarena/*.jsonl", "swe-bench/*.json*", "theagentcompany/*.jsonl") {
		data := recordings.Read(t, file)
		for _, alone := range []bool{false, true} {
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

// TestDivideRuns checks that each run is in one part, that the runs of a task are in the
// same part, and that the parts have about the same size.
func TestDivideRuns(t *testing.T) {
	for _, n := range []int{0, 1, 2, 40, 300} {
		for _, cores := range []int{-1, 0, 1, 2, 3, 4} {
			e := newEvaluator(Request{}, nil)
			if err := e.readAll([]Source{{Data: manyRuns(n)}}); err != nil && n > 0 {
				t.Fatal(err)
			}
			parts := e.divideRuns(cores)
			in := make([]int, n)
			ofTask := map[string]int{}
			for k, p := range parts {
				if !slices.IsSorted(p.members) {
					t.Errorf("the runs of a part are not in order: %v", p.members)
				}
				for _, i := range p.members {
					in[i]++
					if other, ok := ofTask[e.runs[i].Task]; ok && other != k {
						t.Errorf("%d runs for %d cores: a task is in two parts", n, cores)
					}
					ofTask[e.runs[i].Task] = k
				}
				if len(parts) > 1 && len(p.members) < n/len(parts)/2 {
					t.Errorf("%d runs for %d cores: a part has only %d", n, cores, len(p.members))
				}
			}
			if slices.ContainsFunc(in, func(n int) bool { return n != 1 }) || len(parts) > max(cores, 1) {
				t.Errorf("%d runs for %d cores: %d parts with %v", n, cores, len(parts), in)
			}
			if n == 300 && cores > 1 && len(parts) != cores && concurrent.Possible {
				t.Errorf("%d parts for %d cores", len(parts), cores)
			}
		}
	}
}

// TestDivideOneTask checks that the runs of a single task are divided.
func TestDivideOneTask(t *testing.T) {
	if !concurrent.Possible {
		t.Skip("this platform has one core")
	}
	e := newEvaluator(Request{}, nil)
	if err := e.readAll([]Source{{Data: bytes.ReplaceAll(manyRuns(300), []byte(`"task":"t`), []byte(`"task":"t0","was":"`))}}); err != nil {
		t.Fatal(err)
	}
	if parts := e.divideRuns(3); len(parts) != 3 {
		t.Errorf("%d parts", len(parts))
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
