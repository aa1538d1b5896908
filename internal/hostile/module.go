package hostile

import (
	"bytes"
	"slices"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// module is a WebAssembly module with one memory, one data segment and exported
// functions, which is all that a plugin needs.
type module struct {
	funcs                    []*function
	importModule, importName string // at most one imported function
	importParams             []byte
	importResults            []byte
	pages                    int
	table                    int    // entries; 0 for no table
	tables                   []byte // several tables, encoded
	memories, globals        []byte // whole sections that replace the usual ones
	types                    [][]byte
	hideMemory               bool
	start                    string
	data                     string
}

// function is a function that is exported under its name. Its code lacks the closing end.
type function struct {
	name            string
	params, results []byte
	locals          byte // number of locals of type i32 after the parameters
	rawLocals       []byte
	code            []byte
}

const (
	tI32, tI64 = 0x7f, 0x7e
	tFunc      = 0x70
	pageBytes  = 64 << 10
)

func honest(answer string) *module {
	m := &module{pages: 1, funcs: []*function{
		{name: abi.ExportInit},
		{name: abi.ExportVersion, results: []byte{tI32}, code: constant(abi.Version)},
		{name: abi.ExportAlloc, params: []byte{tI32}, results: []byte{tI32}, code: constant(scratch)},
		{name: abi.ExportInvoke, params: []byte{tI32}, results: []byte{tI64}},
	}}
	m.answer(answer)
	return m
}

// answer sets the text that the module's function invoke returns for every request.
func (m *module) answer(text string) {
	m.data = text
	m.export(abi.ExportInvoke).code = packed(answers, int64(len(text)))
}

func (m *module) at(name string) int {
	return slices.IndexFunc(m.funcs, func(f *function) bool { return f.name == name })
}

func (m *module) export(name string) *function { return m.funcs[m.at(name)] }

func (m *module) remove(name string) { m.funcs = slices.Delete(m.funcs, m.at(name), m.at(name)+1) }

// index returns the function's number; imports come first.
func (m *module) index(name string) int {
	if m.importName != "" {
		return m.at(name) + 1
	}
	return m.at(name)
}

// bytes encodes the module: sections in the order of their numbers, and a type for each
// function.
func (m *module) bytes() []byte {
	var types, imports, decls, exports, codes [][]byte
	if m.importName != "" {
		types = append(types, signature(m.importParams, m.importResults))
		imports = append(imports, slices.Concat(text(m.importModule), text(m.importName), []byte{0, 0}))
	}
	for _, f := range m.funcs {
		decls = append(decls, leb(int64(len(types))))
		types = append(types, signature(f.params, f.results))
		exports = append(exports, slices.Concat(text(f.name), []byte{0}, unsigned(m.index(f.name))))
		locals := []byte{0}
		if f.locals > 0 {
			locals = []byte{1, f.locals, tI32}
		}
		if f.rawLocals != nil {
			locals = f.rawLocals
		}
		codes = append(codes, sized(slices.Concat(locals, f.code, []byte{end})))
	}
	if !m.hideMemory {
		exports = append(exports, append(text(abi.ExportMemory), 2, 0))
	}
	out := []byte("\x00asm\x01\x00\x00\x00")
	out = append(out, section(1, append(types, m.types...))...)
	out = append(out, section(2, imports)...)
	out = append(out, section(3, decls)...)
	if m.table > 0 {
		out = append(out, section(4, [][]byte{append([]byte{tFunc, 0}, unsigned(m.table)...)})...)
	}
	if m.tables != nil {
		out = append(out, rawSection(4, unsigned(m.tableCount()), m.tables)...)
	}
	if m.memories != nil {
		out = append(out, rawSection(5, m.memories)...)
	} else {
		out = append(out, section(5, [][]byte{append([]byte{0}, unsigned(m.pages)...)})...)
	}
	if m.globals != nil {
		out = append(out, rawSection(6, m.globals)...)
	}
	out = append(out, section(7, exports)...)
	if m.start != "" {
		out = append(out, append([]byte{8}, sized(unsigned(m.index(m.start)))...)...)
	}
	out = append(out, section(10, codes)...)
	data := slices.Concat([]byte{0}, constant(answers), []byte{end}, text(m.data))
	return append(out, section(11, [][]byte{data})...)
}

// tableCount returns the number of encoded tables of references.
func (m *module) tableCount() int { return bytes.Count(m.tables, []byte{0x6f, 0}) }

func signature(params, results []byte) []byte {
	return slices.Concat([]byte{0x60}, sized(params), sized(results))
}

// section returns a vector of entries under an id, or nothing if there are no entries.
func section(id byte, entries [][]byte) []byte {
	if len(entries) == 0 {
		return nil
	}
	return append([]byte{id}, sized(append(unsigned(len(entries)), slices.Concat(entries...)...))...)
}

func sized(b []byte) []byte { return append(unsigned(len(b)), b...) }

func text(s string) []byte { return sized([]byte(s)) }

// constant returns the instruction i32.const n.
func constant(n int32) []byte { return append([]byte{i32Const}, leb(int64(n))...) }

// packed returns the instruction i64.const ptr<<32|n, which is the result of invoke.
func packed(ptr uint32, n int64) []byte {
	return append([]byte{i64Const}, leb(int64(ptr)<<32|n)...)
}

// unsigned returns a count as unsigned LEB128; leb returns a signed operand as signed LEB128.
func unsigned(n int) (out []byte) {
	for ; n >= 0x80; n >>= 7 {
		out = append(out, byte(n)|0x80)
	}
	return append(out, byte(n))
}

func leb(n int64) (out []byte) {
	for {
		b := byte(n & 0x7f)
		n >>= 7
		if n == 0 && b&0x40 == 0 || n == -1 && b&0x40 != 0 {
			return append(out, b)
		}
		out = append(out, b|0x80)
	}
}
