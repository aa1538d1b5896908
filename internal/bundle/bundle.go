// Package bundle carries the page and the plugins inside a released program, and
// says where a program that was built without them may take them from.
//
// A release is built with the tag bundled: bundle.zip, which internal/bundle/make writes
// from dist/, is then linked. Its members are compressed by Zstandard and are read
// from memory each time (13 ms for the largest), so nothing is unpacked to a disk
// where somebody could change it. The modules share Go's runtime: the first plugin's is
// the dictionary of the others, which makes them half as large, and of the page's own,
// which makes it a quarter smaller.
package bundle

import (
	"archive/zip"
	"bytes"
	"io"
	"io/fs"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Carried reports whether page and plugins are inside this program.
func Carried() bool { return len(archive) > 0 }

// Plugin returns a module's bytes by its name, as in "taubench". Its error is
// fs.ErrNotExist where this program carries no such module.
func Plugin(module string) ([]byte, error) {
	files, err := open()
	if err != nil {
		return nil, err
	}
	return readModule(files, "plugins/"+module+".wasm")
}

// Dictionary is the number that frames name the first module by.
const Dictionary = 0xB0C

// readModule reads a module. The first is stored as it is, the others as differences
// from it. The archive's comment names the first; frames have checksums of their own.
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

// PageModule is where the page has its own module; the bytes there are PageModuleBytes's.
const PageModule = "npm/boundcheck.wasm"

// PageModuleBytes returns the page's own module. Its error is fs.ErrNotExist where this
// program carries no page.
func PageModuleBytes() ([]byte, error) {
	files, err := open()
	if err != nil {
		return nil, err
	}
	return readModule(files, "page/"+PageModule)
}

// Page returns the page's files, index.html among them, all but PageModule as they are.
// plugins/catalog.json lists its plugins, but their files are not included: a
// JavaScript host needs metered modules, which are made from Plugin's bytes. Its error
// is fs.ErrNotExist where this program carries no page.
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

// read opens a bundle. The checksum of each member is checked when it is read.
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
