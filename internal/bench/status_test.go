package bench_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/bench"
)

// TestStatus checks that each complete line of a growing journal is read once, and that
// the status has the figures of the journal. The rate must count the runs that ended
// while the journal was followed.
func TestStatus(t *testing.T) {
	dir := t.TempDir()
	x := newExperiment(startServer(t), "scripted:blind?rate=0.5")
	x.Trials = 2
	o := newOptions(filepath.Join(dir, "whole"))
	runExperiment(t, x, o)
	text, err := os.ReadFile(filepath.Join(o.Dir, "journal.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	grows := filepath.Join(dir, "grows")
	if err := os.Mkdir(grows, 0o755); err != nil {
		t.Fatal(err)
	}
	now := time.Unix(1e9, 0)
	f := &bench.Follower{Dir: grows, Budget: bench.Budget{In: 1e6, Out: 2e6}, Now: func() time.Time { return now }}
	if s := f.Status(); s.Problem != "no journal yet" || s.Of != 0 {
		t.Errorf("%+v", s)
	}
	was := 0
	for at := 0; at < len(text); { // in pieces of any length
		at = min(len(text), at+997)
		if err := os.WriteFile(filepath.Join(grows, "journal.jsonl"), text[:at], 0o600); err != nil {
			t.Fatal(err)
		}
		s := f.Status()
		if ended := strings.Count(string(text[:at]), `{"run":{`); s.Problem != "" || s.Runs < was || s.Runs > ended {
			t.Fatalf("after %d bytes: %d runs of %d lines, %s", at, s.Runs, ended, s.Problem)
		}
		was = s.Runs
		now = now.Add(time.Second)
	}
	s, whole := f.Status(), (&bench.Follower{Dir: o.Dir, Budget: bench.Budget{In: 1e6, Out: 2e6}}).Status()
	if s.Runs != 24 || s.Of != 24 || s.Left != 0 || s.Rewarded != whole.Rewarded || s.In != whole.In || s.Out != whole.Out || len(s.Last) != 12 {
		t.Errorf("%+v", s)
	}
	if want := float64(s.In) + 2*float64(s.Out); s.Cost != want || s.In == 0 {
		t.Errorf("cost %v, want %v", s.Cost, want)
	}
	if s.Rate <= 0 || whole.Rate != 0 {
		t.Errorf("rate %v, of a journal that has ended %v", s.Rate, whole.Rate)
	}
	if r := s.Tasks[0].Runs[0]; len(s.Tasks) != 12 || len(s.Tasks[0].Runs) != 2 || r.Turns == 0 || r.Ended != "user" || !strings.HasSuffix(r.State, "rewarded") {
		t.Errorf("%+v", s.Tasks[0])
	}
	// Another experiment in the folder is read from its beginning.
	if err := os.WriteFile(filepath.Join(grows, "journal.jsonl"), text[:strings.IndexByte(string(text), '\n')+1], 0o600); err != nil {
		t.Fatal(err)
	}
	if s := f.Status(); s.Runs != 0 || s.Of != 24 || s.Tasks[0].Runs[0].State != "waiting" {
		t.Errorf("%+v", s)
	}
	if err := os.WriteFile(filepath.Join(grows, "journal.jsonl"), append(text, "{nothing}\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	if s := f.Status(); !strings.Contains(s.Problem, "damaged") || s.Runs != 24 {
		t.Errorf("%d runs, %q", s.Runs, s.Problem)
	}
}
