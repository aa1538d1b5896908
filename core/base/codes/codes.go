// Package codes has the table of codes and names: countries, languages, currencies, time zones, colors,
// letters with marks, and the notations of words and options. internal/codetables writes it.
package codes

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed codes.txt
var text string

// codesFile returns codes.txt. No other function reads it: in the page's core, the file is
// in the second module with this function (wasm/build.sh).
//
//go:noinline
func codesFile() string { return text }

// tables has the rests of the lines of codes.txt by their first words. It reads the file once.
var tables = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for line := range strings.SplitSeq(codesFile(), "\n") {
		if word, rest, ok := strings.Cut(line, " "); ok {
			out[word] = append(out[word], rest)
		}
	}
	return out
})

// Rows returns the rest of each line of codes.txt that begins with a word. The caller must not change it.
func Rows(word string) []string { return tables()[word] }
