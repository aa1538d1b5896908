package cmd

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/study"
	"github.com/boundcheck/boundcheck/core/study/deviation"
	"github.com/boundcheck/boundcheck/core/study/tally"
	"github.com/boundcheck/boundcheck/internal/stream"
	"github.com/boundcheck/boundcheck/internal/words"
)

// partials holds partial results that were read, with their open files.
type partials struct {
	tally.Set
	open []*os.File
}

func (p *partials) Close() {
	for _, f := range p.open {
		f.Close()
	}
}

// ReadPartials reads partial results from files or URLs, and reports copies that it does
// not use. The parameter command is the name of the command in messages. The caller must
// close the result.
func ReadPartials(names []string, command string, stderr io.Writer) (*partials, error) {
	p := &partials{}
	passed, err := p.readFiles(names)
	if err != nil {
		p.Close()
		return nil, err
	}
	for _, twice := range p.Doubled {
		fmt.Fprintf(stderr, "boundcheck %s: %s is given twice and counts only once\n", command, twice)
	}
	for _, damage := range passed {
		fmt.Fprintf(stderr, "boundcheck %s: %s; an undamaged copy is used instead\n", command, damage)
	}
	return p, nil
}

// readFiles reads partial results. If a shard has both damaged and undamaged copies,
// readFiles drops the damaged copies. The result passed has a text about each dropped
// copy.
func (p *partials) readFiles(names []string) (passed []string, err error) {
	for _, name := range names {
		if err := p.addFile(name); err != nil {
			return nil, err
		}
	}
	return p.Check()
}

func (p *partials) addFile(name string) error {
	if stream.IsURL(name) {
		in, size, name, err := stream.OpenURL(name)
		if err == nil {
			err = p.Read(name, in, size)
		}
		return err
	}
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	p.open = append(p.open, file)
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a file", name)
	}
	return p.Read(name, file, info.Size())
}

// ArePartials reports whether the files are partial results. A URL counts as a partial
// result. It returns an error if only some of the files are partial results.
func ArePartials(names []string) (bool, error) {
	n := 0
	for _, name := range names {
		if stream.IsURL(name) || isPartial(name) {
			n++
		}
	}
	if n > 0 && n < len(names) {
		return false, errors.New("partial results cannot be mixed with other files")
	}
	return n > 0, nil
}

func isPartial(name string) bool {
	file, err := os.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	begin := make([]byte, len(tally.Beginning))
	io.ReadFull(file, begin)
	return string(begin) == tally.Beginning
}

// OnlyGiven returns an error if a flag was given that partial results do not allow.
func OnlyGiven(given []string, allowed ...string) error {
	for _, name := range given {
		if !slices.Contains(allowed, name) {
			return fmt.Errorf("--%s needs whole files. With partial results, use only --%s", name, strings.Join(allowed, ", --"))
		}
	}
	return nil
}

// StudyParts reads partial results for study. It returns the sums of each scored file,
// and the merged result.
func StudyParts(names []string, stderr io.Writer) ([]study.Part, *tally.Tally, error) {
	set, err := ReadPartials(names, "study", stderr)
	if err != nil {
		return nil, nil, err
	}
	defer set.Close()
	if missing := set.Missing(); len(missing) > 0 {
		return nil, nil, fmt.Errorf("the shards %s are missing; score these shards", strings.Join(missing, "; "))
	}
	var parts []study.Part
	whole, err := set.Join(func(name string, first int, extra []byte) error {
		if len(extra) == 0 {
			return fmt.Errorf("file %s contains figures but no runs, because a batch or an earlier version wrote the file. Score the input again for study", name)
		}
		if parts, err = study.ReadParts(parts, first, extra); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	labels, err := labelParts(whole.Files())
	if err != nil {
		return nil, nil, err
	}
	for i, f := range whole.Files() {
		if i == len(parts) {
			break
		}
		p := &parts[i]
		p.File = labels[i]
		format, runs := whole.File(i)
		p.Benchmark = format
		if n, replayed, _ := p.Counts(); n != runs {
			return nil, nil, fmt.Errorf("the partial results of %s are damaged: the results describe only %d of %d runs", f.Name, n, runs)
		} else if replayed > 0 {
			return nil, nil, fmt.Errorf("file %s has %d replayed runs, but partial results do not contain the results of replays. The command study needs the whole file", f.Name, replayed)
		}
	}
	return parts, whole, nil
}

// labelParts returns the labels of the files of partial results, in their order. It
// returns an error if two files have the same path.
func labelParts(files []tally.File) ([]string, error) {
	paths, seen := make([]string, len(files)), map[string]bool{}
	for i, f := range files {
		if seen[f.Path] {
			return nil, fmt.Errorf("two files of the partial results are called %s; score each with a path that tells them apart", f.Path)
		}
		paths[i], seen[f.Path] = f.Path, true
	}
	return shortestEnds(paths), nil
}

// PerPart computes the regression of deviations for each file in the partial results, and
// adds it to the report. It returns the samples of all files, to be studied together.
func PerPart(s *deviation.Report, parts []study.Part) (pooled []deviation.Sample) {
	for i := range parts {
		p := &parts[i]
		runs, _, warnings := p.Counts()
		samples := p.Samples(0)
		var r deviation.Result
		err := CheckUsable(runs, p.Benchmark, p.Referenced(), p.Judged(), len(samples))
		if err == nil {
			r, err = deviation.Regress(samples)
		}
		if err != nil {
			s.Unusable = append(s.Unusable, deviation.Unusable{File: p.File, Reason: err.Error()})
			continue
		}
		file := r.Describe(nil)
		file.File, file.Distance, file.LeftOut, file.Warnings = p.File, "counts", runs-len(samples), warnings
		s.Files = append(s.Files, file)
		for k := range samples {
			samples[k].Set = len(s.Files) - 1
		}
		pooled = append(pooled, samples...)
	}
	return pooled
}

// CheckUsable returns an error if no run of a file has both a reference and an outcome.
func CheckUsable(runs int, format string, referenced, judged, both int) error {
	what := words.Count(runs, "run", "runs") + " of " + format
	switch {
	case both > 0:
		return nil
	case referenced == 0 && judged == 0:
		return fmt.Errorf("%s: no run has a reference or a known outcome; a study needs both", what)
	case referenced == 0:
		return fmt.Errorf("%s: no run has a reference", what)
	}
	return fmt.Errorf("%s: no run has a known outcome (a reward or a verdict)", what)
}
