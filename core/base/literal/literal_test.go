package literal

import "testing"

// TestPythonLiterals checks that objects and lists in the notation of Python become JSON.
func TestPythonLiterals(t *testing.T) {
	check := func(text, want string) {
		t.Helper()
		if got := Python(text).Raw(); got != want {
			t.Errorf("python(%s) = %s, want %s", text, got, want)
		}
	}
	check(`{'id': 'A', 'n': 1, 'ok': True, 'none': None}`, `{"id": "A", "n": 1, "ok": true, "none": null}`)
	check(`{'a': "it's", 'b': 'x\n\'y\''}`, `{"a": "it's", "b": "x\n'y'"}`)
	check(`{'t': (1, 2,), 'u': [False]}`, `{"t": [1, 2], "u": [false]}`)
	check(`{'o': Order(id=1)}`, "")
	check(`hello`, "")
	check(`{'open`, "")
}
