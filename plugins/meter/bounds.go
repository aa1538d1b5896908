package meter

import "fmt"

// Limits on the counts that a module declares. The largest module here has about 6,000
// functions and 1,000 blocks in one function; compilers stay far below the limits.
// Larger modules cost an engine seconds or gigabytes: its compiler needs time quadratic
// in a function's loops.
const (
	maxLocals  = 10_000    // of a function, without parameters
	maxParams  = 1_000     // of a function, and as many results
	maxBlocks  = 6_000     // of a function: blocks, ifs and loops
	maxLoops   = 2_000     // of a function
	maxDepth   = 1_000     // nesting depth of blocks
	maxTargets = 16_384    // of all br_table instructions of a function
	maxBody    = 1 << 20   // bytes of a function
	maxWork    = 4_000_000 // of a function: blocks times locals, and loops times blocks
	maxItems   = 1 << 20   // functions in all element segments
	tableLimit = 1 << 20   // entries of all tables; no limit on pages counts their memory
	maxTables  = 16
)

// bounds holds the largest number of entries of each section.
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

// names holds the word for the entries of each section.
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

// checkLimit refuses the module if n is larger than limit. The error wraps ErrBound. Its
// message has the strings where and what, the number n, and the limit.
func checkLimit(where string, n, limit int, what string) {
	if n > limit {
		panic(malformed{fmt.Errorf("%s%d %s, limit %d (%w)", where, n, what, limit, ErrBound)})
	}
}

// readCount reads the number of the entries that follow. It refuses a number that is
// larger than limit, or larger than the number of bytes that are left.
func (r *reader) readCount(limit int, what string) int {
	n := int(r.u32())
	if n < 0 || n > len(r.b)-r.i {
		fail("the module declares %d %s, but only %d bytes follow", n, what, len(r.b)-r.i)
	}
	checkLimit("it has ", n, limit, what)
	return n
}

// heft counts what one function demands of a compiler.
type heft struct {
	locals, blocks, loops, depth, targets int
}

func (h *heft) enterBlock(op byte, number int) {
	h.blocks++
	h.depth++
	if op == loop {
		h.loops++
	}
	where := fmt.Sprintf
	if h.blocks > maxBlocks || h.loops > maxLoops || h.depth > maxDepth || h.workProduct() > maxWork {
		at := where("function %d has ", number)
		checkLimit(at, h.blocks, maxBlocks, "blocks")
		checkLimit(at, h.loops, maxLoops, "loops")
		checkLimit(at, h.depth, maxDepth, "nested blocks")
		checkLimit(at, h.workProduct(), maxWork, "as the product blocks × (locals + loops)")
	}
}

func (h *heft) workProduct() int { return h.blocks * (h.locals + h.loops) }
