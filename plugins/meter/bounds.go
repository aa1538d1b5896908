package meter

import "fmt"

// Bounds on what a module may announce. The largest module here has some 6,000 functions
// and 1,000 blocks in one; compilers stay far below. What lies beyond costs an engine
// seconds or gigabytes: its compiler takes the square of a function's loops.
const (
	maxLocals  = 10_000    // of a function, parameters aside
	maxParams  = 1_000     // of a function, and as many results
	maxBlocks  = 6_000     // of a function: blocks, ifs and loops
	maxLoops   = 2_000     // of a function
	maxDepth   = 1_000     // of blocks in each other
	maxTargets = 16_384    // of all br_table of a function
	maxBody    = 1 << 20   // bytes of a function
	maxWork    = 4_000_000 // of a function: blocks times locals, and loops times blocks
	maxItems   = 1 << 20   // functions in all element segments
	tableLimit = 1 << 20   // entries of all tables: they are memory that no page counts
	maxTables  = 16
)

// bounds are how many entries a section may have.
var bounds = [13]int{
	typeSection:     10_000,
	importSection:   1_000,
	functionSection: 100_000,
	tableSection:    1_000,
	memorySection:   100,
	globalSection:   10_000,
	exportSection:   10_000,
	elementSection:  10_000,
	codeSection:     100_000,
	dataSection:     100_000,
	countSection:    100_000,
}

// names are a section's entries in words.
var names = [13]string{
	typeSection:     "types",
	importSection:   "imports",
	functionSection: "functions",
	tableSection:    "tables",
	memorySection:   "memories",
	globalSection:   "globals",
	exportSection:   "exports",
	elementSection:  "element segments",
	codeSection:     "function bodies",
	dataSection:     "data segments",
	countSection:    "data segments",
}

// beyond refuses a module that has more than a host compiles.
func beyond(where string, n, limit int, what string) {
	if n > limit {
		panic(malformed{fmt.Errorf("%s%d %s, limit %d (%w)", where, n, what, limit, ErrBound)})
	}
}

// count reads how many entries follow. Each takes a byte at least, so a number that is
// larger than what is left is a lie, whatever the limit.
func (r *reader) count(limit int, what string) int {
	n := int(r.u32())
	if n < 0 || n > len(r.b)-r.i {
		fail("it declares %d %s in %d bytes", n, what, len(r.b)-r.i)
	}
	beyond("it has ", n, limit, what)
	return n
}

// heft is what one function asks of a compiler.
type heft struct {
	locals, blocks, loops, depth, targets int
}

func (h *heft) enter(op byte, number int) {
	h.blocks++
	h.depth++
	if op == loop {
		h.loops++
	}
	where := fmt.Sprintf
	if h.blocks > maxBlocks || h.loops > maxLoops || h.depth > maxDepth || h.work() > maxWork {
		at := where("function %d has ", number)
		beyond(at, h.blocks, maxBlocks, "blocks")
		beyond(at, h.loops, maxLoops, "loops")
		beyond(at, h.depth, maxDepth, "blocks in each other")
		beyond(at, h.work(), maxWork, "blocks times locals and loops")
	}
}

func (h *heft) work() int { return h.blocks * (h.locals + h.loops) }
