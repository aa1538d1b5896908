package pack

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// module contains the sections of a module in their order.
type module []section

type section struct {
	id   byte
	body []byte
}

func readModule(wasm []byte) (m module, err error) {
	err = eachSection(wasm, func(id byte, body []byte) error {
		m = append(m, section{id, body})
		return nil
	})
	return m, err
}

// encode returns the bytes of the module.
func (m module) encode() []byte {
	out := []byte(moduleHeader)
	for _, s := range m {
		out = appendNumber(append(out, s.id), len(s.body))
		out = append(out, s.body...)
	}
	return out
}

// find returns the first section with an id. If there is none, it returns an empty section
// that does not belong to the module.
func (m module) find(id byte) *section {
	for i := range m {
		if m[i].id == id {
			return &m[i]
		}
	}
	return &section{id, []byte{0}}
}

// extend adds items to a section that is a vector.
func (s *section) extend(count int, items []byte) error {
	r := &reader{rest: s.body}
	count += r.readNumber()
	s.body = vector(count, append(r.rest[:len(r.rest):len(r.rest)], items...))
	return r.err
}

// vector returns the encoding of a vector: the number of items, followed by the items.
func vector(count int, items []byte) []byte { return append(appendNumber(nil, count), items...) }

func appendNumber(out []byte, n int) []byte { return binary.AppendUvarint(out, uint64(n)) }

func appendText(out []byte, text string) []byte {
	return append(appendNumber(out, len(text)), text...)
}

// program is a module that Go has linked, and what Split and Trace need to know of its functions.
//
// The functions with a body are numbered from 0. In the module their indices come after
// those of the imported functions. In the module's table, function i is at firstPlace+i.
type program struct {
	module
	imports int        // number of imported functions
	types   []int      // index of each function's type
	bodies  [][]byte   // local variables and instructions of each function
	names   []string   // as in Go's stack traces
	globals []variable // the module's global variables
}

// variable is the type of a global variable, and whether it can change.
type variable struct{ kind, mutable byte }

// firstPlace is the place of the first function in the module's table. See funcValueOffset
// in cmd/link/internal/wasm.
const firstPlace = 0x1000

func readProgram(wasm []byte) (p program, err error) {
	if p.module, err = readModule(wasm); err != nil {
		return p, err
	}
	imports := &reader{rest: p.find(importSection).body}
	p.imports = imports.readNumber()
	functions := &reader{rest: p.find(functionSection).body}
	for range functions.readNumber() {
		p.types = append(p.types, functions.readNumber())
		if functions.err != nil {
			break
		}
	}
	code := &reader{rest: p.find(codeSection).body}
	for range code.readNumber() {
		p.bodies = append(p.bodies, code.takeBytes(code.readNumber()))
		if code.err != nil {
			break
		}
	}
	globals := &reader{rest: p.find(globalSection).body}
	for range globals.readNumber() {
		p.globals = append(p.globals, variable{globals.readByte(), globals.readByte()})
		globals.readByte()
		globals.readNumber()
		if globals.readByte() != end && globals.err == nil {
			globals.err = errors.New("a global variable does not begin with a constant")
		}
		if globals.err != nil {
			break
		}
	}
	if err := errors.Join(imports.err, functions.err, code.err, globals.err); err != nil {
		return p, err
	}
	t, err := findTable(wasm)
	if err != nil {
		return p, err
	}
	if p.names, err = t.functionNames(); err != nil {
		return p, err
	}
	if len(p.names) != len(p.bodies) || len(p.types) != len(p.bodies) {
		return p, fmt.Errorf("the module has %d functions, %d types and %d names; want the same number of each", len(p.bodies), len(p.types), len(p.names))
	}
	return p, nil
}

// functionNames returns the functions' names in the order of the table.
func (t table) functionNames() (names []string, err error) {
	for i := range t.count {
		if place := int(binary.LittleEndian.Uint32(t.funcs[8*i:])); place != firstPlace+i {
			return nil, fmt.Errorf("function %d is at place %d, want %d", i, place, firstPlace+i)
		}
		f, err := t.function(i)
		if err != nil {
			return nil, err
		}
		name := f.intAt(atName)
		if name > len(t.names) {
			return nil, fmt.Errorf("the name of function %d is outside the table of names", i)
		}
		text, _, _ := strings.Cut(string(t.names[name:min(len(t.names), name+4096)]), "\x00")
		names = append(names, shortName(text))
	}
	return names, nil
}

// shortName replaces the type arguments of a generic function by three dots, as Go's
// stack traces do. For example, slices.Index[[]string,string] becomes slices.Index[...].
func shortName(name string) string {
	var out strings.Builder
	depth := 0
	for _, c := range name {
		if c == ']' {
			depth--
		}
		if depth == 0 {
			out.WriteRune(c)
		}
		if c == '[' {
			if depth++; depth == 1 {
				out.WriteString("...")
			}
		}
	}
	return out.String()
}
