package readcmd

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// readsEverywhere reports whether a line is proven to read in sh, cmd.exe and PowerShell.
func readsEverywhere(line string) bool {
	return Line(line, Own).Reads && CmdExe(line, Own).Reads && PowerShell(line, Own).Reads
}

// TestWindowsReads checks lines that read in all shells.
func TestWindowsReads(t *testing.T) {
	for _, line := range []string{
		"ls -la", "cd src && ls", "git log --oneline -5", "git log --author='x' --since=1.week", "grep -rn foo . | head -5", "rg -n 'foo' --type go",
		"find . -name x -print0 | xargs -0 wc -l", "ls -la 2>/dev/null", "cat a 2>&1 | head", "tr a b < f", "echo $PATH", "date +%s", "cut -d, -f1 a",
		"for f in *.py; do wc -l $f; done", "[ -f a ] && echo y", "[[ -f a ]] && cat a", "grep \"foo bar\" f", "grep '^foo' f", "grep 'foo(' f",
		"ls\ncat a", "cat a || cat b", "ls; cat a", "grep -c 'é' f", "npm --version", "7z l a.zip", "grep '[^a]*' f",
		"sed -n '1,20p' f", "grep -rn foo --include='a.go' .", `grep -E "a|b" f`, `curl -s "https://x.example/a?b=1&c=2"`, `git log --grep="a b"`, `echo "$x"`, "find . -name \"*.go\" -type f", "curl -s 'https://x.example/a'", "git log -n 3 --oneline -- 'src'",
	} {
		for shell, v := range map[string]Verdict{"sh": Line(line, Own), "cmd.exe": CmdExe(line, Own), "PowerShell": PowerShell(line, Own)} {
			if !v.Reads {
				t.Errorf("%q in %s: %s", line, shell, v.Reason)
			}
		}
	}
}

// cmdLines read in sh, and start or change something in cmd.exe.
var cmdLines = []string{
	"echo 'a & del x'", "grep -E 'a>b' f", `echo "a\" & del x & echo \"b"`, "echo 'a & rd /s /q x'", "echo 'x|del y'", "grep 'a&&del x' f", "echo 'a\ndel x'",
	"echo 'a > b'", "cat 'x>>y'", "echo '%PATH%'", `echo "%CD%"`, "echo %TEMP%", "ls '%1'", `echo \& del x`, `echo a\&del x`, `ls \| del x`, `cat \>x`,
	`echo '"' '& del x'`, `echo "'" & del x`, "echo '^' '& del x'", `echo ^"a & del x^"`, "ls; grep -o x y | sort; sort -o y", "sort a; grep -o b c",
	"sort 'a -o b'", `sort "a -o b"`, "sort '-o' 'b'", `cat a | sort /o b`, "sort /O b a", "expand a b", "echo 01-01-2020 | date +%s", "date +%s < f", "git diff '--output=x'",
	"sed 's/a b/w out/' x", "sed -n 's/a /b/w out' f", "psql -c 'select 1; drop table t'", "find . -name 'a -delete'", "find . -name \"a -delete b\"", "tree 'a -o b'",
	"(ls)", "( ls; cat a )", "@ls", ":ls", "\"ls\" \"x & del y\"", "'ls' x", "if a==a del x", "for %x in (a) do del x", "ls &del x", "ls & del x", "git log HEAD^ & del x",
	"grep !x! f", "echo '!PATH!'", `cat "" f`, `grep "a""b" f`, "sort @x", "xargs ls ^\ndel x", "ls 2>nul", "cat a >nul", "cat <&1", "ls 12>/dev/null", "ls >/dev/null/x",
	"cat a >/dev/nullx", "ls >/dev/null\"x\"", `sort "x`, "echo 'it''s & del x'", "echo “a” & del x", "kill -0 5", "echo %x%y%",
	"grep 'x＂ & del y ＂' f", "sort x＂ -o ＂y", "ls –o", "type 'a' 'b & erase c'",
	"git branch '--list' x", "git branch \"--list\" x", "hostname '-f'", "uniq '*'", "find . -name '*.go'", "date '+%s'", "crontab '-l'", "sed -n '1,2w out' f",
}

