package read

import (
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// TestConversionsKeepTheCalls decodes every example, encodes it for every target, and
// decodes the result again.
func TestConversionsKeepTheCalls(t *testing.T) {
	for name, data := range exampleFiles(t) {
		for _, target := range trajectory.Targets() {
			doc := mustDecode(t, string(data))
			out, err := trajectory.Encode(&doc, target)
			if err != nil {
				t.Errorf("%s to %s: %v", name, target, err)
				continue
			}
			again := mustDecode(t, string(out))
			if again.Format != target {
				t.Errorf("%s to %s is detected as %s", name, target, again.Format)
			}
			for i := range doc.Trajectories {
				sameCalls(t, name+" to "+target, doc.Trajectories[i].Actions, again.Trajectories[i].Actions)
			}
		}
	}
}

func sameCalls(t *testing.T, name string, before, after []trajectory.Action) {
	t.Helper()
	if len(before) != len(after) {
		t.Errorf("%s: %d calls became %d", name, len(before), len(after))
		return
	}
	for i := range before {
		a, b := &before[i], &after[i]
		text := b.Text
		if a.Text != "" && text == "" { // the OpenAI form keeps it as an argument
			text = b.Arguments.Get("text").Text()
			b.Arguments = jsonval.Value{}
		}
		same := a.Name == b.Name && a.Broken == b.Broken && a.Text == text && a.Requestor == b.Requestor && jsonval.Equal(orEmpty(a), orEmpty(b))
		if a.Observation != nil && b.Observation != nil {
			b.Observation.Read = a.Observation.Read // a form with flags says what the text alone said
		}
		if !same || (a.Observation == nil) != (b.Observation == nil) || a.Observation != nil && *a.Observation != *b.Observation {
			t.Errorf("%s: call %d was %+v, is %+v", name, i, *a, *b)
		}
	}
}

// orEmpty returns an action's arguments, or an empty object if there are none. For a
// tool, both mean the same.
func orEmpty(a *trajectory.Action) jsonval.Value {
	if a.Arguments.Exists() {
		return a.Arguments
	}
	return literal.Object()
}

func TestConversionKeepsOddCalls(t *testing.T) {
	text := `{"trajectories":[{"id":"x","actions":[{"name":"a","arguments":"{broken"},{"name":"b","arguments":{"n":9007199254740993},"result":"Error: no","error":false},{"name":"b","result":"fine","error":true}]},{"id":"y","actions":[]}]}`
	for _, target := range trajectory.Targets() {
		doc := mustDecode(t, text)
		out, err := trajectory.Encode(&doc, target)
		if err != nil {
			t.Fatal(err)
		}
		again := mustDecode(t, string(out))
		if len(again.Trajectories) < 1 {
			t.Fatalf("%s: nothing left in %s", target, out)
		}
		sameCalls(t, target, doc.Trajectories[0].Actions, again.Trajectories[0].Actions)
	}
	if _, err := trajectory.Encode(&trajectory.Document{}, "yaml"); err == nil {
		t.Error("yaml is not a target")
	}
}
