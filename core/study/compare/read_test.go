package compare

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/math/metric"
	"github.com/boundcheck/boundcheck/core/report"
)

// TestRead checks that Read compares two JSON reports in the same way as Reports. It also
// checks that invalid input is an error.
func TestRead(t *testing.T) {
	report := func(names ...string) *report.Report {
		ids := make([]string, 0, len(names))
		for _, name := range names {
			ids = append(ids, `{"id":"`+name+`","task":"`+name+`","success":true,"actions":[{"name":"get_`+name+`"}]}`)
		}
		r, err := core.Evaluate(core.Request{Inputs: []core.Source{{Data: []byte(`{"trajectories":[` + strings.Join(ids, ",") + `]}`)}}})
		if err != nil {
			t.Fatal(err)
		}
		return &r
	}
	a, b := report("x", "y", "z"), report("x", "y")
	body, err := json.Marshal(map[string]any{"baseline": a, "treatment": b, "names": []string{"a.json", "b.json"}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Read(body)
	if err != nil {
		t.Fatal(err)
	}
	if got.A.Files[0] != "a.json" || got.B.Files[0] != "b.json" || got.Tasks != 2 || len(got.OnlyA) != 1 {
		t.Errorf("%+v", got)
	}
	for text, want := range map[string]string{
		`[]`:               "the comparison must have the form",
		`{"baseline": {}}`: `invalid "baseline": want a report of the schema`,
		`{}`:               `missing "baseline"`,
		`{"names": ["a"]}`: `invalid "names": want two names, got 1`,
		strings.Replace(string(body), `"names"`, `"theta":2,"names"`, 1): `invalid "theta"`,
	} {
		if _, err := Read([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v, want %s", text, err, want)
		}
	}
}

// TestReadTheta checks that Read uses a θ of 0 if it is given, and the default θ of the
// papers if no θ is given.
func TestReadTheta(t *testing.T) {
	r, err := core.Evaluate(core.Request{Inputs: []core.Source{{Data: []byte(`{"trajectories":[` +
		`{"id":"x","task":"x","success":true,"actions":[{"name":"get_x"},{"name":"delete_y"}],"reference":[{"name":"get_x"},{"name":"update_z"}]},` +
		`{"id":"y","task":"y","success":true,"actions":[{"name":"get_x"},{"name":"delete_y"}],"reference":[{"name":"get_x"},{"name":"update_z"}]}]}`)}}})
	if err != nil {
		t.Fatal(err)
	}
	scored, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	for given, want := range map[string]float64{``: metric.BoundaryAware, `,"theta":null`: metric.BoundaryAware, `,"theta":0`: 0} {
		got, err := Read([]byte(`{"baseline":` + string(scored) + `,"treatment":` + string(scored) + given + `}`))
		if err != nil {
			t.Fatal(err)
		}
		expected, err := Reports(&r, &r, report.DefaultSeed, want)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got.Figures, expected.Figures) {
			t.Errorf("%q: %+v, want the figures at θ %v", given, got.Figures, want)
		}
	}
	usual, _ := Reports(&r, &r, report.DefaultSeed, metric.BoundaryAware)
	zero, _ := Reports(&r, &r, report.DefaultSeed, 0)
	if reflect.DeepEqual(usual.Figures, zero.Figures) {
		t.Error("the runs do not tell θ 0 from the usual one")
	}
}

// TestDefinitionsAreNotMixed checks that reports with figures by different definitions are
// not compared. A report without the member is by version 1, and two such reports can be
// compared.
func TestDefinitionsAreNotMixed(t *testing.T) {
	report := func(definitions int) *report.Report {
		return &report.Report{Definitions: definitions, Trajectories: []report.Trajectory{{ID: "1", Task: "a"}}}
	}
	for _, c := range []struct {
		a, b int
		ok   bool
	}{{2, 2, true}, {0, 0, true}, {0, 1, true}, {0, 2, false}, {2, 1, false}} {
		_, err := Reports(report(c.a), report(c.b), 1, 0.8)
		if (err == nil) != c.ok || err != nil && !strings.Contains(err.Error(), "definitions") {
			t.Errorf("versions %d and %d: %v", c.a, c.b, err)
		}
		one := func(n int, components ...string) Configuration {
			return Configuration{Components: components, File: "f", Report: report(n)}
		}
		if _, err := Ablate([]Configuration{one(c.a), one(c.b, "x")}, 1, 0.8); (err == nil) != c.ok {
			t.Errorf("ablation of versions %d and %d: %v", c.a, c.b, err)
		}
	}
}
