package stream

import (
	"bytes"
	"errors"
	"io"
)

// feedFile reads the file with this index and sends its batches. It returns false if
// reading must stop.
func (p *pool) feedFile(file int) bool {
	in, inside, err := p.openPart(file)
	if err != nil {
		return p.sendBatch(&batch{file: file, err: err})
	}
	if in == nil {
		return true
	}
	defer in.Close()
	f := feeder{pool: p, file: file, scan: newScanner(in), opening: p.parts[file].opening}
	f.scan.idle, f.scan.inside = f.flushIdle, inside
	more := f.run()
	p.breaks[file] = f.scan.line - 1
	return more
}

// feeder makes batches from one file.
type feeder struct {
	*pool
	file    int
	scan    *scanner
	batch   *batch
	count   int  // elements so far
	opening bool // no batch was sent yet
	stopped bool
}

func (f *feeder) run() bool {
	f.renewBatch()
	for !f.stopped {
		b := f.batch
		text, e, err := f.scan.next(b.text)
		if err == io.EOF {
			return f.finishFile()
		}
		if err != nil {
			f.flush()
			return f.sendBatch(&batch{file: f.file, err: err})
		}
		f.count++
		if m := f.marks[f.file]; f.count <= m.elements {
			if !f.skipScored(m, text, e) {
				return false
			}
			continue
		}
		f.addElement(text, e, b)
	}
	return false
}

// addElement adds an element to the current batch. The parameter begun is the batch that
// was current when the text was read. If this batch was sent since then, addElement
// copies the text to the current batch.
func (f *feeder) addElement(text []byte, e element, begun *batch) {
	b := f.batch
	if b == begun {
		b.text = text
	} else {
		from := len(b.text)
		b.text = append(b.text, text[e.from:e.to]...)
		e.from, e.to = from, len(b.text)
	}
	b.elements = append(b.elements, e)
	if len(b.text) >= batchSize || len(b.elements) >= batchSize/64 {
		f.flush()
	}
}

func (f *feeder) renewBatch() {
	f.batch = &batch{file: f.file, opening: f.opening, text: make([]byte, 0, batchSize+batchSize/8)}
}

// flushIdle sends the current batch before a read that may block, so that input from a
// slow pipe is scored at once. The first batch of a file needs at least two elements.
// These two elements show whether the lines of the file are events of one run.
func (f *feeder) flushIdle() {
	if n := len(f.batch.elements); n > 1 || n > 0 && !f.opening {
		f.flush()
	}
}

func (f *feeder) flush() {
	if len(f.batch.elements) > 0 && !f.stopped {
		f.stopped = !f.sendBatch(f.batch)
		f.opening = false
	}
	f.renewBatch()
}

func (f *feeder) finishFile() bool {
	if f.count < f.marks[f.file].elements {
		f.sendBatch(&batch{file: f.file, err: errOtherInput})
		return false
	}
	f.flush()
	return !f.stopped
}

var errOtherInput = errors.New("the unfinished output of --out was made from another input; delete that file to start over")

// skipScored skips an element that an earlier run of the command scored. It still sends
// the first element with a trajectory, because this element shows the format of the file.
// It returns false if reading must stop.
func (f *feeder) skipScored(m mark, text []byte, e element) bool {
	f.opening = false
	f.batch.opening, f.batch.text = false, text[:0]
	switch {
	case f.count == m.elements && (e.line != m.line || e.row != m.row):
		return f.sendBatch(&batch{file: f.file, err: errOtherInput})
	case f.count == m.good:
		return f.sendBatch(&batch{file: f.file, text: bytes.Clone(text), elements: []element{e}, known: true})
	}
	return true
}
