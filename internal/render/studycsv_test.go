package render

import (
	"encoding/csv"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/study"
)

// TestStudyCSVHostile checks that a spreadsheet never reads the name of a group as a
// formula. Such a name may come from a trace.
func TestStudyCSVHostile(t *testing.T) {
	g := study.Group{Key: map[string]string{"model": "=1+1\n"}, ByPattern: []study.Share{{Name: "@SUM(A1)", N: 1}}}
	var b strings.Builder
	if err := StudyCSV(&b, &study.Study{By: []string{"model"}, Groups: []study.Group{g}}); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
	if err != nil || len(rows) < 3 {
		t.Fatalf("%v, %d rows", err, len(rows))
	}
	seen := map[string]bool{}
	for _, row := range rows {
		for _, c := range row {
			seen[c] = true
			if strings.IndexAny(c, "=+@\t\r\n") == 0 {
				t.Errorf("a cell is %q", c)
			}
		}
	}
	if !seen[`'=1+1\u{A}`] || !seen["'@SUM(A1)"] {
		t.Errorf("the names are missing:\n%s", b.String())
	}
}
