package tally

import (
	"bytes"
	"strings"
	"testing"
)

// TestDefinitionsAreNotMixed checks that a partial result with figures by other
// definitions is refused. The old forms do not name a version.
func TestDefinitionsAreNotMixed(t *testing.T) {
	now := string(largeShard(0, 1, 4, 1, false))
	for _, c := range []struct{ from, to, want string }{
		{"", "", ""},
		{`"definitions":2`, `"definitions":1`, "version 1 of their definitions"},
		{`"definitions":2`, `"definitions":3`, "version 3 of their definitions"},
		{`"definitions":2,`, ``, "version 1 of their definitions"},
		{`"boundcheck.tally/3","report":"boundcheck.report/1","definitions":2`, `"boundcheck.tally/1","report":"boundcheck.report/1"`, "version 1 of their definitions"},
		{`"boundcheck.tally/3","report":"boundcheck.report/1","definitions":2`, `"boundcheck.tally/2","report":"boundcheck.report/1"`, "version 1 of their definitions"},
		{`"boundcheck.tally/3"`, `"boundcheck.tally/5"`, "has the format boundcheck.tally/5"},
	} {
		text := strings.Replace(now, c.from, c.to, 1)
		if c.from != "" && text == now {
			t.Fatalf("no %s in the head", c.from)
		}
		var set Set
		err := set.Read("part", bytes.NewReader([]byte(text)), int64(len(text)))
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.to, err, c.want)
		}
	}
	var set Set
	if err := set.Read("part", strings.NewReader(now), int64(len(now))); err != nil {
		t.Fatal(err)
	}
	if s, err := set.Finish(0); err != nil || s.Definitions != 2 || !s.Corpus.Metrics.WithinBounds.Scored {
		t.Errorf("%+v, %v", s, err)
	}
}
