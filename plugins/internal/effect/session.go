package effect

import (
	"path"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/internal/shell"
)

// Session is one run's shell: its directory, and the functions and aliases that it has
// defined. The zero value is a shell in the directory where the run began.
type Session struct {
	// Own, if set, is called first for each command whose words are all known. ok is
	// true if the command is one of the benchmark's own; effects are then its effects.
	Own func(c *shell.Command) (effects []Effect, ok bool)

	// Root is the absolute path of the directory where the run began; "" if it is not
	// known. A path below it is written relative to it.
	Root string

	world   *World
	dir     string // relative to where the run began, or absolute
	lost    bool   // the directory is not known
	defined map[string]bool
}

// NewSession returns a shell session for a run. The session reads the contents of files
// from the world w and does not change w.
func NewSession(w *World) *Session { return &Session{world: w, defined: map[string]bool{}} }

// Path returns the name of the path p in the world. A relative path begins at the current
// directory of the shell. ok is false if p is relative and this directory is not known.
// The method Name describes the form of the name.
func (s *Session) Path(p string) (name string, ok bool) {
	if !path.IsAbs(p) {
		if s.lost {
			return "", false
		}
		p = path.Join(s.dir, p)
		if s.Root != "" && !path.IsAbs(p) {
			p = path.Join(s.Root, p)
		}
	}
	return s.Name(p), true
}

// Name returns the name of a path in the world. The path is absolute, or relative to the
// directory where the run began. A path that is known to lie in this directory gets a
// relative name. For example, if the run began in /testbed, the name of /testbed/a.py is
// a.py.
func (s *Session) Name(p string) string {
	p = path.Clean(p)
	if s.Root != "" && path.IsAbs(p) {
		if p == s.Root {
			return "."
		}
		if rest, below := strings.CutPrefix(p, strings.TrimSuffix(s.Root, "/")+"/"); below {
			return rest
		}
	}
	return p
}

// Shell returns the effects of a script. If any part of the script is not understood, the
// result is one opaque effect. read is false if the text is not a shell script.
func (s *Session) Shell(text string) (effects []Effect, read bool) {
	script, err := shell.Parse(text)
	if err != nil {
		return []Effect{Opaque(normalText(text))}, false
	}
	world := s.world
	s.world = world.newOverlay() // so that a command sees the effects of those before it
	defer func() { s.world = world }()
	var shells []subshell
	understood := 0
	for i := range script.Commands {
		c := &script.Commands[i]
		shells = s.enterSubshells(shells, c.Shells)
		e, ok := s.commandEffects(c)
		if !ok || c.Flow == shell.Conditional && len(e) > 0 { // not known, or it may not have run
			break
		}
		for _, x := range e {
			s.world.Do(x)
		}
		effects = append(effects, e...)
		understood++
	}
	for _, name := range script.Defined {
		s.defined[name] = true
	}
	s.enterSubshells(shells, nil)
	if rest := script.Commands[understood:]; len(rest) > 0 {
		s.lost = s.lost || mayChangeDir(rest)
		return []Effect{Opaque(normalText(text))}, true
	}
	return effects, true
}

// enterSubshells closes and opens subshells before a command runs. The parameter in lists
// the numbers of the subshells in which the command runs. All other subshells in the list
// open are closed, and the shell goes back to the directory where they were opened. The
// result lists the subshells that are open now.
func (s *Session) enterSubshells(open []subshell, in []int) []subshell {
	same := 0
	for same < len(open) && same < len(in) && open[same].id == in[same] {
		same++
	}
	if same < len(open) {
		s.dir, s.lost = open[same].dir, open[same].lost
		open = open[:same]
	}
	for _, id := range in[same:] {
		open = append(open, subshell{id, s.dir, s.lost})
	}
	return open
}

// subshell is an open subshell, with the directory in which it was opened.
type subshell struct {
	id   int
	dir  string
	lost bool
}

// mayChangeDir reports whether one of the given commands may change the current
// directory.
func mayChangeDir(rest []shell.Command) bool {
	for i := range rest {
		switch c := &rest[i]; c.Name() {
		case "cd", "pushd", "popd", "source", ".", "eval":
			return true
		case "":
			if len(c.Words) > 0 && !c.Open {
				return true
			}
		}
	}
	return false
}

