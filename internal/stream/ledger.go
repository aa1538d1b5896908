package stream

import (
	"os"

	"github.com/boundcheck/boundcheck/core/lines"
	"github.com/boundcheck/boundcheck/core/tally"
)

// Summary is the last line of a complete stream.
type Summary = tally.Summary

// ledger is what a stream keeps of the trajectories that are written: their tally, and a
// few bytes for each id. It depends on the written lines alone, so that reading them back
// gives the same ledger: this is how an interrupted run goes on.
type ledger struct {
	*tally.Tally
	origin *tally.Origin
	names  []lines.Names // by file
}

func newLedger(o *setup) *ledger {
	origin := o.origin()
	return &ledger{tally.New(origin, o.Shard.Index, o.Partial != ""), origin, make([]lines.Names, len(o.inputs))}
}

// origin is what all shards of this stream's input have in common.
func (o *setup) origin() *tally.Origin {
	out := &tally.Origin{Shards: max(o.Shard.Of, 1), Profile: o.Profile, Seed: o.Seed, Reference: o.ReferenceHash, Plugins: o.plugins()}
	for _, f := range o.inputs {
		out.Files = append(out.Files, tally.File{Path: f.path, Name: f.name, Bytes: f.bytes})
	}
	if o.As != "" {
		out.Files[0].Path, out.Files[0].Bytes = o.As, -1
	}
	return out
}

// finished reports whether the file for the tally holds that of this very shard.
func (o *setup) finished() bool {
	file, err := os.Open(o.Partial)
	if err != nil {
		return false
	}
	defer file.Close()
	info, err := file.Stat()
	var there tally.Set
	return err == nil && there.Read(o.Partial, file, info.Size()) == nil && there.Has(o.origin(), o.Shard.Index)
}
