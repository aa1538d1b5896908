package pack

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Go's linker writes one table with all functions, which the runtime needs to walk stacks.
// runtime/symtab.go defines its layout: a header, the functions' names, the compilation
// units, the files' names, the tables indexed by program counter, and the functions. After
// the table come the functions' data, for example their pointer maps.
const (
	headerSize = 72
	funcSize   = 44 // size of a function's entry without its lists

	atAddress, atName         = 0, 4
	atSP, atFile, atLine      = 16, 20, 24
	atTables, atUnit, atStart = 28, 32, 36
	atKind, atData            = 40, 43 // the bytes between them are flags
	gofuncWord, endWord       = 40, 41 // in runtime.moduledata
)

// Numbers of the tables by program counter and of the data of a function, as in
// internal/abi/symtab.go.
const (
	unsafePoints, inlineIndex, liveArguments                     = 0, 2, 3
	inlineTree, argumentTypes, argumentsLive, argumentsOfWrapper = 3, 5, 6, 7
)

var tableMagic = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

// DropArguments returns the module with zeros in place of data that the program does not
// need:
//
//   - the places where a goroutine must not be interrupted;
//   - the positions of arguments, which only stack traces read.
//
// A stack trace then shows "..." in place of the arguments. The length of the module and
// all addresses stay the same, but the module compresses better. DropArguments needs
// linear time, except for sorting.
//
// DropArguments returns an error if the module does not have exactly one table of
// functions.
func DropArguments(wasm []byte) ([]byte, error) { return dropData(wasm, false) }

// DropLines does the same as DropArguments, and also writes zeros over the data that only
// stack traces need:
//
//   - the file and the line of each instruction;
//   - the names of the files, and of most functions;
//   - the inlined calls.
//
// A panic still has the same message and can be recovered, but a stack trace shows "?"
// for the positions. DropLines keeps all data that the runtime needs: the size and the
// pointer maps of each frame, the names that the runtime compares, and the inlined calls
// in functions that the compiler generated.
//
// DropLines returns an error if the module does not have exactly one table of functions.
func DropLines(wasm []byte) ([]byte, error) { return dropData(wasm, true) }

func dropData(wasm []byte, lines bool) ([]byte, error) {
	out := bytes.Clone(wasm)
	t, err := findTable(out)
	if err != nil {
		return nil, err
	}
	return out, t.clearUnkept(lines)
}

// findTable returns the table of functions, which shares its bytes with the module.
func findTable(wasm []byte) (table, error) {
	var tables []table
	err := eachSection(wasm, func(id byte, body []byte) error {
		if id != dataSection {
			return nil
		}
		all, err := readSegments(body)
		for _, s := range all { // s.data shares its bytes with the module
			for from := 0; ; {
				at := bytes.Index(s.data[from:], tableMagic)
				if at < 0 {
					break
				}
				if t, ok := readTable(s.data[from+at:]); ok {
					t.findData(all, s, from+at)
					tables = append(tables, t)
				}
				from += at + len(tableMagic)
			}
		}
		return err
	})
	if err != nil {
		return table{}, err
	}
	if len(tables) != 1 {
		return table{}, fmt.Errorf("the module has %d function tables of Go 1.20 or later; it must have one", len(tables))
	}
	return tables[0], nil
}

// eachSection calls f with each section of a module.
func eachSection(wasm []byte, f func(id byte, body []byte) error) error {
	if len(wasm) < len(moduleHeader) || string(wasm[:len(moduleHeader)]) != moduleHeader {
		return errors.New("not a WebAssembly module")
	}
	r := &reader{rest: wasm[len(moduleHeader):]}
	for len(r.rest) > 0 {
		id := r.readByte()
		body := r.takeBytes(r.readNumber())
		if r.err != nil {
			return r.err
		}
		if err := f(id, body); err != nil {
			return err
		}
	}
	return nil
}

// table contains the parts of the linker's table as slices of the module's bytes.
type table struct {
	count                            int
	names, units, files, byPC, funcs []byte
	memory                           memory // all data segments
	from, to                         int    // addresses of the functions' data; both 0 if not found
	address, byPCAt, funcsAt         int    // addresses of the table and of two of its parts
}

// memory is the initial memory of a module. The linker leaves out long runs of zeros, so
// the functions' data and the runtime's moduledata may each be in several segments.
type memory []segment

// readWord returns the number in the eight bytes at an address, or 1<<31 if the number is
// larger. Bytes that no segment contains are zeros.
func (m memory) readWord(at int) int {
	var word [8]byte
	for _, s := range m {
		if from := max(at, s.at); from < min(at+len(word), s.at+len(s.data)) {
			copy(word[from-at:], s.data[from-s.at:])
		}
	}
	return readWord(word[:], 0)
}

