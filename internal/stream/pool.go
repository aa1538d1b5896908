package stream

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/boundcheck/boundcheck/core/read"
	"github.com/boundcheck/boundcheck/core/read/envelope"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/study/lines"
)

// batchSize is the amount of text that a worker receives at once. It is large enough that
// passing it on costs little, and small enough to save memory.
const batchSize = 64 << 10

// batch holds consecutive elements of one file, and their results.
type batch struct {
	file     int // index of the file
	text     []byte
	elements []element
	rows     []lines.Row
	opening  bool  // it is the first of its file
	known    bool  // its lines are already written; only its format is needed
	err      error // why the run cannot continue
	size     int   // units of the budget
	done     chan struct{}
}

// The text of all batches that are not written yet is counted in units of 64 KiB, and
// limited to 16 MiB. Its results take several times as much memory.
const (
	unit  = 64 << 10
	units = 16 << 20 / unit
)

// pool reads files, scores their elements on all cores, and returns the batches in the
// order of the input. The text that is in memory at one time is limited, however many
// cores there are.
type pool struct {
	files  []inputFile
	parts  []part // by file: the part to read
	breaks []int  // by file: line breaks read
	marks  []mark // by file: what an earlier run scored
	scorer *lines.Scorer
	stdin  io.Reader
	read   atomic.Int64 // bytes read from the files, before decompression
	budget chan struct{}
	jobs   chan *batch
	order  chan *batch
	stop   chan struct{} // closed to stop reading
}

// mark describes the elements of a file that an earlier run of the command scored. It
// holds their number, the position of the last one, and the number of the first element
// that contains a trajectory.
type mark struct {
	elements, good int
	line, row      int
}

func newPool(files []inputFile, parts []part, scorer *lines.Scorer, stdin io.Reader) *pool {
	waiting := 2 + 3*runtime.GOMAXPROCS(0)
	return &pool{files: files, parts: parts, breaks: make([]int, len(files)), marks: make([]mark, len(files)), scorer: scorer, stdin: stdin, budget: make(chan struct{}, units),
		jobs: make(chan *batch, waiting+2), order: make(chan *batch, waiting), stop: make(chan struct{})}
}

// startScoring begins to read and score in the background. The batches arrive in the
// channel p.order, which is closed after the last batch.
func (p *pool) startScoring() {
	for range runtime.GOMAXPROCS(0) {
		go p.scoreBatches()
	}
	go func() {
		defer close(p.order)
		defer close(p.jobs)
		for i := range p.files {
			if !p.parts[i].isEmpty() && !p.feedFile(i) {
				return
			}
		}
	}()
}

func (p *pool) scoreBatches() {
	for b := range p.jobs {
		texts := make([][]byte, len(b.elements))
		for i, e := range b.elements {
			texts[i] = b.text[e.from:e.to:e.to]
			b.rows = append(b.rows, p.scoreElement(p.files[b.file].path, e, texts[i]))
		}
		if b.opening && lines.OneRun(texts, b.rows) {
			b.err = errors.New("each line or element is an event of one run, not a whole run; score the file without --stream")
		}
		close(b.done)
	}
}

// sendBatch queues a batch for scoring and writing. It returns false if reading must
// stop.
func (p *pool) sendBatch(b *batch) bool {
	b.done = make(chan struct{})
	b.size = min(cap(b.text)/unit+1, cap(p.budget))
	for range b.size {
		select {
		case p.budget <- struct{}{}:
		case <-p.stop:
			return false
		}
	}
	select {
	case p.order <- b:
	case <-p.stop:
		return false
	}
	if b.err != nil {
		close(b.done)
		return false
	}
	p.jobs <- b // never blocks: jobs has room for all batches in order, and for the one that is being written
	return true
}

// releaseBatch gives the memory of a batch back to the budget. The budget limits how much
// text is in memory.
func (p *pool) releaseBatch(b *batch) {
	for range b.size {
		<-p.budget
	}
}

