package readcmd

import (
	"slices"
	"strings"
)

// judge judges the arguments of a command for which a row is not enough.
type judge func(u *usage, name string, args []Word) string

// specialJudge returns the function that judges a command, or nil if the command's row in
// the table is enough.
func specialJudge(name string) judge {
	switch name {
	case "test", "[":
		return judgeTestCommand
	case "printf":
		return judgePrintf
	case "read":
		return judgeReadBuiltin
	case "find":
		return judgeFind
	case "sed", "gsed":
		return judgeSed
	case "awk", "gawk", "mawk", "nawk":
		return judgeAwk
	case "xargs":
		return judgeXargs
	case "env", "command", "nice", "timeout", "gtimeout", "stdbuf":
		return judgePrefixed
	case "bash", "sh", "zsh", "dash":
		return judgeShell // the same names as in IsShell
	case "tar", "bsdtar", "gtar":
		return judgeTar
	case "curl":
		return judgeCurl
	case "kill":
		return judgeKill
	case "redis-cli", "valkey-cli":
		return redisReads
	case "aws":
		return awsReads
	case "gcloud", "az":
		return cloudReads
	case "gh":
		return judgeGH
	}
	return nil
}

func judgeTestCommand(_ *usage, name string, args []Word) string {
	if name == "[" {
		return judgeTest(args, "]")
	}
	return judgeTest(append(args[:len(args):len(args)], Word{Text: "]"}), "]")
}

// judgeTest judges the arguments of the commands test, [ and [[. The last argument must
// be end, the closing bracket. judgeTest refuses a condition with several operators,
// because shells disagree about such conditions. It also refuses operators that may
// evaluate an argument as code.
func judgeTest(args []Word, end string) string {
	n := len(args) - 1
	if n < 0 || !args[n].equalsText(end) {
		return "a condition without its closing bracket"
	}
	args = args[:n]
	if n > 0 && args[0].equalsText("!") {
		args = args[1:]
	}
	for _, w := range args {
		if w.Kind > Begins {
			return "a condition on a word that the shell may split into several words"
		}
	}
	switch len(args) {
	case 1:
		return ""
	case 2:
		if op := args[0]; op.Kind == Literal && len(op.Text) == 2 && strings.Contains(" -b -c -d -e -f -g -h -k -L -n -p -r -s -u -w -x -z -O -G -N -S ", " "+op.Text+" ") {
			return ""
		}
	case 3:
		return judgeComparison(args, end)
	}
	return "a condition that is not analysed"
}

func judgeComparison(args []Word, end string) string {
	if args[1].Kind != Literal {
		return "a condition that is not analysed"
	}
	switch op := args[1].Text; op {
	case "=", "==", "!=":
		if end == "]]" && args[2].Kind == Literal && strings.ContainsAny(args[2].Text, "*?[(<|#~^$") {
			return "a pattern"
		}
		return ""
	case "-nt", "-ot", "-ef":
		return ""
	case "-eq", "-ne", "-lt", "-le", "-gt", "-ge":
		if isInteger(args[0]) && isInteger(args[2]) {
			return ""
		}
	}
	return "a comparison that the shell may evaluate as code"
}

func isInteger(w Word) bool {
	text := strings.TrimPrefix(w.Text, "-")
	return w.Kind == Literal && text != "" && strings.Trim(text, digits) == ""
}

// judgePrintf judges a printf command. It refuses options, because bash assigns a
// variable with -v. It refuses a number that is not literal, because zsh evaluates it as
// an expression.
func judgePrintf(_ *usage, _ string, args []Word) string {
	if len(args) > 0 && args[0].equalsText("--") {
		args = args[1:]
	} else if len(args) > 0 && args[0].mayBeOption() {
		return "printf with an option"
	}
	if len(args) == 0 || args[0].Kind != Literal {
		return "printf with a format that depends on a shell expansion"
	}
	conversions, why := conversionLetters(args[0].Text)
	if why != "" || !strings.ContainsAny(conversions, "diuxXofeg") {
		return why
	}
	for i, w := range args[1:] {
		if w.Kind > Begins {
			return "printf of a word that the shell may split into several words"
		}
		text := w.Kind == Literal && strings.Trim(w.Text, digits+".-") == ""
		if !text && strings.IndexByte("sbqc", conversions[i%len(conversions)]) < 0 {
			return "printf of a number that the shell may evaluate as code"
		}
	}
	return ""
}

