package readcmd

import "strings"

// judge judges the arguments of a command for which a row is not enough.
type judge func(u *usage, name string, args []Word) string

// special returns the function that judges a command, or nil if the command's row in the
// table is enough.
func special(name string) judge {
	switch name {
	case "test", "[":
		return conditions
	case "printf":
		return prints
	case "read":
		return reads
	case "find":
		return finds
	case "sed", "gsed":
		return edits
	case "awk", "gawk", "mawk", "nawk":
		return programs
	case "xargs":
		return each
	case "env", "command", "nice", "timeout", "gtimeout", "stdbuf":
		return prefixed
	case "bash", "sh", "zsh", "dash":
		return shells // the same names as in IsShell
	case "tar", "bsdtar", "gtar":
		return archives
	case "curl":
		return gets
	case "kill":
		return asks
	case "redis-cli", "valkey-cli":
		return redisReads
	case "aws":
		return awsReads
	case "gcloud", "az":
		return cloudReads
	}
	return nil
}

func conditions(_ *usage, name string, args []Word) string {
	if name == "[" {
		return tests(args, "]")
	}
	return tests(append(args[:len(args):len(args)], Word{Text: "]"}), "]")
}

// tests judges the arguments of the commands test, [ and [[. The last argument must be
// the closing bracket, which is given as end. tests accepts only forms with at most one
// operator, for three reasons: shells disagree about longer forms, -v evaluates a
// subscript, and -eq evaluates an expression if an operand is not a number.
func tests(args []Word, end string) string {
	n := len(args) - 1
	if n < 0 || !args[n].is(end) {
		return "a condition without its closing bracket"
	}
	args = args[:n]
	if n > 0 && args[0].is("!") {
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
		return comparison(args, end)
	}
	return "a condition that is not analysed"
}

func comparison(args []Word, end string) string {
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
		if integer(args[0]) && integer(args[2]) {
			return ""
		}
	}
	return "a comparison that the shell may evaluate as code"
}

func integer(w Word) bool {
	text := strings.TrimPrefix(w.Text, "-")
	return w.Kind == Literal && text != "" && strings.Trim(text, digits) == ""
}

// prints judges a printf command. It refuses options, because bash assigns a variable
// with -v. It refuses a number that is not literal, because zsh evaluates it as an
// expression.
func prints(_ *usage, _ string, args []Word) string {
	if len(args) > 0 && args[0].is("--") {
		args = args[1:]
	} else if len(args) > 0 && args[0].option() {
		return "printf with an option"
	}
	if len(args) == 0 || args[0].Kind != Literal {
		return "printf with a format that is not known before the shell expands it"
	}
	conversions, why := formatted(args[0].Text)
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

// formatted returns the letters of the conversions in a printf format: "sd" for "%s %d".
func formatted(format string) (conversions, why string) {
	for {
		_, rest, found := strings.Cut(format, "%")
		if !found {
			return conversions, ""
		}
		rest = rest[span(rest, digits+"-+ .'"):]
		switch {
		case rest == "":
			return "", "printf with a format that ends in an incomplete conversion"
		case strings.IndexByte("sbqcdiuxXofeg", rest[0]) >= 0:
			conversions += rest[:1]
		case rest[0] != '%':
			return "", "printf with the format %" + clip(rest[:1])
		}
		format = rest[1:]
	}
}

// reads judges a call of the shell builtin read, which assigns a line to variables.
func reads(_ *usage, _ string, args []Word) string {
	for i, w := range args {
		if i == 0 && w.is("-r") {
			continue
		}
		if w.Kind != Literal || !assignable(w.Text) {
			return "a variable with a special meaning in some shells"
		}
	}
	return ""
}

// asks judges a kill command. It accepts only kill -l, which asks for the list of
// signals, and kill -0, which asks whether a process exists and sends no signal.
func asks(_ *usage, name string, args []Word) string {
	if len(args) == 0 || !args[0].is("-l") && !args[0].is("-0") {
		return "kill of a process"
	}
	for _, w := range args[1:] {
		if w.Kind != Literal || strings.Trim(w.Text, digits) != "" {
			return "kill of a process"
		}
	}
	return ""
}

// harmless accepts the assignment of a variable that only changes the language, the time
// zone, the width or the colors of a command's output, or turns off its pager.
func harmless(w Word) bool {
	name, value, _ := strings.Cut(w.Text, "=")
	if w.Kind != Literal {
		return false
	}
	switch name {
	case "LC_ALL", "LANG", "LC_COLLATE", "LC_CTYPE":
		return value == "C" || value == "POSIX" || strings.EqualFold(value, "C.UTF-8") || strings.EqualFold(value, "en_US.UTF-8")
	case "TZ":
		return value != "" && letter(value[0]) && strings.Trim(value, letters+digits+"/_+-") == ""
	case "NO_COLOR", "COLUMNS", "FORCE_COLOR":
		return value != "" && strings.Trim(value, digits) == ""
	case "PAGER", "GIT_PAGER":
		return value == "cat"
	}
	return false
}

// prefixed judges a command that runs another command, such as env or timeout.
func prefixed(u *usage, name string, args []Word) string {
	if name == "command" && len(args) > 0 && (args[0].is("-v") || args[0].is("-V")) {
		return ""
	}
	if len(args) == 1 && args[0].is("--version") || name == "env" && len(args) == 0 {
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
				return clip(name) + " with a value that is not analysed"
			}
		default:
			return clip(name) + " with the option " + clip(flag)
		}
	}
	for name == "env" && i < len(args) && harmless(args[i]) {
		i++
	}
	if strings.HasSuffix(name, "timeout") {
		if i == len(args) || args[i].Kind != Literal || args[i].Text == "" || strings.Trim(args[i].Text, digits+".smhd") != "" {
			return "timeout without a duration"
		}
		i++
	}
	return u.external(name, args[i:])
}

