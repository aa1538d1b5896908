package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/boundcheck/boundcheck/internal/bench/env"
	"github.com/boundcheck/boundcheck/internal/bench/tau"
	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/recordings"
)

// recording is a run that others recorded.
type recording struct {
	TaskID int       `json:"task_id"`
	Trial  int       `json:"trial"`
	Traj   []message `json:"traj"`
}

// player is a model server that repeats recorded messages, as the agent or as the user.
// It finds the run by the request's seed, and the position in it by the number of
// messages.
type player map[uint64]*recording

func (p player) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	var q request
	if err := json.Unmarshal(body, &q); err != nil {
		return nil, err
	}
	run, role := p[q.Seed], "assistant"
	if q.Model == "user" {
		role = "user"
	}
	n := 0
	for _, m := range q.Messages {
		if m.Role == "assistant" {
			n++
		}
	}
	for i := range run.Traj {
		if run.Traj[i].Role != role {
			continue
		}
		if n--; n < 0 {
			m := run.Traj[i]
			m.Role = "assistant"
			if role == "user" && i+1 == len(run.Traj) && !bytes.Contains([]byte(m.contentText()), []byte(stop)) {
				m = newMessage("assistant", stop) // the recording ends here
			}
			text, err := json.Marshal(object{"choices": []any{object{"message": m}}})
			return newResponse(200, text), err
		}
	}
	text, err := json.Marshal(object{"choices": []any{object{"message": newMessage("assistant", stop)}}})
	return newResponse(200, text), err
}

