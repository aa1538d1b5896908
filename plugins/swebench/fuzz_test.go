package swebench_test

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/swebench"
)

// Whatever the bytes, the plugin answers with an envelope, never panics, and speaks of
// nothing that it was not asked about.
func FuzzAnswer(f *testing.F) {
	paths, _ := filepath.Glob("../testdata/cases/swebench-*.txtar")
	if len(paths) == 0 {
		f.Fatal("no cases to start from")
	}
	for _, path := range paths {
		a, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(a.Files[0].Data)
	}
	p := swebench.Plugin()
	f.Fuzz(func(t *testing.T, request []byte) {
		got := p.Answer(request)
		var a abi.Answer
		if err := json.Unmarshal(got, &a); err != nil || (a.OK == nil) == (a.Error == nil) {
			t.Fatalf("answer %s, %v", got, err)
		}
		if a.Error != nil && a.Error.Code == abi.CodeInternal {
			t.Fatalf("answer %s", got)
		}
		var r abi.CheckRequest
		var c abi.Check
		if json.Unmarshal(request, &r) == nil && r.Op == abi.OpEquivalenceCheck && a.OK != nil && json.Unmarshal(a.OK, &c) == nil {
			if err := c.Within(&r); err != nil {
				t.Fatal(err)
			}
		}
	})
}
