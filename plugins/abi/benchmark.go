package abi

import "slices"

// Benchmark says which traces a checker is for: by their format and the names of their
// calls, never by the name of a task or a file.
type Benchmark struct {
	ID      string   `json:"id"`
	Formats []string `json:"formats"` // trace formats that are this benchmark's own
	Tools   []string `json:"tools"`   // names of its calls, sorted
}

// Detect returns the id of the benchmark that a document comes from. A host can then load
// the benchmark's checker automatically. format is the name of the document's trace
// format. names has the name of every call of the observed run and of the reference.
//
// A benchmark applies if more than half of the calls have a name from its Tools. One of
// these conditions must also be true:
//
//   - The benchmark's Formats contain the format.
//   - No benchmark's Formats contain the format, and at least three different names in the
//     document are from the benchmark's Tools.
//
// If several benchmarks apply, Detect returns the one whose Tools contain the names of
// the most calls. If two of them are equal in this, Detect returns the first. ok is false
// if no benchmark applies.
func Detect(all []Benchmark, format string, names []string) (id string, ok bool) {
	owned := slices.ContainsFunc(all, func(b Benchmark) bool { return slices.Contains(b.Formats, format) })
	best := 0
	for _, b := range all {
		own := slices.Contains(b.Formats, format)
		n, distinct := b.countKnown(names)
		if owned && !own || !own && distinct < 3 || 2*n <= len(names) || n <= best {
			continue
		}
		id, ok, best = b.ID, true, n
	}
	return id, ok
}

// countKnown returns two numbers. The result calls is the number of names that are in the
// benchmark's Tools. The result distinct is the number of different names among these.
func (b *Benchmark) countKnown(names []string) (calls, distinct int) {
	seen := map[string]bool{}
	for _, name := range names {
		if slices.Contains(b.Tools, name) {
			calls++
			seen[name] = true
		}
	}
	return calls, len(seen)
}
