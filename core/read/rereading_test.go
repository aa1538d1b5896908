package read

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/trajectory"
)

// TestReadingsCountTheirOwnWarnings checks that only the reading that is kept counts its
// warnings. The text has a byte that is not UTF-8, so that a warning exists before the
// first reading.
func TestReadingsCountTheirOwnWarnings(t *testing.T) {
	var text strings.Builder
	text.WriteString(`[{"role":"user","content":"` + "\xff" + `"}`)
	for i := range 60 {
		fmt.Fprintf(&text, `,{"role":"tool","tool_call_id":"c%d","content":"ok"}`, i)
	}
	text.WriteString("]")
	doc, err := Decode([]byte(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	listed := 0
	for _, w := range doc.Warnings {
		if w.Code == "result-without-call" {
			listed++
		}
	}
	if listed != 60 {
		t.Errorf("%d warnings about results, want 60: %+v", listed, doc.Warnings)
	}
}

// TestSkippedLinesAreCounted checks that the number of skipped lines that are not listed is
// kept if the text is read again without a format.
func TestSkippedLinesAreCounted(t *testing.T) {
	call := `{"x":[{"kept":{"type":"tool_use","id":"1","name":"pay","input":{}}}]}` + "\n"
	text := call + call + strings.Repeat("{broken\n", 150) + call
	doc, err := Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if doc.Format != trajectory.FoundFormat || len(doc.Trajectories) != 1 || len(doc.Trajectories[0].Actions) != 1 {
		t.Fatalf("read as %s: %+v", doc.Format, doc.Trajectories)
	}
	if last := doc.Warnings[len(doc.Warnings)-1]; !strings.HasPrefix(last.Message, "50 more warnings") {
		t.Errorf("%+v", last)
	}
}
