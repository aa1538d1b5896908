package score

import (
	"cmp"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// docRow finds a row of the table of docs/metrics.md: reference, run and abs.max.
var docRow = regexp.MustCompile("(?m)^\\| `(.+?)` \\| `(.+?)` \\| (\\d+)(?:/(\\d+))? \\| .+ \\|$")

// TestDocumentedABSMax computes each row of the table in docs/metrics.md.
func TestDocumentedABSMax(t *testing.T) {
	text, err := os.ReadFile("../../docs/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := docRow.FindAllStringSubmatch(string(text), -1)
	if len(rows) < 12 {
		t.Fatalf("%d rows, want the table", len(rows))
	}
	for _, row := range rows {
		run, err := reference.Read(strings.ReplaceAll(row[2], "; ", "\n"))
		if err != nil {
			t.Fatalf("%s: %v", row[2], err)
		}
		var calls []string
		for _, s := range run.Steps {
			calls = append(calls, fmt.Sprintf(`{"name":%q,"arguments":%s}`, s.Name, cmp.Or(s.Arguments.Raw(), "{}")))
		}
		ref, err := reference.Read(strings.ReplaceAll(row[1], "; ", "\n"))
		if err != nil {
			t.Fatalf("%s: %v", row[1], err)
		}
		report, err := Evaluate(Request{Inputs: []Source{{Data: []byte("[" + strings.Join(calls, ",") + "]")}}, Reference: ref, Options: Options{Profile: "outcome"}})
		if err != nil {
			t.Fatalf("%s: %v", row[2], err)
		}
		want, _ := strconv.ParseFloat(row[3], 64)
		if row[4] != "" {
			of, _ := strconv.ParseFloat(row[4], 64)
			want /= of
		}
		if got := *report.Trajectories[0].Metrics.ABS.Max.Value; got != want {
			t.Errorf("%s against %s: abs.max is %v, the table says %s", row[2], row[1], got, row[0])
		}
	}
}
