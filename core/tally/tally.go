// Package tally keeps of a stream of scored runs what its last line is made from, in a
// form that can be written, merged and finished elsewhere. The runs of some files are cut
// into shards; each shard has a Tally, and the Tallies of all of them, in any order, any
// number of times, finish to the Summary of one run over all files (Set).
package tally

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"strings"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/lines"
)

// Schema names the form of a written tally.
const Schema = "boundcheck.tally/1"

// Origin is what the shards of one cut have in common.
type Origin struct {
	Files     []File        `json:"files"` // in the order of the input
	Shards    int           `json:"shards"`
	Profile   string        `json:"profile"`
	Seed      uint64        `json:"seed"` // of the bootstrap
	Reference string        `json:"reference,omitempty"`
	Plugins   []core.Plugin `json:"plugins,omitempty"` // that were loaded
}

// File is one input.
type File struct {
	Path  string `json:"path"`
	Name  string `json:"name"`  // unlike that of any other
	Bytes int64  `json:"bytes"` // -1 when not known beforehand
}

// Summary is the last line of a complete stream.
type Summary struct {
	Corpus   core.Corpus     `json:"corpus"`
	Schema   string          `json:"schema"`
	Profile  string          `json:"profile"`
	Elements int             `json:"elements"`          // lines or list elements read
	Errors   int             `json:"errors"`            // those of them that could not be used
	Plugins  []core.Plugin   `json:"plugins,omitempty"` // that were loaded
	Warnings []PlacedWarning `json:"warnings"`
	Partial  bool            `json:"partial"` // false; it ends the line, so that the end of a file tells
}

// PlacedWarning is a warning with its file.
type PlacedWarning struct {
	core.Warning
	File string `json:"file,omitempty"`
}

// Tally is what is kept of one shard: sums by task, the first warnings and, for a Tally
// that will be written, eight bytes for each id. New makes one.
type Tally struct {
	origin   *Origin
	index    int
	profile  string // of the runs so far; mixed when they differ
	corpus   core.Tally
	files    []share
	warnings warnings
	effects  effects
	keep     bool
}

// share is the share of one file.
type share struct {
	Format   string `json:"format,omitempty"`
	Elements int    `json:"elements"`
	Faults   int    `json:"errors"`
	Runs     int    `json:"runs"`
	Lines    int    `json:"lines"` // line breaks in it
	ids      map[uint64]uint32
}

// New begins the tally of a shard, from 0. Only one that is to be written keeps ids.
func New(origin *Origin, index int, written bool) *Tally {
	return &Tally{origin: origin, index: index, files: make([]share, len(origin.Files)), keep: written}
}

// Element counts an element of a file, from 0, in the order of the file. Its runs follow.
func (t *Tally) Element(file int, fault bool) {
	t.files[file].Elements++
	if fault {
		t.files[file].Faults++
	}
}

// Format notes the format of a file; the first one counts.
func (t *Tally) Format(file int, format string) {
	if f := &t.files[file]; f.Format == "" {
		f.Format = strings.Clone(format)
	}
}

// Lines notes how many line breaks the shard's part of a file has.
func (t *Tally) Lines(file, n int) { t.files[file].Lines = n }

// Runs is how many runs were added.
func (t *Tally) Runs() int { return t.corpus.N() }

// Elements is how many elements were added, and how many of them could not be used.
func (t *Tally) Elements() (n, faults int) {
	for i := range t.files {
		n += t.files[i].Elements
		faults += t.files[i].Faults
	}
	return n, faults
}

// Profile notes the profile of a run; "" is none.
func (t *Tally) Profile(name string) {
	switch {
	case t.profile == "":
		t.profile = strings.Clone(name)
	case name != "" && name != t.profile:
		t.profile = "mixed"
	}
}

// Count counts the figures of a run of a file, with its Effects: for one of which no more
// was kept than that. Add counts a whole one.
func (t *Tally) Count(file int, run *core.Trajectory, effects uint64, counts bool) {
	t.files[file].Runs++
	t.corpus.Add(run, file+1)
	if counts {
		t.effects.add(effect{file, hash(run.Task), effects})
	}
}

// Add counts a run of a file, and returns what its id is made from: for Warn.
func (t *Tally) Add(file int, run *core.Trajectory, own lines.Own) ID {
	f := &t.files[file]
	made, counts := changed(run)
	t.Count(file, run, made, counts)
	t.Profile(run.Profile)
	if own.Numbered() {
		return ID{Position: f.Runs}
	}
	id := ID{Own: own.ID, Number: 1}
	if t.keep {
		if f.ids == nil {
			f.ids = map[uint64]uint32{}
		}
		h := hash(own.ID)
		f.ids[h]++
		id.Number = int(f.ids[h])
	}
	return id
}

// ID is the id of a run in its shard: that of the file follows from the shards before it.
type ID struct {
	Own      string `json:"own,omitempty"`
	Number   int    `json:"number,omitempty"`   // of the runs with that id, from 1
	Position int    `json:"position,omitempty"` // of the run in the file, from 1, where that is its id
}

// Warn notes the warnings of an element. A warning's Trajectory is the id in the rows of
// this shard; ids says what each is made from.
func (t *Tally) Warn(file int, all []core.Warning, ids map[string]ID) {
	for _, w := range all {
		t.warnings.add(warning{Warning: w, File: file, ID: ids[w.Trajectory]})
	}
}

// Summary finishes the tally as that of all there is, with intervals from a bootstrap with
// that seed; 0 is the origin's.
func (t *Tally) Summary(seed uint64) Summary {
	o := t.origin
	seed = cmp.Or(seed, o.Seed, core.DefaultSeed)
	n, faults := t.Elements()
	s := Summary{Corpus: t.corpus.Corpus(seed), Schema: core.Schema, Profile: t.profile, Elements: n, Errors: faults, Plugins: o.Plugins,
		Warnings: append(t.warnings.report(o.Files), t.effects.warning()...)}
	if s.Profile == "" {
		s.Profile = o.Profile
	}
	if len(o.Files) > 1 {
		for i := range o.Files {
			s.Corpus.Groups = append(s.Corpus.Groups, t.corpus.Group(i+1, o.Files[i].Path, t.files[i].Format, seed))
		}
	}
	return s
}

// Qualified is an id of a file among those of all files, as a report of them all has it.
func (o *Origin) Qualified(file int, id string) string {
	if len(o.Files) > 1 {
		return o.Files[file].Name + ":" + id
	}
	return id
}

// hash is 64 bits of a text's SHA-256.
func hash(text string) uint64 {
	sum := sha256.Sum256([]byte(text))
	return binary.LittleEndian.Uint64(sum[:])
}
