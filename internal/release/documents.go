package main

import (
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// collectDocuments collects the files that every archive contains besides the program. To
// write the completions and the manual page, it builds the program for this machine and
// runs it.
func (r *release) collectDocuments() error {
	dir, err := os.MkdirTemp("", "boundcheck-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, hostTarget().programName())
	if err := r.compileProgram(hostTarget(), program); err != nil {
		return err
	}
	for _, name := range []string{"LICENSE", "README.md"} {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		r.extras = append(r.extras, member{name, data})
	}
	notices, err := joinLicenses()
	if err != nil {
		return err
	}
	r.extras = append(r.extras, member{"THIRD_PARTY_NOTICES.txt", notices})
	for form, name := range map[string]string{"bash": "completions/boundcheck.bash", "fish": "completions/boundcheck.fish", "zsh": "completions/_boundcheck", "man": "man/boundcheck.1"} {
		text, err := exec.Command(program, "completion", form).Output()
		if err != nil {
			return err
		}
		r.extras = append(r.extras, member{name, text})
	}
	slices.SortFunc(r.extras, func(a, b member) int { return strings.Compare(a.name, b.name) })
	return nil
}

// linked is a module that is linked into a program.
type linked struct{ Path, Version, Dir string }

// linkedModules returns the modules that are linked into the program for any platform,
// into a plugin or into the page. The modules are sorted by path.
func linkedModules() ([]linked, error) {
	all := map[string]linked{}
	for _, p := range [][]string{{"linux", "amd64", module + "/cmd/boundcheck"}, {"windows", "amd64", module + "/cmd/boundcheck"}, {"darwin", "arm64", module + "/cmd/boundcheck"},
		{"js", "wasm", module + "/wasm"}, {"wasip1", "wasm", module + "/plugins/..."}} {
		cmd := exec.Command("go", "list", "-deps", "-json=Module", p[2])
		cmd.Env = append(os.Environ(), "GOOS="+p[0], "GOARCH="+p[1], "CGO_ENABLED=0")
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("go list for %s: %w", p[0], err)
		}
		for d := json.NewDecoder(bytes.NewReader(out)); ; {
			var pkg struct{ Module *linked }
			if err := d.Decode(&pkg); err == io.EOF {
				break
			} else if err != nil {
				return nil, err
			}
			if m := pkg.Module; m != nil && m.Path != module {
				all[m.Path] = *m
			}
		}
	}
	var list []linked
	for _, m := range all {
		list = append(list, m)
	}
	slices.SortFunc(list, func(a, b linked) int { return strings.Compare(a.Path, b.Path) })
	return list, nil
}

// joinLicenses joins the licences of all linked modules and of Go into one text. It
// returns an error for a module without a licence.
func joinLicenses() ([]byte, error) {
	modules, err := linkedModules()
	if err != nil {
		return nil, err
	}
	goroot, err := commandOutput("go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	version, err := commandOutput("go", "env", "GOVERSION")
	if err != nil {
		return nil, err
	}
	modules = append([]linked{{"Go (runtime, standard library, wasm_exec.js)", version, goroot}}, modules...)
	root, err := commandOutput("go", "list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		return nil, err
	}
	modules = append(modules, linked{"WordNet (the table of verbs)", "3.1", filepath.Join(root, "core", "action", "verbs")})
	var b bytes.Buffer
	fmt.Fprint(&b, "Boundcheck contains software of others, under these licences.\n")
	for _, m := range modules {
		texts := readLicenses(m.Dir)
		if len(texts) == 0 {
			return nil, fmt.Errorf("%s %s has no licence file in %s", m.Path, m.Version, m.Dir)
		}
		fmt.Fprintf(&b, "\n%s\n%s %s\n%s\n", strings.Repeat("=", 78), m.Path, m.Version, strings.Repeat("=", 78))
		for _, t := range texts {
			fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(string(t)))
		}
	}
	return b.Bytes(), nil
}

// readLicenses returns the licence and notice files of a folder, in order of their names.
func readLicenses(dir string) (texts [][]byte) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		name := strings.ToUpper(e.Name())
		if e.IsDir() || !strings.HasPrefix(name, "LICENSE") && !strings.HasPrefix(name, "LICENCE") && !strings.HasPrefix(name, "COPYING") && !strings.HasPrefix(name, "NOTICE") {
			continue
		}
		if b, err := os.ReadFile(filepath.Join(dir, e.Name())); err == nil {
			texts = append(texts, b)
		}
	}
	return texts
}

// writeMaterials writes a file in the format CycloneDX 1.6 that lists the modules in a
// program. The list comes from the build information in the program.
func (r *release) writeMaterials(t target, program string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	sum, err := hashOf(program)
	if err != nil {
		return err
	}
	type hash struct {
		Alg     string `json:"alg"`
		Content string `json:"content"`
	}
	type component struct {
		Type    string `json:"type"`
		Ref     string `json:"bom-ref"`
		Name    string `json:"name"`
		Version string `json:"version"`
		PURL    string `json:"purl"`
		Hashes  []hash `json:"hashes,omitempty"`
	}
	part := func(kind, path, version string) component {
		purl := "pkg:golang/" + path + "@" + version
		return component{Type: kind, Ref: purl, Name: path, Version: version, PURL: purl}
	}
	main := part("application", module, r.version)
	main.Hashes = []hash{{"SHA-256", sum}}
	parts := []component{part("library", "std", strings.TrimPrefix(info.GoVersion, "go"))}
	for _, d := range info.Deps {
		parts = append(parts, part("library", d.Path, d.Version))
	}
	text, err := json.MarshalIndent(map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata":   map[string]any{"timestamp": r.at.Format("2006-01-02T15:04:05Z"), "component": main},
		"components": parts,
	}, "", "  ")
	if err != nil {
		return err
	}
	return r.writeFile(r.fileName(t, ".cdx.json"), append(text, '\n'))
}
