// Package packed writes numbers and strings in a compact binary form and reads them from
// files in which any byte may be wrong.
package packed

import (
	"encoding/binary"
	"errors"
	"math"
)

// ErrDamaged is the error for bytes that this package cannot have written.
var ErrDamaged = errors.New("the data is damaged or cut short")

// AppendUint appends numbers from 0 to 2⁶³ − 1. Each takes as few bytes as possible.
func AppendUint[N ~int | ~uint32](b []byte, all ...N) []byte {
	for _, n := range all {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return b
}

// AppendString appends the length of a string and its bytes.
func AppendString(b []byte, s string) []byte { return append(AppendUint(b, len(s)), s...) }

// Reader reads values that were written by the Append functions. After the first error
// Err is ErrDamaged, and all further values are zero.
type Reader struct {
	Rest []byte
	Err  error
}

func (r *Reader) fail() {
	r.Rest, r.Err = nil, ErrDamaged
}

// Int reads a number that AppendUint wrote. If the number does not fit into an int, Int
// sets r.Err and returns 0.
func (r *Reader) Int() int {
	v, n := binary.Uvarint(r.Rest)
	if n <= 0 || v > math.MaxInt {
		r.fail()
		return 0
	}
	r.Rest = r.Rest[n:]
	return int(v)
}

// Len reads the number of items that follow. Each item has at least one byte. If the
// number is larger than the number of remaining bytes, Len sets r.Err and returns 0.
func (r *Reader) Len() int {
	n := r.Int()
	if n > len(r.Rest) {
		r.fail()
		return 0
	}
	return n
}

// Bytes returns the next n bytes without a copy. If fewer than n bytes remain, Bytes sets
// r.Err and returns nil.
func (r *Reader) Bytes(n int) []byte {
	if n > len(r.Rest) {
		r.fail()
		return nil
	}
	out := r.Rest[:n:n]
	r.Rest = r.Rest[n:]
	return out
}

// Uint64 reads eight bytes in little-endian order.
func (r *Reader) Uint64() uint64 {
	if b := r.Bytes(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// String reads a string that was written by AppendString.
func (r *Reader) String() string { return string(r.Bytes(r.Len())) }
