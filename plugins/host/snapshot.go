package host

import (
	"context"
	"strconv"

	"github.com/boundcheck/boundcheck/plugins/meter"
)

// snapshot is the state of an instance after its start. Each call begins in this state,
// so that no call can see another. A loaded environment is part of it.
type snapshot struct {
	image   image
	size    int      // length of the memory in bytes
	globals []uint64 // in the order of instance.globals
	clock   clock
	random  lcg
	env     *Environment
}

// takeSnapshot returns a snapshot of the instance. It returns nil if the state cannot be
// restored, or if the snapshot would be larger than a fifth of the memory limit.
func (in *instance) takeSnapshot() *snapshot {
	if len(in.globals) == 0 {
		return nil
	}
	image, ok := imageOf(in.memory.bytes, int(in.memory.limit/5))
	if !ok {
		return nil
	}
	s := &snapshot{image: image, size: len(in.memory.bytes), clock: *in.clock, random: *in.random, env: in.env}
	for _, g := range in.globals {
		s.globals = append(s.globals, g.Get())
	}
	return s
}

// restoreSnapshot sets the instance back to the snapshot s. It returns false if the
// instance cannot be set back.
func (in *instance) restoreSnapshot(s *snapshot) bool {
	if s == nil || len(in.memory.bytes) < s.size {
		return false
	}
	if len(in.memory.bytes) > s.size && !in.memory.shrinkTo(s.size, in.module.Memory()) {
		return false
	}
	s.image.restoreBytes(in.memory.bytes)
	for i, g := range in.globals {
		g.Set(s.globals[i])
	}
	*in.clock, *in.random, in.env = s.clock, s.random, s.env
	in.stderr.buf.Reset()
	in.memory.refused = false
	return true
}

// instanceFromSnapshot makes an instance from a snapshot, without running any of its
// initialisers.
func (p *Plugin) instanceFromSnapshot(ctx context.Context, s *snapshot) (*instance, error) {
	in, err := p.newInstance(ctx)
	if err != nil {
		return nil, err
	}
	if n := (s.size - len(in.memory.bytes)) / pageBytes; n > 0 {
		in.module.Memory().Grow(uint32(n))
	}
	if !in.restoreSnapshot(s) {
		in.close(ctx)
		return nil, newError(p.name, OutOfMemory, "there is no memory for another instance")
	}
	return in, nil
}

// globalName returns the name under which the metered module exports its i-th mutable
// global.
func globalName(i int) string { return meter.Reserved + strconv.Itoa(i) }
