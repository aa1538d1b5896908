package compare

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/report"
)

// TestReadTrials checks that ReadTrials groups the runs of a JSON report in the same way
// as core.Agree. It also checks that invalid input is an error.
func TestReadTrials(t *testing.T) {
	read := func(actions ...string) ([]report.Consensus, report.Report) {
		var runs []string
		for _, a := range actions {
			runs = append(runs, `{"task":"t","actions":[{"name":"`+a+`"}]}`)
		}
		r, err := core.Evaluate(core.Request{Inputs: []core.Source{{Data: []byte(`{"trajectories":[` + strings.Join(runs, ",") + `]}`)}}})
		if err != nil {
			t.Fatal(err)
		}
		body, err := json.Marshal(map[string]any{"report": r})
		if err != nil {
			t.Fatal(err)
		}
		got, err := ReadTrials(body)
		if err != nil {
			t.Fatal(err)
		}
		return got, r
	}
	got, r := read("delete_a", "delete_b", "delete_a")
	if len(got) != 1 || len(got[0].Clusters) != 2 || !reflect.DeepEqual(got, report.Agree(&r)) {
		t.Errorf("%+v", got)
	}
	if got, _ := read("delete_a"); got == nil || len(got) != 0 {
		t.Errorf("%+v, want an empty list", got)
	}
	for text, want := range map[string]string{
		`[]`:             "the request must have the form",
		`{}`:             `missing "report"`,
		`{"report": {}}`: `invalid "report": want a report of the schema`,
	} {
		if _, err := ReadTrials([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
