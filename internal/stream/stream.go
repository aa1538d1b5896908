// Package stream scores files of any size, one element at a time, with constant memory
// and on all cores.
package stream

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/study/lines"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/render"
)

// Result is the result of a stream.
type Result struct {
	Corpus           report.Corpus
	Elements, Faults int
	Warnings         int       // number of all warnings, including the one with code stands-apart
	Complete         bool      // the whole input was scored
	Done             bool      // the partial result already existed
	Signal           os.Signal // the signal that interrupted it; nil for none
}

// Run scores all trajectories and writes one line for each, in the order of the input.
// The memory that it needs does not grow with the input. If Run stops early, the error
// gives the reason.
func Run(given Options, stdin io.Reader, stdout, stderr io.Writer) (Result, error) {
	o, err := newSetup(&given)
	if err != nil {
		return Result{}, err
	}
	if o.Resume && o.Partial != "" && o.isFinished() {
		fmt.Fprintf(stderr, "boundcheck score: nothing to do: %s already contains this result\n", nameOf(o.Partial))
		return Result{Done: true}, nil
	}
	for _, name := range []string{o.Out, o.Partial} {
		if err := checkWritable(name); err != nil {
			return Result{}, err
		}
	}
	defer tuneMemory()()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	s := &stream{options: o, ledger: newLedger(o), stderr: stderr, signals: signals,
		pool: newPool(o.inputs, o.shardParts(), &lines.Scorer{References: o.References, Checkers: o.Checkers, Advisor: o.Advisor, Profile: o.Profile}, stdin)}
	err = s.run(stdout)
	s.result.Elements, s.result.Faults = s.ledger.Elements()
	return s.result, err
}

// A stream frees most of its allocations at once, so the collector may run half as often.
// The soft limit bounds the memory that this costs if rows are large.
const (
	gcPercent = 200
	heapLimit = 128 << 20
)

// tuneMemory sets gcPercent and heapLimit for the garbage collector. It changes nothing
// if GOGC or GOMEMLIMIT is set. The returned function restores the previous values.
func tuneMemory() func() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	percent, limit := debug.SetGCPercent(gcPercent), debug.SetMemoryLimit(heapLimit)
	return func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}
}

// stream is one run of the command.
type stream struct {
	options *setup
	ledger  *ledger
	pool    *pool
	out     *bufio.Writer
	spool   spool // collects the lines if --out is a URL
	meter   meter
	stderr  io.Writer
	signals chan os.Signal
	result  Result
}

// run scores the whole input. If it cannot continue, it writes a last line that contains
// "partial", and returns the reason.
func (s *stream) run(stdout io.Writer) (err error) {
	switch {
	case IsURL(s.options.Out):
		if s.spool, err = newSpool(); err != nil {
			return err
		}
		defer s.spool.dropFile()
		if _, err := s.spool.Write(wire.Marshal(s.options.newHeader())); err != nil {
			return err
		}
		stdout = s.spool
	case s.options.Out != "":
		file, err := s.options.openOut(s.ledger, s.pool.marks)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, s.closeOut(file)) }()
		stdout = file
	}
	s.out = bufio.NewWriterSize(stdout, window)
	s.meter = meter{bar: render.NewProgress(s.stderr), total: s.options.totalBytes(), passed: -1}
	stopped, err := s.writeBatches()
	s.meter.bar.Done()
	switch {
	case err != nil:
		s.writePartialLine(err.Error())
		return errors.Join(err, s.out.Flush())
	case stopped != nil:
		s.writePartialLine("interrupted")
		s.tellPartial()
		s.result.Signal = stopped
		return s.out.Flush()
	}
	for i, n := range s.pool.breaks {
		s.ledger.Lines(i, n)
	}
	last := s.ledger.Summary(0)
	s.result.Corpus, s.result.Complete, s.result.Warnings = last.Corpus, true, s.ledger.warned
	if n := len(last.Warnings); n > 0 && last.Warnings[n-1].Code == "stands-apart" {
		s.result.Warnings++
	}
	s.out.Write(wire.Marshal(last))
	if err := s.out.Flush(); err != nil {
		return err
	}
	if IsURL(s.options.Out) || IsURL(s.options.Partial) {
		signal.Stop(s.signals) // a signal kills from here on, because sending may take long
	}
	if s.spool.File != nil { // before the partial result, which says that the shard is done
		if err := s.spool.uploadFile(s.options.Out); err != nil {
			return err
		}
	}
	if s.options.Partial == "" {
		return nil
	}
	return WriteWhole(s.options.Partial, func(w io.Writer) error {
		_, err := w.Write(s.ledger.encode())
		return err
	})
}

// writeBatches writes the batches in order until the end, an error or a signal. After a
// signal, it still writes the batches that are ready.
func (s *stream) writeBatches() (os.Signal, error) {
	s.pool.startScoring()
	defer close(s.pool.stop)
	for {
		select {
		case b, more := <-s.pool.order:
			if !more {
				return nil, nil
			}
			if err := s.writeBatch(b); err != nil {
				return nil, err
			}
		case got := <-s.signals:
			signal.Stop(s.signals) // a second signal ends the process
			return got, s.writeReady()
		}
	}
}

func (s *stream) writeReady() error {
	for {
		select {
		case b, more := <-s.pool.order:
			if !more {
				return nil
			}
			if err := s.writeBatch(b); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

// writeBatch writes the lines of a batch.
func (s *stream) writeBatch(b *batch) error {
	<-b.done
	defer s.pool.releaseBatch(b)
	if b.err != nil {
		return fmt.Errorf("%s: %w", s.options.inputs[b.file].name, b.err)
	}
	if s.meter.passed < 0 {
		s.meter.passed = s.pool.read.Load() - int64(len(b.text))
	}
	var text []byte
	for i := range b.rows {
		s.ledger.Format(b.file, b.rows[i].Format)
		if b.known {
			continue
		}
		text = s.ledger.enterElement(text[:0], b.file, b.elements[i], &b.rows[i])
		if _, err := s.out.Write(text); err != nil {
			return err
		}
	}
	s.meter.drawIfDue(s.pool.read.Load(), s.ledger.Runs())
	if len(s.pool.order) == 0 {
		return s.out.Flush()
	}
	return nil
}

// writePartialLine writes the last line of an interrupted stream, which gives the reason.
func (s *stream) writePartialLine(reason string) {
	elements, faults := s.ledger.Elements()
	s.out.Write(wire.Marshal(partialLine{true, reason, elements, s.ledger.Runs(), faults}))
}

func (s *stream) tellPartial() {
	elements, _ := s.ledger.Elements()
	fmt.Fprintf(s.stderr, "boundcheck score: interrupted after %d lines or elements", elements)
	if IsURL(s.options.Out) {
		fmt.Fprintf(s.stderr, "; %s was not written", nameOf(s.options.Out))
	} else if s.options.Out != "" {
		fmt.Fprintf(s.stderr, "; --resume continues %s", s.options.Out)
	}
	fmt.Fprintln(s.stderr)
}

// closeOut closes the file of --out. If no element was scored, it first empties the file.
func (s *stream) closeOut(file *os.File) error {
	elements, _ := s.ledger.Elements()
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() && elements == 0 {
		file.Truncate(0)
	}
	return file.Close()
}
