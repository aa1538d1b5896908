// Package bench runs experiments. It lets a model do the tasks of an environment, with or
// without the papers' remedies, and writes the results in a format that can be scored and
// compared. It records every request and answer, so that an experiment can continue after
// a kill and can be repeated offline.
package bench

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/boundcheck/boundcheck/internal/bench/env"
	"github.com/boundcheck/boundcheck/worker/gate/sqlite"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// Experiment holds the settings that determine the bytes of the results. It is the first
// line of the journal, and a journal can only be continued with the same settings.
type Experiment struct {
	Env         string  `json:"env"`
	Data        string  `json:"data,omitempty"`  // the digest of the files that the user supplied; Start sets it
	Tasks       []int   `json:"tasks,omitempty"` // indices; nil for all
	Trials      int     `json:"trials"`
	Seed        uint64  `json:"seed"`
	Model       string  `json:"model"`
	Protocol    string  `json:"protocol"` // openai or anthropic
	Framework   string  `json:"framework"`
	Prompt      string  `json:"prompt,omitempty"` // a prompt after the policy, such as EBP's
	Saber       Saber   `json:"saber"`
	User        string  `json:"user,omitempty"`  // the model that plays the user; "" for the script
	Judge       string  `json:"judge,omitempty"` // the model that answers whether assertions are true; "" for none
	Turns       int     `json:"turns"`
	Temperature float64 `json:"temperature,omitempty"`
	Answer      int     `json:"answer,omitempty"`    // largest number of tokens of an answer; 0 for 2,048
	Reasoning   bool    `json:"reasoning,omitempty"` // send max_completion_tokens, and no temperature

	URL string `json:"-"` // root of the model's API
	key string
}

// Options are settings that do not change an experiment's results.
type Options struct {
	Dir       string // the folder of journal.jsonl, results.json, references.json and summary.json
	Key       string // for the model's server; "" to send none
	Budget    Budget
	Workers   int
	Timeout   time.Duration // of each attempt of a request
	Tries     int
	Pause     time.Duration // before the second attempt
	Rate      float64       // requests per minute; 0 for no limit
	Transport http.RoundTripper
	Progress  func(Progress) // called when a run ends, one at a time; nil for none
	Open      Opener         // nil for the embedded environments
}

// Opener opens an environment by its name.
type Opener func(name string) (env.Environment, error)

func (o Opener) open(name string) (env.Environment, error) {
	if o == nil {
		return env.Open(name)
	}
	return o(name)
}

// envDigest returns the digest of the files that the user supplied for an environment, or
// "" for an embedded environment.
func envDigest(e env.Environment) string {
	if b, ok := e.(env.Benchmark); ok {
		return b.Digest()
	}
	return ""
}

// Progress is the progress of an experiment.
type Progress struct {
	Done, All int
	Rewarded  int // of the runs that have ended, those with a reward
	In, Out   int // tokens used by this process
	Cost      float64
	Rate      float64       // runs per minute of this process
	Left      time.Duration // time until the end at this rate; 0 if unknown
}

// Run is one run that has ended. Its members are τ-bench's, except Bench.
type Run struct {
	TaskID int     `json:"task_id"`
	Reward float64 `json:"reward"`
	Info   struct {
		Task tauTask `json:"task"`
	} `json:"info"`
	Traj  []message `json:"traj"`
	Trial int       `json:"trial"`
	Bench struct {
		Task  string `json:"task"` // its name
		Ended string `json:"ended"`
		Turns int    `json:"turns"` // of the model, over all attempts

		Assertions []bool `json:"assertions,omitempty"` // the judge's answer for each assertion; absent if there are no assertions
	} `json:"bench"`
}

type tauTask struct {
	UserID      string   `json:"user_id"`
	Instruction string   `json:"instruction"`
	Actions     []object `json:"actions"`
	Outputs     []string `json:"outputs"`
}

func runKey(task, trial int) string { return fmt.Sprintf("%d.%d", task, trial) }

func (r *Run) key() string { return runKey(r.TaskID, r.Trial) }

// seedOf derives a seed from the experiment's seed and the given words.
func seedOf(seed uint64, words ...string) [32]byte {
	return sha256.Sum256([]byte(fmt.Sprint(seed, " ", strings.Join(words, " "))))
}

