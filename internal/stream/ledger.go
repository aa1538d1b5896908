package stream

import (
	"fmt"
	"hash/maphash"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/lines"
)

// ledger is what a stream keeps of the trajectories that are written: sums by
// task, a few bytes for each id, the first warnings. It depends on the written
// lines alone, so that reading them back gives the same ledger: this is how an
// interrupted run goes on.
type ledger struct {
	files    []inputFile
	all      core.Tally
	each     []filed
	profile  string // of the trajectories so far; mixed when they differ
	elements int
	faults   int
	seed     maphash.Seed
	warnings warningList
	trials   trials
}

// filed is the ledger of one file.
type filed struct {
	format string
	names  lines.Names
}

func newLedger(files []inputFile) *ledger {
	return &ledger{files: files, each: make([]filed, len(files)), seed: maphash.MakeSeed()}
}

// add counts a trajectory by its own id in its file, as it will be written.
func (l *ledger) add(file int, t *core.Trajectory) {
	l.all.Add(t, file+1)
	l.trials.add(l, file, t)
	switch l.profile {
	case "":
		l.profile = strings.Clone(t.Profile)
	case t.Profile:
	default:
		l.profile = "mixed"
	}
}

// hash is a text's among those of one file.
func (l *ledger) hash(file int, text string) uint64 {
	var h maphash.Hash
	h.SetSeed(l.seed)
	h.WriteString(strconv.Itoa(file))
	h.WriteByte(0)
	h.WriteString(text)
	return h.Sum64()
}

// qualified is an id among those of all files, as a report of them all has it.
func (l *ledger) qualified(file int, id string) string {
	if len(l.files) > 1 {
		return l.files[file].name + ":" + id
	}
	return id
}

// Summary is the last line of a complete stream.
type Summary struct {
	Corpus   core.Corpus     `json:"corpus"`
	Schema   string          `json:"schema"`
	Profile  string          `json:"profile"`
	Elements int             `json:"elements"`          // lines or list elements read
	Errors   int             `json:"errors"`            // those of them that could not be used
	Plugins  []core.Plugin   `json:"plugins,omitempty"` // that were loaded
	Warnings []placedWarning `json:"warnings"`
	Partial  bool            `json:"partial"` // false; it ends the line, so that the end of a file tells
}

func (l *ledger) summary(o *setup) Summary {
	s := Summary{Corpus: l.all.Corpus(o.Seed), Schema: core.Schema, Profile: l.profile, Elements: l.elements, Errors: l.faults,
		Plugins: o.plugins(), Warnings: append(l.warnings.report(), l.trials.warning()...)}
	if s.Profile == "" {
		s.Profile = o.Profile
	}
	if len(l.files) > 1 {
		for i := range l.each {
			f := &l.each[i]
			s.Corpus.Groups = append(s.Corpus.Groups, l.all.Group(i+1, l.files[i].path, f.format, o.Seed))
		}
	}
	return s
}

// placedWarning is a warning with its file.
type placedWarning struct {
	core.Warning
	File string `json:"file,omitempty"`
}

// maxWarnings is how many warnings of one code the last line lists; all of them
// are in the lines that they are about.
const maxWarnings = 20

// warningList keeps the first warnings of each code and counts the rest.
type warningList struct {
	first  []placedWarning
	codes  []string // in order of first appearance
	counts map[string]int
}

func (w *warningList) add(file string, all []core.Warning) {
	if w.counts == nil {
		w.counts = map[string]int{}
	}
	for _, one := range all {
		if w.counts[one.Code] == 0 {
			w.codes = append(w.codes, one.Code)
		}
		if w.counts[one.Code]++; w.counts[one.Code] <= maxWarnings {
			w.first = append(w.first, placedWarning{one, file})
		}
	}
}

func (w *warningList) report() []placedWarning {
	all := append([]placedWarning{}, w.first...)
	for _, code := range w.codes {
		if more := w.counts[code] - maxWarnings; more > 0 {
			message := fmt.Sprintf("%d more like the %d that are listed", more, maxWarnings)
			all = append(all, placedWarning{Warning: core.Warning{Code: code, Message: message}})
		}
	}
	return all
}
