package hostile

import (
	"bytes"
	"slices"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// straightCases returns modules that spend their time in code without loops of its own.
// Each of them has a function that does much work and calls nothing, and a function that
// calls it very often. Each runs for hours if a meter counts only the rounds of loops and
// the calls of functions that call others.
func straightCases() []Case {
	divide := slices.Concat([]byte{localGet, 0}, bytes.Repeat([]byte{i64Const, 3, i64DivU}, 2_000), []byte{drop})
	root := slices.Concat([]byte{localGet, 0, vector, splat64}, bytes.Repeat([]byte{vector, 0xef, 0x01}, 2_000), []byte{drop}) // f64x2.sqrt
	chase := slices.Concat(constantCode(0), bytes.Repeat([]byte{i32Load, 2, 0}, 2_000), []byte{drop})
	again := func(calls []byte) []byte { return slices.Concat([]byte{loop, empty}, calls, []byte{br, 0, end}) }
	repeated := func(code []byte, n int) func(*module) []byte {
		return func(m *module) []byte {
			leaf := m.addFunction(&function{params: []byte{tI64}, code: code})
			return again(m.callOften(leaf, []byte{i64Const, 0x7f}, n))
		}
	}
	return []Case{
		straightCase("a loop of calls of divisions", repeated(divide, 20_000)),
		straightCase("a loop of calls of vector roots", repeated(root, 20_000)),
		straightCase("a loop of calls of loads", repeated(chase, 20_000)),
		straightCase("a loop of calls through a table", func(m *module) []byte {
			m.table = 1
			leaf := m.addFunction(&function{params: []byte{tI64}, code: divide})
			m.elements = []int{leaf}
			calls := bytes.Repeat(slices.Concat([]byte{i64Const, 0x7f, i32Const, 0, callIndirect}, encodeUnsigned(m.typeNumber(leaf)), []byte{0}), 20_000)
			mid := m.addFunction(&function{code: calls})
			return again(slices.Concat([]byte{call}, encodeUnsigned(mid)))
		}),
		straightCase("calls of divisions without a loop", func(m *module) []byte {
			next := m.addFunction(&function{params: []byte{tI64}, code: divide})
			calls := m.callOften(next, []byte{i64Const, 0x7f}, 2_000)
			for range 4 { // each calls the one before
				calls = m.callOften(m.addFunction(&function{code: calls}), nil, 2_000)
			}
			return calls
		}),
	}
}

// straightCase returns a case whose function invoke runs until it is stopped. The function
// code adds functions to the module and returns the code of invoke without its result.
func straightCase(name string, code func(*module) []byte) Case {
	c := changedCase(name, "deadline", func(m *module) {
		m.exportedFunction(abi.ExportInvoke).code = append(code(m), packedCode(0, 0)...)
	})
	c.Hang = true
	return c
}

// addFunction adds a function that is not exported, and returns its number.
func (m *module) addFunction(f *function) int {
	m.funcs = append(m.funcs, f)
	return len(m.funcs) - 1
}

// typeNumber returns the number of the type of a function, if nothing is imported.
func (m *module) typeNumber(function int) int { return function }

// callOften adds a function that calls another one n times with the same arguments. It
// returns the code that calls the added function.
func (m *module) callOften(to int, arguments []byte, n int) []byte {
	one := slices.Concat(arguments, []byte{call}, encodeUnsigned(to))
	f := m.addFunction(&function{code: bytes.Repeat(one, n)})
	return append([]byte{call}, encodeUnsigned(f)...)
}

// The instructions that only these modules use.
const (
	callIndirect = 0x11
	i64DivU      = 0x80
	vector       = 0xfd
	splat64      = 0x12 // i64x2.splat, after vector
)
