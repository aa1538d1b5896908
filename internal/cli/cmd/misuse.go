package cmd

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/base/wordlist"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/words"
)

// PrintUsage ends a command whose arguments were not accepted, and returns the exit code. If
// err is flag.ErrHelp, it prints the complete usage to stdout. Otherwise it prints the error
// to stderr, with a suggestion and the synopsis of the command: the complete usage would
// scroll the error off the screen.
func PrintUsage(stdout, stderr io.Writer, name string, err error, usage string) int {
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, usage)
		return ExitOK
	}
	fmt.Fprintf(stderr, "boundcheck %s: %v%s\n", name, err, suggestFlag(err, usage))
	synopsis, _, _ := strings.Cut(usage, "\n\n")
	fmt.Fprintf(stderr, "%s\n\"boundcheck %s --help\" shows the complete usage\n", synopsis, name)
	return ExitUsage
}

// PrintFailure prints why a command cannot do its work, as JSON to stdout too if that is its format,
// and returns ExitInput.
func PrintFailure(stdout, stderr io.Writer, name, format string, err error) int {
	fmt.Fprintf(stderr, "boundcheck %s: %s\n", name, words.Printable(err.Error()))
	if format == "json" {
		stdout.Write(wire.FailWith(err))
	}
	return ExitInput
}

// suggestFlag returns a text that suggests a similar flag from the usage. The text is the
// end of an error message about an unknown flag. It is "" if there is no similar flag.
func suggestFlag(err error, usage string) string {
	_, wrong, found := strings.Cut(err.Error(), "flag provided but not defined: -")
	if !found {
		return ""
	}
	var flags []string
	for _, m := range FlagWord().FindAllStringSubmatch(usage, -1) {
		flags = append(flags, strings.TrimPrefix(m[1], "--"))
	}
	if near := wordlist.Nearest(strings.TrimPrefix(wrong, "-"), flags); near != "" {
		return "; did you mean --" + near + "?"
	}
	return ""
}

// DidYouMean returns a text that suggests a similar known word. The text is the end of an
// error message about an unknown word. It is "" if there is no similar word.
func DidYouMean(word string, known []string) string {
	if near := wordlist.Nearest(word, known); near != "" {
		return fmt.Sprintf("; did you mean %s?", near)
	}
	return ""
}

// FlagWord finds the flags in a usage text.
var FlagWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|[\s\[|(])(--[a-z][a-z0-9-]*)`) })
