package hostile

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// huge is an encoded count of 2³²−1, which no data follows.
var huge = []byte{0xff, 0xff, 0xff, 0xff, 0x0f}

const wasiName = "wasi_snapshot_preview1"

// bombCases returns modules that attack the host. A host must load each module under the
// name "bad" and refuse it with the Code of its Case. The modules attack:
//
//   - the memory of the host, with false counts
//   - the compiler of the host
//   - the functions of the sandbox
//   - the differences between engines
//   - recursive JSON readers
//   - the meter, with work that is not in loops
func bombCases() []Case {
	return slices.Concat(falseCountCases(), compilerCases(), sandboxCases(), featureCases(), nestedCases(), straightCases())
}

// rawModule returns a module with the given sections, without any check.
func rawModule(sections ...[]byte) []byte {
	return append([]byte("\x00asm\x01\x00\x00\x00"), slices.Concat(sections...)...)
}

func rawSection(id byte, parts ...[]byte) []byte {
	return append([]byte{id}, encodeSized(slices.Concat(parts...))...)
}

// changedCase returns a case whose module is the honest module after a change by the
// function f. The parameter code is the error code with which a host must refuse the
// changed module.
func changedCase(name, code string, f func(*module)) Case {
	m := honestModule(Describe("bad"))
	f(m)
	return Case{Name: name, Code: code, Wasm: m.toBytes()}
}

// falseCountCases returns modules with counts of 2³²−1.
func falseCountCases() []Case {
	const code = "invalid-module"
	noType := rawSection(1, []byte{1, 0x60, 0, 0})
	return []Case{
		{Name: "2³²−1 data segments", Code: code, Wasm: rawModule(rawSection(11, huge))},
		{Name: "2³²−1 types", Code: code, Wasm: rawModule(rawSection(1, huge))},
		{Name: "2³²−1 parameters", Code: code, Wasm: rawModule(rawSection(1, []byte{1, 0x60}, huge))},
		{Name: "2³²−1 results", Code: code, Wasm: rawModule(rawSection(1, []byte{1, 0x60, 0}, huge))},
		{Name: "2³²−1 imports", Code: code, Wasm: rawModule(rawSection(2, huge))},
		{Name: "2³²−1 functions", Code: code, Wasm: rawModule(noType, rawSection(3, huge))},
		{Name: "2³²−1 globals", Code: code, Wasm: rawModule(rawSection(6, huge))},
		{Name: "2³²−1 exports", Code: code, Wasm: rawModule(rawSection(7, huge))},
		{Name: "2³²−1 element segments", Code: code, Wasm: rawModule(rawSection(9, huge))},
		{Name: "2³²−1 bodies", Code: code, Wasm: rawModule(noType, rawSection(3, []byte{1, 0}), rawSection(10, huge))},
		changedCase("2³²−1 locals", "module-too-large", func(m *module) { m.setLocals(huge) }),
		changedCase("2³²−1 locals in groups", "module-too-large", func(m *module) {
			m.exportedFunction(abi.ExportInit).rawLocals = append([]byte{100}, bytes.Repeat(append(slices.Clone(huge), tI32), 100)...)
		}),
		changedCase("2³²−1 groups of locals", code, func(m *module) { m.exportedFunction(abi.ExportInit).rawLocals = huge }),
		changedCase("a br_table of 2³²−1", code, func(m *module) {
			m.exportedFunction(abi.ExportInit).code = slices.Concat([]byte{block, empty, i32Const, 0, brTable}, huge, []byte{0, end})
		}),
	}
}

func (m *module) setLocals(n []byte) {
	m.exportedFunction(abi.ExportInit).rawLocals = slices.Concat([]byte{1}, n, []byte{tI32})
}

