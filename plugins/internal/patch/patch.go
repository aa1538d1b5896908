// Package patch reads diffs and compares their effects. Two diffs of one file are equal
// if they turn the same text into the same text. These make no difference: the number
// of context lines around a hunk, how hunks are divided, how far an earlier hunk
// shifted the line numbers, and the hashes on index lines.
//
// White space at the end of a line (blanks, a carriage return) is not compared, nor
// whether the last line of a file has an end. All other white space is compared,
// indentation and empty lines included.
//
// go-gitdiff reads unified and git diffs; it refuses a diff whose counts do not add up.
// This package itself reads patches between "*** Begin Patch" and "*** End Patch".
package patch

import (
	"errors"
	"fmt"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
)

// Op is the operation on a line.
type Op byte

// The three operations.
const (
	Keep   Op = ' '
	Delete Op = '-'
	Add    Op = '+'
)

// Line is one line of a fragment, without its end.
type Line struct {
	Op   Op
	Text string
}

// Fragment is a run of lines of a file. Start is the first line's number in the file
// before the change, from 1; 0 if the patch does not say.
type Fragment struct {
	Start int
	Lines []Line
}

// File is the change of one file.
type File struct {
	Path      string // after the change; before it if the file is deleted
	From      string // the old path of a rename or a copy; "" otherwise
	New       bool
	Deleted   bool
	Copied    bool
	Base      string // the beginning of the old content's hash, if the patch has one
	Mode      string // the new mode if it was changed, in octal; "" otherwise
	Binary    bool
	Blob      string // of a binary file: the beginning of the new content's hash, or ""
	Fragments []Fragment
}

// Limits of the patches that are read: a guest has little memory.
const (
	maxText  = 4 << 20
	maxLines = 200_000
)

// shortHash is the smallest number of digits with which git accepts an object's name.
const shortHash = 7

// Parse reads a patch. If the text is not a patch, the error says why. A text that
// changes no file is not a patch.
func Parse(text string) ([]File, error) {
	if len(text) > maxText {
		return nil, fmt.Errorf("the text has %d bytes, limit %d", len(text), maxText)
	}
	if strings.Count(text, "\n") > maxLines {
		return nil, fmt.Errorf("more than %d lines", maxLines)
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if body, ok := patchBody(text); ok {
		return parseBegun(body)
	}
	read, _, err := gitdiff.Parse(strings.NewReader(text))
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "gitdiff: "))
	}
	if len(read) == 0 {
		return nil, errors.New("the text changes no file")
	}
	named := oldNames(text)
	out := make([]File, len(read))
	for i, f := range read {
		if name, ok := strings.CutPrefix(f.NewName, "b/"); ok && f.OldName == f.NewName && named["a/"+name] {
			f.OldName = "a/" + name // outside of git's own headers the parser returns only one of the two names
		}
		out[i] = fileOf(f)
	}
	return out, nil
}

// oldNames returns the set of file names on the lines that begin with "--- ".
func oldNames(text string) map[string]bool {
	out := map[string]bool{}
	for line := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(line, "--- "); ok {
			name, _, _ = strings.Cut(strings.TrimSuffix(name, "\n"), "\t")
			out[name] = true
		}
	}
	return out
}

func fileOf(f *gitdiff.File) File {
	f.OldName, f.NewName = trimPrefixes(f.OldName, f.NewName)
	out := File{Path: f.NewName, New: f.IsNew, Deleted: f.IsDelete, Copied: f.IsCopy, Binary: f.IsBinary, Base: f.OldOIDPrefix}
	if f.IsDelete || out.Path == "" {
		out.Path = f.OldName
	}
	if f.IsRename || f.IsCopy {
		out.From = f.OldName
	}
	if f.NewMode != 0 && f.NewMode != f.OldMode && !f.IsNew {
		out.Mode = fmt.Sprintf("%o", f.NewMode)
	}
	if f.IsBinary && len(f.NewOIDPrefix) >= shortHash {
		out.Blob = f.NewOIDPrefix
	}
	for _, t := range f.TextFragments {
		g := Fragment{Start: int(t.OldPosition)}
		if t.OldLines == 0 && !f.IsNew {
			g.Start++ // "@@ -3,0 +4" inserts after line 3
		}
		for _, l := range t.Lines {
			g.Lines = append(g.Lines, Line{toOp(l.Op), strings.TrimSuffix(l.Line, "\n")})
		}
		out.Fragments = append(out.Fragments, g)
	}
	return out
}

