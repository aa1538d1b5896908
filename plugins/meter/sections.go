package meter

import (
	"strconv"
	"strings"
)

// Indices of the function types that Rewrite adds to a module, counted from the first
// added type.
const (
	typeNone  = iota // () -> ()
	typeMeter        // (i32) -> ()
	typePay          // (i32) -> i32
)

const tI32 = 0x7f

var ownTypes = [][]byte{
	{0x60, 0, 0},
	{0x60, 1, tI32, 0},
	{0x60, 1, tI32, 1, tI32},
}

// withCounter returns the global section with one more global, which is the counter. The
// counter starts with the constant Quantum.
func (w *rewriter) withCounter() []byte {
	r, _ := w.openSection(globalSection)
	var all []byte
	for i := w.importedGlobals(); i < w.globals; i++ {
		about := r.takeBytes(2) // value type, mutability
		switch {
		case !isValue(about[0]) || about[1] > 1:
			fail("unknown kind of global")
		case about[1] == 1 && about[0] >= 0x7c: // a numeric type
			w.changing = append(w.changing, i)
		case about[1] == 1:
			w.fixed = true
		}
		all = w.appendConstant(append(all, about...), r)
	}
	w.changing = append(w.changing, w.counter)
	counter := append([]byte{tI32, 1, i32Const}, append(appendSigned(nil, Quantum), end)...)
	out := appendUnsigned(nil, w.globals-w.importedGlobals()+1)
	return append(append(out, all...), counter...)
}

func (w *rewriter) importedGlobals() int { return w.globals - w.countEntries(globalSection) }

// appendConstant reads a constant expression from r and appends it to out. It replaces
// the numbers of functions by their new numbers.
func (w *rewriter) appendConstant(out []byte, r *reader) []byte {
	for {
		start := r.i
		op := r.readByte()
		switch op {
		case refFunc:
			out = appendUnsigned(append(out, op), w.functionNumber(r.u32()))
			continue
		case globalGet:
			w.checkGlobal(r.u32())
		case i32Const, 0x42, 0x43, 0x44, 0xd0, end:
			r.skipImmediates(op)
		case vector:
			if r.readVector() != 12 {
				fail("an invalid constant")
			}
		default:
			fail("an invalid constant: instruction %#x", op)
		}
		out = append(out, r.b[start:r.i]...)
		if op == end {
			return out
		}
	}
}

// checkGlobal checks that the module has a global with the number i. The global has the
// same number in the metered module.
func (w *rewriter) checkGlobal(i uint32) {
	if int(i) >= w.globals {
		fail("unknown global %d", i)
	}
}

func (w *rewriter) rewriteTables(r *reader) []byte {
	n := int(r.u32())
	if n > maxTables {
		fail("%w: the module has %d tables, limit %d", ErrLimit, n, maxTables)
	}
	out := appendUnsigned(nil, n)
	all := make([]limits, n)
	kinds := make([]byte, n)
	for i := range all {
		if kinds[i] = r.readByte(); !isReference(kinds[i]) {
			fail("unknown kind of table %#x", kinds[i])
		}
		all[i] = r.readLimits()
		if w.tableEntries += all[i].min; w.tableEntries > tableLimit {
			fail("%w: the module's tables have %d entries, limit %d", ErrLimit, w.tableEntries, tableLimit)
		}
	}
	spare := (tableLimit - w.tableEntries) / uint64(max(n, 1)) // the number of entries by which each may grow
	for i, l := range all {
		out = l.withMax(l.min + spare).appendTo(append(out, kinds[i]))
	}
	r.checkEnd("tables")
	return out
}

// spare is the number of pages that a growing memory has in addition to its initial
// size. Most calls then do not grow it: a JavaScript engine cannot restore an instance
// whose memory has grown.
const spare = 128

func (w *rewriter) rewriteMemories(r *reader) []byte {
	n := int(r.u32())
	out := appendUnsigned(nil, n)
	for range n {
		l := r.readLimits()
		if p := uint64(w.options.Pages); p > 0 {
			if l.min > p {
				fail("%w: the module's memory has %d pages, limit %d", ErrLimit, l.min, p)
			}
			l = l.withMax(p)
			if w.grows {
				l.min += min(spare, l.max-l.min)
			}
		}
		out = l.appendTo(out)
	}
	return out
}

// Reserved is the prefix of the added exports: the mutable globals, counted from 0.
// They are added if only memory and globals can change.
const Reserved = Module + ".global."

func (w *rewriter) rewriteExports(r *reader) []byte {
	n := 0
	if w.present[exportSection] {
		n = r.readCount(bounds[exportSection], names[exportSection])
	}
	var out []byte
	found := make(map[string][2]uint32, n)
	for range n {
		name := string(r.readSized())
		kind, index := r.readByte(), r.u32()
		at := int(index)
		switch kind {
		case 0:
			at = w.functionNumber(index)
		case 3:
			w.checkGlobal(index)
		}
		if strings.HasPrefix(name, Module+".") {
			fail("the module exports %q, but this name is reserved", name)
		}
		found[name] = [2]uint32{uint32(kind), index}
		out = appendUnsigned(append(appendSized(out, name), kind), at)
	}
	r.checkEnd("exports")
	w.checkExports(found)
	if !w.fixed {
		for i, g := range w.changing {
			out = appendUnsigned(append(appendSized(out, Reserved+strconv.Itoa(i)), 3), g)
		}
		n += len(w.changing)
	}
	return append(appendUnsigned(nil, n), out...)
}

// rewriteElements returns the element section with the new numbers of the functions.
func (w *rewriter) rewriteElements(r *reader) []byte {
	n := r.readCount(bounds[elementSection], names[elementSection])
	out := appendUnsigned(nil, n)
	total := 0
	for range n {
		flag := r.u32()
		if flag > 7 {
			fail("unknown kind of elements %d", flag)
		}
		out = appendUnsigned(out, int(flag))
		if flag&1 == 0 { // active
			if flag&2 != 0 {
				out = appendUnsigned(out, int(r.u32()))
			}
			out = w.appendConstant(out, r)
		}
		if flag&3 != 0 {
			kind := r.readByte() // elemkind or type of the elements
			if flag&4 == 0 && kind != 0 || flag&4 != 0 && !isReference(kind) {
				fail("unknown kind of elements %#x", kind)
			}
			out = append(out, kind)
		}
		items := r.readCount(maxItems, "elements")
		total += items
		checkLimit("it has ", total, maxItems, "elements in all segments")
		out = appendUnsigned(out, items)
		for range items {
			if flag&4 != 0 {
				out = w.appendConstant(out, r)
			} else {
				out = appendUnsigned(out, w.functionNumber(r.u32()))
			}
		}
	}
	return out
}
