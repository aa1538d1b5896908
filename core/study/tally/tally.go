// Package tally reduces a stream of scored runs to the data for the last line of the
// stream. This data can be written, merged and finished on another machine. The runs of
// some files are divided into shards, and each shard has a Tally. A Set combines the
// Tallies of all shards, in any order and with repetitions, to the Summary of one run
// over all files.
package tally

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"strings"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/study/lines"
)

// Schema is the version of the written form of a tally. schemaExtra is the version with
// the extra data of EncodeWith. A program that knows only Schema would treat the extra
// data as damage. The versions 1 and 2 are the same for figures by version 1 of their
// definitions.
const (
	Schema      = "boundcheck.tally/3"
	schemaExtra = "boundcheck.tally/4"

	oldSchema      = "boundcheck.tally/1"
	oldSchemaExtra = "boundcheck.tally/2"
)

// Beginning is the text with which every written tally begins.
const Beginning = `{"tally":"boundcheck.`

// Origin holds the data that the shards of one cut share.
type Origin struct {
	Files     []File          `json:"files"` // in the order of the input
	Shards    int             `json:"shards"`
	Profile   string          `json:"profile"`
	Seed      uint64          `json:"seed"` // of the bootstrap
	Reference string          `json:"reference,omitempty"`
	Plugins   []report.Plugin `json:"plugins,omitempty"` // the plugins that were loaded
}

// File is one input.
type File struct {
	Path  string `json:"path"`
	Name  string `json:"name"`  // unique among the files
	Bytes int64  `json:"bytes"` // -1 if not known beforehand
}

// Summary is the last line of a complete stream.
type Summary struct {
	Corpus      report.Corpus   `json:"corpus"`
	Schema      string          `json:"schema"`
	Definitions int             `json:"definitions"` // version of the definitions of the figures
	Profile     string          `json:"profile"`
	Elements    int             `json:"elements"`          // lines or list elements read
	Errors      int             `json:"errors"`            // the elements that could not be used
	Plugins     []report.Plugin `json:"plugins,omitempty"` // the plugins that were loaded
	Warnings    []PlacedWarning `json:"warnings"`
	Partial     bool            `json:"partial"` // always false; it stands last, so that a reader of the file's end finds it
}

// PlacedWarning is a warning with the name of its file.
type PlacedWarning struct {
	report.Warning
	File string `json:"file,omitempty"`
}

// Tally holds the data of one shard: sums by task, the first warnings and, if the Tally
// will be written, eight bytes for each id. New returns an empty Tally.
type Tally struct {
	origin   *Origin
	index    int
	profile  string // of the runs so far; "mixed" if they differ
	corpus   report.Tally
	files    []share
	warnings warnings
	effects  effects
	keep     bool
}

// share holds the counts of one file within the shard.
type share struct {
	Format   string `json:"format,omitempty"`
	Elements int    `json:"elements"`
	Faults   int    `json:"errors"`
	Runs     int    `json:"runs"`
	Lines    int    `json:"lines"` // line breaks in the file's part of the shard
	ids      map[uint64]uint32
}

// New returns an empty tally of the shard with the given index, from 0. The parameter
// written says that the tally will be written. Only such a tally stores ids.
func New(origin *Origin, index int, written bool) *Tally {
	return &Tally{origin: origin, index: index, files: make([]share, len(origin.Files)), keep: written}
}

// Element counts one element of the file with the given index. Call it in the order of
// the elements, and before adding the runs of the element. fault reports that the element
// could not be used.
func (t *Tally) Element(file int, fault bool) {
	t.files[file].Elements++
	if fault {
		t.files[file].Faults++
	}
}

// Format records the format of a file. Only the first call for each file has an effect.
func (t *Tally) Format(file int, format string) {
	if f := &t.files[file]; f.Format == "" {
		f.Format = strings.Clone(format)
	}
}

