package bench

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// Status is the progress of an experiment, computed from its journal.
type Status struct {
	Dir        string      `json:"dir"`
	Experiment *Experiment `json:"experiment"` // nil until the journal has its first line
	Runs       int         `json:"runs"`
	Of         int         `json:"of"`
	Rewarded   int         `json:"rewarded"`
	Rate       float64     `json:"rate"`           // runs per minute, over the last ten minutes at most; 0 if unknown
	Left       float64     `json:"left,omitempty"` // seconds at that rate; 0 if unknown
	In         int         `json:"in"`             // tokens
	Out        int         `json:"out"`
	Cost       float64     `json:"cost"`
	Tasks      []TaskState `json:"tasks"`
	Last       []string    `json:"last"` // keys of the latest runs, the newest first
	Problem    string      `json:"problem,omitempty"`
}

// TaskState is a task with its trials.
type TaskState struct {
	Index int        `json:"index"`
	Name  string     `json:"name,omitempty"` // set when the first run of the task has ended
	Runs  []RunState `json:"runs"`           // by trial
}

// RunState is one run. State is "waiting", "running", "rewarded" or "unrewarded".
type RunState struct {
	State     string `json:"state"`
	Exchanges int    `json:"exchanges,omitempty"` // requests that were answered
	Turns     int    `json:"turns,omitempty"`
	Ended     string `json:"ended,omitempty"`
}

// Follower reads the journal of an experiment while it grows. It is not safe for
// concurrent use.
type Follower struct {
	Dir    string
	Budget Budget           // for its prices
	Now    func() time.Time // the clock; nil for time.Now

	offset    int64
	x         *Experiment
	runs      map[string]*Run
	exchanges map[string]int
	spent     usage
	last      []string
	marks     []mark
}

// mark is the time at which the journal first had this number of finished runs.
type mark struct {
	at   time.Time
	runs int
}

const (
	window   = 10 * time.Minute
	mostLast = 12
)

// Status reads the lines that were added to the journal since the last call, and returns the
// progress.
func (f *Follower) Status() Status {
	problem := ""
	if err := f.readNewLines(); err != nil {
		problem = err.Error()
	}
	now := time.Now
	if f.Now != nil {
		now = f.Now
	}
	s := Status{Dir: f.Dir, Experiment: f.x, Runs: len(f.runs), In: f.spent.In, Out: f.spent.Out, Cost: f.Budget.usageCost(f.spent), Last: f.last, Problem: problem}
	if s.Last == nil {
		s.Last = []string{}
	}
	s.Tasks = []TaskState{}
	for _, r := range f.runs {
		s.Rewarded += int(r.Reward)
	}
	if f.x != nil {
		s.Of = f.x.Trials * len(f.x.Tasks)
		for _, i := range f.x.Tasks {
			s.Tasks = append(s.Tasks, f.taskState(i))
		}
	}
	f.setPace(&s, now())
	return s
}

func (f *Follower) taskState(i int) TaskState {
	t := TaskState{Index: i, Runs: make([]RunState, f.x.Trials)}
	for trial := range t.Runs {
		k := runKey(i, trial)
		state := RunState{State: "waiting", Exchanges: f.exchanges[k]}
		if state.Exchanges > 0 {
			state.State = "running"
		}
		if r := f.runs[k]; r != nil {
			t.Name = r.Bench.Task
			state.Turns, state.Ended, state.State = r.Bench.Turns, r.Bench.Ended, "unrewarded"
			if r.Reward == 1 {
				state.State = "rewarded"
			}
		}
		t.Runs[trial] = state
	}
	return t
}

// setPace sets the members Rate and Left of a status: the runs per minute in the last ten
// minutes, and the seconds until the end at this rate.
func (f *Follower) setPace(s *Status, now time.Time) {
	if n := len(f.marks); n == 0 || f.marks[n-1].runs != s.Runs {
		f.marks = append(f.marks, mark{now, s.Runs})
	}
	for len(f.marks) > 2 && now.Sub(f.marks[1].at) > window {
		f.marks = f.marks[1:]
	}
	first := f.marks[0]
	if d := now.Sub(first.at).Minutes(); d > 0 && s.Runs > first.runs {
		s.Rate = float64(s.Runs-first.runs) / d
		s.Left = float64(s.Of-s.Runs) / s.Rate * 60
	}
}

// readNewLines reads the complete lines that were added to the journal. If the journal is
// now shorter than before, readNewLines reads it again from the beginning.
func (f *Follower) readNewLines() error {
	file, err := os.Open(filepath.Join(f.Dir, "journal.jsonl"))
	if errors.Is(err, os.ErrNotExist) {
		return errors.New("no journal yet")
	}
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if info.Size() < f.offset || f.runs == nil {
		f.offset, f.x, f.runs, f.exchanges, f.spent, f.last, f.marks = 0, nil, map[string]*Run{}, map[string]int{}, usage{}, nil, nil
	}
	if _, err := file.Seek(f.offset, io.SeekStart); err != nil {
		return err
	}
	in := bufio.NewReader(file)
	for {
		text, err := in.ReadBytes('\n')
		if err == io.EOF {
			return nil // an incomplete line is read later
		}
		if err != nil {
			return err
		}
		f.offset += int64(len(text))
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			return fmt.Errorf("the journal is damaged before byte %d: %w", f.offset, err)
		}
		f.addLine(&l)
	}
}

func (f *Follower) addLine(l *line) {
	switch {
	case l.Experiment != nil:
		f.x = l.Experiment
	case l.Exchange != nil:
		f.exchanges[l.Exchange.Run]++
		u := usedTokens(l.Exchange.Answer)
		f.spent.In, f.spent.Out = f.spent.In+u.In, f.spent.Out+u.Out
	case l.Run != nil:
		l.Run.Traj = nil // not shown, so not kept
		f.runs[l.Run.key()] = l.Run
		f.last = append([]string{l.Run.key()}, f.last[:min(len(f.last), mostLast-1)]...)
	}
}
