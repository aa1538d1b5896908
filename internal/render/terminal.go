package render

import (
	"io"
	"os"
	"strconv"
	"strings"

	"golang.org/x/term"
)

// IsTerminal reports whether w is a terminal on which text can be redrawn.
func IsTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}

// TerminalWidth returns the number of columns of a terminal. It returns 0 if w is not a
// terminal or if the width is unknown. The environment variable COLUMNS takes precedence.
func TerminalWidth(w io.Writer) int {
	if !IsTerminal(w) {
		return 0
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	n, _, err := term.GetSize(int(w.(*os.File).Fd()))
	if err != nil {
		return 0
	}
	return n
}

// Wrap breaks text at blanks into lines of at most width characters and indents all lines
// after the first.
func Wrap(text string, indent, width int) string {
	var b strings.Builder
	column := indent
	for i, word := range strings.Fields(text) {
		if i > 0 && column+1+len(word) > width {
			b.WriteString("\n" + strings.Repeat(" ", indent))
			column = indent
		} else if i > 0 {
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}
