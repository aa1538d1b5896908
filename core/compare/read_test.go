package compare

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
)

// TestRead checks that two reports given as JSON compare as Reports compares them, and that
// what is not two reports is refused.
func TestRead(t *testing.T) {
	report := func(names ...string) *core.Report {
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
		`[]`:               "invalid comparison",
		`{"baseline": {}}`: `invalid "baseline": want a report of the schema`,
		`{}`:               `missing "baseline"`,
		`{"names": ["a"]}`: `invalid "names": want two, got 1`,
		strings.Replace(string(body), `"names"`, `"theta":2,"names"`, 1): `invalid "theta"`,
	} {
		if _, err := Read([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v, want %s", text, err, want)
		}
	}
}