// clearRange writes zeros over the bytes at the addresses [from, to).
func (m memory) clearRange(from, to int) {
	for _, s := range m {
		if a, b := max(from, s.at), min(to, s.at+len(s.data)); a < b {
			clear(s.data[a-s.at : b-s.at])
		}
	}
}

// readTable reads the header of a table of functions and returns the table. ok is false
// if b does not begin with such a header.
func readTable(b []byte) (t table, ok bool) {
	if len(b) < headerSize {
		return t, false
	}
	t.count = readWord(b, 1)
	at := []int{readWord(b, 4), readWord(b, 5), readWord(b, 6), readWord(b, 7), readWord(b, 8), len(b)}
	for i, from := range at[:5] {
		if from < headerSize || from > at[i+1] {
			return t, false
		}
	}
	part := func(i int) []byte { return b[at[i]:at[i+1]] }
	t.names, t.units, t.files, t.byPC, t.funcs = part(0), part(1), part(2), part(3), part(4)
	return t, t.count > 0 && len(t.funcs) >= 8*t.count
}

// readWord returns the i-th number of eight bytes in b, or 1<<31 if the number is larger.
func readWord(b []byte, i int) int { return int(min(binary.LittleEndian.Uint64(b[8*i:]), 1<<31)) }

// findData finds the addresses of the data to which the functions of a table refer, and
// stores them in t. The table begins at s.data[at]. The addresses are in the moduledata
// of the Go runtime, which begins with the addresses of the table and of its names.
func (t *table) findData(all []segment, s segment, at int) {
	t.memory = all
	address := s.at + at
	t.address, t.byPCAt, t.funcsAt = address, address+readWord(s.data[at:], 7), address+readWord(s.data[at:], 8)
	names := address + readWord(s.data[at:], 4)
	start := binary.LittleEndian.AppendUint64(nil, uint64(address))
	zeros := len(start) - len(bytes.TrimLeft(start, "\x00")) // a segment may begin or end in the middle of the word
	start = bytes.Trim(start, "\x00")
	for _, other := range all {
		for i := bytes.Index(other.data, start); i >= 0; {
			moduledata := other.at + i - zeros
			from, to := t.memory.readWord(moduledata+8*gofuncWord), t.memory.readWord(moduledata+8*endWord)
			if t.memory.readWord(moduledata) == address && t.memory.readWord(moduledata+8) == names && from > address && from < to {
				t.from, t.to = from, to
				return
			}
			next := bytes.Index(other.data[i+1:], start)
			if next < 0 {
				break
			}
			i += 1 + next
		}
	}
}

func (t table) clearUnkept(lines bool) error {
	used := make([]bool, len(t.byPC))
	named := make([]bool, len(t.names))
	var data pieces
	var unnamed []function
	for i := range t.count {
		f, err := t.function(i)
		if err != nil {
			return err
		}
		if err := f.keepParts(t, lines, used, named, &data); err != nil {
			return fmt.Errorf("function %d: %w", i, err)
		}
		if f.unnamed {
			unnamed = append(unnamed, f)
		}
	}
	clearUnused(t.byPC, used)
	data.eachUnkept(t, t.memory.clearRange)
	if lines {
		clearUnused(t.names, named)
		clear(t.units)
		clear(t.files)
	}
	if len(named) > 0 && !named[0] { // the name at 0 is empty now
		for _, f := range unnamed {
			f.setUint32(atName, 0)
		}
	}
	return nil
}

// entryAt returns the address of the entry of function i.
func (t table) entryAt(i int) int {
	return t.funcsAt + int(binary.LittleEndian.Uint32(t.funcs[8*i+4:]))
}

// function returns the entry of function i.
func (t table) function(i int) (f function, err error) {
	at := t.entryAt(i) - t.funcsAt
	if at+funcSize > len(t.funcs) {
		return f, fmt.Errorf("function %d is outside the table", i)
	}
	f = function{entry: t.funcs[at:]}
	f.tables, f.data = f.intAt(atTables), int(f.entry[atData])
	if rest := (len(f.entry) - funcSize) / 4; f.tables > rest || f.data > rest-f.tables {
		return f, fmt.Errorf("function %d refers to %d tables, but there are fewer", i, f.tables)
	}
	f.entry = f.entry[:funcSize+4*f.tables+4*f.data]
	return f, nil
}