// powerLines read in sh, and start or change something in PowerShell, or may do so.
var powerLines = []string{
	`echo "a\"; rm x; echo \"b"`, "echo 'a’; rm x; ‘b'", `echo "a”; rm x; “b"`, "echo 'a‚; rm x'", "echo 'a‛; rm x; ‛'", `echo "a„; rm x; „b"`, "echo \"a`\"; rm x; `\"b\"",
	`echo "\$(rm x)"`, `echo "a\$(rm x)"`, `grep "\${x}" f`, `echo \$\(rm x\)`, `ls \; rm x`, `ls \| rm x`, `echo \(rm x\)`, `echo a\{rm x\}`, "ls \\\nrm x",
	"echo @(rm x)", "echo {rm x}", "ls {a,b}", `sort \{rm x\}`, "echo `rm x`", "echo $(rm x)", "echo (rm x)", "ls --% & rm x", "cat $x.Delete()", "cat ${x}", "echo \"${x}\"", "echo $x[0]",
	"echo $env:x", "echo \"$function:x\"", `sort "x"-o y`, "sort 'x'-o y", `sort 'x" -o "y'`, `sort 'a b\' ' -o x'`, "sort -k '' -- -o y", "sort -- -o y", "cat '' -o", "curl -me post https://x",
	"curl -OutFile y https://x", "curl -b x https://x", "ls # x", "ls <# x #>", "echo 'a''; rm x; ''b'", `echo "a"";rm x;""b"`, "exit ls", "return ls", "trap -l", "if (rm x) { ls }", "while (1) { ls }",
	"foreach ($x in ls) { rm $x }", "& ls", ". ls", "ls & rm x", "$x ls", "'ls' -la", "R --version", "kill -0 5", "set", "mount", "expand a b", "ls > x", "ls 2> x", "ls *> x", "cat a>b", "ls 2>/dev/null/x",
	"!ls", "-join ls", "+ls", ", ls", "ls; ; && cat", "ls |", "ls &&", "head -n.5 a", "ls -a[0]", "sort x,'a -o b'", "uniq x,'a b'", "sort a, 'b -o c'", "sort a, b'c -o d'", "sort 'a -o b',c", "uniq a'*'", `az vm list --query "x&calc"`, `npm view "x|calc"`, `gcloud projects list --filter "a>b"`, `git log --grep="a&calc"`, `npm view "a$x"`, "npm view $x", "uniq a\"*\"", "cat – x", "ls —o", "cat a | % { rm x }", "cat a | ? { rm x }", "ls ; % x", "echo \"$é\"",
}

// TestWindowsLines checks that each line is held in the shell that it was written for.
func TestWindowsLines(t *testing.T) {
	for _, line := range cmdLines {
		if v := CmdExe(line, Own); v.Reads || len(v.Queries) > 0 && line != "psql -c 'select 1; drop table t'" {
			t.Errorf("%q passes in cmd.exe", line)
		}
	}
	for _, line := range powerLines {
		if v := PowerShell(line, Own); v.Reads {
			t.Errorf("%q passes in PowerShell", line)
		}
	}
}

// The simulations below share no code with the lexers. Each is the plainest form of what
// the documents of a shell say. A finding is a command, or a file that is written.

var (
	percentPair = regexp.MustCompile(`%[^%]+%|%[0-9*~]|![^!]+!`)
	cmdRefused  = regexp.MustCompile(`^for +[a-z]`)
	toStream    = regexp.MustCompile(`[0-9]?>&[12]($|[ ;|&\n])`)
	cmdName     = regexp.MustCompile(`^[^ ,;=()<>/\\"]*`)
)

// simulateCmd returns the programs that cmd.exe starts with their command lines, and the
// files to which it writes. strange is true if it replaces variables or runs a block.
func simulateCmd(line string) (commands, files []string, strange bool) {
	strange = percentPair.MatchString(line)
	line = strings.ReplaceAll(toStream.ReplaceAllString(line, " $1"), ">>", ">")
	for _, row := range regexp.MustCompile(`[\r\n]`).Split(line, -1) {
		inside, escaped := false, false
		live := make([]bool, len(row))
		for i := range row { // phase 2: which characters are special
			switch {
			case escaped:
				escaped = false
			case row[i] == '"':
				inside = !inside
			case row[i] == '^' && !inside:
				escaped = true
			default:
				live[i] = !inside
			}
		}
		command, target := "", -1
		finish := func() {
			if command = strings.TrimLeft(command, " ,;=@"); command != "" {
				commands = append(commands, command)
				strange = strange || command[0] == '('
			}
			command, target = "", -1
		}
		for i := range row {
			switch {
			case live[i] && (row[i] == '&' || row[i] == '|'):
				finish()
			case live[i] && (row[i] == '>' || row[i] == '<'):
				if target = -1; row[i] == '>' {
					files, target = append(files, ""), len(files)
				}
			case target >= 0 && (files[target] == "" && row[i] == ' '):
			case target >= 0 && live[i] && strings.IndexByte(" ;,=", row[i]) >= 0:
				target = -1
			case target >= 0:
				files[target] += row[i : i+1]
			case row[i] != '^' || !live[i]:
				command += row[i : i+1]
			}
		}
		finish()
	}
	return commands, files, strange
}

