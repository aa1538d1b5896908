package cli

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/internal/cli/clitest"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/hostile"
	"github.com/boundcheck/boundcheck/internal/recordings"
)

// TestPluginSynonyms checks that a plugin can declare that several tools do the same, or
// that one tool does the work of several others. An invalid declaration must cause an
// error before a run is scored.
func TestPluginSynonyms(t *testing.T) {
	dir := t.TempDir()
	describe := func(synonyms string) string {
		return `{"ok":{"abi":1,"name":"synonyms","version":"1.0.0","summary":"","operations":["describe","equivalence.check"],` + synonyms +
			`"excused":[],"blamed":[],"replay":{"stateEqual":true,"success":true,"differences":[],"calls":[]}}}`
	}
	const body = `{"trace":[{"name":"zap_thing","arguments":{"id":"a1"}},{"name":"grab","arguments":{"id":"b2"}},{"name":"ship_off","arguments":{"id":"b2"}}],
		"reference":["kill_widget(id=a1)","deliver_crate(id=b2)"],"profile":"outcome"}`
	path := filepath.Join(dir, "synonyms.wasm")
	for synonyms, want := range map[string]string{
		``: "2 findings",
		`"aliases":[["zap_thing","kill_widget"]],"compositions":[{"whole":"deliver_crate","parts":["grab","ship_off"]}],`: "no finding",
		`"aliases":[["zap_thing"]],`:                                      "invalid answer to describe: invalid entry 1 of aliases: want two or more names",
		`"compositions":[{"whole":"deliver_crate","parts":["grab",""]}],`: "invalid answer to describe: invalid entry 1 of compositions",
	} {
		clitest.SpoilFile(t, dir, "synonyms.wasm", string(hostile.Honest(describe(synonyms))))
		code, out, errs := runCommand(body, "score", "-", "--plugin", path, "--format", "json")
		if strings.HasPrefix(want, "invalid") {
			if code != cmd.ExitInput || !strings.Contains(errs, want) {
				t.Errorf("%s: exit %d, %s", synonyms, code, errs)
			}
			continue
		}
		var r core.Report
		if err := json.Unmarshal([]byte(out), &r); err != nil || code != cmd.ExitOK {
			t.Fatalf("%s: exit %d, %v, %s", synonyms, code, err, errs)
		}
		if flagged := r.Trajectories[0].Flagged; flagged != (want == "2 findings") {
			t.Errorf("%s: %+v", synonyms, r.Trajectories[0].Violations)
		}
	}
}

// TestReplayFidelity replays runs on the benchmark's databases, and compares the result
// with the benchmark's own replay. Exactly the failed runs must be flagged. The report
// must say if a recorded reward is wrong. It replays every second file, and with BOUNDCHECK_LONG=1 all.
func TestReplayFidelity(t *testing.T) {
	data := recordings.Read(t, "tau-bench/replay_labels.jsonl")
	type label struct {
		File     string
		Index    int
		Recorded float64 `json:"reward_recorded"`
		Replayed float64 `json:"reward_replayed"`
	}
	truth := map[string][]label{}
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		var l label
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		truth[l.File] = append(truth[l.File], l)
	}
	for n, file := range slices.Sorted(maps.Keys(truth)) {
		if !drawn.InShare(n, 2) {
			continue
		}
		labels := truth[file]
		code, out, errs := runCommand("", "score", "--format", "json", "--env-data", recordings.Path(t, "tau-bench/env"), recordings.Path(t, "tau-bench/"+file))
		var r core.Report
		if err := json.Unmarshal([]byte(out), &r); err != nil || code != 0 {
			t.Fatalf("%s: exit %d, %v, %s", file, code, err, errs)
		}
		if len(r.Plugins) != 1 || r.Plugins[0].Name != "taubench" || len(r.Plugins[0].SHA256) != 64 {
			t.Errorf("%s: plugins %+v", file, r.Plugins)
		}
		flagged, missed, contradicted := 0, 0, 0
		for _, l := range labels {
			x := r.Trajectories[l.Index]
			if x.Replay == nil || x.Replay.Success != (l.Replayed == 1) || x.Replay.Contradicted != (l.Recorded != l.Replayed) {
				t.Errorf("%s run %d: replay %+v, the benchmark's own is %v (recorded %v)", file, l.Index, x.Replay, l.Replayed, l.Recorded)
				continue
			}
			switch {
			case x.Flagged && x.Replay.Success:
				flagged++
				t.Logf("%s run %d is flagged: %s", file, l.Index, x.Violations[0].Reason)
			case !x.Flagged && !x.Replay.Success:
				missed++
			}
			if x.Replay.Contradicted {
				contradicted++
			}
		}
		t.Logf("%-28s with replay: flagged %d successes, missed %d failures of %d runs; %d recorded outcomes contradicted", file, flagged, missed, len(labels), contradicted)
		if flagged+missed > 0 {
			t.Errorf("%s: %d flagged successes, %d missed failures", file, flagged, missed)
		}
	}
}