// checkSettings sets missing settings to their defaults. It returns an error for invalid
// settings.
func (x *Experiment) checkSettings(e env.Environment) error {
	if x.Answer < 0 {
		return fmt.Errorf("invalid limit of %d tokens for an answer: want at least 1, or 0 for the default of %d", x.Answer, maxAnswer)
	}
	if x.Reasoning && x.Temperature != 0 {
		return errors.New("--temperature and --reasoning cannot be used together: remove one of them")
	}
	if x.Trials < 1 || x.Turns < 1 {
		return errors.New("invalid experiment: want at least one trial and one turn")
	}
	if !slices.Contains(Frameworks, x.Framework) {
		return fmt.Errorf("unknown framework %q: want one of %s", x.Framework, strings.Join(Frameworks, ", "))
	}
	if x.Protocol != "openai" && x.Protocol != "anthropic" {
		return fmt.Errorf("unknown protocol %q: want openai or anthropic", x.Protocol)
	}
	if x.Tasks == nil {
		for i := range e.Tasks() {
			x.Tasks = append(x.Tasks, i)
		}
	}
	for _, i := range x.Tasks {
		if i < 0 || i >= len(e.Tasks()) {
			return fmt.Errorf("unknown task %d: %s has tasks 0 to %d", i, e.Name(), len(e.Tasks())-1)
		}
	}
	if slices.Sort(x.Tasks); len(slices.Compact(slices.Clone(x.Tasks))) != len(x.Tasks) {
		return errors.New("invalid tasks: a task is listed twice")
	}
	return nil
}

// driver runs an experiment.
type driver struct {
	x       *Experiment
	o       *Options
	env     env.Environment
	past    recorded
	journal *journal
	store   *store.Store // nil without SABER
	meter   *meter
	net     http.RoundTripper // nil if offline
	fresh   int               // runs that ended in this process
	began   time.Time
}

// Start runs an experiment, or continues the one in o.Dir. If a run fails, Start still
// makes the other runs. It returns the error of the first run that failed.
func Start(ctx context.Context, x Experiment, o Options) error {
	e, err := o.Open.open(x.Env)
	if err != nil {
		return err
	}
	x.Data = envDigest(e)
	if err := x.checkSettings(e); err != nil {
		return err
	}
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return err
	}
	file := filepath.Join(o.Dir, "journal.jsonl")
	past, kept, err := readJournal(file)
	if err != nil {
		return err
	}
	if past.experiment != nil && !sameExperiment(past.experiment, &x) {
		return fmt.Errorf("the journal %s belongs to an experiment with other settings; use the same settings or another folder", file)
	}
	d := &driver{x: &x, o: &o, env: e, past: past, meter: &meter{Budget: o.Budget}, began: time.Now()}
	x.key = o.Key
	if d.journal, err = openJournal(file, kept); err != nil {
		return err
	}
	defer d.journal.file.Close()
	if past.experiment == nil {
		if err := d.journal.writeLine(line{Experiment: &x}); err != nil {
			return err
		}
	}
	for _, all := range past.exchanges { // the tokens that earlier processes used count, too
		for _, e := range all {
			d.meter.settleTokens(usage{}, usedTokens(e.Answer))
		}
	}
	d.net = d.newTransport()
	return d.carryOut(ctx)
}

func sameExperiment(a, b *Experiment) bool {
	x, y := *a, *b
	x.URL, y.URL, x.key, y.key = "", "", "", ""
	return reflect.DeepEqual(x, y)
}

