package score

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/stage/violation"
	"github.com/boundcheck/boundcheck/internal/recordings"
)

// lintFiles holds the recorded runs with known outcomes.
var lintFiles = []string{"tau-bench/*.json", "tau2/*.json", "swe-bench/*.jsonl", "webarena/*slim.jsonl", "osworld/*361.jsonl",
	"theagentcompany/*.jsonl", "alfworld/*.jsonl"}

// heldOut reports whether a run is kept back, so that rules are not tuned on it. A fixed
// hash selects about a third of the runs. For τ-bench and τ²-bench it is the hash of the
// file, and for other benchmarks it is the hash of the task.
func heldOut(file, task string) bool {
	of := task
	if isDesk(file) {
		of = file
	}
	return sha256.Sum256([]byte(of))[0]%3 == 0
}

// lintTally counts flags against outcomes, for all rules and for each.
type lintTally struct {
	all   crossing
	rules map[string]*[2]int // runs with the rule: among successes, among failures
	hints map[string]*[2]int
	works map[[2]string]*[2]int      // by rule and sort of work, hints too
	from  map[string]map[string]bool // of each rule, the folders of the recordings in which it was seen
}

func newLintTally() *lintTally {
	return &lintTally{rules: map[string]*[2]int{}, hints: map[string]*[2]int{}, works: map[[2]string]*[2]int{}, from: map[string]map[string]bool{}}
}

func (l *lintTally) addRun(source string, run *report.Trajectory, success bool) {
	l.all.addRun(run.Flagged, success)
	seen := map[string]bool{}
	for _, v := range run.Violations {
		if seen[v.Rule] {
			continue
		}
		seen[v.Rule] = true
		if v.Hint {
			countOutcome(l.hints, v.Rule, success, 1)
		} else {
			countOutcome(l.rules, v.Rule, success, 1)
		}
		if v.Confidence != violation.Unsure {
			countOutcome(l.works, [2]string{v.Rule, run.Work}, success, 1)
			l.addSources(v.Rule, map[string]bool{source: true})
		}
		if v.Rule == violation.InstructedByData && !seen[violation.UnaskedChange] { // nobody asked there either
			seen[violation.UnaskedChange] = true
			countOutcome(l.works, [2]string{violation.UnaskedChange, run.Work}, success, 1)
			l.addSources(violation.UnaskedChange, map[string]bool{source: true})
		}
	}
}

func (l *lintTally) addSources(rule string, sources map[string]bool) {
	if l.from[rule] == nil {
		l.from[rule] = map[string]bool{}
	}
	maps.Copy(l.from[rule], sources)
}

func countOutcome[K comparable](in map[K]*[2]int, key K, success bool, n int) {
	if in[key] == nil {
		in[key] = &[2]int{}
	}
	if success {
		in[key][0] += n
	} else {
		in[key][1] += n
	}
}

func (l *lintTally) merge(o *lintTally) {
	l.all.good += o.all.good
	l.all.flaggedGood += o.all.flaggedGood
	l.all.bad += o.all.bad
	l.all.missedBad += o.all.missedBad
	addCounts(l.rules, o.rules)
	addCounts(l.hints, o.hints)
	addCounts(l.works, o.works)
	for rule, from := range o.from {
		l.addSources(rule, from)
	}
}

func addCounts[K comparable](to, from map[K]*[2]int) {
	for key, n := range from {
		countOutcome(to, key, true, n[0])
		countOutcome(to, key, false, n[1])
	}
}

func (l *lintTally) precision() float64 {
	hit := l.all.bad - l.all.missedBad
	return fractionOf(hit, hit+l.all.flaggedGood)
}

func (l *lintTally) recall() float64 { return fractionOf(l.all.bad-l.all.missedBad, l.all.bad) }

