package cmd

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// PrintMisuse prints an error in a command line, with a suggestion, and the synopsis of
// the command. It returns ExitUsage. It does not print the complete usage, which would
// scroll the error off the screen.
func PrintMisuse(stderr io.Writer, name string, err error, usage string) int {
	fmt.Fprintf(stderr, "boundcheck %s: %v%s\n", name, err, suggestFlag(err, usage))
	synopsis, _, _ := strings.Cut(usage, "\n\n")
	fmt.Fprintf(stderr, "%s\n\"boundcheck %s --help\" shows the complete usage\n", synopsis, name)
	return ExitUsage
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

var FlagWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|[\s\[|(])(--[a-z][a-z0-9-]*)`) })
