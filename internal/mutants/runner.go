package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// runner tries the changes of packages and prints those that no test notices.
type runner struct {
	dir     string // root of the module; "" for the working directory
	count   int
	seed    uint64
	also    []string
	verbose bool
	out     io.Writer
}

// fate is the outcome of a change.
type fate string

const (
	noticed   fate = "noticed"
	elsewhere fate = "noticed only by other packages' tests"
	unbuilt   fate = "does not compile"
	accepted  fate = "known to change nothing"
	left      fate = "NOT NOTICED"
)

// run tries the packages in turn and returns the number of changes that no test noticed.
func (r *runner) run(ctx context.Context, known string, packages []string) (int, error) {
	equivalent, err := readKnown(known)
	if err != nil {
		return 0, err
	}
	total := 0
	for _, p := range packages {
		n, err := r.tryPackage(ctx, p, equivalent)
		if err != nil {
			return total, fmt.Errorf("%s: %w", p, err)
		}
		total += n
	}
	return total, nil
}

// readKnown reads the file that lists the changes that make no difference. Each line is
// the stable key of a change, " | " and a reason. The result contains the keys. A missing
// file counts as an empty list.
func readKnown(path string) (map[string]bool, error) {
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	known := map[string]bool{}
	for i, line := range strings.Split(string(text), "\n") {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		at := strings.LastIndex(line, " | ")
		if at < 0 || strings.Count(line, " | ") < 4 {
			return nil, fmt.Errorf("%s line %d: want file | function | line of code | kind of change | reason", path, i+1)
		}
		known[line[:at]] = true
	}
	return known, nil
}

func (r *runner) tryPackage(ctx context.Context, pattern string, equivalent map[string]bool) (int, error) {
	files, err := r.listSources(ctx, pattern)
	if err != nil {
		return 0, err
	}
	var all []change
	texts := map[string]string{}
	for _, path := range files {
		text, err := os.ReadFile(filepath.Join(r.dir, path))
		if err != nil {
			return 0, err
		}
		texts[path] = string(text)
		changes, err := changesOf(filepath.ToSlash(path), string(text))
		if err != nil {
			return 0, err
		}
		all = append(all, changes...)
	}
	limit, err := r.runBaseline(ctx, pattern)
	if err != nil {
		return 0, err
	}
	random := rand.New(rand.NewPCG(r.seed, uint64(len(all))))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	fates := map[fate]int{}
	tried := 0
	for _, c := range all {
		if r.count > 0 && tried >= r.count {
			break
		}
		got, err := r.tryChange(ctx, pattern, c, texts[filepath.FromSlash(c.file)], limit, equivalent)
		if err != nil {
			return 0, err
		}
		fates[got]++
		if got != unbuilt {
			tried++
		}
		r.printFate(c, got)
	}
	fmt.Fprintf(r.out, "%-22s %4d of %4d changes tried: %d noticed, %d noticed only by other packages' tests, %d known to change nothing, %d not noticed\n",
		pattern, tried, len(all), fates[noticed], fates[elsewhere], fates[accepted], fates[left])
	return fates[left], nil
}

func (r *runner) printFate(c change, got fate) {
	if got == left || r.verbose {
		fmt.Fprintf(r.out, "%s:%d: %s\n\t%s\n\t%s\n", c.file, c.line, got, c.stableKey(), c.with)
	}
}

// listSources returns the files of a package, relative to the module.
func (r *runner) listSources(ctx context.Context, pattern string) ([]string, error) {
	out, err := r.goTool(ctx, "list", "-json=Dir,GoFiles,Module", pattern)
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	var p struct {
		Dir     string
		GoFiles []string
		Module  struct{ Dir string }
	}
	if err := json.Unmarshal(out, &p); err != nil {
		return nil, err
	}
	rel, err := filepath.Rel(p.Module.Dir, p.Dir)
	if err != nil {
		return nil, err
	}
	for i, name := range p.GoFiles {
		p.GoFiles[i] = filepath.Join(rel, name)
	}
	return p.GoFiles, nil
}

// runBaseline runs the tests without a change, and returns the time limit for runs with a
// change. It returns an error if the tests fail.
func (r *runner) runBaseline(ctx context.Context, pattern string) (time.Duration, error) {
	if out, err := r.goTool(ctx, "test", "-count=1", "-run", "^$", pattern); err != nil { // compile only
		return 0, fmt.Errorf("the tests do not compile: %w\n%s", err, out)
	}
	start := time.Now()
	if out, err := r.goTool(ctx, "test", "-count=1", pattern); err != nil {
		return 0, fmt.Errorf("the tests already fail on the unchanged code: %w\n%s", err, out)
	}
	return 10*time.Since(start) + time.Minute, nil
}

// tryChange runs the tests with one change and returns the outcome. If the tests exceed
// the time limit, the change counts as noticed.
func (r *runner) tryChange(ctx context.Context, pattern string, c change, text string, limit time.Duration, equivalent map[string]bool) (fate, error) {
	dir, err := os.MkdirTemp("", "mutant-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	overlay, err := r.writeOverlay(dir, c, text)
	if err != nil {
		return "", err
	}
	test := func(patterns ...string) ([]byte, error) {
		args := append([]string{"test", "-vet=off", "-count=1", "-failfast", "-timeout", limit.String(), "-overlay", overlay}, patterns...)
		out, err := r.goTool(ctx, args...)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return out, err
	}
	out, err := test(pattern)
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	switch {
	case err != nil && bytes.Contains(out, []byte("[build failed]")):
		return unbuilt, nil
	case err != nil:
		return noticed, nil
	case equivalent[c.stableKey()]:
		return accepted, nil
	case len(r.also) == 0:
		return left, nil
	}
	if _, err := test(r.also...); ctx.Err() != nil {
		return "", ctx.Err()
	} else if err != nil {
		return elsewhere, nil
	}
	return left, nil
}

// writeOverlay writes the changed file and an overlay file, and returns the path of the
// overlay file. With the overlay file, the go command reads the changed file instead of
// the original file.
func (r *runner) writeOverlay(dir string, c change, text string) (string, error) {
	changed := filepath.Join(dir, filepath.Base(c.file))
	if err := os.WriteFile(changed, []byte(c.apply(text)), 0o600); err != nil {
		return "", err
	}
	base := r.dir
	if base == "" {
		base = "."
	}
	original, err := filepath.Abs(filepath.Join(base, filepath.FromSlash(c.file)))
	if err != nil {
		return "", err
	}
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {original: changed}})
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "overlay.json")
	return path, os.WriteFile(path, replace, 0o600)
}

func (r *runner) goTool(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = r.dir
	cmd.WaitDelay = 10 * time.Second
	if args[0] == "list" {
		return cmd.Output()
	}
	return cmd.CombinedOutput()
}