// TestReplayTable replays the runs in the small recorded files of τ²-bench, with
// BOUNDCHECK_LONG=1 in each of them, and logs how well the flags agree with the outcomes.
func TestReplayTable(t *testing.T) {
	for _, name := range recordings.Small(t, recordings.Glob(t, "tau2/*.json")) {
		f := recordings.Path(t, name)
		code, out, errs := runCommand("", "score", "--format", "json", "--env-data", recordings.Path(t, "tau-bench/env"), f)
		var r core.Report
		if err := json.Unmarshal([]byte(out), &r); err != nil || code != 0 {
			t.Fatalf("%s: exit %d, %v, %s", f, code, err, errs)
		}
		replayed := 0
		for _, x := range r.Trajectories {
			if x.Replay != nil {
				replayed++
			}
		}
		if a := r.Corpus.Agreement; a != nil {
			t.Logf("%-56s replayed %2d of %2d: agreement %.3f, flagged %d of %d successes, missed %d of %d failures",
				filepath.Base(f), replayed, r.Corpus.N, a.Value, a.FlaggedSuccesses, a.Successes, a.UnflaggedFailures, a.Failures)
		}
	}
}

func TestCheckerFlags(t *testing.T) {
	check := func(code int, part string, args ...string) {
		t.Helper()
		got, out, errs := runCommand(`[]`, append([]string{"score", "-"}, args...)...)
		if got != code || !strings.Contains(out+errs, part) {
			t.Errorf("%v: exit %d, want %d with %q\n%s%s", args, got, code, part, out, errs)
		}
	}
	check(2, "contradict each other", "--plugin", "taubench", "--no-plugins")
	check(1, "plugins: ", "--plugin", "nosuchplugin", "--plugins", t.TempDir())
	check(1, "plugins: ", "--env-data", filepath.Join(t.TempDir(), "nowhere"))
}

// TestGoalFidelity checks how the ALFWorld checker tests whether a run has reached its
// goal. The test must agree with at least 99% of the recorded results. The runs have no
// reference.
func TestGoalFidelity(t *testing.T) {
	for _, name := range recordings.Glob(t, "alfworld/*.jsonl") {
		f := recordings.Path(t, name)
		code, out, errs := runCommand("", "score", "--format", "json", "--plugin", "alfworld", f)
		var r core.Report
		if err := json.Unmarshal([]byte(out), &r); err != nil || code != 0 {
			t.Fatalf("%s: exit %d, %v, %s", f, code, err, errs)
		}
		agreed, known := 0, 0
		for _, x := range r.Trajectories {
			if x.Replay == nil || x.Success == nil {
				continue
			}
			known++
			if x.Replay.Success == *x.Success {
				agreed++
			}
		}
		t.Logf("%s: the goal test agrees with %d of %d recorded results", filepath.Base(f), agreed, known)
		if known < 500 || float64(agreed) < 0.99*float64(known) {
			t.Errorf("%s: %d of %d", f, agreed, known)
		}
	}
}

