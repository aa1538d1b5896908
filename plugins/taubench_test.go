package plugins_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/recordings"
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/host"
	"github.com/boundcheck/boundcheck/plugins/taubench"
)

func loadTau(t testing.TB, o host.Options) *host.Plugin {
	t.Helper()
	return loadTauAs(t, o, host.Manifest{Name: "taubench"})
}

func loadTauAs(t testing.TB, o host.Options, m host.Manifest) *host.Plugin {
	t.Helper()
	h, err := host.New(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close(context.Background()) })
	p, err := h.Load(context.Background(), buildModule(t, "taubench"), m)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func loadEnvironment(t testing.TB, p *host.Plugin, dir string) abi.Loaded {
	t.Helper()
	e, err := p.EnvironmentDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := p.Use(context.Background(), e)
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

// TestEnvironmentInPool checks that every instance of a pool uses the pool's environment,
// even an instance that starts later. It also checks that a pool without an environment
// answers calls.
func TestEnvironmentInPool(t *testing.T) {
	p := loadTau(t, host.Options{Limits: host.Limits{Instances: 4}})
	observed := []abi.Action{{Name: "cancel_pending_order", Arguments: json.RawMessage(`{"order_id":"#M102","reason":"no longer needed"}`)}}
	r := abi.CheckRequest{ReplayRequest: abi.ReplayRequest{Observed: observed, Reference: observed}, Alignment: []abi.Row{{Op: "match"}}}
	before, err := p.Check(context.Background(), r)
	if err != nil || before.Replay.Basis != abi.BasisWrites {
		t.Fatalf("without an environment: basis %q, error %v", before.Replay.Basis, err)
	}
	t.Log(loadEnvironment(t, p, "taubench/testdata/env").Summary)
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			c, err := p.Check(context.Background(), r)
			if err != nil || !c.Replay.StateEqual || !c.Replay.StateChanged || c.Replay.Basis != abi.BasisDatabase {
				t.Errorf("%+v, error %v", c.Replay, err)
			}
		})
	}
	group.Wait()
}

func TestEnvironmentRefused(t *testing.T) {
	p := loadTau(t, host.Options{})
	code := func(want host.Code, err error) {
		t.Helper()
		var e *host.Error
		if !errors.As(err, &e) || e.Code != want {
			t.Errorf("error %v, want code %s", err, want)
		}
	}
	_, err := p.EnvironmentDir(t.TempDir())
	code(host.NotFound, err)
	_, err = p.EnvironmentDir("no/such/directory")
	code(host.NotFound, err)
	for _, data := range []string{`{}`, `[`, `{"a":`, `{"a" 1}`} {
		tables := []abi.File{{Name: "users.json", Data: []byte(data)}, {Name: "orders.json", Data: []byte(`{"#1":{}}`)}}
		_, err = p.Use(context.Background(), host.NewEnvironment(tables))
		code(taubench.CodeInvalidDatabase, err)
	}
	raw, err := p.Raw(context.Background(), []byte("{\"op\":\"env.load\",\"environment\":\"x\",\"attachments\":[{\"name\":\"users.json\",\"length\":9}]}\x00{}"))
	if err != nil || !bytes.Contains(raw, []byte(`"code":"invalid-request"`)) {
		t.Errorf("short attachments: %s, error %v", raw, err)
	}
}

// sharedEnv returns the folder of the databases on which the recorded runs were made.
// It skips the test if there is none.
func sharedEnv(t testing.TB) string {
	t.Helper()
	return recordings.Path(t, "tau-bench/env")
}

// BenchmarkTauUse measures how long an instance takes to receive and index 7 MB of
// databases.
func BenchmarkTauUse(b *testing.B) {
	dir := sharedEnv(b)
	p := loadTau(b, host.Options{NoCache: true})
	for b.Loop() {
		loadEnvironment(b, p, dir)
	}
}

