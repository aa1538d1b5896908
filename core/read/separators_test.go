package read

import (
	"encoding/csv"
	"strings"
	"testing"
)

// TestSeparators checks that a table has the same runs with each separator of columns.
func TestSeparators(t *testing.T) {
	rows := [][]string{
		{"id", "success", "actions"},
		{"a", "true", `[{"name":"cancel_order","arguments":{"id":"A-7; B, C"}}]`},
		{"b", "false", `[{"name":"get_order","arguments":{"id":"A-8"}},{"name":"cancel_order","arguments":{"id":"A-8"}}]`},
	}
	for _, separator := range ",;\t" {
		for _, ends := range []bool{false, true} {
			var b strings.Builder
			w := csv.NewWriter(&b)
			w.Comma, w.UseCRLF = separator, ends
			if err := w.WriteAll(rows); err != nil {
				t.Fatal(err)
			}
			in, err := Decode([]byte(b.String()))
			if err != nil {
				t.Fatalf("%q: %v", separator, err)
			}
			all := in.Trajectories
			if len(all) != 2 || len(all[0].Actions) != 1 || len(all[1].Actions) != 2 || all[0].Success == nil || !*all[0].Success || all[1].Success == nil || *all[1].Success {
				t.Errorf("%q: %+v", separator, all)
			}
			if got := all[0].Actions[0].Arguments.Get("id").Text(); got != "A-7; B, C" {
				t.Errorf("%q: the argument is %q", separator, got)
			}
		}
	}
}
