package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// member is a file in an archive.
type member struct {
	name string
	data []byte
}

// writeArchive packs a program and the other files of the release into an archive. The
// archive is a zip file for Windows and a tar.gz file for other systems.
func (r *release) writeArchive(t target, program string) error {
	data, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	all := append([]member{{t.programName(), data}}, r.extras...)
	pack, ending := r.packTarball, ".tar.gz"
	if t.os == "windows" {
		pack, ending = r.packZip, ".zip"
	}
	packed, err := pack(all)
	if err != nil {
		return err
	}
	return r.writeFile(r.fileName(t, ending), packed)
}

func (r *release) packTarball(all []member) ([]byte, error) {
	var out bytes.Buffer
	gz, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(gz)
	for _, m := range all {
		h := &tar.Header{Name: m.name, Mode: memberMode(m.name), Size: int64(len(m.data)), ModTime: r.at, Format: tar.FormatPAX}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(m.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	if err := gz.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func (r *release) packZip(all []member) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, m := range all {
		f, err := w.CreateHeader(&zip.FileHeader{Name: m.name, Method: zip.Deflate, Modified: r.at})
		if err == nil {
			_, err = f.Write(m.data)
		}
		if err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

// memberMode returns the file mode of a member: only the program is executable.
func memberMode(name string) int64 {
	if strings.HasPrefix(name, "boundcheck") && !strings.Contains(name, ".") {
		return 0o755
	}
	return 0o644
}

// writeChecksums writes the SHA-256 of every file in the format of sha256sum -c.
func (r *release) writeChecksums() error {
	names := slices.Sorted(slices.Values(r.made))
	var b strings.Builder
	for _, name := range names {
		sum, err := hashOf(filepath.Join(r.out, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s  %s\n", sum, name)
	}
	return r.writeFile("checksums.txt", []byte(b.String()))
}

func hashOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}
