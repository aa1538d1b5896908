//go:build !page

package envelope

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// TarText returns the records in the files of a tar archive, one file after the other in the order of the
// archive: JSON and lines of JSON. Other files are named, and not read. The error is a *trajectory.Error.
func TarText(data []byte) (text string, others []string, err error) {
	fault := func(msg string) error { return &trajectory.Error{Msg: msg, Seen: "a tar archive"} }
	r := tar.NewReader(bytes.NewReader(data))
	var b strings.Builder
	for {
		head, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", nil, fault("invalid tar archive: " + err.Error())
		}
		if head.Typeflag != tar.TypeReg {
			continue
		}
		if !strings.HasSuffix(head.Name, ".json") && !strings.HasSuffix(head.Name, ".jsonl") && !strings.HasSuffix(head.Name, ".ndjson") {
			others = append(others, head.Name)
			continue
		}
		body, err := readCapped(r, "tar archive")
		if err != nil {
			return "", nil, err
		}
		b.Write(bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))))
		b.WriteByte('\n')
	}
	if b.Len() == 0 {
		return "", nil, fault("the tar archive has no JSON: it has " + shape.ListNames(others))
	}
	return b.String(), others, nil
}
