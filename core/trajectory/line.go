package trajectory

import (
	"slices"
	"strings"
	"unsafe"
)

// place notes at each action the line of the text in which its name stands. A name that
// is no part of the text, as one with escapes is not, gets none. O(n + a·log n).
func (d *Document) place(text string) {
	var ends []int
	for at := 0; ; at++ {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			break
		}
		at += i
		ends = append(ends, at)
	}
	begin := uintptr(unsafe.Pointer(unsafe.StringData(text)))
	for i := range d.Trajectories {
		for k := range d.Trajectories[i].Actions {
			a := &d.Trajectories[i].Actions[k]
			at := uintptr(unsafe.Pointer(unsafe.StringData(a.Name))) - begin // wraps where it stands before
			if a.Name == "" || at >= uintptr(len(text)) {
				continue
			}
			line, _ := slices.BinarySearch(ends, int(at))
			a.Line = line + 1
		}
	}
}

// Unplace forgets the lines of a text that is not the file as it stands.
func (d *Document) Unplace() {
	for i := range d.Trajectories {
		for k := range d.Trajectories[i].Actions {
			d.Trajectories[i].Actions[k].Line = 0
		}
	}
}
