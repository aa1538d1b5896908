package trajectory

// Last finds the last message of a sort before a place. Questions about places in the order of the run
// together read each message once. The zero value is ready.
type Last struct {
	end int // the place of the question before
	at  int // 1 + its answer
}

// Before returns the index of the last message before the index end for which is returns true, or -1.
// is must be the same for each question, and the messages before end must not change.
func (l *Last) Before(end int, is func(i int) bool) int {
	low, found := 0, -1
	if end >= l.end {
		low, found = l.end, l.at-1
	}
	for i := end - 1; i >= low; i-- {
		if is(i) {
			found = i
			break
		}
	}
	l.end, l.at = max(end, 0), found+1
	return found
}
