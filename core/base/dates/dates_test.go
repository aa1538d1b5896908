package dates

import "testing"

func TestNames(t *testing.T) {
	for word, want := range map[string]int{"january": 1, "jan": 1, "may": 5, "sep": 9, "sept": 9, "september": 9, "december": 12, "": 0, "ja": 0, "janu": 0, "sepx": 0, "January": 0} {
		if got := Month(word); got != want {
			t.Errorf("Month(%q) = %d, want %d", word, got, want)
		}
	}
	for word, want := range map[string]bool{"sunday": true, "fri": true, "friyay": false, "": false} {
		if IsWeekday(word) != want {
			t.Errorf("IsWeekday(%q) is not %v", word, want)
		}
	}
	if Days(2) != 29 || Days(4) != 30 || Days(12) != 31 {
		t.Error("wrong numbers of days")
	}
}
