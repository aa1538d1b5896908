package abi

import (
	"strings"
	"testing"
)

func TestTooDeep(t *testing.T) {
	check := func(text string, want bool) {
		t.Helper()
		if got := TooDeep([]byte(text)); got != want {
			t.Errorf("%.40q: too deep is %v", text, got)
		}
	}
	check(`{"a":[{}]}`, false)
	check(strings.Repeat("[", MaxDepth)+strings.Repeat("]", MaxDepth), false)
	check(strings.Repeat("[", MaxDepth+1), true)
	check(`["`+strings.Repeat("[", 600)+`"]`, false)
	check(`["\"`+strings.Repeat("[", 600)+`"]`, false)
	check(strings.Repeat("[]", 600), false)
	check(`"\`, false)
}
