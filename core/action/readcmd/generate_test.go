//go:build linux

package readcmd

import (
	"math/rand/v2"
	"strings"
)

// generator generates lines of the grammar, and lines just outside of it.
type generator struct {
	*rand.Rand
	seeds []string
	names []string
}

func newGenerator(seed uint64, lines []string) *generator {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 7)), seeds: lines}
	for _, group := range table() {
		for line := range strings.SplitSeq(group.rows, "\n") {
			names, _, _ := strings.Cut(line, ": ")
			g.names = append(g.names, strings.Split(names, ",")...)
		}
	}
	return g
}

func (g *generator) pick(of ...string) string { return of[g.IntN(len(of))] }

// randomLine returns a random line. The line is generated from the grammar, or it is a
// known line with a change.
func (g *generator) randomLine() string {
	switch g.IntN(4) {
	case 0:
		return g.mutateLine(g.pick(g.seeds...))
	case 1:
		return g.mutateLine(g.randomList(2))
	}
	return g.randomList(2)
}

func (g *generator) randomList(depth int) string {
	out := g.randomPipeline(depth)
	for g.IntN(3) == 0 {
		out += g.pick("; ", " && ", " || ", "\n", ";", " & ", "&&", " |& ") + g.randomPipeline(depth)
	}
	return out
}

func (g *generator) randomPipeline(depth int) string {
	out := g.randomCommand(depth)
	for g.IntN(4) == 0 {
		out += g.pick(" | ", "|", " |\n") + g.randomCommand(depth)
	}
	return g.pick("", "", "", "", "", "! ", "time ", "# note\n") + out
}

func (g *generator) randomCommand(depth int) string {
	if depth > 0 && g.IntN(5) == 0 {
		inner := g.randomList(depth - 1)
		switch g.IntN(9) {
		case 0:
			return "( " + inner + " )"
		case 1:
			return "{ " + inner + "; }"
		case 2:
			return "for " + g.pick("f", "x", "file", "PATH", "path") + " in " + g.randomWords(3) + "; do " + inner + "; done"
		case 3:
			return "if " + g.randomCommand(depth-1) + "; then " + inner + g.pick("", "; else "+g.randomCommand(depth-1)) + "; fi"
		case 4:
			return "while " + g.pick("false", "read -r x", "[ -f nope ]") + "; do " + inner + "; done < " + g.pick("in.txt", "list", "a")
		case 5:
			return "echo \"$(" + inner + ")\""
		case 6:
			return "ls $(" + inner + ")"
		case 7:
			return g.pick("bash", "sh", "zsh") + " -c '" + strings.ReplaceAll(inner, "'", `'\''`) + "'"
		}
		return "(" + inner + ")"
	}
	return g.randomSimple() + g.randomRedirect()
}

