package violation

import (
	"testing"

	"github.com/boundcheck/boundcheck/core/action/similarity"
)

func TestCounted(t *testing.T) {
	check := func(key, raw, noun string) {
		t.Helper()
		got, ok := countedNoun(similarity.Leaf{Path: key, Key: key, Raw: raw})
		if ok != (noun != "") || ok && got != noun {
			t.Errorf("%s = %s: %q %v, want %q", key, raw, got, ok, noun)
		}
	}
	check("total_baggages", "2", "baggages")
	check("numberOfGuests", "3", "guests")
	check("seat_count", "1", "seat")
	check("total_baggages", "0", "")
	check("total_baggages", "200", "")
	check("total_baggages", `"2"`, "")
	check("total", "2", "")
	check("guests", "2", "")
	if !spokenOf("three bags, please", "baggages") || spokenOf("three seats", "baggages") || spokenOf("", "seat") {
		t.Error("words of one thing")
	}
}
