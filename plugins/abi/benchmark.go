package abi

import "slices"

// Benchmark is what a checker is for: by the format of the trace and by the names
// of the calls in it, never by the name of a task or a file.
type Benchmark struct {
	ID      string   `json:"id"`
	Formats []string `json:"formats"` // trace formats that are this benchmark's own
	Tools   []string `json:"tools"`   // names of its calls, sorted
}

// Detect finds the benchmark that a document is of, so that its checker can load
// by itself. format is the trace format's name; names are those of all calls in
// the document, of both sides. A benchmark applies where more than half of the
// distinct names are its own, and
//
//   - the format is its own, or
//   - the format is no benchmark's own, and at least three names are its own.
//
// Of several the one with most names of its own wins, then the one whose format it
// is, then the first. ok is false where none applies.
func Detect(all []Benchmark, format string, names []string) (id string, ok bool) {
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	owned := slices.ContainsFunc(all, func(b Benchmark) bool { return slices.Contains(b.Formats, format) })
	best := 0
	for _, b := range all {
		own := slices.Contains(b.Formats, format)
		n := b.known(names)
		if owned && !own || !own && n < 3 || 2*n <= len(names) || n <= best {
			continue
		}
		id, ok, best = b.ID, true, n
	}
	return id, ok
}

func (b *Benchmark) known(names []string) (n int) {
	for _, name := range names {
		if slices.Contains(b.Tools, name) {
			n++
		}
	}
	return n
}
