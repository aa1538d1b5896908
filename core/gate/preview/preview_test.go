package preview

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestArguments draws previews and calls, and checks that each argument of the preview has
// the bytes of the value that it names, and that a missing one is an error.
func TestArguments(t *testing.T) {
	rng := rand.New(rand.NewPCG(49, 9))
	values := []string{`1`, `9007199254740993`, `"a\u0062\""`, `[1, 2]`, `{"x" : 1.0}`, `null`, `true`}
	for range drawn.Cases(300) {
		var members, named []string
		want := "{"
		for i := range 4 {
			v := values[rng.IntN(len(values))]
			members = append(members, fmt.Sprintf(`"m%d":{"in":%s}`, i, v))
			if rng.IntN(2) == 0 {
				named = append(named, fmt.Sprintf(" n%d = m%d.in", i, i))
				want += fmt.Sprintf(`,"n%d":%s`, i, v)
			}
		}
		call, err := jsonval.Parse("{" + strings.Join(members, ",") + "}")
		if err != nil {
			t.Fatal(err)
		}
		c, err := Read("get_x(" + strings.Join(named, ",") + ")")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := c.Arguments(call); err != nil || got != strings.Replace(want, "{,", "{", 1)+"}" {
			t.Fatalf("%s: %s %v, want %s", c, got, err, want)
		}
	}
	c, _ := Read("get_x(a, b)")
	call, _ := jsonval.Parse(`{"a":1}`)
	if _, err := c.Arguments(call); err == nil || !strings.Contains(err.Error(), "no argument b") {
		t.Error(err)
	}
	for _, text := range []string{"", "get_x", "get_x(", "(a)", "get_x(a,)", "get_x(=a)", "get_x(a=)", "get_x(a) "} {
		if _, err := Read(text); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}
