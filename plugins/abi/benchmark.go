package abi

import "slices"

// Benchmark says which traces a checker is for: by their format and the names of their
// calls, never by the name of a task or a file.
type Benchmark struct {
	ID      string   `json:"id"`
	Formats []string `json:"formats"` // trace formats that are this benchmark's own
	Tools   []string `json:"tools"`   // names of its calls, sorted
}

// Detect returns the benchmark of a document, so that its checker can be loaded
// automatically. format is the trace format's name; names has the name of each call in
// the document, on both sides. A benchmark applies where more than half of the calls
// are its own, and
//
//   - the format is its own, or
//   - the format belongs to no benchmark, and at least three distinct names are its
//     own.
//
// Of several benchmarks the one with the most calls of its own wins, then the one with
// its own format, then the first. ok is false if none applies.
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
