package meter

// The instructions that this package writes or inspects.
const (
	block         = 0x02
	loop          = 0x03
	ifThen        = 0x04
	end           = 0x0b
	branchIf      = 0x0d
	branches      = 0x0e // br_table
	call          = 0x10
	callIndirect  = 0x11
	localGet      = 0x20
	localTee      = 0x22
	globalGet     = 0x23
	globalSet     = 0x24
	tableGet      = 0x25
	tableSet      = 0x26
	memoryGrow    = 0x40
	i32Const      = 0x41
	i32Equal      = 0x46
	i32Less       = 0x48
	i32Add        = 0x6a
	i32Sub        = 0x6b
	i32And        = 0x71
	i32ShiftLeft  = 0x74
	i32ShiftRight = 0x76
	refFunc       = 0xd2
	bulk          = 0xfc
	vector        = 0xfd

	empty = 0x40 // a block without a result

	memoryInit = 8 // this and the following ones: second byte, after bulk
	dataDrop   = 9
	memoryCopy = 10
	memoryFill = 11
	tableInit  = 12
	tableCopy  = 14
	tableGrow  = 15
	tableSize  = 16
	tableFill  = 17
)

// reader reads bytes and fails at their end.
type reader struct {
	b     []byte
	i     int
	ticks int // of the instructions that skipPlain has skipped last
}

func (r *reader) atEnd() bool  { return r.i >= len(r.b) }
func (r *reader) rest() []byte { return r.b[r.i:] }

func (r *reader) takeBytes(n int) []byte {
	if n < 0 || n > len(r.b)-r.i {
		fail("the module ends too early")
	}
	r.i += n
	return r.b[r.i-n : r.i]
}

func (r *reader) readByte() byte {
	if r.i >= len(r.b) {
		fail("the module ends too early")
	}
	r.i++
	return r.b[r.i-1]
}

func (r *reader) u32() uint32 {
	if r.i < len(r.b) && r.b[r.i] < 0x80 {
		r.i++
		return uint32(r.b[r.i-1])
	}
	var n uint64
	for shift := 0; ; shift += 7 {
		c := r.readByte()
		n |= uint64(c&0x7f) << shift
		if c < 0x80 {
			if n >= 1<<32 {
				break
			}
			return uint32(n)
		}
		if shift == 28 {
			break
		}
	}
	fail("a number is too long")
	return 0
}

// s33 reads the type of a block. The type is an index into the type section, or a
// negative number for one result or no result.
func (r *reader) s33() int64 { return r.readSigned(5) }

// readSigned reads a signed LEB128 number. The number may have at most the given number
// of bytes.
func (r *reader) readSigned(most int) (n int64) {
	for i := range most {
		c := r.readByte()
		n |= int64(c&0x7f) << (7 * i)
		if c < 0x80 {
			if shift := 64 - 7*(i+1); shift > 0 {
				n = n << shift >> shift
			}
			return n
		}
	}
	fail("a number is too long")
	return 0
}

// readSized reads a length and returns as many bytes as this length says.
func (r *reader) readSized() []byte { return r.takeBytes(int(r.u32())) }

// limits are the limits of a memory or a table.
type limits struct {
	flag     byte
	min, max uint64
}

func (r *reader) readLimits() (l limits) {
	if l.flag = r.readByte(); l.flag > 1 { // shared, or of 64 bits
		fail("unsupported kind of memory or table %d", l.flag)
	}
	l.min = uint64(r.u32())
	if l.flag == 1 {
		l.max = uint64(r.u32())
	}
	return l
}

func (l limits) withMax(most uint64) limits {
	if l.flag == 0 || l.max > most {
		l.flag, l.max = 1, most
	}
	return l
}

func (l limits) appendTo(out []byte) []byte {
	out = appendUnsigned(append(out, l.flag), int(l.min))
	if l.flag == 1 {
		out = appendUnsigned(out, int(l.max))
	}
	return out
}

// Kinds of immediates after an instruction. Instructions of other kinds are handled one
// by one.
const (
	other   = iota
	nothing // no immediate
	number  // one LEB128
	address // two LEB128
)

// following maps every one-byte instruction of WebAssembly 2.0 to the kind of its
// immediates.
var following = func() (kinds [256]byte) {
	set := func(kind byte, from, to int) {
		for op := from; op <= to; op++ {
			kinds[op] = kind
		}
	}
	set(nothing, 0x45, 0xc4) // comparisons, arithmetic, conversions
	set(address, 0x28, 0x3e) // loads and stores
	set(number, localGet, 0x22)
	set(number, tableGet, tableGet)
	set(number, i32Const, 0x42)
	for _, op := range []byte{0x00, 0x01, 0x05, 0x0f, 0x1a, 0x1b, 0xd1} {
		kinds[op] = nothing
	}
	for _, op := range []byte{0x0c, 0x0d} { // br, br_if
		kinds[op] = number
	}
	return kinds
}()

