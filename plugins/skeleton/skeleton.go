// Package skeleton holds the files of a new plugin, in one of four languages. The
// plugin is a checker that compares what the writing calls of a run were asked to do.
// It is small enough to be read at once and complete enough to pass the conformance
// run. All four return the same answers.
package skeleton

import (
	"bytes"
	"embed"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strings"
	"text/template"
)

// Values holds what is different in each new plugin.
type Values struct {
	Name    string // the plugin's: lower-case letters, digits and -
	Version string // of the Boundcheck module that it requires, with a v
	Replace string // folder of Boundcheck's sources, or ""
	Lang    string // one of Languages; "" is go
}

// Languages returns the languages in which a new plugin can be written.
func Languages() []string { return []string{"go", "rust", "c", "assemblyscript"} }

// Build returns the command that builds the new plugin's module in its folder.
func (v Values) Build() string {
	switch v.Lang {
	case "c":
		return "clang --target=wasm32 -O2 -nostdlib -ffreestanding -mbulk-memory -Wl,--no-entry -Wl,--strip-all -o " + v.Name + ".wasm plugin.c"
	case "rust":
		return "rustc --edition 2021 --crate-type cdylib --target wasm32-unknown-unknown -C opt-level=s -C lto -C strip=symbols -C panic=abort -o " + v.Name + ".wasm src/lib.rs"
	case "assemblyscript":
		return "npx asc index.ts --outFile " + v.Name + ".wasm -O3 --runtime minimal --use abort=index/abort"
	}
	return "GOOS=wasip1 GOARCH=wasm go build -trimpath -buildmode=c-shared -ldflags='-s -w' -o " + v.Name + ".wasm ./guest"
}

// Module returns the module path of the new plugin. The publisher of the plugin must
// change this path.
func (v Values) Module() string { return "example.org/" + v.Name }

// Package returns the name of the plugin's Go package, which is the plugin's name without
// "-". If this name cannot be used, for example because it is a keyword, the result
// begins with "plugin".
func (v Values) Package() string {
	p := strings.ReplaceAll(v.Name, "-", "")
	if p == "" || !token.IsIdentifier(p) || slices.Contains([]string{"main", "abi", "sdk", "guest"}, p) {
		p = "plugin" + p
	}
	return p
}

// File is one file of a new plugin. Its name uses slashes.
type File struct {
	Name string
	Data []byte
}

// Templates end in .tmpl, because Go would otherwise treat them as packages of this
// module.
//
//go:embed all:template all:c all:rust all:assemblyscript
var templates embed.FS

// Files returns a new plugin's files, sorted by name.
func Files(v Values) (files []File, err error) {
	folder := "template"
	if v.Lang != "" && v.Lang != "go" {
		folder = v.Lang
	}
	err = fs.WalkDir(templates, folder, func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		t, err := template.New(path.Base(at)).Option("missingkey=error").ParseFS(templates, at)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		name := strings.TrimSuffix(strings.TrimPrefix(at, folder+"/"), ".tmpl")
		files = append(files, File{Name: name})
		err = t.Execute(&b, v)
		files[len(files)-1].Data = b.Bytes()
		return err
	})
	return files, err
}