// compilerCases returns modules with functions for which a compiler may need more than
// linear time.
func compilerCases() []Case {
	const code = "module-too-large"
	body := func(b ...byte) func(*module) { return func(m *module) { m.exportedFunction(abi.ExportInit).code = b } }
	small := []byte{loop, empty, localGet, 0, brIf, 0, end}
	loops := func(n int) func(*module) {
		return func(m *module) {
			m.exportedFunction(abi.ExportInit).locals = 1
			m.exportedFunction(abi.ExportInit).code = bytes.Repeat(small, n)
		}
	}
	deep := func(op byte, n int) []byte {
		return slices.Concat(bytes.Repeat([]byte{op, empty}, n), bytes.Repeat([]byte{end}, n))
	}
	return []Case{
		changedCase("20,000 loops in a function", code, loops(20_000)),
		changedCase("100,000 blocks in each other", code, body(deep(block, 100_000)...)),
		changedCase("loops in each other", code, body(deep(loop, 5_000)...)),
		changedCase("200,000 ifs", code, body(bytes.Repeat([]byte{i32Const, 1, ifThen, empty, end}, 200_000)...)),
		changedCase("a br_table of 1,000,000", code, body(slices.Concat([]byte{block, empty, i32Const, 0, brTable}, encodeUnsigned(1_000_000), make([]byte, 1_000_001), []byte{end})...)),
		changedCase("a function of 4 MB", code, body(bytes.Repeat([]byte{i32Const, 1, drop}, 1_400_000)...)),
		changedCase("10,000 locals in 1,000 blocks", code, func(m *module) {
			m.setLocals(encodeUnsigned(10_000))
			m.exportedFunction(abi.ExportInit).code = bytes.Repeat(slices.Concat([]byte{localGet, 0, ifThen, empty}, constantCode(7), []byte{localSet, 0, end}), 1_000)
		}),
		changedCase("90 tables of 9,000,000 references", "memory-limit", func(m *module) {
			m.tables = bytes.Repeat(append([]byte{0x6f, 0}, encodeUnsigned(9_000_000)...), 90)
		}),
		changedCase("17 tables", "memory-limit", func(m *module) { m.tables = bytes.Repeat([]byte{0x6f, 0, 1}, 17) }),
		{Name: "200,000 exports", Code: code, Wasm: rawModule(rawSection(5, []byte{1, 0, 1}), rawSection(7, encodeUnsigned(200_000), exportsOf(200_000)))},
	}
}

func exportsOf(n int) (out []byte) {
	for i := range n {
		name := binary.LittleEndian.AppendUint32([]byte("e"), uint32(i)|0x20202020)
		out = append(out, append(encodeSized(name[:4]), 2, 0)...)
	}
	return out
}

// sandboxCases returns modules that use much time in the functions of the sandbox.
func sandboxCases() []Case {
	again := func(name, code, f string, params string, args ...[]byte) Case {
		c := changedCase(name, code, func(m *module) {
			m.pages = 900
			m.importModule, m.importName = wasiName, f
			m.importParams, m.importResults = []byte(params), []byte{tI32}
			m.exportedFunction(abi.ExportInvoke).code = slices.Concat([]byte{loop, empty}, slices.Concat(args...), []byte{call, 0, drop, br, 0, end, unreachable})
		})
		c.Hang = code == "deadline"
		return c
	}
	const two, four = "\x7f\x7f", "\x7f\x7f\x7f\x7f"
	return []Case{
		again("random_get of 50 MB, again and again", "trap", "random_get", two, constantCode(0), constantCode(50<<20)),
		again("random_get of 1 MiB, again and again", "deadline", "random_get", two, constantCode(0), constantCode(1<<20)),
		again("fd_write of 30,000,000 vectors", "trap", "fd_write", four, constantCode(2), constantCode(64), constantCode(30_000_000), constantCode(8)),
		again("fd_write of 1,000 vectors, again and again", "deadline", "fd_write", four, constantCode(2), constantCode(pageBytes), constantCode(1000), constantCode(8)),
		again("poll_oneoff of 4,000,000 subscriptions", "trap", "poll_oneoff", four, constantCode(64), constantCode(64), constantCode(4_000_000), constantCode(8)),
	}
}

