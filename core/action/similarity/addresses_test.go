package similarity

import "testing"

// TestAddsAddress checks that an address beside none in a list, or beside others in a text, is one more, and one in the place
// of another is not.
func TestAddsAddress(t *testing.T) {
	pair := func(observed, reference string) Difference {
		return Difference{Changed: []Pair{{Path: "cc", Key: "cc", Observed: observed, Reference: reference}}}
	}
	leaves := func(raws ...string) (out []Leaf) {
		for i, raw := range raws {
			out = append(out, Leaf{Path: "cc[" + string(rune('0'+i)) + "]", Key: "cc", Raw: raw, Value: raw})
		}
		return out
	}
	none := []Leaf{{Path: "cc", Key: "cc", Raw: "[]", Value: "[]"}}
	for name, c := range map[string]struct {
		d           Difference
		more, fewer bool
	}{
		"one beside none":        {pair(`"a@x.org"`, `[]`), true, false},
		"none beside one":        {pair(`[]`, `"a@x.org"`), false, true},
		"two beside none":        {Difference{Extra: leaves(`"a@x.org"`, `"b@x.org"`), Missing: none}, true, false},
		"none beside two":        {Difference{Extra: none, Missing: leaves(`"a@x.org"`, `"b@x.org"`)}, false, true},
		"one more in a text":     {pair(`"a@x.org, b@x.org"`, `"a@x.org"`), true, false},
		"one fewer in a text":    {pair(`"a@x.org"`, `"a@x.org; b@x.org"`), false, true},
		"another one":            {pair(`"a@x.org"`, `"b@x.org"`), false, false},
		"two in place of one":    {pair(`"a@x.org, c@x.org"`, `"b@x.org"`), false, false},
		"names beside none":      {Difference{Extra: leaves(`"Ann"`), Missing: none}, false, false},
		"a text beside an empty": {pair(`"a@x.org"`, `""`), false, false},
	} {
		if more, fewer := AddsAddress(&c.d, false), AddsAddress(&c.d, true); more != c.more || fewer != c.fewer {
			t.Errorf("%s: %v %v, want %v %v", name, more, fewer, c.more, c.fewer)
		}
	}
}
