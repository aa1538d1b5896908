package taubench

import (
	"encoding/json"
	"testing"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/taubench/env"
)

// airlineRequests returns the 200 airline runs as requests of a host.
func airlineRequests(t testing.TB) []*abi.ReplayRequest {
	t.Helper()
	var runs []recorded
	readRecording(t, "tau-bench/gpt-4o-airline.json", &runs)
	out := make([]*abi.ReplayRequest, len(runs))
	for i := range runs {
		out[i] = runs[i].replayRequest()
	}
	return out
}

// BenchmarkRun measures one airline run on a database that is open.
func BenchmarkRun(b *testing.B) {
	w, all := openWorld(b), airlineRequests(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := Replay(w, all[i%len(all)]); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAirline measures opening the 5 MB of databases and replaying all 200 runs.
func BenchmarkAirline(b *testing.B) {
	all, fs := airlineRequests(b), readDatabases(b, "tau-bench/env/airline")
	for b.Loop() {
		w, err := env.Open(fs)
		if err != nil {
			b.Fatal(err)
		}
		for _, r := range all {
			if _, err := Replay(w, r); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkOpen measures opening the same databases without replaying a run.
func BenchmarkOpen(b *testing.B) {
	fs := readDatabases(b, "tau-bench/env/airline")
	for b.Loop() {
		if _, err := env.Open(fs); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAnswer measures how a guest answers equivalence.check, from the bytes of the
// request to the bytes of the answer. If it is built for wasip1, it measures the time in
// the guest without the time of the host.
func BenchmarkAnswer(b *testing.B) {
	all := airlineChecks(b)
	p := Plugin()
	var attached []abi.File
	for _, f := range readDatabases(b, "tau-bench/env") {
		attached = append(attached, abi.File{Name: f.Name, Data: []byte(f.Data)})
	}
	p.Answer(abi.Load("env", attached))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		p.Answer(all[i%len(all)])
	}
}

// airlineChecks returns the 200 airline runs as requests of equivalence.check. Each row
// of their alignments holds a call of only one side.
func airlineChecks(t testing.TB) (out [][]byte) {
	for _, r := range airlineRequests(t) {
		c := abi.CheckRequest{ReplayRequest: *r}
		for i, a := range c.Observed {
			var text string
			if json.Unmarshal(a.Arguments, &text) == nil && json.Valid([]byte(text)) {
				c.Observed[i].Arguments = json.RawMessage(text) // as a host does
			}
		}
		c.Op, c.Environment = abi.OpEquivalenceCheck, "env"
		for i := range c.Observed {
			c.Alignment = append(c.Alignment, abi.Row{Op: "insertion", Obs: i, Ref: -1})
		}
		for i := range c.Reference {
			c.Alignment = append(c.Alignment, abi.Row{Op: "deletion", Obs: -1, Ref: i})
		}
		b, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, b)
	}
	return out
}
