// Command offline writes the service worker of a built page, with the list of the page's
// files and their hashes. Usage: offline DIR, where DIR is the page's folder.
package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// entry is a file of the page.
type entry struct {
	SHA256 string `json:"sha256"`
	Asked  bool   `json:"asked,omitempty"` // fetched only when it is needed
}

const (
	source = "playground/offline/sw.js"
	worker = "sw.js"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: offline DIR")
		os.Exit(2)
	}
	if err := writeWorker(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "offline:", err)
		os.Exit(1)
	}
}

func writeWorker(dir string) error {
	program, err := os.ReadFile(source)
	if err != nil {
		return err
	}
	files, err := listFiles(os.DirFS(dir))
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(files, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, worker), []byte("const FILES = "+string(text)+";\n\n"+string(program)), 0o644)
}

// listFiles returns the files that the page may fetch, with their hashes. It leaves out
// the documentation and all files that the page does not need. It returns an error if the
// folder has no index.html.
func listFiles(dir fs.FS) (map[string]entry, error) {
	files := map[string]entry{}
	err := fs.WalkDir(dir, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name == "docs":
			return fs.SkipDir
		case d.IsDir() || name == worker || !isServed(name):
			return nil
		}
		data, err := fs.ReadFile(dir, name)
		if err != nil {
			return err
		}
		files[name] = entry{fmt.Sprintf("%x", sha256.Sum256(data)), isOnRequest(name)}
		return nil
	})
	if err == nil && files["index.html"].SHA256 == "" {
		err = fmt.Errorf("the folder contains no index.html: want a built page")
	}
	return files, err
}

// isOnRequest reports whether the page fetches a file only when a user asks for it. Such
// files are the plugins and the page of a saved report.
func isOnRequest(name string) bool {
	return strings.HasPrefix(name, "plugins/") && path.Ext(name) == ".wasm" || name == "saved.json"
}

func isServed(name string) bool {
	if file, ok := strings.CutPrefix(name, "npm/"); ok { // the page needs only some files of the package
		return slices.Contains([]string{"boundcheck.wasm", "plugins.js", "seldom.wasm", "wasm_exec.js", "worker.js"}, file)
	}
	return slices.Contains([]string{".html", ".css", ".svg", ".wasm", ".js", ".json"}, path.Ext(name))
}
