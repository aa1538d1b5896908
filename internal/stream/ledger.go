package stream

import (
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
	warnings lines.Warnings
	trials   lines.Apart
}

// filed is the ledger of one file.
type filed struct {
	format string
	names  lines.Names
}

func newLedger(files []inputFile) *ledger {
	return &ledger{files: files, each: make([]filed, len(files))}
}

// add counts a trajectory by its own id in its file, as it will be written.
func (l *ledger) add(file int, t *core.Trajectory) {
	l.all.Add(t, file+1)
	if effects, counts := lines.Effects(t); counts {
		l.trials.Add(file, t.Task, effects)
	}
	switch l.profile {
	case "":
		l.profile = strings.Clone(t.Profile)
	case t.Profile:
	default:
		l.profile = "mixed"
	}
}

// qualified is an id among those of all files, as a report of them all has it.
func (l *ledger) qualified(file int, id string) string {
	if len(l.files) > 1 {
		return l.files[file].name + ":" + id
	}
	return id
}

func (l *ledger) summary(o *setup) lines.Summary {
	s := lines.Summary{Corpus: l.all.Corpus(o.Seed), Schema: core.Schema, Profile: l.profile, Elements: l.elements, Errors: l.faults,
		Plugins: o.plugins(), Warnings: append(l.warnings.Report(), l.trials.Warning()...)}
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
