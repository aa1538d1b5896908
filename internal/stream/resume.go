package stream

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

// restorer reads the lines that an earlier run of the command wrote, one element at a time.
type restorer struct {
	*ledger
	marks   []mark
	index   map[string]int // index of a file by its name
	end     int64          // offset after the counted elements
	read    int64          // offset after the lines that were read
	pending []Line         // lines of the last element
}

// readLines reads lines until an incomplete line, or until a line that ends a run of the
// command.
func (r *restorer) readLines(in *bufio.Reader) error {
	for n := 2; ; n++ {
		text, err := in.ReadBytes('\n')
		if err == io.EOF {
			return nil // the text after the last line break is incomplete
		}
		if err != nil {
			return err
		}
		var line Line
		if err := json.Unmarshal(text, &line); err != nil {
			return fmt.Errorf("line %d is damaged: %w", n, err)
		}
		if line.Partial || line.Corpus != nil {
			return nil
		}
		if _, ok := r.index[line.File]; !ok {
			return fmt.Errorf("line %d is about a file %q, which is not among the inputs", n, line.File)
		}
		if err := r.takeLine(line); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		r.read += int64(len(text))
	}
}

// takeLine stores a line of the current element. If the line belongs to a new element,
// the previous element is complete. takeLine then first adds the previous element to the
// ledger.
func (r *restorer) takeLine(line Line) error {
	if len(r.pending) > 0 {
		last := r.pending[0].Place
		if last.File != line.File || last.Line != line.Line || last.Row != line.Row {
			if err := r.addPending(); err != nil {
				return err
			}
		}
	}
	r.pending = append(r.pending, line)
	return nil
}

// addPending adds the element with the stored lines to the ledger.
func (r *restorer) addPending() error {
	file := r.index[r.pending[0].File]
	m := &r.marks[file]
	m.elements++
	m.line, m.row = r.pending[0].Line, r.pending[0].Row
	if m.good == 0 && r.pending[0].Error == nil {
		m.good = m.elements
	}
	if err := r.restoreElement(file, r.pending); err != nil {
		return err
	}
	r.pending = r.pending[:0]
	r.end = r.read
	return nil
}
