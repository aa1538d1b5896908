package theagentcompany

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/plugins/internal/effect"
)

func formatEffects(effects []effect.Effect) string {
	var out []string
	for _, e := range effects {
		if e.Opaque {
			out = append(out, "? "+e.Text)
		} else {
			out = append(out, fmt.Sprintf("%s: %s", e.Key, e.Text))
		}
	}
	return strings.Join(out, "; ")
}

// TestBrowse checks the effects of browser programs that run one after another. A step
// that only reads has no effect, a message is one effect, and every other step has an
// unknown effect.
func TestBrowse(t *testing.T) {
	const room = "http://office:3000/direct/k3"
	for _, x := range []struct {
		programs []string
		pages    []string
		want     string
	}{
		{[]string{"goto('http://Office:3000/direct/k3/')\nnoop(2000)  # wait\nscroll(0, 9)"}, []string{room}, ""},
		{[]string{"fill('1', 'Hi  you')\nnoop(9)\npress('1', 'Enter')"}, []string{room}, "direct/k3: Hi you"},
		{[]string{"fill('1', 'Hi')", "press('1', 'Enter')"}, []string{room, room}, "direct/k3: Hi"},
		{[]string{"click('1')\nfill('1', 'Hi')\npress('1', 'Enter')"}, []string{room}, "direct/k3: Hi"},
		{[]string{"click('9')\nfill('1', 'Hi')\npress('1', 'Enter')"}, []string{room}, "?  map[] click(\"9\"); direct/k3: Hi"},
		{[]string{"fill('1', 'Hi')\nclick('2')"}, []string{room}, "?  map[1:Hi] click(\"2\")"},
		{[]string{"fill('1', 'Hi')\npress('1', 'Enter')"}, []string{"http://office:8091/new"}, "?  map[1:Hi] press(\"1\", \"Enter\")"},
		{[]string{"fill('1', 'Hi')\npress('1', 'Enter')"}, []string{""}, "?  map[1:Hi] press(\"1\", \"Enter\")"},
		{[]string{"fill('1', 'Hi')", "goto('http://office:8091')", "press('1', 'Enter')"}, []string{room, "http://office:8091", room}, `? http://office:8091 map[] press("1", "Enter")`},
		{[]string{"fill('1', 'Hi')", "noop()", "press('1', 'Enter')"}, []string{room, "http://office:3000/direct/zz", ""}, `? http://office:3000/direct/zz map[] press("1", "Enter")`},
		{[]string{"press('1', 'PageDown')\nhover('2')\ngo_back()\ntab_focus(1)"}, []string{room}, ""},
		{[]string{"select_option('1', ['a', 'b'])"}, []string{room}, `?  map[] select_option("1", ["a", "b"])`},
		{[]string{"x = 1"}, []string{room}, "?  map[] x = 1"},
	} {
		b := browser{}
		var got []effect.Effect
		for i, p := range x.programs {
			e, read := b.browseEffects(p, x.pages[i])
			if got = append(got, e...); !read && p != "x = 1" {
				t.Errorf("%q is not read", p)
			}
		}
		if s := formatEffects(got); s != x.want {
			t.Errorf("%q on %q\n got %s\nwant %s", x.programs, x.pages, s, x.want)
		}
	}
	for _, p := range []string{"fill('1', `x`)", "for x in y:\n  click(x)", "click('1'"} {
		if _, read := (&browser{}).browseEffects(p, ""); read {
			t.Errorf("%q is read", p)
		}
	}
}

func TestMessage(t *testing.T) {
	for body, want := range map[string]string{
		`{"channel":"#general","text":"a  b"}`: "channel/general: a b",
		`{"channel":"@Chen","text":"a"}`:       "person/chen: a",
		`{"roomId":"GENERAL","text":"a"}`:      "room/GENERAL: a",
		`{"message":{"rid":"k3","msg":"a"}}`:   "room/k3: a",
		`{"channel":"#general"}`:               "",
		`{`:                                    "",
	} {
		e, ok := messageEffect(body)
		if got := formatEffects([]effect.Effect{e}); ok != (want != "") || ok && got != want {
			t.Errorf("%s: %s, %v, want %q", body, got, ok, want)
		}
	}
}

func FuzzBrowse(f *testing.F) {
	f.Add("click('1')\nfill('1', 'Hi')\npress('1', 'Enter')", "http://office:3000/direct/k3")
	f.Add("goto('http://[')\nselect_option('1', ['a', b, *c])", "%")
	f.Add("keyboard_press('Enter'); clear('1'); press()", "")
	f.Fuzz(func(t *testing.T, program, page string) {
		b := browser{}
		for range 2 {
			effects, _ := b.browseEffects(program, page)
			(&effect.World{}).Play(effects)
		}
	})
}