// randomSimple returns a random simple command. It is a command of the table, or a
// special form that the grammar may refuse.
func (g *generator) randomSimple() string {
	switch g.IntN(14) {
	case 0:
		return "find " + g.pick(". ", "src ", "", g.randomWord()+" ") + g.pick("-name '*.go'", "-type f", "-print0", "-delete", "-exec "+g.pick("cat", "wc -l", "sort", "git log", "sed -n 1p", "rm")+" {} "+g.pick("+", `\;`), "-fprint out", "-maxdepth 2", `\( -name a -o -name b \)`, "-printf '%p'", g.randomWord(), "-newer a")
	case 1:
		return "sed " + g.pick("-n ", "", "-E ", "-i ", "-e ", g.randomOption()+" ") + g.randomQuoted(g.pick("1,2p", "s/a/b/", "s/a/b/w out", "w out", "1e touch PWN", "s/a/touch PWN/e", "$p;d", "/a/,/b/p", "/[/]/p", "s|a|b|g", "y/ab/cd/", "a text", "r b", ":a;N;$!ba;s/x/y/", "s/[]/]/x/;w out", "/x/{p;d}", "s/x/[/w out/;s/]/y/")) + " " + g.randomWords(2)
	case 2:
		return g.pick("awk", "gawk", "mawk") + " " + g.pick("", "-F: ", "-v x=1 ", "-f ", "-i ", g.randomOption()+" ") + g.randomQuoted(g.pick("{print $1}", "NR>1 {print}", `{print > "out"}`, `BEGIN {system("touch PWN")}`, `{print | "touch PWN"}`, "/a|b/", `$1 > 2 && /x/ {n++} END {print n}`, `{"touch PWN" | getline}`, `{print $1/2, "a"/2}`, `{if (1) print; else print "x" > "out"}`, `/[]/]/ {print > "out"}`, `{x = a / "b" / c; print}`, `{print(1)>"out"}`, `{gsub(/"/, "x"); print}`)) + " " + g.randomWords(2)
	case 3:
		return "xargs " + g.pick("", "-0 ", "-I{} ", "-n1 ", g.randomOption()+" ") + g.pick("cat", "ls {}", "sort", "sh -c ls", "wc -l", "grep foo", "touch", "printf '%s'", "sed -n 1p", "") + " < " + g.pick("in.txt", "list", "a")
	case 4:
		return g.pick("[ ", "test ", "[[ ") + g.pick("-f a", "! -d src", "-n \"$X\"", "-v 'a[$(touch PWN)]'", "$X -eq 0", "\"$X\" -eq 0", "'a[$(touch PWN)]' -eq 0", "-n $X", "$X", "\"$X\"", "a = b", "$X = $x", "a -ot b", "1 -lt 2", "-z \"$X\" -o -f a", "-R X", "a == *", g.randomWords(3)) + g.pick(" ]", "", " ]]")
	case 5:
		return "printf " + g.pick("", "-v a ", "-- ") + g.pick("'%s\\n'", "'%d'", "'%5s %d\\n'", "%q", "'%n'", "'%b'", "$X", "'%*d'", "'%(%F)T'") + " " + g.randomWords(3)
	case 6:
		return g.pick("timeout 1 ", "env ", "nice ", "command ", "time ", "nohup ", "exec ", "builtin ", "stdbuf -oL ", "X=1 ", "env A=1 ", "timeout -k 1 2 ") + g.randomTableCommand()
	case 7:
		return g.pick("touch PWN", "rm a", "tee out", "cp a out", "pwn", "eval ls", "alias ls='touch PWN'", "ls() { touch PWN; }", "PATH=.", "trap 'touch PWN' EXIT", "read x", "read PATH", "cat < /dev/tcp/127.0.0.1/9", "kill -9 -1", "unset PATH", "cd bare && git status", "cd src", "git -C bare status", "export X=1", ": ${X:=$(touch PWN)}")
	}
	return g.randomTableCommand()
}

// randomTableCommand returns a random command of the table, with random options and
// words.
func (g *generator) randomTableCommand() string {
	out := g.pick(g.names...)
	if g.IntN(3) == 0 {
		out = g.pick("ls", "cat", "sort", "grep", "git log", "git diff", "git branch", "uniq", "date", "tree", "file", "rg", "tar", "head", "echo", "xxd", "sort", "jq", "diff", "base64", "hostname", "less")
	}
	for g.IntN(2) == 0 {
		out += " " + g.randomOption()
	}
	return out + " " + g.randomWords(3)
}

func (g *generator) randomOption() string {
	letters := "abcdefghijklmnopqrstuvwxyzCEFGHIRSTUV0123456789"
	one := func() string { i := g.IntN(len(letters)); return letters[i : i+1] }
	switch g.IntN(9) {
	case 0:
		return "-" + one() + one()
	case 1:
		return "--" + g.pick("output", "output=out", "compress-program=pwn", "in-place", "all", "help", "version", "file=a", "textconv", "ext-diff", "files0-from=list", "color=always", "pre=pwn", "stat", "outp=out", "")
	case 2:
		return g.pick("-o out", "-oout", "-no out", "-O pwn", "-i", "-f list", "-w out", "-C src", "-c core.pager=pwn", "-r", "--", "-", "-t", "tf", "+x", "-1", "-p")
	}
	return "-" + one()
}

