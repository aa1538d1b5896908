package compare

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// evaluateRows evaluates rows in the project's own format.
func evaluateRows(t *testing.T, files ...string) *report.Report {
	t.Helper()
	var r core.Request
	for i, rows := range files {
		r.Inputs = append(r.Inputs, core.Source{Name: fmt.Sprintf("f%d.json", i+1), Data: []byte(`{"trajectories":[` + rows + `]}`)})
	}
	out, err := core.Evaluate(r)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 1 {
		out.Input.Files = []report.File{{Name: "f1.json", Trajectories: len(out.Trajectories)}}
	}
	return &out
}

// runRow returns a run of a task whose reference is a read and a cancellation.
func runRow(task string, trial int, success bool, calls ...string) string {
	var actions []string
	for _, c := range calls {
		actions = append(actions, `{"name":"`+c+`","arguments":{"id":"A","n":1}}`)
	}
	return fmt.Sprintf(`{"task":%q,"trial":%d,"success":%v,"actions":[%s],"reference":[{"name":"get_order","arguments":{"id":"A","n":1},"required":true},{"name":"cancel_order","arguments":{"id":"A","n":1}}]}`,
		task, trial, success, strings.Join(actions, ","))
}

func compareReports(t *testing.T, a, b *report.Report) Comparison {
	t.Helper()
	c, err := Reports(a, b, report.DefaultSeed, 0.8)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := json.Marshal(c); err != nil {
		t.Fatal(err)
	}
	return c
}

func figureOf(c *Comparison, name string) *Figure {
	i := slices.IndexFunc(c.Figures, func(f Figure) bool { return f.Name == name })
	return &c.Figures[i]
}

func TestReports(t *testing.T) {
	a := evaluateRows(t, runRow("1", 0, true, "cancel_order")+","+runRow("1", 1, false, "get_order")+","+runRow("2", 0, false, "drop_table")+","+runRow("3", 0, true, "get_order", "cancel_order")+","+runRow("9", 0, true, "cancel_order"))
	b := evaluateRows(t, runRow("3", 0, true, "get_order", "cancel_order")+","+runRow("2", 0, true, "get_order", "cancel_order")+","+runRow("1", 1, false, "cancel_order")+","+runRow("1", 0, false, "drop_table")+","+runRow("1", 2, true, "get_order", "cancel_order")+","+runRow("8", 0, true))
	c := compareReports(t, a, b)
	if c.Tasks != 3 || c.Runs != 4 || strings.Join(c.OnlyA, " ") != "9" || strings.Join(c.OnlyB, " ") != "8" {
		t.Errorf("%+v", c)
	}
	if s := c.Success; s.Both != 1 || s.Gained != 1 || s.Lost != 1 || s.Neither != 1 || s.P != 1 {
		t.Errorf("%+v", s)
	}
	// SR by task: 1: .5 → 1/3, 2: 0 → 1, 3: 1 → 1.
	sr := figureOf(&c, "SR")
	if *sr.A.Value != 0.5 || math.Abs(*sr.Delta.Value-(1-1.0/6)/3) > 1e-6 || sr.Moved != 2 || sr.Tasks != 3 || sr.T == nil || sr.Adjusted == nil {
		t.Errorf("%+v", sr)
	}
	if len(c.Flips) != 2 || c.Flips[0].What != "success lost" || c.Flips[0].Task != "1" || c.Flips[0].Parted.Action != 0 ||
		c.Flips[0].Parted.A != `cancel_order {"id":"A","n":1}` || c.Flips[1].What != "success gained" || len(c.Flips[1].Rules) == 0 {
		t.Errorf("%+v", c.Flips)
	}
	if !slices.ContainsFunc(c.Changes, func(x Change) bool { return x.Type == "under-action" && x.A == 3 && x.B == 2 }) {
		t.Errorf("%+v", c.Changes)
	}
	notes := strings.Join(c.Notes, "\n")
	for _, want := range []string{"2 tasks were omitted, because each is only in the baseline or only in the treatment", "for 1 run, the other report has no run of the same trial", "only 3 tasks", "a difference of ABS (max) below "} {
		if !strings.Contains(notes, want) {
			t.Errorf("no note %q in\n%s", want, notes)
		}
	}
}

// TestItself checks that the comparison of a report with itself finds no differences.
func TestItself(t *testing.T) {
	a := evaluateRows(t, runRow("1", 0, true, "cancel_order")+","+runRow("2", 0, false, "drop_table"))
	c := compareReports(t, a, a)
	if len(c.Verdict.Better)+len(c.Verdict.Worse)+len(c.Flips) != 0 {
		t.Errorf("%+v", c)
	}
	for _, f := range c.Figures {
		if !f.Delta.Scored || *f.Delta.Value != 0 || f.T != nil || f.Adjusted != nil || f.Moved != 0 {
			t.Errorf("%+v", f)
		}
	}
}

