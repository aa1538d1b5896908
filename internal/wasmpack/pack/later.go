package pack

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
)

// The runtime reads a function's entry, its tables and its pieces of data only while a
// frame of the function is on a stack. A moved function has no frame before the second
// module is there. So the second module also contains this data, and writes it to the
// memory when it is instantiated.
//
// There are two exceptions. A stack ends with a frame of a function of the runtime that
// nobody called, for example goexit. These functions have a kind, and keep their data. And a
// new goroutine has a frame of its first function before the function begins. So the first
// module keeps a short entry for each moved function. It has the function's address, and
// says that the frame is empty and holds no pointers. This is true until the function begins.

// A long text that the program embeds may be moved, too, with the only function that reads
// it: the second module has the function, so it also has the text.

// joinLater is the largest number of bytes between two segments of the second module that
// are joined. Any value from 4 to 64 results in nearly the same size.
const joinLater = 64

// moveData moves the data that only moved functions need, and the texts, from the memory of
// the table to segments, in the order of their addresses.
func (t table) moveData(isMoved func(i int) bool, texts [][]byte) ([]segment, error) {
	m := t.memory.newMarks()
	for _, text := range texts {
		at, err := t.memory.findText(text)
		if err != nil {
			return nil, err
		}
		markAll(m.part(at, len(text)))
	}
	kept := make([]bool, len(t.byPC))
	byPC := m.part(t.byPCAt, len(t.byPC))
	var data pieces
	var moved []function
	empty := 0 // a table of frame sizes that begins with an empty frame
	for i := range t.count {
		f, err := t.function(i)
		if err != nil {
			return nil, err
		}
		used, moves := kept, isMoved(i) && !f.isGenerated()
		if moves {
			used, moved = byPC, append(moved, f)
			entry := m.part(t.entryAt(i), len(f.entry))
			markAll(entry[atAddress+4 : atKind])
			markAll(entry[atData:])
		} else if at := f.intAt(atSP); beginsEmpty(t.byPC, at) {
			empty = at
		}
		for _, at := range f.allTables() {
			if err := keepTable(used, t.byPC, at); err != nil {
				return nil, err
			}
		}
		for k := range f.data {
			data.add(f.uint32At(funcSize+4*f.tables+4*k), !moves)
		}
	}
	if empty == 0 {
		return nil, errors.New("no function of the first module begins with an empty frame")
	}
	for i, k := range kept {
		byPC[i] = byPC[i] && !k
	}
	data.eachUnkept(t, func(from, to int) { markAll(m.part(from, to-from)) })
	segments := t.memory.cutMarked(m)
	for _, f := range moved {
		f.setUint32(atSP, uint32(empty))
	}
	return segments, nil
}

// allTables returns the offsets of all tables by program counter of a function.
func (f function) allTables() []int {
	all := []int{f.intAt(atSP), f.intAt(atFile), f.intAt(atLine)}
	for k := range f.tables {
		all = append(all, f.intAt(funcSize+4*k))
	}
	return all
}

// beginsEmpty reports whether a table of frame sizes begins with the size 0. A table begins
// at -1, and its first number is zigzag-encoded, so the number is 2.
func beginsEmpty(byPC []byte, at int) bool { return at > 0 && at < len(byPC) && byPC[at] == 2 }

// findText returns the address of a text that is in the memory exactly once.
func (m memory) findText(text []byte) (int, error) {
	found := -1
	if len(text) == 0 {
		return 0, errors.New("a text is empty, so it is not in the memory")
	}
	for _, s := range m {
		for from := 0; ; {
			i := bytes.Index(s.data[from:], text)
			if i < 0 {
				break
			}
			if found >= 0 {
				return 0, fmt.Errorf("the text %.20q is in the memory twice", text)
			}
			found = s.at + from + i
			from += i + 1
		}
	}
	if found < 0 {
		return 0, fmt.Errorf("the text %.20q is not in the memory", text)
	}
	return found, nil
}

// newMarks returns marks for all addresses of a memory, none of them set.
func (m memory) newMarks() marks {
	from, to := math.MaxInt, 0
	for _, s := range m {
		from, to = min(from, s.at), max(to, s.endAddress())
	}
	return marks{from, make([]bool, max(to-from, 0))}
}

// marks are addresses from a first one on.
type marks struct {
	from int
	set  []bool
}

func (m marks) part(at, length int) []bool { return m.set[at-m.from:][:length] }

// cutMarked returns segments with the bytes at the marked addresses, and clears these bytes. It
// joins segments that are close to each other, with the bytes between them.
func (m memory) cutMarked(marked marks) []segment {
	var out []segment
	var runs [][2]int
	for at := 0; at < len(marked.set); {
		n := slices.Index(marked.set[at:], true)
		if n < 0 {
			break
		}
		from := at + n
		if n = slices.Index(marked.set[from:], false); n < 0 {
			n = len(marked.set) - from
		}
		at = from + n
		runs = append(runs, [2]int{marked.from + from, marked.from + at})
	}
	for _, run := range runs {
		from := run[0]
		if last := len(out) - 1; last >= 0 && from-out[last].endAddress() <= joinLater {
			from = out[last].at
			out = out[:last]
		}
		out = append(out, segment{from, m.copyRange(from, run[1])})
	}
	for _, run := range runs {
		m.clearRange(run[0], run[1])
	}
	return out
}

// copyRange returns a copy of the bytes at the addresses [from, to). Bytes that no segment
// contains are zeros.
func (m memory) copyRange(from, to int) []byte {
	out := make([]byte, to-from)
	for _, s := range m {
		if a, b := max(from, s.at), min(to, s.endAddress()); a < b {
			copy(out[a-from:], s.data[a-s.at:b-s.at])
		}
	}
	return out
}

// encodeSegments returns a data section.
func encodeSegments(segments []segment) []byte {
	var out []byte
	for _, s := range segments {
		out = append(appendAddress(append(out, 0, i32Const), s.at), end)
		out = append(appendNumber(out, len(s.data)), s.data...)
	}
	return vector(len(segments), out)
}
