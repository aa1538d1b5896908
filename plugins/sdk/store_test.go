package sdk

import (
	"errors"
	"testing"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

func TestStore(t *testing.T) {
	var s Store[map[string]int]
	check := func(id string, want int, code string) {
		t.Helper()
		got, err := s.Get(id)
		var known *abi.Error
		if (code == "") != (err == nil) || err != nil && (!errors.As(err, &known) || known.Code != code) || got["x"] != want {
			t.Errorf("%q: %v, %v", id, got, err)
		}
	}
	check("", 0, "")
	check("a", 0, abi.CodeUnknownEnvironment)
	s.Put("a", map[string]int{"x": 1})
	check("a", 1, "")
	check("", 0, "")
	s.Put("b", map[string]int{"x": 2})
	check("b", 2, "")
	check("a", 0, abi.CodeUnknownEnvironment)
}
