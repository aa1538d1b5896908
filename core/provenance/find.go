package provenance

// First returns the index of the first text that holds the value of a query as Trace
// looks for it, and -1 where none does or where the value is not looked for. A date's other
// spellings and computed values are not found. O(texts).
func First(q Query, texts []string) int {
	q.Before = 1
	ix := newIndex([]Query{q})
	if len(ix.needles) == 0 {
		return -1
	}
	n := &ix.needles[0]
	for i, text := range texts {
		if ix.scan(0, FromTool, text); n.first[FromTool] == 0 {
			return i
		}
	}
	return -1
}
