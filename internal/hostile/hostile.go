// Package hostile builds plugins that misbehave. It writes their modules byte by byte, so
// that every host is tested with the same plugins. Only tests run them.
package hostile

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// Case is a bad module, with the code of the error that a host must return for it.
type Case struct {
	Name string
	Code string
	Wasm []byte
	Hang bool // runs until it is stopped
}

// The instructions used below. Operands follow in LEB128.
const (
	unreachable = 0x00
	block       = 0x02
	loop        = 0x03
	end         = 0x0b
	br          = 0x0c
	brIf        = 0x0d
	call        = 0x10
	drop        = 0x1a
	localGet    = 0x20
	memoryGrow  = 0x40
	i32Const    = 0x41
	i64Const    = 0x42
	i32Eqz      = 0x45
	i32Eq       = 0x46
	i32Sub      = 0x6b
	bulk        = 0xfc
	memoryFill  = 11   // second byte, after bulk
	empty       = 0x40 // block type
)

// The modules in this package let the host write its request at the address scratch. Their
// constant answers are at the address answers.
const (
	scratch = 4096
	answers = 1024
)

// Honest returns a module that answers every request with the given text. A hostile
// module differs from this module in one fault.
func Honest(answer string) []byte { return honestModule(answer).toBytes() }

// Describe returns the answer of a correct plugin to a request with the operation
// "describe". The parameter name is the plugin's name.
func Describe(name string) string {
	return `{"ok":{"abi":1,"name":"` + name + `","version":"1.0.0","summary":"","operations":["describe"]}}`
}

// Claiming returns a plugin with the given name. The plugin answers equivalence.check
// with a verdict about a row that is not in the request.
func Claiming(name string) []byte {
	return Honest(`{"ok":{"abi":1,"name":"` + name + `","version":"1.0.0","summary":"","operations":["describe","equivalence.check"],` +
		`"excused":[{"row":7,"stage":"state","reason":"of another run"}],"blamed":[],"replay":{"differences":[],"calls":[]}}}`)
}

// Panicking returns a module that writes text to stderr and then traps. The runtimes of Go
// and Rust do the same when a plugin panics.
func Panicking(text string) []byte {
	m := honestModule("")
	m.importModule, m.importName = "wasi_snapshot_preview1", "fd_write"
	m.importParams, m.importResults = []byte{tI32, tI32, tI32, tI32}, []byte{tI32}
	vector := binary.LittleEndian.AppendUint32(nil, answers+8)
	m.data = string(binary.LittleEndian.AppendUint32(vector, uint32(len(text)))) + text
	m.exportedFunction(abi.ExportInvoke).code = slices.Concat(constantCode(2), constantCode(answers), constantCode(1), constantCode(8),
		[]byte{call, 0, drop, unreachable})
	return m.toBytes()
}

