package meter

// Types that are added, by their place among them.
const (
	typeNone  = iota // () -> ()
	typeMeter        // (i32) -> ()
	typeGrow         // (i32) -> i32
	typeBulk         // (i32, i32, i32) -> ()
)

const tI32 = 0x7f

var ownTypes = [][]byte{
	{0x60, 0, 0},
	{0x60, 1, tI32, 0},
	{0x60, 1, tI32, 1, tI32},
	{0x60, 3, tI32, tI32, tI32, 0},
}

// withCounter adds the counter, which starts with a whole quantum.
func (w *rewriter) withCounter() []byte {
	var all []byte
	if w.present[globalSection] {
		r := &reader{b: w.sections[globalSection]}
		for range r.u32() {
			all = append(all, r.take(2)...) // value type, mutability
			all = w.constant(all, r)
		}
	}
	counter := append([]byte{tI32, 1, i32Const}, append(signed(nil, Quantum), end)...)
	out := unsigned(nil, w.globals-w.importedGlobals()+1)
	return append(append(out, all...), counter...)
}

func (w *rewriter) importedGlobals() int { return w.globals - w.count(globalSection) }

// constant copies a constant expression.
func (w *rewriter) constant(out []byte, r *reader) []byte {
	for {
		start := r.i
		op := r.byte()
		switch op {
		case refFunc:
			out = unsigned(append(out, op), w.function(r.u32()))
			continue
		case globalGet:
			w.global(r.u32())
		default:
			r.immediate(op)
		}
		out = append(out, r.b[start:r.i]...)
		if op == end {
			return out
		}
	}
}

// global checks a global's number, which stays what it is.
func (w *rewriter) global(i uint32) {
	if int(i) >= w.globals {
		fail("unknown global %d", i)
	}
}

func (w *rewriter) tables(r *reader) []byte {
	n := r.u32()
	out := unsigned(nil, int(n))
	total := uint64(0)
	for range n {
		out = append(out, r.byte()) // reference type
		l := r.limits()
		if total += l.min; total > tableLimit {
			fail("%w: its tables have %d entries, limit %d", ErrLimit, total, tableLimit)
		}
		out = l.capped(tableLimit).append(out)
	}
	if n > 16 {
		fail("%w: it has %d tables, limit 16", ErrLimit, n)
	}
	return out
}

func (w *rewriter) memories(r *reader) []byte {
	n := r.u32()
	out := unsigned(nil, int(n))
	for range n {
		l := r.limits()
		if p := uint64(w.options.Pages); p > 0 {
			if l.min > p {
				fail("%w: its memory has %d pages, limit %d", ErrLimit, l.min, p)
			}
			l = l.capped(p)
		}
		out = l.append(out)
	}
	return out
}

func (w *rewriter) exports(r *reader) []byte {
	n := r.u32()
	out := unsigned(nil, int(n))
	for range n {
		out = sized(out, string(r.sized()))
		kind, index := r.byte(), r.u32()
		at := int(index)
		switch kind {
		case 0:
			at = w.function(index)
		case 3:
			w.global(index)
		}
		out = unsigned(append(out, kind), at)
	}
	return out
}

// elements copies element segments: the bits of its flag say what a segment has.
func (w *rewriter) elements(r *reader) []byte {
	n := r.u32()
	out := unsigned(nil, int(n))
	for range n {
		flag := r.u32()
		if flag > 7 {
			fail("unknown kind of elements %d", flag)
		}
		out = unsigned(out, int(flag))
		if flag&1 == 0 { // active
			if flag&2 != 0 {
				out = unsigned(out, int(r.u32()))
			}
			out = w.constant(out, r)
		}
		if flag&3 != 0 {
			out = append(out, r.byte()) // kind of element
		}
		items := r.u32()
		out = unsigned(out, int(items))
		for range items {
			if flag&4 != 0 {
				out = w.constant(out, r)
			} else {
				out = unsigned(out, w.function(r.u32()))
			}
		}
	}
	return out
}
