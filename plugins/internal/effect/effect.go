// Package effect says what actions of an agent that works in a shell do to the world,
// as far as their words tell, and whether two runs come to the same. It is shared by
// the checkers of agents that write code.
//
//	effect.go   what an action does: to a file, to something else with a name, or unknown
//	world.go    what became of everything that a run touched, and how two worlds compare
//	file.go     one file: its content where that is known, else what was done to it
//	follow.go   edits held against a diff
//	session.go  a shell: the directory it is in, its commands one after another
//	command.go  commands that read, and commands that change files
//	wrap.go     commands that run others: sudo, env, timeout, xargs, find -exec
//	sed.go      sed scripts that change numbered lines
//	request.go  curl and wget
//	tool.go     tools that edit files, told by the shape of their arguments
//	judge.go    the rows of an alignment, ruled on by what they touch
//
// Nothing is evaluated. What is not understood is Opaque: it may change anything, and
// is equal only to itself, at the same point of the same run.
package effect

import "github.com/boundcheck/boundcheck/plugins/internal/patch"

// Tables that keys belong to.
const (
	Files       = "files"
	Directories = "directories"
	History     = "git"      // of a repository
	Requests    = "requests" // to other machines
)

// Effect is one thing that an action does. Only effects on files have Ops; for other
// things Text says in a normal form what was done to Key. An Opaque effect has only a
// Text, or also a Table if it can have changed only things in that table and no file.
type Effect struct {
	Table, Key string
	Op         Op
	Text       string
	Opaque     bool
}

// Verb is what is done to a file.
type Verb string

// The verbs. Unread is a change that is recorded without its content.
const (
	Write    Verb = "write"
	Append   Verb = "append"
	Replace  Verb = "replace"
	Lines    Verb = "lines"  // From to To become New
	Insert   Verb = "insert" // New behind line From
	Fragment Verb = "fragment"
	Touch    Verb = "touch"
	Remove   Verb = "remove"
	Restore  Verb = "restore"
	Undo     Verb = "undo"
	Label    Verb = "label" // by New, which says exactly what was done
	Unread   Verb = "unread"
)

// Op is one change of a file.
type Op struct {
	Verb     Verb
	Old, New string
	From, To int
	All      bool // every place of Old, not the only one
	Strict   int  // of Lines and Insert: nothing is done where there is no such line; 0 asks for none
	Part     *patch.Fragment
	Created  bool // of a Write or a Fragment: the file was not there before
	Derived  bool // of a Label: what comes out hangs on all that was done before
}

// Opaque returns the effect of something that is not understood.
func Opaque(text string) Effect { return Effect{Opaque: true, Text: text} }

// Event returns an effect on something that is not a file.
func Event(table, key, text string) Effect { return Effect{Table: table, Key: key, Text: text} }

// OnFile returns an effect on a file.
func OnFile(path string, op Op) Effect { return Effect{Table: Files, Key: path, Op: op} }

// OfPatch returns the effects of a patch, with the patch's paths.
func OfPatch(files []patch.File) (out []Effect) {
	for i := range files {
		f := &files[i]
		if f.From != "" {
			out = append(out, OnFile(f.Path, Op{Verb: Label, New: "from " + f.From}))
			if !f.Copied {
				out = append(out, OnFile(f.From, Op{Verb: Remove}))
			}
		}
		switch {
		case f.Deleted:
			out = append(out, OnFile(f.Path, Op{Verb: Remove}))
		case f.Binary:
			out = append(out, OnFile(f.Path, binary(f)))
		case f.New && len(f.Fragments) == 0:
			out = append(out, OnFile(f.Path, Op{Verb: Write}))
		}
		for j := range f.Fragments {
			if !f.Deleted {
				out = append(out, OnFile(f.Path, Op{Verb: Fragment, Part: &f.Fragments[j], Created: f.New}))
			}
		}
		if f.Mode != "" {
			out = append(out, OnFile(f.Path, Op{Verb: Label, New: "mode " + f.Mode}))
		}
	}
	return out
}

func binary(f *patch.File) Op {
	if f.Blob == "" {
		return Op{Verb: Unread}
	}
	return Op{Verb: Label, New: "becomes " + f.Blob}
}
