package bench_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/math/metric"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/study/compare"
	"github.com/boundcheck/boundcheck/internal/bench"
	"github.com/boundcheck/boundcheck/internal/bench/env"
	"github.com/boundcheck/boundcheck/internal/bench/scripted"
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/prompts"
)

// startServer starts the server of the scripted model.
func startServer(t testing.TB) string {
	t.Helper()
	url, stop, err := (&scripted.Server{Slow: 2 * time.Second}).Serve()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return url + "/v1"
}

func newExperiment(url, model string) bench.Experiment {
	return bench.Experiment{Env: "shop", Trials: 1, Seed: 1, Model: model, Protocol: "openai", Framework: "vanilla", Turns: 30, URL: url}
}

func newOptions(dir string) bench.Options {
	return bench.Options{Dir: dir, Workers: 4, Timeout: time.Minute, Tries: 5, Pause: time.Millisecond, Transport: http.DefaultTransport}
}

// runExperiment runs an experiment and returns the bytes of its results.
func runExperiment(t testing.TB, x bench.Experiment, o bench.Options) []byte {
	t.Helper()
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	if err := bench.Start(context.Background(), x, o); err != nil {
		t.Fatal(err)
	}
	return readResults(t, o.Dir)
}

func readResults(t testing.TB, dir string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "results.json"))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// ebpPrompt returns a variant of EBP's prompt.
func ebpPrompt(t testing.TB, variant string) string {
	t.Helper()
	r, err := prompts.Render(abi.RenderRequest{Template: "ebp-" + variant})
	if err != nil {
		t.Fatal(err)
	}
	return r.Text
}

