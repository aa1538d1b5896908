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

func TestInShare(t *testing.T) {
	for value, want := range map[string]int{"": 4, "1": 10} {
		t.Setenv(LongVariable, value)
		got := 0
		for i := range 10 {
			if InShare(i, 3) {
				got++
			}
		}
		if got != want {
			t.Errorf("%q: %d of 10 cases, want %d", value, got, want)
		}
	}
}