// featureCases returns modules with features that some engines accept and others refuse.
func featureCases() []Case {
	const code = "invalid-module"
	body := func(b ...byte) func(*module) { return func(m *module) { m.exportedFunction(abi.ExportInit).code = b } }
	imported := func(name, f, params string) Case {
		return changedCase(name, "import-not-granted", func(m *module) {
			m.importModule, m.importName, m.importParams, m.importResults = wasiName, f, []byte(params), []byte{tI32}
		})
	}
	other := func(name string, what ...byte) Case {
		imports := append(append([]byte{1}, encodeText("env")...), append(encodeText("thing"), what...)...)
		return Case{Name: name, Code: "import-not-granted", Wasm: rawModule(rawSection(2, imports))}
	}
	return []Case{
		changedCase("shared memory", code, func(m *module) { m.memories = []byte{1, 3, 1, 2} }),
		changedCase("64-bit memory", code, func(m *module) { m.memories = []byte{1, 4, 1} }),
		changedCase("two memories", code, func(m *module) { m.memories = []byte{2, 0, 1, 0, 1} }),
		changedCase("a second memory of 4 GB", code, func(m *module) { m.memories = append([]byte{2, 0, 1, 0}, encodeUnsigned(65536)...) }),
		changedCase("a memory access that gives the index of the memory", code, body(slices.Concat(constantCode(0), []byte{i32Load, 0x42, 0, 0, drop})...)),
		changedCase("a tail call", code, body(0x12, 0)),
		changedCase("an exception", code, body(0x06, empty, end)),
		changedCase("an exception of the newer kind", code, body(0x1f, empty, 0, end)),
		changedCase("a call by reference", code, body(0x14, 0)),
		changedCase("an atomic instruction", code, body(0xfe, 3, 0)),
		changedCase("a type of garbage collection", code, func(m *module) { m.types = [][]byte{{0x5f, 0}} }),
		changedCase("an array of garbage collection", code, body(slices.Concat(constantCode(1<<30), []byte{0xfb, 7, 0, drop})...)),
		changedCase("a constant that computes", code, func(m *module) { m.globals = []byte{1, tI32, 0, i32Const, 1, i32Const, 1, i32Add, end} }),
		changedCase("relaxed vectors", code, body(0xfd, 0x80, 0x02, drop)),
		changedCase("an export of a reserved name", code, func(m *module) { m.funcs = append(m.funcs, &function{name: "boundcheck.global.0"}) }),
		imported("a WASI function of another type", "random_get", "\x7f"),
		imported("a WASI function of preview 2", "wasi:random/random", "\x7f\x7f"),
		other("an imported table", 1, 0x70, 0, 1),
		other("an imported memory", 2, 0, 1),
		other("an imported global", 3, tI32, 0),
	}
}

// nestedCases returns modules whose answers are nested too deeply for a recursive JSON
// reader.
func nestedCases() []Case {
	deep := func(n int) func(*module) {
		return func(m *module) {
			m.pages = 300
			m.setAnswer(`{"ok":` + strings.Repeat("[", n) + strings.Repeat("]", n) + "}")
		}
	}
	return []Case{
		changedCase("an answer of 8,000,000 lists in each other", "invalid-answer", func(m *module) { // the module writes it when it is called, and does not contain it
			m.pages = 300
			m.exportedFunction(abi.ExportInvoke).code = slices.Concat(constantCode(pageBytes), constantCode('['), constantCode(8_000_000), []byte{bulk, memoryFill, 0}, packedCode(pageBytes, 8_000_000))
		}),
		changedCase("an answer of 600 lists in each other", "invalid-answer", deep(600)),
		changedCase("an open list of 15,000,000 bytes", "invalid-answer", func(m *module) {
			m.pages = 300
			m.exportedFunction(abi.ExportInvoke).code = slices.Concat(constantCode(pageBytes), constantCode('['), constantCode(15_000_000), []byte{bulk, memoryFill, 0}, packedCode(pageBytes, 15_000_000))
		}),
	}
}

// Remembering returns a plugin with the given name. Each answer of the plugin contains
// the first bytes of the previous request.
func Remembering(name string) []byte {
	const kept, part = 8192, 48
	head := `{"ok":{"abi":1,"name":"` + name + `","version":"1.0.0","summary":"","operations":["describe","mine"],"before":"`
	m := honestModule("")
	m.data = head + strings.Repeat(" ", part) + `"}}`
	at := int32(answers + len(head))
	copyBytes := func(to, from int32) []byte {
		return slices.Concat(constantCode(to), constantCode(from), constantCode(part), []byte{bulk, 10, 0, 0})
	}
	f := m.exportedFunction(abi.ExportInvoke)
	f.locals = 1
	f.code = slices.Concat(
		[]byte{i32Const, 0, i32Load8, 0}, encodeUnsigned(kept+part-1), []byte{ifThen, empty}, copyBytes(at, kept), []byte{end},
		copyBytes(kept, scratch+16), packedCode(answers, int64(len(m.data))))
	return m.toBytes()
}