// skipImmediates skips the immediates of an instruction of WebAssembly 2.0, after its
// opcode op.
func (r *reader) skipImmediates(op byte) {
	switch following[op] {
	case nothing:
		return
	case number:
		r.skip()
		return
	case address:
		r.skipAddress()
		return
	}
	switch op {
	case end:
	case 0x1c: // select with types
		if r.readValueTypes("types of select"); r.b[r.i-2] != 1 {
			fail("a select instruction must have exactly one type")
		}
	case 0x3f: // memory.size
		r.readZero()
	case 0xd0: // ref.null
		if !isReference(r.readByte()) {
			fail("unknown kind of reference")
		}
	case 0x43:
		r.takeBytes(4)
	case 0x44:
		r.takeBytes(8)
	case vector:
		r.readVector()
	default:
		fail("unknown instruction %#x", op)
	}
}

// skipAddress skips the alignment and the offset of a memory access. It refuses an
// alignment that is too large, because only modules with several memories use such
// numbers.
func (r *reader) skipAddress() {
	if r.readByte() > 0x1f {
		fail("an invalid alignment")
	}
	r.skip()
}

// readZero reads the number of a memory and checks that it is 0, because a module has at
// most one memory.
func (r *reader) readZero() {
	if r.readByte() != 0 {
		fail("more than one memory")
	}
}

// skipPlain skips instructions that need no inspection, and sets r.ticks to their ticks.
// It returns the position of the first instruction that must be inspected.
func (r *reader) skipPlain() int {
	b, i := r.b, r.i
	r.ticks = 0
	for i < len(b) {
		numbers := int(following[b[i]]) - nothing
		if numbers < 0 {
			break
		}
		r.ticks += int(ticks[b[i]])
		if i++; numbers == 2 && i < len(b) && b[i] > 0x1f {
			fail("an invalid alignment")
		}
		for ; numbers > 0; numbers-- {
			for i < len(b) && b[i] >= 0x80 {
				i++
			}
			i++
		}
	}
	if i > len(b) {
		fail("the module ends too early")
	}
	r.i = i
	return i
}

// skip skips one LEB128 number. It does not check the length of the number, because the
// engine does this.
func (r *reader) skip() {
	for r.readByte() >= 0x80 {
	}
}

// readBulk reads the rest of an instruction whose first byte is 0xfc. It returns the
// number after this byte, which says which instruction it is.
func (r *reader) readBulk() uint32 {
	sub := r.u32()
	switch {
	case sub <= 7: // saturating conversions
	case sub == memoryCopy:
		r.readZero()
		r.readZero()
	case sub == memoryFill:
		r.readZero()
	case sub == memoryInit:
		r.u32()
		r.readZero()
	case sub == tableInit, sub == tableCopy:
		r.u32()
		r.u32()
	case sub <= tableFill:
		r.u32()
	default:
		fail("unknown instruction 0xfc %d", sub)
	}
	return sub
}

// readVector reads the rest of an instruction whose first byte is 0xfd. It returns the
// number after this byte, which says which instruction it is.
func (r *reader) readVector() uint32 {
	sub := r.u32()
	switch {
	case sub <= 11, sub == 92, sub == 93: // loads and stores
		r.skipAddress()
	case sub == 12, sub == 13: // v128.const, shuffle
		r.takeBytes(16)
	case sub >= 21 && sub <= 34: // lanes
		r.readByte()
	case sub >= 84 && sub <= 91: // loads and stores of a lane
		r.skipAddress()
		r.readByte()
	case sub > 255:
		fail("unknown instruction 0xfd %d", sub)
	}
	return sub
}

// appendUnsigned appends n to out as an unsigned LEB128 number.
func appendUnsigned(out []byte, n int) []byte {
	for ; n >= 0x80; n >>= 7 {
		out = append(out, byte(n)|0x80)
	}
	return append(out, byte(n))
}

func appendSigned(out []byte, n int64) []byte {
	for {
		b := byte(n & 0x7f)
		n >>= 7
		if n == 0 && b&0x40 == 0 || n == -1 && b&0x40 != 0 {
			return append(out, b)
		}
		out = append(out, b|0x80)
	}
}

func appendSized(out []byte, s string) []byte { return append(appendUnsigned(out, len(s)), s...) }