// commandEffects returns a simple command's effects. ok is false if the command is not
// understood.
func (s *Session) commandEffects(c *shell.Command) (effects []Effect, ok bool) {
	if c.Open {
		return nil, false
	}
	if len(c.Words) == 0 { // assignments, or a redirection that empties a file
		return s.redirectEffects(c, produced{isText: true})
	}
	name := c.Name()
	if name == "" || s.defined[name] {
		return nil, false
	}
	if s.Own != nil {
		if effects, ok := s.Own(c); ok {
			return effects, true
		}
	}
	out, effects, ok := s.dispatchCommand(path.Base(name), c.Words[1:], c)
	if !ok {
		return nil, false
	}
	if !out.isText {
		out.label = strings.TrimSpace(name + " " + joinWords(c.Words[1:]))
		out.certain = allKnown(c.Words) && !c.FromPipe && (c.Input == nil || c.Input.Known)
	}
	if s.ontoItself(c) {
		out = produced{}
	}
	more, ok := s.redirectEffects(c, out)
	return append(effects, more...), ok
}

// ontoItself reports whether a command writes its output to a file that the command also
// reads. With ">", the shell empties this file before the command starts.
func (s *Session) ontoItself(c *shell.Command) bool {
	reads := map[string]bool{}
	add := func(w shell.Word) {
		if name, ok := s.Path(w.Text); ok {
			reads[name] = true
		}
	}
	for _, w := range c.Words[1:] {
		add(w)
	}
	for _, r := range c.Redirects {
		if r.Op == "<" {
			add(r.Target)
		}
	}
	for _, r := range c.Redirects {
		if name, ok := s.Path(r.Target.Text); ok && r.Op != "<" && reads[name] {
			return true
		}
	}
	return false
}

// produced is the output of a command: a text, or a label that describes the output if
// only running the command could show it. certain is false if the label does not
// describe all of it.
type produced struct {
	isText  bool
	text    string
	label   string
	certain bool
}

// redirectEffects returns the effects of redirecting a command's output. ok is false if
// one of the redirections is not understood.
func (s *Session) redirectEffects(c *shell.Command, out produced) (effects []Effect, ok bool) {
	for _, r := range c.Redirects {
		switch r.Op {
		case "<", "<&", ">&":
			if r.Op == ">&" && !isDescriptor(r.Target) {
				return nil, false
			}
			continue
		case ">", ">>", ">|", "&>", "&>>":
		default:
			return nil, false
		}
		if !r.Target.Known {
			return nil, false
		}
		if strings.HasPrefix(r.Target.Text, "/dev/") {
			continue
		}
		name, ok := s.Path(r.Target.Text)
		if !ok {
			return nil, false
		}
		effects = append(effects, OnFile(name, outputOp(out, strings.HasSuffix(r.Op, ">>"), r.FD == "" || r.FD == "1")))
	}
	return effects, true
}

func isDescriptor(w shell.Word) bool {
	return w.Known && strings.Trim(w.Text, "0123456789-") == ""
}

// outputOp returns the op on a file that receives the output of a command. appends is
// true if the output is added at the end of the file. stdout is true if the standard
// output is redirected.
func outputOp(out produced, appends, stdout bool) Op {
	switch {
	case !stdout || !out.isText && !out.certain:
		return Op{Verb: Unread}
	case out.isText && appends:
		return Op{Verb: Append, New: out.text}
	case out.isText:
		return Op{Verb: Write, New: out.text}
	case appends:
		return Op{Verb: Label, New: "added the output of: " + out.label, Derived: true}
	}
	return Op{Verb: Label, New: "the output of: " + out.label, Derived: true}
}

func joinWords(all []shell.Word) string {
	out := make([]string, len(all))
	for i, w := range all {
		out[i] = w.Text
	}
	return strings.Join(out, " ")
}

func allKnown(all []shell.Word) bool {
	for _, w := range all {
		if !w.Known {
			return false
		}
	}
	return true
}

// knownTexts returns the texts of the words. ok is false if the text of a word is not
// known.
func knownTexts(all []shell.Word) (out []string, ok bool) {
	for _, w := range all {
		if !w.Known {
			return nil, false
		}
		out = append(out, w.Text)
	}
	return out, true
}

// normalText removes white space at the start and the end of the text, and at the end of
// each line.
func normalText(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t\r")
	}
	return strings.Join(lines, "\n")
}
