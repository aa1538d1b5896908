package envelope

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// InspectSamples returns the samples in a zipped Inspect log, which has one JSON file for each,
// in the order of their names. Another archive has none. All files together may have at most
// maxInflated bytes. The error is a *trajectory.Error.
func InspectSamples(data []byte) ([]string, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, &trajectory.Error{Msg: "invalid zip archive: " + err.Error(), Seen: "a zip archive"}
	}
	files := z.File
	sort.SliceStable(files, func(i, j int) bool { return files[i].Name < files[j].Name })
	total := 0
	var texts []string
	for _, f := range files {
		if !strings.HasPrefix(f.Name, "samples/") || !strings.HasSuffix(f.Name, ".json") {
			continue
		}
		body, err := readEntry(f)
		if err != nil {
			return nil, err
		}
		if total += len(body); total > maxInflated {
			return nil, &trajectory.Error{Msg: fmt.Sprintf("the zip archive expands to more than %d MiB", maxInflated>>20), Seen: "a zip archive"}
		}
		texts = append(texts, strings.TrimSpace(string(body)))
	}
	return texts, nil
}

func readEntry(f *zip.File) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, &trajectory.Error{Msg: "cannot read " + f.Name + " in the zip archive: " + err.Error(), Seen: "a zip archive"}
	}
	defer r.Close()
	return readCapped(r, "zip archive")
}

// IsTar reports whether data begins like a tar archive.
func IsTar(data []byte) bool { return len(data) > 262 && string(data[257:262]) == "ustar" }

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