func (l *lintTally) String() string {
	c := &l.all
	var b strings.Builder
	fmt.Fprintf(&b, "%4d runs  flagged %3d of %3d successes (%4.1f %%) and %3d of %3d failures  precision %.2f  recall %.2f",
		c.good+c.bad, c.flaggedGood, c.good, 100*fractionOf(c.flaggedGood, c.good), c.bad-c.missedBad, c.bad, l.precision(), l.recall())
	for _, kind := range [...]struct {
		what string
		of   map[string]*[2]int
	}{{"", l.rules}, {"hint ", l.hints}} {
		for _, rule := range slices.Sorted(maps.Keys(kind.of)) {
			n := kind.of[rule]
			fmt.Fprintf(&b, "\n      %-30s %3d successes %3d failures  %.2f", kind.what+rule, n[0], n[1], fractionOf(n[1], n[0]+n[1]))
		}
	}
	return b.String()
}

// resolvedRuns returns the tasks that were solved according to the result lists of
// SWE-bench. It returns nil for files that contain their own outcomes.
func resolvedRuns(t *testing.T, name string) map[string]bool {
	if path.Dir(name) != "swe-bench" {
		return nil
	}
	out := map[string]bool{}
	for _, list := range recordings.Glob(t, "swe-bench/*results.json") {
		text := string(recordings.Read(t, list))
		_, rest, _ := strings.Cut(text, `"resolved"`)
		rest, _, _ = strings.Cut(rest, "]")
		for i, part := range strings.Split(rest, `"`) {
			if i%2 == 1 {
				out[part] = true
			}
		}
	}
	return out
}

// isDesk reports whether a recorded file is from τ-bench or τ²-bench, in which the agents
// work at service desks.
func isDesk(file string) bool { return strings.HasPrefix(file, "tau") }

// lintAll evaluates recorded files without their references, and returns the runs of each
// file. It evaluates all files of τ-bench and τ²-bench together, because several of them
// have the same tasks. It evaluates each other file separately.
func lintAll(t *testing.T, names []string) map[string][]report.Trajectory {
	t.Helper()
	out := map[string][]report.Trajectory{}
	var desks []Source
	read := func(sources ...Source) {
		r, err := Evaluate(Request{Inputs: sources, Options: Options{Unreferenced: true}})
		if err != nil {
			t.Fatal(err)
		}
		if len(sources) == 1 {
			out[sources[0].Name] = r.Trajectories
			return
		}
		at := 0
		for _, f := range r.Input.Files {
			out[f.Name] = r.Trajectories[at : at+f.Trajectories]
			at += f.Trajectories
		}
	}
	for _, name := range names {
		source := Source{Name: name, Data: recordings.Read(t, name)}
		if isDesk(name) {
			desks = append(desks, source)
		} else {
			read(source)
		}
	}
	if len(desks) > 0 {
		read(desks...)
	}
	return out
}

// TestLintFidelity prints how many successes and failures the lint flags in every
// recorded file with known outcomes. It does not use the references in the files. These
// environment variables change the test:
//
//   - LINT_TUNE leaves out the runs for which heldOut is true.
//   - LINT_SHOW=true also lists the findings in successes.
//   - LINT_SHOW="false RULE" lists the findings of a rule in failures.
func TestLintFidelity(t *testing.T) {
	truth := readReplayLabels(t)
	tuning := os.Getenv("LINT_TUNE") != ""
	total, desk, aside := newLintTally(), newLintTally(), newLintTally()
	var asked [2]askedCount // by whether a file is of service desks
	names := recordings.Glob(t, lintFiles...)
	runs := lintAll(t, names)
	for _, name := range names {
		l, held, resolved := newLintTally(), newLintTally(), resolvedRuns(t, name)
		for i := range runs[name] {
			run := &runs[name][i]
			success := run.Success
			if replayed, known := truth[path.Base(name)][i]; known {
				success = &replayed
			}
			if resolved != nil {
				done := resolved[run.Task]
				success = &done
			}
			if success != nil {
				asked[chooseInt(isDesk(name), 1, 0)].addRun(run, *success)
			}
			switch {
			case success == nil:
			case !heldOut(name, run.Task):
				l.addRun(path.Dir(name), run, *success)
				showLint(t, name, i, run, *success)
			case !tuning:
				held.addRun(path.Dir(name), run, *success)
			}
		}
		for _, x := range [...]struct {
			what string
			of   *lintTally
		}{{"", l}, {" (held out)", held}} {
			if x.of.all.good+x.of.all.bad > 0 {
				t.Logf("%s%s\n    %s", name, x.what, x.of)
			}
			if isDesk(name) {
				desk.merge(x.of)
			}
			total.merge(x.of)
		}
		aside.merge(held)
	}
	if !tuning {
		all := total.all
		addLabelled(t, total)
		checkMeasures(t, total, all.good+all.bad)
	}
	asked[0].checkShare(t, "work with files, pages and windows", 0.05)
	asked[1].checkShare(t, "service desks", 0.01)
	t.Logf("service desks (tau-bench, tau2)\n    %s", desk)
	if !tuning {
		t.Logf("held out of tuning\n    %s", aside)
	}
	t.Logf("all\n    %s", total)
}

