// Package pack changes modules that Go has linked so that they are smaller after
// compression.
package pack

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// gap is the largest number of zeros that Pack inserts to join two segments. Go's linker
// begins a new segment after eight zeros. For a table of the runtime that contains mostly
// zeros, the linker writes 87,000 segments, each with a length and an address. Addresses do
// not compress, but zeros do. Any value from 32 to 4096
// results in nearly the same size.
const gap = 1024

// moduleHeader is the beginning of each module.
const moduleHeader = "\x00asm\x01\x00\x00\x00"

const (
	importSection    = 2
	dataSection      = 11
	dataCountSection = 12
)

var errCut = errors.New("the module ends too early")

// Pack joins data segments of a module that are close to each other, and changes nothing
// else. The content of the memory stays the same. Pack needs linear time. It returns an
// error in these cases:
//
//   - The memory is imported.
//   - A segment overwrites another one.
//   - The module refers to segments by index.
func Pack(wasm []byte) ([]byte, error) {
	m, err := readModule(wasm)
	if err != nil {
		return nil, err
	}
	for i := range m {
		s := &m[i]
		switch s.id {
		case importSection:
			err = ownMemory(s.body)
		case dataSection:
			s.body, err = joinSegments(s.body)
		case dataCountSection:
			err = errors.New("the module refers to data segments by index, which is not supported")
		}
		if err != nil {
			return nil, err
		}
	}
	return m.encode(), nil
}

// ownMemory returns an error if the module imports anything that is not a function. For
// example, an imported memory may already contain data.
func ownMemory(section []byte) error {
	r := &reader{rest: section}
	for range r.readNumber() {
		r.takeBytes(r.readNumber())
		r.takeBytes(r.readNumber())
		if kind := r.readByte(); kind != 0 && r.err == nil {
			return errors.New("the module imports something that is not a function")
		}
		r.readNumber()
		if r.err != nil {
			return r.err
		}
	}
	return nil
}

// segment contains bytes that are copied to an address before the module starts.
type segment struct {
	at   int
	data []byte
}

func (s segment) endAddress() int { return s.at + len(s.data) }

// joinSegments returns the data section with close segments joined. It fills the gaps
// between them with zeros.
func joinSegments(section []byte) ([]byte, error) {
	segments, err := readSegments(section)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(segments, func(a, b segment) int { return a.at - b.at })
	var joined []segment
	for i, s := range segments {
		if i > 0 && s.at < segments[i-1].endAddress() {
			return nil, fmt.Errorf("two data segments write to address %d", s.at)
		}
		if last := len(joined) - 1; last >= 0 && s.at-joined[last].endAddress() <= gap {
			to := &joined[last]
			to.data = append(append(to.data, make([]byte, s.at-to.endAddress())...), s.data...)
			continue
		}
		joined = append(joined, segment{s.at, append([]byte(nil), s.data...)})
	}
	return encodeSegments(joined), nil
}

// The instructions of an address.
const (
	i32Const = 0x41
	end      = 0x0b
)

func readSegments(section []byte) ([]segment, error) {
	r := &reader{rest: section}
	var all []segment
	for i := range r.readNumber() {
		if kind, op := r.readByte(), r.readByte(); r.err == nil && (kind != 0 || op != i32Const) {
			return nil, fmt.Errorf("data segment %d has no constant address in the first memory", i)
		}
		s := segment{at: r.readAddress()}
		if e := r.readByte(); r.err == nil && e != end {
			return nil, fmt.Errorf("data segment %d has an address that is not a single constant", i)
		}
		s.data = r.takeBytes(r.readNumber())
		if r.err != nil {
			return nil, r.err
		}
		all = append(all, s)
	}
	return all, r.err
}

// reader reads bytes. Its results are valid only while err is nil.
type reader struct {
	rest []byte
	err  error
}

func (r *reader) takeBytes(n int) []byte {
	if r.err == nil && n > len(r.rest) {
		r.err = errCut
	}
	if r.err != nil {
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) readByte() byte {
	if b := r.takeBytes(1); r.err == nil {
		return b[0]
	}
	return 0
}

// readNumber reads an unsigned 32-bit number in LEB128.
func (r *reader) readNumber() int {
	v, n := binary.Uvarint(r.rest)
	if r.err == nil && (n <= 0 || v >= 1<<32) {
		r.err = errCut
	}
	r.takeBytes(max(n, 0))
	if r.err != nil {
		return 0
	}
	return int(v)
}

// readAddress reads a signed 32-bit number in LEB128. A negative number is an error,
// because Go's data is below 2 GiB.
func (r *reader) readAddress() int {
	from := r.rest
	v := r.readNumber()
	if used := len(from) - len(r.rest); r.err == nil && (uint64(v) >= 1<<31 || from[used-1]&0x40 != 0) {
		r.err = errors.New("a data segment has an address of 2 GiB or more")
	}
	return v
}

// appendAddress appends a number as signed LEB128. The number must not be negative.
func appendAddress(out []byte, n int) []byte {
	for ; n >= 0x40; n >>= 7 {
		out = append(out, byte(n)|0x80)
	}
	return append(out, byte(n))
}
