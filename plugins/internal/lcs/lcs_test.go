package lcs

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestCommon(t *testing.T) {
	check := func(a, b, want string) {
		t.Helper()
		if got := fmt.Sprint(Common(strings.Split(a, ","), strings.Split(b, ","))); got != want {
			t.Errorf("%s and %s: %s, want %s", a, b, got, want)
		}
	}
	check("a,b,c", "a,b,c", "[[0 0] [1 1] [2 2]]")
	check("a,x,b", "a,b,y", "[[0 0] [2 1]]")
	check("a,b", "b,a", "[[1 0]]")
	check("a,a", "a", "[[0 0]]")
	check("x,y", "a,b", "[]")
	check("", "", "[]")
	check("a,,b", ",a,b", "[[0 1] [2 2]]")
	if got := Common(nil, []string{"a"}); got != nil {
		t.Error(got)
	}
	long := slices.Repeat([]string{"a"}, 2000)
	if got := Common(long, long); got != nil {
		t.Errorf("%d pairs of what is too long", len(got))
	}
}
