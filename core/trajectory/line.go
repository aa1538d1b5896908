package trajectory

import (
	"slices"
	"strings"
	"unsafe"
)

// Place sets the line of each action, which is the line with the action's name in data.
// The document must have been decoded from data. An action gets no line if data is
// compressed, or if the name is written with escapes. O(n + a·log n) for n bytes and a
// actions.
func (d *Document) Place(data []byte) {
	text := unsafe.String(unsafe.SliceData(data), len(data)) // without a copy, because a text can be large
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