// Cases returns all cases. A host must load each module under the name "bad".
func Cases() []Case {
	spoil := func(name, code string, f func(*module)) Case {
		m := honestModule(Describe("bad"))
		f(m)
		return Case{Name: name, Code: code, Wasm: m.toBytes()}
	}
	hang := func(c Case) Case { c.Hang = true; return c }
	body := func(export string, code ...byte) func(*module) {
		return func(m *module) { m.exportedFunction(export).code = code }
	}
	answer := func(text string) func(*module) {
		return func(m *module) { m.setAnswer(text) }
	}
	forever := []byte{loop, empty, br, 0, end, unreachable}
	return append([]Case{
		{Name: "not wasm", Code: "invalid-module", Wasm: []byte("#!/bin/sh\n")},
		{Name: "truncated", Code: "invalid-module", Wasm: Honest("{}")[:40]},
		spoil("wrong ABI version", "abi-version", body(abi.ExportVersion, constantCode(7)...)),
		spoil("no alloc", "missing-export", func(m *module) { m.removeFunction(abi.ExportAlloc) }),
		spoil("no version", "missing-export", func(m *module) { m.removeFunction(abi.ExportVersion) }),
		spoil("no memory export", "missing-export", func(m *module) { m.hideMemory = true }),
		spoil("invoke of another type", "missing-export", func(m *module) {
			f := m.exportedFunction(abi.ExportInvoke)
			f.results, f.code = []byte{tI32}, constantCode(0)
		}),
		spoil("host function not granted", "import-not-granted", func(m *module) { m.importModule, m.importName = "env", "system" }),
		spoil("no such WASI function", "import-not-granted", func(m *module) { m.importModule, m.importName = "wasi_snapshot_preview1", "sock_open" }),
		hang(spoil("endless loop in invoke", "deadline", body(abi.ExportInvoke, forever...))),
		hang(spoil("endless loop in alloc", "deadline", body(abi.ExportAlloc, forever...))),
		hang(spoil("endless loop in _initialize", "deadline", body(abi.ExportInit, loop, empty, br, 0, end))),
		hang(spoil("endless loop in the start section", "deadline", func(m *module) {
			m.exportedFunction(abi.ExportInit).code = []byte{loop, empty, br, 0, end}
			m.start = abi.ExportInit
		})),
		hang(spoil("an endless loop of fills", "deadline", func(m *module) {
			m.pages = 500
			m.exportedFunction(abi.ExportInvoke).code = slices.Concat([]byte{loop, empty}, constantCode(pageBytes), constantCode(0), constantCode(30<<20),
				[]byte{bulk, memoryFill, 0, br, 0, end, unreachable})
		})),
		hang(spoil("calls that double without a loop", "deadline", func(m *module) {
			self := slices.Concat([]byte{localGet, 0, i32Const, 1, i32Sub, call}, encodeUnsigned(m.functionNumber(abi.ExportAlloc)), []byte{drop})
			m.exportedFunction(abi.ExportAlloc).code = slices.Concat([]byte{block, empty, localGet, 0, i32Eqz, brIf, 0},
				bytes.Repeat(self, 6), []byte{end}, constantCode(scratch))
		})),
		spoil("tables huge from the start", "memory-limit", func(m *module) { m.table = 1 << 27 }),
		spoil("the host's own meter imported", "import-not-granted", func(m *module) {
			m.importModule, m.importName, m.importParams = "boundcheck", "meter", []byte{tI32}
		}),
		spoil("memory bomb", "memory-limit", body(abi.ExportInvoke, growMemoryCode()...)),
		spoil("memory bomb that writes", "memory-limit", body(abi.ExportInvoke, fillMemoryCode()...)),
		spoil("memory huge from the start", "memory-limit", func(m *module) { m.pages = 60000 }),
		spoil("huge answer", "answer-too-large", body(abi.ExportInvoke, packedCode(answers, 1<<30)...)),
		spoil("answer outside memory", "out-of-range", body(abi.ExportInvoke, packedCode(1<<31, 64)...)),
		spoil("answer across the end of memory", "out-of-range", body(abi.ExportInvoke, packedCode(pageBytes-8, 64)...)),
		spoil("answer whose end overflows", "out-of-range", body(abi.ExportInvoke, packedCode(0xffffffff, 64)...)),
		spoil("request buffer outside memory", "out-of-range", body(abi.ExportAlloc, constantCode(-16)...)),
		spoil("request buffer across the end", "out-of-range", body(abi.ExportAlloc, constantCode(pageBytes-2)...)),
		spoil("no room for the request", "request-too-large", body(abi.ExportAlloc, constantCode(0)...)),
		spoil("empty answer", "invalid-answer", body(abi.ExportInvoke, packedCode(0, 0)...)),
		spoil("answer not JSON", "invalid-answer", answer(`certainly! {"ok":1}`)),
		spoil("answer not UTF-8", "invalid-answer", answer("{\"ok\":\"\xff\"}")),
		spoil("two answers", "invalid-answer", answer(Describe("bad")+Describe("bad"))),
		spoil("neither ok nor error", "invalid-answer", answer(`{"result":1}`)),
		spoil("both ok and error", "invalid-answer", answer(`{"ok":1,"error":{"code":"x","message":"y"}}`)),
		spoil("error without code", "invalid-answer", answer(`{"error":{"message":"y"}}`)),
		spoil("describe of the wrong shape", "invalid-answer", answer(`{"ok":{"abi":1,"name":["bad"]}}`)),
		spoil("describes another ABI", "abi-version", answer(`{"ok":{"abi":2,"name":"bad","version":"1"}}`)),
		spoil("another plugin's name", "wrong-name", answer(Describe("prompts"))),
		spoil("trap", "trap", body(abi.ExportInvoke, unreachable)),
		spoil("stack overflow", "trap", func(m *module) {
			f := m.exportedFunction(abi.ExportInvoke)
			f.code = append(append([]byte{i32Const, 0, call}, encodeSigned(int64(m.functionNumber(abi.ExportInvoke)))...), drop, i64Const, 0)
		}),
		spoil("exit with success", "trap", func(m *module) {
			m.importModule, m.importName = "wasi_snapshot_preview1", "proc_exit"
			m.importParams = []byte{tI32}
			m.exportedFunction(abi.ExportInvoke).code = []byte{i32Const, 0, call, 0, unreachable}
		}),
	}, bombCases()...)
}

// fillMemoryCode returns code that adds one MiB of memory again and again and fills each
// new part. The code traps when the host refuses more memory.
func fillMemoryCode() []byte {
	return slices.Concat([]byte{block, empty, loop, empty},
		constantCode(16), []byte{memoryGrow, 0, localTee, 0, i32Const, 0x7f, i32Eq, brIf, 1},
		[]byte{localGet, 0, i32Const, 16, i32Shl}, constantCode('x'), constantCode(1<<20), []byte{bulk, memoryFill, 0},
		[]byte{br, 0, end, end, unreachable})
}

const i32Shl = 0x74

// growMemoryCode returns code that adds one MiB of memory again and again. The code traps
// when the host refuses more memory.
func growMemoryCode() []byte {
	return []byte{block, empty, loop, empty,
		i32Const, 16, memoryGrow, 0, i32Const, 0x7f, i32Eq, // 0x7f is -1
		brIf, 1, br, 0, end, end, unreachable}
}