// conversionLetters returns the letters of the conversions in a printf format, for
// example "sd" for "%s %d". why is the reason to refuse an unknown or incomplete
// conversion, or "".
func conversionLetters(format string) (conversions, why string) {
	for {
		_, rest, found := strings.Cut(format, "%")
		if !found {
			return conversions, ""
		}
		rest = rest[spanLength(rest, digits+"-+ .'"):]
		switch {
		case rest == "":
			return "", "printf with a format that ends in an incomplete conversion"
		case strings.IndexByte("sbqcdiuxXofeg", rest[0]) >= 0:
			conversions += rest[:1]
		case rest[0] != '%':
			return "", "printf with the format %" + clipText(rest[:1])
		}
		format = rest[1:]
	}
}

// judgeReadBuiltin judges the shell command "read", which assigns a line of the input to
// variables.
func judgeReadBuiltin(_ *usage, _ string, args []Word) string {
	for i, w := range args {
		if i == 0 && w.equalsText("-r") {
			continue
		}
		if w.Kind != Literal || !isAssignable(w.Text) {
			return "a variable that may have a special meaning in some shells"
		}
	}
	return ""
}

// judgeKill judges a kill command. It accepts only kill -l, which asks for the list of
// signals, and kill -0, which asks whether a process exists and sends no signal.
func judgeKill(_ *usage, name string, args []Word) string {
	if len(args) == 0 || !args[0].equalsText("-l") && !args[0].equalsText("-0") {
		return "kill of a process"
	}
	for _, w := range args[1:] {
		if w.Kind != Literal || strings.Trim(w.Text, digits) != "" {
			return "kill of a process"
		}
	}
	return ""
}

// isHarmless reports whether w assigns a variable that only changes how a command prints.
// Such variables set the language, the time zone, the width, the colors or the pager.
func isHarmless(w Word) bool {
	name, value, _ := strings.Cut(w.Text, "=")
	if w.Kind != Literal {
		return false
	}
	switch name {
	case "LC_ALL", "LANG", "LC_COLLATE", "LC_CTYPE":
		return value == "C" || value == "POSIX" || strings.EqualFold(value, "C.UTF-8") || strings.EqualFold(value, "en_US.UTF-8")
	case "TZ":
		return value != "" && isLetter(value[0]) && strings.Trim(value, letters+digits+"/_+-") == ""
	case "NO_COLOR", "COLUMNS", "FORCE_COLOR":
		return value != "" && strings.Trim(value, digits) == ""
	case "PAGER", "GIT_PAGER":
		return value == "cat"
	}
	return false
}

// judgePrefixed judges a command that runs another command, such as env or timeout.
func judgePrefixed(u *usage, name string, args []Word) string {
	if name == "command" && len(args) > 0 && (args[0].equalsText("-v") || args[0].equalsText("-V")) {
		return ""
	}
	if len(args) == 1 && args[0].equalsText("--version") || name == "env" && len(args) == 0 {
		return ""
	}
	options, values := "", ""
	switch name {
	case "nice":
		values = "n"
	case "timeout", "gtimeout":
		options, values = "v", "sk"
	case "stdbuf":
		values = "ioe"
	}
	i := 0
	for ; i < len(args) && args[i].Kind == Literal && strings.HasPrefix(args[i].Text, "-"); i++ {
		flag := args[i].Text
		switch {
		case name == "timeout" && (flag == "--foreground" || flag == "--preserve-status"):
		case name == "nice" && len(flag) > 1 && strings.Trim(flag[1:], digits) == "":
		case len(flag) == 2 && strings.Contains(options, flag[1:]):
		case len(flag) > 2 && strings.Contains(values, flag[1:2]) && strings.Trim(flag[2:], letters+digits+".") == "":
		case len(flag) == 2 && strings.Contains(values, flag[1:]) && i+1 < len(args):
			if i++; args[i].Kind != Literal || strings.Trim(args[i].Text, letters+digits+".") != "" {
				return clipText(name) + " with a value that is not analysed"
			}
		default:
			return clipText(name) + " with the option " + clipText(flag)
		}
	}
	for name == "env" && i < len(args) && isHarmless(args[i]) {
		i++
	}
	if strings.HasSuffix(name, "timeout") {
		if i == len(args) || args[i].Kind != Literal || args[i].Text == "" || strings.Trim(args[i].Text, digits+".smhd") != "" {
			return "timeout without a duration"
		}
		i++
	}
	return u.judgeExternal(name, args[i:])
}

