package house

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// leastSentence is the number of words from which a text of the page counts as a sentence.
const leastSentence = 4

// TestPageSaysNothingTwice checks that no sentence stands both in the page's modules and in
// the Go packages that word reports: the page asks the core for it, or takes it from
// terms.js, which is generated.
func TestPageSaysNothingTwice(t *testing.T) {
	page, core := map[string]string{}, map[string]string{}
	collect(t, "../../playground", ".js", page, scriptTexts)
	for _, folder := range []string{"../../core", "../words", "../render", "../export"} {
		collect(t, folder, ".go", core, goTexts)
	}
	if len(page) < 200 || len(core) < 1000 {
		t.Fatalf("%d sentences of the page and %d of the core: are they still read?", len(page), len(core))
	}
	for text, file := range page {
		if other, twice := core[text]; twice {
			t.Errorf("%q stands in %s and in %s", text, file, other)
		}
	}
}

// collect puts the sentences of the files of a folder into a map, with the file of each.
func collect(t *testing.T, folder, kind string, into map[string]string, textsOf func([]byte) []string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		name := d.Name()
		if err != nil || d.IsDir() && name == "test" {
			return cmpSkip(err)
		}
		if filepath.Ext(name) != kind || strings.HasSuffix(name, "_test.go") || name == "terms.js" {
			return nil
		}
		data, err := os.ReadFile(path)
		for _, text := range textsOf(data) {
			text = strings.ToLower(strings.Trim(strings.Join(strings.Fields(text), " "), " .,:;!?()"))
			if strings.Count(text, " ")+1 >= leastSentence && !strings.ContainsAny(text, "<=") { // markup is no sentence
				into[text] = path
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func cmpSkip(err error) error {
	if err != nil {
		return err
	}
	return filepath.SkipDir
}

var (
	scriptText = regexp.MustCompile("\"(?:[^\"\\\\\n]|\\\\.)*\"|`(?:[^`\\\\]|\\\\.)*`")
	inserted   = regexp.MustCompile(`\$\{[^{}]*\}|%[-+.\d]*[a-z]`)
	comment    = regexp.MustCompile(`(?m)^\s*(?://|/?\*).*$`)
)

// scriptTexts returns the texts of a module, those with inserted values in parts.
func scriptTexts(data []byte) (out []string) {
	for _, s := range scriptText.FindAllString(comment.ReplaceAllString(string(data), ""), -1) {
		out = append(out, inserted.Split(s[1:len(s)-1], -1)...)
	}
	return out
}

// goTexts returns the texts of a Go file, those with inserted values in parts.
func goTexts(data []byte) (out []string) {
	var s scanner.Scanner
	files := token.NewFileSet()
	s.Init(files.AddFile("", files.Base(), len(data)), data, nil, 0)
	for {
		_, kind, text := s.Scan()
		if kind == token.EOF {
			return out
		}
		if kind != token.STRING {
			continue
		}
		if plain, err := strconv.Unquote(text); err == nil {
			out = append(out, slices.Concat(inserted.Split(plain, -1), strings.Split(plain, "\n"))...)
		}
	}
}