// TestBrokenPlugin checks that the command ends with an error if a plugin that the user
// named cannot be used. With --plugin-optional, the run is scored without the plugin, and
// the report has a warning that names it.
func TestBrokenPlugin(t *testing.T) {
	dir := t.TempDir()
	const file = "../../testdata/cases/abb-scope-creep.json"
	clitest.SpoilFile(t, dir, "junk.wasm", "#!/bin/sh\n")
	clitest.SpoilFile(t, dir, "x.lock", `{"alfworld":{"sha256":"`+strings.Repeat("0", 64)+`","version":"0.1.0"}}`)
	clitest.SpoilFile(t, dir, "line.jsonl", `[{"name":"a","arguments":{}}]`+"\n")
	runCommand("", "score", file, "--plugin", "alfworld") // builds it, which is said once
	for part, args := range map[string][]string{
		`plugin "junk": invalid module`:      {"--plugin", "junk", "--plugins", dir},
		`plugin "junk": invalid module: not`: {"--plugin", filepath.Join(dir, "junk.wasm")},
		"(hash-mismatch)":                    {"--plugin", "alfworld", "--plugins-lock", filepath.Join(dir, "x.lock")},
	} {
		for _, score := range [][]string{{"score", file}, {"score", "--stream", filepath.Join(dir, "line.jsonl")}} {
			code, _, errs := runCommand("", append(score, args...)...)
			if code != cmd.ExitInput || !strings.Contains(errs, part) || strings.Count(errs, "\n") > 1 {
				t.Errorf("%v %v: exit %d, want 1 and one line with %q\n%s", score, args, code, part, errs)
			}
		}
		code, out, errs := runCommand("", append([]string{"score", "--format", "json", "--plugin-optional", file}, args...)...)
		if part = strings.ReplaceAll(part, `"`, `\"`); code != cmd.ExitOK || !strings.Contains(out, part) || !strings.Contains(out, `"code":"checker-failed"`) || !strings.Contains(errs, "scored without it") {
			t.Errorf("%v: exit %d, want a warning with %q\n%s\n%s", args, code, part, errs, out)
		}
	}
	code, _, errs := runCommand("", "score", file, "--plugin", "prompts")
	if code == cmd.ExitOK || !strings.Contains(errs, `plugin "prompts" needs one of`) {
		t.Errorf("prompts as a checker: exit %d, %s", code, errs)
	}
}

// TestUselessPlugin checks that the command ends with an error if a plugin fails on every
// run. With --plugin-optional, the runs must be scored without the plugin.
func TestUselessPlugin(t *testing.T) {
	probe, dir := clitest.ProbeFile(t), t.TempDir()
	one := func(task string) string {
		return `{"task":"` + task + `","actions":[{"name":"cancel_order","arguments":{}}],"reference":[{"name":"cancel_order","arguments":{}}]}`
	}
	clitest.SpoilFile(t, dir, "all.json", `{"trajectories":[`+one("panic")+`,`+one("claim")+`]}`)
	clitest.SpoilFile(t, dir, "all.jsonl", one("panic")+"\n"+one("claim")+"\n")
	for _, args := range [][]string{{"score", filepath.Join(dir, "all.json")}, {"score", "--stream", filepath.Join(dir, "all.jsonl")}} {
		args = append(args, "--plugin", probe)
		if code, _, errs := runCommand("", args...); code != cmd.ExitInput || !strings.Contains(errs, `a plugin failed on every run: plugin "probe"`) {
			t.Errorf("%v: exit %d, %s", args, code, errs)
		}
		if code, _, errs := runCommand("", append(args, "--plugin-optional")...); code != cmd.ExitOK || !strings.Contains(errs, "scored without it") {
			t.Errorf("%v optional: exit %d, %s", args, code, errs)
		}
	}
}

