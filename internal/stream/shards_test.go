package stream

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/study"
	"github.com/boundcheck/boundcheck/core/study/deviation"
	"github.com/boundcheck/boundcheck/core/study/lines"
	"github.com/boundcheck/boundcheck/core/study/tally"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/recordings"
)

// scored is a file with the results of its elements.
type scored struct {
	path     string
	elements []element
	rows     []lines.Row
	breaks   int
}

func scoreFile(t *testing.T, path string) (f scored) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f.path = path
	scan, scorer := newScanner(bytes.NewReader(data)), lines.Scorer{Profile: "auto"}
	for {
		text, e, err := scan.next(nil)
		if err == io.EOF {
			f.breaks = scan.line - 1
			return f
		}
		if err != nil {
			t.Fatal(err)
		}
		row := lines.Row{Fault: e.fault}
		if e.fault == nil {
			row = scorer.Score(path, lines.At{Line: e.line, Column: e.column}, text[e.from:e.to])
		}
		f.elements, f.rows = append(f.elements, e), append(f.rows, row)
	}
}

// shardOf returns the ledger of shard number index of n shards. The shard contains the
// elements in [from, to), which are counted over all files.
func shardOf(files []scored, o *setup, index, n int, from, to int) *ledger {
	o.Shard, o.Partial = Shard{index, n}, "to be written"
	l := newLedger(o)
	at := 0
	for i := range files {
		f := &files[i]
		first, last := min(max(from-at, 0), len(f.rows)), min(max(to-at, 0), len(f.rows))
		at += len(f.rows)
		if first == last {
			continue
		}
		base, end := 0, f.breaks
		if first > 0 {
			base = f.elements[first].line - 1
		}
		if last < len(f.rows) {
			end = f.elements[last].line - 1
		}
		l.Lines(i, end-base)
		for j := first; j < last; j++ {
			row, e := f.rows[j], f.elements[j]
			l.Format(i, row.Format)
			row.Runs, row.Warnings = slices.Clone(row.Runs), slices.Clone(row.Warnings)
			e.line -= base
			for k := range row.Warnings {
				if w := &row.Warnings[k]; w.Line > 0 {
					w.Line -= base
				}
			}
			l.enterElement(nil, i, e, &row)
		}
	}
	return l
}

func finishParts(t *testing.T, parts ...[]byte) []byte {
	t.Helper()
	var set tally.Set
	for i, p := range parts {
		if err := set.Read(fmt.Sprint("part ", i), bytes.NewReader(p), int64(len(p))); err != nil {
			t.Fatal(err)
		}
	}
	out, err := set.Finish(0)
	if err != nil {
		t.Fatal(err)
	}
	return wire.Marshal(out)
}