// TestParting checks the first action in which two runs differ. The two runs may have
// different arguments there, or one run may have ended before this action. The order of
// members in the arguments makes no difference.
func TestParting(t *testing.T) {
	of := func(calls ...string) *report.Trajectory {
		out := &report.Trajectory{}
		for _, c := range calls {
			name, arguments, _ := strings.Cut(c, " ")
			out.Observed = append(out.Observed, report.Action{Name: name, Arguments: arguments})
		}
		return out
	}
	for _, c := range []struct {
		a, b []string
		want string
	}{
		{[]string{`x {"a":1,"b":2}`}, []string{`x {"b":2, "a":1}`}, "<nil>"},
		{[]string{`x {"a":1}`}, []string{`x {"a":1.5}`}, `&{0 x {"a":1} x {"a":1.5}}`},
		{[]string{`x {"n":12345678901234567890}`}, []string{`x {"n":12345678901234567891}`}, `&{0 x {"n":12345678901234567890} x {"n":12345678901234567891}}`},
		{[]string{"x", "y"}, []string{"x"}, "&{1 y }"},
		{[]string{"x"}, []string{"x", "y {broken"}, "&{1  y {broken}"},
		{nil, nil, "<nil>"},
	} {
		if got := fmt.Sprint(findParting(pair{of(c.a...), of(c.b...)})); got != c.want {
			t.Errorf("%v, %v: %s, want %s", c.a, c.b, got, c.want)
		}
	}
}

// TestFilesApart checks that the same id in two files counts as two tasks, if both sides
// have the same number of files.
func TestFilesApart(t *testing.T) {
	airline, retail := runRow("1", 0, true, "get_order", "cancel_order"), runRow("1", 0, false, "drop_table")
	if c := compareReports(t, evaluateRows(t, airline, retail), evaluateRows(t, airline, retail)); c.Tasks != 2 || len(c.Flips) != 0 {
		t.Errorf("%+v", c)
	}
	if c := compareReports(t, evaluateRows(t, airline, retail), evaluateRows(t, airline)); c.Tasks != 1 {
		t.Errorf("%+v", c)
	}
	if _, err := Reports(evaluateRows(t, runRow("1", 0, true)), evaluateRows(t, runRow("2", 0, true)), 1, 0.8); err == nil || !strings.Contains(err.Error(), "baseline has the tasks 1; the treatment has the tasks 2") {
		t.Errorf("%v", err)
	}
}

// TestFlags checks a comparison of two runs whose outcomes are not known. It must report
// that only one of the runs is flagged.
func TestFlags(t *testing.T) {
	bare := func(name string) string {
		return `{"task":"1","actions":[{"name":"` + name + `","arguments":{"id":"A"}}],"reference":["get_order(id=A)"]}`
	}
	c := compareReports(t, evaluateRows(t, bare("get_order")), evaluateRows(t, bare("drop_table")))
	if c.Success != nil || len(c.Flips) != 1 || c.Flips[0].What != "flag gained" || figureOf(&c, "SR").Delta.Scored {
		t.Errorf("%+v", c)
	}
}

// TestIntervalsAreCalibrated computes intervals for 400 simulated experiments of 60 tasks
// and 4 trials. With a known effect, about 380 of the 400 intervals should contain the
// effect. Without an effect, about 20 should not contain zero. The test allows three
// standard deviations from these numbers.
func TestIntervalsAreCalibrated(t *testing.T) {
	held, alarms := 0, 0
	for seed := range uint64(400) {
		random := rand.New(rand.NewPCG(seed, 7))
		var a, b, same report.Report
		for task := range 60 {
			hard := random.Float64() * 0.8
			for trial := range 4 {
				add := func(r *report.Report, chance float64) {
					won := random.Float64() < chance
					r.Trajectories = append(r.Trajectories, report.Trajectory{ID: fmt.Sprint(task, "/", trial), Task: fmt.Sprint(task), Trial: &trial, Success: &won})
				}
				add(&a, hard)
				add(&same, hard)
				add(&b, hard+0.15)
			}
		}
		c := compareReports(t, &a, &b)
		if i := figureOf(&c, "SR").Delta.Interval; i.Low <= 0.15 && 0.15 <= i.High {
			held++
		}
		none := compareReports(t, &a, &same)
		if i := figureOf(&none, "SR").Delta.Interval; i.Low > 0 || i.High < 0 {
			alarms++
		}
	}
	t.Logf("%d of 400 intervals hold the effect; %d of 400 see one where there is none", held, alarms)
	if held < 367 || held > 393 || alarms > 33 {
		t.Error("the intervals are not calibrated")
	}
}

// manyRows returns runs of tasks with several trials. wins[i] is the number of trials of
// task i that succeed; the others lack the second call.
func manyRows(trials int, wins ...int) string {
	var rows []string
	for i, n := range wins {
		for trial := range trials {
			calls := []string{"get_order", "cancel_order"}
			if trial >= n {
				calls = calls[:1]
			}
			rows = append(rows, runRow(fmt.Sprint("t", i), trial, trial < n, calls...))
		}
	}
	return strings.Join(rows, ",")
}

