package trajectory

import (
	"slices"
	"strings"
	"unsafe"
)

// Place sets the line of each action, which is the line that contains the action's name.
// data must be the data from which the document was decoded. An action gets no line if
// its name is not literally in data, because it is written with escapes or data is
// compressed. O(n + a·log n).
func (d *Document) Place(data []byte) {
	text := viewString(data)
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
			at := uintptr(unsafe.Pointer(unsafe.StringData(a.Name))) - begin // wraps if the name lies before the text
			if a.Name == "" || at >= uintptr(len(text)) {
				continue
			}
			line, _ := slices.BinarySearch(ends, int(at))
			a.Line = line + 1
		}
	}
}
