package pack

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/meter"
)

const (
	typeSection     = 1
	functionSection = 3
	tableSection    = 4
	memorySection   = 5
	globalSection   = 6
	exportSection   = 7
	elementSection  = 9
	codeSection     = 10
)

// Kinds of imports and exports.
const (
	functionKind = iota
	tableKind
	memoryKind
	globalKind
)

// Instructions that this package writes.
const (
	localGet     = 0x20
	globalSet    = 0x24
	callIndirect = 0x11
)

// Options says what Split does besides moving functions.
type Options struct {
	DropLines bool              // drop data as DropLines does, not only as DropArguments does
	Texts     map[string][]byte // texts that the program embeds, by the name of the only function that reads them
}

// Split moves the bodies of functions that are seldom called to a second module. A
// program can then start with the first module alone. The function seldom reports whether
// a function may be moved. Its argument is the name of the function in a stack trace. A form
// of a generic function that only moved functions call is moved, too.
// The data that the runtime needs only for moved functions is moved, too, and of each moved
// function the text in o.Texts. Split also drops data, as DropLines or DropArguments does.
// These parts always stay in the first module:
//
//   - all other data;
//   - functions that call the host;
//   - functions with a signature that Go's functions do not have.
//
// A call of a moved function traps while the second module is missing. The program must
// then start again with both modules. The second module has two kinds of imports:
//
//   - from "core", which is the first module: the memory "mem", the table, and the global
//     variables "global0", "global1" and so on;
//   - from "place": functions in the table. The name of each function is its number in the
//     table.
//
// The second module fills the empty places of the table and writes its data when it is
// instantiated. This is possible at any time while no function runs and no function has trapped. The name of
// the table is "table" and a hash of the whole module and of the choice of functions. For
// this reason, modules of different builds do not fit together.
//
// Split needs linear time. It returns an error if the module was not linked by Go, or if
// no function is moved.
func Split(wasm []byte, o Options, seldom func(name string) bool) (first, second []byte, err error) {
	p, err := readProgram(wasm)
	if err != nil {
		return nil, nil, err
	}
	s := splitter{program: p, number: make([]int, len(p.bodies))}
	if s.signature, err = p.findSignature(); err != nil {
		return nil, nil, err
	}
	moves, err := p.chooseMoved(s.signature, seldom)
	if err != nil {
		return nil, nil, err
	}
	for i := range p.names {
		s.number[i] = -1
		if moves[i] {
			s.number[i] = len(s.moved)
			s.moved = append(s.moved, i)
		}
	}
	if len(s.moved) == 0 {
		return nil, nil, fmt.Errorf("found no function to move to the second module")
	}
	if err := s.moveData(wasm, o); err != nil {
		return nil, nil, err
	}
	s.table = fmt.Sprintf("table %.8x", sha256.Sum256(fmt.Append(wasm[:len(wasm):len(wasm)], s.moved)))
	if second, err = s.secondModule(); err != nil {
		return nil, nil, err
	}
	first, err = s.firstModule()
	return first, second, err
}

