package effect

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"io"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/internal/patch"
)

// Thing names the object of an effect.
type Thing struct{ Table, Key string }

// World is the state of everything that a run touched. In the zero value nothing has
// happened yet.
type World struct {
	files  map[string]*file
	events map[Thing][]string
	log    uint64   // number that identifies all effects so far, in their order
	opaque []string // texts of the opaque effects, with the log at that point
	clouds int      // number of opaque effects that may have changed files
	final  bool     // made from a patch that holds all changes
	base   *World   // the world below an overlay; nil for none
}

// newOverlay returns a new world that begins with the state of w. Effects on the new
// world do not change w.
func (w *World) newOverlay() *World { return &World{base: w} }

// fileState returns the state of a file, or nil if the file was not touched.
func (w *World) fileState(name string) *file {
	if f := w.files[name]; f != nil || w.base == nil {
		return f
	}
	return w.base.fileState(name)
}

// isMadeDir reports whether the run made a directory and did not remove this directory
// later.
func (w *World) isMadeDir(name string) bool {
	for at := w; at != nil; at = at.base {
		if all := at.events[Thing{Directories, name}]; len(all) > 0 {
			return all[len(all)-1] == "mkdir"
		}
	}
	return false
}

// hasCommitted reports whether the run changed the history of a repository.
func (w *World) hasCommitted() bool {
	for at := w; at != nil; at = at.base {
		for t := range at.events {
			if t.Table == History {
				return true
			}
		}
	}
	return false
}

