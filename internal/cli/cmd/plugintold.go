package cmd

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/boundcheck/boundcheck/internal/words"
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/host"
)

// toldPlugin counts the requests to one plugin in a command, and its answers. Safe for
// concurrent use.
type toldPlugin struct {
	name, version string
	checks        bool // the command asks it to rule on runs

	mu                        sync.Mutex
	asked, failed, runs, rows int // runs: those with a ruling; rows: all rows that it ruled on
	last                      error

	tools, unsaid, words, strict int // tools that it was asked about, failed on, had a verdict on, and had a verdict other than "no" on
}

// countClassified counts the plugin's answer about one tool. err is the plugin's error,
// or nil.
func (t *toldPlugin) countClassified(a *abi.Classified, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tools++
	switch {
	case err != nil:
		t.unsaid++
		t.last = err
	case len(a.Tools) > 0:
		t.words++
		if slices.ContainsFunc(a.Tools, func(c abi.Classification) bool { return c.Mutating != "no" }) {
			t.strict++
		}
	}
}

// countCheck counts the plugin's answer about one run. err is the plugin's error, or nil.
func (t *toldPlugin) countCheck(a *abi.Check, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.asked++
	if err != nil {
		t.failed++
		t.last = err
		return
	}
	if n := len(a.Excused) + len(a.Blamed); n > 0 {
		t.runs++
		t.rows += n
	}
}

// mayHaveAdvised reports whether the plugin may have affected any verdict on a tool.
func (t *toldPlugin) mayHaveAdvised() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.strict+t.unsaid > 0
}

// uselessError returns the last error of a plugin that failed on every run. For a plugin
// that was asked only about tools, it returns the last error if the plugin failed on
// every tool. In all other cases it returns nil.
func (t *toldPlugin) uselessError() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.asked > 0 && t.failed == t.asked || t.asked == 0 && t.tools > 0 && t.unsaid == t.tools {
		return t.last
	}
	return nil
}

// summaryLine returns one line of text about the plugin's contribution. profile is the
// profile of the report, or "" if the profile is unknown.
func (t *toldPlugin) summaryLine(profile string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := fmt.Sprintf("plugin %s %s: ", words.Printable(t.name), words.Printable(t.version))
	switch {
	case t.tools > 0 && t.asked == 0:
		return s + t.onTools()
	case t.asked == 0 && !t.checks:
		return s + "there was no tool to classify"
	case t.asked == 0:
		return s + "not asked, because the plugin supports none of these runs"
	case t.rows == 0:
		s += fmt.Sprintf("gave a verdict on none of %s", words.Count(t.asked, "run", "runs"))
	default:
		s += fmt.Sprintf("gave a verdict on %s in %d of %s", words.Count(t.rows, "row", "rows"), t.runs, words.Count(t.asked, "run", "runs"))
		switch profile {
		case "sop":
			s += ", but the profile sop does not use these verdicts (use --profile outcome instead)"
		case "mixed":
			s += ", used only under the profile outcome"
		}
	}
	if t.failed > 0 {
		s += fmt.Sprintf(", failed on %d", t.failed)
	}
	if t.tools > 0 {
		s += "; " + t.onTools()
	}
	return s
}

// onTools returns a text about the results of tools.classify.
func (t *toldPlugin) onTools() string {
	s := fmt.Sprintf("classified %d of %s", t.words, words.Count(t.tools, "tool", "tools"))
	if t.unsaid > 0 {
		s += fmt.Sprintf(", failed on %d; a tool without an answer counts as unknown", t.unsaid)
	}
	return s
}

// PrintContributions prints a line about the contribution of each named plugin, and
// returns the exit code. A plugin that failed on every run is an error. With
// --plugin-optional, it is only a warning.
func (l *Plugins) PrintContributions(command, profile string, stderr io.Writer) int {
	code := ExitOK
	if l.Broken {
		code = ExitInput
	}
	for _, t := range l.Told {
		if err := t.uselessError(); err != nil {
			var bad *host.Error
			if !errors.As(err, &bad) {
				err = errors.New(words.Printable(err.Error()))
			}
			if l.optional {
				fmt.Fprintf(stderr, "boundcheck: %v; scored without it\n", err)
				continue
			}
			what := "run"
			if t.asked == 0 {
				what = "tool"
			}
			fmt.Fprintf(stderr, "boundcheck %s: a plugin failed on every %s: %v\n", command, what, err)
			code = ExitInput
			continue
		}
		fmt.Fprintf(stderr, "boundcheck: %s\n", t.summaryLine(profile))
	}
	return code
}
