// Command confusables writes the table of characters that look like ASCII text,
// core/gate/proposal/confusables.go and confusables.bin, from two files of the Unicode Character Database:
//
//	go run ./internal/confusables CONFUSABLES UNICODEDATA
//
// CONFUSABLES is confusables.txt of UTS 39 and UNICODEDATA is UnicodeData.txt, both of
// one version. Debian's source package icu has them below source/data/unidata.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// entry is one character and the ASCII text that it looks like.
type entry struct {
	char   rune
	looks  string
	styled bool // another form of the same letter: full width, bold, in a circle
}

func main() {
	if len(os.Args) != 3 {
		fail(fmt.Errorf("want two arguments: the paths of confusables.txt and UnicodeData.txt"))
	}
	table := map[rune]entry{}
	version, err := readConfusables(os.Args[1], table)
	if err == nil {
		err = readForms(os.Args[2], table)
	}
	if err == nil {
		source, rows := tableSource(version, table)
		err = errors.Join(os.WriteFile("core/gate/proposal/confusables.bin", rows, 0o644),
			os.WriteFile("core/gate/proposal/confusables.go", []byte(source), 0o644))
	}
	if err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "confusables:", err)
	os.Exit(1)
}

// eachLine calls fn with the fields of each line, split at semicolons.
func eachLine(path string, fn func(line string, fields []string) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if err := fn(s.Text(), strings.Split(s.Text(), ";")); err != nil {
			return err
		}
	}
	return nil
}

// firstChar is the first character that the table may contain. The characters before it,
// from Latin-1 and Latin Extended-A, are in everyday use and are not mistaken for others.
const firstChar = 0x180

// readConfusables adds the characters that confusables.txt maps to one printable ASCII
// character, or to several ASCII letters and digits. version is the version that the file
// names.
func readConfusables(path string, table map[rune]entry) (version string, err error) {
	err = eachLine(path, func(line string, fields []string) error {
		if v, ok := strings.CutPrefix(line, "# Version: "); ok {
			version = v
		}
		line = strings.TrimPrefix(line, "\ufeff")
		if line == "" || line[0] == '#' || len(fields) < 3 {
			return nil
		}
		char, err := parseRunes(strings.TrimPrefix(fields[0], "\ufeff"))
		if err != nil || len(char) != 1 {
			return fmt.Errorf("invalid line %q", line)
		}
		to, err := parseRunes(fields[1])
		if err != nil {
			return err
		}
		if char[0] >= firstChar && isASCII(to) && (len(to) == 1 || isAlphanumeric(to)) {
			table[char[0]] = entry{char: char[0], looks: string(to)}
		}
		return nil
	})
	return version, err
}

// readForms adds the styled forms of ASCII letters and digits, such as bold letters. It
// finds them by their compatibility decomposition. It also replaces the entry of a
// character that is already in the table and decomposes to ASCII letters and digits. It
// leaves out all others, such as superscripts and subscripts, which are in everyday use.
func readForms(path string, table map[rune]entry) error {
	return eachLine(path, func(line string, f []string) error {
		if len(f) < 6 || !strings.HasPrefix(f[5], "<") {
			return nil
		}
		tag, rest, _ := strings.Cut(f[5], "> ")
		char, err := parseRunes(f[0])
		if err != nil {
			return err
		}
		to, err := parseRunes(rest)
		if err != nil || !isASCII(to) || !isAlphanumeric(to) {
			return err
		}
		letter := f[2][0] == 'L' || f[2] == "Nd" || f[2] == "Nl" || tag == "<circle" && f[2] == "So"
		styled := letter && (tag == "<font" || tag == "<wide" || tag == "<circle" || tag == "<compat" && f[2] == "Nl")
		if _, known := table[char[0]]; known || styled {
			table[char[0]] = entry{char[0], string(to), styled}
		}
		return nil
	})
}

func parseRunes(hex string) (out []rune, err error) {
	for _, f := range strings.Fields(hex) {
		n, err := strconv.ParseUint(f, 16, 32)
		if err != nil {
			return nil, err
		}
		out = append(out, rune(n))
	}
	return out, nil
}

func isASCII(text []rune) bool {
	for _, r := range text {
		if r <= ' ' || r > '~' {
			return false
		}
	}
	return len(text) > 0
}

func isAlphanumeric(text []rune) bool {
	for _, r := range text {
		if !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9') {
			return false
		}
	}
	return true
}

// tableSource returns the table as Go source: four bytes per character, sorted. The first
// three bytes are the character. Their highest bit is set if the character is a styled
// form of a letter, such as a bold letter. The last byte is the ASCII character that the
// character looks like. If the character looks like a longer text, the last byte is 0x80
// plus the text's index in the list of longer texts.
func tableSource(version string, table map[rune]entry) (text string, rows []byte) {
	var all []entry
	var long []string
	for _, e := range table {
		all = append(all, e)
		if len(e.looks) > 1 && !slices.Contains(long, e.looks) {
			long = append(long, e.looks)
		}
	}
	slices.SortFunc(all, func(a, b entry) int { return int(a.char - b.char) })
	slices.Sort(long)
	if len(long) > 0x80 {
		fail(fmt.Errorf("%d longer texts, but the table has room for only 128", len(long)))
	}
	for _, e := range all {
		last := e.looks[0]
		if len(e.looks) > 1 {
			last = byte(0x80 + slices.Index(long, e.looks))
		}
		n := uint32(e.char)
		if e.styled {
			n |= 1 << 23
		}
		rows = append(rows, byte(n>>16), byte(n>>8), byte(n), last)
	}
	return fmt.Sprintf(source, version, strings.Join(long, " ")), rows
}

// source is the file with the table, for the version of Unicode and the longer texts.
const source = `// Code generated by internal/confusables from Unicode %s; DO NOT EDIT.

package proposal

import _ "embed"

//go:embed confusables.bin
var confusablesText string

// confusablesFile returns the characters that look like ASCII text, four bytes each, sorted: the
// character with a bit for other forms of that letter, and what it looks like. No other function
// reads the file: in the page's core, it is in the second module with this function (wasm/build.sh).
//
//go:noinline
func confusablesFile() string { return confusablesText }

// longConfusables are the texts of more than one character.
const longConfusables = %q
`
