package deviation

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestDescribe checks a study of three successes and four failures. The four failures
// have different kinds of decisive deviation: Extra, Wrong, Missing and Same.
func TestDescribe(t *testing.T) {
	all := newTestRuns(t, 2, true, "a", "cancel_x=1", "cancel_x=1")
	all = append(all, newTestRuns(t, 1, true, "b", "cancel_x=1 cancel_x=2 get_y=1", "cancel_x=1")...)
	all = append(all, newTestRuns(t, 1, false, "c", "cancel_x=1 send_y=2", "cancel_x=1")...)
	all = append(all, newTestRuns(t, 1, false, "d", "cancel_x=2", "cancel_x=1")...)
	all = append(all, newTestRuns(t, 1, false, "e", "get_y=2 get_y=3", "get_y=2 cancel_x=1")...)
	all = append(all, newTestRuns(t, 1, false, "f", "get_y=2 cancel_x=1", "cancel_x=1")...)
	r, err := Study(all, Measure)
	if err != nil {
		t.Fatal(err)
	}
	f := r.Describe(all)
	if f.N != 7 || f.Successes != 3 || f.Tasks != 6 || f.Decisive != (Tally{Failures: 4, Extra: 1, Wrong: 1, Missing: 1, Same: 1}) {
		t.Errorf("%+v", f)
	}
	if got := float64(*f.Mutating.Mean); got != 3.0/7 {
		t.Errorf("mean %v", got)
	}
	text, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"mean":0.428571`,
		`"kind":"extra","obs":1,"did":{"name":"send_y","arguments":"{\"id\":\"2\"}"},"instead":null,"witness":"the reference","agreed":1`,
		`"kind":"wrong","obs":0,"did":{"name":"cancel_x","arguments":"{\"id\":\"2\"}"},"instead":{"name":"cancel_x","arguments":"{\"id\":\"1\"}"}`,
		`"kind":"missing","obs":null,"did":null,"instead":{"name":"cancel_x"`,
		`"kind":"same","obs":null,"did":null,"instead":null`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is not in\n%s", want, text)
		}
	}
	if strings.Contains(string(text), `"success":true,"mutating":0,"nonMutating":0,"decisive"`) {
		t.Errorf("a success has no decisive deviation: %s", text)
	}
}

func TestDigits(t *testing.T) {
	check := func(v float64, want string) {
		t.Helper()
		if got, _ := json.Marshal(Digits(v)); string(got) != want {
			t.Errorf("%v is %s, want %s", v, got, want)
		}
	}
	check(0, "0")
	check(-2.4480552138, "-2.44806")
	check(2.1103512e-11, "2.11035e-11")
	check(1.7976931348623157e308, "1.79769e+308")
}
