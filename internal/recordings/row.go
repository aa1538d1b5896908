package recordings

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"strconv"
	"strings"
)

var (
	errTwice = errors.New("this file is listed twice")
	errForm  = errors.New("the row must have four columns: the file, the path at the source or a note, the bytes, and the sha256")
	errName  = errors.New("invalid file name: want a relative name that stays below the folder")
	errBase  = errors.New("a row with a path at the source needs a line above it with the form Download: `https://…/`")
)

// lineError is an error in one line of docs/data.md.
type lineError struct {
	line int
	err  error
	text string
}

func (e lineError) Error() string {
	return fmt.Sprintf("docs/data.md line %d: %v; got %.80q", e.line, e.err, e.text)
}

func (e lineError) Unwrap() error { return e.err }

// readRow reads one row of a table. The path in the row is relative to the URL base.
func readRow(line, base string) (File, error) {
	m := row.FindStringSubmatch(line)
	if m == nil {
		return File{}, errForm
	}
	f := File{Name: m[1], SHA256: m[4]}
	if path.IsAbs(f.Name) || path.Clean(f.Name) != f.Name || strings.HasPrefix(f.Name, "..") || strings.Contains(f.Name, `\`) {
		return File{}, errName
	}
	var err error
	if f.Bytes, err = strconv.ParseInt(strings.ReplaceAll(m[3], ",", ""), 10, 64); err != nil {
		return File{}, errForm
	}
	if m[2] == "" {
		return f, nil
	}
	if base == "" {
		return File{}, errBase
	}
	f.URL = base + (&url.URL{Path: m[2]}).EscapedPath()
	return f, nil
}
