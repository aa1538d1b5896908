package stream

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/wire"
)

// streamSchema names the format of the lines in FILE.
const streamSchema = "boundcheck.stream/1"

// streamHeader is the first line of the output. It describes the input and the settings. A
// run can be resumed only if both are unchanged.
type streamHeader struct {
	Stream streamOrigin `json:"stream"`
}

type streamOrigin struct {
	Schema      string          `json:"schema"`
	Report      string          `json:"report"`
	Definitions int             `json:"definitions"` // version of the definitions of the figures; absent means 1
	Files       []originFile    `json:"files"`
	Profile     string          `json:"profile"`
	Seed        uint64          `json:"seed"`
	Reference   string          `json:"reference,omitempty"` // sha256 of its text
	Plugins     []report.Plugin `json:"plugins,omitempty"`   // the plugins that are loaded
	Shard       *Shard          `json:"shard,omitempty"`
	From        []int64         `json:"from,omitempty"` // by file: the byte at which the shard begins; line numbers count from there
}

type originFile struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"` // -1 when not known beforehand
}

func (o *setup) newHeader() streamHeader {
	f := streamOrigin{Schema: streamSchema, Report: report.Schema, Definitions: report.Definitions, Profile: o.Profile, Seed: o.Seed, Reference: o.ReferenceHash, Plugins: o.loadedPlugins()}
	for _, file := range o.inputs {
		f.Files = append(f.Files, originFile{file.name, file.bytes})
	}
	if o.Shard.Of > 0 {
		f.Shard = &o.Shard
		for _, p := range o.shardParts() {
			f.From = append(f.From, p.from)
		}
	}
	return streamHeader{f}
}

// describeDifference returns a text about the first difference between h, the header of
// this run, and other, the header of an earlier output. It returns "" if they are equal.
func (h *streamHeader) describeDifference(other *streamHeader) string {
	a, b := h.Stream, other.Stream
	switch {
	case b.Schema != a.Schema || b.Report != a.Report:
		return fmt.Sprintf("the output has the stream format %s and the report format %s, but this run writes %s and %s", b.Schema, b.Report, a.Schema, a.Report)
	case b.Definitions != a.Definitions:
		return report.CheckDefinitions("the output", b.Definitions).Error()
	case string(wire.Marshal(a.Files)) != string(wire.Marshal(b.Files)):
		return fmt.Sprintf("the output was made from %s, but this run reads %s", describeFiles(b.Files), describeFiles(a.Files))
	case string(wire.Marshal(a.Shard)) != string(wire.Marshal(b.Shard)):
		return "the output was made with another --shard"
	case a.Profile != b.Profile:
		return fmt.Sprintf("the output was made with --profile %s, but this run has --profile %s", b.Profile, a.Profile)
	case a.Seed != b.Seed:
		return fmt.Sprintf("the output was made with --seed %d, but this run has --seed %d", b.Seed, a.Seed)
	case a.Reference != b.Reference:
		return "the output was made with another --reference, --reference-from or boundcheck.yaml"
	case !slices.Equal(a.Plugins, b.Plugins):
		return "the output was made with other plugins or other plugin versions"
	}
	return ""
}

func describeFiles(files []originFile) string {
	var b bytes.Buffer
	for i, f := range files {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(f.Name)
		if f.Bytes >= 0 {
			fmt.Fprintf(&b, " (%d bytes)", f.Bytes)
		}
	}
	return b.String()
}

// openOut opens the file of --out. If the file is the output of an unfinished run,
// openOut needs --resume, and then reads the written lines again. Without --resume,
// openOut returns an error for such a file.
func (o *setup) openOut(l *ledger, marks []mark) (*os.File, error) {
	file, err := os.OpenFile(o.Out, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if err := o.prepareOutput(file, l, marks); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

func (o *setup) prepareOutput(file *os.File, l *ledger, marks []mark) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		_, err = file.Write(wire.Marshal(o.newHeader()))
		return err
	}
	for _, in := range o.inputs {
		if in.info != nil && os.SameFile(in.info, info) {
			return fmt.Errorf("%s is an input file; choose another file for --out", o.Out)
		}
	}
	var end int64
	if o.Resume {
		if end, err = o.readBack(file, l, marks); err != nil {
			return fmt.Errorf("cannot resume %s: %w", o.Out, err)
		}
	} else if info.Size() > 0 && isUnfinished(file, info.Size()) {
		return fmt.Errorf("%s contains an unfinished run: add --resume to continue the run, or delete the file", o.Out)
	}
	if err := file.Truncate(end); err != nil {
		return err
	}
	if _, err := file.Seek(end, io.SeekStart); err != nil {
		return err
	}
	if end == 0 {
		_, err = file.Write(wire.Marshal(o.newHeader()))
	}
	return err
}

// isUnfinished reports whether a file is the output of a stream that lacks its last line.
func isUnfinished(file *os.File, size int64) bool {
	head, tail := make([]byte, len(headerStart)), make([]byte, len(summaryEnd))
	file.ReadAt(head, 0)
	file.ReadAt(tail, max(size-int64(len(tail)), 0))
	return string(head) == headerStart && string(tail) != summaryEnd
}

// The beginning of FILE, and its end if it is complete.
const (
	headerStart = `{"stream":{"schema":`
	summaryEnd  = "\"partial\":false}\n"
)

// readBack reads an unfinished output and adds its complete lines to the ledger. It
// returns the offset at which the run continues. It leaves out the last element, because
// some lines of this element may be missing.
func (o *setup) readBack(file *os.File, l *ledger, marks []mark) (int64, error) {
	in := bufio.NewReaderSize(file, window)
	first, err := in.ReadBytes('\n')
	if err == io.EOF {
		if !bytes.HasPrefix(wire.Marshal(o.newHeader()), first) {
			return 0, errors.New("the file is not the output of boundcheck score --stream")
		}
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	want, have := o.newHeader(), streamHeader{}
	if json.Unmarshal(first, &have) != nil || have.Stream.Schema == "" {
		return 0, errors.New("the file is not the output of boundcheck score --stream")
	}
	if why := want.describeDifference(&have); why != "" {
		return 0, errors.New(why)
	}
	r := restorer{ledger: l, marks: marks, end: int64(len(first)), read: int64(len(first)), index: map[string]int{}}
	for i, f := range o.inputs {
		r.index[f.name] = i
	}
	err = r.readLines(in)
	return r.end, err
}
