package hostile

import (
	"slices"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// Bare returns a plugin with the given name that uses no SDK and no language runtime. The
// plugin was written only from ABI.md, and fulfils the complete contract in a few hundred
// bytes.
//
// The plugin implements the operation describe and refuses all others. It does not parse
// JSON. It recognises only an ASCII object with a string as its member "op", as hosts
// send it.
func Bare(name string) []byte {
	const (
		room    = 2 << 20 // for a request
		request = pageBytes
	)
	describe := Describe(name)
	unknown := `{"error":{"code":"unknown-operation","message":"unknown operation; bare has describe alone"}}`
	invalid := `{"error":{"code":"invalid-request","message":"invalid request: not an object with an operation"}}`
	m := honestModule("")
	m.data = describe + unknown + invalid
	m.pages = 1 + room/pageBytes
	said := func(before, text string) []byte { return packedCode(uint32(answers+len(before)), int64(len(text))) }

	m.exportedFunction(abi.ExportAlloc).code = slices.Concat(
		constantCode(request), constantCode(0), []byte{localGet, 0}, constantCode(room), []byte{i32LeU, selectOne})

	at := func(offset int, load byte) []byte { // a load from the request at the position in local 1
		return append([]byte{localGet, 1, load, 0}, encodeUnsigned(request+offset)...)
	}
	unless := func(load []byte, want []byte, differs byte, to byte) []byte {
		return slices.Concat(load, want, []byte{differs, brIf, to})
	}
	f := m.exportedFunction(abi.ExportInvoke)
	f.locals = 3 // 1: the position, 2: the operation is describe, 3: there is an operation
	f.code = slices.Concat(
		[]byte{block, empty},
		unless(at(0, i32Load8), constantCode('{'), i32Ne, 0),
		unless(slices.Concat([]byte{localGet, 0, i32Load8, 0}, encodeUnsigned(request-1)), constantCode('}'), i32Ne, 0),
		[]byte{loop, empty},
		at(0, i32Load8), constantCode(1), []byte{i32Sub}, constantCode(127), []byte{i32GeU, brIf, 1},
		[]byte{block, empty},
		unless(at(0, i32Load), constantCode(0x22706f22), i32Ne, 0), // "op"
		unless(at(4, i32Load16), constantCode(0x223a), i32Ne, 0),   // :"
		constantCode(1), []byte{localSet, 3},
		unless(at(6, i64Load), append([]byte{i64Const}, encodeSigned(0x6562697263736564)...), i64Ne, 0), // describe
		unless(at(14, i32Load8), constantCode('"'), i32Ne, 0),
		constantCode(1), []byte{localSet, 2, end},
		[]byte{localGet, 1}, constantCode(1), []byte{i32Add, localTee, 1, localGet, 0, i32LtU, brIf, 0, end},
		[]byte{localGet, 2, ifThen, empty}, said("", describe), []byte{giveBack, end},
		[]byte{localGet, 3, ifThen, empty}, said(describe, unknown), []byte{giveBack, end},
		[]byte{end}, said(describe+unknown, invalid))
	return m.toBytes()
}

// The instructions that only Bare uses.
const (
	ifThen    = 0x04
	giveBack  = 0x0f
	selectOne = 0x1b
	localSet  = 0x21
	localTee  = 0x22
	i32Load   = 0x28
	i64Load   = 0x29
	i32Load8  = 0x2d
	i32Load16 = 0x2f
	i32Ne     = 0x47
	i32LtU    = 0x49
	i32LeU    = 0x4d
	i32GeU    = 0x4f
	i64Ne     = 0x52
	i32Add    = 0x6a
)
