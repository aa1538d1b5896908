package trajectory

import (
	"slices"
	"strings"
	"unsafe"
)

// Place notes at each action the line of data in which its name stands; data is what the
// document was decoded from. A name that is no part of it gets none: one with escapes, or
// one from packed data. O(n + a·log n).
func (d *Document) Place(data []byte) {
	text := view(data)
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
