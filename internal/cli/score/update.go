package score

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/config"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/trajectory"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/snapshot"
	"github.com/boundcheck/boundcheck/internal/words"
)

// tracedRuns is a trace that is compared with references.
type tracedRuns struct {
	file    string
	request core.Request
	runs    []trajectory.Trajectory
	unread  map[string]string // see Document.Unread
	counts  float64           // findings with less confidence do not count
}

// readTrace reads the trace in a file, without decoding it.
func readTrace(file string, stdin io.Reader, conf *cmd.ConfigFile) (*tracedRuns, error) {
	data, err := cmd.ReadFile(file, stdin)
	if err != nil {
		return nil, err
	}
	r, err := core.ReadRequest(data)
	if err != nil {
		return nil, err
	}
	if !reflect.DeepEqual(r.Options, core.Options{}) {
		return nil, fmt.Errorf("%s brings settings of its own, such as a profile or a config, and what is tested must not choose how it is judged: put them into %s", file, config.Name)
	}
	r.Inputs[0].Name = file
	conf.ApplyToRequest(&r)
	t := &tracedRuns{file: file, request: r, counts: conf.MinConfidence}
	if conf.FailOn == "never" {
		t.counts = math.Inf(1)
	}
	return t, nil
}

// decode sets the runs of a trace.
func (t *tracedRuns) decode() error {
	doc, err := t.request.Options.Decode(&t.request.Inputs[0])
	t.unread, t.runs = doc.Unread(), doc.Trajectories
	return err
}

// compare compares all runs of a trace with a reference. The reports have only the
// findings that count.
func (t *tracedRuns) compare(ref *reference.Reference) ([]core.Trajectory, error) {
	t.request.Reference, t.request.References = ref, nil
	report, err := core.Evaluate(t.request)
	if err != nil {
		return nil, err
	}
	if len(report.Trajectories) != len(t.runs) {
		return nil, fmt.Errorf("%s: %d runs were read and %d compared", t.file, len(t.runs), len(report.Trajectories))
	}
	for i := range report.Trajectories {
		r := &report.Trajectories[i]
		r.Violations = slices.DeleteFunc(r.Violations, func(v core.Violation) bool { return v.Confidence < t.counts })
	}
	return report.Trajectories, nil
}

// fileUpdate is the update of one reference by the trials of its task.
type fileUpdate struct {
	path   string
	task   string // in a suite; "" otherwise
	files  []*tracedRuns
	trials []snapshot.Trial
	of     []int // by trial: its file, an index into files
	at     []int // by trial: its index among the runs of its file
}

// add adds a run as a trial.
func (u *fileUpdate) add(t *tracedRuns, run int) {
	i := slices.Index(u.files, t)
	if i < 0 {
		i = len(u.files)
		u.files = append(u.files, t)
	}
	name := t.file
	if len(t.runs) > 1 {
		name += " " + t.runs[run].ID
	}
	u.trials = append(u.trials, snapshot.Trial{Name: name, Run: &t.runs[run], Unread: t.unread[t.runs[run].ID]})
	u.of, u.at = append(u.of, i), append(u.at, run)
}

// compareAll compares the trials with a reference.
func (u *fileUpdate) compareAll(ref *reference.Reference) ([]core.Trajectory, error) {
	var byFile [][]core.Trajectory
	for _, t := range u.files {
		reports, err := t.compare(ref)
		if err != nil {
			return nil, err
		}
		byFile = append(byFile, reports)
	}
	var all []core.Trajectory
	for i := range u.trials {
		all = append(all, byFile[u.of[i]][u.at[i]])
	}
	return all, nil
}

// write updates the file, or creates it if it is not there. It calls say for each line
// that people should read.
func (u *fileUpdate) write(say func(word, name, text string)) error {
	old, err := os.ReadFile(u.path)
	if errors.Is(err, fs.ErrNotExist) {
		return u.create(say)
	}
	if err != nil {
		return err
	}
	text, mark := strings.CutPrefix(string(old), "\ufeff")
	out, err := snapshot.Update(u.path, text, u.task, u.trials, u.compareAll)
	if err != nil {
		return err
	}
	for _, r := range out.Refused {
		place := u.path
		if r.Line > 0 {
			place = fmt.Sprintf("%s:%d", u.path, r.Line)
		}
		say("kept", place, r.Trial+": "+r.String())
	}
	for _, note := range out.Notes {
		say("note", u.path, note)
	}
	if out.Text == text {
		return nil
	}
	if mark {
		out.Text = "\ufeff" + out.Text
	}
	if err := cmd.WriteWhole(u.path, []byte(out.Text)); err != nil {
		return err
	}
	say("wrote", u.path, "from "+u.names(out.Refused))
	return nil
}

// create writes a new reference from the trials that snapshot.Unusable allows.
func (u *fileUpdate) create(say func(word, name, text string)) error {
	var runs []*trajectory.Trajectory
	var unusable []snapshot.Refusal
	for _, t := range u.trials {
		why := snapshot.Unusable(t.Run, t.Unread)
		if failed := snapshot.FailedChange(t.Run); why == "" && failed != "" {
			why = failed + " and was not done later"
		}
		if why != "" {
			unusable = append(unusable, snapshot.Refusal{Trial: t.Name})
			say("note", t.Name, why+", so it is not used")
			continue
		}
		run := *t.Run
		run.Task = "" // the file's name identifies the reference
		runs = append(runs, &run)
	}
	if len(runs) == 0 {
		return fmt.Errorf("no usable run for the reference: %s", words.Count(len(unusable), "run is not used", "runs are not used"))
	}
	suite, err := snapshot.Of(runs, strings.Split(u.names(unusable), ", "))
	if err != nil {
		return err
	}
	write := suite.YAML
	if strings.EqualFold(filepath.Ext(u.path), ".json") {
		write = suite.JSON
	}
	data, err := write()
	if err != nil {
		return err
	}
	if err := cmd.WriteWhole(u.path, data); err != nil {
		return err
	}
	say("wrote", u.path, "from "+u.names(unusable))
	return nil
}

// names returns the names of the files of the trials that were not refused.
func (u *fileUpdate) names(refused []snapshot.Refusal) string {
	var names []string
	for i, t := range u.trials {
		name := filepath.ToSlash(u.files[u.of[i]].file)
		if !slices.Contains(names, name) && !slices.ContainsFunc(refused, func(r snapshot.Refusal) bool { return r.Trial == t.Name }) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}
