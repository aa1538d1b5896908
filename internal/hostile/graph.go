package hostile

import (
	"bytes"
	"math/rand/v2"
	"slices"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// Graph is a generated plugin that does much work.
type Graph struct {
	Wasm []byte

	// Work is the least number of instructions that one call of invoke executes. Endless
	// says that the call does not end, or only after more than 2⁶⁰ of them.
	Work    uint64
	Endless bool
}

// grower writes one graph. It counts what it writes, without the package meter.
type grower struct {
	*rand.Rand
	m     *module
	nodes []node
}

// node is a function of the graph with the instructions that a call of it executes.
type node struct {
	number int
	work   uint64
}

const endlessWork = 1 << 60

// NewGraph returns a graph of functions: functions with long straight code, functions that
// call others often, directly and through a table, with nested blocks, counted loops, and
// operations on much memory. With the same seed, the graph is the same. If ends is true,
// the graph does at most 2²⁴ instructions.
func NewGraph(seed uint64, ends bool) Graph {
	g := &grower{Rand: rand.New(rand.NewPCG(seed, 42)), m: honestModule(Describe("bad"))}
	g.m.pages = 64
	limit := uint64(endlessWork)
	if ends {
		limit = 1 << 24
	}
	for range 1 + g.IntN(3) {
		g.add(g.straight())
	}
	for range 1 + g.IntN(6) {
		g.add(g.calling(limit))
	}
	last := g.nodes[len(g.nodes)-1]
	code, work := callNode(last), last.work
	if !ends {
		code, work = g.forever(code), endlessWork
	}
	g.m.exportedFunction(abi.ExportInvoke).code = append(code, packedCode(answers, int64(len(g.m.data)))...)
	return Graph{g.m.toBytes(), work, !ends}
}

// forever returns code that repeats code: in a loop, or by deep calls that double.
func (g *grower) forever(code []byte) []byte {
	if g.IntN(2) == 0 {
		return slices.Concat([]byte{loop, empty}, code, []byte{br, 0, end})
	}
	for range 60 {
		f := g.m.addFunction(&function{code: slices.Concat(code, code, code)})
		code = callNode(node{number: f})
	}
	return code
}

// add adds a function, makes it a node, and adds it to the table.
func (g *grower) add(code []byte, work uint64, locals int) {
	f := &function{code: code, rawLocals: slices.Concat([]byte{1}, encodeUnsigned(locals), []byte{tI32})}
	n := node{g.m.addFunction(f), work}
	g.nodes = append(g.nodes, n)
	g.m.elements = append(g.m.elements, n.number)
	g.m.table = len(g.m.elements)
}

// straight returns a body without calls and loops.
func (g *grower) straight() (code []byte, work uint64, locals int) {
	kinds := [][]byte{
		{i64Const, 9, i64Const, 3, i64DivU, drop},
		{i32Const, 8, i32Load, 2, 0, drop},
		{i64Const, 9, vector, splat64, vector, 0xef, 0x01, drop},
		{block, empty, i32Const, 0, brIf, 0, end},
		{i32Const, 1, ifThen, empty, end},
		{localGet, 0, i32Const, 1, i32Add, localSet, 0},
		slices.Concat([]byte{i32Const, 0, ifThen, empty, block, empty, end, otherwise}, bytes.Repeat([]byte{localGet, 0, drop}, 40), []byte{end}),
		slices.Concat([]byte{block, empty, block, empty, i32Const, 0, brTable, 0, 0, end}, bytes.Repeat([]byte{localGet, 0, drop}, 40), []byte{end}),
	}
	counts := []uint64{4, 3, 5, 2, 2, 4, 82, 82}
	n := 1 + g.IntN(3_000)
	for range n {
		k := g.IntN(len(kinds))
		if n > 1_000 && bytes.Contains(kinds[k], []byte{empty}) { // not more blocks than allowed
			k = 0
		}
		code, work = append(code, kinds[k]...), work+counts[k]
	}
	return code, work, 1 + g.IntN(400)
}

// calling returns a body that calls earlier nodes, and does at most limit instructions.
func (g *grower) calling(limit uint64) (code []byte, work uint64, locals int) {
	add := func(one []byte, each uint64, most int) {
		n := g.repetitions(each, limit-work, most)
		code, work = append(code, bytes.Repeat(one, n)...), work+uint64(n)*each
	}
	for range 1 + g.IntN(3) {
		to := g.IntN(len(g.nodes))
		n := g.nodes[to]
		switch g.IntN(5) {
		case 0:
			add(callNode(n), n.work+1, 3_000)
		case 1:
			through := slices.Concat(constantCode(int32(to)), []byte{callIndirect}, encodeUnsigned(g.m.typeNumber(n.number)), []byte{0})
			add(through, n.work+2, 1_000)
		case 2:
			rounds := g.repetitions(n.work+5, (limit-work)/2, 1_000_000)
			add(counted(callNode(n), rounds), uint64(rounds)*(n.work+5), 1)
		case 3:
			inner := g.repetitions(n.work+5, (limit-work)/2, 1_000)
			outer := g.repetitions(uint64(inner)*(n.work+5)+5, (limit-work)/2, 1_000)
			nested := counted(countedIn(1, callNode(n), inner), outer)
			add(nested, uint64(outer)*(uint64(inner)*(n.work+5)+5), 1)
		case 4:
			size := int32(g.IntN(60 * pageBytes))
			fill := slices.Concat(constantCode(pageBytes), constantCode(7), constantCode(size), []byte{bulk, memoryFill, 0})
			move := slices.Concat(constantCode(pageBytes), constantCode(pageBytes+8), constantCode(size), []byte{bulk, 10, 0, 0})
			add([][]byte{fill, move}[g.IntN(2)], 4+uint64(size)/64, 3) // 64 bytes are more than one instruction's work
		}
	}
	return code, work, 4
}

// repetitions returns a number of repetitions of code with the given work: at most most,
// and none if they do not fit into limit.
func (g *grower) repetitions(work, limit uint64, most int) int {
	return int(min(uint64(g.IntN(most+1)), limit/max(work, 1)))
}

const otherwise = 0x05

func callNode(n node) []byte { return append([]byte{call}, encodeUnsigned(n.number)...) }

// counted returns a loop of n rounds around code, which counts in local 0. The loop of
// countedIn counts in another local. Each round executes five more instructions.
func counted(code []byte, n int) []byte { return countedIn(0, code, n) }

func countedIn(local byte, code []byte, n int) []byte {
	if n == 0 {
		return nil
	}
	return slices.Concat(constantCode(int32(n)), []byte{localSet, local, loop, empty}, code,
		[]byte{localGet, local, i32Const, 1, i32Sub, localTee, local, brIf, 0, end})
}
