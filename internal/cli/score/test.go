package score

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/config"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/export"
	"github.com/boundcheck/boundcheck/internal/words"
)

const testUsage = `usage: boundcheck test [--update] [--watch] [--allow-missing] [--junit FILE] [--config FILE] [--color WHEN] [DIR]
       boundcheck test [--keep FOLDER] [--upstream URL] [the flags above] [DIR] -- COMMAND [ARG…]

Compares the traces in DIR/traces with the references in DIR/refs (default: the folder here), and shows
where a run and its reference differ. A trace belongs to the reference with its name:
traces/cancel.json, traces/cancel.2.json and traces/cancel/any.json belong to refs/cancel.yaml.
Or its runs name tasks of a suite: {"tasks": [{"id": …, "steps": […]}]}.

A reference to which no trace belongs fails. With COMMAND, no trace in DIR/traces is read: the command
runs and its traces are recorded in a new folder. {task} in an ARG is replaced by the name of each
reference, or each task of a suite, and the command runs once for each. It reaches its model through
this program, as with "boundcheck record"; or it writes traces into the folder $BOUNDCHECK_TRACES.

  --update        change references so that they describe the traces, or write them if they are
                  missing, and test them. What you wrote stays: each step of a file that boundcheck
                  did not make, and edited steps, marks and comments. A run that contradicts it
                  changes nothing; a line names the place and what to edit
  --allow-missing a reference without a trace is only a note
  --keep FOLDER   keep the traces of COMMAND in this new or empty folder
  --upstream URL  the model's API, as with "boundcheck record"
  --watch         test again whenever a file changes, until Ctrl-C
  --junit FILE    write the result as JUnit XML, for CI
  --config FILE   default: boundcheck.yaml in DIR, if there
  --color WHEN    auto (default: on a terminal), always, never

Exit codes: 0 all traces agree with their references, 1 a file cannot be used, 2 usage,
3 a trace differs or was not scored, a reference has no trace, or COMMAND failed.
`

// suiteTest is one run of "boundcheck test".
type suiteTest struct {
	dir, config, color string
	junit              string
	update, watch      bool
	allowMissing       bool
	command            []string // records the traces; nil to test the traces that are there
	keep, upstream     string

	conf           *cmd.ConfigFile
	traces, refs   string
	stdout, stderr io.Writer
	paint          bool
	byName         map[string]*heldTo // by the name of a reference file without its extension
	byTask         map[string]*reference.Reference
	suiteOf        map[string]string // task → its file
	used           map[string]bool   // reference files that were used
	passed, failed int
	below          int // runs that passed with findings below min-confidence
	broken         int // number of files that could not be used
	cases          []export.TestCase
}

// heldTo is a reference file with which traces are compared.
type heldTo struct {
	file string
	one  *reference.Reference // nil for a suite
	task string               // the task of a suite, of which one is the reference; "" otherwise
}

// Test compares traces with their references.
func Test(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	t := &suiteTest{stdout: stdout, stderr: stderr}
	var dirs []string
	set := flag.NewFlagSet("test", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.BoolVar(&t.update, "update", false, "")
	set.BoolVar(&t.watch, "watch", false, "")
	set.StringVar(&t.config, "config", "", "")
	set.StringVar(&t.junit, "junit", "", "")
	set.StringVar(&t.color, "color", "auto", "")
	set.BoolVar(&t.allowMissing, "allow-missing", false, "")
	set.StringVar(&t.keep, "keep", "", "")
	set.StringVar(&t.upstream, "upstream", "", "")
	i := slices.Index(args, "--")
	if i >= 0 {
		args, t.command = args[:i], args[i+1:]
	}
	err := cmd.ParseInterspersed(set, args, &dirs)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, testUsage)
		return cmd.ExitOK
	}
	if err == nil && len(dirs) > 1 {
		err = fmt.Errorf("unexpected argument %q: want one DIR", dirs[1])
	}
	switch {
	case err != nil:
	case i >= 0 && len(t.command) == 0:
		err = errors.New("missing COMMAND after --")
	case t.command == nil && (t.keep != "" || t.upstream != ""):
		err = errors.New("--keep and --upstream need -- COMMAND")
	case t.command != nil && t.watch:
		err = errors.New("--watch cannot be used with -- COMMAND")
	}
	if err == nil {
		err = cmd.OneOf("color", t.color, "auto", "always", "never")
	}
	if err != nil {
		fmt.Fprintf(stderr, "boundcheck test: %v\nrun \"boundcheck test --help\" for help\n", err)
		return cmd.ExitUsage
	}
	t.dir = "."
	if len(dirs) == 1 {
		t.dir = dirs[0]
	}
	t.paint = (&cmd.ScoreFlags{Color: t.color}).UsesColor(stdout)
	if !t.watch {
		return t.runOnce()
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return t.runOnChange(ctx, 300*time.Millisecond)
}