// chooseMoved returns which functions are moved: those that are seldom called, and the forms of
// generic functions that only those call. All forms of one generic function have one name, so
// that seldom cannot tell them apart.
func (p program) chooseMoved(signature int, seldom func(name string) bool) ([]bool, error) {
	moves, may := make([]bool, len(p.bodies)), make([]bool, len(p.bodies))
	callers := make([][]int, len(p.bodies))
	for i, name := range p.names {
		host := false
		err := meter.EachCall(p.bodies[i], func(to, _, _ int) {
			if to -= p.imports; to < 0 {
				host = true
			} else if to != i {
				callers[to] = append(callers[to], i)
			}
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		may[i] = p.types[i] == signature && !host
		moves[i] = may[i] && seldom(name)
	}
	for again := true; again; {
		again = false
		for i, name := range p.names {
			if may[i] && !moves[i] && len(callers[i]) > 0 && strings.Contains(name, "[...]") && !slices.ContainsFunc(callers[i], func(c int) bool { return !moves[c] }) {
				moves[i], again = true, true
			}
		}
	}
	return moves, nil
}

type splitter struct {
	program
	signature int       // index of the type of Go's functions
	moved     []int     // numbers of the moved functions
	number    []int     // of each function: its position in moved, or -1
	later     []segment // data of the moved functions
	table     string
}

// moveData drops data from the module, and moves the data of the moved functions out of it.
func (s *splitter) moveData(wasm []byte, o Options) error {
	var texts [][]byte
	for name, text := range o.Texts {
		i := slices.Index(s.names, name)
		if i < 0 {
			return fmt.Errorf("the program has no function %s, which is to read a text alone", name)
		}
		if s.number[i] >= 0 {
			texts = append(texts, text)
		}
	}
	dropped, err := dropData(wasm, o.DropLines)
	if err != nil {
		return err
	}
	t, err := findTable(dropped)
	if err != nil {
		return err
	}
	if s.later, err = t.moveData(func(i int) bool { return s.number[i] >= 0 }, texts); err != nil {
		return err
	}
	m, err := readModule(dropped)
	s.module.find(dataSection).body = m.find(dataSection).body
	return err
}

// findSignature returns the index of the type of Go's functions: one 32-bit number as
// parameter and one as result.
func (p program) findSignature() (int, error) {
	r := &reader{rest: p.find(typeSection).body}
	for i := range r.readNumber() {
		form := r.readByte()
		parameters, results := string(r.takeBytes(r.readNumber())), string(r.takeBytes(r.readNumber()))
		if r.err != nil {
			return 0, r.err
		}
		if form == 0x60 && parameters == "\x7f" && results == "\x7f" {
			return i, nil
		}
	}
	return 0, fmt.Errorf("the module has no function type with one 32-bit parameter and one 32-bit result")
}

// firstModule returns the module without the bodies of the moved functions. Each moved
// function gets a new body that calls the function at its place in the table. The second
// module fills these places.
func (s splitter) firstModule() ([]byte, error) {
	m := append(module(nil), s.module...)
	var code []byte
	for i, body := range s.bodies {
		if s.number[i] >= 0 {
			body = append(appendAddress([]byte{0, localGet, 0, i32Const}, firstPlace+i), callIndirect)
			body = append(appendNumber(body, s.signature), 0, end)
		}
		code = append(appendNumber(code, len(body)), body...)
	}
	m.find(codeSection).body = vector(len(s.bodies), code)
	m.find(elementSection).body = s.elements(func(i int) (int, bool) { return s.imports + i, s.number[i] < 0 })
	exports := append(appendText(nil, s.table), tableKind, 0)
	for i := range s.globals {
		exports = append(appendText(exports, globalName(i)), globalKind)
		exports = appendNumber(exports, i)
	}
	err := m.find(exportSection).extend(1+len(s.globals), exports)
	return m.encode(), err
}

func globalName(i int) string { return fmt.Sprintf("global%d", i) }

// elements returns the element section that puts functions at their places in the table.
// The function index gets the number of a function and returns its index in the new
// module. The bool is false if this section must not contain the function.
func (s splitter) elements(index func(i int) (int, bool)) []byte {
	var out []byte
	segments := 0
	for i := 0; i < len(s.bodies); {
		var run []byte
		from := i
		for ; i < len(s.bodies); i++ {
			to, ok := index(i)
			if !ok {
				break
			}
			run = appendNumber(run, to)
		}
		if i == from {
			i++
			continue
		}
		segments++
		out = append(appendAddress(append(out, 0, i32Const), firstPlace+from), end)
		out = append(appendNumber(out, i-from), run...)
	}
	return vector(segments, out)
}

// secondModule returns the module with the bodies of the moved functions.
func (s splitter) secondModule() ([]byte, error) {
	type reference struct{ to, from, end int }
	references := make([][]reference, len(s.moved))
	imported := map[int]int{} // index of each function that the module imports
	var imports []byte
	for k, i := range s.moved {
		err := meter.EachCall(s.bodies[i], func(to, from, end int) {
			to -= s.imports
			references[k] = append(references[k], reference{to, from, end})
			if _, known := imported[to]; known || s.number[to] >= 0 {
				return
			}
			imported[to] = len(imported)
			imports = append(appendText(appendText(imports, "place"), fmt.Sprint(firstPlace+to)), functionKind)
			imports = appendNumber(imports, s.types[to])
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.names[i], err)
		}
	}
	var types, code []byte
	for k, i := range s.moved {
		types = appendNumber(types, s.signature)
		var body []byte
		copied := 0
		for _, r := range references[k] {
			index, ok := imported[r.to]
			if !ok {
				index = len(imported) + s.number[r.to]
			}
			body = appendNumber(append(body, s.bodies[i][copied:r.from]...), index)
			copied = r.end
		}
		body = append(body, s.bodies[i][copied:]...)
		code = append(appendNumber(code, len(body)), body...)
	}
	shared, err := s.sharedImports()
	if err != nil {
		return nil, err
	}
	return module{
		{typeSection, s.find(typeSection).body},
		{importSection, vector(len(imported)+2+len(s.globals), append(imports, shared...))},
		{functionSection, vector(len(s.moved), types)},
		{elementSection, s.elements(func(i int) (int, bool) { return len(imported) + s.number[i], s.number[i] >= 0 })},
		{codeSection, vector(len(s.moved), code)},
		{dataSection, encodeSegments(s.later)},
	}.encode(), nil
}

// sharedImports returns the imports of the first module's memory, table and global variables.
func (s splitter) sharedImports() ([]byte, error) {
	appendImport := func(out []byte, name string, kind byte) []byte {
		return append(appendText(appendText(out, "core"), name), kind)
	}
	var out []byte
	for _, of := range []struct {
		id   byte
		name string
		kind byte
	}{{memorySection, "mem", memoryKind}, {tableSection, s.table, tableKind}} {
		r := &reader{rest: s.find(of.id).body}
		if n := r.readNumber(); n != 1 || r.err != nil {
			return nil, fmt.Errorf("the module has %d memories or tables, want 1 of each", n)
		}
		out = append(appendImport(out, of.name, of.kind), r.rest...)
	}
	for i, g := range s.globals {
		out = append(appendImport(out, globalName(i), globalKind), g.kind, g.mutable)
	}
	return out, nil
}

// Trace returns the module with an additional global variable for each function. A
// function sets its variable to 1 when it is called. The export name of a variable is
// "ran", the function's number and the function's name, separated by spaces.
func Trace(wasm []byte) ([]byte, error) {
	p, err := readProgram(wasm)
	if err != nil {
		return nil, err
	}
	var code, globals, exports []byte
	for i, body := range p.bodies {
		own := len(p.globals) + i
		globals = append(globals, 0x7f, 1, i32Const, 0, end)
		exports = append(appendText(exports, fmt.Sprintf("ran %d %s", i, p.names[i])), globalKind)
		exports = appendNumber(exports, own)
		locals, err := localsLength(body)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.names[i], err)
		}
		set := appendNumber([]byte{i32Const, 1, globalSet}, own)
		code = appendNumber(code, len(body)+len(set))
		code = append(append(append(code, body[:locals]...), set...), body[locals:]...)
	}
	m := p.module
	m.find(codeSection).body = vector(len(p.bodies), code)
	if err := m.find(globalSection).extend(len(p.bodies), globals); err != nil {
		return nil, err
	}
	err = m.find(exportSection).extend(len(p.bodies), exports)
	return m.encode(), err
}

// localsLength returns the length of the declaration of a function's local variables.
func localsLength(body []byte) (int, error) {
	r := &reader{rest: body}
	for range r.readNumber() {
		r.readNumber()
		r.readByte()
		if r.err != nil {
			break
		}
	}
	return len(body) - len(r.rest), r.err
}