// BenchmarkTauCheck measures equivalence.check of the 200 recorded airline runs, one call
// at a time. It measures these cases:
//
//   - native code, without a sandbox
//   - a bundled plugin, which keeps its state between calls
//   - a stranger's plugin, whose memory with 7 MB of databases is restored after each call
//   - requests that all have different references, so that no earlier result can be used again
func BenchmarkTauCheck(b *testing.B) {
	p := loadTauAs(b, host.Options{NoCache: true}, host.Manifest{Name: "taubench", Reuse: true})
	loadEnvironment(b, p, sharedEnv(b))
	stranger := loadTau(b, host.Options{NoCache: true})
	loadEnvironment(b, stranger, sharedEnv(b))
	native, ctx := taubench.Plugin(), context.Background()
	native.Answer(abi.Load("env", sharedFiles(b)))
	runs := tauRuns(b)
	requests := make([][]byte, len(runs))
	for i, r := range runs {
		r.Op, r.Environment = abi.OpEquivalenceCheck, "env"
		var err error
		if requests[i], err = json.Marshal(r); err != nil {
			b.Fatal(err)
		}
	}
	base := 0.0
	b.Run("native", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			native.Answer(requests[i%len(runs)])
		}
		base = float64(b.Elapsed()) / float64(b.N)
	})
	check := func(b *testing.B, p *host.Plugin, next func(i int) abi.CheckRequest) {
		took := make([]time.Duration, 0, 1<<16)
		for i := 0; b.Loop(); i++ {
			r := next(i)
			begun := time.Now()
			if _, err := p.Check(ctx, r); err != nil {
				b.Fatal(err)
			}
			took = append(took, time.Since(begun))
		}
		b.ReportMetric(float64(b.Elapsed())/float64(b.N)/base, "x-native")
		slices.Sort(took)
		b.ReportMetric(float64(took[len(took)/2]), "median-ns")
	}
	b.Run("wazero", func(b *testing.B) {
		check(b, p, func(i int) abi.CheckRequest { return runs[i%len(runs)] })
	})
	b.Run("wazero-stranger", func(b *testing.B) {
		check(b, stranger, func(i int) abi.CheckRequest { return runs[i%len(runs)] })
	})
	b.Run("wazero-new-reference", func(b *testing.B) { // as if no earlier trial of its task had run
		check(b, p, func(i int) abi.CheckRequest {
			r := runs[i%len(runs)]
			r.Reference = append(slices.Clone(r.Reference), abi.Action{Name: "think", Arguments: fmt.Appendf(nil, `{"thought":"%d"}`, i)})
			return r
		})
	})
}

// sharedFiles returns the benchmark's databases as a host passes them.
func sharedFiles(b *testing.B) (files []abi.File) {
	dir := sharedEnv(b)
	paths, err := filepath.Glob(filepath.Join(dir, "*", "*.json"))
	if err != nil || len(paths) == 0 {
		b.Fatalf("no files in %s: %v", dir, err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		rel, _ := filepath.Rel(dir, path)
		files = append(files, abi.File{Name: filepath.ToSlash(rel), Data: data})
	}
	return files
}

// tauRuns returns the recorded runs as requests. Each row of their alignments holds a
// call of only one side.
func tauRuns(t testing.TB) []abi.CheckRequest {
	t.Helper()
	b := recordings.Read(t, "tau-bench/gpt-4o-airline.json")
	var runs []struct {
		Info struct {
			Task struct {
				Actions []struct {
					Name   string
					Kwargs json.RawMessage
				}
			}
		}
		Traj []struct {
			Role, Content string
			Calls         []struct {
				Function struct{ Name, Arguments string }
			} `json:"tool_calls"`
		}
	}
	if err := json.Unmarshal(b, &runs); err != nil {
		t.Fatal(err)
	}
	all := make([]abi.CheckRequest, len(runs))
	for i := range runs {
		out := &all[i]
		for _, m := range runs[i].Traj {
			if len(m.Calls) > 0 {
				f := m.Calls[0].Function
				out.Observed = append(out.Observed, abi.Action{Name: f.Name, Arguments: json.RawMessage(f.Arguments)})
			} else if n := len(out.Observed); m.Role == "tool" {
				out.Observed[n-1].Observation = &m.Content
			} else if m.Role == "assistant" {
				out.Replies = append(out.Replies, m.Content)
			}
		}
		for _, a := range runs[i].Info.Task.Actions {
			out.Reference = append(out.Reference, abi.Action{Name: a.Name, Arguments: a.Kwargs})
		}
		for i := range out.Observed {
			out.Alignment = append(out.Alignment, abi.Row{Op: "insertion", Obs: i, Ref: -1})
		}
		for i := range out.Reference {
			out.Alignment = append(out.Alignment, abi.Row{Op: "deletion", Obs: -1, Ref: i})
		}
	}
	return all
}
