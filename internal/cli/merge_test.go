package cli

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/clitest"
	"github.com/boundcheck/boundcheck/internal/recordings"
)

// scoreShards scores n shards of some files, and returns their partial results.
func scoreShards(t *testing.T, n int, flags ...string) (partials []string, rows int) {
	t.Helper()
	dir := t.TempDir()
	for i := range n {
		partials = append(partials, filepath.Join(dir, fmt.Sprint(i)))
		code, out, errs := runCommand("", append([]string{"score", "--stream", "--partial", partials[i], "--shard", fmt.Sprintf("%d/%d", i, n)}, flags...)...)
		if code != 0 {
			t.Fatalf("shard %d of %d: exit %d %s", i, n, code, errs)
		}
		rows += strings.Count(out, "\n") - 1
	}
	return partials, rows
}

// TestMergeIsTheWhole cuts files of every layout into different numbers of shards, at any
// byte, and scores each shard. It checks that merge computes the last line that score
// --stream prints for the uncut files.
func TestMergeIsTheWhole(t *testing.T) {
	rows := clitest.TauRows(t, 40)
	rows = append(rows, rows[3], rows[5], "not JSON", rows[3])
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	z.Write([]byte(clitest.JoinLines(rows[:9])))
	z.Close()
	files := []string{clitest.WriteTemp(t, "b.jsonl", clitest.JoinLines(rows)), clitest.WriteTemp(t, "a.json", clitest.JSONList(rows[:7])), clitest.WriteTemp(t, "c.jsonl.gz", zipped.String()),
		clitest.WriteTemp(t, "bom.jsonl", "\xef\xbb\xbf"+strings.Join(rows[:11], "\r\n\r\n")), clitest.WriteTemp(t, "blank.jsonl", "\n\n \n\n\n"), clitest.WriteTemp(t, "empty.jsonl", "")}
	for _, some := range [][]string{files, files[:1], files[4:5], files[5:]} {
		_, out, _ := runCommand("", append([]string{"score", "--stream"}, some...)...)
		for _, n := range []int{1, 3, 7, 40} {
			partials, got := scoreShards(t, n, some...)
			if n > 7 {
				partials[0], partials[n-1] = partials[n-1], partials[0]
			}
			_, merged, errs := runCommand("", append([]string{"merge"}, partials...)...)
			if merged != clitest.LastLine(out) {
				t.Fatalf("%d shards of %v: %s\n%s%s", n, some, errs, merged, clitest.LastLine(out))
			}
			if want := strings.Count(out, "\n") - 1; got != want && !(want == 1 && got == 0) { // a blank file that is cut has no row
				t.Errorf("%d shards of %v: %d rows, want %d", n, some, got, want)
			}
		}
	}
}

// TestMergeRecorded scores recorded files four times, which takes seconds. It checks that merge
// computes the last line that score --stream prints for the uncut files, together and one by
// one. It takes every sixth small file, and with BOUNDCHECK_LONG=1 all. TestShardingsRecorded of
// internal/stream cuts each file, the large ones, too.
func TestMergeRecorded(t *testing.T) {
	last := map[string]string{}
	var good []string
	for _, name := range recordings.Some(t, recordings.Glob(t, "*/*.json*", "*/*/*.json*", "*/*/*/*.json*")) {
		path := recordings.Path(t, name)
		if _, out, _ := runCommand("", "score", "--stream", path); strings.Contains(clitest.LastLine(out), `"corpus"`) { // else it is one run, or not a trace
			good, last[path] = append(good, path), clitest.LastLine(out)
		}
	}
	_, out, _ := runCommand("", append([]string{"score", "--stream"}, good...)...)
	if len(good) == 0 || !strings.Contains(clitest.LastLine(out), `"corpus"`) {
		t.Fatalf("%d files: nothing to compare in %s", len(good), clitest.LastLine(out))
	}
	same := func(want string, shards int, files ...string) {
		t.Helper()
		partials, _ := scoreShards(t, shards, files...)
		if _, merged, errs := runCommand("", append([]string{"merge"}, partials...)...); merged != want {
			t.Errorf("%v in %d shards: %s\n%s%s", files, shards, errs, merged, want)
		}
	}
	same(clitest.LastLine(out), 8, good...)
	for i, path := range good {
		same(last[path], 1+i%7, path)
	}
	t.Logf("%d files", len(good))
}

