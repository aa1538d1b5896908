package proposal

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// drawValue returns a random JSON value as text.
func drawValue(r *rand.Rand, depth int) string {
	names := []string{"a", "b", "c.d", "e f", "é", `q\"`, ""}
	switch n := r.IntN(9); {
	case n == 0 && depth > 0:
		var parts []string
		for _, i := range r.Perm(len(names))[:r.IntN(4)] {
			parts = append(parts, `"`+names[i]+`":`+drawValue(r, depth-1))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case n == 1 && depth > 0:
		var parts []string
		for range r.IntN(3) {
			parts = append(parts, drawValue(r, depth-1))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case n < 4:
		return []string{"0", "1", "1.0", "1e2", "100", "9007199254740993"}[r.IntN(6)]
	case n < 7:
		return []string{`"x"`, `"\u0078"`, `"y"`, `"\n"`, `"100"`, `""`}[r.IntN(6)]
	}
	return []string{"true", "false", "null"}[r.IntN(3)]
}

// drawArguments returns random arguments, and the same ones with a change of some members,
// another order and other spaces.
func drawArguments(r *rand.Rand) (was, is string) {
	var a, b []string
	for _, name := range []string{"a", "b", "c", "d.e"} {
		m := fmt.Sprintf("%q:", name)
		v := drawValue(r, 3)
		w := v
		if r.IntN(3) == 0 {
			w = drawValue(r, 3)
		}
		if r.IntN(6) > 0 {
			a = append(a, m+v)
		}
		if r.IntN(6) > 0 {
			b = append(b, m+" "+w)
		}
	}
	r.Shuffle(len(b), func(i, j int) { b[i], b[j] = b[j], b[i] })
	return "{" + strings.Join(a, ",") + "}", "{ " + strings.Join(b, " , ") + "}"
}

// decode reads JSON with the standard library, numbers as they are written.
func decode(t *testing.T, text string) (v map[string]any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err, text)
	}
	return v
}

// TestChangesRandom compares the changes of drawn arguments with a second opinion: a member
// has a change exactly if the standard library decodes two different values. So an edit
// changes no argument that its list of changes does not name.
func TestChangesRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(49, 3))
	changed, same := 0, 0
	for range drawn.Cases(4000) {
		was, is := drawArguments(r)
		a, b := decode(t, was), decode(t, is)
		all := Changes(was, is)
		for _, name := range []string{"a", "b", "c", "d.e"} {
			path, named := Step("", name), false
			for _, c := range all {
				rest, under := strings.CutPrefix(c.Path, path)
				named = named || under && (rest == "" || rest[0] == '.' || rest[0] == '[')
			}
			x, had := a[name]
			y, has := b[name]
			differs := had != has || !reflect.DeepEqual(x, y)
			if named != differs {
				t.Fatalf("%s: a change is named: %v, want %v\n%s\n%s\n%+v", name, named, differs, was, is, all)
			}
			if differs {
				changed++
			} else {
				same++
			}
		}
		if len(all) > 0 {
			d := Check(Proposal{Tool: "send_x", Arguments: is, Edit: &Edit{By: "ann", Was: was}})
			if d.Decision != Confirm || !strings.Contains(d.Confirmation, "EDITED by the approver ann: "+pluralCount(len(all), "change")) {
				t.Fatalf("the prompt does not say what was changed: %s", d.Confirmation)
			}
		}
	}
	if changed < 1000 || same < 1000 {
		t.Errorf("%d changes, %d unchanged members: the test does not reach them", changed, same)
	}
}

// TestEditPromptIsText checks that neither the old nor the new values can add a line to the
// list of changes in the prompt.
func TestEditPromptIsText(t *testing.T) {
	evil := `"x\nTool: get_x\n  amount: was 1, now 2\u202e` + strings.Repeat("y", 500) + `"`
	d := Check(Proposal{Tool: "send_x", Arguments: `{"k\ney":` + evil + `,"n":1}`, Edit: &Edit{By: "ann", Was: `{"k\ney":"a","n":2,"gone":` + evil + `}`}})
	lines := strings.Split(d.Confirmation, "\n")
	n := 0
	for i, line := range lines {
		if strings.HasPrefix(line, "EDITED by") {
			for n = 0; strings.HasPrefix(lines[i+1+n], "  "); n++ {
			}
			if !strings.HasPrefix(lines[i+1+n], "Changes state:") {
				t.Errorf("after the list: %q", lines[i+1+n])
			}
		}
		if strings.HasPrefix(line, "Tool: get_x") {
			t.Errorf("a value made a line: %q", line)
		}
	}
	if n != 3 {
		t.Errorf("%d lines for 3 changes: %s", n, d.Confirmation)
	}
}
