package reference

import (
	"path/filepath"
	"reflect"
	"regexp"
	"testing"
)

// placed is the form of every error: what is wrong, where, and why.
var placed = regexp.MustCompile(`(?s)^invalid reference( (step|line|path|actions|valid_action_paths|conversation|task)[ 0-9]*(( >|:) (step|sequence|anyOrder|oneOf|optional|tool use|invalid reference|path|actions|valid_action_paths|conversation)[ 0-9]*)*)?: .`)

func FuzzRead(f *testing.F) {
	for _, pattern := range []string{"testdata/good/*", "testdata/bad/*", "testdata/task/*"} {
		names, _ := filepath.Glob(pattern)
		if len(names) == 0 {
			f.Fatalf("no examples at %s", pattern)
		}
		for _, name := range names {
			f.Add(readTestFile(f, name[len("testdata/"):]))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		one, byTask, err := ReadSet(text)
		again, byTask2, err2 := ReadSet(text)
		if !reflect.DeepEqual(one, again) || !reflect.DeepEqual(byTask, byTask2) || (err == nil) != (err2 == nil) {
			t.Fatalf("%q is read in two ways", text)
		}
		if err != nil {
			if err.Error() != err2.Error() || !placed.MatchString(err.Error()) {
				t.Fatalf("%q: error %q, then %q", text, err, err2)
			}
			return
		}
		if (one == nil) == (byTask == nil) {
			t.Fatalf("%q holds %v and %v", text, one, byTask)
		}
		if one != nil {
			checkReference(t, one)
		}
		for id, r := range byTask {
			if id == "" {
				t.Fatalf("%q holds a task without an id", text)
			}
			checkReference(t, r)
		}
	})
}

func checkReference(t *testing.T, r *Reference) {
	for i := range r.Steps {
		checkStep(t, &r.Steps[i])
	}
	if r.Process != nil {
		checkNode(t, r.Process, 0)
	}
}

func checkStep(t *testing.T, s *Step) {
	if s.Name == "" || s.Key() == "" {
		t.Fatalf("a step without a name: %+v", s)
	}
	for _, a := range s.Accept {
		if len(a.Values) == 0 || len(a.Leaves()) != len(a.Values) {
			t.Fatalf("step %s accepts nothing for %q", s.Name, a.Path)
		}
	}
}

func checkNode(t *testing.T, n *Node, depth int) {
	if depth > 2*MaxDepth || n.Place == "" && depth > 0 {
		t.Fatalf("node %+v at depth %d", n, depth)
	}
	switch size := len(n.Children); {
	case n.Kind == Action && (size > 0 || n.Step.MustNot), n.Kind == Optional && size != 1,
		(n.Kind == OneOf || n.Kind == AnyOrder) && size < 2:
		t.Fatalf("%s with %d children", n.Kind, size)
	case n.Kind == Action:
		checkStep(t, &n.Step)
	}
	for i := range n.Children {
		checkNode(t, &n.Children[i], depth+1)
	}
}
