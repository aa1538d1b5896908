package effect

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/readcmd"
	"github.com/boundcheck/boundcheck/plugins/internal/patch"
	"github.com/boundcheck/boundcheck/plugins/internal/shell"
)

// inShell holds pagers and builtins that change nothing beyond the shell that runs
// them. Other commands that only read are in readcmd's table.
var inShell = wordSet("clear exit export getent history jobs local locate logout lsb_release man more pinfo readonly declare typeset unset set shopt ulimit umask return : time traceroute wait")

func wordSet(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// action is a function that returns the output and the effects of a command. ok is false
// if it does not understand the command.
type action func(s *Session, args []shell.Word, c *shell.Command) (out produced, effects []Effect, ok bool)

// actionOf returns the action for the command with this name, or nil if there is none. It
// is a function and not a map, because some actions call actionOf again.
func actionOf(name string) action {
	switch name {
	case "cd":
		return cdEffects
	case "echo", "printf", "cat":
		return textOutput
	case "rm", "rmdir", "mkdir", "touch", "mv", "cp", "chmod", "ln", "tee":
		return onFiles
	case "sed":
		return sedEffects
	case "patch":
		return applyPatch
	case "git":
		return gitEffects
	case "curl":
		return curlEffects
	case "wget":
		return wgetEffects
	case "sudo", "env", "timeout", "time", "nice", "nohup", "stdbuf", "command", "builtin", "xargs", "bash", "sh":
		return wrapperEffects
	case "python", "python3":
		return pythonEffects
	}
	return nil
}

// dispatchCommand returns the output and the effects of the command with this name. ok is
// false if the command is not understood.
func (s *Session) dispatchCommand(name string, args []shell.Word, c *shell.Command) (out produced, effects []Effect, ok bool) {
	if do := actionOf(name); do != nil {
		return do(s, args, c)
	}
	if (name == "exit" || name == "return") && c.Flow == shell.Sequence {
		return produced{}, nil, false // the rest of the script does not run
	}
	return produced{}, nil, inShell[name] || commandOnlyReads(name, args)
}

// commandOnlyReads reports whether a command with these arguments only reads. A pattern
// such as *.go may expand to names of files. commandOnlyReads assumes that these names do
// not look like options.
func commandOnlyReads(name string, args []shell.Word) bool {
	words := []readcmd.Word{{Text: name}}
	for _, a := range args {
		w := readcmd.Word{Text: a.Text}
		switch {
		case a.Known:
		case isDynamic(a):
			w = readcmd.Word{Kind: readcmd.Any}
		default:
			w = readcmd.Word{Text: "./", Kind: readcmd.Names}
		}
		words = append(words, w)
	}
	return readcmd.Args(words, readcmd.Own).Reads
}

// isDynamic reports whether a word contains a variable or a command. Such a word can
// expand to any text, and a pattern can expand only to names of files.
func isDynamic(w shell.Word) bool { return strings.ContainsAny(w.Text, "$`") }

func cdEffects(s *Session, args []shell.Word, c *shell.Command) (produced, []Effect, bool) {
	list, ok := knownTexts(args)
	switch {
	case !ok || len(list) != 1 || list[0] == "-" || c.Flow != shell.Sequence:
		s.lost = true
	case path.IsAbs(list[0]):
		s.dir, s.lost = s.Name(list[0]), false
	default:
		s.dir = path.Join(s.dir, list[0])
	}
	return produced{}, nil, true
}

// textOutput returns the output of echo, printf or cat as a text. If this text is not
// known, out is the zero value. effects is always nil and ok is always true, because
// these commands change nothing.
func textOutput(s *Session, args []shell.Word, c *shell.Command) (out produced, effects []Effect, ok bool) {
	list, known := knownTexts(args)
	switch name := c.Name(); {
	case name == "cat" && len(args) == 0 && c.Input != nil && c.Input.Known:
		return produced{isText: true, text: c.Input.Text}, nil, true
	case name == "cat" && known && len(list) == 1 && !strings.HasPrefix(list[0], "-"):
		if name, ok := s.Path(list[0]); ok {
			if text, ok := s.world.Text(name); ok {
				return produced{isText: true, text: text}, nil, true
			}
		}
	case name == "echo" && known:
		if text, ok := echoOutput(list); ok {
			return produced{isText: true, text: text}, nil, true
		}
	case name == "printf" && known && len(list) == 1 && !strings.ContainsAny(list[0], `%\`):
		return produced{isText: true, text: list[0]}, nil, true
	}
	return produced{}, nil, true
}

// echoOutput returns the output of the shell's builtin echo. It returns false for a text
// with a backslash, because shells treat backslashes in different ways.
func echoOutput(args []string) (string, bool) {
	end := "\n"
	for len(args) > 0 && (args[0] == "-n" || args[0] == "-e") {
		if args[0] == "-n" {
			end = ""
		}
		args = args[1:]
	}
	s := strings.Join(args, " ")
	return s + end, !strings.Contains(s, `\`)
}

// splitOperands splits a command's arguments into its operands, which are returned as
// out, and its options. ok is false if the text of any argument is not known.
func splitOperands(args []shell.Word) (out, options []string, ok bool) {
	list, ok := knownTexts(args)
	if !ok {
		return nil, nil, false
	}
	for i, a := range list {
		switch {
		case a == "--":
			return append(out, list[i+1:]...), options, true
		case len(a) > 1 && a[0] == '-':
			options = append(options, a)
		default:
			out = append(out, a)
		}
	}
	return out, options, true
}

// onFiles returns the effects of a command that changes only the files and directories in
// its arguments, for example rm or mkdir. ok is false if an option or an argument is not
// understood.
func onFiles(s *Session, args []shell.Word, c *shell.Command) (out produced, effects []Effect, ok bool) {
	list, options, ok := splitOperands(args)
	if !ok {
		return produced{}, nil, false
	}
	name := path.Base(c.Name())
	if name == "chmod" || name == "ln" {
		return produced{}, nil, false // modes and links are not tracked
	}
	if slices.ContainsFunc(options, func(o string) bool { return !plainOption(name, o) }) {
		return produced{}, nil, false
	}
	paths := make([]string, len(list))
	for i, p := range list {
		if i == 1 && strings.HasSuffix(p, "/") && len(list) == 2 && (name == "mv" || name == "cp") {
			p += path.Base(list[0])
		}
		if paths[i], ok = s.Path(p); !ok {
			return produced{}, nil, false
		}
	}
	switch name {
	case "rm":
		for _, p := range paths {
			effects = append(effects, s.world.removalEffects(p, isRecursive(options))...)
		}
	case "mkdir", "rmdir":
		for _, p := range paths {
			effects = append(effects, Event(Directories, p, name))
		}
	case "touch":
		for _, p := range paths {
			effects = append(effects, OnFile(p, Op{Verb: Touch}))
		}
	case "tee":
		return s.teeEffects(paths, options, c)
	default:
		effects, ok = s.world.moveEffects(paths, name == "mv")
	}
	return produced{}, effects, ok
}

// plainOption reports whether the function onFiles understands an option of a command.
// name is the name of the command.
func plainOption(name, option string) bool {
	known := map[string]string{"rm": "rRfvid", "rmdir": "pv", "mkdir": "pv", "touch": "", "tee": "a", "mv": "fvni", "cp": "fvp"}
	return !strings.HasPrefix(option, "--") && strings.Trim(option[1:], known[name]) == ""
}

func isRecursive(options []string) bool {
	return slices.ContainsFunc(options, func(o string) bool { return strings.ContainsAny(o, "rR") })
}

// removalEffects returns the effects of removing a path. If the removal is recursive,
// every known file below the path is removed too.
func (w *World) removalEffects(p string, recursive bool) []Effect {
	if !recursive {
		return []Effect{OnFile(p, Op{Verb: Remove})}
	}
	var out []Effect
	for _, f := range w.filesBelow(p) {
		out = append(out, OnFile(f, Op{Verb: Remove}))
	}
	if w.isMadeDir(p) || len(out) > 0 {
		return append(out, Event(Directories, p, "rm"))
	}
	return []Effect{OnFile(p, Op{Verb: Remove})}
}

// moveEffects returns the effects of mv or cp from the first path to the second path.
// gone is true for mv, which also removes the first path. The bool is false if the number
// of paths is not two.
func (w *World) moveEffects(paths []string, gone bool) ([]Effect, bool) {
	if len(paths) != 2 {
		return nil, false
	}
	from, to := paths[0], paths[1]
	if w.isMadeDir(to) || len(w.filesBelow(to)) > 0 {
		to = path.Join(to, path.Base(from))
	}
	op := Op{Verb: Label, New: "from " + from, Derived: true}
	if text, known := w.Text(from); known {
		op = Op{Verb: Write, New: text}
	}
	out := []Effect{OnFile(to, op)}
	if gone {
		out = append(out, OnFile(from, Op{Verb: Remove}))
	}
	return out, true
}

// teeEffects returns the output and the effects of tee, which writes its input to files.
// The bool is always true.
func (s *Session) teeEffects(paths, options []string, c *shell.Command) (produced, []Effect, bool) {
	out := produced{}
	if c.Input != nil && c.Input.Known && !c.FromPipe {
		out = produced{isText: true, text: c.Input.Text}
	}
	var effects []Effect
	for _, p := range paths {
		effects = append(effects, OnFile(p, outputOp(out, len(options) > 0, true)))
	}
	return out, effects, true
}

// applyPatch returns the effects of the command patch. The diff must be in a
// here-document, or in a file whose content is known. The bool is false for any other
// diff, and for a diff or an option that is not understood.
func applyPatch(s *Session, args []shell.Word, c *shell.Command) (produced, []Effect, bool) {
	list, ok := knownTexts(args)
	if !ok {
		return produced{}, nil, false
	}
	source, known := s.inputText(c)
	for i := 0; i < len(list); i++ {
		switch {
		case list[i] == "-i" && i+1 < len(list):
			i++
			source, known = s.fileContent(list[i])
		case list[i] == "-p1", list[i] == "-p0", list[i] == "--forward", list[i] == "-N", list[i] == "-u":
		default:
			return produced{}, nil, false
		}
	}
	effects, ok := s.patchEffects(source, known)
	return produced{}, effects, ok
}

// inputText returns the text of a command's standard input, which is a here-document or a
// file after "<". The bool is false if this text is not known.
func (s *Session) inputText(c *shell.Command) (string, bool) {
	if c.Input != nil {
		return c.Input.Text, c.Input.Known && !c.FromPipe
	}
	for _, r := range c.Redirects {
		if r.Op == "<" && r.Target.Known {
			return s.fileContent(r.Target.Text)
		}
	}
	return "", false
}

func (s *Session) fileContent(p string) (string, bool) {
	name, ok := s.Path(p)
	if !ok {
		return "", false
	}
	return s.world.Text(name)
}

// patchEffects returns the effects of applying the diff source in the current directory.
// The bool is false in three cases:
//
//   - The caller does not know the diff, and known is false.
//   - The diff cannot be read.
//   - The current directory is not known.
func (s *Session) patchEffects(source string, known bool) ([]Effect, bool) {
	if !known {
		return nil, false
	}
	files, err := patch.Parse(source)
	if err != nil {
		return nil, false
	}
	effects := OfPatch(files)
	for i := range effects {
		name, ok := s.Path(effects[i].Key)
		if !ok {
			return nil, false
		}
		effects[i].Key = name
	}
	return effects, true
}

// gitNotes holds the git commands that change only a repository's history and index,
// not its files.
var gitNotes = wordSet("add commit tag fetch push init")

func gitEffects(s *Session, args []shell.Word, c *shell.Command) (produced, []Effect, bool) {
	if commandOnlyReads("git", args) {
		return produced{}, nil, true
	}
	list, ok := knownTexts(args)
	for ok && len(list) > 0 && list[0] == "--no-pager" {
		list = list[1:]
	}
	if !ok || len(list) == 0 || strings.HasPrefix(list[0], "-") {
		return produced{}, nil, false
	}
	verb, rest := list[0], list[1:]
	switch {
	case verb == "apply":
		return s.gitApply(rest, c)
	case verb == "restore" || verb == "checkout" && len(rest) > 1 && rest[0] == "--":
		return s.restoreEffects(rest)
	case gitNotes[verb]:
		name, ok := s.Path(".")
		return produced{}, []Effect{Event(History, name, strings.Join(list, " "))}, ok
	}
	return produced{}, nil, false
}

func (s *Session) gitApply(rest []string, c *shell.Command) (produced, []Effect, bool) {
	source, known := s.inputText(c)
	for _, a := range rest {
		switch a {
		case "-", "-v", "--verbose", "-p1", "--whitespace=fix", "--whitespace=nowarn":
		case "--check", "--stat", "--numstat", "--summary":
			return produced{}, nil, true
		default:
			if strings.HasPrefix(a, "-") {
				return produced{}, nil, false
			}
			source, known = s.fileContent(a)
		}
	}
	effects, ok := s.patchEffects(source, known)
	return produced{}, effects, ok
}

// restoreEffects returns the effects of resetting the files in rest to their content in
// the last commit. The bool is false if an argument is not the path of a single file. The
// bool is also false if the run has already changed the history of a repository.
func (s *Session) restoreEffects(rest []string) (produced, []Effect, bool) {
	var effects []Effect
	for _, p := range rest {
		if p == "--" {
			continue
		}
		name, ok := s.Path(p)
		if !ok || strings.HasPrefix(p, "-") || name == "." || len(s.world.filesBelow(name)) > 0 || s.world.hasCommitted() {
			return produced{}, nil, false
		}
		effects = append(effects, OnFile(name, Op{Verb: Restore}))
	}
	return produced{}, effects, true
}

// pythonEffects accepts python commands that only print a version or format JSON. Such
// commands have no effects. The bool is false for any other python command.
func pythonEffects(_ *Session, args []shell.Word, c *shell.Command) (produced, []Effect, bool) {
	list, ok := knownTexts(args)
	return produced{}, nil, ok && strings.Join(list, " ") == "-m json.tool" || commandOnlyReads(path.Base(c.Name()), args)
}

// parseLineNumber returns the number in s. The bool is false if s is not a valid line
// number.
func parseLineNumber(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil && n >= 0 && n < 1<<31
}
