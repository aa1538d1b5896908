package alfworld_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/read"
	"github.com/boundcheck/boundcheck/core/trajectory"
	"github.com/boundcheck/boundcheck/internal/recordings"
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/alfworld"
)

const real = "alfworld/" + "KnowAgentALFWorld_llama-2-13b_D0.jsonl"

// readRuns reads a file of recorded runs with the core's decoder.
func readRuns(t testing.TB, name string) []trajectory.Trajectory {
	t.Helper()
	doc, err := read.Decode(recordings.Read(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return doc.Trajectories
}

// requestOf returns the request that a host makes from a run.
func requestOf(r *trajectory.Trajectory) *abi.ReplayRequest {
	out := &abi.ReplayRequest{Task: r.Task, Recorded: r.Success}
	for _, m := range r.Messages {
		if m.Role == "assistant" {
			break
		}
		out.Opening += m.Text + "\n"
	}
	out.Observed = make([]abi.Action, len(r.Actions))
	for i := range r.Actions {
		a := &r.Actions[i]
		out.Observed[i] = abi.Action{Name: a.Name, Failed: a.Failed(), Text: a.Text}
		if a.Observation != nil {
			out.Observed[i].Observation = &a.Observation.Text
		}
	}
	return out
}

// TestOutcomes checks that the plugin's test of the goal agrees with the recorded
// outcomes of at least 98 of 100 real runs. The goal is read from the task's name, from
// its sentence, or from both. One more case keeps only the first word of each command,
// because some hosts send nothing else.
func TestOutcomes(t *testing.T) {
	all := readRuns(t, real)
	for name, change := range map[string]func(*abi.ReplayRequest){
		"all that is known":  func(*abi.ReplayRequest) {},
		"sentence alone":     func(r *abi.ReplayRequest) { r.Task = "" },
		"task's name alone":  func(r *abi.ReplayRequest) { r.Opening = "" },
		"no commands' words": keepFirstWords,
	} {
		cells := map[string]int{}
		for i := range all {
			r := requestOf(&all[i])
			change(r)
			got := mustReplay(t, r)
			cells[fmt.Sprintf("recorded %t, tested %t", *r.Recorded, got.Success)]++
			if got.Contradicted {
				t.Errorf("%s: %s: %q", name, all[i].Task, got.Notes)
			}
		}
		t.Logf("%s: %v", name, cells)
		agree := cells["recorded true, tested true"] + cells["recorded false, tested false"]
		if want := len(all) * 98 / 100; agree < want {
			t.Errorf("%s: %d of %d agree, want %d", name, agree, len(all), want)
		}
	}
}

// keepFirstWords reduces each command to its first word.
func keepFirstWords(r *abi.ReplayRequest) {
	for i := range r.Observed {
		r.Observed[i].Text = ""
	}
}

// TestNotBeforeTheEnd checks that no run reaches its goal without its last command. The
// game ends as soon as the goal is reached.
func TestNotBeforeTheEnd(t *testing.T) {
	all := readRuns(t, real)
	reached := 0
	for i := range all {
		r := requestOf(&all[i])
		if !mustReplay(t, r).Success {
			continue
		}
		reached++
		r.Observed = r.Observed[:len(r.Observed)-1]
		if mustReplay(t, r).Success {
			t.Errorf("%s: reached before the last command", all[i].Task)
		}
	}
	t.Logf("%d runs reach their goal, each with its last command", reached)
}

// TestOwnEffects compares each run with a reference that has only the run's own commands
// that changed a fact. It checks that nothing differs and nothing is blamed. Each other
// command must be excused if its observation could be read.
func TestOwnEffects(t *testing.T) {
	all := readRuns(t, real)
	rows := 0
	for i := range all {
		r := &abi.CheckRequest{ReplayRequest: *requestOf(&all[i])}
		for _, c := range mustReplay(t, &r.ReplayRequest).Calls {
			row := abi.Row{Op: "insertion", Obs: c.Index, Ref: -1}
			if c.Changed {
				row = abi.Row{Op: "match", Obs: c.Index, Ref: len(r.Reference)}
				r.Reference = append(r.Reference, abi.Action{Text: r.Observed[c.Index].Text})
			}
			r.Alignment = append(r.Alignment, row)
		}
		got, err := alfworld.Check(r)
		if err != nil {
			t.Fatal(err)
		}
		rows += len(got.Excused)
		beyond := len(r.Alignment) - len(r.Reference)
		if len(r.Reference) > 0 && !got.Replay.StateEqual || len(got.Blamed) > 0 || beyond-len(got.Excused) > countUnread(&got.Replay) {
			t.Errorf("%s: equal %t, %d blamed, %d of %d excused: %+v", all[i].Task, got.Replay.StateEqual, len(got.Blamed),
				len(got.Excused), beyond, got.Replay.Differences)
		}
	}
	t.Logf("%d rows excused", rows)
}

// countUnread returns the number of observations that a replay could not read.
func countUnread(r *abi.Replay) (n int) {
	for _, note := range r.Notes {
		if text, number, ok := strings.Cut(note, ": "); ok && strings.HasPrefix(text, "observations that contain no sentence of the game and were ignored") {
			n, _ = strconv.Atoi(number)
		}
	}
	return n
}

// TestPrompts counts and logs how many example runs reach their goal. People wrote these
// runs for a prompt, and all of them are successful.
func TestPrompts(t *testing.T) {
	b := recordings.Read(t, "alfworld/gold/alfworld_3prompts.json")
	var texts map[string]string
	if err := json.Unmarshal(b, &texts); err != nil {
		t.Fatal(err)
	}
	failed := 0
	for name, text := range texts {
		doc, err := read.Decode([]byte(text))
		if err != nil {
			t.Fatal(name, err)
		}
		if got := mustReplay(t, requestOf(&doc.Trajectories[0])); !got.Success {
			failed++
			t.Logf("%s: goal not reached: %q", name, got.Notes)
		}
	}
	t.Logf("%d of %d examples reach their goal", len(texts)-failed, len(texts))
}

// TestDetect checks that a single run is recognised by its calls.
func TestDetect(t *testing.T) {
	known := 0
	all := readRuns(t, real)
	for i := range all {
		var names []string
		for j := range all[i].Actions {
			names = append(names, all[i].Actions[j].Name)
		}
		if _, ok := abi.Detect(alfworld.Plugin().Describe().Benchmarks, "alfworld-react", names); ok {
			known++
		}
	}
	if t.Logf("%d of %d runs are recognised", known, len(all)); known < len(all)*98/100 {
		t.Error("too few")
	}
}

func BenchmarkReplay(b *testing.B) {
	all := readRuns(b, real)
	requests := make([]*abi.ReplayRequest, len(all))
	for i := range all {
		requests[i] = requestOf(&all[i])
	}
	for i := 0; b.Loop(); i++ {
		if _, err := alfworld.Replay(requests[i%len(requests)]); err != nil {
			b.Fatal(err)
		}
	}
}

func mustReplay(t testing.TB, r *abi.ReplayRequest) abi.Replay {
	t.Helper()
	got, err := alfworld.Replay(r)
	if err != nil {
		t.Fatal(err)
	}
	return got
}
