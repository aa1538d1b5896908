package engine

import (
	"github.com/boundcheck/boundcheck/core/base/concurrent"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// smallestRange is the smallest number of bytes for which another goroutine saves time.
const smallestRange = 64 << 10

// ReadEach calls read with each value. read must add complete runs to the decoder that it
// gets, and must not use another one. With several cores, ReadEach divides the values into
// ranges, and reads the ranges at the same time. The document is the same in any case.
func (d *Decoder) ReadEach(values []jsonval.Value, read func(*Decoder, jsonval.Value)) {
	ranges := concurrent.Divide(len(values), d.cores, smallestRange, func(i int) int { return len(values[i].Raw()) })
	if len(ranges) < 2 {
		for _, v := range values {
			d.Within(v, func() { read(d, v) })
		}
		return
	}
	parts := make([]Decoder, len(ranges))
	concurrent.Each(len(ranges), func(i int) {
		p := &parts[i]
		p.text, p.formats, p.only, p.golds, p.mark = d.text, d.formats, d.only, d.golds, firstLine
		for _, v := range values[ranges[i][0]:ranges[i][1]] {
			p.Within(v, func() { read(p, v) })
		}
	})
	for i := range parts {
		d.appendPart(&parts[i])
	}
}

// appendPart adds what another decoder has read from the values after those of d.
func (d *Decoder) appendPart(p *Decoder) {
	before := len(d.Trajectories)
	d.Trajectories = append(d.Trajectories, p.Trajectories...)
	d.records = append(d.records, p.records...)
	d.appendWarnings(p, before)
	for _, t := range p.tallies {
		d.AddTally(t.code, t.what, t.n)
	}
	d.out.Add(p.out.Ranges()...)
	d.unread = append(d.unread, p.unread...)
	d.listed += p.listed
	d.repeats = d.repeats || p.repeats
}