// runOnChange runs the tests at once, and again after each change of a file, until ctx
// ends. It returns the exit code of the last run.
func (t *suiteTest) runOnChange(ctx context.Context, every time.Duration) int {
	seen := "\x00" // differs from every state
	code := cmd.ExitOK
	for {
		if now := t.filesState(); now != seen {
			code = t.runOnce()
			seen = t.filesState() // --update itself changes files
			fmt.Fprintf(t.stdout, "waiting for changes in %s (Ctrl-C ends)\n", t.dir)
		}
		select {
		case <-ctx.Done():
			return code
		case <-time.After(every):
		}
	}
}

// filesState returns a text that changes when one of the configuration, trace or
// reference files changes.
func (t *suiteTest) filesState() string {
	var b strings.Builder
	for _, root := range []string{t.config, filepath.Join(t.dir, config.Name), t.traces, t.refs} {
		if root == "" {
			continue
		}
		filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return nil
			}
			if info, err := e.Info(); err == nil {
				fmt.Fprintf(&b, "%s %d %d\n", path, info.Size(), info.ModTime().UnixNano())
			}
			return nil
		})
	}
	return b.String()
}

func (t *suiteTest) runOnce() int {
	t.passed, t.failed, t.broken, t.below, t.cases = 0, 0, 0, 0, nil
	if err := t.readInputs(); err != nil {
		fmt.Fprintf(t.stderr, "boundcheck test: %v\n", err)
		return cmd.ExitInput
	}
	if t.command != nil {
		done, err := t.recordFresh()
		if err != nil {
			fmt.Fprintf(t.stderr, "boundcheck test: %v\n", err)
			return cmd.ExitInput
		}
		defer done()
	}
	files, err := cmd.FilesIn(t.dir, t.traces)
	if _, none := os.Lstat(t.traces); errors.Is(none, fs.ErrNotExist) && t.command == nil {
		files, err = nil, nil
	}
	if err == nil && len(files) == 0 && t.command != nil && len(t.byName) == 0 {
		err = errors.New("the command wrote no trace into $BOUNDCHECK_TRACES, and there is no reference to which its conversations could belong")
	}
	if err == nil && len(files) == 0 && t.command == nil {
		err = fmt.Errorf("no traces in folder %s; put a run in this folder, for example as %s", t.traces, filepath.Join(t.traces, "cancel.json"))
	}
	if err != nil {
		fmt.Fprintf(t.stderr, "boundcheck test: %v\n", err)
		return cmd.ExitInput
	}
	if t.update {
		t.updateReferences(files)
		err = t.ReadReferences() // the updated files are tested
		if t.command != nil {
			t.tasks()
		}
		if err != nil {
			fmt.Fprintf(t.stderr, "boundcheck test: %v\n", err)
			return cmd.ExitInput
		}
	}
	for _, file := range files {
		if err := t.testFile(file); err != nil {
			t.reportBroken(t.shownName(file), err)
		}
	}
	t.failMissing()
	if t.passed+t.failed+t.broken == 0 {
		t.fail(t.dir, "no trace was tested")
	}
	fmt.Fprintf(t.stdout, "%d passed, %d failed", t.passed, t.failed)
	if t.broken > 0 {
		fmt.Fprintf(t.stdout, ", %d not read", t.broken)
	}
	if t.below > 0 {
		fmt.Fprintf(t.stdout, ", %d with findings below min-confidence", t.below)
	}
	fmt.Fprintln(t.stdout)
	if t.junit != "" {
		if err := cmd.WriteWhole(t.junit, export.TestCases("boundcheck test", t.cases)); err != nil {
			fmt.Fprintf(t.stderr, "boundcheck test: %v\n", err)
			return cmd.ExitInput
		}
	}
	switch {
	case t.failed > 0:
		return cmd.ExitFailed
	case t.broken > 0:
		return cmd.ExitInput
	}
	return cmd.ExitOK
}

