package pycall

import (
	"fmt"
	"strings"
	"testing"
)

// formatValue formats a value in one line. Strings are quoted, and other values are
// written as in the source.
func formatValue(v *Value) string {
	list := func(items []Value) string {
		var out []string
		for i := range items {
			out = append(out, formatValue(&items[i]))
		}
		return strings.Join(out, " ")
	}
	switch v.Kind {
	case None:
		return "None"
	case Bool, Number:
		return v.Text
	case String:
		return fmt.Sprintf("%q", v.Text)
	case List:
		return "[" + list(v.Items) + "]"
	case Tuple:
		return "(" + list(v.Items) + ")"
	case Set:
		return "set{" + list(v.Items) + "}"
	case Dict:
		return "{" + list(v.Items) + "}"
	case Star:
		return "*" + list(v.Items)
	case Other:
		return "<" + v.Text + ">"
	}
	var b strings.Builder
	for i, l := range v.Links {
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(l.Name)
		if l.Called {
			b.WriteString("(" + list(l.Args))
			for _, k := range l.Keywords {
				b.WriteString(" " + k.Name + "=" + formatValue(&k.Value))
			}
			b.WriteByte(')')
		}
	}
	return b.String()
}

func formatProgram(src string) string {
	all, err := Parse(src)
	if err != nil {
		return "! " + err.Error()
	}
	var out []string
	for _, st := range all {
		text := formatValue(&st.Value)
		if st.Import != "" {
			text = st.Import
		}
		if st.Target != "" {
			text = st.Target + " := " + text
		}
		out = append(out, text)
	}
	return strings.Join(out, " | ")
}

func TestParse(t *testing.T) {
	check := func(src, want string) {
		t.Helper()
		if got := formatProgram(src); got != want {
			t.Errorf("%q\n got %s\nwant %s", src, got, want)
		}
	}
	check("", "")
	check("# nothing but words", "")
	check("WAIT", "WAIT")
	check("ui.click(1, -2.5, button='left')", `ui.click(1 -2.5 button="left")`)
	check("import ui, time\nui.press('a'); time.sleep(0.5)\n", `import ui, time | ui.press("a") | time.sleep(0.5)`)
	check("from ui import (press,\n hotkey as h)\nh('a')", "from ui import (press,\n hotkey as h) | h(\"a\")")
	check("ui.moveTo(\n  10, # right\n  20,\n)", `ui.moveTo(10 20)`)
	check(`page.get_by_role("button", name="Go").first.click()`, `page.get_by_role("button" name="Go").first.click()`)
	check("await page.click('#a')", `page.click("#a")`)
	check("x, y = 3, 4\nui.click(x, y)", `x, y := (3 4) | ui.click(x y)`)
	check("x = 1,\ny, = z\nv = w = 2,", `x := (1) | y, := z | v = w := (2)`)
	check("f(9, 90.9, 9e9, 9E-9, 0b10, 0o17)", `f(9 90.9 9e9 9E-9 0b10 0o17)`)
	check(`f('\7\1018\0')`, `f("\aA8\x00")`)
	check("ui.hotkey(*['ctrl', 'c'])", `ui.hotkey(*["ctrl" "c"])`)
	check("f((1,), (), [], {}, (2), {'a': 1, 'b': [2]}, {1, 2}, **more)", `f((1) () [] {} 2 {"a" 1 "b" [2]} set{1 2} =more)`)
	check("f(None, True, 0x1F, 1_000, .5, 1e-3, +7)", `f(None True 0x1F 1_000 .5 1e-3 7)`)

	// Expressions that would have to be evaluated keep their source.
	check("f(960 / 2, a if b else c, not x, x not in y, -x, s[1:2], s.t(1)[0])",
		`f(<960 / 2> <a if b else c> <not x> <x not in y> <-x> <s[1:2]> <s.t(1)[0]>)`)
	check(`f(f'{a}', f'b')`, `f(<f'{a}'> "b")`)
	check(`f('{}'.format(1))`, `f('{}'.format(1))`)

	// Strings.
	check(`f('a' "b", r'\n', '\n\x41\u00e9\101\q', '''x
'y' ''', 'a\
b', b'c')`, `f("ab" "\\n" "\nAéA\\q" "x\n'y' " "ab" "c")`)

	for src, want := range map[string]string{
		"f(":                      "line 1, column 3: unexpected end",
		"f(1":                     "line 1, column 4: missing )",
		"f(1))":                   "line 1, column 5: unexpected )",
		"f('a":                    "line 1, column 3: unfinished string",
		"f('a\nb')":               "line 1, column 3: unfinished string",
		"f(a=1, 2)":               "line 1, column 8: a positional argument after a keyword argument",
		"f('a'=1)":                "line 1, column 3: invalid argument name",
		"f(a.b=1)":                "line 1, column 3: invalid argument name",
		"f(a()=1)":                "line 1, column 3: invalid argument name",
		"f(1e5x)":                 "line 1, column 3: invalid number 1e5x",
		"f(1e)":                   "line 1, column 3: invalid number 1e",
		"f(1e5e5)":                "line 1, column 3: invalid number 1e5e5",
		"f(0x)":                   "line 1, column 3: invalid number 0x",
		"f(0b12)":                 "line 1, column 3: invalid number 0b12",
		"f(1__)":                  "line 1, column 3: invalid number 1__",
		"f(1.2.3)":                "line 1, column 3: invalid number 1.2.3",
		"a b":                     "line 1, column 3: unexpected b",
		"f(1)\nfor x in y: f(x)":  "line 2, column 1: a for statement is not supported, because it is not a call",
		"f(x for x in y)":         "line 1, column 5: unexpected for",
		"f(1a)":                   "line 1, column 3: invalid number 1a",
		"1 = 2":                   "line 1, column 1: cannot assign to 1",
		"f('\\x4')":               "line 1, column 4: invalid escape",
		"f('\\N{DASH}')":          "line 1, column 4: an escape such as \\N{NAME} is not supported",
		"f(a[])":                  "line 1, column 4: missing a subscript",
		"f(a ? b)":                "line 1, column 5: unexpected '?'",
		"DONE\n\n====":            "line 3, column 1: unexpected ==",
		"f(x not y)":              "line 1, column 9: unexpected y",
		"import":                  "line 1, column 7: unexpected end",
		strings.Repeat("[", 1000): "line 1, column 102: nested too deeply",
		strings.Repeat("-", 1000): "line 1, column 102: nested too deeply",
	} {
		check(src, "! "+want)
	}
}