// studiedParts returns the tables of partial results by file, and the samples of their
// regressions.
func studiedParts(t *testing.T, parts ...[]byte) []byte {
	t.Helper()
	var set tally.Set
	for i, p := range parts {
		if err := set.Read(fmt.Sprint("part ", i), bytes.NewReader(p), int64(len(p))); err != nil {
			t.Fatal(err)
		}
	}
	var files []study.Part
	whole, err := set.Join(func(_ string, first int, extra []byte) (err error) {
		files, err = study.ReadParts(files, first, extra)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range whole.Files() {
		files[i].File = f.Path
		files[i].Benchmark, _ = whole.File(i)
	}
	s, err := study.OfParts(files, whole.Figures, tableOptions)
	if err != nil {
		return []byte(err.Error())
	}
	var samples []deviation.Sample
	for i := range files {
		samples = append(samples, files[i].Samples(i)...)
	}
	return describeStudy(s, samples)
}

var tableOptions = study.Options{By: []string{"file"}, Seed: report.DefaultSeed, FPR: map[string]float64{"over-action": 0.2}}

func describeStudy(s *study.Study, samples []deviation.Sample) []byte {
	r, err := deviation.Regress(samples)
	if err != nil {
		return append(wire.Marshal(s), err.Error()...)
	}
	return append(wire.Marshal(s), wire.Marshal(r.Describe(nil))...)
}

// studiedWhole returns the same as the function studiedParts, but computes it from whole
// files and not from partial results.
func studiedWhole(files []scored) []byte {
	var runs []study.Run
	var samples []deviation.Sample
	for i, f := range files {
		format := ""
		for _, row := range f.rows {
			format = cmp.Or(format, row.Format)
		}
		for _, row := range f.rows {
			for j := range row.Runs {
				one := &row.Runs[j].Trajectory
				runs = append(runs, study.Run{Trajectory: one, Columns: map[string]string{"file": f.path, "benchmark": format}, File: i + 1})
				if one.Success != nil && one.Reference != nil {
					samples = append(samples, deviation.Sample{Set: i, Task: deviation.TaskOf(one.Task), Alone: one.Task == "", Success: *one.Success,
						Distance: deviation.Measure(plainActions(one.Observed), plainActions(one.Reference))})
				}
			}
		}
	}
	s, err := study.Of(runs, tableOptions)
	if err != nil {
		return []byte(err.Error())
	}
	return describeStudy(s, samples)
}

// plainActions converts actions to the form that deviation.Measure needs. The result only
// contains whether an action changes something.
func plainActions(actions []report.Action) []boundary.Action {
	out := make([]boundary.Action, len(actions))
	for i, a := range actions {
		v := mutation.Verdict{Control: a.Control}
		switch a.Mutating {
		case "yes":
			v.Mutating = mutation.Yes
		case "no":
			v.Mutating = mutation.No
		}
		out[i].Mutation = v
	}
	return out
}

// mergeParts merges partial results, and returns the bytes that "boundcheck merge --out"
// writes.
func mergeParts(t *testing.T, parts ...[]byte) []byte {
	t.Helper()
	var set tally.Set
	for i, p := range parts {
		if err := set.Read(fmt.Sprint("part ", i), bytes.NewReader(p), int64(len(p))); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if _, err := set.WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestShardings cuts files of testdata into random shards and merges the shards in random
// order, some of them twice. The result must equal the last line of a run over the whole
// files, byte for byte.
func TestShardings(t *testing.T) {
	var files []scored
	err := filepath.WalkDir("../../testdata", func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".jsonl") {
			files = append(files, scoreFile(t, path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	checkShardings(t, files, max(drawn.Cases(100), len(files)))
}

// TestShardingsRecorded scores recorded files, which takes seconds. It does the same as
// TestShardings with the small files, and with BOUNDCHECK_LONG=1 with all of them.
// BOUNDCHECK_SHARDINGS is the number of cuts to try.
func TestShardingsRecorded(t *testing.T) {
	var files []scored
	for _, name := range recordings.Small(t, recordings.Glob(t, "*/*.json*", "*/*/*.json*", "*/*/*/*.json*")) {
		files = append(files, scoreFile(t, recordings.Path(t, name)))
	}
	tries := max(100, len(files))
	if n, err := strconv.Atoi(os.Getenv("BOUNDCHECK_SHARDINGS")); err == nil {
		tries = n
	}
	checkShardings(t, files, tries)
}

func checkShardings(t *testing.T, files []scored, tries int) {
	t.Helper()
	runs, warned, largest, explained := 0, 0, 0, 0
	for try := range tries {
		random := rand.New(rand.NewPCG(18, uint64(try)))
		some := make([]scored, 0, 4)
		for _, i := range random.Perm(len(files))[:1+random.IntN(4)] {
			some = append(some, files[i])
		}
		if try < len(files) { // each file is cut on its own once
			some = files[try : try+1]
		}
		o := &setup{Options: &Options{Profile: "auto", Seed: 42}}
		elements := 0
		for _, f := range some {
			o.inputs = append(o.inputs, inputFile{path: f.path, name: f.path, bytes: -1})
			elements += len(f.rows)
		}
		whole := shardOf(some, o, 0, 1, 0, elements)
		want := whole.Summary(0)
		runs, warned = runs+want.Corpus.N, warned+len(want.Warnings)

		n := 1 + random.IntN(12)
		cuts := []int{0, elements}
		for range n - 1 {
			cuts = append(cuts, random.IntN(elements+1))
		}
		slices.Sort(cuts)
		parts := make([][]byte, n)
		for i := range parts {
			parts[i] = shardOf(some, o, i, n, cuts[i], cuts[i+1]).encode()
			largest = max(largest, len(parts[i]))
		}
		all := slices.Concat(parts, parts[:random.IntN(n+1)]) // some of them twice
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		if got, want := studiedParts(t, all...), studiedWhole(some); !bytes.Equal(got, want) {
			t.Fatalf("try %d, %d files in %d shards, study:\n%s\n%s", try, len(some), n, got, want)
		} else if bytes.Contains(got, []byte(`"method":"ml"`)) {
			explained++
		}
		if got := finishParts(t, all...); !bytes.Equal(got, wire.Marshal(want)) {
			t.Fatalf("try %d, %d files in %d shards:\n%s%s", try, len(some), n, got, wire.Marshal(want))
		}
		// A union is associative, commutative and idempotent, to the last byte of the
		// tally.
		a, b := random.IntN(len(all)+1), random.IntN(len(all)+1)
		left := mergeParts(t, all...)
		if a > 0 && a < len(all) {
			right := mergeParts(t, mergeParts(t, all[a:]...), mergeParts(t, all[:a]...))
			if !bytes.Equal(left, right) || !bytes.Equal(left, mergeParts(t, left, right)) || b > 0 && !bytes.Equal(left, mergeParts(t, right, mergeParts(t, all[:b]...))) {
				t.Fatalf("try %d: a union depends on its order", try)
			}
		}
		if !bytes.Equal(finishParts(t, left), wire.Marshal(want)) {
			t.Fatalf("try %d: the merged tally differs", try)
		}
	}
	t.Logf("%d cuts of %d files: %d runs and %d warnings compared; the largest shard's tally has %d bytes", tries, len(files), runs, warned, largest)
	t.Logf("%d cuts with a regression", explained)
	if runs == 0 || warned == 0 || explained == 0 {
		t.Error("nothing was compared")
	}
}

// TestLineRanges cuts a file at random bytes into ranges. It checks that the ranges
// together contain each line once and in order.
func TestLineRanges(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 2))
	for range 3000 {
		var text strings.Builder
		for i := range random.IntN(12) {
			text.WriteString(strings.Repeat(string(rune('a'+i)), random.IntN(9)) + []string{"\n", "\r\n", "\n\n"}[random.IntN(3)])
		}
		if random.IntN(2) == 0 {
			text.WriteString("end")
		}
		whole := text.String()
		n := 1 + random.IntN(9)
		got := ""
		for i := range n {
			from, to := len(whole)*i/n, len(whole)*(i+1)/n
			if from == to {
				continue
			}
			part, err := io.ReadAll(iotestReader{newLineRange(strings.NewReader(whole[max(from-1, 0):]), part{from: int64(from), to: int64(to)}), 1 + random.IntN(7)})
			if err != nil {
				t.Fatal(err)
			}
			if begun := got; len(part) > 0 && begun != "" && !strings.HasSuffix(begun, "\n") {
				t.Fatalf("%q was cut inside of a line: %q then %q", whole, begun, part)
			}
			got += string(part)
		}
		if got != whole {
			t.Fatalf("%q in %d ranges is %q", whole, n, got)
		}
	}
}

// iotestReader reads at most n bytes at a time.
type iotestReader struct {
	io.Reader
	n int
}

func (r iotestReader) Read(b []byte) (int, error) { return r.Reader.Read(b[:min(len(b), r.n)]) }
