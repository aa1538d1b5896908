// Package bundle holds the page and the plugins of a released program, and finds them for
// a program that was built without them.
//
// A release is built with the tag bundled, which embeds bundle.zip; internal/bundle/make
// writes this file from dist/. Its members are compressed with Zstandard and are read
// from memory each time (13 ms for the largest), so nothing is unpacked to a disk where
// somebody could change it. All modules contain Go's runtime. The first plugin is
// therefore the dictionary of the others, which makes them half as large. The page's own
// module is stored as browsers receive it, in Brotli, which is hardly larger.
package bundle

import (
	"archive/zip"
	"bytes"
	"io"
	"io/fs"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// Carried reports whether this program contains the page and the plugins.
func Carried() bool { return len(archive) > 0 }

// Plugin returns the bytes of a module by its name, such as "taubench". The error is
// fs.ErrNotExist if this program carries no such module.
func Plugin(module string) ([]byte, error) {
	files, err := open()
	if err != nil {
		return nil, err
	}
	return readModule(files, "plugins/"+module+".wasm")
}

// Dictionary is the id under which frames refer to the first module as their dictionary.
const Dictionary = 0xB0C

// readModule reads a module. The archive's comment names the first module, which is
// stored as an ordinary member; it is the dictionary of all others. Frames have checksums
// of their own.
func readModule(files *zip.Reader, name string) ([]byte, error) {
	data, err := fs.ReadFile(files, name)
	if err != nil || name == files.Comment {
		return data, err
	}
	first, err := fs.ReadFile(files, files.Comment)
	if err != nil {
		return nil, err
	}
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderDictRaw(Dictionary, first))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.DecodeAll(data, nil)
}

// PageModule is the path of the page's own module. Page holds it compressed, under this
// path and Brotli; its bytes come from PageModuleBytes.
const (
	PageModule = "npm/boundcheck.wasm"
	Brotli     = ".br"
)

// PageModuleBytes returns the page's own module. The error is fs.ErrNotExist if this
// program carries no page.
func PageModuleBytes() ([]byte, error) {
	files, err := open()
	if err != nil {
		return nil, err
	}
	return readPageModule(files)
}

// readPageModule unpacks the page's own module (60 ms).
func readPageModule(files fs.FS) ([]byte, error) {
	packed, err := files.Open("page/" + PageModule + Brotli)
	if err != nil {
		return nil, err
	}
	defer packed.Close()
	return io.ReadAll(brotli.NewReader(packed))
}

// Page returns the page's files, including index.html; for PageModule, see
// PageModuleBytes. plugins/catalog.json lists the page's plugins, but their
// files are not included: a JavaScript host needs metered modules, which are made from
// the bytes that Plugin returns. The error is fs.ErrNotExist if this program carries no
// page.
func Page() (fs.FS, error) {
	files, err := open()
	if err != nil {
		return nil, err
	}
	if _, err := fs.Stat(files, "page/index.html"); err != nil {
		return nil, err
	}
	return fs.Sub(files, "page")
}

var open = sync.OnceValues(func() (*zip.Reader, error) { return read(archive) })

// read opens a bundle. The checksum of a member is verified when the member is read.
func read(b []byte) (*zip.Reader, error) {
	if len(b) == 0 {
		return nil, fs.ErrNotExist
	}
	r, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, err
	}
	r.RegisterDecompressor(zstd.ZipMethodWinZip, func(in io.Reader) io.ReadCloser {
		d, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
		if err != nil {
			return io.NopCloser(failing{err})
		}
		return d.IOReadCloser()
	})
	return r, nil
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