func TestCall(t *testing.T) {
	all, err := Parse("ui.hotkey(*['ctrl', 'c'], 'x', interval=0.1)")
	if err != nil {
		t.Fatal(err)
	}
	object, call, ok := all[0].Value.Call()
	if !ok || object != "ui" || call.Name != "hotkey" || len(call.Spread()) != 3 || call.Argument(9, "interval").Text != "0.1" ||
		call.Argument(1, "interval").Text != "x" || call.Argument(-1, "none") != nil {
		t.Errorf("%q %+v %t", object, call, ok)
	}
	if _, _, ok := (&Value{Kind: Number, Text: "1"}).Call(); ok {
		t.Error("a number is a call")
	}
}

// FuzzParse checks that no source causes a panic, and that the values of a parsed
// source can be parsed again.
func FuzzParse(f *testing.F) {
	for _, src := range []string{"", "f(1, 'a', b=[2, (3,)])", "a.b(c).d.e()", "x = -1; f(x)", "f('''a\n''' \"b\" r'\\')", "f(*[1], **{'a': 1})",
		"import a as b, c\nfrom d import (e)", "f(a[1:2] if not b in c else d)", "f('\\x41\\u00e9\\U0001F600\\777')", "f(0x_f, 1e+5, .5)", "{1: {2, 3}}", "((((", "f(\n#\n)"} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		all, err := Parse(src)
		if err != nil {
			return
		}
		for i := range all {
			if _, call, ok := all[i].Value.Call(); ok {
				call.Spread()
				call.Argument(0, "x")
			}
		}
		again, err := Parse(src + "\n")
		if err != nil || len(again) != len(all) {
			t.Errorf("%q with a line end: %d statements and %v, without %d", src, len(again), err, len(all))
		}
	})
}