// function is a function's entry in the table.
type function struct {
	entry        []byte
	tables, data int // number of tables, and number of pieces of data
	unnamed      bool
}

func (f function) uint32At(at int) uint32      { return binary.LittleEndian.Uint32(f.entry[at:]) }
func (f function) intAt(at int) int            { return int(f.uint32At(at)) }
func (f function) setUint32(at int, to uint32) { binary.LittleEndian.PutUint32(f.entry[at:], to) }
func (f function) isGenerated() bool           { return f.entry[atKind] != 0 } // wrappers have a kind, and functions of the runtime

// keepParts marks the data of a function that must stay:
//
//   - its tables, in used;
//   - its pieces, in data;
//   - its name, in named, if lines is true.
//
// It clears the function's references to other tables and pieces. If lines is true, it
// also clears the positions that only stack traces need.
func (f *function) keepParts(t table, lines bool, used, named []bool, data *pieces) error {
	at := []int{f.intAt(atSP)}
	if lines {
		kept, err := keepName(named, t.names, f.intAt(atName))
		if err != nil {
			return err
		}
		f.unnamed = !kept
		for _, at := range []int{atFile, atLine, atUnit, atStart} {
			f.setUint32(at, 0)
		}
	} else {
		at = append(at, f.intAt(atFile), f.intAt(atLine))
	}
	inlined := !lines || f.isGenerated()
	for k := range f.tables {
		if k == unsafePoints || k == liveArguments || k == inlineIndex && !inlined {
			f.setUint32(funcSize+4*k, 0)
			continue
		}
		at = append(at, f.intAt(funcSize+4*k))
	}
	for k := range f.data {
		field := funcSize + 4*f.tables + 4*k
		switch k {
		case argumentTypes, argumentsLive, argumentsOfWrapper:
		case inlineTree:
			if inlined {
				data.add(f.uint32At(field), true)
				continue
			}
		default:
			data.add(f.uint32At(field), true)
			continue
		}
		data.add(f.uint32At(field), false)
		f.setUint32(field, noPiece)
	}
	for _, at := range at {
		if err := keepTable(used, t.byPC, at); err != nil {
			return err
		}
	}
	return nil
}

// pieces are the pieces of the functions' data. Several functions may share a piece. A piece
// is kept if at least one function keeps it.
type pieces []piece

type piece struct {
	at   uint32
	kept bool
}

const noPiece = math.MaxUint32

func (p *pieces) add(at uint32, kept bool) {
	if at != noPiece {
		*p = append(*p, piece{at, kept})
	}
}

// eachUnkept calls f with the addresses [from, to) of each piece that no function keeps. A
// piece ends where the next one begins. The last piece is left out, because nothing says
// where it ends.
func (p pieces) eachUnkept(t table, f func(from, to int)) {
	slices.SortFunc(p, func(a, b piece) int { return cmp.Compare(a.at, b.at) })
	for i := 0; i < len(p); {
		at, kept := p[i].at, false
		for ; i < len(p) && p[i].at == at; i++ {
			kept = kept || p[i].kept
		}
		if !kept && i < len(p) {
			f(t.from+int(at), min(t.to, t.from+int(p[i].at)))
		}
	}
}

// keepName marks a function's name in used if the runtime needs this name, and reports
// whether this is so. The parameter at is the offset of the name. The runtime needs three
// kinds of names:
//
//   - functions in its own packages, to recognise its goroutines;
//   - names in package reflect, to recognise frames;
//   - methods, for the panic message of a method call on nil.
func keepName(used []bool, names []byte, at int) (bool, error) {
	if at > len(names) {
		return false, errors.New("the function's name is outside the table of names")
	}
	end := bytes.IndexByte(names[at:], 0)
	if end < 0 {
		return false, errors.New("the function's name has no end")
	}
	name := string(names[at : at+end])
	if strings.HasPrefix(name, "runtime.") || strings.HasPrefix(name, "internal/runtime/") || strings.HasPrefix(name, "reflect.") || strings.Contains(name, "(") {
		markAll(used[at : at+end])
		return true, nil
	}
	return false, nil
}

// keepTable marks the bytes of a table as used. A table consists of pairs of numbers and ends
// with a pair whose first number is 0. The first number of a pair is zigzag-encoded. An
// offset of 0 means that there is no table.
func keepTable(used []bool, byPC []byte, at int) error {
	if at == 0 {
		return nil
	}
	if at >= len(byPC) {
		return errors.New("a table of the function is outside the tables")
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
	markAll(used[at:p])
	return nil
}

func markAll(some []bool) {
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