// TestTauLabels repeats every third recorded run, with BOUNDCHECK_LONG=1 each, with the recorded
// messages of the agent and the user. Each run must get the reward of τ-bench's own code.
func TestTauLabels(t *testing.T) {
	rewards := map[string]map[int]float64{}
	for s := bufio.NewScanner(bytes.NewReader(recordings.Read(t, "tau-bench/replay_labels.jsonl"))); s.Scan(); {
		var l struct {
			File   string  `json:"file"`
			Index  int     `json:"index"`
			Reward float64 `json:"reward_replayed"`
		}
		if err := json.Unmarshal(s.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		if rewards[l.File] == nil {
			rewards[l.File] = map[int]float64{}
		}
		rewards[l.File][l.Index] = l.Reward
	}
	equal, tried := 0, 0
	for _, c := range [][2]string{{"tau-airline", "gpt-4o-airline.json"}, {"tau-retail", "gpt-4o-retail.json"}, {"tau-retail", "preconditions-retail.json"}} {
		var runs []recording
		if err := json.Unmarshal(recordings.Read(t, "tau-bench/"+c[1]), &runs); err != nil {
			t.Fatal(err)
		}
		e, err := tau.Open(c[0], recordings.Path(t, "tau-bench/env"), recordings.Path(t, "tau-bench/"+c[1]))
		if err != nil {
			t.Fatal(err)
		}
		x := &Experiment{Env: c[0], Seed: 1, Model: "agent", User: "user", Protocol: "openai", Framework: "vanilla", Turns: 30}
		p := player{}
		for i := range runs {
			if !drawn.InShare(i, 3) {
				continue
			}
			tried++
			run := runs[i]
			a := &agent{x: x, env: e, task: &e.Tasks()[run.TaskID], seed: uint64(i), gate: p, plain: p}
			p[a.seed] = &run
			got, err := a.runTask(context.Background())
			if err != nil {
				t.Fatalf("%s, run %d: %v", c[1], i, err)
			}
			cut, err := a.attemptReward(got)
			if err != nil {
				t.Fatal(err)
			}
			reward, err := e.Reward(a.task, &env.Outcome{Session: got.session, Said: got.said, Done: true})
			if err != nil {
				t.Fatal(err)
			}
			if want := reward; got.ended == "turns" && cut != 0 || got.ended != "turns" && cut != want {
				t.Errorf("%s, run %d: the driver's error is %v", c[1], i, cut)
			}
			if reward != rewards[c[1]][i] {
				t.Errorf("%s, run %d: reward %v, τ-bench's own code returns %v (ended by %s after %d turns)", c[1], i, reward, rewards[c[1]][i], got.ended, a.asked)
				continue
			}
			equal++
		}
	}
	if t.Logf("%d of %d rewards are τ-bench's", equal, tried); equal != tried || tried < 138 {
		t.Errorf("%d of %d rewards are equal, want all of at least 138", equal, tried)
	}
}

// countRewardedGolds makes the calls in the gold of each task of an environment, and
// returns the number of tasks that are rewarded.
func countRewardedGolds(t *testing.T, e env.Benchmark) (rewarded int) {
	t.Helper()
	tasks := e.Tasks()
	for i := range tasks {
		courses, err := env.Courses(tasks[i].Steps)
		if err != nil {
			t.Fatal(err)
		}
		s := e.Begin()
		for _, c := range courses[0] {
			raw, _ := json.Marshal(c.Arguments)
			s.Call(c.Name, raw)
		}
		reward, err := e.Reward(&tasks[i], &env.Outcome{Session: s, Said: []string{tasks[i].Closing}, Done: true})
		if err != nil {
			t.Fatal(err)
		}
		rewarded += int(reward)
	}
	return rewarded
}

// TestTau2Golds checks for each release of τ²'s tasks that the gold of every task is
// rewarded.
func TestTau2Golds(t *testing.T) {
	for _, domain := range []string{"airline", "retail"} {
		for _, release := range []string{"original", "verified", "current"} {
			e, err := tau.Open("tau2-"+domain, recordings.Path(t, "tau-bench/env"), recordings.Path(t, fmt.Sprintf("tau2/tasks/%s.%s.json", domain, release)))
			if err != nil {
				t.Fatal(err)
			}
			if n := countRewardedGolds(t, e); n != len(e.Tasks()) {
				t.Errorf("%s, %s: %d of %d golds are rewarded", domain, release, n, len(e.Tasks()))
			}
		}
	}
}

// answers is a model server that always returns the same answer.
type answers string

func (a answers) RoundTrip(*http.Request) (*http.Response, error) {
	text, err := json.Marshal(object{"choices": []any{object{"message": newMessage("assistant", string(a))}}})
	return newResponse(200, text), err
}

// TestJudge checks how the judge's answers become verdicts on τ²'s assertions. If there
// is no judge, no request must be sent.
func TestJudge(t *testing.T) {
	e, err := tau.Open("tau2-retail", recordings.Path(t, "tau-bench/env"), recordings.Path(t, "tau2/tasks/retail.current.json"))
	if err != nil {
		t.Fatal(err)
	}
	asserted := 0
	for i := range e.Tasks() {
		task := &e.Tasks()[i]
		all := e.Assertions(task)
		if len(all) > 0 {
			asserted++
		}
		for said, want := range map[string]bool{"YES": true, "**Yes**, it is.": true, "NO": false, "I am not sure": false, "": false} {
			a := &agent{x: &Experiment{Judge: "judge", URL: "http://127.0.0.1:1"}, env: e, task: task, plain: answers(said)}
			got, err := a.judgeAssertions(context.Background(), &attempt{messages: []message{newMessage("system", "")}})
			if err != nil || len(got) != len(all) {
				t.Fatalf("task %s: %v, %v", task.ID, got, err)
			}
			for _, g := range got {
				if g != want {
					t.Errorf("task %s: %q is taken for %v", task.ID, said, g)
				}
			}
		}
		a := &agent{x: &Experiment{}, env: e, task: task, plain: answers("NO")}
		if got, err := a.judgeAssertions(context.Background(), &attempt{messages: []message{newMessage("system", "")}}); got != nil || err != nil {
			t.Errorf("task %s: %v, %v without a judge", task.ID, got, err)
		}
	}
	if asserted == 0 {
		t.Error("no task has assertions")
	}
	t.Logf("%d of %d tasks have assertions", asserted, len(e.Tasks()))
}