// readInputs reads the configuration and the references.
func (t *suiteTest) readInputs() (err error) {
	if t.conf, err = cmd.ReadConfig(t.config, t.dir); err != nil {
		return err
	}
	t.traces, t.refs = filepath.Join(t.dir, "traces"), filepath.Join(t.dir, "refs")
	if t.conf.Traces != "" {
		t.traces = filepath.Join(t.dir, filepath.FromSlash(t.conf.Traces))
	}
	if t.conf.References != "" {
		t.refs = filepath.Join(t.dir, filepath.FromSlash(t.conf.References))
	}
	return t.ReadReferences()
}

// backup matches the copies of files that editors and sed leave behind.
var backup = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(~|\.bak|\.orig|\.rej|\.swp)$`) })

// ReadReferences reads the references.
func (t *suiteTest) ReadReferences() error {
	t.byName, t.byTask, t.suiteOf, t.used = map[string]*heldTo{}, map[string]*reference.Reference{}, map[string]string{}, map[string]bool{}
	files, err := cmd.FilesIn(t.dir, t.refs)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // --update creates them
	}
	if err != nil {
		return err
	}
	for _, file := range files {
		if backup().MatchString(file) {
			continue
		}
		one, byTask, _, err := readReference(file, nil)
		if err != nil {
			return err
		}
		name := pathStem(t.refs, file)
		if t.byName[name] != nil {
			return fmt.Errorf("%s and %s are references with the same name", t.byName[name].file, file)
		}
		t.byName[name] = &heldTo{file: file, one: one}
		for id, ref := range byTask {
			if t.byTask[id] != nil {
				return fmt.Errorf("%s: task %q is also in another suite", file, id)
			}
			t.byTask[id], t.suiteOf[id] = ref, file
		}
	}
	return nil
}

// pathStem returns the path of a file relative to the folder dir, with slashes and
// without the extensions of the file.
func pathStem(dir, file string) string {
	rel, err := filepath.Rel(dir, file)
	if err != nil {
		rel = file
	}
	rel = filepath.ToSlash(rel)
	for _, ending := range []string{".gz", ".zst"} {
		rel = strings.TrimSuffix(rel, ending)
	}
	return strings.TrimSuffix(rel, filepath.Ext(rel))
}

// findReference returns the reference file for a trace with the given name, or nil. It
// tries the whole name first. If no reference file has this name, it removes the part
// from the last "." or "/" and tries again.
func (t *suiteTest) findReference(name string) *heldTo {
	for name != "" && name != "." {
		if h := t.byName[name]; h != nil {
			return h
		}
		if i := strings.LastIndexAny(name, "./"); i >= 0 {
			name = name[:i]
		} else {
			return nil
		}
	}
	return nil
}

// testFile tests one trace.
func (t *suiteTest) testFile(file string) error {
	trace, err := readTrace(file, nil, t.conf)
	if err != nil {
		return err
	}
	r := trace.request
	held := t.findReference(pathStem(t.traces, file))
	if held != nil {
		t.used[held.file], t.used[usedTask(held.file, held.task)] = true, true
		if held.one != nil {
			r.Reference, r.References = held.one, nil
		}
	}
	if held == nil || held.one == nil {
		if len(t.byTask) > 0 {
			r.References = t.byTask
		}
	}
	report, err := core.Evaluate(r)
	if err != nil {
		return err
	}
	if t.showResults(file, held, &report) {
		t.failed++
	} else {
		t.passed++
	}
	return nil
}

// showResults prints the result of each run in a trace, and reports whether at least one
// run fails.
func (t *suiteTest) showResults(file string, held *heldTo, r *core.Report) (failed bool) {
	for i := range r.Trajectories {
		run := &r.Trajectories[i]
		name := t.shownName(file)
		if run.Reference != nil && (held == nil || held.one == nil) {
			t.used[usedTask(t.suiteOf[run.Task], run.Task)] = true
		}
		if len(r.Trajectories) > 1 {
			name += " " + run.ID
		}
		n := 0
		for _, v := range run.Violations {
			if v.Confidence >= t.conf.MinConfidence {
				n++
			}
		}
		result := export.TestCase{Name: name, Class: "boundcheck test"}
		switch {
		case run.Error != nil:
			t.printLine("31", "FAIL", name, "not scored: "+run.Error.Message)
			result.Error = run.Error.Message
			failed = true
		case run.Doubt != "" && n == 0:
			t.printLine("31", "FAIL", name, run.Doubt)
			result.Failure = run.Doubt
			failed = true
		case run.Reference == nil:
			text := fmt.Sprintf("no reference: want file %s, or task %q in a suite. The flag --update writes a reference", filepath.Join(t.refs, filepath.FromSlash(pathStem(t.traces, file))+".yaml"), run.Task)
			t.printLine("31", "FAIL", name, text)
			result.Failure = text
			failed = true
		case n == 0 && run.Success != nil && !*run.Success && t.conf.FailOn != "never":
			result.Failure = cmp.Or(run.Verdict, "Recorded as failed; all violations are below the confidence that counts.")
			result.Text = strings.Join(run.Recorded, "\n")
			t.printLine("31", "FAIL", name, result.Failure)
			failed = true
		case n == 0 && len(run.Violations) == 0 && run.Passed == nil && t.conf.FailOn != "never":
			t.printLine("31", "FAIL", name, run.Verdict)
			result.Failure = run.Verdict
			failed = true
		case n == 0 || t.conf.FailOn == "never":
			text := fmt.Sprintf("%s, %s", words.Count(len(run.Observed), "call", "calls"), words.Count(n, "violation", "violations"))
			if below := len(run.Violations) - n; below > 0 {
				text += fmt.Sprintf("; %d more below min-confidence: %s", below, run.Violations[0].Type)
				t.below++
			}
			t.printLine("32", "ok", name, text)
		default:
			failed = true
			against := "its suite"
			if held != nil {
				against = held.file
			}
			text := fmt.Sprintf("%s against %s", words.Count(n, "violation", "violations"), against)
			t.printLine("31", "FAIL", name, text)
			cmd.Difference{W: t.stdout, Color: t.paint}.PrintRun(run)
			var plain strings.Builder
			cmd.Difference{W: &plain}.PrintRun(run)
			result.Failure, result.Text = text, plain.String()
		}
		t.cases = append(t.cases, result)
	}
	if len(r.Trajectories) == 0 {
		t.printLine("31", "FAIL", t.shownName(file), "the file contains no run")
		failed = true
	}
	return failed
}

func (t *suiteTest) printLine(style, word, name, text string) {
	shown := fmt.Sprintf("%-5s", word)
	if t.paint {
		shown = "\x1b[" + style + "m" + shown + "\x1b[0m"
	}
	fmt.Fprintf(t.stdout, "%s %s  %s\n", shown, words.Printable(name), words.Printable(text))
}

// failMissing fails each reference, and each task of a suite, to which no trace belongs.
func (t *suiteTest) failMissing() {
	var names []string
	for _, h := range t.byName {
		if h.one != nil && h.task == "" && !t.used[h.file] {
			names = append(names, h.file)
		}
	}
	for id := range t.byTask {
		if !t.used[usedTask(t.suiteOf[id], id)] {
			names = append(names, fmt.Sprintf("%s task %s", t.suiteOf[id], id))
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if t.allowMissing {
			t.printLine("33", "note", name, "no trace belongs to this reference")
		} else {
			t.fail(name, "no trace belongs to this reference; --allow-missing allows that")
		}
	}
}

// reportBroken reports a file that cannot be used.
func (t *suiteTest) reportBroken(name string, err error) {
	t.broken++
	t.printLine("31", "ERROR", name, err.Error())
	t.cases = append(t.cases, export.TestCase{Name: name, Class: "boundcheck test", Error: err.Error()})
}

// usedTask returns the key of a task of a suite in suiteTest.used.
func usedTask(file, task string) string { return file + "\x00" + task }

// fail records a failure that is not about one run.
func (t *suiteTest) fail(name, text string) {
	t.failed++
	t.printLine("31", "FAIL", name, text)
	t.cases = append(t.cases, export.TestCase{Name: name, Class: "boundcheck test", Failure: text})
}
