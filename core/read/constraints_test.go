package read

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestConstraintsAreNeverDropped draws references with a constraint, in rows of several forms. A run either
// has just the reference that FromValue reads, or none and a doubt with the error's words.
func TestConstraintsAreNeverDropped(t *testing.T) {
	constraints := []string{
		`"arguments":{},"expect":{"v":{"matches":"("}}`, `"arguments":{},"expect":{"v":{"max":3,"mox":1}}`, `"arguments":{"v":5},"times":0`, `"arguments":{"v":5},"mustNot":true,"times":3`,
		`"arguments":{"v":5},"fails":"yes"`, `"args":{"v":5},"expect":{"v":5}`, `"arguments":{},"expect":{"v":{"min":1,"max":9}}`, `"arguments":{"v":5},"times":2`, `"arguments":{"v":5},"fails":true`,
	}
	lists := []string{`[{"name":"pay",%}]`, `{"steps":[{"name":"pay",%}]}`, `[{"name":"look","arguments":{}},{"name":"pay",%}]`, `[{"anyOrder":[{"name":"pay",%},{"name":"look","arguments":{}}]}]`,
		`{"steps":[{"name":"pay","arguments":{"v":5}}],"only":["get_*"]}`, `{"steps":[{"name":"pay","arguments":{"v":5}}],"only":7}`}
	rows := []string{`{"id":"1","request":"do it","reference":%,"steps":[{"tool":"pay","args":{"v":5},"result":{"ok":true}}]}`,
		`{"id":"1","input":"do it","tool_calls":[{"name":"pay","args":{"v":5}}],"expected_tool_calls":%}`,
		`{"id":"1","input":"do it","tool_calls":[{"name":"pay","args":{"v":5}}],"reference":%}`}
	refused := 0
	rng := rand.New(rand.NewPCG(46, 1))
	for range drawn.Cases(300) {
		ref := strings.Replace(lists[rng.IntN(len(lists))], "%", constraints[rng.IntN(len(constraints))], 1)
		row := strings.Replace(rows[rng.IntN(len(rows))], "%", ref, 1)
		v, err := jsonval.Parse(ref)
		if err != nil {
			t.Fatal(ref, err)
		}
		want, wantErr := reference.FromValue(v)
		doc, err := Decode([]byte(row))
		if err != nil || len(doc.Trajectories) != 1 {
			t.Fatalf("%s: %v, %d runs", row, err, len(doc.Trajectories))
		}
		got := doc.Trajectories[0]
		switch {
		case wantErr != nil:
			refused++
			if got.Reference != nil || !strings.Contains(got.Doubt, wantErr.Error()) {
				t.Errorf("%s: reference %v, doubt %q, want the error %v", row, got.Reference, got.Doubt, wantErr)
			}
		case got.Reference == nil || got.Reference.Steps[0].Key() != want.Steps[0].Key() || len(got.Reference.Steps) != len(want.Steps) || len(got.Reference.Only) != len(want.Only):
			t.Errorf("%s: reference %v, want %v", row, got.Reference, want)
		}
	}
	if refused < 60 {
		t.Errorf("only %d references were refused", refused)
	}
}