// simulatePower returns the statements that PowerShell starts, and the files to which it
// writes. strange is true if an expression, a script or a variable's member runs.
func simulatePower(line string) (commands, files []string, strange bool) {
	const single, double = "'‘’‚‛", `"“”„`
	mode, statement, before := "", "", ' '
	finish := func() {
		if statement = strings.TrimSpace(statement); statement != "" {
			commands = append(commands, statement)
		}
		statement = ""
	}
	line = strings.ReplaceAll(toStream.ReplaceAllString(line, " $1"), "&&", ";")
	runes := append([]rune(line), ' ')
	for i, r := range runes[:len(runes)-1] {
		next := runes[i+1]
		switch {
		case r == '`' && mode != single:
			strange = true
		case mode != "" && strings.ContainsRune(mode, r):
			mode = ""
		case mode == double && r == '$' && strings.ContainsRune("({", next):
			strange = true
		case mode != "":
		case strings.ContainsRune(single, r):
			mode = single
		case strings.ContainsRune(double, r):
			mode = double
		case strings.ContainsRune("(){}", r), r == '@' && before == ' ' && strings.ContainsRune("({'\"", next), r == '#' && before == ' ', r == '&':
			strange = true
		case strings.ContainsRune(";|\r\n", r):
			finish()
			before = ' '
			continue
		case r == '>' && next != '>':
			files = append(files, strings.FieldsFunc(string(runes[i+1:])+" ?", func(r rune) bool { return strings.ContainsRune(" ;|\n", r) })[0])
		}
		statement += string(r)
		before = r
	}
	finish()
	return commands, files, strange || mode != ""
}

// harmless are the commands of the generated lines that only read.
const harmless = " ls cat echo grep sort head wc done do "

// findForeign returns what a simulated shell starts beyond the harmless commands, or "".
func findForeign(words func(string) []string, commands, files []string, strange bool) string {
	if strange {
		return "an expression, a script or a variable"
	}
	for _, f := range files {
		if f != "/dev/null" {
			return "the file " + f
		}
	}
	for _, c := range commands {
		name := cmdName.FindString(c)
		if cmdRefused.MatchString(c) {
			continue
		}
		if !strings.Contains(harmless, " "+name+" ") {
			return "the command " + c
		}
		if name == "sort" && slices.ContainsFunc(words(c), func(w string) bool { return strings.HasPrefix(w, "-o") || strings.HasPrefix(w, "/o") }) {
			return "sort with an output: " + c
		}
	}
	return ""
}

var arrayWithQuote = regexp.MustCompile(`,[^ ]*Q|, +[^ ]*Q|Q[^ ]*,`)

// maskQuoted replaces quotes by Q, and the text between them by x.
func maskQuoted(statement string) string {
	quote := rune(0)
	return strings.Map(func(r rune) rune {
		switch {
		case r == quote:
			quote = 0
		case quote != 0:
			return 'x'
		case r == '\'' || r == '"':
			quote = r
		default:
			return r
		}
		return 'Q'
	}, statement)
}

// wordsOfCmd returns the words that some program may find in its command line.
func wordsOfCmd(command string) (words []string) {
	for _, w := range strings.Fields(command) {
		words = append(words, strings.TrimLeft(w, `'"`))
	}
	return words
}

// wordsOfPower returns the words that a program finds in the command line that PowerShell
// 5 composes for it: it puts quotes around words with spaces and escapes nothing.
func wordsOfPower(statement string) (words []string) {
	var line []string
	word, quote, leading := "", rune(0), false
	for _, r := range statement + " " {
		ends := false
		switch {
		case r == quote:
			quote, ends = 0, leading
		case quote == 0 && (r == '\'' || r == '"'):
			quote, leading = r, word == ""
		case quote == 0 && r == ' ':
			ends = true
		default:
			word += string(r)
		}
		if ends {
			if strings.Contains(word, " ") {
				word = `"` + word + `"`
			}
			if word != "" && word != "--" {
				line = append(line, word)
			}
			word, leading = "", false
		}
	}
	word, inside := "", false
	if arrayWithQuote.MatchString(maskQuoted(statement)) { // PowerShell 7 splits the text of an array at its spaces
		words = wordsOfCmd(statement)
	}
	composed := strings.Join(line, " ") + " "
	for i := range composed {
		switch c := composed[i]; {
		case c == '"' && i > 0 && composed[i-1] == '\\':
			word += `"`
		case c == '"':
			inside = !inside
		case c == ' ' && !inside:
			words, word = append(words, word), ""
		default:
			word += string(c)
		}
	}
	return append(words, strings.Fields(word)...)
}

