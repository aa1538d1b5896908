package stream

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/checker"
	"github.com/boundcheck/boundcheck/core/mutation"
)

// Options say what a stream scores, and how.
type Options struct {
	Files         []string            // - is standard input
	Profile       string              // auto, outcome or sop
	Seed          uint64              // 0 is the usual one
	References    func(*core.Request) // puts references in place of those of a row, and what else holds for all rows
	ReferenceHash string              // of the text they were read from
	Checkers      []checker.Checker
	Advisor       mutation.Advisor // nil for none
	Advisors      []core.Plugin    // that it asks
	Out           string           // the file to write; "" is standard output
	Resume        bool             // goes on with out
}

// setup is the options with the files looked at.
type setup struct {
	*Options
	inputs []inputFile
}

// inputFile is one input. Its name is unlike that of any other.
type inputFile struct {
	path, name string
	bytes      int64 // -1 when not known beforehand
	info       os.FileInfo
}

func newSetup(given *Options) (*setup, error) {
	o := &setup{Options: given}
	if o.Seed == 0 {
		o.Seed = core.DefaultSeed
	}
	taken := map[string]int{}
	for _, path := range o.Files {
		file, err := newInputFile(path)
		if err != nil {
			return nil, err
		}
		if taken[path]++; taken[path] > 1 {
			file.name = fmt.Sprintf("%s#%d", path, taken[path])
		}
		o.inputs = append(o.inputs, file)
	}
	if taken["-"] > 1 {
		return nil, errors.New("standard input can be read once")
	}
	return o, nil
}

// plugins names the checkers that are loaded.
func (o *setup) plugins() (all []core.Plugin) {
	for _, c := range o.Checkers {
		all = append(all, core.Plugin(c.About()))
	}
	for _, p := range o.Advisors {
		if !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	return all
}

func newInputFile(path string) (inputFile, error) {
	f := inputFile{path: path, name: path, bytes: -1}
	if path == "-" {
		return f, nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return f, err
	}
	if info.IsDir() {
		return f, fmt.Errorf("%s is a directory", path)
	}
	if info.Mode().IsRegular() {
		f.bytes, f.info = info.Size(), info
	}
	return f, nil
}

// total is the size of all inputs, -1 when one is not known.
func (o *setup) total() int64 {
	var n int64
	for _, f := range o.inputs {
		if f.bytes < 0 {
			return -1
		}
		n += f.bytes
	}
	return n
}
