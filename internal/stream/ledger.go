package stream

import (
	"os"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/study"
	"github.com/boundcheck/boundcheck/core/study/lines"
	"github.com/boundcheck/boundcheck/core/study/tally"
)

// Summary is the last line of a complete stream.
type Summary = tally.Summary

// ledger holds what a stream remembers about the written trajectories: their tally, and a
// few bytes for each id. It depends only on the written lines. To continue an interrupted
// run, the stream reads these lines again and restores the ledger.
type ledger struct {
	*tally.Tally
	origin *tally.Origin
	names  []lines.Names // by file
	study  []study.Sums  // by file; nil if the tally will not be written
	each   func(*report.Trajectory)
	warned int // number of warnings of elements
}

func newLedger(o *setup) *ledger {
	origin := o.newOrigin()
	l := &ledger{Tally: tally.New(origin, o.Shard.Index, o.Partial != ""), origin: origin, names: make([]lines.Names, len(o.inputs)), each: o.EachRun}
	if o.Partial != "" {
		l.study = make([]study.Sums, len(o.inputs))
	}
	return l
}

// addRun counts a run of the file with this index, and returns the parts of the run's id.
func (l *ledger) addRun(file int, run *report.Trajectory, own lines.Own) tally.ID {
	if l.each != nil {
		l.each(run)
	}
	if l.study != nil {
		l.study[file].Add(run)
	}
	return l.Add(file, run, own)
}

// countWarnings counts the warnings of an element.
func (l *ledger) countWarnings(file int, all []report.Warning, ids map[string]tally.ID) {
	l.warned += len(all)
	if l.study != nil {
		l.study[file].Warn(len(all))
	}
	l.Warn(file, all, ids)
}

// encode returns the encoded partial result. It contains the tally and the sums for the
// command study.
func (l *ledger) encode() []byte {
	var extra []byte
	for i := range l.study {
		extra = l.study[i].AppendTo(extra)
	}
	return l.EncodeWith(extra)
}

// newOrigin returns a description of the inputs and settings. It is the same for all
// shards of one input.
func (o *setup) newOrigin() *tally.Origin {
	out := &tally.Origin{Shards: max(o.Shard.Of, 1), Profile: o.Profile, Seed: o.Seed, Reference: o.ReferenceHash, Plugins: o.loadedPlugins()}
	for _, f := range o.inputs {
		out.Files = append(out.Files, tally.File{Path: f.path, Name: f.name, Bytes: f.bytes})
	}
	if o.As != "" {
		out.Files[0].Path, out.Files[0].Bytes = o.As, -1
	}
	return out
}

// isFinished reports whether the file of --partial already contains this shard's tally.
// It returns false if the file or URL cannot be read.
func (o *setup) isFinished() bool {
	var there tally.Set
	if IsURL(o.Partial) {
		in, size, name, err := OpenURL(o.Partial)
		return err == nil && there.Read(name, in, size) == nil && there.Has(o.newOrigin(), o.Shard.Index)
	}
	file, err := os.Open(o.Partial)
	if err != nil {
		return false
	}
	defer file.Close()
	info, err := file.Stat()
	return err == nil && there.Read(o.Partial, file, info.Size()) == nil && there.Has(o.newOrigin(), o.Shard.Index)
}
