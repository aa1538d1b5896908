package provenance

// First returns the index of the first text that contains the value of a query. It
// returns -1 if no text contains the value, or if the value cannot be traced. Unlike
// Trace, it finds neither other spellings of a date nor computed values. O(texts).
func First(q Query, texts []string) int {
	q.Before = 1
	ix := newIndex([]Query{q})
	if len(ix.needles) == 0 {
		return -1
	}
	n := &ix.needles[0]
	for i, text := range texts {
		if ix.scanText(0, FromTool, text); n.first[FromTool] == 0 {
			return i
		}
	}
	return -1
}