// Lines records the number of line breaks in the shard's part of a file.
func (t *Tally) Lines(file, n int) { t.files[file].Lines = n }

// Runs returns the number of runs added.
func (t *Tally) Runs() int { return t.corpus.N() }

// Elements returns the number of elements added, and the number of those that could not
// be used.
func (t *Tally) Elements() (n, faults int) {
	for i := range t.files {
		n += t.files[i].Elements
		faults += t.files[i].Faults
	}
	return n, faults
}

// Profile records the profile of a run. It ignores an empty name.
func (t *Tally) Profile(name string) {
	switch {
	case t.profile == "":
		t.profile = strings.Clone(name)
	case name != "" && name != t.profile:
		t.profile = "mixed"
	}
}

// Count counts the figures of one run. Use it if only the figures are available, and use
// Add for a complete run. The parameter effects is the hash of the run's changes. It is
// ignored if the parameter counts is false.
func (t *Tally) Count(file int, run *report.Trajectory, effects uint64, counts bool) {
	t.files[file].Runs++
	t.corpus.Add(run, file+1)
	if counts {
		t.effects.addEffect(effect{file, hashText(run.Task), effects})
	}
}

// Add counts a complete run of a file. It returns the parts of the run's id, for Warn.
func (t *Tally) Add(file int, run *report.Trajectory, own lines.Own) ID {
	f := &t.files[file]
	made, counts := effectsHash(run)
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
		h := hashText(own.ID)
		f.ids[h]++
		id.Number = int(f.ids[h])
	}
	return id
}

// ID holds the parts of a run's id within its shard. The id within the file also depends
// on the earlier shards.
type ID struct {
	Own      string `json:"own,omitempty"`
	Number   int    `json:"number,omitempty"`   // among the runs with the same own id, from 1
	Position int    `json:"position,omitempty"` // of the run in the file, from 1, if the position is the id
}

// Warn records the warnings about one element of a file. The Trajectory of a warning is
// the id of a run in this shard. The map ids contains the parts of each such id.
func (t *Tally) Warn(file int, all []report.Warning, ids map[string]ID) {
	for _, w := range all {
		t.warnings.addWarning(warning{Warning: w, File: file, ID: ids[w.Trajectory]})
	}
}

// Summary returns the summary for the runs of this tally only. The intervals come from a
// bootstrap with the given seed. A seed of 0 selects the seed of the origin.
func (t *Tally) Summary(seed uint64) Summary {
	o := t.origin
	seed = cmp.Or(seed, o.Seed, report.DefaultSeed)
	n, faults := t.Elements()
	s := Summary{Corpus: t.corpus.Corpus(seed), Schema: report.Schema, Definitions: report.Definitions, Profile: t.profile, Elements: n, Errors: faults, Plugins: o.Plugins,
		Warnings: append(t.warnings.placeWarnings(o.Files), t.effects.apartWarning()...)}
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

// Files returns the files in the order of the input.
func (t *Tally) Files() []File { return t.origin.Files }

// File returns the format and the number of runs of the file with the given index.
func (t *Tally) File(file int) (format string, runs int) {
	return t.files[file].Format, t.files[file].Runs
}

// Figures returns the figures of several files together. The files are given by their
// indices.
func (t *Tally) Figures(files []int, seed uint64) report.Corpus {
	from1 := make([]int, len(files))
	for i, f := range files {
		from1[i] = f + 1
	}
	return t.corpus.Of(from1, cmp.Or(seed, t.origin.Seed))
}

// Qualified returns the id of a run as a report over all files shows it. With several
// files, the file's name is a prefix of the id.
func (o *Origin) Qualified(file int, id string) string {
	if len(o.Files) > 1 {
		return o.Files[file].Name + ":" + id
	}
	return id
}

// hashText returns 64 bits of a text's SHA-256.
func hashText(text string) uint64 {
	sum := sha256.Sum256([]byte(text))
	return binary.LittleEndian.Uint64(sum[:])
}
