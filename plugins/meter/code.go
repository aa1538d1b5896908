package meter

import (
	"fmt"
	"math"
)

// rewriteCode returns the new code section. The section has the rewritten body of every
// function, and then the bodies of the added functions.
func (w *rewriter) rewriteCode() []byte {
	r, n := w.openSection(codeSection)
	if n != w.functions-w.imports {
		fail("%d functions are declared and %d are defined", w.functions-w.imports, n)
	}
	out := appendUnsigned(make([]byte, 0, len(r.b)+len(r.b)/4), n+4)
	var scratch body
	for i := range n {
		scratch.number = w.imports + i
		out = w.rewriteBody(out, &reader{b: r.readSized()}, &scratch)
	}
	r.checkEnd(n, "function bodies")
	for _, own := range w.helperBodies() {
		out = appendSized(out, string(own))
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

func (w *rewriter) rewriteBody(out []byte, r *reader, s *body) []byte {
	where := fmt.Sprintf("function %d has ", s.number)
	checkLimit(where, len(r.b), maxBody, "bytes")
	s.heft = heft{}
	for range r.readCount(maxLocals, "groups of locals") {
		n := r.u32()
		s.locals = int(min(uint64(s.locals)+uint64(n), math.MaxInt32))
		if !isValue(r.readByte()) {
			fail("unknown type of local")
		}
	}
	checkLimit(where, s.locals, maxLocals, "locals")
	locals := r.b[:r.i]
	s.code, s.calls, s.begins = s.code[:0], false, false
	w.rewriteInstructions(r, s)
	var entry []byte
	if s.calls && !s.begins {
		entry = w.appendTick(nil)
	}
	out = appendUnsigned(out, len(locals)+len(entry)+len(s.code))
	return append(append(append(out, locals...), entry...), s.code...)
}

// rewriteInstructions rewrites the instructions of one function and stores the new code
// in s.code.
func (w *rewriter) rewriteInstructions(r *reader, s *body) {
	from := r.i
	i := r.i
	for i+1 < len(r.b) && r.b[i] == block && (r.b[i+1] == empty || isValue(r.b[i+1])) {
		i += 2
	}
	s.begins = i < len(r.b) && r.b[i] == loop
	for {
		at := r.skipPlain()
		if at == len(r.b) {
			break
		}
		op := r.readByte()
		switch op {
		case end:
			s.depth--
		case block, loop, ifThen:
			w.blockKind(r.s33())
			s.enterBlock(op, s.number)
			if op == loop {
				s.code = w.appendTick(append(s.code, r.b[from:r.i]...))
				from = r.i
			}
		case call, refFunc:
			s.code = append(append(s.code, r.b[from:at]...), op)
			s.code = appendUnsigned(s.code, w.functionNumber(r.u32()))
			s.calls, from = s.calls || op == call, r.i
		case callIndirect:
			w.blockType(int64(r.u32()))
			r.u32()
			s.calls = true
		case globalGet, globalSet:
			w.checkGlobal(r.u32())
		case memoryGrow, bulk:
			if with := w.meterInstruction(op, r); with != nil {
				s.code = append(append(s.code, r.b[from:at]...), with...)
				if from = r.i; with[0] != call { // charged, then copied unchanged
					from = at
				}
			}
		case branches:
			n := r.readCount(maxTargets, "targets of a br_table")
			s.targets += n
			checkLimit(fmt.Sprintf("function %d has ", s.number), s.targets, maxTargets, "targets of br_table")
			for range n + 1 {
				r.skip()
			}
		case tableSet:
			r.u32()
			w.fixed = true
		default:
			r.skipImmediates(op)
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

// meterInstruction reads the rest of the instruction op and returns the code that meters
// this instruction. The code is a call that replaces the instruction, or a charge before
// the instruction. The result is nil if the instruction needs no metering.
func (w *rewriter) meterInstruction(op byte, r *reader) []byte {
	if op == memoryGrow {
		r.readZero()
		w.grows = true
		return appendUnsigned([]byte{call}, w.growing)
	}
	sub := r.readBulk()
	w.fixed = w.fixed || sub == dataDrop || sub >= tableInit && sub <= tableFill && sub != tableSize
	switch sub {
	case memoryCopy:
		return appendUnsigned([]byte{call}, w.copying)
	case memoryFill:
		return appendUnsigned([]byte{call}, w.filling)
	case memoryInit, tableInit, tableCopy, tableGrow, tableFill:
		return w.appendCharge(nil, appendSigned([]byte{i32Const}, Quantum/16))
	}
	return nil
}

// appendTick appends code that charges one tick, which is the cost of one round of a
// loop.
func (w *rewriter) appendTick(out []byte) []byte { return w.appendCharge(out, []byte{i32Const, 1}) }

// appendCharge appends code that subtracts a number of ticks from the counter. amount is
// the code that computes this number. If the counter becomes negative, the appended code
// calls the host.
func (w *rewriter) appendCharge(out, amount []byte) []byte {
	out = appendUnsigned(append(out, globalGet), w.counter)
	out = append(append(out, amount...), i32Sub, globalSet)
	out = appendUnsigned(append(appendUnsigned(out, w.counter), globalGet), w.counter)
	out = append(out, i32Const, 0, i32Less, ifThen, empty, call)
	return append(appendUnsigned(out, w.outOfWork), end)
}

// helperBodies returns the bodies of the added functions, in the order of their numbers.
func (w *rewriter) helperBodies() [4][]byte {
	ask := func(reason byte) []byte { return appendUnsigned([]byte{i32Const, reason, call}, w.imports) }
	many := func(op byte, last ...byte) []byte { // one tick for 16 bytes, then the instruction
		out := w.appendCharge([]byte{0}, []byte{localGet, 2, i32Const, 4, i32ShiftRight, i32Const, 1, i32Add})
		out = append(out, localGet, 0, localGet, 1, localGet, 2, bulk, op)
		return append(append(out, last...), end)
	}
	worked := append(append([]byte{0}, ask(Worked)...), appendSigned([]byte{i32Const}, Quantum)...)
	worked = append(appendUnsigned(append(worked, globalSet), w.counter), end)
	grow := w.appendCharge([]byte{0}, appendSigned([]byte{i32Const}, Quantum/1024))
	grow = append(grow, localGet, 0, memoryGrow, 0, localTee, 0, i32Const, 0x7f, i32Equal, ifThen, empty)
	grow = append(append(grow, ask(Refused)...), end, localGet, 0, end)
	return [4][]byte{worked, grow, many(memoryFill, 0), many(memoryCopy, 0, 0)}
}

// EachCall calls f for each function that the given body calls or refers to. The
// arguments of f are the index of this function, and the offsets in body where the index
// begins and ends. EachCall returns an error if it cannot read an instruction. The time
// is linear.
func EachCall(body []byte, f func(function, from, to int)) (err error) {
	defer recoverMalformed(&err)
	r := &reader{b: body}
	for range r.u32() {
		r.u32()
		r.readByte()
	}
	for {
		r.skipPlain()
		if r.atEnd() {
			return nil
		}
		switch op := r.readByte(); op {
		case call, refFunc:
			from := r.i
			to := int(r.u32())
			f(to, from, r.i)
		case block, loop, ifThen:
			r.s33()
		case callIndirect:
			r.u32()
			r.u32()
		case globalGet, globalSet, tableSet, memoryGrow:
			r.u32()
		case branches:
			for range uint64(r.u32()) + 1 {
				r.skip()
			}
		case bulk:
			r.readBulk()
		default:
			r.skipImmediates(op)
		}
	}
}
