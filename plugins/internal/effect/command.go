package effect

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/internal/patch"
	"github.com/boundcheck/boundcheck/plugins/internal/shell"
)

// readers change nothing, whatever their options, but for those that writing names.
var readers = set(`[ arch awk base64 basename cal cat cksum clear cmp column comm cut date df diff dig dir dirname du echo egrep
	env expand expr false fgrep file find fmt fold free getconf getent grep groups head hexdump history host hostname id jobs
	join jq less locale locate ls lsb_release lscpu lsof man md5sum more netstat nl nproc nslookup od paste ping pgrep pinfo printenv printf
	ps pstree pwd readlink realpath rev rg ag ack sed seq sha1sum sha256sum sha512sum shasum sleep sort ss stat strings sum tac tail test
	time timedatectl top tput tr traceroute tree true tty type uname uniq uptime vmstat w wait wc whereis which who whoami xxd zcat
	zgrep zless history exit return logout set shopt ulimit umask trap export local readonly declare typeset unset read : `)

// writing are the options, or beginnings of them, with which a reader writes.
var writing = map[string][]string{
	"find": {"-delete"}, "ss": {"-K"}, "history": {"-w", "-a", "-c", "-d"},
	"sort": {"-o", "--output"},
	"sed":  {"-i", "--in-place", "-n -i"},
	"date": {"-s", "--set"},
	"tree": {"-o"}, "read": {""}, "hostname": {"-F", "-b"}, "rg": {"--pre"}, "xxd": {"-r"},
	"diff": {"--output"}, "less": {"-o", "-O", "--log-file", "--LOG-FILE"}, "trap": {""}, "file": {"-C"},
}

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// action is what a command does; ok is false where it is not understood.
type action func(s *Session, args []shell.Word, c *shell.Command) (out produced, effects []Effect, ok bool)

// actions are the commands that need more than a table. A function, since some of them
// run others.
func actionOf(name string) action {
	switch name {
	case "cd":
		return cd
	case "echo", "printf", "cat":
		return text
	case "rm", "rmdir", "mkdir", "touch", "mv", "cp", "chmod", "ln", "tee":
		return onFiles
	case "sed":
		return sed
	case "awk", "gawk", "mawk":
		return awk
	case "patch":
		return applyPatch
	case "git":
		return git
	case "curl":
		return curl
	case "wget":
		return wget
	case "sudo", "env", "timeout", "time", "nice", "nohup", "stdbuf", "command", "builtin", "xargs", "bash", "sh":
		return wrapper
	case "find":
		return find
	case "unzip", "tar":
		return archive
	case "python", "python3", "pip", "pip3", "npm", "go", "node", "make", "java", "gcc", "cargo":
		return version
	}
	return nil
}

// run gives what a command of that name does.
func (s *Session) run(name string, args []shell.Word, c *shell.Command) (out produced, effects []Effect, ok bool) {
	if do := actionOf(name); do != nil {
		return do(s, args, c)
	}
	if (name == "exit" || name == "return") && c.Flow == shell.Sequence {
		return produced{}, nil, false // what follows does not run
	}
	return produced{}, nil, readers[name] && !writes(name, args)
}

// outputs are readers that change something with more operands than these.
var outputs = map[string]int{"uniq": 1, "xxd": 1, "hostname": 0}

// writes tells whether a reader is given an option with which it writes. A word that
// is not known may be one, where there are any.
func writes(name string, args []shell.Word) bool {
	if most, ok := outputs[name]; ok {
		if list, _, known := operands(args); !known || len(list) > most {
			return true
		}
	}
	for _, option := range writing[name] {
		if option == "" {
			return true
		}
		for _, a := range args {
			if !a.Known && dynamic(a) || a.Known && optionIs(a.Text, option) {
				return true
			}
		}
	}
	return false
}

// dynamic tells a word that may become anything, from one that becomes names of files.
func dynamic(w shell.Word) bool { return strings.ContainsAny(w.Text, "$`") }

// optionIs tells -o, -ofile, -uo and --output=file for the option o.
func optionIs(arg, option string) bool {
	if strings.HasPrefix(option, "--") || len(option) > 2 {
		return arg == option || strings.HasPrefix(arg, option+"=")
	}
	return len(arg) > 1 && arg[0] == '-' && arg[1] != '-' && strings.Contains(arg[1:], option[1:])
}

