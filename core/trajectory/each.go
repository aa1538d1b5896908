package trajectory

import (
	"github.com/boundcheck/boundcheck/core/concurrent"
	"github.com/boundcheck/boundcheck/core/jsonval"
)

// smallestRange is the smallest number of bytes for which another goroutine saves time.
const smallestRange = 64 << 10

// readEach calls read with each value. read must add complete runs to the decoder that it
// gets, and must not use another one. With several cores, readEach divides the values into
// ranges, and reads the ranges at the same time. The document is the same in any case.
func (d *decoder) readEach(values []jsonval.Value, read func(*decoder, jsonval.Value)) {
	ranges := divideValues(values, d.cores)
	if len(ranges) < 2 {
		for _, v := range values {
			read(d, v)
		}
		return
	}
	parts := make([]decoder, len(ranges))
	concurrent.Each(len(ranges), func(i int) {
		p := &parts[i]
		p.text, p.only, p.golds, p.mark.line = d.text, d.only, d.golds, 1
		for _, v := range ranges[i] {
			read(p, v)
		}
	})
	for i := range parts {
		d.appendPart(&parts[i])
	}
}

// divideValues divides values into at most cores ranges with about the same number of
// bytes.
func divideValues(values []jsonval.Value, cores int) [][]jsonval.Value {
	total := int64(0)
	for _, v := range values {
		total += int64(len(v.Raw()))
	}
	n := min(int64(cores), total/smallestRange)
	var ranges [][]jsonval.Value
	first, counted := 0, int64(0)
	for i, v := range values {
		counted += int64(len(v.Raw()))
		next := int64(len(ranges) + 1)
		if last := i+1 == len(values); last || counted*n >= total*next && next < n {
			ranges = append(ranges, values[first:i+1])
			first = i + 1
		}
	}
	return ranges
}

// appendPart adds what another decoder has read from the values after those of d.
func (d *decoder) appendPart(p *decoder) {
	before := len(d.Trajectories)
	d.Trajectories = append(d.Trajectories, p.Trajectories...)
	d.appendWarnings(p, before)
	for _, t := range p.tallies {
		d.addTally(t.code, t.what, t.n)
	}
	d.out = append(d.out, p.out...)
	d.repeats = d.repeats || p.repeats
}
