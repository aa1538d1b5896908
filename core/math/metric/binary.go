package metric

import (
	"encoding/binary"
	"math"

	"github.com/boundcheck/boundcheck/core/base/packed"
)

// AppendTo appends the tally to b in the binary format that Read reads, and returns the
// extended slice. The format contains equal sums of tasks only once.
//
// A named task needs about 17 bytes if few tasks differ in their sums, and at most 130
// bytes. Consecutive unnamed tasks with equal sums need only two numbers together.
func (t *Tally) AppendTo(b []byte) []byte {
	rows := map[trials]int{}
	var list []byte
	place := make([]int, t.tasks.entries.len())
	for i := range place {
		e := t.tasks.entries.trialsAt(uint32(i))
		at, ok := rows[*e]
		if !ok {
			at = len(rows)
			rows[*e] = at
			list = e.appendTo(list)
		}
		place[i] = at
	}
	b = append(packed.AppendUint(b, len(rows)), list...)
	names := make([]*key, len(place))
	for name, entry := range t.tasks.named {
		names[entry] = &name
	}
	b = packed.AppendUint(b, len(t.tasks.order))
	for i := 0; i < len(t.tasks.order); {
		entry := t.tasks.order[i]
		if name := names[entry]; name != nil {
			b = append(packed.AppendUint(b, place[entry]<<1|1), name[:]...)
			i++
			continue
		}
		n := 1
		for i+n < len(t.tasks.order) && t.tasks.order[i+n] == entry {
			n++
		}
		b = packed.AppendUint(b, place[entry]<<1, n)
		i += n
	}
	return b
}

// Read merges a tally that AppendTo wrote, in the same way as Merge. If r.Err is set
// afterwards, the tally must not be used. Read takes O(bytes) time, and memory of a few
// times the number of bytes.
func (t *Tally) Read(r *packed.Reader) {
	rows := make([]trials, r.Len())
	for i := range rows {
		rows[i].read(r)
	}
	left := r.Int()
	if left > math.MaxInt32 {
		r.Err = packed.ErrDamaged
	}
	for left > 0 && r.Err == nil {
		at := r.Int()
		if at>>1 >= len(rows) {
			r.Err = packed.ErrDamaged
			return
		}
		row := &rows[at>>1]
		if at&1 == 1 {
			if name := r.Bytes(len(key{})); name != nil {
				t.tasks.addNamed(key(name), row)
			}
			left--
			continue
		}
		n := r.Int()
		if n == 0 || n > left {
			r.Err = packed.ErrDamaged
			return
		}
		t.tasks.addAlone(row, n)
		left -= n
	}
}

func (t *trials) appendTo(b []byte) []byte {
	b = packed.AppendUint(b, t.scored, t.known, t.won, t.both, t.bothWon, t.aware, t.awareMost)
	if t.scored == 0 {
		return b
	}
	mask := byte(0)
	for i, s := range t.bounds {
		if s != (sum{}) {
			mask |= 1 << i
		}
	}
	b = append(b, mask)
	for _, s := range t.bounds {
		if s != (sum{}) {
			b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, s.hi), s.lo)
		}
	}
	return b
}

func (t *trials) read(r *packed.Reader) {
	for _, n := range []*uint32{&t.scored, &t.known, &t.won, &t.both, &t.bothWon, &t.aware, &t.awareMost} {
		*n = uint32(r.Int())
	}
	if t.won > t.known || t.both > min(t.scored, t.known) || t.bothWon > min(t.both, t.won) || max(t.aware, t.awareMost) > t.bothWon {
		r.Err = packed.ErrDamaged
	}
	if t.scored == 0 {
		return
	}
	mask := r.Bytes(1)
	for i := range t.bounds {
		if len(mask) == 1 && mask[0]&(1<<i) != 0 {
			t.bounds[i] = sum{r.Uint64(), r.Uint64()}
		}
	}
}