// openPart opens the part of a file that this shard reads. The reader is nil if this
// shard reads nothing of the file. inside is true if the part consists of lines of a
// longer file.
func (p *pool) openPart(file int) (in io.ReadCloser, inside bool, err error) {
	part := p.parts[file]
	if part.whole {
		in, err = p.openFile(file)
		return in, false, err
	}
	f := &p.files[file]
	head, err := f.openRange(0, min(window, f.bytes))
	if err != nil {
		return nil, false, err
	}
	cut, err := isCuttable(io.LimitReader(head, window))
	head.Close()
	switch {
	case err == nil && cut:
		opened, err := f.openRange(max(part.from-1, 0), part.to)
		if err != nil {
			return nil, false, err
		}
		return readCloser{newLineRange(&countedReader{opened, &p.read}, part), opened}, true, nil
	case err == nil && part.opening:
		in, err = p.openFile(file)
	}
	return in, false, err
}

// openFile opens a file, and decompresses it if it is gzip.
func (p *pool) openFile(file int) (io.ReadCloser, error) {
	f := &p.files[file]
	raw := io.NopCloser(p.stdin)
	if f.path != "-" {
		opened, err := f.openRange(0, f.bytes)
		if err != nil {
			return nil, err
		}
		raw = opened
	}
	counted := &countedReader{raw, &p.read}
	head := make([]byte, 2)
	n, err := io.ReadFull(counted, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		raw.Close()
		return nil, err
	}
	in := io.MultiReader(bytes.NewReader(head[:n]), counted)
	if string(head[:n]) == "\x1f\x8b" {
		if in, err = gzip.NewReader(in); err != nil {
			raw.Close()
			return nil, fmt.Errorf("invalid gzip data: %w", err)
		}
	}
	if in, err = writtenLines(in); err != nil {
		raw.Close()
		return nil, err
	}
	return readCloser{in, raw}, nil
}

// writtenLines returns the records of a text that does not begin like JSON, such as a table, as lines of JSON.
// It returns any other text unchanged. A line of its own names the files of an archive that are not among the
// records, so that the stream reports it as unusable. It waits for no more of a pipe than the first line.
func writtenLines(in io.Reader) (io.Reader, error) {
	b := bufio.NewReader(in)
	json, err := peekJSON(b)
	if err != nil {
		return nil, err
	}
	if json {
		return b, nil
	}
	text, err := io.ReadAll(io.LimitReader(b, maxElement+1))
	if err != nil || len(text) > maxElement {
		return io.MultiReader(bytes.NewReader(text), b), err
	}
	lines, others := read.Lines(text)
	if len(others) > 0 {
		lines = append(slices.Clip(bytes.TrimRight(lines, "\n")), "\n"+strings.Join(strings.Fields(shape.ListNames(others)), " ")+" of the archive: not read\n"...)
	}
	return bytes.NewReader(lines), nil
}

// peekJSON reports whether a text is empty, or begins with an object or a list. It waits for no more than the
// first line.
func peekJSON(b *bufio.Reader) (bool, error) {
	for n := 1; ; n++ {
		head, err := b.Peek(n)
		if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
			return false, err
		}
		text := cutMark(head)
		open := text == "" || n < 3 || text[0] == '[' && !strings.Contains(text, "\n") && n < 512
		if len(head) < n || !open {
			return beginsLikeJSON(head), nil
		}
	}
}

// beginsLikeJSON reports whether a text is empty, or begins with an object or a list.
func beginsLikeJSON(head []byte) bool { return envelope.BeginsLikeJSON(cutMark(head)) }

// cutMark returns a text without white space and marks at its beginning.
func cutMark(head []byte) string {
	return strings.TrimLeft(strings.TrimPrefix(string(head), "\ufeff"), " \t\r\n\x1e")
}

type readCloser struct {
	io.Reader
	io.Closer
}

// countedReader counts the bytes read, for the progress.
type countedReader struct {
	io.ReadCloser
	n *atomic.Int64
}

func (c *countedReader) Read(b []byte) (int, error) {
	n, err := c.ReadCloser.Read(b)
	c.n.Add(int64(n))
	return n, err
}