func cd(s *Session, args []shell.Word, c *shell.Command) (produced, []Effect, bool) {
	list, ok := texts(args)
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

// text gives the texts of echo, printf and cat, where they can be told.
func text(s *Session, args []shell.Word, c *shell.Command) (out produced, effects []Effect, ok bool) {
	list, known := texts(args)
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
		if text, ok := echo(list); ok {
			return produced{isText: true, text: text}, nil, true
		}
	case name == "printf" && known && len(list) == 1 && !strings.ContainsAny(list[0], `%\`):
		return produced{isText: true, text: list[0]}, nil, true
	}
	return produced{}, nil, true
}

// echo is what the shell's own echo writes; a backslash means different things to
// different ones, so that a text with one is not told.
func echo(args []string) (string, bool) {
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

// operands are a command's arguments without options; ok is false where a word is not
// known.
func operands(args []shell.Word) (out, options []string, ok bool) {
	list, ok := texts(args)
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

// onFiles does the commands whose arguments name all that they change.
func onFiles(s *Session, args []shell.Word, c *shell.Command) (out produced, effects []Effect, ok bool) {
	list, options, ok := operands(args)
	if !ok {
		return produced{}, nil, false
	}
	name := path.Base(c.Name())
	if name == "chmod" || name == "ln" {
		return produced{}, nil, false // modes and links are not followed
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
			effects = append(effects, s.world.removed(p, recursive(options))...)
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
		return s.tee(paths, options, c)
	default:
		effects, ok = s.world.moved(paths, name == "mv")
	}
	return produced{}, effects, ok
}

// plainOption tells options that do not change what is said here of a command.
func plainOption(name, option string) bool {
	known := map[string]string{"rm": "rRfvid", "rmdir": "pv", "mkdir": "pv", "touch": "", "tee": "a", "mv": "fvni", "cp": "fvp"}
	return !strings.HasPrefix(option, "--") && strings.Trim(option[1:], known[name]) == ""
}

func recursive(options []string) bool {
	return slices.ContainsFunc(options, func(o string) bool { return strings.ContainsAny(o, "rR") })
}

// removed gives the effects of removing a path; with all that is known to lie below it
// where it may be a directory.
func (w *World) removed(p string, recursive bool) []Effect {
	if !recursive {
		return []Effect{OnFile(p, Op{Verb: Remove})}
	}
	var out []Effect
	for _, f := range w.under(p) {
		out = append(out, OnFile(f, Op{Verb: Remove}))
	}
	if w.made(p) || len(out) > 0 {
		return append(out, Event(Directories, p, "rm"))
	}
	return []Effect{OnFile(p, Op{Verb: Remove})}
}

// moved gives the effects of mv and cp from one name to another. Whether the second
// names a directory only the world would tell, where it has seen one.
func (w *World) moved(paths []string, gone bool) ([]Effect, bool) {
	if len(paths) != 2 {
		return nil, false
	}
	from, to := paths[0], paths[1]
	if w.made(to) || len(w.under(to)) > 0 {
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

// tee writes what it reads to files.
func (s *Session) tee(paths, options []string, c *shell.Command) (produced, []Effect, bool) {
	out := produced{}
	if c.Input != nil && c.Input.Known && !c.FromPipe {
		out = produced{isText: true, text: c.Input.Text}
	}
	var effects []Effect
	for _, p := range paths {
		effects = append(effects, OnFile(p, written(out, len(options) > 0, true)))
	}
	return out, effects, true
}

func awk(_ *Session, args []shell.Word, _ *shell.Command) (produced, []Effect, bool) {
	for _, a := range args {
		if !a.Known || strings.ContainsAny(a.Text, ">|") || strings.Contains(a.Text, "system") || strings.HasPrefix(a.Text, "-i") || strings.HasPrefix(a.Text, "-f") {
			return produced{}, nil, false
		}
	}
	return produced{}, nil, true
}

// applyPatch does patch, whose diff it reads from a here-document or from a file
// whose content is known.
func applyPatch(s *Session, args []shell.Word, c *shell.Command) (produced, []Effect, bool) {
	list, ok := texts(args)
	if !ok {
		return produced{}, nil, false
	}
	source, known := s.input(c)
	for i := 0; i < len(list); i++ {
		switch {
		case list[i] == "-i" && i+1 < len(list):
			i++
			source, known = s.content(list[i])
		case list[i] == "-p1", list[i] == "-p0", list[i] == "--forward", list[i] == "-N", list[i] == "-u":
		default:
			return produced{}, nil, false
		}
	}
	effects, ok := s.patched(source, known)
	return produced{}, effects, ok
}

// input is what a command reads: a here-document, or a file by "<".
func (s *Session) input(c *shell.Command) (string, bool) {
	if c.Input != nil {
		return c.Input.Text, c.Input.Known && !c.FromPipe
	}
	for _, r := range c.Redirects {
		if r.Op == "<" && r.Target.Known {
			return s.content(r.Target.Text)
		}
	}
	return "", false
}

func (s *Session) content(p string) (string, bool) {
	name, ok := s.Path(p)
	if !ok {
		return "", false
	}
	return s.world.Text(name)
}

// patched are the effects of a diff, its paths below the current directory.
func (s *Session) patched(source string, known bool) ([]Effect, bool) {
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

// gitReads are git's commands that change nothing; gitNotes those that change only a
// repository's history and index, not the files in it.
var (
	gitReads = set("status log diff show blame grep ls-files ls-tree rev-parse describe shortlog cat-file merge-base rev-list whatchanged version help")
	gitNotes = set("add commit tag fetch push init")
)

func git(s *Session, args []shell.Word, c *shell.Command) (produced, []Effect, bool) {
	list, ok := texts(args)
	for ok && len(list) > 0 && list[0] == "--no-pager" {
		list = list[1:]
	}
	if len(list) == 0 {
		return produced{}, nil, ok
	}
	verb, rest := list[0], list[1:]
	switch {
	case gitReads[args[0].Text] && args[0].Known, ok && gitReads[verb]:
		return produced{}, nil, !slices.ContainsFunc(args, gitWrites)
	case !ok || strings.HasPrefix(verb, "-"):
		return produced{}, nil, false
	case (verb == "branch" || verb == "remote" || verb == "stash" || verb == "tag" || verb == "config") && listing(verb, rest):
		return produced{}, nil, true
	case verb == "apply":
		return s.gitApply(rest, c)
	case verb == "restore" || verb == "checkout" && len(rest) > 1 && rest[0] == "--":
		return s.restored(rest)
	case gitNotes[verb]:
		name, ok := s.Path(".")
		return produced{}, []Effect{Event(History, name, strings.Join(list, " "))}, ok
	}
	return produced{}, nil, false
}

// gitWrites tells options by which commands of git that read write a file, or run a
// program.
func gitWrites(w shell.Word) bool {
	return !w.Known && dynamic(w) || strings.HasPrefix(w.Text, "--ou") || strings.HasPrefix(w.Text, "--op") || strings.HasPrefix(w.Text, "--ext") || strings.HasPrefix(w.Text, "-O")
}

// listing tells the forms of branch and the like that only list.
func listing(verb string, rest []string) bool {
	line := strings.Join(rest, " ")
	switch verb {
	case "stash":
		return line == "list" || line == "show"
	case "config":
		return strings.HasPrefix(line, "--get") || line == "--list" || line == "-l"
	case "remote":
		return line == "" || line == "-v" || strings.HasPrefix(line, "show ") || strings.HasPrefix(line, "get-url ")
	}
	return slices.Contains([]string{"", "-a", "-r", "-v", "-vv", "--list", "-l", "--show-current", "--all"}, line)
}

func (s *Session) gitApply(rest []string, c *shell.Command) (produced, []Effect, bool) {
	source, known := s.input(c)
	for _, a := range rest {
		switch a {
		case "-", "-v", "--verbose", "-p1", "--whitespace=fix", "--whitespace=nowarn":
		case "--check", "--stat", "--numstat", "--summary":
			return produced{}, nil, true
		default:
			if strings.HasPrefix(a, "-") {
				return produced{}, nil, false
			}
			source, known = s.content(a)
		}
	}
	effects, ok := s.patched(source, known)
	return produced{}, effects, ok
}

// restored gives files back what they had in the last commit.
func (s *Session) restored(rest []string) (produced, []Effect, bool) {
	var effects []Effect
	for _, p := range rest {
		if p == "--" {
			continue
		}
		name, ok := s.Path(p)
		if !ok || strings.HasPrefix(p, "-") || name == "." || len(s.world.under(name)) > 0 || s.world.committed() {
			return produced{}, nil, false
		}
		effects = append(effects, OnFile(name, Op{Verb: Restore}))
	}
	return produced{}, effects, true
}

// archive tells listings of archives from what unpacks or packs them.
func archive(_ *Session, args []shell.Word, c *shell.Command) (produced, []Effect, bool) {
	if len(args) == 0 || !args[0].Known {
		return produced{}, nil, false
	}
	first := args[0].Text
	if path.Base(c.Name()) == "unzip" {
		return produced{}, nil, slices.Contains([]string{"-l", "-v", "-t", "-Z", "-Z1"}, first)
	}
	return produced{}, nil, slices.Contains([]string{"-t", "tf", "-tf", "tzf", "-tzf", "tvf", "-tvf", "tzvf", "-tzvf"}, first) && len(args) == 2
}

// version tells programs that are only asked which they are.
func version(_ *Session, args []shell.Word, c *shell.Command) (produced, []Effect, bool) {
	list, ok := texts(args)
	switch line := strings.Join(list, " "); {
	case !ok:
		return produced{}, nil, false
	case slices.Contains([]string{"--version", "-V", "-v", "version", "--help", "-h", "help", "env", "-m json.tool"}, line):
		return produced{}, nil, true
	default:
		verb, _, _ := strings.Cut(line, " ")
		return produced{}, nil, strings.HasPrefix(path.Base(c.Name()), "pip") && slices.Contains([]string{"list", "show", "freeze", "check"}, verb)
	}
}

// number reads a line's number.
func number(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil && n >= 0 && n < 1<<31
}
