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
// the document, of both sides, one for each call. A benchmark applies where more
// than half of the calls are its own, and
//
//   - the format is its own, or
//   - the format is no benchmark's own, and at least three distinct names are its
//     own.
//
// Of several the one with most calls of its own wins, then the one whose format it
// is, then the first. ok is false where none applies.
func Detect(all []Benchmark, format string, names []string) (id string, ok bool) {
	owned := slices.ContainsFunc(all, func(b Benchmark) bool { return slices.Contains(b.Formats, format) })
	best := 0
	for _, b := range all {
		own := slices.Contains(b.Formats, format)
		n, distinct := b.known(names)
		if owned && !own || !own && distinct < 3 || 2*n <= len(names) || n <= best {
			continue
		}
		id, ok, best = b.ID, true, n
	}
	return id, ok
}

// known counts the calls that are the benchmark's own, and their distinct names.
func (b *Benchmark) known(names []string) (calls, distinct int) {
	seen := map[string]bool{}
	for _, name := range names {
		if slices.Contains(b.Tools, name) {
			calls++
			seen[name] = true
		}
	}
	return calls, len(seen)
}
