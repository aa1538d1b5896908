package compare

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/report"
)

// newTestReport returns a report with one run for each task. A run is successful if its
// number is 1.
func newTestReport(tasks ...int) *report.Report {
	r := &report.Report{}
	for i, won := range tasks {
		success := won == 1
		r.Trajectories = append(r.Trajectories, report.Trajectory{ID: fmt.Sprint(i), Task: fmt.Sprint(i), Success: &success})
	}
	return r
}

func newConfiguration(name string, r *report.Report) Configuration {
	c := Configuration{File: name + ".json", Report: r}
	if name != "none" {
		c.Components = strings.Split(name, "+")
	}
	return c
}

func ablationFigure(a *Ablation, name string) *AblationFigure {
	for i := range a.Figures {
		if a.Figures[i].Name == name {
			return &a.Figures[i]
		}
	}
	return nil
}

func TestAblate(t *testing.T) {
	all := []Configuration{
		newConfiguration("none", newTestReport(0, 0, 0, 0)),
		newConfiguration("b", newTestReport(1, 0, 0, 0)),
		newConfiguration("a", newTestReport(1, 1, 0, 0)),
		newConfiguration("a+b", newTestReport(1, 1, 1, 0)),
	}
	a, err := Ablate(all, 42, 0.8)
	if err != nil || strings.Join(a.Components, " ") != "a b" || a.Tasks != 4 || len(a.Missing) != 0 {
		t.Fatalf("%+v, %v", a, err)
	}
	sr := ablationFigure(&a, "SR")
	if len(sr.Configurations) != 4 || *sr.Configurations[3].Value.Value != 0.75 || *sr.Configurations[3].Delta.Value != 0.75 || *sr.Configurations[0].Delta.Value != 0 {
		t.Errorf("%+v", sr.Configurations)
	}
	// a adds .5 alone and .5 after b: .5; b adds .25 and .25: .25.
	if s := sr.Shapley; *s[0].Value.Value != 0.5 || *s[1].Value.Value != 0.25 || *s[0].Share != round(2.0/3) || s[0].Low != nil || s[0].Value.Interval == nil {
		t.Errorf("%+v", sr.Shapley)
	}
	if gar := ablationFigure(&a, "GAR"); len(gar.Shapley) != 0 || gar.Configurations[0].Value.Scored {
		t.Errorf("a figure that no run has: %+v", gar)
	}
	if flagged := ablationFigure(&a, "flagged"); flagged.Shapley[0].Share != nil || *flagged.Shapley[0].Value.Value != 0 {
		t.Errorf("what changes nothing has no share: %+v", flagged.Shapley)
	}
}

// TestAblateBounds checks the bounds of the Shapley values if some sets of components
// were not run. For example, the figure of {checklist, scope} lies between the figure of
// {scope} and the figure of all three components.
func TestAblateBounds(t *testing.T) {
	of := func(won int) *report.Report {
		tasks := make([]int, 100)
		for i := range won {
			tasks[i] = 1
		}
		return newTestReport(tasks...)
	}
	// ABB, Table 18, as shares of 100 tasks above the baseline.
	all := []Configuration{newConfiguration("none", of(0)), newConfiguration("scope", of(37)), newConfiguration("granularity", of(29)),
		newConfiguration("checklist", of(22)), newConfiguration("scope+granularity", of(61)), newConfiguration("scope+granularity+checklist", of(83))}
	a, err := Ablate(all, 42, 0.8)
	if err != nil || strings.Join(a.Missing, " ") != "checklist+granularity checklist+scope" || len(a.Notes) == 0 {
		t.Fatalf("%+v, %v", a, err)
	}
	for i, want := range [][2]float64{ // checklist, granularity, scope: computed by hand
		{22.0/3 + 0 + (0+0)/6 + 22.0/3, 22.0/3 + (83-37+83-29)/6.0 + 22.0/3},
	} {
		s := ablationFigure(&a, "SR").Shapley[i]
		if s.Value.Scored || math.Abs(*s.Low*100-want[0]) > 1e-3 || math.Abs(*s.High*100-want[1]) > 1e-3 {
			t.Errorf("%s: %v to %v, want %v", s.Component, *s.Low*100, *s.High*100, want)
		}
	}
	for _, s := range ablationFigure(&a, "SR").Shapley {
		if !(*s.Low <= *s.High) {
			t.Errorf("%+v", s)
		}
	}
}

func TestAblateRefuses(t *testing.T) {
	none, a := newConfiguration("none", newTestReport(0)), newConfiguration("a", newTestReport(1))
	for want, all := range map[string][]Configuration{
		"no component":                                                  {none},
		"missing the configuration none":                                {a},
		"missing the configuration a+b":                                 {none, a, newConfiguration("b", newTestReport(1))},
		"the files a.json and a.json have the same components: a":       {none, a, a},
		"no task was run in all configurations":                         {none, {Components: []string{"a"}, Report: &report.Report{Trajectories: []report.Trajectory{{ID: "x", Task: "x"}}}}},
		"too many components: got 9, want at most 8":                    {none, newConfiguration("a+b+c+d+e+f+g+h+i", newTestReport(1))},
		"the files b+a.json and a+b.json have the same components: a+b": {none, newConfiguration("b+a", newTestReport(1)), newConfiguration("a+b", newTestReport(1))},
	} {
		if _, err := Ablate(all, 1, 0.8); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
