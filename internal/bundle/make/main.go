// Command make writes the archive that a released program embeds: make DIST OUT.zip. The
// archive contains all files of DIST/playground except the plugins, and the modules of
// DIST/plugins that the page's catalog lists. The same files produce the same bytes.
package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/boundcheck/boundcheck/internal/bundle"
	"github.com/klauspost/compress/zstd"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: make DIST OUT.zip")
		os.Exit(2)
	}
	if err := writeBundle(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

func writeBundle(dist, out string) error {
	var text bytes.Buffer
	w := zip.NewWriter(&text)
	w.RegisterCompressor(zstd.ZipMethodWinZip, func(out io.Writer) (io.WriteCloser, error) {
		return zstd.NewWriter(out, encoderOptions()...)
	})
	if err := addPage(w, os.DirFS(filepath.Join(dist, "playground"))); err != nil {
		return err
	}
	if err := addPlugins(w, dist); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(out, text.Bytes(), 0o644)
}

// addPage adds the page's files in order of their names. It leaves out the metered
// modules, because they can be made from the modules that addPlugins adds.
func addPage(w *zip.Writer, files fs.FS) error {
	return fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasPrefix(name, "plugins/") && name != catalog {
			return err
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		if bundle.IsPageModule(name) {
			return addPacked(w, "page/"+name+bundle.Brotli, data)
		}
		return addMember(w, "page/"+name, data)
	})
}

const catalog = "plugins/catalog.json"

// addPlugins adds the modules that the page's catalog lists. It returns an error if a
// module's hash differs from the hash in the catalog.
func addPlugins(w *zip.Writer, dist string) error {
	text, err := os.ReadFile(filepath.Join(dist, "playground", filepath.FromSlash(catalog)))
	if err != nil {
		return err
	}
	var list struct{ Modules []struct{ File, Of string } }
	if err := json.Unmarshal(text, &list); err != nil {
		return fmt.Errorf("%s: %w", catalog, err)
	}
	if len(list.Modules) == 0 {
		return fmt.Errorf("%s lists no plugin module", catalog)
	}
	var first []byte
	for _, m := range list.Modules {
		data, err := os.ReadFile(filepath.Join(dist, "plugins", m.File))
		if err != nil {
			return err
		}
		if sum := fmt.Sprintf("%x", sha256.Sum256(data)); sum != m.Of {
			return fmt.Errorf("plugins/%s has hash %.12s, but the page's catalog lists %.12s: rebuild the page and the plugins", m.File, sum, m.Of)
		}
		if err := addModule(w, "plugins/"+m.File, data, first); err != nil {
			return err
		}
		if first == nil {
			first = data
		}
	}
	return w.SetComment("plugins/" + list.Modules[0].File)
}

// addModule adds a module. The first module becomes an ordinary member. Each later module
// becomes a Zstandard frame that uses the first module as its dictionary.
func addModule(w *zip.Writer, name string, data, first []byte) error {
	if first == nil {
		return addMember(w, name, data)
	}
	e, err := zstd.NewWriter(nil, append(encoderOptions(), zstd.WithEncoderDictRaw(bundle.Dictionary, first))...)
	if err != nil {
		return err
	}
	member, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
	if err == nil {
		_, err = member.Write(e.EncodeAll(data, nil))
	}
	return err
}

// addPacked adds a member that is compressed with Brotli at the best level. For the
// page's module, this takes about 20 s.
func addPacked(w *zip.Writer, name string, data []byte) error {
	member, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
	if err != nil {
		return err
	}
	packer := brotli.NewWriterLevel(member, brotli.BestCompression)
	if _, err := packer.Write(data); err != nil {
		return err
	}
	return packer.Close()
}

// encoderOptions returns the settings for the best compression. With one thread and a
// fixed window, equal data always produces equal bytes.
func encoderOptions() []zstd.EOption {
	return []zstd.EOption{zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(16 << 20)}
}

// addMember writes a compressed member, and sets neither a modification time nor a file
// mode.
func addMember(w *zip.Writer, name string, data []byte) error {
	member, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zstd.ZipMethodWinZip})
	if err == nil {
		_, err = member.Write(data)
	}
	return err
}
