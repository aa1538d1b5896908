package meter

import (
	"fmt"
	"math"
	"slices"
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
	r.checkEnd("function bodies")
	for _, own := range w.helperBodies() {
		out = appendSized(out, string(own))
	}
	return out
}

// body is the state of rewriting one function.
type body struct {
	number int // number of the function
	heft
	tariff
	code, paid []byte // without and with the charges
	begins     bool   // its first instruction, apart from blocks, is a loop
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
	s.code = s.code[:0]
	s.begin(s.locals, len(w.signatures[w.typeOf[s.number]].results))
	w.rewriteInstructions(r, s)
	s.settle(s.begins)
	w.payCharges(s)
	out = appendUnsigned(out, len(locals)+len(s.paid))
	return append(append(out, locals...), s.paid...)
}

// payCharges copies s.code to s.paid and adds the code that pays the charges.
func (w *rewriter) payCharges(s *body) {
	s.paid = s.paid[:0]
	from := 0
	for _, c := range s.charges {
		if c.ticks > 0 {
			s.paid = append(s.paid, s.code[from:c.at]...)
			s.paid, from = w.appendCharge(s.paid, appendSigned([]byte{i32Const}, int64(c.ticks))), c.at
		}
	}
	s.paid = append(s.paid, s.code[from:]...)
}

// rewriteInstructions rewrites the instructions of one function. It stores the new code in
// s.code and its cost in s.charges.
func (w *rewriter) rewriteInstructions(r *reader, s *body) {
	s.begins = beginsWithLoop(r.rest())
	from := r.i
	for {
		at := r.skipPlain()
		s.spendPlain(r.ticks)
		if at == len(r.b) {
			break
		}
		op := r.readByte()
		s.spend(int(ticks[op]))
		switch op {
		case end:
			s.depth--
			s.leave()
		case block, loop, ifThen:
			of := w.blockSignature(r.s33())
			s.enterBlock(op, s.number)
			if op == loop {
				s.code = append(s.code, r.b[from:r.i]...)
				from = r.i
			}
			s.enter(op == loop, of, len(s.code))
		case call, refFunc:
			s.code = append(append(s.code, r.b[from:at]...), op)
			to := r.u32()
			s.code = appendUnsigned(s.code, w.functionNumber(to))
			s.spend(w.valuesOf(w.typeOf[to]))
			from = r.i
		case callIndirect:
			t := r.u32()
			w.blockType(int64(t))
			r.u32()
			s.spend(w.valuesOf(t))
		case globalGet, globalSet:
			w.checkGlobal(r.u32())
		case memoryGrow, bulk:
			if with := w.meterInstruction(op, r); with != nil {
				s.code = append(append(s.code, r.b[from:at]...), with...)
				if from = at; op == memoryGrow { // replaced, others are charged and then copied
					from = r.i
				}
			}
		case branches:
			n := r.readCount(maxTargets, "targets of a br_table")
			s.targets += n
			checkLimit(fmt.Sprintf("function %d has ", s.number), s.targets, maxTargets, "targets of br_table")
			for range n + 1 {
				r.skip()
			}
			s.spendPlain(1)
		case tableSet:
			r.u32()
			w.fixed = true
		default:
			r.skipImmediates(op)
		}
	}
	s.code = append(s.code, r.b[from:]...)
}

// beginsWithLoop reports whether the first instruction is a loop, apart from blocks.
func beginsWithLoop(code []byte) bool {
	for len(code) > 1 && code[0] == block && (code[1] == empty || isValue(code[1])) {
		code = code[2:]
	}
	return len(code) > 0 && code[0] == loop
}

// valuesOf returns the number of values that a call of a function of type t passes.
func (w *rewriter) valuesOf(t uint32) int {
	return len(w.signatures[t].params) + len(w.signatures[t].results)
}

// blockSignature checks the type of a block and returns it. A type is an index into the
// type section, or a negative number that means one result of a certain type or no result.
// In these last cases the signature is empty.
func (w *rewriter) blockSignature(i int64) (s signature) {
	if i >= 0 {
		w.blockType(i)
		return w.signatures[i]
	}
	if t := byte(i & 0x7f); i < -64 || t != empty && !isValue(t) {
		fail("unknown type of block %#x", t)
	}
	return s
}

func (w *rewriter) blockType(i int64) {
	if i >= int64(w.types) {
		fail("unknown type %d", i)
	}
}

// meterInstruction reads the rest of the instruction op and returns code that meters what
// an operand adds to its work. The code is a call that replaces memory.grow, or a call
// before another instruction. This call pays for the topmost operand, which is a length.
// The result is nil if the work does not depend on an operand.
func (w *rewriter) meterInstruction(op byte, r *reader) []byte {
	if op == memoryGrow {
		r.readZero()
		w.grows = true
		return appendUnsigned([]byte{call}, w.growing)
	}
	sub := r.readBulk()
	w.fixed = w.fixed || sub == dataDrop || sub >= tableInit && sub <= tableFill && sub != tableSize
	switch sub {
	case memoryInit, memoryCopy, memoryFill:
		return appendUnsigned([]byte{call}, w.payBytes)
	case tableInit, tableCopy, tableGrow, tableFill:
		return appendUnsigned([]byte{call}, w.payEntries)
	}
	return nil
}

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
	constant := func(n int64) []byte { return appendSigned([]byte{i32Const}, n) }
	worked := append([]byte{0, loop, empty}, ask(Worked)...) // once for each quantum that is owed
	worked = append(appendUnsigned(append(worked, globalGet), w.counter), constant(Quantum)...)
	worked = appendUnsigned(append(worked, i32Add, globalSet), w.counter)
	worked = append(appendUnsigned(append(worked, globalGet), w.counter), i32Const, 0, i32Less, branchIf, 0, end, end)
	grow := w.appendCharge([]byte{0}, constant(growTicks))
	grow = append(grow, localGet, 0, memoryGrow, 0, localTee, 0, i32Const, 0x7f, i32Equal, ifThen, empty)
	grow = append(append(grow, ask(Refused)...), end, localGet, 0, end)
	pay := func(ticks ...[]byte) []byte {
		return append(w.appendCharge([]byte{0}, slices.Concat(ticks...)), localGet, 0, end)
	}
	bytes := pay([]byte{localGet, 0, i32Const, 3, i32ShiftRight}) // a tick for 8 bytes
	// More entries than a table may have are refused at once, so the higher bits cost nothing.
	entries := pay([]byte{localGet, 0}, constant(2*tableLimit-1), []byte{i32And, i32Const, 5, i32ShiftLeft}, constant(growTicks), []byte{i32Add})
	return [4][]byte{worked, grow, bytes, entries}
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
