// Package bundle provides the page and the plugins. A released program contains them, and
// any other program finds them in the file system.
//
// A release is built with the tag bundled, which embeds bundle.zip; internal/bundle/make
// writes this file from dist/. Its members are compressed with Zstandard and are
// unpacked in memory at each use (13 ms for the largest). Nothing is unpacked to a disk,
// where somebody could change it. All modules contain Go's runtime, so the first plugin
// serves as the dictionary of the others, which makes them half as large. The page's own
// modules are stored as browsers receive them, in Brotli, which is hardly larger.
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
// fs.ErrNotExist if this program contains no such module.
func Plugin(module string) ([]byte, error) {
	files, err := open()
	if err != nil {
		return nil, err
	}
	return readModule(files, "plugins/"+module+".wasm")
}

// Dictionary is the id under which frames refer to the first module as their dictionary.
const Dictionary = 0xB0C

// readModule reads the module with the given name. The archive's comment names the first
// module, which is an ordinary member. Every other module is a Zstandard frame whose
// dictionary is the first module.
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

// Brotli is the end of the name of a compressed file.
const Brotli = ".br"

// IsPageModule reports whether a path is the path of one of the page's own WebAssembly
// modules. The result of Page contains these modules only in compressed form, with the
// suffix Brotli after the path. PageModuleBytes returns the bytes of a module.
func IsPageModule(name string) bool {
	return name == "npm/boundcheck.wasm" || name == "npm/seldom.wasm"
}

// PageModuleBytes returns one of the page's own WebAssembly modules. The error is
// fs.ErrNotExist if this program contains no page.
func PageModuleBytes(name string) ([]byte, error) {
	files, err := open()
	if err != nil {
		return nil, err
	}
	return readPageModule(files, name)
}

// readPageModule unpacks one of the page's own WebAssembly modules.
func readPageModule(files fs.FS, name string) ([]byte, error) {
	packed, err := files.Open("page/" + name + Brotli)
	if err != nil {
		return nil, err
	}
	defer packed.Close()
	return io.ReadAll(brotli.NewReader(packed))
}

// Page returns the page's files, including index.html. The error is fs.ErrNotExist if
// this program contains no page.
//
// The page's own WebAssembly modules are included only in compressed form.
// PageModuleBytes returns their bytes.
//
// The file plugins/catalog.json lists the page's plugins, but the modules of the plugins
// are not included. A JavaScript host takes a module from Plugin and must add a meter to
// it.
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

var open = sync.OnceValues(func() (*zip.Reader, error) { return openArchive(archive) })

// openArchive opens a bundle. The checksum of a member is verified when the member is
// read.
func openArchive(b []byte) (*zip.Reader, error) {
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