// TestSeveralPlugins checks that several plugins can be used in one command, and that
// each judges only the runs that it knows. With --locked, a plugin that the lock does not
// name is refused.
func TestSeveralPlugins(t *testing.T) {
	dir := t.TempDir()
	calls := `[{"name":"get_user_details","arguments":{}},{"name":"get_order_details","arguments":{}},{"name":"cancel_pending_order","arguments":{}}]`
	clitest.SpoilFile(t, dir, "desk.json", `{"trajectories":[{"actions":`+calls+`,"reference":`+calls+`}]}`)
	files := []string{filepath.Join(dir, "desk.json"), "../../testdata/formats/alfworld-react.jsonl"}
	code, out, errs := runCommand("", append([]string{"score", "--format", "json", "--plugin", "alfworld", "--plugin", "taubench"}, files...)...)
	if code != cmd.ExitOK || !strings.Contains(out, `"name":"taubench"`) || strings.Count(errs, "gave a verdict on none of 1 run") != 2 {
		t.Errorf("exit %d, %s\n%.600s", code, errs, out)
	}
	if code, _, errs := runCommand("", "score", files[0], "--plugin", "taubench", "--plugin", "taubench"); code != cmd.ExitUsage || !strings.Contains(errs, "is given twice") {
		t.Errorf("twice: exit %d, %s", code, errs)
	}
	lock := filepath.Join(dir, "plugins.lock")
	if code, _, errs := runCommand("", "plugin", "lock", "alfworld", "--plugins-lock", lock); code != cmd.ExitOK {
		t.Fatal(errs)
	}
	for _, door := range [][]string{{"score", files[0], "--plugin"}, {"plugin", "verify"}, {"plugin", "run", "--op", "describe"}} {
		code, _, errs := runCommand("", append(append(door, "taubench"), "--plugins-lock", lock, "--locked")...)
		if code != cmd.ExitInput || !strings.Contains(errs, `plugin "taubench" is not in the lock`) {
			t.Errorf("%v: exit %d, %s", door, code, errs)
		}
	}
	if code, _, errs := runCommand("", "score", files[1], "--plugin", "alfworld", "--plugins-lock", lock, "--locked"); code != cmd.ExitOK {
		t.Errorf("one that is locked: exit %d, %s", code, errs)
	}
}

// TestEscapes verifies two plugins in full and loads all bundled ones, which takes seconds.
// It checks that no text of a plugin can control the terminal.
func TestEscapes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	esc := "\\u001b]0;x\\u0007\u009b31m"
	describe := `{"ok":{"abi":1,"name":"bad","version":"1` + esc + `","summary":"` + esc + `","operations":["describe","` + esc + `"],"benchmarks":[{"id":"` + esc + `"}]}}`
	clitest.SpoilFile(t, dir, "bad.wasm", string(hostile.Honest(describe)))
	clitest.SpoilFile(t, dir, "worse.wasm", string(hostile.Panicking("\x1b]0;x\x07\u009b31m")))
	for _, args := range [][]string{{"plugin", "list", "--plugins", dir}, {"plugin", "verify", filepath.Join(dir, "bad.wasm")},
		{"plugin", "run", filepath.Join(dir, "bad.wasm"), "--op", "describe"}, {"plugin", "verify", filepath.Join(dir, "worse.wasm")},
		{"score", "../../testdata/cases/abb-scope-creep.json", "--plugin", filepath.Join(dir, "bad.wasm")},
		{"score", "../../testdata/cases/abb-scope-creep.json", "--plugin", filepath.Join(dir, "worse.wasm")}} {
		_, out, errs := runCommand("", args...)
		if strings.ContainsAny(out+errs, "\x1b\x07\u009b") || len(out+errs) == 0 {
			t.Errorf("%v: %q", args, out+errs)
		}
	}
}

// TestDecodingPlugin checks that a plugin reads a format that the core does not know. The
// plugin must not be asked about a format that the core knows.
func TestDecodingPlugin(t *testing.T) {
	probe := clitest.ProbeFile(t)
	dir := t.TempDir()
	clitest.SpoilFile(t, dir, "run.probe", "PROBE\nget_order\ncancel_order\n")
	clitest.SpoilFile(t, dir, "run2.json", `{"probe":"get_order cancel_order","log":[{"step":{"tool_name":"look_around","tool_args":{"a":1}}}]}`)
	clitest.SpoilFile(t, dir, "run.other", "\x00\x01\x02")
	clitest.SpoilFile(t, dir, "run.json", `[{"name":"get_order","arguments":{}}]`)
	score := func(file string) (int, string, string) {
		return runCommand("", "score", "--format", "json", "--plugin-optional", "--plugin", probe, filepath.Join(dir, file))
	}
	code, out, errs := score("run.probe")
	if code != cmd.ExitOK || !strings.Contains(out, `"name":"cancel_order"`) || !strings.Contains(out, `"plugins":[{"name":"probe","version":"1.0.0"`) {
		t.Errorf("a format of the plugin's: exit %d, %s\n%s", code, errs, out)
	}
	if code, out, _ := runCommand("", "score", "--format", "json", filepath.Join(dir, "run2.json")); code != cmd.ExitOK || !strings.Contains(out, `"name":"look_around"`) {
		t.Errorf("the core finds no call in it, so the next check shows nothing: exit %d, %s", code, out)
	}
	if code, out, errs := score("run2.json"); code != cmd.ExitOK || !strings.Contains(out, `"name":"cancel_order"`) || strings.Contains(out, "look_around") {
		t.Errorf("a format of the plugin's in which the core finds calls: exit %d, %s\n%s", code, errs, out)
	}
	if code, out, _ := score("run.json"); code != cmd.ExitOK || strings.Contains(out, `"plugins"`) {
		t.Errorf("a format of the core's: exit %d, %s", code, out)
	}
	if code, out, _ := score("run.other"); code != cmd.ExitInput || !strings.Contains(out, `"error"`) {
		t.Errorf("a format of nobody's: exit %d, %s", code, out)
	}
}

