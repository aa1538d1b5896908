package stream

import (
	"errors"
	"fmt"
	"io"
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
	Partial       string           // the file for the tally; "" for none
	Shard         Shard            // which part of the input to score; the zero value is all of it
	As            string           // the one file is the shard, already cut, of a file of this name; "" cuts the files
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
	object     *object // where it is read over the network; nil for a file
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
		if taken[file.path]++; taken[file.path] > 1 {
			file.name = fmt.Sprintf("%s#%d", file.path, taken[file.path])
		}
		o.inputs = append(o.inputs, file)
	}
	if taken["-"] > 1 {
		return nil, errors.New("standard input can be read once")
	}
	if o.As != "" {
		if len(o.inputs) != 1 {
			return nil, fmt.Errorf("--as names one FILE, and %d were given", len(o.inputs))
		}
		o.inputs[0].name = o.As
	} else if o.Shard.Of > 1 && o.total() < 0 {
		return nil, errors.New("--shard cuts files of known size; where the input is already cut, as standard input is, --as NAME says of what")
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
	if IsURL(path) {
		o, err := newObject(path)
		if err != nil {
			return f, err
		}
		return inputFile{path: o.name, name: o.name, bytes: o.size, object: o}, nil
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

// open reads a file from a byte on. Bytes up to the second number will be read.
func (f *inputFile) open(from, to int64) (io.ReadCloser, error) {
	if f.object != nil {
		return f.object.open(from, to)
	}
	opened, err := os.Open(f.path)
	if err != nil || from == 0 {
		return opened, err
	}
	if _, err := opened.Seek(from, io.SeekStart); err != nil {
		return nil, errors.Join(err, opened.Close())
	}
	return opened, nil
}
