package taubench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/recordings"
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/taubench/env"
)

// recorded is one run of a τ-bench result file.
type recorded struct {
	Reward *float64 `json:"reward"`
	Info   struct {
		Task struct {
			Actions []struct {
				Name   string          `json:"name"`
				Kwargs json.RawMessage `json:"kwargs"`
			} `json:"actions"`
			Outputs []string `json:"outputs"`
		} `json:"task"`
	} `json:"info"`
	Traj []struct {
		Role      string  `json:"role"`
		Content   *string `json:"content"`
		ToolCalls []struct {
			Function struct{ Name, Arguments string } `json:"function"`
		} `json:"tool_calls"`
	} `json:"traj"`
}

// replayRequest returns the request that a host sends to replay the run. As in the
// benchmark, only the first call of a message counts. A message without a call is a reply
// that the user reads.
func (r *recorded) replayRequest() *abi.ReplayRequest {
	out := &abi.ReplayRequest{Benchmark: "tau-bench", Outputs: r.Info.Task.Outputs}
	if r.Reward != nil {
		success := *r.Reward > 1-1e-6
		out.Recorded = &success
	}
	for _, m := range r.Traj {
		switch {
		case m.Role == "assistant" && len(m.ToolCalls) > 0:
			f := m.ToolCalls[0].Function
			text, _ := json.Marshal(f.Arguments)
			out.Observed = append(out.Observed, abi.Action{Name: f.Name, Arguments: text})
		case m.Role == "assistant" && m.Content != nil:
			out.Replies = append(out.Replies, *m.Content)
		case m.Role == "tool" && len(out.Observed) > 0:
			out.Observed[len(out.Observed)-1].Observation = m.Content
		}
	}
	for _, a := range r.Info.Task.Actions {
		out.Reference = append(out.Reference, abi.Action{Name: a.Name, Arguments: a.Kwargs})
	}
	return out
}

func readRecording(t testing.TB, path string, into any) {
	t.Helper()
	if err := json.Unmarshal(recordings.Read(t, path), into); err != nil {
		t.Fatal(err)
	}
}

// readDatabases reads the databases in a folder of recorded files.
func readDatabases(t testing.TB, name string) []env.File {
	t.Helper()
	dir := recordings.Path(t, name)
	var out []env.File
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".json") {
			return err
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out = append(out, env.File{Name: filepath.ToSlash(rel), Data: string(b)})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func openWorld(t testing.TB) *env.World {
	t.Helper()
	w, err := env.Open(readDatabases(t, "tau-bench/env"))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

type label struct {
	File           string          `json:"file"`
	Index          int             `json:"index"`
	RewardRecorded float64         `json:"reward_recorded"`
	RewardReplayed float64         `json:"reward_replayed"`
	DBMatch        bool            `json:"db_match"`
	Outputs        map[string]bool `json:"outputs"`
	Calls          int             `json:"n_tool_calls"`
	ObsCompared    int             `json:"obs_compared"`
	ObsEqual       int             `json:"obs_equal"`
	DBChanged      bool            `json:"db_changed"`
	MutatingCalls  int             `json:"mutating_calls"`
	ErrorCalls     int             `json:"error_calls"`
	GoldActions    int             `json:"gold_actions"`
}

// TestLabels compares replays with the results that the benchmark's own code computed on
// these databases, line by line.
func TestLabels(t *testing.T) {
	labels := bytes.NewReader(recordings.Read(t, "tau-bench/replay_labels.jsonl"))
	runs := map[string][]recorded{}
	var took time.Duration
	w := openWorld(t)
	lines, contradicted, unequal := 0, 0, map[string]int{}
	for s := bufio.NewScanner(labels); s.Scan(); lines++ {
		var l label
		if err := json.Unmarshal(s.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		if runs[l.File] == nil {
			var rs []recorded
			readRecording(t, "tau-bench/"+l.File, &rs)
			runs[l.File] = rs
		}
		req := runs[l.File][l.Index].replayRequest()
		start := time.Now()
		got, err := Replay(w, req)
		took += time.Since(start)
		if err != nil {
			t.Fatalf("%s %d: %v", l.File, l.Index, err)
		}
		l.checkReplay(t, req, &got, unequal)
		if got.Contradicted {
			contradicted++
		}
	}
	t.Logf("%d runs replayed in %v; recorded outcome contradicted in %d; outputs unlike the recorded: %v", lines, took, contradicted, unequal)
	if lines == 0 {
		t.Fatal("no labels")
	}
}

func (l *label) checkReplay(t *testing.T, req *abi.ReplayRequest, got *abi.Replay, unequal map[string]int) {
	t.Helper()
	have := *l
	have.RewardReplayed = map[bool]float64{true: 1}[got.Success]
	have.DBMatch, have.Outputs, have.DBChanged = got.StateEqual, got.Outputs, got.StateChanged
	have.Calls, have.GoldActions = len(got.Calls), len(req.Reference)
	have.ObsCompared, have.ObsEqual, have.MutatingCalls, have.ErrorCalls = 0, 0, 0, 0
	for _, c := range got.Calls {
		if c.OutputEqual != nil {
			have.ObsCompared++
			if *c.OutputEqual {
				have.ObsEqual++
			} else {
				unequal[req.Observed[c.Index].Name]++
			}
		}
		if c.Changed || c.Rewritten { // the labels compare texts
			have.MutatingCalls++
		}
		if c.Error {
			have.ErrorCalls++
		}
	}
	a, _ := json.Marshal(have)
	b, _ := json.Marshal(l)
	if string(a) != string(b) || !maps.Equal(have.Outputs, l.Outputs) {
		t.Errorf("%s %d\n got %s\nwant %s", l.File, l.Index, a, b)
	}
	if got.Contradicted != (l.RewardRecorded != l.RewardReplayed) {
		t.Errorf("%s %d: contradicted %v, recorded %v, replayed %v", l.File, l.Index, got.Contradicted, l.RewardRecorded, l.RewardReplayed)
	}
}

// TestReplayAgain checks that a second replay of a run on the same world has the same
// result as the first replay. Other runs may be replayed between the two.
func TestReplayAgain(t *testing.T) {
	w, all := openWorld(t), airlineRequests(t)
	first := make([]string, len(all))
	for i := range 2 * len(all) {
		out, err := Replay(w, all[i%len(all)])
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(out)
		if err != nil {
			t.Fatal(err)
		}
		if i < len(all) {
			first[i] = string(text)
		} else if first[i-len(all)] != string(text) {
			t.Errorf("run %d\nat first %s\nagain    %s", i-len(all), first[i-len(all)], text)
		}
	}
}
