package bundle

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

func packMembers(t *testing.T, members map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	w.RegisterCompressor(zstd.ZipMethodWinZip, func(out io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(out) })
	for name, text := range members {
		m, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zstd.ZipMethodWinZip})
		if err == nil {
			_, err = io.WriteString(m, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRead(t *testing.T) {
	whole := packMembers(t, map[string]string{"plugins/a.wasm": "\x00asm", "page/index.html": "<p>"})
	r, err := openArchive(whole)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := fs.ReadFile(r, "plugins/a.wasm"); string(b) != "\x00asm" {
		t.Errorf("got %q, %v", b, err)
	}
	if _, err := fs.ReadFile(r, "plugins/none.wasm"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a module that is not there: %v", err)
	}
	// The first module is the dictionary of the other ones.
	first := []byte("\x00asm a runtime that all share")
	e, err := zstd.NewWriter(nil, zstd.WithEncoderDictRaw(Dictionary, first))
	if err != nil {
		t.Fatal(err)
	}
	others := packMembers(t, map[string]string{"plugins/a.wasm": string(first), "plugins/b.wasm": string(e.EncodeAll([]byte("\x00asm a runtime that all share, and b"), nil))})
	if r, err = openArchive(others); err != nil {
		t.Fatal(err)
	}
	r.Comment = "plugins/a.wasm"
	for name, want := range map[string]string{"plugins/a.wasm": string(first), "plugins/b.wasm": "\x00asm a runtime that all share, and b"} {
		if b, err := readModule(r, name); string(b) != want {
			t.Errorf("%s is %q, %v", name, b, err)
		}
	}
	if _, err := readModule(r, "plugins/c.wasm"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a module that is not there: %v", err)
	}
	// The page's own module is kept in Brotli.
	var own bytes.Buffer
	b := brotli.NewWriter(&own)
	io.WriteString(b, "\x00asm the page")
	b.Close()
	if r, err = openArchive(packMembers(t, map[string]string{"page/npm/seldom.wasm.br": own.String()})); err != nil {
		t.Fatal(err)
	}
	if data, err := readPageModule(r, "npm/seldom.wasm"); string(data) != "\x00asm the page" || err != nil {
		t.Errorf("the page's own module is %q, %v", data, err)
	}
	if _, err := readPageModule(fstest.MapFS{}, "npm/seldom.wasm"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a program without a page: %v", err)
	}
	// A changed byte of a member is detected when the member is read.
	at := bytes.Index(whole, []byte("\x00asm"))
	if at < 0 {
		t.Fatal("the member is not stored as it stands")
	}
	whole[at+1]++
	if r, err = openArchive(whole); err != nil {
		t.Fatal(err)
	}
	if b, err := fs.ReadFile(r, "plugins/a.wasm"); err == nil {
		t.Errorf("a changed member is read as %q", b)
	}
}

// TestTree checks that Tree returns the root of this repository, whatever the working
// directory is.
func TestTree(t *testing.T) {
	if Carried() {
		t.Skip("SKIPPED: this build carries its plugins")
	}
	here, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	forged := t.TempDir()
	if err := os.WriteFile(filepath.Join(forged, "go.mod"), []byte("module github.com/boundcheck/boundcheck\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Chdir(forged)
	if got := Tree(); got != "" && got != here {
		t.Errorf("the tree is %s, want %s", got, here)
	}
}
