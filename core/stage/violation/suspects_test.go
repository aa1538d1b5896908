package violation

import (
	"fmt"
	"testing"
)

func TestSuspects(t *testing.T) {
	turns := []Turn{
		{"", "How many rows has the file of 2021?", false},
		{"Planner", "We assume that the file is there: let us plan.", false},
		{"Counter", "I count. ```python\nprint(7)\n```", true},
		{"", "exitcode: 0\n1234", false},
		{"Counter", "There are 1234 rows, and 88 of them are empty.", false},
		{"Checker", "For the purpose of this task I use mock data. ```python\nx = 5\n```", true},
		{"Checker", "TERMINATE", false},
		{"Planner", "", false},
	}
	got := fmt.Sprint(Suspects(turns))
	want := "[{5 [works with data that the speaker assumed or invented brings in code]} {1 [works with data that the speaker assumed or invented]} {2 [brings in code]}]"
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := fmt.Sprint(Suspects(turns[4:5])); got != "[{0 [says 1234, which does not appear earlier]}]" {
		t.Error(got)
	}
	if got := fmt.Sprint(Suspects([]Turn{{"A", "Good.", false}})); got != "[{0 [comes early, and later turns depend on it]}]" {
		t.Error(got)
	}
	if Suspects(nil) != nil {
		t.Error("suspects without turns")
	}
}