// TestClassifyingPlugin checks who decides whether a tool changes something. The
// operator's table has priority. For other tools, a plugin can make the core's verdict
// stricter, but never milder.
func TestClassifyingPlugin(t *testing.T) {
	probe := clitest.ProbeFile(t)
	dir := t.TempDir()
	clitest.SpoilFile(t, dir, "tools.json", `[{"name":"get_status","description":"Read the rocket's fuel"},{"name":"delete_order"},{"name":"frobnicate"},
		{"name":"get_rocket","description":"Show a rocket"},{"name":"get_order"}]`)
	clitest.SpoilFile(t, dir, "table.json", `{"tools":{"get_rocket":"no"}}`)
	code, out, errs := runCommand("", "tools", "classify", "--plugin", probe, "--table", filepath.Join(dir, "table.json"), "--format", "json", filepath.Join(dir, "tools.json"))
	for _, want := range []string{
		`{"name":"get_status","mutating":"yes","layer":"plugin","reason":"probe: a rocket does not come back"}`,
		`{"name":"delete_order","mutating":"yes","layer":"name"`, `{"name":"frobnicate","mutating":"unknown","layer":"none"`,
		`{"name":"get_rocket","mutating":"no","layer":"table"`, `{"name":"get_order","mutating":"no","layer":"name"`,
	} {
		if code != cmd.ExitOK || !strings.Contains(out, want) {
			t.Errorf("exit %d, %s: no %s in\n%s", code, errs, want, out)
		}
	}
	if code, _, errs := runCommand("", "tools", "classify", "--plugin", "prompts", filepath.Join(dir, "tools.json")); code == cmd.ExitOK || !strings.Contains(errs, "(op-not-described)") {
		t.Errorf("prompts as a classifier: exit %d, %s", code, errs)
	}
}

// TestToldPlugins checks the message about each plugin's contribution. It also checks the
// log of the plugin's requests, which the user can ask for.
func TestToldPlugins(t *testing.T) {
	dir := t.TempDir()
	file, log := "../../testdata/formats/tau-bench.json", filepath.Join(dir, "log.jsonl")
	for want, args := range map[string][]string{
		"not asked, because the plugin supports none of these runs": {"--plugin", "taubench", "--plugin", "webarena"},
		"boundcheck: plugin taubench ":                              {"--plugin", "taubench", "--plugin-log", log},
	} {
		code, _, errs := runCommand("", append([]string{"score", file}, args...)...)
		if code != cmd.ExitOK || !strings.Contains(errs, want) {
			t.Errorf("%v: exit %d, want %q in\n%s", args, code, want, errs)
		}
	}
	b, err := os.ReadFile(log)
	var line struct {
		Plugin  string
		Request struct{ Op string }
		Answer  struct{ OK json.RawMessage }
	}
	if first, _, _ := strings.Cut(string(b), "\n"); err != nil || json.Unmarshal([]byte(first), &line) != nil ||
		line.Plugin != "taubench" || line.Request.Op != "equivalence.check" || line.Answer.OK == nil {
		t.Errorf("log %s, %v", b, err)
	}
}
