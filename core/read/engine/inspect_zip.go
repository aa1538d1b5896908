package engine

import (
	"archive/zip"
	"bytes"
	"fmt"
	"sort"
	"strings"

	"github.com/boundcheck/boundcheck/core/trajectory"
)

// readArchive reads a zipped Inspect log, which has one JSON file for each sample. All
// files together may have at most maxInflated bytes.
func (d *Decoder) readArchive(data []byte) error {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return &trajectory.Error{Msg: "invalid zip archive: " + err.Error(), Seen: "a zip archive"}
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
			return err
		}
		if total += len(body); total > maxInflated {
			return &trajectory.Error{Msg: fmt.Sprintf("the zip archive expands to more than %d MiB", maxInflated>>20), Seen: "a zip archive"}
		}
		texts = append(texts, strings.TrimSpace(string(body)))
	}
	if len(texts) == 0 {
		return &trajectory.Error{Msg: "the zip archive is not an Inspect log: it has no samples/*.json", Seen: "a zip archive", Formats: d.formats.Names()}
	}
	return d.readSanitized("["+strings.Join(texts, ",\n")+"]", 0)
}

func readEntry(f *zip.File) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, &trajectory.Error{Msg: "cannot read " + f.Name + " in the zip archive: " + err.Error(), Seen: "a zip archive"}
	}
	defer r.Close()
	return readCapped(r, "zip archive")
}