// TestMergeOfPieces checks that merge computes the last line of a file that another
// program has cut into pieces. Files that were scored separately must merge like files
// that were scored together.
func TestMergeOfPieces(t *testing.T) {
	rows := clitest.TauRows(t, 5)
	whole := clitest.WriteTemp(t, "runs.jsonl", clitest.JoinLines(append(rows, rows...)))
	_, want, _ := runCommand("", "score", "--stream", whole)
	dir := t.TempDir()
	for i, piece := range []string{clitest.JoinLines(rows[:13]), clitest.JoinLines(append(slices.Clone(rows[13:]), rows[:2]...)), clitest.JoinLines(rows[2:])} {
		if code, _, errs := runCommand(piece, "score", "--stream", "--partial", filepath.Join(dir, fmt.Sprint(i)), "--as", whole, "--shard", fmt.Sprintf("%d/3", i), "-"); code != 0 {
			t.Fatal(errs)
		}
	}
	if code, merged, errs := runCommand("", "merge", dir+"/1", dir+"/2", dir+"/0"); code != 0 || merged != clitest.LastLine(want) {
		t.Errorf("%s\n%s%s", errs, merged, clitest.LastLine(want))
	}
	// Files that were scored separately merge like files that were scored together.
	a, b := clitest.WriteTemp(t, "a.jsonl", clitest.JoinLines(rows[:9])), clitest.WriteTemp(t, "b.jsonl", clitest.JoinLines(rows[4:]))
	if filepath.Dir(a) > filepath.Dir(b) {
		a, b = b, a
	}
	runCommand("", "score", "--stream", "--partial", dir+"/a", a)
	runCommand("", "score", "--stream", "--partial", dir+"/b", b)
	_, want, _ = runCommand("", "score", "--stream", a, b)
	if _, merged, errs := runCommand("", "merge", dir+"/b", dir+"/a"); merged != clitest.LastLine(want) {
		t.Errorf("%s\n%s%s", errs, merged, clitest.LastLine(want))
	}
}

