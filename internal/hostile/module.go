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
	elements                 []int  // functions at the beginning of the table
	tables                   []byte // several tables, encoded
	memories, globals        []byte // whole sections that replace the usual ones
	types                    [][]byte
	hideMemory               bool
	start                    string
	data                     string
}

// function is a function that is exported under its name, if it has one. Its code lacks
// the closing end.
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

func honestModule(answer string) *module {
	m := &module{pages: 1, funcs: []*function{
		{name: abi.ExportInit},
		{name: abi.ExportVersion, results: []byte{tI32}, code: constantCode(abi.Version)},
		{name: abi.ExportAlloc, params: []byte{tI32}, results: []byte{tI32}, code: constantCode(scratch)},
		{name: abi.ExportInvoke, params: []byte{tI32}, results: []byte{tI64}},
	}}
	m.setAnswer(answer)
	return m
}

// setAnswer sets the text that the module's function invoke returns for every request.
func (m *module) setAnswer(text string) {
	m.data = text
	m.exportedFunction(abi.ExportInvoke).code = packedCode(answers, int64(len(text)))
}

func (m *module) functionPosition(name string) int {
	return slices.IndexFunc(m.funcs, func(f *function) bool { return f.name == name })
}

func (m *module) exportedFunction(name string) *function { return m.funcs[m.functionPosition(name)] }

func (m *module) removeFunction(name string) {
	m.funcs = slices.Delete(m.funcs, m.functionPosition(name), m.functionPosition(name)+1)
}

// functionNumber returns the number of the function with the given name. An imported
// function has a lower number than the module's own functions.
func (m *module) functionNumber(name string) int {
	if m.importName != "" {
		return m.functionPosition(name) + 1
	}
	return m.functionPosition(name)
}

// toBytes returns the module in the binary format of WebAssembly. The sections are in the
// order of their numbers.
func (m *module) toBytes() []byte {
	var types, imports, decls, exports, codes [][]byte
	if m.importName != "" {
		types = append(types, encodeSignature(m.importParams, m.importResults))
		imports = append(imports, slices.Concat(encodeText(m.importModule), encodeText(m.importName), []byte{0, 0}))
	}
	for _, f := range m.funcs {
		decls = append(decls, encodeUnsigned(len(types)))
		types = append(types, encodeSignature(f.params, f.results))
		if f.name != "" {
			exports = append(exports, slices.Concat(encodeText(f.name), []byte{0}, encodeUnsigned(m.functionNumber(f.name))))
		}
		locals := []byte{0}
		if f.locals > 0 {
			locals = []byte{1, f.locals, tI32}
		}
		if f.rawLocals != nil {
			locals = f.rawLocals
		}
		codes = append(codes, encodeSized(slices.Concat(locals, f.code, []byte{end})))
	}
	if !m.hideMemory {
		exports = append(exports, append(encodeText(abi.ExportMemory), 2, 0))
	}
	out := []byte("\x00asm\x01\x00\x00\x00")
	out = append(out, encodeSection(1, append(types, m.types...))...)
	out = append(out, encodeSection(2, imports)...)
	out = append(out, encodeSection(3, decls)...)
	if m.table > 0 {
		out = append(out, encodeSection(4, [][]byte{append([]byte{tFunc, 0}, encodeUnsigned(m.table)...)})...)
	}
	if m.tables != nil {
		out = append(out, rawSection(4, encodeUnsigned(m.tableCount()), m.tables)...)
	}
	if m.memories != nil {
		out = append(out, rawSection(5, m.memories)...)
	} else {
		out = append(out, encodeSection(5, [][]byte{append([]byte{0}, encodeUnsigned(m.pages)...)})...)
	}
	if m.globals != nil {
		out = append(out, rawSection(6, m.globals)...)
	}
	out = append(out, encodeSection(7, exports)...)
	if m.start != "" {
		out = append(out, append([]byte{8}, encodeSized(encodeUnsigned(m.functionNumber(m.start)))...)...)
	}
	if m.elements != nil {
		out = append(out, encodeSection(9, [][]byte{m.elementSegment()})...)
	}
	out = append(out, encodeSection(10, codes)...)
	data := slices.Concat([]byte{0}, constantCode(answers), []byte{end}, encodeText(m.data))
	return append(out, encodeSection(11, [][]byte{data})...)
}

// elementSegment returns the segment that fills the table.
func (m *module) elementSegment() []byte {
	out := slices.Concat([]byte{0, i32Const, 0, end}, encodeUnsigned(len(m.elements)))
	for _, f := range m.elements {
		out = append(out, encodeUnsigned(f)...)
	}
	return out
}

// tableCount returns the number of encoded tables of references.
func (m *module) tableCount() int { return bytes.Count(m.tables, []byte{0x6f, 0}) }

func encodeSignature(params, results []byte) []byte {
	return slices.Concat([]byte{0x60}, encodeSized(params), encodeSized(results))
}

// encodeSection returns a section with the given id and entries. It returns nil if there
// are no entries.
func encodeSection(id byte, entries [][]byte) []byte {
	if len(entries) == 0 {
		return nil
	}
	return append([]byte{id}, encodeSized(append(encodeUnsigned(len(entries)), slices.Concat(entries...)...))...)
}

func encodeSized(b []byte) []byte { return append(encodeUnsigned(len(b)), b...) }

func encodeText(s string) []byte { return encodeSized([]byte(s)) }

// constantCode returns the instruction i32.const n.
func constantCode(n int32) []byte { return append([]byte{i32Const}, encodeSigned(int64(n))...) }

// packedCode returns the instruction i64.const ptr<<32|n. A plugin's function invoke
// returns an address and a length in this form.
func packedCode(ptr uint32, n int64) []byte {
	return append([]byte{i64Const}, encodeSigned(int64(ptr)<<32|n)...)
}

// encodeUnsigned returns a number as unsigned LEB128. The function encodeSigned does the
// same for a signed number.
func encodeUnsigned(n int) (out []byte) {
	for ; n >= 0x80; n >>= 7 {
		out = append(out, byte(n)|0x80)
	}
	return append(out, byte(n))
}

func encodeSigned(n int64) (out []byte) {
	for {
		b := byte(n & 0x7f)
		n >>= 7
		if n == 0 && b&0x40 == 0 || n == -1 && b&0x40 != 0 {
			return append(out, b)
		}
		out = append(out, b|0x80)
	}
}
