package plugins_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/hostile"
	"github.com/boundcheck/boundcheck/plugins/host"
	"github.com/boundcheck/boundcheck/plugins/meter"
)

// engine is one environment of the JavaScript host, with what its tests need.
type engine struct {
	name    string
	needs   []string // required files, relative to the repository's root
	program string   // at least one of these programs is required
}

func allEngines() []engine {
	return []engine{
		{name: "node"},
		{name: "chromium", needs: []string{"node_modules/playwright-core/package.json"}, program: "chromium chromium-browser google-chrome"},
		{name: "workerd", needs: []string{"node_modules/workerd/bin/workerd"}},
	}
}

// job is a module with its requests. Answers are base64, or "! code message". An engine
// with a clock adds a tab and how many milliseconds the call took.
type job struct {
	Name     string   `json:"name"`
	File     string   `json:"file"`
	Requests []string `json:"requests"`
	Work     int      `json:"work"`              // in quanta of the meter
	Reuse    bool     `json:"reuse"`             // one request loads an environment, which later ones need
	Timeout  int      `json:"timeout,omitempty"` // of a call, in milliseconds

	wasm  []byte
	check func(t *testing.T, answers []string)
}

// TestJavaScript starts every engine, Chromium among them, which takes seconds. It runs the
// requests of TestNative and TestWazero on the JavaScript plugin host in each of them.
func TestJavaScript(t *testing.T) {
	for _, e := range allEngines() {
		t.Run(e.name, func(t *testing.T) {
			e.skipIfMissing(t)
			jobs := slices.Concat(e.conformanceJobs(t), e.sandboxJobs(t), e.hostileJobs(t), e.deadlineJobs(t))
			answers := e.runJobs(t, jobs)
			for i, j := range jobs {
				j.check(t, answers[i])
			}
		})
	}
}

func (e engine) skipIfMissing(t *testing.T) {
	t.Helper()
	if why := e.missingPart(); why != "" {
		t.Skipf("SKIPPED: %s, the JavaScript plugin host is NOT tested in %s", why, e.name)
	}
}

// missingPart describes a program or file that the tests of the engine need and this
// machine lacks. The result is "" if nothing is missing.
func (e engine) missingPart() string {
	if _, err := exec.LookPath("node"); err != nil {
		return "node is not on PATH"
	}
	for _, f := range e.needs {
		if _, err := os.Stat(filepath.Join("..", filepath.FromSlash(f))); err != nil {
			return "no " + f
		}
	}
	names := strings.Fields(e.program)
	if len(names) > 0 && os.Getenv("CHROMIUM") == "" && !slices.ContainsFunc(names, func(name string) bool {
		_, err := exec.LookPath(name)
		return err == nil
	}) {
		return "no " + names[0] + " on PATH"
	}
	return ""
}

