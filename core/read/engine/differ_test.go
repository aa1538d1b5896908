package engine

import "testing"

// TestDiffer compares arguments of calls with one id.
func TestDiffer(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`{"n":1}`, `{"n":2}`, true},
		{`{"n":1,"m":1}`, `{"n":1,"m":2}`, true},
		{`{"to":"ann"}`, `{"to":"bob"}`, true},
		{`{"n":1}`, `{"n":1,"m":2}`, false},
		{`{}`, `{"n":1}`, false},
		{`{"text":"Dear A"}`, `{"text":"Dear Ann"}`, false},
		{`{"text":"Dear A…"}`, `{"text":"Dear Ann"}`, false},
		{`{"n":1}`, `{"n":"1"}`, false},
		{`{"n":1}`, `"{n"`, false},
	} {
		if a, b := parsed(c.a), parsed(c.b); differ(a, b) != c.want || differ(b, a) != c.want {
			t.Errorf("%s and %s: differ is not %v", c.a, c.b, c.want)
		}
	}
}
