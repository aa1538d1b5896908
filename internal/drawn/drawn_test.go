package drawn

import "testing"

func TestCases(t *testing.T) {
	for value, want := range map[string]int{"": 20, "100": 2000, "1/10": 2, "1/50": 1, "1/0": 20, "-3": 20, "many": 20} {
		t.Setenv(Variable, value)
		if got := Cases(20); got != want {
			t.Errorf("%q: %d cases, want %d", value, got, want)
		}
	}
}
