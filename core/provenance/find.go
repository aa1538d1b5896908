package provenance

// First returns the index of the first text that contains the value of a query. It
// returns -1 if no text does, or if the value cannot be traced. It looks for the value in
// the same way as Trace, but does not find other spellings of a date, or computed values.
// O(texts).
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
