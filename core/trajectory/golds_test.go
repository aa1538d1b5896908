package trajectory

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// goldRun returns a run of τ-bench whose task has a reference and an instruction of the
// given length.
func goldRun(task, words int) []byte {
	return fmt.Appendf(nil, `{"task_id":%d,"reward":1,"traj":[{"role":"user","content":"x"}],"info":{"task":{"user_id":"u","instruction":"%d %s","actions":[{"name":"cancel","kwargs":{"id":"%d"}}]}}}`,
		task, task, strings.Repeat("x", words), task)
}

// splitGold removes the reference from a document with one run, and returns the document
// and a text with all of the reference.
func splitGold(doc Document) (Document, string) {
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
	shared := &Golds{}
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
	if len(shared.known) != 3 {
		t.Errorf("%d tasks are kept, want 3", len(shared.known))
	}
}

// TestGoldsForget checks that a Golds for several texts does not grow without limit, and
// keeps no long task. Within one text, all tasks are kept.
func TestGoldsForget(t *testing.T) {
	shared := &Golds{}
	for i := range 400 {
		if _, err := (Options{Golds: shared}).Decode(goldRun(i, 2000)); err != nil {
			t.Fatal(err)
		}
		if shared.bytes > goldsLimit || len(shared.known) == 0 || len(shared.known) > goldsLimit/2000 {
			t.Fatalf("%d tasks with %d bytes after %d texts", len(shared.known), shared.bytes, i+1)
		}
	}
	n := len(shared.known)
	if doc, err := (Options{Golds: shared}).Decode(goldRun(1000, longestTask)); err != nil || doc.Trajectories[0].Reference == nil || len(shared.known) != n {
		t.Errorf("a long task: %v, %d tasks are kept, want %d", err, len(shared.known), n)
	}
	invalid := []byte(`{"task_id":1,"reward":1,"traj":[{"role":"user","content":"x"}],"info":{"task":{"user_id":"u","instruction":"x","actions":[{"name":5}]}}}`)
	if doc, err := (Options{Golds: shared}).Decode(invalid); err != nil || doc.Trajectories[0].Reference != nil || len(doc.Warnings) == 0 || doc.Warnings[0].Code != "invalid-reference" || doc.Warnings[0].Column != 79 {
		t.Errorf("an invalid task: %+v, %v", doc, err)
	}
}
