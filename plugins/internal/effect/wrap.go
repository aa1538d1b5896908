package effect

import (
	"path"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/internal/shell"
)

// wrapper does commands that run another one.
func wrapper(s *Session, args []shell.Word, c *shell.Command) (produced, []Effect, bool) {
	name := path.Base(c.Name())
	switch name {
	case "bash", "sh":
		return s.script(args, c)
	case "xargs":
		return s.each(args)
	case "command", "builtin":
		if len(args) > 0 && args[0].Known && (args[0].Text == "-v" || args[0].Text == "-V") {
			return produced{}, nil, true
		}
	}
	rest := unwrapped(name, args)
	if len(rest) == 0 {
		return produced{}, nil, len(args) == 0 && (name == "env" || name == "time")
	}
	if !rest[0].Known || s.defined[rest[0].Text] {
		return produced{}, nil, false
	}
	inner := *c
	inner.Words = rest
	if s.Own != nil {
		if effects, ok := s.Own(&inner); ok {
			return produced{}, effects, true
		}
	}
	return s.run(path.Base(rest[0].Text), rest[1:], &inner)
}

// unwrapped is the command that a wrapper runs; nil where its own options are not
// known here.
func unwrapped(name string, args []shell.Word) []shell.Word {
	duration := name == "timeout"
	for i := 0; i < len(args); i++ {
		a := args[i]
		if !a.Known {
			return nil
		}
		switch {
		case name == "env" && strings.Contains(a.Text, "="), name == "sudo" && slices.Contains([]string{"-E", "-n", "-H"}, a.Text):
		case (name == "nice" || name == "timeout" || name == "sudo") && slices.Contains([]string{"-n", "-k", "-s", "-u"}, a.Text):
			i++
		case strings.HasPrefix(a.Text, "-"):
			if name != "nice" && name != "timeout" && name != "stdbuf" && a.Text != "-p" {
				return nil
			}
		case duration:
			duration = false
		default:
			return args[i:]
		}
	}
	return nil
}

// script does bash -c 'script'.
func (s *Session) script(args []shell.Word, c *shell.Command) (produced, []Effect, bool) {
	list, ok := texts(args)
	if !ok || len(list) != 2 || (list[0] != "-c" && list[0] != "-lc") || c.FromPipe || c.Input != nil {
		return produced{}, nil, false
	}
	inner := *s
	inner.defined = map[string]bool{}
	effects, read := inner.Shell(list[1])
	if !read || slices.ContainsFunc(effects, func(e Effect) bool { return e.Opaque }) {
		return produced{}, nil, false
	}
	return produced{}, effects, true
}

// each does xargs: a reader run on many things is a reader, as long as none of them
// can be taken for an option with which it writes.
func (s *Session) each(args []shell.Word) (produced, []Effect, bool) {
	list, ok := texts(args)
	for ok && len(list) > 0 && strings.HasPrefix(list[0], "-") {
		if slices.Contains([]string{"-I", "-n", "-P", "-d", "-L"}, list[0]) && len(list) > 1 {
			list = list[1:]
		}
		list = list[1:]
	}
	if !ok {
		return produced{}, nil, false
	}
	return produced{}, nil, len(list) == 0 || s.reads(list)
}

func (s *Session) reads(list []string) bool {
	return readers[list[0]] && actionReads(list[0]) && !s.defined[list[0]] && !writes(list[0], wordsOf(list[1:]))
}

// actionReads tells readers that have no form in which they write, so that what is
// added to their arguments does not matter.
func actionReads(name string) bool {
	return len(writing[name]) == 0 && name != "env" && name != "awk"
}

func wordsOf(list []string) []shell.Word {
	out := make([]shell.Word, len(list))
	for i, t := range list {
		out[i] = shell.Word{Text: t, Known: true}
	}
	return out
}

// find reads, and with -exec runs what has to be a reader.
func find(s *Session, args []shell.Word, _ *shell.Command) (produced, []Effect, bool) {
	for i, a := range args {
		if !a.Known {
			if dynamic(a) {
				return produced{}, nil, false
			}
			continue // names of files
		}
		switch a.Text {
		case "-delete", "-ok", "-okdir", "-fprint", "-fprint0", "-fprintf", "-fls":
			return produced{}, nil, false
		case "-exec", "-execdir":
			list, ok := texts(args[i+1:])
			end := slices.IndexFunc(list, func(w string) bool { return w == ";" || w == "+" })
			if !ok || end < 1 || !s.reads(list[:end]) {
				return produced{}, nil, false
			}
		}
	}
	return produced{}, nil, true
}
