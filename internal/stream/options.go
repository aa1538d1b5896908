package stream

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/stage/checker"
)

// Options select what a stream scores, and how.
type Options struct {
	Files         []string            // - is standard input
	Profile       string              // auto, outcome or sop
	Seed          uint64              // 0 selects the default
	References    func(*core.Request) // sets the references and other members of a row's request; nil for none
	ReferenceHash string              // hash of the text from which the references were read
	Checkers      []checker.Checker
	Advisor       mutation.Advisor         // nil for none
	Advisors      []report.Plugin          // the plugins that Advisor asks
	Out           string                   // the file to write; "" is standard output
	Resume        bool                     // continue the unfinished run in Out
	Partial       string                   // the file for the partial result; "" for none
	Shard         Shard                    // which part of the input to score; the zero value is all of it
	As            string                   // the one input is this shard, already cut, of a file with this name; "" to cut the files
	EachRun       func(*report.Trajectory) // called for each run in the order of the input; nil for none
}

// setup holds the options and a description of each input.
type setup struct {
	*Options
	inputs []inputFile
}

// inputFile is one input. Its name is unique.
type inputFile struct {
	path, name string
	bytes      int64 // -1 if unknown
	info       os.FileInfo
	object     *object // set for an input that is read over the network
}

func newSetup(given *Options) (*setup, error) {
	o := &setup{Options: given}
	if o.Seed == 0 {
		o.Seed = report.DefaultSeed
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
		return nil, errors.New("standard input can be read only once")
	}
	if o.As != "" {
		if len(o.inputs) != 1 {
			return nil, fmt.Errorf("--as needs exactly one FILE, got %d", len(o.inputs))
		}
		o.inputs[0].name = o.As
	} else if o.Shard.Of > 1 && o.totalBytes() < 0 {
		return nil, errors.New("--shard needs files of known size; if the input is already one part, name the original file with --as")
	}
	return o, nil
}

// loadedPlugins returns the checkers and advisors that are loaded.
func (o *setup) loadedPlugins() (all []report.Plugin) {
	for _, c := range o.Checkers {
		all = append(all, report.Plugin(c.About()))
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

// totalBytes returns the sum of the sizes of all inputs, or -1 if a size is unknown.
func (o *setup) totalBytes() int64 {
	var n int64
	for _, f := range o.inputs {
		if f.bytes < 0 {
			return -1
		}
		n += f.bytes
	}
	return n
}

// openRange returns a reader that begins at the offset given by from and ends at the end
// of the file. If the file is on a server, the bytes before the offset given by to are
// requested in advance.
func (f *inputFile) openRange(from, to int64) (io.ReadCloser, error) {
	if f.object != nil {
		return f.object.openRange(from, to)
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
