package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/reference"
)

// streamOptions are what --stream takes from the flags of score.
type streamOptions struct {
	files         []streamFile
	profile       string
	seed          uint64
	reference     *reference.Reference
	referenceHash string
	out           string
	resume        bool
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
	case f.stream && f.referenceFrom != "":
		return errors.New("--stream takes no --reference-from yet; score without it, or write the reference down")
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
	if f.reference != "" {
		text, err := readFile(f.reference, stdin)
		if err != nil {
			return nil, err
		}
		ref, err := reference.Read(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.reference, err)
		}
		o.reference, o.referenceHash = &ref, fmt.Sprintf("%x", sha256.Sum256(text))
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
