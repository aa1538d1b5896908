package cli

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/checker"
)

// streamOptions are what --stream takes from the flags of score.
type streamOptions struct {
	files      []streamFile
	profile    string
	seed       uint64
	references references
	checkers   []checker.Checker
	out        string
	resume     bool
}

// streamFile is one input. Its name is unlike that of any other.
type streamFile struct {
	path, name string
	bytes      int64 // -1 when not known beforehand
	info       os.FileInfo
}

// checkStream tells which flags do not go together.
func (f *scoreFlags) checkStream() error {
	switch {
	case !f.stream && (f.out != "" || f.resume):
		return errors.New("--out and --resume go with --stream")
	case f.resume && f.out == "":
		return errors.New("--resume needs --out FILE")
	case f.stream && f.format != "table" && f.format != "json":
		return fmt.Errorf("--stream writes lines of JSON; --format %s does not go with it", f.format)
	}
	return nil
}

func newStreamOptions(f *scoreFlags, stdin io.Reader) (*streamOptions, error) {
	o := &streamOptions{profile: f.profile, seed: f.seed, out: f.out, resume: f.resume}
	if o.seed == 0 {
		o.seed = core.DefaultSeed
	}
	var err error
	if o.references, err = f.readReferences(stdin); err != nil {
		return nil, err
	}
	taken := map[string]int{}
	for _, path := range f.files {
		file, err := newStreamFile(path)
		if err != nil {
			return nil, err
		}
		if taken[path]++; taken[path] > 1 {
			file.name = fmt.Sprintf("%s#%d", path, taken[path])
		}
		o.files = append(o.files, file)
	}
	if taken["-"] > 1 {
		return nil, errors.New("standard input can be read once")
	}
	return o, nil
}

// plugins names the checkers that are loaded.
func (o *streamOptions) plugins() (all []core.Plugin) {
	for _, c := range o.checkers {
		all = append(all, core.Plugin(c.About()))
	}
	return all
}

func newStreamFile(path string) (streamFile, error) {
	f := streamFile{path: path, name: path, bytes: -1}
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
func (o *streamOptions) total() int64 {
	var n int64
	for _, f := range o.files {
		if f.bytes < 0 {
			return -1
		}
		n += f.bytes
	}
	return n
}
