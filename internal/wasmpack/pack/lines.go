package pack

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// Go's linker writes one table about all functions, which the runtime needs to walk
// stacks. Its layout is that of runtime/symtab.go: a header, the functions' names, the
// units, the files' names, the tables by program counter, and the functions.
const (
	headerSize = 72
	funcSize   = 44 // size of a function's entry without its lists

	atName, atSP, atFile, atLine = 4, 16, 20, 24
	atTables, atUnit, atStart    = 28, 32, 36
)

var tableMagic = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

// DropLines clears data that only the text of a stack trace needs: the file and the line
// of each instruction, the files' names, and most functions' names. A panic is recovered
// as before, with the same message; a trace shows "?" for the positions. DropLines keeps
// what the runtime needs to walk stacks: the size of each frame, the maps of its
// pointers, its inlined calls, and the names that the runtime itself looks at. The module
// keeps its length, because addresses must stay the same; the zeros compress well. Linear
// time.
//
// It is an error if the module has no such table, or more than one.
func DropLines(wasm []byte) ([]byte, error) {
	out := bytes.Clone(wasm)
	var tables []table
	err := sections(out, func(id byte, body []byte) error {
		if id != dataSection {
			return nil
		}
		all, err := segments(body)
		for _, s := range all { // s.data shares its bytes with out
			for rest := s.data; ; {
				at := bytes.Index(rest, tableMagic)
				if at < 0 {
					break
				}
				if t, ok := readTable(rest[at:]); ok {
					tables = append(tables, t)
				}
				rest = rest[at+len(tableMagic):]
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(tables) != 1 {
		return nil, fmt.Errorf("it has %d tables of functions as Go 1.20 and later write them, want 1", len(tables))
	}
	return out, tables[0].clear()
}

// sections calls f with each section of a module.
func sections(wasm []byte, f func(id byte, body []byte) error) error {
	const header = "\x00asm\x01\x00\x00\x00"
	if len(wasm) < len(header) || string(wasm[:len(header)]) != header {
		return errors.New("not a WebAssembly module")
	}
	r := &reader{rest: wasm[len(header):]}
	for len(r.rest) > 0 {
		id := r.byte()
		body := r.take(r.number())
		if r.err != nil {
			return r.err
		}
		if err := f(id, body); err != nil {
			return err
		}
	}
	return nil
}

// table holds the parts of the linker's table, which share their bytes with the module.
type table struct {
	count                            int
	names, units, files, byPC, funcs []byte
}

// readTable reads a header and returns the parts that follow it.
func readTable(b []byte) (t table, ok bool) {
	if len(b) < headerSize {
		return t, false
	}
	word := func(i int) int { return int(min(binary.LittleEndian.Uint64(b[8*i:]), 1<<31)) }
	t.count = word(1)
	at := []int{word(4), word(5), word(6), word(7), word(8), len(b)}
	for i, from := range at[:5] {
		if from < headerSize || from > at[i+1] {
			return t, false
		}
	}
	part := func(i int) []byte { return b[at[i]:at[i+1]] }
	t.names, t.units, t.files, t.byPC, t.funcs = part(0), part(1), part(2), part(3), part(4)
	return t, t.count > 0 && len(t.funcs) >= 8*t.count
}

func (t table) clear() error {
	used := make([]bool, len(t.byPC))
	named := make([]bool, len(t.names))
	for i := range t.count {
		at := int(binary.LittleEndian.Uint32(t.funcs[8*i+4:]))
		if at+funcSize > len(t.funcs) {
			return fmt.Errorf("function %d lies outside of the table", i)
		}
		f := t.funcs[at:]
		number := func(at int) int { return int(binary.LittleEndian.Uint32(f[at:])) }
		if err := keepName(named, t.names, number(atName)); err != nil {
			return fmt.Errorf("function %d: %w", i, err)
		}
		n := number(atTables)
		if n > (len(f)-funcSize)/4 {
			return fmt.Errorf("function %d has %d tables, more than there are", i, n)
		}
		keep := []int{number(atSP)}
		for k := range n {
			keep = append(keep, number(funcSize+4*k))
		}
		for _, at := range keep {
			if err := keepTable(used, t.byPC, at); err != nil {
				return fmt.Errorf("function %d: %w", i, err)
			}
		}
		for _, at := range []int{atFile, atLine, atUnit, atStart} {
			binary.LittleEndian.PutUint32(f[at:], 0)
		}
	}
	clearUnused(t.byPC, used)
	clearUnused(t.names, named)
	clear(t.units)
	clear(t.files)
	return nil
}

// keepName marks a name that the runtime looks at. These are the names of its own
// packages, by which it recognises its own goroutines; those of reflect, whose frames it
// knows by name; and those of methods, because the panic of a wrapper names the method
// that was called on nil.
func keepName(used []bool, names []byte, at int) error {
	if at > len(names) {
		return errors.New("its name lies outside of the names")
	}
	end := bytes.IndexByte(names[at:], 0)
	if end < 0 {
		return errors.New("its name has no end")
	}
	name := string(names[at : at+end])
	if strings.HasPrefix(name, "runtime.") || strings.HasPrefix(name, "internal/runtime/") || strings.HasPrefix(name, "reflect.") || strings.Contains(name, "(") {
		mark(used[at : at+end])
	}
	return nil
}

// keepTable marks a table: pairs of numbers, the first of them zigzag-encoded, up to a
// pair whose first number is 0. An offset of 0 means no table.
func keepTable(used []bool, byPC []byte, at int) error {
	if at == 0 {
		return nil
	}
	if at >= len(byPC) {
		return errors.New("a table of it lies outside of the tables")
	}
	p := at
	for first := true; ; first = false {
		value, n := binary.Uvarint(byPC[p:])
		if n <= 0 {
			return errCut
		}
		p += n
		if value == 0 && !first {
			break
		}
		_, n = binary.Uvarint(byPC[p:])
		if n <= 0 {
			return errCut
		}
		p += n
	}
	mark(used[at:p])
	return nil
}

func mark(some []bool) {
	for i := range some {
		some[i] = true
	}
}

func clearUnused(b []byte, used []bool) {
	for i := range b {
		if !used[i] {
			b[i] = 0
		}
	}
}
