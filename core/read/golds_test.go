package read

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// goldRun returns a run of τ-bench whose task has a reference and an instruction of the
// given length.
func goldRun(task, words int) []byte {
	return fmt.Appendf(nil, `{"task_id":%d,"reward":1,"traj":[{"role":"user","content":"x"}],"info":{"task":{"user_id":"u","instruction":"%d %s","actions":[{"name":"cancel","kwargs":{"id":"%d"}}]}}}`,
		task, task, strings.Repeat("x", words), task)
}

// splitGold removes the reference from a document with one run, and returns the document
// and a text with all of the reference.
func splitGold(doc trajectory.Document) (trajectory.Document, string) {
	doc.Trajectories = slices.Clone(doc.Trajectories)
	r := doc.Trajectories[0].Reference
	doc.Trajectories[0].Reference = nil
	text := fmt.Sprint(r.Says, r.Origin, r.Process, r.Vocabulary)
	for _, s := range r.Steps {
		text += " " + s.Name + s.Arguments.Raw() + fmt.Sprint(s.Accept, s.Ignore, s.Compare, s.Required, s.MustNot)
	}
	return doc, text
}

// TestGoldsChangeNothing checks that texts that share a Golds yield the same documents as
// texts that do not, that a repeated task is read once, and that a Golds keeps no memory of
// a text.
func TestGoldsChangeNothing(t *testing.T) {
	shared := &reference.Golds{}
	for i := range 20 {
		text := goldRun(i%3, 100)
		doc, err := Decode(goldRun(i%3, 100))
		if err != nil || doc.Trajectories[0].Reference == nil {
			t.Fatalf("%+v, %v", doc, err)
		}
		want, wantGold := splitGold(doc)
		if doc, err = (Options{Golds: shared}).Decode(text); err != nil {
			t.Fatal(err)
		}
		kept := doc.Trajectories[0].Reference
		if got, gold := splitGold(doc); !reflect.DeepEqual(got, want) || gold != wantGold {
			t.Fatalf("text %d: %+v %s\nwant %+v %s", i, got, gold, want, wantGold)
		}
		for j := range text {
			text[j] = ' ' // the caller uses its memory again
		}
		if doc, err = (Options{Golds: shared}).Decode(goldRun(i%3, 100)); err != nil || doc.Trajectories[0].Reference != kept {
			t.Fatalf("text %d: its task was read again: %v", i, err)
		}
		if _, gold := splitGold(doc); gold != wantGold {
			t.Fatalf("text %d: the kept reference has changed with the text: %s\nwant %s", i, gold, wantGold)
		}
	}
}

// TestGoldsSayWhatIsInvalid checks that an invalid task, also one that is read with a shared
// Golds, is no reference, and that a warning says where it stands.
func TestGoldsSayWhatIsInvalid(t *testing.T) {
	shared := &reference.Golds{}
	invalid := []byte(`{"task_id":1,"reward":1,"traj":[{"role":"user","content":"x"}],"info":{"task":{"user_id":"u","instruction":"x","actions":[{"name":5}]}}}`)
	if doc, err := (Options{Golds: shared}).Decode(invalid); err != nil || doc.Trajectories[0].Reference != nil || len(doc.Warnings) == 0 || doc.Warnings[0].Code != "invalid-reference" || doc.Warnings[0].Column != 79 {
		t.Errorf("an invalid task: %+v, %v", doc, err)
	}
}