// scoreRows scores the rows like any other trace file. The references are the steps that
// the environment's tasks require.
func scoreRows(t testing.TB, e string, rows []byte) core.Report {
	t.Helper()
	world, err := env.Open(e)
	if err != nil {
		t.Fatal(err)
	}
	type held struct {
		ID    int             `json:"id"`
		Steps json.RawMessage `json:"steps"`
	}
	var golds []held
	for i, task := range world.Tasks() {
		golds = append(golds, held{i, task.Steps})
	}
	text, err := json.Marshal(map[string]any{"tasks": golds})
	if err != nil {
		t.Fatal(err)
	}
	_, byTask, err := reference.ReadSet(string(text))
	if err != nil {
		t.Fatal(err)
	}
	report, err := core.Evaluate(core.Request{Inputs: []core.Source{{Data: rows}}, References: byTask, Options: core.Options{Profile: "sop"}})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func countFlagged(r *core.Report) (n int) {
	for i := range r.Trajectories {
		if len(r.Trajectories[i].Violations) > 0 {
			n++
		}
	}
	return n
}

// TestGrid makes each of its experiments twice, which takes seconds. There is one for each
// combination of environment, framework, EBP prompt and SABER. It is also replayed without
// a network, and all three must produce the same bytes. With the EBP prompt, no run may be
// flagged. make nightly (BOUNDCHECK_LONG=1) runs all combinations, and otherwise every third
// one is run: each environment and framework, with and without the prompt and SABER.
func TestGrid(t *testing.T) {
	url := startServer(t)
	long, cells := os.Getenv("BOUNDCHECK_LONG") != "", 0
	for _, world := range []string{"shop", "files"} {
		for _, framework := range bench.Frameworks {
			for _, prompt := range []string{"", ebpPrompt(t, "full")} {
				for _, saber := range []bench.Saber{{}, {Verify: true, Reflect: true, Blocks: 3}} {
					if cells++; !long && cells%3 != 0 {
						continue
					}
					x := newExperiment(url, "scripted:blind")
					x.Env, x.Framework, x.Prompt, x.Saber = world, framework, prompt, saber
					checkGridCell(t, x)
				}
			}
		}
	}
}

// checkGridCell makes and checks one experiment of TestGrid.
func checkGridCell(t *testing.T, x bench.Experiment) {
	cell := fmt.Sprintf("%s, %s, EBP %t, SABER %t", x.Env, x.Framework, x.Prompt != "", x.Saber.Verify)
	o := newOptions(t.TempDir())
	rows := runExperiment(t, x, o)
	if again := runExperiment(t, x, newOptions(t.TempDir())); !bytes.Equal(rows, again) {
		t.Fatalf("%s: two runs differ", cell)
	}
	replayed, err := bench.Replay(context.Background(), o.Dir, nil)
	if err != nil || !bytes.Equal(rows, replayed) {
		t.Fatalf("%s: the replay differs (%v)", cell, err)
	}
	report := scoreRows(t, x.Env, rows)
	n := countFlagged(&report)
	t.Logf("%s: %d of %d flagged, SR %.2f", cell, n, len(report.Trajectories), *report.Corpus.Metrics.SR.Value)
	switch {
	case x.Prompt != "" && n > 0, x.Prompt == "" && !x.Saber.Verify && n != 12:
		t.Errorf("%s: %d of 12 flagged", cell, n)
	case x.Prompt == "" && x.Saber.Verify && n >= 12:
		t.Errorf("%s: SABER keeps no run from its trap", cell)
	}
}

// TestPromptIsRead checks that the scripted model reacts to sentences in the prompt and
// to nothing else. The model makes its mistakes if EBP's sentence against them is removed
// or changed. It makes none if another prompt has a sentence with the same words.
func TestPromptIsRead(t *testing.T) {
	url := startServer(t)
	x := newExperiment(url, "scripted:blind?types=over-action,under-action")
	flags := func(prompt string) int {
		x.Prompt = prompt
		report := scoreRows(t, x.Env, runExperiment(t, x, newOptions("")))
		return countFlagged(&report)
	}
	scope := ebpPrompt(t, "scope")
	if n := flags(""); n != 4 {
		t.Errorf("without a prompt %d are flagged, want 4", n)
	}
	if n := flags(scope); n != 0 {
		t.Errorf("with the scope prompt %d are flagged", n)
	}
	if n := flags(strings.ReplaceAll(scope, "exactly the entities", "some entities")); n != 4 {
		t.Errorf("with the sentence changed %d are flagged, want 4", n)
	}
	if n := flags("The scope is limited to what was asked."); n != 0 {
		t.Errorf("with a sentence of our own %d are flagged", n)
	}
	if n := flags(ebpPrompt(t, "granularity")); n != 4 {
		t.Errorf("with the granularity prompt %d are flagged, want 4", n)
	}
}

// TestSaberParts checks the two parts of SABER, verification and reflection. Each part
// alone must reduce the number of flagged runs. Both together must leave no more flagged
// runs than one part alone.
func TestSaberParts(t *testing.T) {
	url := startServer(t)
	flags := func(s bench.Saber) int {
		x := newExperiment(url, "scripted:blind")
		x.Saber = s
		report := scoreRows(t, x.Env, runExperiment(t, x, newOptions("")))
		return countFlagged(&report)
	}
	none, verify, reflect := flags(bench.Saber{}), flags(bench.Saber{Verify: true}), flags(bench.Saber{Reflect: true})
	both, aux := flags(bench.Saber{Verify: true, Reflect: true}), flags(bench.Saber{Reflect: true, Aux: "scripted:careful"})
	t.Logf("flagged of 12: none %d, verify %d, reflect %d, both %d, reflect with an auxiliary model %d", none, verify, reflect, both, aux)
	if none != 12 || verify >= none || reflect >= none || both > min(verify, reflect) {
		t.Error("a part does not help, or both help less than one")
	}
}

// TestProtocols checks that the same model over OpenAI's and over Anthropic's protocol
// produces the same rows.
func TestProtocols(t *testing.T) {
	url := startServer(t)
	x := newExperiment(url, "scripted:blind?rate=0.5")
	rows := runExperiment(t, x, newOptions(""))
	x.Protocol = "anthropic"
	if other := runExperiment(t, x, newOptions("")); !bytes.Equal(rows, other) {
		t.Error("the protocols lead to different rows")
	}
	x.User = "scripted:careful"
	if other := runExperiment(t, x, newOptions("")); len(other) < len(rows)/2 {
		t.Error("with a model as the user there is hardly a row")
	}
}

// TestMisbehaving checks that time-outs, status 429, incomplete answers and broken JSON
// change nothing in the results except the model's name.
func TestMisbehaving(t *testing.T) {
	url := startServer(t)
	o := newOptions("")
	o.Timeout = 500 * time.Millisecond
	rows := runExperiment(t, newExperiment(url, "scripted:misbehaving?fail=0.3"), o)
	if careful := runExperiment(t, newExperiment(url, "scripted:careful"), newOptions("")); !bytes.Equal(rows, careful) {
		t.Error("faults changed the results")
	}
}

// TestBudget checks that the budget is not exceeded. With a larger budget the experiment
// continues where it stopped, and repeats no exchange.
func TestBudget(t *testing.T) {
	url := startServer(t)
	x := newExperiment(url, "scripted:careful")
	o := newOptions(t.TempDir())
	counting := &counted{next: http.DefaultTransport}
	o.Transport = counting
	o.Budget.Tokens = 40_000
	err := bench.Start(context.Background(), x, o)
	if err == nil || !strings.Contains(err.Error(), "budget is spent") {
		t.Fatalf("it ends with %v", err)
	}
	var summary struct {
		Runs   int
		Tokens struct {
			In  int `json:"prompt_tokens"`
			Out int `json:"completion_tokens"`
		}
	}
	text, err := os.ReadFile(filepath.Join(o.Dir, "summary.json"))
	if err == nil {
		err = json.Unmarshal(text, &summary)
	}
	if used := summary.Tokens.In + summary.Tokens.Out; err != nil || used == 0 || used > o.Budget.Tokens || summary.Runs == 12 {
		t.Errorf("%d tokens of %d, %d runs, %v", used, o.Budget.Tokens, summary.Runs, err)
	}
	o.Budget.Tokens = 0
	rows := runExperiment(t, x, o)
	whole := &counted{next: http.DefaultTransport}
	o = newOptions("")
	o.Transport = whole
	if !bytes.Equal(rows, runExperiment(t, x, o)) {
		t.Error("an experiment in two parts has other results")
	}
	if counting.n.Load() != whole.n.Load() {
		t.Errorf("%d requests in two parts, %d in one", counting.n.Load(), whole.n.Load())
	}
}

// TestRefusals checks that settings which cannot work are refused at once.
func TestRefusals(t *testing.T) {
	url := startServer(t)
	for want, change := range map[string]func(*bench.Experiment){
		"unknown environment": func(x *bench.Experiment) { x.Env = "bank" },
		"unknown framework":   func(x *bench.Experiment) { x.Framework = "magic" },
		"unknown protocol":    func(x *bench.Experiment) { x.Protocol = "smoke" },
		"unknown task 12":     func(x *bench.Experiment) { x.Tasks = []int{12} },
		"listed twice":        func(x *bench.Experiment) { x.Tasks = []int{1, 1} },
		"at least 1, or 0":    func(x *bench.Experiment) { x.Answer = -1 },
		"--temperature and --reasoning cannot be used together": func(x *bench.Experiment) { x.Reasoning, x.Temperature = true, 1 },
		"at least one trial":       func(x *bench.Experiment) { x.Trials = 0 },
		"answered with status 404": func(x *bench.Experiment) { x.Model = "scripted:wild" },
	} {
		x := newExperiment(url, "scripted:careful")
		change(&x)
		if err := bench.Start(context.Background(), x, newOptions(t.TempDir())); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	o := newOptions(t.TempDir())
	runExperiment(t, newExperiment(url, "scripted:careful"), o)
	if err := bench.Start(context.Background(), newExperiment(url, "scripted:blind"), o); err == nil || !strings.Contains(err.Error(), "an experiment with other settings") {
		t.Errorf("a folder of another experiment: %v", err)
	}
	if _, err := bench.Replay(context.Background(), t.TempDir(), nil); err == nil {
		t.Error("an empty folder was replayed")
	}
}

// TestKilledHelper is the process that TestKilled kills.
func TestKilledHelper(t *testing.T) {
	url, dir := os.Getenv("BENCH_KILLED_URL"), os.Getenv("BENCH_KILLED_DIR")
	if dir == "" {
		t.Skip("SKIPPED: a helper of TestKilled")
	}
	o := newOptions(dir)
	o.Transport = slow{http.DefaultTransport}
	if err := bench.Start(context.Background(), killedExperiment(url), o); err != nil {
		t.Fatal(err)
	}
}

func killedExperiment(url string) bench.Experiment {
	x := newExperiment(url, "scripted:blind?rate=0.5")
	x.Saber = bench.Saber{Verify: true, Reflect: true}
	return x
}

// TestKilled kills an experiment at ten random points and continues it each time. No run
// is lost or occurs twice, and the results equal those of an experiment without
// interruption.
func TestKilled(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: kills by signal")
	}
	url, dir, temp := startServer(t), t.TempDir(), t.TempDir()
	random := rand.New(rand.NewPCG(1, 2))
	deaths := 0
	for range 10 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilledHelper$")
		cmd.Env = append(os.Environ(), "BENCH_KILLED_URL="+url, "BENCH_KILLED_DIR="+dir, "TMPDIR="+temp) // a killed process leaves its store
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(60+random.IntN(120)) * time.Millisecond)
		cmd.Process.Kill()
		var exit *exec.ExitError
		if err := cmd.Wait(); errors.As(err, &exit) && !exit.Exited() {
			deaths++
		}
	}
	if deaths == 0 {
		t.Error("no kill came in time")
	}
	journal, _ := os.ReadFile(filepath.Join(dir, "journal.jsonl"))
	t.Logf("%d of 10 killed; the journal had %d bytes then", deaths, len(journal))
	rows := runExperiment(t, killedExperiment(url), newOptions(dir)) // an error if a run occurs twice
	if !bytes.Equal(rows, runExperiment(t, killedExperiment(url), newOptions(""))) {
		t.Error("killed and resumed, the results are others")
	}
}