func findInCmd(line string) string {
	commands, files, strange := simulateCmd(line)
	return findForeign(wordsOfCmd, commands, files, strange)
}

func findInPower(line string) string {
	commands, files, strange := simulatePower(line)
	return findForeign(wordsOfPower, commands, files, strange)
}

// TestEverywhere attacks the law of windows.go with generated lines: the simulations find
// no other command, file or expression in a line that passes.
func TestEverywhere(t *testing.T) {
	g := lineMaker{rand.New(rand.NewPCG(42, 1))}
	passed := 0
	for range drawn.Cases(40_000) {
		line := g.line()
		if !Line(line, Own).Reads {
			continue
		}
		if CmdExe(line, Own).Reads {
			passed++
			if found := findInCmd(line); found != "" {
				t.Errorf("%q passes, and cmd.exe starts %s", line, found)
			}
		}
		if PowerShell(line, Own).Reads {
			passed++
			if found := findInPower(line); found != "" {
				t.Errorf("%q passes, and PowerShell starts %s", line, found)
			}
		}
	}
	if t.Logf("%d lines pass", passed); passed < 4000 {
		t.Error("too few lines pass to say something")
	}
}

// TestSimulations checks that the simulations find something in the lines that were
// written by hand, so that TestEverywhere can fail.
func TestSimulations(t *testing.T) {
	found := 0
	for _, line := range cmdLines {
		if Line(line, Own).Reads && findInCmd(line) != "" {
			found++
		}
	}
	if found < 20 {
		t.Errorf("the simulation of cmd.exe finds something in %d lines", found)
	}
	found = 0
	for _, line := range powerLines {
		if Line(line, Own).Reads && findInPower(line) != "" {
			found++
		}
	}
	if found < 12 {
		t.Errorf("the simulation of PowerShell finds something in %d lines", found)
	}
}

// lineMaker makes lines of commands, quotes, escapes, operators, variables, typographic
// quotes, newlines and carriage returns.
type lineMaker struct{ *rand.Rand }

func (g lineMaker) pick(of ...string) string { return of[g.IntN(len(of))] }

func (g lineMaker) line() string {
	line := g.command()
	for g.IntN(3) == 0 {
		line += g.pick("; ", " | ", " && ", " || ", "\n", ";", "|", "&&", " ;", " & ", "&", "\r", " |& ") + g.command()
	}
	for g.IntN(3) == 0 {
		at := g.IntN(len(line) + 1)
		line = line[:at] + g.piece() + line[at:]
	}
	return line
}

func (g lineMaker) command() string {
	out := g.pick("ls", "cat", "echo", "grep", "sort", "head", "wc", "sort", "sort", "for f in")
	for g.IntN(4) > 0 {
		out += " " + g.word()
	}
	if g.IntN(6) == 0 {
		out += g.pick(" 2>/dev/null", " > /dev/null", " 2>&1", " < in", ">/dev/null", " >x", " &>/dev/null", " 2>/dev/null 2>&1", " >&2")
	}
	return out
}

func (g lineMaker) word() string {
	text := g.pick("a", "b.txt", "-n", "src/x", "5", "-5", "a b", "x y z", "a,b", "k=v", "*.go", "a.b")
	for g.IntN(3) == 0 {
		text += g.piece()
	}
	switch g.IntN(5) {
	case 0:
		return `"` + text + `"`
	case 1:
		return "'" + text + "'"
	case 2:
		return text + g.pick(`"`, "'", "") + g.pick("b", " c", "-o") + g.pick(`"`, "'", "")
	}
	return text
}

// piece returns a text that is special in some shell, or what could follow one.
func (g lineMaker) piece() string {
	return g.pick(" & del x ", "; rm x; ", " | del x", "&&rm x", "'", `"`, `\"`, `\'`, "''", `""`, `\`, `\\`, "^", "^&", `^"`, "`", "`\"", "%PATH%", "%x", "%", "!x!", "$x", "$(rm x)", `\$(rm x)`,
		"${x}", "$x.y", "(rm x)", "{rm x}", "‘", "’", "‚", "“", "”", "„", "＂", "–", ">", ">y", " > y", "2>y", "<", "\n", "\r", "\ndel x", "#", " # ", "@", "@(x)", " -o y ", "-o", " /o y", "--", " -- ", "--%", `" -o "`, `' -o '`, `\' `, `'" -o "y'`, ",'a -o b'", ", ",
		",", ";", "=", " ", "\\\n", "^\n", "|", "&", "(", ")", "{", "}", "~", "*", "é", "&1", "\t")
}