// Replay repeats a recorded experiment without a network. It returns the bytes that Start
// writes into results.json. It leaves out runs that had not ended. If open is nil, Replay
// can open only the embedded environments.
func Replay(ctx context.Context, dir string, open Opener) ([]byte, error) {
	past, _, err := readJournal(filepath.Join(dir, "journal.jsonl"))
	if err != nil {
		return nil, err
	}
	if past.experiment == nil {
		return nil, fmt.Errorf("no journal found in %s", dir)
	}
	x := *past.experiment
	x.URL = "http://127.0.0.1:1/v1"
	e, err := open.open(x.Env)
	if err != nil {
		return nil, err
	}
	if x.Data != envDigest(e) {
		return nil, fmt.Errorf("the data of environment %[2]s have changed since the recording in %[1]s", dir, x.Env)
	}
	d := &driver{x: &x, o: &Options{}, env: e, past: past}
	done, err := d.openStore(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	again := map[string]*Run{}
	for k, r := range past.runs {
		if again[k], err = d.runTrial(ctx, r.TaskID, r.Trial); err != nil {
			return nil, err
		}
	}
	return d.formatResults(again)
}

// newTransport returns the transport to the model's server, which all runs share.
func (d *driver) newTransport() http.RoundTripper {
	next := d.o.Transport
	if d.x.Protocol == "anthropic" {
		next = anthropic{next}
	}
	p := &pace{}
	if d.o.Rate > 0 {
		p.interval = time.Duration(float64(time.Minute) / d.o.Rate)
	}
	return &metered{d.meter, d.x.answerLimit(), &persistent{next: next, timeout: d.o.Timeout, tries: max(1, d.o.Tries), pause: d.o.Pause, pace: p}}
}

// openStore opens the gate store that all runs share. Without SABER there is no store.
// The returned function removes the store.
func (d *driver) openStore(ctx context.Context) (done func(), err error) {
	if !d.x.Saber.isOn() {
		return func() {}, nil
	}
	dir, err := os.MkdirTemp("", "boundcheck-bench-")
	if err != nil {
		return nil, err
	}
	if d.store, err = sqlite.Open(ctx, filepath.Join(dir, "gate.db")); err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	return func() { d.store.Close(); os.RemoveAll(dir) }, nil
}

// runTrial makes one run of a task. It takes the model's answers from the journal, and
// requests only those that are not recorded.
func (d *driver) runTrial(ctx context.Context, task, trial int) (*Run, error) {
	name := runKey(task, trial)
	seed := seedOf(d.x.Seed, name)
	tasks := d.env.Tasks()
	down := &tape{run: name, past: d.past.exchanges[name], next: d.net, journal: d.journal}
	a := &agent{x: d.x, env: d.env, task: &tasks[task], gate: down, plain: down,
		seed: uint64(seed[0]) | uint64(seed[1])<<8 | uint64(seed[2])<<16 | uint64(seed[3]&0x7f)<<24} // 31 bits, because servers read an int
	if d.x.Saber.isOn() {
		var err error
		if a.gate, err = newGateTransport(d.x, d.env, name, d.store, down); err != nil {
			return nil, err
		}
	}
	t, err := a.runTask(ctx)
	if err != nil {
		return nil, fmt.Errorf("task %d, trial %d: %w", task, trial, err)
	}
	r := &Run{TaskID: task, Trial: trial, Traj: t.messages}
	if r.Reward, err = a.attemptReward(t); err != nil {
		return nil, err
	}
	r.Bench.Assertions, err = a.judgeAssertions(ctx, t)
	if err == nil && down.n < len(down.past) {
		err = fmt.Errorf("run %s: the replay did not make %d of the recorded requests", name, len(down.past)-down.n)
	}
	if err != nil {
		return nil, fmt.Errorf("task %d, trial %d: %w", task, trial, err)
	}
	if slices.Contains(r.Bench.Assertions, false) {
		r.Reward = 0
	}
	courses, err := env.Courses(a.task.Steps)
	if err != nil {
		return nil, err
	}
	r.Info.Task = tauTask{UserID: a.task.User, Instruction: a.task.Instruction, Outputs: append([]string{}, a.task.Says...), Actions: []object{}}
	for _, c := range courses[0] {
		r.Info.Task.Actions = append(r.Info.Task.Actions, object{"name": c.Name, "kwargs": c.Arguments})
	}
	r.Bench.Task, r.Bench.Ended, r.Bench.Turns = a.task.ID, t.ended, a.asked
	return r, nil
}

// carryOut makes the runs that are not in the journal, and writes the results.
func (d *driver) carryOut(ctx context.Context) error {
	done, err := d.openStore(ctx)
	if err != nil {
		return err
	}
	defer done()
	var missing [][2]int
	for trial := range d.x.Trials {
		for _, task := range d.x.Tasks {
			if d.past.runs[runKey(task, trial)] == nil {
				missing = append(missing, [2]int{task, trial})
			}
		}
	}
	jobs := make(chan [2]int)
	var wait sync.WaitGroup
	var mu sync.Mutex
	var first error
	var spent atomic.Bool
	for range max(1, d.o.Workers) {
		wait.Go(func() {
			for j := range jobs {
				if ctx.Err() != nil || spent.Load() {
					continue
				}
				r, err := d.runTrial(ctx, j[0], j[1])
				mu.Lock()
				if err == nil {
					err = d.recordEnd(r)
				}
				if err != nil && first == nil {
					first = err
				}
				mu.Unlock()
				if errors.Is(err, errBudget) { // runs in progress continue, because their earlier requests are already paid
					spent.Store(true)
				}
			}
		})
	}
	for _, j := range missing {
		jobs <- j
	}
	close(jobs)
	wait.Wait()
	if err := d.writeResults(); err != nil {
		return err
	}
	return first
}

// recordEnd records that a run has ended: it writes the run to the journal, and reports
// the progress of the experiment.
func (d *driver) recordEnd(r *Run) error {
	if err := d.journal.writeLine(line{Run: r}); err != nil {
		return err
	}
	d.past.runs[r.key()] = r
	d.fresh++
	if d.o.Progress == nil {
		return nil
	}
	spent := d.meter.totalSpent()
	p := Progress{Done: len(d.past.runs), All: d.x.Trials * len(d.x.Tasks), In: spent.In, Out: spent.Out, Cost: d.meter.usageCost(spent)}
	for _, r := range d.past.runs {
		p.Rewarded += int(r.Reward)
	}
	took := time.Since(d.began)
	p.Left = took / time.Duration(d.fresh) * time.Duration(p.All-p.Done)
	if m := took.Minutes(); m > 0 {
		p.Rate = float64(d.fresh) / m
	}
	d.o.Progress(p)
	return nil
}

// formatResults returns the runs in the order of trials and tasks. The format is
// τ²-bench's for an environment of τ²-bench, and otherwise τ-bench's.
func (d *driver) formatResults(runs map[string]*Run) ([]byte, error) {
	all := make([]*Run, 0, len(runs))
	for _, r := range runs {
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b *Run) int {
		if a.Trial != b.Trial {
			return a.Trial - b.Trial
		}
		return a.TaskID - b.TaskID
	})
	if b, ok := d.env.(env.Benchmark); ok && b.Conduct().Tau2 {
		return d.tau2(b, all)
	}
	return encodeIndented(all)
}