// TestTiesOfTrials checks nine tasks with three trials, in which equal changes have
// different bits.
func TestTiesOfTrials(t *testing.T) {
	a := evaluateRows(t, manyRows(3, 0, 1, 2, 0, 1, 2, 2, 1, 0))
	b := evaluateRows(t, manyRows(3, 1, 2, 3, 1, 2, 1, 3, 2, 1))
	c := compareReports(t, a, b)
	if sr := figureOf(&c, "SR"); *sr.Signed != 0.039063 || sr.Moved != 9 {
		t.Errorf("p %v, %d moved; want .039063 and 9", *sr.Signed, sr.Moved)
	}
}

// TestWordNeedsP is the law that a figure is called better or worse only if its adjusted p
// is below .05, and that a comparison says if no figure can reach that.
func TestWordNeedsP(t *testing.T) {
	random := rand.New(rand.NewPCG(46, 4))
	silent, spoke := 0, 0
	for range drawn.Cases(25) {
		n := 2 + random.IntN(24)
		before, after := make([]int, n), make([]int, n)
		lift := random.IntN(3)
		for i := range before {
			before[i] = random.IntN(3)
			after[i] = min(3, max(0, before[i]+random.IntN(3)-1+lift))
		}
		c := compareReports(t, evaluateRows(t, manyRows(3, before...)), evaluateRows(t, manyRows(3, after...)))
		said := append(slices.Clone(c.Verdict.Better), c.Verdict.Worse...)
		tests, most := 0, 0
		for _, f := range c.Figures {
			if (f.Adjusted != nil && *f.Adjusted < 0.05) != slices.Contains(said, f.Name) {
				t.Errorf("%s has p %v, said of %v", f.Name, f.Adjusted, said)
			}
			if f.Adjusted != nil {
				tests, most = tests+1, max(most, f.Moved)
			}
		}
		reachable := tests > 0 && float64(tests)*math.Pow(2, 1-float64(most)) < 0.05
		if tests > 0 && c.Verdict.Silent == reachable {
			t.Errorf("%d tests of at most %d differences: silent is %v", tests, most, c.Verdict.Silent)
		}
		if c.Verdict.Silent {
			silent++
		} else if len(said) > 0 {
			spoke++
		}
	}
	if silent == 0 || spoke == 0 {
		t.Errorf("%d silent, %d with a verdict: the cases do not test both", silent, spoke)
	}
}

// TestFewTasksAreSilent has eight tasks of which five get an extra change: each interval is
// on one side of zero, and no p can be below .05.
func TestFewTasksAreSilent(t *testing.T) {
	var a, b []string
	for i := range 8 {
		calls := []string{"get_order", "cancel_order"}
		a = append(a, runRow(fmt.Sprint("t", i), 0, true, calls...))
		if i < 5 {
			calls = append(calls, "delete_user")
		}
		b = append(b, runRow(fmt.Sprint("t", i), 0, true, calls...))
	}
	c := compareReports(t, evaluateRows(t, strings.Join(a, ",")), evaluateRows(t, strings.Join(b, ",")))
	if v := c.Verdict; len(v.Worse) > 0 || !v.Silent || v.Needed != 9 || !slices.Contains(v.IntervalWorse, "flagged") {
		t.Errorf("%+v", v)
	}
	if f := figureOf(&c, "ABS (max)"); f.TasksNeeded < 8 || f.TasksNeeded > 60 {
		t.Errorf("%d tasks needed", f.TasksNeeded)
	}
	if f := figureOf(&c, "SR"); f.A.Interval == nil || f.A.Interval.Method != "wilson" || f.Delta.Interval != nil {
		t.Errorf("%+v", f)
	}
}

// TestStrangersAreTold draws tasks that have one name on both sides, with references that share a tool, or
// none. A note counts those that share none.
func TestStrangersAreTold(t *testing.T) {
	row := func(task int, tools ...string) string {
		var steps []string
		for _, tool := range tools {
			steps = append(steps, `{"name":"`+tool+`","arguments":{"id":"A"}}`)
		}
		all := strings.Join(steps, ",")
		return fmt.Sprintf(`{"task":"t%d","trial":0,"success":true,"actions":[%s],"reference":[%s]}`, task, all, all)
	}
	for seed := range drawn.Cases(60) {
		d := rand.New(rand.NewPCG(uint64(seed), 4841))
		var a, b []string
		want := 0
		for task := range 1 + d.IntN(5) {
			mine, other := []string{"get_order", "cancel_order"}[:1+d.IntN(2)], []string{"get_user", "book_seat"}
			if d.IntN(2) == 0 {
				other[d.IntN(2)] = "get_order"
			} else {
				want++
			}
			a, b = append(a, row(task, mine...)), append(b, row(task, other...))
		}
		c := compareReports(t, evaluateRows(t, strings.Join(a, ",")), evaluateRows(t, strings.Join(b, ",")))
		note := ""
		if want > 0 {
			note = "the references of " + countNoun(want, "task", "tasks") + " have no tool in common."
		}
		notes := strings.Join(c.Notes, "\n")
		if strings.Contains(notes, "no tool in common") != (want > 0) || !strings.Contains(notes, note) {
			t.Fatalf("seed %d: %q, want %d", seed, notes, want)
		}
	}
}