// skipLongTest skips a test that takes minutes, if BOUNDCHECK_EXPERIMENTS is not set.
func skipLongTest(t *testing.T) {
	if os.Getenv("BOUNDCHECK_EXPERIMENTS") == "" {
		t.Skip("SKIPPED: takes minutes; BOUNDCHECK_EXPERIMENTS=1 runs it")
	}
}

// TestThousand makes about 1,000 runs at the same time.
func TestThousand(t *testing.T) {
	skipLongTest(t)
	x := newExperiment(startServer(t), "scripted:blind?rate=0.5")
	x.Trials, x.Saber = 84, bench.Saber{Verify: true, Reflect: true}
	o := newOptions(t.TempDir())
	o.Workers = 1008
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 1008
	o.Transport = transport
	most, stop := uint64(0), make(chan struct{})
	go func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(50 * time.Millisecond):
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				most = max(most, m.Sys)
			}
		}
	}()
	began := time.Now()
	rows := runExperiment(t, x, o)
	close(stop)
	t.Logf("%d runs at once in %v, %d MB of the system's memory", x.Trials*12, time.Since(began).Round(time.Millisecond), most>>20)
	if n := bytes.Count(rows, []byte(`"reward"`)); n != 1008 || most > 2<<30 {
		t.Errorf("%d runs, %d MB", n, most>>20)
	}
}