// meterModule returns the metered module, which is the form that engines receive.
func meterModule(t *testing.T, wasm []byte) []byte {
	t.Helper()
	out, err := meter.Rewrite(wasm, meter.Options{Pages: 1024, Plugin: true})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// meteredBundled has the metered modules by their names. To meter them takes seconds.
var meteredBundled = map[string][]byte{}

// meterBundled returns the metered module of a bundled plugin.
func meterBundled(t *testing.T, name string) []byte {
	t.Helper()
	if meteredBundled[name] == nil {
		meteredBundled[name] = meterModule(t, buildModule(t, name))
	}
	return meteredBundled[name]
}

// conformanceJobs returns a job for each plugin. The job sends all conformance cases of
// the plugin twice, so that the second answers come after other calls.
func (e engine) conformanceJobs(t *testing.T) (jobs []job) {
	for name := range bundled {
		var mine []testCase
		j := job{Name: name, wasm: meterBundled(t, name)}
		load := loadRequest(t, name)
		if load != nil {
			j.Reuse = true
			j.addRequest(load)
		}
		for _, c := range readCases(t) {
			if c.plugin == name {
				mine = append(mine, c)
			}
		}
		mine = slices.Concat(mine, mine)
		for _, c := range mine {
			j.addRequest(c.request)
		}
		j.check = func(t *testing.T, answers []string) {
			if load != nil {
				checkLoadAnswer(t, name, decodeAnswer(t, answers[0]))
				answers = answers[1:]
			}
			for i, c := range mine {
				t.Run(filepath.Base(c.path), func(t *testing.T) { c.checkAnswer(t, decodeAnswer(t, answers[i])) })
			}
		}
		jobs = append(jobs, j)
	}
	return jobs
}

func (e engine) sandboxJobs(t *testing.T) []job {
	wasm := buildModule(t, "internal/probe")
	p, err := newHost(t).Load(context.Background(), wasm, host.Manifest{Name: "probe"})
	if err != nil {
		t.Fatal(err)
	}
	want, err := p.Raw(context.Background(), []byte(probe))
	if err != nil {
		t.Fatal(err)
	}
	j := job{Name: "probe", wasm: meterModule(t, wasm)}
	j.addRequest([]byte(probe))
	j.check = func(t *testing.T, answers []string) {
		if got := decodeAnswer(t, answers[0]); !bytes.Equal(got, want) {
			t.Errorf("answer %s\nnative host: %s", got, want)
		}
	}
	return []job{j}
}

// hostileJobs returns a job for every hostile module. The job expects the same error code
// as from the native host. A module that the meter refuses never reaches an engine.
func (e engine) hostileJobs(t *testing.T) (jobs []job) {
	for _, c := range hostile.Cases() {
		metered, err := meter.Rewrite(c.Wasm, meter.Options{Pages: 1024, Plugin: true})
		if err != nil {
			if got := meter.Code(err); got != c.Code {
				t.Errorf("%s: refused as %s, want %s: %v", c.Name, got, c.Code, err)
			}
			continue
		}
		j := job{Name: "bad", wasm: metered}
		j.addRequest([]byte(`{"op":"describe"}`))
		if c.Hang {
			j.Work = 128
		}
		j.check = func(t *testing.T, answers []string) {
			if !strings.HasPrefix(answers[0], `! `+c.Code+` plugin "bad": `) {
				t.Errorf("%s: answer %q, want code %s", c.Name, answers[0], c.Code)
			}
		}
		jobs = append(jobs, j)
	}
	if len(jobs) < 20 {
		t.Fatalf("only %d hostile modules are left", len(jobs))
	}
	claim := job{Name: "bad", wasm: meterModule(t, hostile.Claiming("bad"))}
	claim.addRequest([]byte(`{"op":"equivalence.check","observed":[],"reference":[],"alignment":[]}`))
	claim.check = func(t *testing.T, answers []string) {
		if want := `! invalid-answer plugin "bad": the answer does not fit the request`; !strings.HasPrefix(answers[0], want) {
			t.Errorf("answer %q, want %q", answers[0], want)
		}
	}
	forgets := job{Name: "bad", wasm: meterModule(t, hostile.Remembering("bad"))}
	alice, bob := `{"op":"mine","x":"alice's task 0123456789012345678901234567890123456789"}`, `{"op":"mine","x":"bob's 0123456789012345678901234567890123456789012345"}`
	for _, r := range []string{bob, alice, bob, alice} {
		forgets.addRequest([]byte(r))
	}
	forgets.check = func(t *testing.T, answers []string) {
		if slices.Sort(answers); answers[0] != answers[3] || strings.Contains(string(decodeAnswer(t, answers[0])), "alice") {
			t.Errorf("answers differ by what was asked before: %s and %s", decodeAnswer(t, answers[0]), decodeAnswer(t, answers[3]))
		}
	}
	return append(jobs, claim, forgets)
}

// deadlineJobs returns jobs that check the law of TestStops on an engine that has a clock:
// no guest of at most 1 MiB runs longer than twice its deadline. The hanging modules are every
// third one, and with BOUNDCHECK_LONG=1 all of them.
func (e engine) deadlineJobs(t *testing.T) (jobs []job) {
	if e.name == "workerd" {
		return nil // its clock stands still during a call; the work alone stops a guest
	}
	add := func(name string, wasm []byte, deadline int) {
		if metered, err := meter.Rewrite(wasm, meter.Options{Pages: 1024, Plugin: true}); err == nil && len(wasm) <= 1<<20 {
			j := job{Name: "bad", wasm: metered, Timeout: deadline, Work: 1 << 18}
			for range 3 { // a busy machine may stop any one of them
				j.addRequest([]byte(`{"op":"describe"}`))
			}
			j.check = func(t *testing.T, answers []string) { checkDeadline(t, name, answers, deadline) }
			jobs = append(jobs, j)
		}
	}
	for i := range drawn.Cases(3) {
		for _, deadline := range []int{100, 250} {
			seed := uint64(1000*deadline + i)
			add(fmt.Sprintf("graph %d", seed), hostile.NewGraph(seed, false).Wasm, deadline)
		}
	}
	hanging := slices.DeleteFunc(hostile.Cases(), func(c hostile.Case) bool { return !c.Hang })
	for i, c := range hanging {
		if drawn.InShare(i, 3) {
			add(c.Name, c.Wasm, 100)
		}
	}
	return jobs
}

// checkDeadline checks that every call was stopped, and the fastest one in time.
func checkDeadline(t *testing.T, name string, answers []string, deadline int) {
	t.Helper()
	fastest := math.Inf(1)
	for _, a := range answers {
		said, took, _ := strings.Cut(a, "\t")
		ms, err := strconv.ParseFloat(took, 64)
		if err != nil || !strings.HasPrefix(said, "! deadline ") {
			t.Fatalf("%s: answer %q, want a deadline", name, a)
		}
		fastest = min(fastest, ms)
	}
	if fastest > float64(2*deadline) {
		t.Errorf("%s: ran for %.0f ms with a deadline of %d ms", name, fastest, deadline)
	}
}

func (j *job) addRequest(request []byte) {
	j.Requests = append(j.Requests, base64.StdEncoding.EncodeToString(request))
}

func decodeAnswer(t *testing.T, answer string) []byte {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString(answer)
	if err != nil {
		t.Fatal(answer)
	}
	return b
}

// runJobs runs the jobs on the engine, all in one process.
func (e engine) runJobs(t *testing.T, jobs []job) (answers [][]string) {
	t.Helper()
	dir := t.TempDir()
	for i := range jobs {
		j := &jobs[i]
		if j.Work == 0 {
			j.Work = 1 << 13
		}
		j.File = fmt.Sprintf("%d.wasm", i)
		if err := os.WriteFile(filepath.Join(dir, j.File), j.wasm, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list, err := json.Marshal(jobs)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "jobs.json"), list, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(max(3, drawn.Cases(3)))*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", "hostjs/test/"+e.name+".mjs", dir)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &answers)
	}
	if err != nil || len(answers) != len(jobs) {
		t.Fatalf("%s: %d answers to %d jobs, %v\n%s%s", e.name, len(answers), len(jobs), err, out, stderr.Bytes())
	}
	return answers
}
