package beside

import (
	"fmt"
	"testing"
)

func TestTogether(t *testing.T) {
	// Rows 1 to 3 have the same effect as a group. So would 2 to 4, but 2 and 3 are
	// taken.
	got := Together(6, func(from, to int, taken map[int]string) string {
		for i := from; i < to; i++ {
			if taken[i] != "" {
				return ""
			}
		}
		if to-from == 3 && (from == 1 || from == 2) {
			return fmt.Sprint("whole ", from)
		}
		return ""
	})
	if fmt.Sprint(got) != "map[1:whole 1 2:whole 1 3:whole 1]" {
		t.Error(got)
	}
	widest := 0
	Together(40, func(from, to int, _ map[int]string) string { widest = max(widest, to-from); return "" })
	if widest != MaxTogether {
		t.Errorf("%d rows were tried as one", widest)
	}
}

// TestApart checks the pairs that Apart finds. The letter at a place in effects is the
// effect of that row's call. Each letter in kinds is the kind of a row:
//
//   - o: a call of only the observed run;
//   - r: a call of only the reference;
//   - b: a call of both;
//   - a dot: an explained row.
func TestApart(t *testing.T) {
	check := func(kinds, effects, want string) {
		t.Helper()
		var all []Kind
		for _, c := range kinds {
			all = append(all, map[rune]Kind{'o': Observed, 'r': Reference, 'b': Between, '.': Explained}[c])
		}
		effect := func(i int) string {
			if effects[i] == ' ' {
				return ""
			}
			return effects[i : i+1]
		}
		got := Apart(all, effect, func(obs, ref int) bool { return effects[obs] != 'x' })
		if fmt.Sprint(got) != want {
			t.Errorf("%s %s: %v, want %s", kinds, effects, got, want)
		}
	}
	check("or", "aa", "map[0:1 1:0]")
	check("o.r", "a a", "map[0:2 2:0]")
	check("or", "ab", "map[]")
	check("or", "  ", "map[]")
	check("or", "xx", "map[]") // not near
	check("obr", "a a", "map[]")
	check("oorr", "abba", "map[1:2 2:1]")
	check("o................r", "a                a", "map[]")
	check("o...............r", "a               a", "map[0:16 16:0]")
}

func TestKindOf(t *testing.T) {
	for _, c := range []struct {
		obs, ref              int
		same, changes, joined bool
		want                  Kind
	}{{0, 0, true, true, false, Between}, {0, 0, true, false, false, Explained}, {0, -1, false, false, true, Explained}, {0, -1, false, false, false, Observed},
		{-1, 0, false, false, false, Reference}, {0, 0, false, false, false, Explained}} {
		if got := KindOf(c.obs, c.ref, c.same, c.changes, c.joined); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}
