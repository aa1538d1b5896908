package read

import (
	"encoding/json"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// FuzzDecode checks four properties of Decode:
//
//   - Decode never panics.
//   - The same text always yields the same document.
//   - Every warning has a code.
//   - Every document can be written in every format of Targets.
func FuzzDecode(f *testing.F) {
	for _, data := range exampleFiles(f) {
		f.Add(data)
	}
	for _, s := range []string{two, two[:40], "```\n" + two + "\n```", literal.Quote(two), "a\nb(c=1)", "{}\n[]\n", "\x1f\x8b", "[[],[]]", "x {\"a\":[{}]}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		doc, err := Decode(data)
		if err != nil {
			if _, ok := err.(*trajectory.Error); !ok {
				t.Fatalf("the error is a %T", err)
			}
			return
		}
		checkWarnings(t, "fuzz", doc)
		first := documentText(t, &doc)
		again, err := Decode(data)
		if err != nil || documentText(t, &again) != first {
			t.Fatalf("a second reading differs: %v", err)
		}
		for _, target := range trajectory.Targets() {
			if _, err := trajectory.Encode(&doc, target); err != nil {
				t.Fatalf("cannot write %s: %v", target, err)
			}
		}
	})
}

// documentText returns the whole document as one text.
func documentText(t *testing.T, doc *trajectory.Document) string {
	t.Helper()
	body, err := trajectory.Encode(doc, "generic")
	if err != nil {
		t.Fatal(err)
	}
	warnings, err := json.Marshal(doc.Warnings)
	if err != nil {
		t.Fatal(err)
	}
	return doc.Format + string(body) + string(warnings)
}