// trimPrefixes removes a/ from the old name and b/ from the new name, which are names as
// git writes them. If a name that is not empty lacks its prefix, both names stay
// unchanged.
func trimPrefixes(old, new string) (string, string) {
	a, ok := strings.CutPrefix(old, "a/")
	b, ok2 := strings.CutPrefix(new, "b/")
	if ok && (ok2 || new == "") || ok2 && old == "" {
		return a, b
	}
	return old, new
}

func toOp(o gitdiff.LineOp) Op {
	switch o {
	case gitdiff.OpAdd:
		return Add
	case gitdiff.OpDelete:
		return Delete
	}
	return Keep
}

// Old returns the text of a fragment before the change.
func (g *Fragment) Old() []string { return g.sideLines(Add) }

// New returns the text of a fragment after the change.
func (g *Fragment) New() []string { return g.sideLines(Delete) }

func (g *Fragment) sideLines(not Op) (out []string) {
	for _, l := range g.Lines {
		if l.Op != not {
			out = append(out, l.Text)
		}
	}
	return out
}

// patchBody returns the body between "*** Begin Patch" and "*** End Patch". The bool is
// false if the text has no line "*** Begin Patch". The line "*** End Patch" may be
// missing.
func patchBody(text string) (string, bool) {
	_, rest, ok := strings.Cut(text, "*** Begin Patch\n")
	if !ok {
		return "", false
	}
	body, _, _ := strings.Cut(rest, "*** End Patch")
	return body, true
}

// parseBegun parses the body of a patch without line numbers. The body has these headers:
//
//   - "*** Update File: p"
//   - "*** Add File: p"
//   - "*** Delete File: p"
//   - "*** Move to: p"
//
// The changed lines below a header begin with " ", "-" or "+". A line with @@ begins a
// new fragment.
func parseBegun(body string) ([]File, error) {
	var out []File
	var f *File
	for n, line := range strings.Split(strings.TrimSuffix(body, "\n"), "\n") {
		mark, path, headed := strings.Cut(line, ": ")
		switch {
		case headed && (mark == "*** Update File" || mark == "*** Add File" || mark == "*** Delete File"):
			out = append(out, File{Path: path, New: mark == "*** Add File", Deleted: mark == "*** Delete File"})
			f = &out[len(out)-1]
		case f == nil:
			return nil, fmt.Errorf("line %d comes before the first file header", n+1)
		case headed && mark == "*** Move to":
			f.From, f.Path = f.Path, path
		case strings.HasPrefix(line, "*** End of File"):
		case strings.HasPrefix(line, "@@"):
			f.Fragments = append(f.Fragments, Fragment{})
		default:
			if err := f.addLine(line); err != nil {
				return nil, fmt.Errorf("line %d: %w", n+1, err)
			}
		}
	}
	if len(out) == 0 {
		return nil, errors.New("the text changes no file")
	}
	return out, nil
}

func (f *File) addLine(line string) error {
	if line == "" {
		line = " " // an editor that trims lines has removed the blank of an empty line
	}
	o := Op(line[0])
	if o != Keep && o != Add && o != Delete || f.New && o != Add {
		return fmt.Errorf("the line begins with %q; want a space, + or -", line[:1])
	}
	if len(f.Fragments) == 0 {
		f.Fragments = []Fragment{{}}
	}
	g := &f.Fragments[len(f.Fragments)-1]
	g.Lines = append(g.Lines, Line{o, line[1:]})
	return nil
}
