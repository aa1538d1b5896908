// Package effect finds what the actions of an agent in a shell do to the world, as far
// as their text shows it, and whether two runs have the same result. The checkers of
// agents that write code share it.
//
//	effect.go   the effect of an action: on a file, on another named thing, or unknown
//	world.go    the state of everything that a run touched, and how two worlds compare
//	file.go     one file: its content if that is known, else the changes made to it
//	follow.go   edits compared with a diff
//	session.go  a shell: its directory, and its commands one after another
//	command.go  commands that read, and commands that change files
//	wrap.go     commands that run others: sudo, env, timeout, xargs, find -exec
//	sed.go      sed scripts that change numbered lines
//	request.go  curl and wget
//	tool.go     tools that edit files, recognised by the shape of their arguments
//	judge.go    rulings on the rows of an alignment, by the things that they touch
//
// Nothing is evaluated. An action that is not understood is Opaque: it may change
// anything, and it equals only itself, at the same point of the same run.
package effect

import "github.com/boundcheck/boundcheck/plugins/internal/patch"

// Names of tables.
const (
	Files       = "files"
	Directories = "directories"
	History     = "git"      // of a repository
	Requests    = "requests" // to other machines
)

// Effect is one change that an action makes. Only effects on files have an Op. For other
// things, Text describes in a normal form what was done to Key. An Opaque effect is not
// understood: it has only a Text. If it also has a Table, it can have changed only things
// in that table, and no file.
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
	Lines    Verb = "lines"  // replace lines From to To by New
	Insert   Verb = "insert" // insert New after line From
	Fragment Verb = "fragment"
	Touch    Verb = "touch"
	Remove   Verb = "remove"
	Restore  Verb = "restore"
	Undo     Verb = "undo"
	Label    Verb = "label" // described by New, which says exactly what was done
	Unread   Verb = "unread"
)

// Op is one change of a file.
type Op struct {
	Verb     Verb
	Old, New string
	From, To int
	All      bool // replace every occurrence of Old, not the only one
	Strict   int  // of Lines and Insert: the number of a line without which nothing is done (see editText); 0 for none
	Part     *patch.Fragment
	Created  bool // of a Write or a Fragment: the file was not there before
	Derived  bool // of a Label: the result depends on all earlier changes
}

// Opaque returns the effect of an action that is not understood. Such an action may
// change anything.
func Opaque(text string) Effect { return Effect{Opaque: true, Text: text} }

// Event returns an effect on a thing that is not a file. table and key name the thing,
// and text says what is done to the thing.
func Event(table, key, text string) Effect { return Effect{Table: table, Key: key, Text: text} }

// OnFile returns the effect of the operation op on a file.
func OnFile(path string, op Op) Effect { return Effect{Table: Files, Key: path, Op: op} }

// OfPatch returns the effects of a patch. Paths are written as in the patch.
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
			out = append(out, OnFile(f.Path, binaryOp(f)))
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

func binaryOp(f *patch.File) Op {
	if f.Blob == "" {
		return Op{Verb: Unread}
	}
	return Op{Verb: Label, New: "becomes " + f.Blob}
}