// Growing returns a plugin with the given name. With each request it adds a page to its
// memory. Its answer has two characters, each the sum of "0" and a number: the number of
// pages before, modulo 32, and what stood in the new page. Then it writes into this page.
func Growing(name string) []byte {
	m := honestModule("")
	head := `{"ok":{"abi":1,"name":"` + name + `","version":"1.0.0","summary":"","operations":["describe","mine"],"seen":"`
	m.data = head + `  "}}`
	seen, newPage := int32(answers+len(head)), []byte{localGet, 1, i32Const, 16, i32Shl}
	put := func(at int32, value []byte) []byte {
		return slices.Concat(constantCode(at), constantCode('0'), value, []byte{i32Add, i32Store8, 0, 0})
	}
	f := m.exportedFunction(abi.ExportInvoke)
	f.locals = 1
	f.code = slices.Concat([]byte{i32Const, 1, memoryGrow, 0, localSet, 1},
		put(seen, []byte{localGet, 1, i32Const, 31, i32And}), put(seen+1, slices.Concat(newPage, []byte{i32Load8, 0, 0})),
		newPage, []byte{i32Const, 1, i32Store8, 0, 0}, packedCode(answers, int64(len(m.data))))
	return m.toBytes()
}

const (
	brTable   = 0x0e
	i32Store8 = 0x3a
	i32And    = 0x71
)

// Heavy returns several modules, each with n equal functions. Each function is almost as
// large as the limits allow. A test uses these modules to measure how long a host
// compiles.
func Heavy(n int) []Case {
	var all []Case
	add := func(name string, locals int, code []byte) {
		m := honestModule(Describe("bad"))
		for i := range n {
			f := &function{name: "f" + string(rune('a'+i%26)) + strings.Repeat("x", i/26), code: code}
			f.rawLocals = slices.Concat([]byte{1}, encodeUnsigned(locals), []byte{tI32})
			m.funcs = append(m.funcs, f)
		}
		all = append(all, Case{Name: name, Wasm: m.toBytes()})
	}
	work := func(i int) []byte {
		return slices.Concat([]byte{localGet, byte(i % 8)}, constantCode(3), []byte{i32Add, localSet, byte((i + 3) % 8)})
	}
	repeat := func(n int, f func(int) []byte) (out []byte) {
		for i := range n {
			out = append(out, f(i)...)
		}
		return out
	}
	add("1,900 loops", 100, repeat(1_900, func(i int) []byte {
		return slices.Concat([]byte{loop, empty}, work(i), []byte{localGet, 0, brIf, 0, end})
	}))
	add("5,900 ifs", 200, repeat(5_900, func(i int) []byte {
		return slices.Concat([]byte{localGet, byte(i % 8), ifThen, empty}, work(i), []byte{end})
	}))
	add("1,000 ifs and 3,900 locals", 3_900, repeat(1_000, func(i int) []byte {
		return slices.Concat([]byte{localGet, byte(i % 8), ifThen, empty}, work(i), []byte{end})
	}))
	add("990 blocks in each other", 200, slices.Concat(bytes.Repeat([]byte{block, empty, localGet, 0, brIf, 0}, 990), work(1), bytes.Repeat([]byte{end}, 990)))
	add("990 loops in each other", 200, slices.Concat(bytes.Repeat([]byte{loop, empty, localGet, 0, brIf, 0}, 990), work(1), bytes.Repeat([]byte{end}, 990)))
	add("a br_table of 16,000", 100, slices.Concat(bytes.Repeat([]byte{block, empty}, 900), []byte{localGet, 0, brTable}, encodeUnsigned(16_000),
		repeat(16_000, func(i int) []byte { return encodeUnsigned(i % 900) }), []byte{0}, bytes.Repeat([]byte{end}, 900)))
	add("a function of 1 MB", 8, repeat(110_000, work))
	add("a function of 1 MB of calls", 8, bytes.Repeat([]byte{call, 0}, 500_000))
	return all
}

// Command returns a plugin with the given name. It exports a function _start that traps.
func Command(name string) []byte {
	m := honestModule(Describe(name))
	m.funcs = append(m.funcs, &function{name: "_start", code: []byte{unreachable}})
	return m.toBytes()
}