func (g *generator) randomWords(most int) string {
	var out []string
	for range g.IntN(most + 1) {
		out = append(out, g.randomWord())
	}
	return strings.Join(out, " ")
}

func (g *generator) randomWord() string {
	switch g.IntN(10) {
	case 0:
		return g.randomOption()
	case 1:
		return g.randomWord() + g.randomWord()
	case 2:
		return g.randomQuoted(g.pick("a b", "$(touch PWN)", "a[$(touch PWN)]", "x", "*", "-o", ";touch PWN", "w out", "it", "a|b", "foo$", "!t", "$X"))
	case 3:
		return g.pick("$X", `"$X"`, "${X}", `"${x}"`, "${X:-a}", "$f", "$x$X", `"a$X"`, "$?", `"$@"`, "$1", "$#", "./$X", `"./$X"`, "$HOME/x", "--output=$X", `-o"$X"`, "$X:h", "$$")
	case 4:
		return g.pick("*", "*.go", "./*", "src/*", "[a-c]*", "?", "{a,b}", "{a,-o}", "-*", "--*", "*(e:'touch PWN':)", "*(N)", "a#-o", "^a", "*~b", "~", "~/x", "~nobody", "=ls", "{}", "<->", "@(a|b)", "!(a)")
	case 5:
		return g.pick("$(ls)", `"$(touch PWN)"`, "`touch PWN`", "$((X))", "$[X]", "${X@P}", "${!X}", "${X:x}", "$X[1]", "${X[1]}", "<(touch PWN)", "<(ls)", "<(cat a | sort)", "<(ls; touch PWN)", "=(touch PWN)", "$'\\t'", "$'a\\nb'", "${X:=y}", "${#X}", "${X//a/b}", "$(cat a)", "${(e)X}", "$~X", "${X:-$(touch PWN)}", `$"x"`)
	}
	return g.pick("a", "b", "f", "out", "src", "in.txt", "a.go", "HEAD", "HEAD~1", "HEAD^", "v1", "topic", "1", "5", ".", "..", "/etc/passwd", "foo", "x=y", "a:b", "@", "%1", "+5", "nope", "src/a", "--", "{print}", "new")
}

func (g *generator) randomQuoted(s string) string {
	switch g.IntN(5) {
	case 0:
		return `"` + s + `"`
	case 1:
		return s
	}
	return "'" + s + "'"
}

func (g *generator) randomRedirect() string {
	if g.IntN(5) > 0 {
		return ""
	}
	return " " + g.pick("2>/dev/null", ">/dev/null 2>&1", "< in.txt", "&>/dev/null", "> out", ">> out", "2>&1", "< $X", "<<< x", `<<< "$X"`, ">&2", "< /dev/tcp/127.0.0.1/9", "<<EOF\nx\nEOF", "<<'EOF'\ntouch PWN\nEOF", "<<'EOF' | cat\n$(touch PWN)\nEOF\n", "<<\"E\"\ntouch PWN\n E\n", ">| out", "<> out", "> /tmp/out", "2> out", "< <(touch PWN)", "<1-5>/dev/null", ">/dev/null/x", "3>&1", ">&out", "&> out")
}

// mutateLine returns a line with some characters changed.
func (g *generator) mutateLine(line string) string {
	text := []byte(line)
	for range 1 + g.IntN(3) {
		at := g.IntN(len(text) + 1)
		switch g.IntN(4) {
		case 0:
			if at < len(text) {
				text = append(text[:at:at], text[at+1:]...)
			}
		case 1, 2:
			piece := g.pick("'", `"`, `\`, "\n", " ", ";", "|", "&", "(", ")", "{", "}", "$", "`", "!", "#", "*", "?", "[", "]", "~", "<", ">", "=", "^", "%", "@", ":", ",", "-", "\\\n", "\t", "$X", "é", "-o ", "$(", "((", "[[ ", " --", "=(")
			text = append(append(text[:at:at], piece...), text[at:]...)
		case 3:
			text = append(append(text[:at:at], g.randomWord()...), text[at:]...)
		}
	}
	return string(text)
}
