package effect

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/internal/patch"
)

// file is the state of one file. If its content is known, earlier changes do not
// matter. Otherwise ops holds all changes to its original content.
type file struct {
	known   bool
	text    string
	gone    bool
	ops     []Op
	past    []file // the state before each op, for undo; these states have no past
	work    int    // bytes processed to apply edits
	born    bool   // it did not exist before the run
	written bool   // its whole content was written, so it may not have existed before
	clear   int    // number of opaque effects before its content was last replaced as a whole
}

// Limits of the states that are kept for undo, and of the work on one file in bytes.
const (
	maxPast = 64
	maxWork = 256 << 20
)

func (f *file) applyOp(op Op) {
	if op.Verb == Undo {
		f.undo()
		return
	}
	before := *f
	before.past = nil
	before.ops = slices.Clip(before.ops)
	f.past = append(f.past, before)
	if len(f.past) > maxPast {
		f.past = f.past[1:]
	}
	f.updateState(op)
}

func (f *file) undo() {
	if len(f.past) == 0 {
		f.appendUnknownOp(Op{Verb: Unread})
		return
	}
	past := f.past[:len(f.past)-1]
	*f = f.past[len(f.past)-1]
	f.past = past
}

func (f *file) updateState(op Op) {
	switch op.Verb {
	case Write:
		*f = file{known: true, text: op.New, past: f.past, work: f.work, born: f.born || op.Created && !f.isTouched(), written: true}
	case Remove:
		*f = file{gone: true, past: f.past, work: f.work, born: f.born, written: f.written}
	case Restore:
		*f = file{past: f.past, work: f.work, born: f.born, written: f.written}
	case Touch:
		if f.gone {
			*f = file{known: true, past: f.past, work: f.work, born: f.born, written: f.written}
		} else if !f.known {
			f.appendUnknownOp(op)
		}
	case Append:
		switch {
		case f.gone:
			*f = file{known: true, text: op.New, past: f.past, work: f.work, born: f.born, written: f.written}
		case f.known:
			f.text += op.New
		default:
			f.appendUnknownOp(op)
		}
	default:
		f.editContent(op)
	}
}

// editContent applies op to the content of the file. If the content is not known, or if
// op cannot be applied exactly, the content becomes unknown. A fragment that creates the
// file needs no old content.
func (f *file) editContent(op Op) {
	if op.Verb == Fragment && op.Created && len(f.ops) == 0 && !f.known {
		f.born = f.born || !f.gone
		f.gone, f.known, f.text = false, true, joinLines(op.Part.New())
		return
	}
	if f.known && f.work < maxWork {
		f.work += len(f.text) + len(op.New)
		if text, ok := editText(f.text, op); ok {
			f.text = text
			return
		}
	}
	f.appendUnknownOp(op)
}

// appendUnknownOp appends an op whose result is not known to f.ops. It marks the content
// of the file as unknown.
func (f *file) appendUnknownOp(op Op) {
	if f.known {
		f.ops = []Op{{Verb: Write, New: f.text}}
	}
	f.known, f.text, f.gone = false, "", false
	f.ops = append(f.ops, op)
}

// isTouched reports whether the file may differ from its state before the run. It returns
// false if f is nil.
func (f *file) isTouched() bool {
	return f != nil && (f.known || f.gone && !f.born || len(f.ops) > 0)
}

// hasChanged reports whether the file certainly differs from its state before the run.
// The result is false if this is not certain, for example because two edits may cancel
// each other.
func (f *file) hasChanged() bool {
	switch {
	case f.known || f.gone:
		return f.born || f.gone && !f.written
	case f.hasOnlyFragments():
		return true
	}
	op := f.ops[0]
	return len(f.ops) == 1 && (op.Verb == Replace && op.Old != op.New || op.Verb == Insert && op.New != "")
}

func (f *file) hasUnread() bool {
	return slices.ContainsFunc(f.ops, func(o Op) bool { return o.Verb == Unread })
}

// compareFiles compares the states in which two runs leave the same file. An argument is
// nil if its run did not touch the file.
func compareFiles(a, b *file) patch.Verdict {
	switch {
	case !a.isTouched() && !b.isTouched():
		return patch.Equal
	case a.isTouched() && a.hasUnread() || b.isTouched() && b.hasUnread():
		return patch.Unknown
	case !a.isTouched():
		return differsOrUnknown(b.hasChanged())
	case !b.isTouched():
		return differsOrUnknown(a.hasChanged())
	case a.gone || b.gone:
		return equalOrDiffers(a.gone == b.gone)
	case a.known && b.known:
		return equalOrDiffers(sameText(a.text, b.text))
	case a.known || b.known:
		return patch.Unknown
	case slices.EqualFunc(a.ops, b.ops, sameOp):
		return patch.Equal
	case a.hasOnlyFragments() && b.hasOnlyFragments():
		return patch.Compare(a.toPatchFile(), b.toPatchFile())
	case a.hasOnlyFragments():
		return compareEdits(b.ops, a.ops)
	case b.hasOnlyFragments():
		return compareEdits(a.ops, b.ops)
	}
	return patch.Unknown
}

func equalOrDiffers(equal bool) patch.Verdict {
	if equal {
		return patch.Equal
	}
	return patch.Differs
}

func differsOrUnknown(differs bool) patch.Verdict {
	if differs {
		return patch.Differs
	}
	return patch.Unknown
}

// hasOnlyFragments reports whether all ops are fragments of one patch.
func (f *file) hasOnlyFragments() bool {
	return !slices.ContainsFunc(f.ops, func(o Op) bool { return o.Verb != Fragment })
}

func (f *file) toPatchFile() *patch.File {
	out := &patch.File{}
	for _, o := range f.ops {
		out.Fragments = append(out.Fragments, *o.Part)
	}
	return out
}

// sameOp reports whether two ops on one file are equal. If both ops have the verb Lines,
// the field Strict is not compared.
func sameOp(a, b Op) bool {
	if a.Part != nil && b.Part != nil {
		return a.Part.Start == b.Part.Start && slices.Equal(a.Part.Lines, b.Part.Lines)
	}
	return a.Part == b.Part && a.Verb == b.Verb && a.Old == b.Old && a.New == b.New && a.From == b.From && a.To == b.To && a.All == b.All && (a.Strict == b.Strict || a.Verb == Lines)
}

// sameText reports whether two contents are equal. White space at the end of a line, and
// a missing line end at the end of a content, do not count.
func sameText(a, b string) bool {
	return a == b || slices.EqualFunc(splitLines(a), splitLines(b), func(x, y string) bool { return trimLineEnd(x) == trimLineEnd(y) })
}

func trimLineEnd(line string) string { return strings.TrimRight(line, " \t\r") }

// splitLines returns the lines of a text without their line ends. The function joinLines
// does the reverse.
func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

func joinLines(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}