// external judges a command that another program, such as find, runs without a shell. It
// refuses shell builtins, because without a shell a program of that name would run.
func (u *usage) external(by string, words []Word) string {
	if len(words) == 0 {
		return clip(by) + " without a command"
	}
	if words[0].Kind == Literal && strings.Contains(" : cd type whence history alias times dirs set export declare typeset readonly shopt trap ulimit umask jobs read ", " "+words[0].Text+" ") {
		return clip(by) + " with a shell builtin, which would run as a program"
	}
	if u.depth++; u.depth > maxDepth {
		return "a command line that is nested too deep"
	}
	defer func() { u.depth-- }()
	return u.command(words)
}

// IsShell reports whether a program is a shell whose scripts are parsed.
func IsShell(program string) bool {
	switch programName(program) {
	case "bash", "sh", "zsh", "dash":
		return true
	}
	return false
}

// shells judges a call of a shell. It accepts bash -c 'LINE' if LINE only reads, and bash
// -n FILE, which only checks the syntax.
func shells(u *usage, name string, args []Word) string {
	if len(args) == 1 && args[0].is("--version") {
		return ""
	}
	if len(args) == 2 && args[0].is("-n") && args[1].Kind == Literal && !args[1].option() && !args[1].is("-") {
		return "" // it checks the syntax of a file, and runs nothing
	}
	if len(args) < 2 || args[0].Kind != Literal || args[1].Kind != Literal {
		return clip(name) + " with a script that is not analysed"
	}
	flags := args[0].Text
	if len(flags) < 2 || flags[0] != '-' || flags[len(flags)-1] != 'c' || strings.Trim(flags[1:len(flags)-1], "leux") != "" {
		return clip(name) + " with a script that is not analysed"
	}
	return u.line(args[1].Text)
}

// archives judges a tar command. The dash before the first options may be missing (tar
// tf).
func archives(u *usage, _ string, args []Word) string {
	if len(args) > 0 && args[0].Kind == Literal && !strings.HasPrefix(args[0].Text, "-") {
		args = append([]Word{{Text: "-" + args[0].Text}}, args[1:]...)
	}
	return u.row("tar", args)
}

// each judges an xargs command. xargs runs another command with words that it reads from
// its input, so these words are unknown.
func each(u *usage, _ string, args []Word) string {
	place := ""
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
			if flag[1] == 'I' {
				place = rest
			} else if flag[1] != 'd' && strings.Trim(rest, digits) != "" {
				return "xargs with a value that is not a number"
			}
		default:
			return "xargs with the option " + clip(flag)
		}
	}
	words := append([]Word(nil), args[i:]...)
	if len(words) == 0 {
		return ""
	}
	if place == "" {
		return u.external("xargs", append(words, Word{Kind: Any}))
	}
	return u.external("xargs", placed(words, place, Word{Kind: Begins}))
}

// placed replaces the placeholder of an xargs command, such as {}, in every word that
// contains it. place is the text of the placeholder, and with is the unknown word that
// replaces it. placed changes the slice words and returns it.
func placed(words []Word, place string, with Word) []Word {
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
