package swebench

import (
	"fmt"
	"testing"

	"github.com/boundcheck/boundcheck/plugins/internal/effect"
)

func typeText(text, answer string) (string, *terminal) {
	t := &terminal{Session: effect.NewSession(&effect.World{}), open: "open.py"}
	t.Own = t.ownEffects
	var said *string
	if answer != "none" {
		said = &answer
	}
	effects, read := t.typedEffects(text, said)
	out := fmt.Sprint(read)
	for _, e := range effects {
		if e.Opaque {
			out += " opaque"
			continue
		}
		out += fmt.Sprintf(" %s %s %d-%d %q", e.Key, e.Op.Verb, e.Op.From, e.Op.To, e.Op.New)
	}
	return out, t
}

// TestTerminal checks the effects of the commands that only this terminal has. The
// effects depend on the command's text and on the terminal's answer.
func TestTerminal(t *testing.T) {
	const shown = "[File: /r/a.py (9 lines total)]\n1:x"
	for _, x := range []struct{ text, answer, want string }{
		{"edit 2:3\nnew\nend_of_edit", shown, `true /r/a.py lines 2-3 "new\n"`},
		{"edit 2:3 a.py\nnew\nend_of_edit", shown, `true /r/a.py lines 2-3 "new\n"`},
		{"edit 2:3\nnew", "none", `true open.py lines 2-3 "new\n"`},
		{"edit 1:0\nnew\nend_of_edit", shown, `true /r/a.py lines 1-0 "new\n"`},
		{"edit 2:3\nend_of_edit", shown, `true /r/a.py lines 2-3 ""`},
		{"insert 2\nnew\nend_of_insert", shown, `true /r/a.py insert 2-0 "new\n"`},
		{"edit 2:3\nnew\nend_of_edit", "Your proposed edit has introduced new syntax error(s).\n" + shown, "true"},
		{"edit 2:3\nnew\nend_of_edit", "No file open. Use the `open` command first.", "true"},
		{"edit a.py\nnew\nend_of_edit", "Usage: edit <start_line>:<end_line>", "true"},
		{"edit two\nnew\nend_of_edit", shown, `true /r/a.py unread 0-0 ""`},
		{"edit 2:3\nnew\nend_of_edit\nrm a.py", shown, "true opaque"},
		{"create b.py", "[File: /r/b.py (1 lines total)]\n1:", `true b.py write 0-0 "\n"`},
		{"create b.py", "Error: File 'b.py' already exists.\n" + shown, "true"},
		{"create d/b.py", "bash: d/b.py: No such file or directory\n" + shown, "true"},
		{"open b.py 12", shown, "true"},
		{"goto 12", shown, "true"},
		{"search_file 'x y' a.py", "No matches", "true"},
		{"submit", "diff --git", "true"},
		{"rm a.py", "rm: cannot remove 'a.py': No such file or directory", "true"},
		{"rm a.py", "", `true a.py remove 0-0 ""`},
		{"python a.py", "", "true opaque"},
		{"echo '", "", "false opaque"},
	} {
		if got, _ := typeText(x.text, x.answer); got != x.want {
			t.Errorf("%q, %.30q\n got %s\nwant %s", x.text, x.answer, got, x.want)
		}
	}
}

// TestOpen checks which file is open after a command. This is the file that the terminal
// shows, or else the file that the command named.
func TestOpen(t *testing.T) {
	for _, x := range []struct{ text, answer, want string }{
		{"open b.py", "[File: /r/b.py (9 lines total)]", "/r/b.py"},
		{"open b.py", "none", "b.py"},
		{"goto 3", "[File: /r/c.py (9 lines total)]", "/r/c.py"},
		{"ls", "b.py", "open.py"},
	} {
		if _, term := typeText(x.text, x.answer); term.open != x.want {
			t.Errorf("%q: %s, want %s", x.text, term.open, x.want)
		}
	}
}

func FuzzTerminal(f *testing.F) {
	f.Add("edit 2:3\nnew\nend_of_edit", "[File: /r/a.py (9 lines total)]\n1:x")
	f.Add("insert 2\nx\nend_of_insert", "[File: (")
	f.Add("create a; open 'b c'", "Error: File 'a' already exists.")
	f.Add("edit 9999999999999999999:1", "")
	f.Fuzz(func(t *testing.T, text, answer string) {
		_, term := typeText(text, answer)
		w := &effect.World{}
		for range 2 {
			effects, _ := term.typedEffects(text, &answer)
			w.Play(effects)
		}
	})
}