// TestEffectIsFound checks that compare finds an effect of known size. Runs without EBP
// make half of the possible mistakes, and runs with EBP make none. In at least 95 of 100
// repetitions, the computed interval must contain the known effect.
func TestEffectIsFound(t *testing.T) {
	skipLongTest(t)
	url := startServer(t)
	const repetitions = 100
	want := map[string]float64{"SR": 0.5 * 5 / 12, "flagged": -0.5}
	held := map[string]int{}
	for seed := range repetitions {
		x := newExperiment(url, "scripted:blind?rate=0.5")
		x.Seed, x.Trials = uint64(seed), 4
		before := scoreRows(t, x.Env, runExperiment(t, x, newOptions(t.TempDir())))
		x.Prompt = ebpPrompt(t, "full")
		after := scoreRows(t, x.Env, runExperiment(t, x, newOptions(t.TempDir())))
		c, err := compare.Reports(&before, &after, 1, metric.BoundaryAware)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range c.Figures {
			if effect, ok := want[f.Name]; ok && f.Delta.Interval != nil && f.Delta.Interval.Low <= effect && effect <= f.Delta.Interval.High {
				held[f.Name]++
			}
		}
	}
	t.Logf("of %d intervals %v hold the effect", repetitions, held)
	for name := range want {
		if held[name] < 95 {
			t.Errorf("%s: %d of %d intervals hold the effect", name, held[name], repetitions)
		}
	}
}
