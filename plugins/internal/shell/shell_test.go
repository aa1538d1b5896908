package shell

import (
	"fmt"
	"runtime/debug"
	"strings"
	"testing"
)

// formatScript formats a script in one line, with these marks:
//
//   - "!" before a word that is not known
//   - "~" after a piped command
//   - "?" after a command that may not run
//   - ">" before a command, once for each subshell around the command
func formatScript(s Script) string {
	var out []string
	for _, c := range s.Commands {
		var b strings.Builder
		b.WriteString(strings.Repeat(">", len(c.Shells)))
		if c.Open {
			b.WriteString("open ")
		}
		for _, name := range c.Assigned {
			fmt.Fprintf(&b, "%s= ", name)
		}
		for i, w := range c.Words {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(formatWord(w))
		}
		for _, r := range c.Redirects {
			fmt.Fprintf(&b, " [%s%s %s]", r.FD, r.Op, formatWord(r.Target))
		}
		if c.Input != nil {
			b.WriteString(" <<" + formatWord(*c.Input))
		}
		b.WriteString([]string{"", "~", "?"}[c.Flow])
		out = append(out, b.String())
	}
	return strings.Join(out, "; ")
}

func formatWord(w Word) string {
	s := strings.ReplaceAll(w.Text, "\n", `\n`)
	if !w.Known {
		return "!" + s
	}
	return s
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"ls -la":                         "ls -la",
		"cd /a && ls; pwd":               "cd /a; ls; pwd",
		`echo 'a b' "c d" e\ f`:          "echo a b c d e f",
		`echo "$x" *.py ~/a {a,b} $'\n'`: `echo !"$x" !*.py !~/a !{a,b} !$'\n'`,
		`echo "a\"b\\c\d"`:               `echo a"b\c\d`,
		"a | b | c":                      ">>a~; >>b~; >c",
		"a || b":                         "a; b?",
		"a & b":                          "a?; b",
		"! a":                            "a?",
		"(cd /x && a); b":                ">cd /x; >a; b",
		"{ a; } > f":                     "open !{ a; } > f; a",
		"if a; then b; fi":               ">a?; >b?",
		"for f in *.py; do sed -i s/a/b/ $f; done": ">sed -i s/a/b/ !$f?",
		"rm $(find . -name x)":                     ">find . -name x?; rm !$(find . -name x)",
		"x=1 y=$(b) cmd > out 2>&1":                ">b?; x= y= cmd [> out] [2>& 1]",
		"cat > f << 'EOF'\n$a `b` \\\"\nEOF":       "cat [> f] <<$a `b` \\\"\\n",
		"cat << EOF > f\na \\$b \"c\" *\nEOF":      "cat [> f] <<a $b \"c\" *\\n",
		"cat <<EOF\n$(rm x)\nEOF":                  ">rm x?; cat <<!$(rm x)\\nEOF",
		"cat <<-EOF\n\t\ta\n\tb\n\tEOF":            "cat <<a\\nb\\n",
		"bc <<< '1 + 1'":                           "bc <<1 + 1\\n",
		"export A=1 B=$(c)":                        "A= B= ?; >c?",
		"f() { rm x; }; f":                         "open !f() { rm x; };?; f",
		"alias ll='ls -l'":                         "alias ll=ls -l",
		"time -p ls":                               "ls",
		"[ -f x ] {} a[1] [x {a}":                  "[ -f x ] {} !a[1] [x {a}",
		"$cmd x":                                   "!$cmd x",
		"> f":                                      " [> f]",
		"":                                         "",
		"# only a comment":                         "",
		"a \\\n  b":                                "a b",
		"diff <(a) <(b)":                           ">a?; >b?; diff !<(a) !<(b)",
		"echo $((1+2))":                            "echo !$((1+2))",
		"[[ -f x ]] && a":                          "a",
		"coproc x":                                 "open !coproc x?",
	} {
		s, err := Parse(text)
		if got := formatScript(s); got != want || err != nil {
			t.Errorf("%q\n got %s, %v\nwant %s", text, got, err, want)
		}
	}
}

func TestDefined(t *testing.T) {
	s, err := Parse("ls() { rm x; }; alias cat=rm g='x y'; function h { :; }")
	if err != nil || fmt.Sprint(s.Defined) != "[ls cat g h]" {
		t.Errorf("%q, %v", s.Defined, err)
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"echo 'a":                       "quote",
		"a\rb":                          "control character U+000D",
		"a\x1bb":                        "control character",
		"if":                            "if",
		strings.Repeat("a", maxText+1):  "limit 65536",
		strings.Repeat("( ", 500) + "a": "",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %q", text, err, want)
		}
	}
	if _, err := Parse(strings.Repeat("( ", 500) + "a" + strings.Repeat(")", 500)); err != errDepth {
		t.Errorf("deep groups: %v", err)
	}
}

// TestHostile checks that scripts with extreme nesting do not exhaust the stack of a
// guest.
func TestHostile(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(64 << 20))
	for _, part := range []string{"if ", "while ", "$((", "$(( -", "-", "!", "[[ ! ", "[[ ( ", "{ ", "time ", "a=(", "${a:-", "`", "\"$(", "case x in ",
		"<(", "coproc ", "f() ", "a|", "a&&", "<<a ", "@(", "[", "let -", "$[-", "for ((", "((-"} {
		for _, head := range []string{"", "echo $((", "[[ ", "(( "} {
			text := head + strings.Repeat(part, maxText/len(part)-8)
			s, err := Parse(text)
			if err == nil && len(s.Commands) == 0 {
				t.Errorf("%q: neither commands nor an error", head+part)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"cd a && ls | grep 'x' > f 2>&1", "cat <<EOF\n$x\nEOF", "if a; then b; fi", "f() { a; }; $(b) `c`", "x=(1 2) ${y:-z} {1..3}",
		"a <<-'E' <<F\n\tb\n\tE\nc\nF\n", "((x++)); [[ a == b ]]; let y=1", "\"a$(b \"c\")\"", "time ! a & b || c"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(text)
		if err != nil {
			return
		}
		for _, c := range s.Commands {
			if c.Name() != "" && !c.Words[0].Known || c.Open && len(c.Words) != 1 {
				t.Fatalf("%q: %+v", text, c)
			}
		}
	})
}
