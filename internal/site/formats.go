package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core"
)

const exampleLines, exampleWidth = 28, 150

// formatsText returns the text that the site appends to docs/formats.md: each format with
// the first lines of its example.
func formatsText(root string) ([]byte, error) {
	var b bytes.Buffer
	for _, name := range core.Formats() {
		files, err := filepath.Glob(filepath.Join(root, "testdata", "formats", name+".*"))
		if err != nil {
			return nil, err
		}
		if len(files) == 0 {
			return nil, fmt.Errorf("format %s has no example in testdata/formats", name)
		}
		data, err := os.ReadFile(files[0])
		if err != nil {
			return nil, err
		}
		text, fence := firstLines(string(data)), "```"
		for strings.Contains(text, fence) { // an example in Markdown has fences of its own
			fence += "`"
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s\n%s%s\n", name, fence, text, fence)
	}
	return b.Bytes(), nil
}

// firstLines returns the first lines of an example.
func firstLines(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	cut := len(lines) > exampleLines
	if cut {
		lines = lines[:exampleLines]
	}
	var b strings.Builder
	for _, l := range lines {
		if utf8.RuneCountInString(l) > exampleWidth {
			l = string([]rune(l)[:exampleWidth]) + " …"
		}
		b.WriteString(l + "\n")
	}
	if cut {
		b.WriteString("…\n")
	}
	return b.String()
}
