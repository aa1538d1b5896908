//go:build linux

package readcmd

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/recordings"
)

// TestRealShells runs for 6 seconds, or as long as BOUNDCHECK_SHELL_FUZZ says, for example
// 10m. It runs the command lines that Line accepts in real shells, and fails if a line has
// an effect. With -short the duration is 6 seconds, too.
func TestRealShells(t *testing.T) {
	long := os.Getenv("BOUNDCHECK_SHELL_FUZZ")
	if testing.Short() || long == "" {
		long = "6s"
	}
	seed := os.Getenv("BOUNDCHECK_SHELL_SEED")
	if seed == "" {
		seed = "1"
	}
	out := enterSandbox(t, "TestLinesInSandbox", "BOUNDCHECK_SHELL_FUZZ="+long, "BOUNDCHECK_SHELL_SEED="+seed)
	for line := range strings.Lines(out) {
		if strings.Contains(line, "lines passed") {
			t.Log(strings.TrimSpace(line))
		}
	}
}

// TestLinesInSandbox is the test that TestRealShells runs in the sandbox.
func TestLinesInSandbox(t *testing.T) {
	if os.Getenv(inSandbox) == "" {
		t.Skip("run by TestRealShells")
	}
	length, err := time.ParseDuration(os.Getenv("BOUNDCHECK_SHELL_FUZZ"))
	if err != nil {
		t.Fatal(err)
	}
	seed, err := strconv.ParseUint(os.Getenv("BOUNDCHECK_SHELL_SEED"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	known := knownLines(t)
	s := openSandbox(t)
	s.provesItself(t)
	end := time.Now().Add(length)
	g := newGenerator(seed, known)
	tried, passed := 0, 0
	var batch []string
	next := func() string {
		if tried <= len(known) {
			return known[(tried+int(seed)*7919)%len(known)]
		}
		return g.randomLine()
	}
	for (time.Now().Before(end) || passed < 120) && !t.Failed() {
		tried++
		line := next()
		if !Line(line, Own).Reads {
			continue
		}
		passed++
		if batch = append(batch, line); len(batch) == 120 {
			s.runBatch(t, batch, passed)
			batch = batch[:0]
		}
	}
	s.runBatch(t, batch, passed)
	t.Logf("%d of %d lines passed and ran %d times in real shells without a canary", passed, tried, s.ran.Load())
	for len(s.slow) > 0 {
		t.Logf("until its time was up: %s", <-s.slow)
	}
	if passed < 100 {
		t.Error("too few lines to mean anything")
	}
}

// provesItself checks that the sandbox detects effects. It runs lines with a known
// effect, and fails if the sandbox does not report this effect.
func (s *sandbox) provesItself(t *testing.T) {
	t.Helper()
	for line, want := range map[string]string{"touch PWN": "called", "echo x > a": "changed", "echo x > /tmp/y": "new", "cat < /dev/tcp/127.0.0.1/9": "connected", "nope": "called", "echo $((X))": "called", "sort -o out a": "changed"} {
		s.runLine(ways[0], line, 0)
		if out := strings.Join(s.findChanges(), " "); !strings.Contains(out, want) {
			t.Fatalf("%q: the canaries say %q, want %s", line, out, want)
		}
		s.rebuildWorkDir(t)
	}
	if out := s.findChanges(); len(out) > 0 {
		t.Fatalf("nothing ran, and the canaries say %q", out)
	}
}

// runBatch runs many lines at the same time, each in several shells (see isDue). If the
// lines have an effect, runBatch runs them again one by one to find the line with the
// effect.
func (s *sandbox) runBatch(t *testing.T, lines []string, values int) {
	t.Helper()
	s.runLines(lines, values)
	s.reapOrphans()
	together := s.findChanges()
	if len(together) == 0 {
		return
	}
	s.rebuildWorkDir(t)
	for i, line := range lines {
		for k, w := range ways {
			if !isDue(k, i) {
				continue
			}
			s.runLine(w, line, values+i)
			if !w.stdin {
				s.runLine(w, line, values)
			}
			if out := s.findChanges(); len(out) > 0 {
				t.Errorf("%s, values %d: %q\n\t%s", w.name, values+i, line, strings.Join(out, "\n\t"))
				s.rebuildWorkDir(t)
			}
		}
	}
	if !t.Failed() {
		t.Errorf("lines that did something together, and not alone: %q\n%q", together, lines)
	}
}

// isDue reports whether a line is run in a shell. The parameters way and line are the
// indices of the shell and the line. Each line is run in bash and in zsh, a sixth of the
// lines in the other shells, and a twelfth in interactive shells.
func isDue(way, line int) bool {
	switch {
	case way < 2:
		return true
	case ways[way].stdin:
		return line%12 == way
	}
	return line/20%6 == way // whole groups
}

// runLines runs lines in several shells, a few lines at the same time. For each line, the
// function isDue selects the shells.
func (s *sandbox) runLines(lines []string, values int) {
	var running sync.WaitGroup
	slots := make(chan bool, 6)
	begin := func(run func()) {
		slots <- true
		running.Go(func() {
			run()
			<-slots
		})
	}
	for group := range (len(lines) + 19) / 20 {
		chunk := lines[group*20 : min(len(lines), group*20+20)]
		for k, w := range ways {
			if !w.stdin && isDue(k, group*20) {
				begin(func() { s.runTogether(w, chunk, values) })
			}
		}
	}
	for i, line := range lines {
		for k, w := range ways {
			if w.stdin && isDue(k, i) {
				begin(func() { s.runLine(w, line, values+i) })
			}
		}
	}
	running.Wait()
}

// knownLines returns the lines of the tests and, if they exist, of the labelled cases and
// of recorded runs.
func knownLines(t *testing.T) []string {
	lines := strings.Split(strings.ReplaceAll(reading, "␤", "\n"), "\n")
	lines = append(lines, strings.Split(holding, "\n")...)
	for _, file := range append([]string{"gate-cases/cases.jsonl"}, recordedRuns...) {
		text, err := os.ReadFile(filepath.Join(recordings.Dir(), file))
		if err != nil {
			t.Logf("not there: %s", file)
			continue
		}
		seen := map[string]int{}
		countCommands(string(text), seen)
		for _, line := range slices.Sorted(maps.Keys(seen)) {
			if !strings.Contains(line, "find / ") { // it takes too long
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// TestWords compares the words that the parser reads with the words of bash, zsh and
// dash.
func TestWords(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b", "-o", "a b", "c.go", "src"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	g := newGenerator(3, strings.Split(reading, "\n"))
	for _, shell := range []string{"bash", "zsh", "dash"} {
		if _, err := exec.LookPath(shell); err != nil {
			t.Logf("SKIPPED: no %s here; words were not compared with it", shell)
			continue
		}
		var script strings.Builder
		var all [][]Word
		var texts []string
		script.WriteString(`show() { for w in "$@"; do printf '%s\0' "w$w"; done; printf 'end\0'; }` + "\n")
		for len(all) < 400 {
			text := g.randomWords(4)
			words, ok := onlyWords(text)
			if !ok || strings.Contains(text, "$(") || shell == "dash" && strings.Contains(text, "$'") {
				continue
			}
			all, texts = append(all, words), append(texts, text)
			script.WriteString("(show " + text + "\n) 2>/dev/null || printf 'end\\0'\n")
		}
		cmd := exec.Command(shell, "-c", script.String())
		cmd.Dir = dir
		cmd.Env = []string{"PATH=/usr/bin:/bin", "HOME=/home/x", "X=-o out", "x=", "f=a*"}
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v %s", shell, err, stderr.String())
		}
		groups := strings.Split(strings.TrimSuffix("\x00"+string(out), "end\x00"), "\x00end")
		if len(groups) < len(all) {
			t.Fatalf("%s: %d groups of %d", shell, len(groups), len(all))
		}
		failed := 0
		for i, words := range all {
			got := strings.Split(strings.Trim(groups[i], "\x00"), "\x00")
			if groups[i] == "" || groups[i] == "\x00" {
				got = nil // an error, such as a pattern without matching names
				if shell != "bash" {
					failed++
					continue
				}
			}
			for k := range got {
				got[k] = strings.TrimPrefix(got[k], "w")
			}
			if !wordsMatch(words, got) {
				t.Errorf("%s: %q: read as %v, is %q", shell, texts[i], words, got)
			}
		}
		t.Logf("%s: %d texts compared, %d without words", shell, len(all), failed)
	}
}

// onlyWords parses a text that consists of words only.
func onlyWords(text string) (words []Word, ok bool) {
	p := &parser{usage: &usage{}, text: text}
	for {
		p.skipBlanks()
		if p.at == len(text) {
			return words, true
		}
		start := p.at
		w, why := p.readWord()
		if why != "" || p.at == start {
			return nil, false
		}
		words = append(words, w.toWord())
	}
}

// wordsMatch reports whether a shell may expand words to exactly the given texts.
func wordsMatch(words []Word, texts []string) bool {
	if len(words) == 0 {
		return len(texts) == 0
	}
	w, rest := words[0], words[1:]
	switch w.Kind {
	case Literal:
		return len(texts) > 0 && texts[0] == w.Text && wordsMatch(rest, texts[1:])
	case Begins:
		return len(texts) > 0 && strings.HasPrefix(texts[0], w.Text) && wordsMatch(rest, texts[1:])
	}
	for n := 0; n <= len(texts); n++ {
		if wordsMatch(rest, texts[n:]) {
			return true
		}
		if n < len(texts) && !strings.HasPrefix(texts[n], w.Text) {
			return false
		}
	}
	return false
}