// judgeExternal judges a command that another program runs without a shell. The parameter
// by is the name of this program, for example find. The names of shell builtins are
// refused, because the program would run an executable file of that name.
func (u *usage) judgeExternal(by string, words []Word) string {
	if len(words) == 0 {
		return clipText(by) + " without a command"
	}
	if words[0].Kind == Literal && strings.Contains(" : cd type whence history alias times dirs set export declare typeset readonly shopt trap ulimit umask jobs read ", " "+words[0].Text+" ") {
		return clipText(by) + " with a shell builtin, which would run as a program"
	}
	if u.depth++; u.depth > maxDepth {
		return "a command line that is nested too deep"
	}
	defer func() { u.depth-- }()
	return u.judgeCommand(words)
}

// IsShell reports whether a program is a shell whose scripts this package parses.
func IsShell(program string) bool {
	switch programName(program) {
	case "bash", "sh", "zsh", "dash":
		return true
	}
	return false
}

// judgeShell judges a call of a shell. It accepts bash -c 'LINE' if LINE only reads, and
// bash -n FILE, which only checks the syntax.
func judgeShell(u *usage, name string, args []Word) string {
	if len(args) == 1 && args[0].equalsText("--version") {
		return ""
	}
	if len(args) == 2 && args[0].equalsText("-n") && args[1].Kind == Literal && !args[1].mayBeOption() && !args[1].equalsText("-") {
		return "" // it checks the syntax of a file, and runs nothing
	}
	if len(args) < 2 || args[0].Kind != Literal || args[1].Kind != Literal {
		return clipText(name) + " with a script that is not analysed"
	}
	flags := args[0].Text
	if len(flags) < 2 || flags[0] != '-' || flags[len(flags)-1] != 'c' || strings.Trim(flags[1:len(flags)-1], "leux") != "" {
		return clipText(name) + " with a script that is not analysed"
	}
	return u.judgeLine(args[1].Text)
}

// judgeTar returns the reason to refuse a tar command, or "". The first options may have
// no dash, as in "tar tf". Such options may only be the letters t, v, z, j, J and a, and
// f as the last letter.
func judgeTar(u *usage, _ string, args []Word) string {
	if len(args) > 0 && args[0].Kind == Literal && !strings.HasPrefix(args[0].Text, "-") {
		if strings.Trim(strings.TrimSuffix(args[0].Text, "f"), "tvzjJa") != "" {
			return "tar with options that are not analysed"
		}
		args = append([]Word{{Text: "-" + args[0].Text}}, args[1:]...)
	}
	return u.judgeByRow("tar", args)
}

// judgeXargs judges an xargs command. xargs runs another command with words that it reads
// from its input, so these words are unknown.
func judgeXargs(u *usage, _ string, args []Word) string {
	place, appends := "", false
	i := 0
	for ; i < len(args) && args[i].Kind == Literal && strings.HasPrefix(args[i].Text, "-"); i++ {
		flag := args[i].Text
		rest := flag[min(2, len(flag)):]
		switch {
		case flag == "--null" || flag == "--no-run-if-empty" || flag == "--verbose":
		case len(flag) > 1 && strings.Trim(flag[1:], "0rtx") == "":
		case strings.HasPrefix(flag, "-n"), strings.HasPrefix(flag, "-L"), strings.HasPrefix(flag, "-P"), strings.HasPrefix(flag, "-I"), strings.HasPrefix(flag, "-d"):
			if rest == "" {
				if i++; i == len(args) || args[i].Kind != Literal {
					return "xargs with a value that is not analysed"
				}
				rest = args[i].Text
			}
			appends = appends || place != "" && (flag[1] == 'n' || flag[1] == 'L') // then GNU xargs ignores -I
			if flag[1] == 'I' {
				place = rest
			} else if flag[1] != 'd' && strings.Trim(rest, digits) != "" {
				return "xargs with a value that is not a number"
			}
		default:
			return "xargs with the option " + clipText(flag)
		}
	}
	words := append([]Word(nil), args[i:]...)
	if len(words) == 0 {
		return ""
	}
	u.inserts = true
	if place == "" || appends {
		why := u.judgeExternal("xargs", append(slices.Clone(words), Word{Kind: Any}))
		if place == "" || why != "" {
			return why
		}
	}
	return u.judgeExternal("xargs", replacePlaceholder(words, place, Word{Kind: Begins}))
}

// replacePlaceholder replaces the placeholder of an xargs command, such as {}, in every
// word that contains it. The parameter place is the text of the placeholder. The parameter
// with is the unknown word that replaces it. replacePlaceholder changes the slice words
// and returns it.
func replacePlaceholder(words []Word, place string, with Word) []Word {
	for i, w := range words {
		before, after, found := strings.Cut(w.Text, place)
		if !found {
			continue
		}
		if before == "" && after == "" {
			words[i] = with
		} else {
			words[i] = Word{before + with.Text, max(w.Kind, Begins)}
		}
	}
	return words
}
