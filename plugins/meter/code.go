package meter

import (
	"fmt"
	"math"
)

// code returns the new code section: every function body, rewritten, and then the
// bodies of the added functions, which the rewritten code calls.
func (w *rewriter) code() []byte {
	r, n := w.open(codeSection)
	if n != w.functions-w.imports {
		fail("%d functions are declared and %d are defined", w.functions-w.imports, n)
	}
	out := unsigned(make([]byte, 0, len(r.b)+len(r.b)/4), n+4)
	var scratch body
	for i := range n {
		scratch.number = w.imports + i
		out = w.body(out, &reader{b: r.sized()}, &scratch)
	}
	r.end(n, "function bodies")
	for _, own := range w.helpers() {
		out = sized(out, string(own))
	}
	return out
}

// body is the state of rewriting one function.
type body struct {
	number int // number of the function
	heft
	code   []byte
	calls  bool // it calls functions, which may call it again
	begins bool // its first instruction, apart from blocks, is a loop
}

func (w *rewriter) body(out []byte, r *reader, s *body) []byte {
	where := fmt.Sprintf("function %d has ", s.number)
	beyond(where, len(r.b), maxBody, "bytes")
	s.heft = heft{}
	for range r.count(maxLocals, "groups of locals") {
		n := r.u32()
		s.locals = int(min(uint64(s.locals)+uint64(n), math.MaxInt32))
		if !isValue(r.byte()) {
			fail("unknown type of local")
		}
	}
	beyond(where, s.locals, maxLocals, "locals")
	locals := r.b[:r.i]
	s.code, s.calls, s.begins = s.code[:0], false, false
	w.instructions(r, s)
	var entry []byte
	if s.calls && !s.begins {
		entry = w.tick(nil)
	}
	out = unsigned(out, len(locals)+len(entry)+len(s.code))
	return append(append(append(out, locals...), entry...), s.code...)
}

// instructions rewrites the instructions of one function. It copies whole pieces of
// code, each of which ends where an instruction must be replaced or code must be added.
func (w *rewriter) instructions(r *reader, s *body) {
	from := r.i
	i := r.i
	for i+1 < len(r.b) && r.b[i] == block && (r.b[i+1] == empty || isValue(r.b[i+1])) {
		i += 2
	}
	s.begins = i < len(r.b) && r.b[i] == loop
	for {
		at := r.plain()
		if at == len(r.b) {
			break
		}
		op := r.byte()
		switch op {
		case end:
			s.depth--
		case block, loop, ifThen:
			w.blockKind(r.s33())
			s.enter(op, s.number)
			if op == loop {
				s.code = w.tick(append(s.code, r.b[from:r.i]...))
				from = r.i
			}
		case call, refFunc:
			s.code = append(append(s.code, r.b[from:at]...), op)
			s.code = unsigned(s.code, w.function(r.u32()))
			s.calls, from = s.calls || op == call, r.i
		case callIndirect:
			w.blockType(int64(r.u32()))
			r.u32()
			s.calls = true
		case globalGet, globalSet:
			w.global(r.u32())
		case memoryGrow, bulk:
			if with := w.counted(op, r); with != nil {
				s.code = append(append(s.code, r.b[from:at]...), with...)
				if from = r.i; with[0] != call { // charged, then copied unchanged
					from = at
				}
			}
		case branches:
			n := r.count(maxTargets, "targets of a br_table")
			s.targets += n
			beyond(fmt.Sprintf("function %d has ", s.number), s.targets, maxTargets, "targets of br_table")
			for range n + 1 {
				r.skip()
			}
		case tableSet:
			r.u32()
			w.fixed = true
		default:
			r.immediate(op)
		}
	}
	s.code = append(s.code, r.b[from:]...)
}

// blockKind checks the type of a block. A type is an index into the type section, or a
// negative number that means one result of a certain type or no result.
func (w *rewriter) blockKind(i int64) {
	if i >= 0 {
		w.blockType(i)
	} else if t := byte(i & 0x7f); i < -64 || t != empty && !isValue(t) {
		fail("unknown type of block %#x", t)
	}
}

func (w *rewriter) blockType(i int64) {
	if i >= int64(w.types) {
		fail("unknown type %d", i)
	}
}

// counted reads the rest of the instruction op. If the instruction may process many
// bytes, counted returns the code that replaces it or stands before it. Otherwise it
// returns nil.
func (w *rewriter) counted(op byte, r *reader) []byte {
	if op == memoryGrow {
		r.zero()
		w.grows = true
		return unsigned([]byte{call}, w.growing)
	}
	sub := r.bulk()
	w.fixed = w.fixed || sub == dataDrop || sub >= tableInit && sub <= tableFill && sub != tableSize
	switch sub {
	case memoryCopy:
		return unsigned([]byte{call}, w.copying)
	case memoryFill:
		return unsigned([]byte{call}, w.filling)
	case memoryInit, tableInit, tableCopy, tableGrow, tableFill:
		return w.charge(nil, signed([]byte{i32Const}, Quantum/16))
	}
	return nil
}

// tick appends code that charges one tick, which is the cost of one round of a loop.
func (w *rewriter) tick(out []byte) []byte { return w.charge(out, []byte{i32Const, 1}) }

// charge appends code that subtracts a number of ticks from the counter, and calls the
// host if the quantum is used up. amount is code that computes this number.
func (w *rewriter) charge(out, amount []byte) []byte {
	out = unsigned(append(out, globalGet), w.counter)
	out = append(append(out, amount...), i32Sub, globalSet)
	out = unsigned(append(unsigned(out, w.counter), globalGet), w.counter)
	out = append(out, i32Const, 0, i32Less, ifThen, empty, call)
	return append(unsigned(out, w.outOfWork), end)
}

// helpers returns the bodies of the added functions, in the order of their numbers.
func (w *rewriter) helpers() [4][]byte {
	ask := func(reason byte) []byte { return unsigned([]byte{i32Const, reason, call}, w.imports) }
	many := func(op byte, last ...byte) []byte { // one tick for 16 bytes, then the instruction
		out := w.charge([]byte{0}, []byte{localGet, 2, i32Const, 4, i32ShiftRight, i32Const, 1, i32Add})
		out = append(out, localGet, 0, localGet, 1, localGet, 2, bulk, op)
		return append(append(out, last...), end)
	}
	worked := append(append([]byte{0}, ask(Worked)...), signed([]byte{i32Const}, Quantum)...)
	worked = append(unsigned(append(worked, globalSet), w.counter), end)
	grow := w.charge([]byte{0}, signed([]byte{i32Const}, Quantum/1024))
	grow = append(grow, localGet, 0, memoryGrow, 0, localTee, 0, i32Const, 0x7f, i32Equal, ifThen, empty)
	grow = append(append(grow, ask(Refused)...), end, localGet, 0, end)
	return [4][]byte{worked, grow, many(memoryFill, 0), many(memoryCopy, 0, 0)}
}