// addLabelled adds the chats that people labelled as safe or unsafe to the counts of the
// rules about requests. Other rules have nothing to do with that label.
func addLabelled(t *testing.T, to *lintTally) {
	labelled := newLintTally()
	for _, name := range recordings.Glob(t, "unasked/*.jsonl") {
		runs, unsafe := lintLabelled(t, name)
		for i := range runs {
			labelled.addRun(name, &runs[i], !unsafe[i])
		}
	}
	for key, n := range labelled.works {
		if key[0] == violation.UnaskedChange || key[0] == violation.InstructedByData {
			countOutcome(to.works, key, true, n[0])
			countOutcome(to.works, key, false, n[1])
			to.addSources(key[0], labelled.from[key[0]])
		}
	}
}

// measuredRuns is the number of recorded runs from which the table of measures was
// counted.
const measuredRuns = 2671

// checkMeasures compares the given counts with the table of violation.Measures, and
// reports the lines that differ. If some of the recordings are missing, it compares
// nothing.
func checkMeasures(t *testing.T, all *lintTally, n int) {
	if n != measuredRuns {
		t.Logf("the table of measures was counted over %d runs, here are %d: not compared", measuredRuns, n)
		return
	}
	for _, key := range slices.SortedFunc(maps.Keys(all.works), func(a, b [2]string) int { return strings.Compare(a[0]+a[1], b[0]+b[1]) }) {
		n, known := all.works[key], false
		for _, m := range violation.Measures(key[0]) {
			known = known || m.Written || string(m.Work) == key[1] && m.Right == n[1] && m.Of == n[0]+n[1]
		}
		if !known {
			t.Errorf("the table of measures differs; counted: {%q, %q, %d, %d, false},", key[0], key[1], n[1], n[0]+n[1])
		}
	}
	all.from[violation.InstructedByData] = all.from[violation.UnaskedChange] // the same rule, with the words of the data
	for _, rule := range slices.Sorted(maps.Keys(all.from)) {
		if seen := violation.SeenOf(rule); seen.Runs > 0 && seen.Sources != len(all.from[rule]) {
			t.Errorf("the table of sources differs; counted: {%q, %d},", rule, len(all.from[rule]))
		}
	}
}

// showLint lists those findings of a run that the environment variable LINT_SHOW selects.
func showLint(t *testing.T, name string, i int, run *report.Trajectory, success bool) {
	want := os.Getenv("LINT_SHOW")
	if want == "" {
		return
	}
	for _, v := range run.Violations {
		if want == "all" || strings.HasPrefix(fmt.Sprint(success)+" "+v.Rule, want) {
			t.Logf("%s #%d %s success=%v %s obs %v: %s", name, i, run.ID, success, v.Rule, indexOrMinusOne(v.Obs), v.Reason)
		}
	}
}

func indexOrMinusOne(i *int) int {
	if i == nil {
		return -1
	}
	return *i
}
