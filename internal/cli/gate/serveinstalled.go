//go:build !js

package gate

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"path"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/host"
)

// installedPage is a page that offers the user's installed plugins in addition to its
// own: each module at plugins/installed/NAME.wasm, with a row and its hash in the
// catalog.
type installedPage struct {
	fs.FS
	files map[string][]byte
}

func (p installedPage) Open(name string) (fs.File, error) {
	data, there := p.files[name]
	if !there {
		return p.FS.Open(name)
	}
	return &memoryFile{bytes.NewBuffer(data), path.Base(name), int64(len(data))}, nil
}

const pageCatalog = "plugins/catalog.json"

// pageModule and pagePlugin are rows of the page's catalog.
type pageModule struct {
	File   string `json:"file"`
	Bytes  int    `json:"bytes"`
	Gzip   int    `json:"gzip"`
	SHA256 string `json:"sha256"`
}

type pagePlugin struct {
	Module      int             `json:"module"`
	Description abi.Description `json:"description"`
}

// withInstalled adds installed plugins to the files of the page. It adds the plugins that
// the lock in the working directory names. If a plugin cannot be used, withInstalled
// prints the error on stderr and omits the plugin.
func withInstalled(ctx context.Context, pages fs.FS, stderr io.Writer) (fs.FS, error) {
	var f cmd.CheckerFlags
	names, err := f.LockedNames()
	if err != nil || len(names) == 0 {
		return pages, err
	}
	var catalog struct {
		Modules []any `json:"modules"`
		Plugins []any `json:"plugins"`
	}
	if text, err := fs.ReadFile(pages, pageCatalog); err == nil {
		if err := json.Unmarshal(text, &catalog); err != nil {
			return nil, fmt.Errorf("%s: %w", pageCatalog, err)
		}
	}
	h, err := host.New(ctx, host.Options{})
	if err != nil {
		return nil, err
	}
	defer h.Close(ctx)
	out := installedPage{pages, map[string][]byte{}}
	for _, name := range names {
		wasm, err := cmd.InstalledModule(name)
		var p *host.Plugin
		if err == nil {
			p, err = cmd.LoadPinned(ctx, h, wasm, host.Manifest{Name: name}, cmd.LockOf{})
		}
		if err != nil {
			fmt.Fprintf(stderr, "boundcheck serve: plugin %q is not offered: %v\n", name, err)
			continue
		}
		file := "installed/" + name + ".wasm"
		out.files["plugins/"+file] = wasm
		catalog.Plugins = append(catalog.Plugins, pagePlugin{len(catalog.Modules), p.Description})
		catalog.Modules = append(catalog.Modules, pageModule{file, len(wasm), cmd.GzipSize(wasm), p.SHA256})
		p.Close(ctx)
	}
	if out.files[pageCatalog], err = json.Marshal(catalog); err != nil {
		return nil, err
	}
	return out, nil
}
