package cmd

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/internal/stream"
	"github.com/boundcheck/boundcheck/internal/words"
)

// This file names the rows of a study. The law: two files never share a row, except if a person
// said so: with --by none, with a column that comes from the runs (task, benchmark), or
// with equal values written before both files.

// LabelFiles returns the label of each file, by the name of the file. It returns an error
// if two names are the same file.
func LabelFiles(names []string) (map[string]string, error) {
	seen := map[string]string{}
	for _, name := range names {
		same := resolvedPath(name)
		if other, twice := seen[same]; twice {
			return nil, fmt.Errorf("%s is given twice%s; its runs would count twice", name, alsoNamed(name, other))
		}
		seen[same] = name
	}
	labels := map[string]string{}
	for i, label := range shortestEnds(names) {
		labels[names[i]] = label
	}
	return labels, nil
}

// resolvedPath returns the absolute path of a file without symbolic links. Names of the
// same file have the same resolved path. The name of a URL or of standard input is its
// own path.
func resolvedPath(name string) string {
	if name == "-" || stream.IsURL(name) {
		return name
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return name
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

func alsoNamed(name, other string) string {
	if name == other {
		return ""
	}
	return ", also as " + other
}

// shortestEnds returns for each path the shortest end that is not an end of another path.
// An end consists of whole parts between slashes. The paths must be different. Then the
// ends are different too. O(parts).
func shortestEnds(paths []string) []string {
	split := make([][]string, len(paths))
	count := map[string]int{}
	for i, path := range paths {
		split[i] = pathParts(path)
		for n := range split[i] {
			count[strings.Join(split[i][n:], "/")]++
		}
	}
	out := make([]string, len(paths))
	for i, parts := range split {
		for n := range parts {
			end := strings.Join(parts[n:], "/")
			if n == 0 || count[end] == 1 && end != "" {
				out[i] = end
			}
			if count[end] > 1 {
				break
			}
		}
	}
	return out
}

// pathParts returns the parts of a path between slashes. A relative path begins with the
// part ".", so that no path is an end of another relative path.
func pathParts(path string) []string {
	if path == "-" || stream.IsURL(path) {
		return strings.Split(path, "/")
	}
	path = filepath.ToSlash(filepath.Clean(path))
	if !filepath.IsAbs(path) {
		path = "./" + path
	}
	return strings.Split(path, "/")
}

// checkRows returns an error if --by puts two files into one row although no person said
// so.
func checkRows(by []string, files []Labelled) error {
	var own []string // the columns that differ only between files
	for _, column := range by {
		if !comesFromRuns(column, files) {
			own = append(own, column)
		}
	}
	first := map[string]*Labelled{}
	for i := range files {
		f := &files[i]
		key := f.rowKey(own)
		other := first[key]
		if other == nil {
			first[key] = f
			continue
		}
		for _, column := range own {
			if !f.says(column) || !other.says(column) {
				return fmt.Errorf("the files %s and %s would share a row, because their column %q is %s; write a value before each FILE, as in %s=NAME:FILE",
					other.Name, f.Name, column, words.OrNothing(f.valueOf(column)), column)
			}
		}
	}
	return nil
}

// comesFromRuns reports whether a column of --by does not tell files apart, because its
// values come from the runs, or because no file has the column.
func comesFromRuns(column string, files []Labelled) bool {
	said := func(f Labelled) bool { return f.says(column) }
	switch column {
	case "task":
		return true
	case "file":
		return false
	case "benchmark":
		return slices.ContainsFunc(files, func(f Labelled) bool { return !said(f) })
	}
	return !slices.ContainsFunc(files, said)
}

// Labelled is a file with its label and the user's columns.
type Labelled struct {
	Name, Label string
	Columns     map[string]string
}

// says reports whether a person gave the file a value for a column.
func (f *Labelled) says(column string) bool {
	_, said := f.Columns[column]
	return said
}

func (f *Labelled) valueOf(column string) string {
	if value, said := f.Columns[column]; said || column != "file" {
		return value
	}
	return f.Label
}

// rowKey returns the file's values in the columns.
func (f *Labelled) rowKey(columns []string) string {
	var values []string
	for _, column := range columns {
		values = append(values, strconv.Quote(f.valueOf(column)))
	}
	return strings.Join(values, ",")
}

// LabelAll sets the label of each file, and checks that --by puts no two files into one
// row that no person put there. With by nil, all files are one group.
func LabelAll(files []Labelled, by []string) error {
	names := make([]string, len(files))
	for i := range files {
		names[i] = files[i].Name
	}
	labels, err := LabelFiles(names)
	if err != nil {
		return err
	}
	for i := range files {
		files[i].Label = labels[files[i].Name]
	}
	return checkRows(by, files)
}