// filesBelow returns the files that are known to lie below a directory, sorted.
func (w *World) filesBelow(name string) []string {
	seen := map[string]bool{}
	for at := w; at != nil; at = at.base {
		for f := range at.files {
			if strings.HasPrefix(f, name+"/") {
				seen[f] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// Final returns the world that results from a patch. The patch must hold all changes of a
// run.
func Final(files []patch.File) *World {
	w := &World{final: true}
	for _, e := range OfPatch(files) {
		w.Do(e)
	}
	return w
}

// Do applies one effect.
func (w *World) Do(e Effect) {
	if e.Opaque {
		w.opaque = append(w.opaque, fmt.Sprintf("%s\x00%x", e.Text, w.log))
		if e.Table == "" {
			w.clouds++
		}
	}
	if e.Op.Derived {
		e.Op.Old = fmt.Sprintf("%x", w.log)
	}
	w.logEffect(e)
	switch {
	case e.Opaque:
	case e.Table == Files:
		if w.files == nil {
			w.files = map[string]*file{}
		}
		f := w.files[e.Key]
		if f == nil {
			f = &file{}
			if below := w.fileState(e.Key); below != nil {
				*f = *below
				f.ops, f.past = slices.Clip(f.ops), slices.Clip(f.past)
			}
			w.files[e.Key] = f
		}
		clear := f.clear
		f.applyOp(e.Op)
		if f.clear = clear; e.Op.Verb == Write || e.Op.Verb == Remove {
			f.clear = w.clouds
		}
	default:
		if w.events == nil {
			w.events = map[Thing][]string{}
		}
		t := Thing{e.Table, e.Key}
		w.events[t] = append(w.events[t], e.Text)
	}
}

// logEffect adds an effect to the log.
func (w *World) logEffect(e Effect) {
	h := fnv.New64a()
	for _, part := range [...]string{e.Table, e.Key, e.Text, string(e.Op.Verb), e.Op.Old, e.Op.New} {
		fmt.Fprintf(h, "%d ", len(part))
		io.WriteString(h, part)
	}
	fmt.Fprintf(h, "%x %d %d %d %t", w.log, e.Op.From, e.Op.To, e.Op.Strict, e.Op.All)
	if e.Op.Part != nil {
		fmt.Fprintf(h, "%v", *e.Op.Part)
	}
	w.log = h.Sum64()
}

// Touched reports whether the final state of a file may differ from its state before the
// run.
func (w *World) Touched(name string) bool { return w.files[name].isTouched() }

// Files returns the names of all files that were touched, in no order.
func (w *World) Files() iter.Seq[string] { return maps.Keys(w.files) }

// Text returns the content of the file with this name. The bool is false if the content
// is not known.
func (w *World) Text(name string) (string, bool) {
	f := w.fileState(name)
	if f == nil || !f.known {
		return "", false
	}
	return f.text, true
}

// Difference is a thing that is not provably equal in two worlds. Verdict is Differs or
// Unknown. The texts tell people what each run did to it; "" means nothing.
type Difference struct {
	Thing
	Verdict             patch.Verdict
	Observed, Reference string
}

// Comparison is the result of comparing two worlds. Opaque counts the effects that were
// not understood and that the other run does not have at the same point. If Opaque is not
// 0, the worlds are not equal, even if Differences is empty.
type Comparison struct {
	Differences []Difference // in the order of table and key
	Opaque      int
	Final       bool // a final diff was compared, which shows nothing outside of the repository
}

// Equal reports whether two worlds are provably equal.
func (c *Comparison) Equal() bool { return len(c.Differences) == 0 && c.Opaque == 0 }

// Compare compares the worlds of two runs. It ignores the tables whose names are in the
// list without. A world made by Final knows only the files in a patch. If one of the
// worlds is such a world, Compare compares only the files of the repository.
func Compare(obs, ref *World, without ...string) Comparison {
	out := Comparison{Final: obs.final || ref.final, Opaque: countUnequal(obs.opaque, ref.opaque)}
	for _, t := range allThings(obs, ref) {
		if slices.Contains(without, t.Table) {
			continue
		}
		v := obs.compareThing(ref, t)
		if out.Opaque > 0 && t.Table == Files && (obs.isClouded(t.Key) || ref.isClouded(t.Key)) {
			v = patch.Unknown
		}
		if v == patch.Equal {
			continue
		}
		if out.Final && isOutside(t) {
			continue
		}
		out.Differences = append(out.Differences, Difference{t, v, obs.describeThing(t), ref.describeThing(t)})
	}
	return out
}

// isOutside reports whether a thing is not a file of the repository. A final diff cannot
// show such a thing.
func isOutside(t Thing) bool {
	return t.Table != Files || path.IsAbs(t.Key) || strings.HasPrefix(t.Key, "../")
}

// Agree compares the changes that two runs made to a file. It ignores actions that were
// not understood, although they may have changed the file too.
func Agree(obs, ref *World, name string) patch.Verdict {
	return compareFiles(obs.files[name], ref.files[name])
}

// isClouded reports whether an opaque effect may have changed a file. Opaque effects
// before the last write or removal of the whole file do not count.
func (w *World) isClouded(name string) bool {
	f := w.files[name]
	return w.clouds > 0 && (f == nil || f.clear < w.clouds)
}

func allThings(worlds ...*World) []Thing {
	seen := map[Thing]bool{}
	for _, w := range worlds {
		for name := range w.files {
			seen[Thing{Files, name}] = true
		}
		for t := range w.events {
			seen[t] = true
		}
	}
	return slices.SortedFunc(maps.Keys(seen), func(a, b Thing) int {
		return cmp.Or(strings.Compare(a.Table, b.Table), strings.Compare(a.Key, b.Key))
	})
}

func (w *World) compareThing(ref *World, t Thing) patch.Verdict {
	if t.Table == Files {
		return compareFiles(w.files[t.Key], ref.files[t.Key])
	}
	return equalOrDiffers(slices.Equal(w.events[t], ref.events[t]))
}

// countUnequal removes the common beginning of both lists and counts the other elements
// of both lists.
func countUnequal(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return len(a) + len(b) - 2*n
}

// maxTold bounds the text about one thing.
const maxTold = 2000

// describeThing returns a description, for people, of what the run did to a thing.
func (w *World) describeThing(t Thing) string {
	var out []string
	if t.Table != Files {
		out = w.events[t]
	} else if f := w.files[t.Key]; f.isTouched() {
		out = f.describeChanges()
	}
	s := strings.Join(out, "\n")
	if len(s) > maxTold {
		s = strings.ToValidUTF8(s[:maxTold], "") + fmt.Sprintf(" [... %d bytes more]", len(s)-maxTold)
	}
	return s
}

func (f *file) describeChanges() []string {
	switch {
	case f.gone:
		return []string{"removed"}
	case f.known:
		return []string{"content:\n" + f.text}
	}
	out := make([]string, len(f.ops))
	for i, o := range f.ops {
		out[i] = o.describeChange()
	}
	return out
}

func (o *Op) describeChange() string {
	switch o.Verb {
	case Fragment:
		var b strings.Builder
		for i, l := range o.Part.Lines {
			if i > 0 {
				b.WriteByte('\n')
			}
			b.WriteByte(byte(l.Op))
			b.WriteString(l.Text)
		}
		return b.String()
	case Replace:
		return fmt.Sprintf("replaced:\n%s\nby:\n%s", o.Old, o.New)
	case Lines:
		return fmt.Sprintf("lines %d to %d:\n%s", o.From, o.To, o.New)
	case Insert:
		return fmt.Sprintf("behind line %d:\n%s", o.From, o.New)
	case Label:
		return o.New
	case Unread:
		return "changed, but the new content is not recorded"
	case Write, Append:
		return string(o.Verb) + ":\n" + o.New
	}
	return string(o.Verb)
}