// TestMergeSays checks the messages of merge about missing, repeated and damaged shards,
// and about shards of another division of the file.
func TestMergeSays(t *testing.T) {
	rows := clitest.TauRows(t, 12)
	file := clitest.WriteTemp(t, "runs.jsonl", clitest.JoinLines(rows))
	partials, _ := scoreShards(t, 4, file)
	seeded, _ := scoreShards(t, 2, "--seed", "7", clitest.WriteTemp(t, "others.jsonl", clitest.JoinLines(rows)))
	halves, _ := scoreShards(t, 2, file)
	changed := clitest.WriteTemp(t, "runs.jsonl", "")
	os.Remove(changed)
	text, _ := os.ReadFile(partials[1])
	damaged := clitest.WriteTemp(t, "damaged", string(text[:len(text)-9])+"X"+string(text[len(text)-8:]))
	cut := clitest.WriteTemp(t, "cut", string(text[:len(text)-5]))
	other := clitest.WriteTemp(t, "other", strings.Replace(string(text), `"errors":0`, `"errors":1`, 1))
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{}, 2, "missing PARTIAL"},
		{[]string{"--out", "x", "--seed", "1", partials[0]}, 2, "cannot be used with --out, because --out computes no figures"},
		{[]string{partials[0], partials[3]}, 1, "the shards 1, 2 of 4 of " + file + " are missing; score these shards, or use --incomplete to compute the figures without these shards"},
		{[]string{"--incomplete", partials[0], partials[3]}, 0, "the figures do not include these shards"},
		{append(partials, partials[2]), 0, "shard 2 of 4 of " + file + " (" + partials[2] + ", " + partials[2] + ") is given twice and counts only once"},
		{append(partials, damaged), 0, damaged + ": shard 1 of 4 is damaged, because its checksum is wrong; an undamaged copy is used instead"},
		{append([]string{damaged}, partials...), 0, damaged + ": shard 1 of 4 is damaged, because its checksum is wrong; an undamaged copy is used instead"},
		{append([]string{damaged, cut}, partials...), 0, cut + ": shard 1 of 4 is cut short; an undamaged copy is used instead"},
		{append(partials, cut), 0, cut + ": shard 1 of 4 is cut short; an undamaged copy is used instead"},
		{[]string{partials[0], damaged, damaged, partials[2], partials[3]}, 1, "is damaged"},
		{[]string{partials[0], cut, partials[2], partials[3]}, 1, "is cut short"},
		{[]string{"--out", filepath.Join(t.TempDir(), "x"), partials[0], cut}, 1, "is cut short"},
		{[]string{partials[0], damaged, partials[2], partials[3]}, 1, "is damaged"},
		{[]string{cut}, 1, "shard 1 of 4 is cut short"},
		{append(partials, other), 1, " differ in shard 1 of 4 of "},
		{append(partials, halves...), 1, "Merge only shards of the same division"},
		{append(partials, seeded...), 1, "--seed 42 and 7"},
		{[]string{file}, 1, "the file is not a partial result"},
		{[]string{clitest.WriteTemp(t, "nothing", "")}, 1, "is empty. Use a file that score --stream --partial wrote"},
		{[]string{filepath.Dir(file)}, 1, "is not a file"},
		{[]string{file + ".absent"}, 1, "no such file"},
		{append([]string{"--fail-under", "abs=1.01"}, partials...), 3, "abs is"},
	} {
		code, out, errs := runCommand("", append([]string{"merge"}, c.args...)...)
		if code != c.code || !strings.Contains(errs, c.want) {
			t.Errorf("%v: exit %d %s, want %d %s", c.args, code, errs, c.code, c.want)
		}
		if incomplete := strings.Contains(out, `"shard-missing"`); incomplete != (c.code == 0 && c.args[0] == "--incomplete") {
			t.Errorf("%v: %s", c.args, out)
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--partial", "x", file}, "--partial, --shard and --as need --stream"},
		{[]string{"--stream", "--shard", "0/2", file}, "need --partial FILE"},
		{[]string{"--stream", "--shard", "2/2", "--partial", "x", file}, `invalid --shard "2/2"; want I/N with I from 0 to N-1, as in 0/8`},
		{[]string{"--stream", "--as", "y", "--partial", "x", file}, "--as also needs --shard I/N"},
		{[]string{"--stream", "--shard", "0/2", "--fail-under", "abs=1", "--partial", "x", file}, "give --fail-under to boundcheck merge"},
		{[]string{"--stream", "--partial", "x", "--out", "x", file}, "need different files"},
		{[]string{"--stream", "--partial", file, file}, "choose another file for --partial"},
		{[]string{"https://localhost/runs.jsonl"}, "a URL can be read only with --stream"},
		{[]string{"--stream", "--resume", file}, "--resume needs --out FILE or --partial FILE"},
	} {
		if code, _, errs := runCommand("", append([]string{"score"}, c.args...)...); code != 2 || !strings.Contains(errs, c.want) {
			t.Errorf("%v: exit %d %s", c.args, code, errs)
		}
	}
	if code, _, errs := runCommand(clitest.JoinLines(rows), "score", "--stream", "--shard", "0/2", "--partial", filepath.Join(t.TempDir(), "x"), "-"); code != 1 || !strings.Contains(errs, "name the original file with --as") {
		t.Errorf("standard input: %d %s", code, errs)
	}
}

// TestMergeInSteps checks that partial results can be merged in several steps, with the
// same result as in one step. With --resume, a shard whose partial result is complete is
// not scored again.
func TestMergeInSteps(t *testing.T) {
	file := clitest.WriteTemp(t, "runs.jsonl", clitest.JoinLines(clitest.TauRows(t, 12)))
	partials, _ := scoreShards(t, 5, file)
	dir := t.TempDir()
	for i, args := range [][]string{{partials[4], partials[1]}, {partials[1], partials[0]}, {partials[2], partials[3]}} {
		if code, out, errs := runCommand("", append([]string{"merge", "--out", filepath.Join(dir, fmt.Sprint(i))}, args...)...); code != 0 || out != "" {
			t.Fatal(errs)
		}
	}
	_, want, _ := runCommand("", append([]string{"merge"}, partials...)...)
	if code, got, errs := runCommand("", "merge", dir+"/0", dir+"/2", dir+"/1"); code != 0 || got != want {
		t.Errorf("%s\n%s%s", errs, got, want)
	}
	before, _ := os.Stat(partials[2])
	code, out, errs := runCommand("", "score", "--stream", "--resume", "--partial", partials[2], "--shard", "2/5", file)
	if after, _ := os.Stat(partials[2]); code != 0 || out != "" || !strings.Contains(errs, "already contains this result") || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("scored again: %d %s", code, errs)
	}
	os.Truncate(partials[2], before.Size()/2)
	if code, _, _ := runCommand("", "score", "--stream", "--resume", "--partial", partials[2], "--shard", "2/5", file); code != 0 {
		t.Error("a partial result that is cut short was not made again")
	}
	if _, got, _ := runCommand("", append([]string{"merge"}, partials...)...); got != want {
		t.Error("it differs")
	}
}
