package mutation

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/action/readcmd"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// judgeCommandCall judges the arguments of a tool that is known to run commands in the
// shell of the session. The argument program is the program that the tool is named after, or ""
// for a tool that runs any program. O(size of the arguments).
//
// The command and its arguments may be in several members. All other members must be
// known not to change the command, such as a timeout or a description. Otherwise the
// verdict is at least unknown. If the call gives a directory, git commands are unknown,
// too.
func judgeCommandCall(program string, arguments jsonval.Value, in session) (Tri, string) {
	if arguments.Kind() != jsonval.Object {
		return Unknown, "the arguments of the command are not an object"
	}
	c := commandCall{program: program, in: in}
	arguments.Each(func(key string, v jsonval.Value) bool {
		c.readMember(key, v)
		return true
	})
	return c.overallKind()
}

// commandCall collects the members of a call.
type commandCall struct {
	program string  // with which every command begins; "" for none
	in      session // its directory is that of the call, if one is given
	command jsonval.Value
	args    jsonval.Value
	lines   jsonval.Value // a list of command lines
	problem string        // the first member that is not known to be harmless
}

var memberMarks = strings.NewReplacer("_", "", "-", "")

func (c *commandCall) readMember(key string, v jsonval.Value) {
	if v.Kind() == jsonval.Null {
		return
	}
	ok := true
	switch strings.ToLower(memberMarks.Replace(key)) {
	case "command", "cmd", "commandline", "cmdline", "shellcommand", "script", "program", "argv":
		ok = setOnce(&c.command, v)
	case "args", "arguments", "parameters", "params":
		ok = setOnce(&c.args, v)
	case "commands", "cmds":
		ok = setOnce(&c.lines, v)
	case "cwd", "workdir", "workingdirectory", "workingdir", "directory", "dir":
		c.in.place = readcmd.Elsewhere
		ok = plainText(v, " /._-~@+,") && !strings.HasPrefix(v.Text(), "-")
	case "timeout", "timeoutms", "timeoutsec", "timeoutsecs", "timeoutseconds", "yieldtimems", "maxoutputtokens":
		ok = v.Kind() == jsonval.Number || plainText(v, ".")
	case "description", "explanation", "justification", "reason", "thought", "title", "summary", "securityrisk":
		ok = v.Kind() == jsonval.String
	case "runinbackground", "isbackground", "background", "requiresapproval", "blocking":
		ok = v.Kind() == jsonval.Bool
	case "isinput", "restart", "reset":
		ok = v.Raw() == "false" || v.Raw() == `"false"`
	case "env":
		ok = v.Kind() == jsonval.Object && v.Len() == 0
	default:
		ok = false
	}
	if !ok && c.problem == "" {
		c.problem = quote(clipText(key)) + " may change what the command does"
	}
}

// setOnce stores v in the first argument and returns true. If the first argument already
// has a value, setOnce stores nothing and returns false.
func setOnce(to *jsonval.Value, v jsonval.Value) bool {
	if to.Exists() {
		return false
	}
	*to = v
	return true
}

// plainText reports whether a value is a string that every shell leaves unchanged. Such a
// string has only letters, digits and the characters in the argument others.
func plainText(v jsonval.Value, others string) bool {
	text, ok := v.Str()
	if !ok || text == "" {
		return false
	}
	for i := range len(text) {
		if !isLetter(text[i]) && !isDigit(text[i]) && strings.IndexByte(others, text[i]) < 0 {
			return false
		}
	}
	return true
}

func (c *commandCall) overallKind() (Tri, string) {
	if c.in.shell == WindowsShell {
		return Unknown, "command lines of cmd.exe and PowerShell are not analysed"
	}
	m, why := c.commandKind()
	if c.problem != "" && m != Yes {
		return Unknown, c.problem
	}
	return m, why
}

func (c *commandCall) commandKind() (Tri, string) {
	switch {
	case c.lines.Exists() && (c.command.Exists() || c.args.Exists()):
		return Unknown, "more than one member contains a command"
	case c.lines.Exists():
		return c.linesKind()
	case !c.command.Exists() && !c.args.Exists():
		return Unknown, "no command"
	}
	words, ok := valueWords(c.command, c.args)
	if whole, _ := valueWords(jsonval.Value{}, c.args); c.command.Exists() && len(whole) > 0 {
		if m, _ := heldKind(readcmd.Args(readcmd.Literals(whole), c.in.place)); m == Yes || c.program != "" && wordClass(whole[0]).has(write|vague) {
			return Unknown, "the arguments contain a separate command"
		}
	}
	switch {
	case !ok || len(words) == 0:
		return Unknown, "a command that does not consist of strings"
	case c.program != "" && len(words) == 1:
		words[0] = c.program + " " + words[0]
	case c.program != "":
		words = append([]string{c.program}, words...)
	}
	if len(words) == 1 {
		return shellKind(words[0], c.in)
	}
	return c.wordsKind(words)
}

// linesKind judges a list of command lines. It returns the strictest of the verdicts on
// the single lines and on all lines together as one script.
func (c *commandCall) linesKind() (Tri, string) {
	lines, ok := valueWords(c.lines, jsonval.Value{})
	if !ok || len(lines) == 0 || c.program != "" {
		return Unknown, "a command that does not consist of strings"
	}
	worst, reason := shellKind(strings.Join(lines, "\n"), c.in)
	for _, line := range lines {
		if m, why := shellKind(line, c.in); m.rank() > worst.rank() {
			worst, reason = m, why
		}
	}
	return worst, reason
}

// wordsKind judges a command that is given word by word. A tool may run the words
// directly, or join the words into a line for a shell, so the command must be a read in
// both cases. Only the script of bash -c is not judged as a part of a line.
func (c *commandCall) wordsKind(words []string) (Tri, string) {
	line := strings.Join(words, " ")
	if strings.Contains(words[0], " ") && strings.Trim(strings.Join(words[1:], ""), plainArgument) == "" {
		m, why := shellKind(words[0], c.in) // the first member is a complete line, to which the words may not be added
		if m != No {
			return m, why
		}
		return shellKind(line, c.in)
	}
	m, why := heldKind(readcmd.Args(readcmd.Literals(words), c.in.place))
	switch {
	case m != No:
		return m, why
	case len(words) == 3 && readcmd.IsShell(words[0]) && c.in.shell == UnknownShell:
		return foreignKind(words[2], c.in.place, why) // a shell of Windows may read the joined words
	case len(words) == 3 && readcmd.IsShell(words[0]):
		return m, why
	}
	return shellKind(line, c.in)
}

// plainArgument holds the characters that have no special meaning in any shell.
const plainArgument = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:,@%+="

// valueWords returns the words in the given values. A value is a text, a number, or a
// list of texts and numbers. ok is false for anything else.
func valueWords(values ...jsonval.Value) (words []string, ok bool) {
	ok = true
	add := func(v jsonval.Value) {
		text, isText := v.Str()
		if v.Kind() == jsonval.Number {
			text, isText = v.Raw(), true
		}
		words = append(words, text)
		ok = ok && isText
	}
	for _, v := range values {
		switch v.Kind() {
		case jsonval.Array:
			v.Each(func(_ string, m jsonval.Value) bool { add(m); return true })
		case jsonval.Missing:
		default:
			add(v)
		}
	}
	return words, ok
}
