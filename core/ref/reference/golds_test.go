package reference

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// goldTask returns a task of τ-bench whose instruction has the given length.
func goldTask(t *testing.T, task, words int) jsonval.Value {
	t.Helper()
	v, err := jsonval.Parse(fmt.Sprintf(`{"user_id":"u","instruction":"%d %s","actions":[{"name":"cancel","kwargs":{"id":"%d"}}]}`, task, strings.Repeat("x", words), task))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestGoldsForget checks that a Golds for several texts keeps each task once, does not grow
// without limit, and keeps no long task. Within one text, all tasks are kept.
func TestGoldsForget(t *testing.T) {
	shared := &Golds{}
	for i := range 20 {
		if r, err := shared.Read(goldTask(t, i%3, 100)); err != nil || r == nil {
			t.Fatal(r, err)
		}
	}
	if len(shared.known) != 3 {
		t.Errorf("%d tasks are kept, want 3", len(shared.known))
	}
	for i := range 400 {
		if r, err := shared.Read(goldTask(t, i, 2000)); err != nil || r == nil {
			t.Fatal(r, err)
		}
		if shared.bytes > goldsLimit || len(shared.known) == 0 || len(shared.known) > goldsLimit/2000 {
			t.Fatalf("%d tasks with %d bytes after %d texts", len(shared.known), shared.bytes, i+1)
		}
	}
	n := len(shared.known)
	if r, err := shared.Read(goldTask(t, 1000, longestTask)); err != nil || r == nil || len(shared.known) != n {
		t.Errorf("a long task: %v, %d tasks are kept, want %d", err, len(shared.known), n)
	}
	whole := GoldsOfOneText()
	for i := range 400 {
		if r, err := whole.Read(goldTask(t, i, longestTask)); err != nil || r == nil || len(whole.known) != i+1 {
			t.Fatalf("one text: %v, %d of %d tasks are kept", err, len(whole.known), i+1)
		}
	}
}
