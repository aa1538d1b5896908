// Package codes has the table of codes and names: countries, languages, currencies, time zones, colors,
// letters with marks, and the notations of words and options. internal/codetables writes it.
package codes

import "strings"

import _ "embed"

//go:embed codes.txt
var text string

// codesFile returns codes.txt. No other function reads it: in the page's core, the file is
// in the second module with this function (wasm/build.sh).
//
//go:noinline
func codesFile() string { return text }

// Rows returns the rest of each line of codes.txt that begins with a word.
func Rows(word string) (rows []string) {
	word += " "
	for line := range strings.SplitSeq(codesFile(), "\n") {
		if row, ok := strings.CutPrefix(line, word); ok {
			rows = append(rows, row)
		}
	}
	return rows
}