func encodeIndented(v any) ([]byte, error) {
	text, err := json.MarshalIndent(v, "", " ")
	return append(text, '\n'), err
}

// writeResults creates the files with the results, in the folder of the journal. It
// replaces each file atomically.
func (d *driver) writeResults() error {
	rows, err := d.formatResults(d.past.runs)
	if err != nil {
		return err
	}
	type held struct {
		ID    any             `json:"id"`
		Steps json.RawMessage `json:"steps"`
		Says  []string        `json:"says,omitempty"`
	}
	var golds []held
	tasks := d.env.Tasks()
	b, ok := d.env.(env.Benchmark)
	for _, i := range d.x.Tasks {
		h := held{i, tasks[i].Steps, tasks[i].Says}
		if ok && b.Conduct().Tau2 {
			h.ID = tasks[i].ID
		}
		golds = append(golds, h)
	}
	references, err := encodeIndented(object{"tasks": golds})
	if err != nil {
		return err
	}
	rewarded := 0
	for _, r := range d.past.runs {
		rewarded += int(r.Reward)
	}
	spent := d.meter.totalSpent()
	summary, err := encodeIndented(object{"experiment": d.x, "runs": len(d.past.runs), "of": d.x.Trials * len(d.x.Tasks), "rewarded": rewarded,
		"tokens": spent, "cost": d.meter.usageCost(spent)})
	if err != nil {
		return err
	}
	for name, text := range map[string][]byte{"results.json": rows, "references.json": references, "summary.json": summary} {
		file := filepath.Join(d.o.Dir, name)
		if err := os.WriteFile(file+".new", text, 0o644); err != nil {
			return err
		}
		if err := os.Rename(file+".new", file); err != nil {
			return err
		}
	}
	return nil
}
