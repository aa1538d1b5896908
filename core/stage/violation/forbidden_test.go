package violation

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// TestForbiddenStepsAreFound checks the index of forbidden steps against a look at each.
func TestForbiddenStepsAreFound(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 34))
	draw := func() boundary.Action {
		text := "{"
		for i := range random.IntN(3) {
			if i > 0 {
				text += ","
			}
			text += fmt.Sprintf(`"k%d":%d`, i+random.IntN(2)*2, random.IntN(3))
		}
		v, err := jsonval.Parse(text + "}")
		if err != nil {
			t.Fatal(err)
		}
		a := boundary.Action{Call: similarity.NewCall([]string{"a", "b"}[random.IntN(2)], v, "", "")}
		if random.IntN(4) == 0 {
			a.Terms = &similarity.Terms{Key: "k1", Few: true}
		}
		return a
	}
	done := 0
	for range 2000 {
		never := make([]boundary.Action, random.IntN(6))
		for i := range never {
			never[i] = draw()
		}
		index, a := newForbidden(never), draw()
		want := slices.ContainsFunc(never, func(r boundary.Action) bool { return a.Does(&r) })
		if got := index.isForbidden(&a); got != want {
			t.Fatalf("%q against %d steps: %v, want %v", a.Key, len(never), got, want)
		}
		if want {
			done++
		}
	}
	if done < 200 {
		t.Errorf("%d actions are forbidden: too few to show anything", done)
	}
}

// TestForbiddenInAnySpelling checks that a forbidden step is found under other spellings of its
// name, and that other names are none.
func TestForbiddenInAnySpelling(t *testing.T) {
	never := []boundary.Action{{Call: similarity.NewCall("get_secret", jsonval.Value{}, "", "")}}
	for name, want := range map[string]bool{
		"get_secret": true, "getSecret": true, "GET_SECRET": true, "get-secret": true, "mcp__vault__get_secret": true, "vault.get_secret": true, "get_secrets": true,
		"get_secretary": false, "set_secret": false, "get_order": false,
	} {
		a := boundary.Action{Call: similarity.NewCall(name, jsonval.Value{}, "", "")}
		if got := newForbidden(never).isForbidden(&a); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
