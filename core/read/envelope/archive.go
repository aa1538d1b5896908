package envelope

import (
	"archive/zip"
	"bytes"
	"fmt"
	"sort"
	"strings"

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
