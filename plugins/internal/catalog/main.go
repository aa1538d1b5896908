// Command catalog puts the bundled plugins where a page can fetch them: catalog OUTDIR.
// It writes each module metered, as a JavaScript host needs it, and describes the
// modules, with their hashes, in catalog.json.
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/host"
)

// catalog is the content of catalog.json.
type catalog struct {
	Modules []*module `json:"modules"`
	Plugins []plugin  `json:"plugins"`
}

type module struct {
	File   string `json:"file"`
	Bytes  int    `json:"bytes"`
	Gzip   int    `json:"gzip"`   // bytes, as most servers send it
	SHA256 string `json:"sha256"` // of the file
	Of     string `json:"of"`     // of the module before it was metered; reports name this hash
}

type plugin struct {
	Module      int             `json:"module"` // index into modules
	Description abi.Description `json:"description"`
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: catalog OUTDIR")
		os.Exit(2)
	}
	if err := writeCatalog(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "catalog:", err)
		os.Exit(1)
	}
}

func writeCatalog(ctx context.Context, dir string) error {
	h, err := host.New(ctx, host.Options{})
	if err != nil {
		return err
	}
	defer h.Close(ctx)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var c catalog
	places := map[string]int{}
	for _, name := range host.BundledPlugins() {
		wasm, err := host.Bundled(ctx, name, host.Sources{Log: os.Stderr})
		if err != nil {
			return err
		}
		p, err := h.Load(ctx, wasm, host.Manifest{Name: name})
		if err != nil {
			return err
		}
		from := host.ModuleOf(name)
		at, known := places[from]
		if !known {
			m, err := putModule(dir, from+".wasm", wasm)
			if err != nil {
				return err
			}
			at = len(c.Modules)
			c.Modules, places[from] = append(c.Modules, m), at
		}
		c.Plugins = append(c.Plugins, plugin{at, p.Description})
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(&c); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "catalog.json"), text.Bytes(), 0o644)
}

func putModule(dir, file string, wasm []byte) (*module, error) {
	metered, err := host.ForPage(wasm)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(metered); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	m := &module{File: file, Bytes: len(metered), Gzip: packed.Len(), SHA256: sum(metered), Of: sum(wasm)}
	return m, os.WriteFile(filepath.Join(dir, file), metered, 0o644)
}

func sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}
