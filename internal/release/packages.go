package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/boundcheck/boundcheck/internal/wheel"
)

// nfpm is the tool that makes packages for Debian and RPM.
const nfpm = "github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.1"

const nfpmConfig = `name: boundcheck
arch: {{.Arch}}
platform: linux
version: {{.Version}}
section: utils
maintainer: Boundcheck <boundcheck@users.noreply.github.com>
description: Bounds checking for the actions of LLM agents.
homepage: https://{{.Module}}
license: Apache-2.0
mtime: {{.Time}}
contents:
- {src: {{.Dir}}/boundcheck, dst: /usr/bin/boundcheck, file_info: {mode: 0755, mtime: {{.Time}}}}
- {src: {{.Dir}}/LICENSE, dst: /usr/share/doc/boundcheck/copyright, file_info: {mode: 0644, mtime: {{.Time}}}}
- {src: {{.Dir}}/THIRD_PARTY_NOTICES.txt, dst: /usr/share/doc/boundcheck/THIRD_PARTY_NOTICES.txt, file_info: {mode: 0644, mtime: {{.Time}}}}
- {src: {{.Dir}}/man/boundcheck.1, dst: /usr/share/man/man1/boundcheck.1, file_info: {mode: 0644, mtime: {{.Time}}}}
- {src: {{.Dir}}/completions/boundcheck.bash, dst: /usr/share/bash-completion/completions/boundcheck, file_info: {mode: 0644, mtime: {{.Time}}}}
- {src: {{.Dir}}/completions/boundcheck.fish, dst: /usr/share/fish/vendor_completions.d/boundcheck.fish, file_info: {mode: 0644, mtime: {{.Time}}}}
- {src: {{.Dir}}/completions/_boundcheck, dst: /usr/share/zsh/vendor-completions/_boundcheck, file_info: {mode: 0644, mtime: {{.Time}}}}
`

// systemPackages makes the .deb and .rpm packages of a program.
func (r *release) systemPackages(t target, program string) error {
	dir := filepath.Dir(program)
	for _, m := range r.extras {
		path := filepath.Join(dir, filepath.FromSlash(m.name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, m.data, 0o644); err != nil {
			return err
		}
	}
	stamp := r.at.Format("2006-01-02T15:04:05Z")
	config, err := fillTemplate(nfpmConfig, map[string]string{"Arch": t.arch, "Version": strings.TrimPrefix(r.version, "v"), "Module": module, "Time": stamp, "Dir": dir})
	if err != nil {
		return err
	}
	file := filepath.Join(dir, "nfpm.yaml")
	if err := os.WriteFile(file, config, 0o644); err != nil {
		return err
	}
	for _, kind := range []string{"deb", "rpm"} {
		name := r.fileName(t, "."+kind)
		err := runCommand([]string{fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.at.Unix()), "GOFLAGS=-mod=mod"},
			"go", "run", nfpm, "package", "--config", file, "--packager", kind, "--target", filepath.Join(r.out, name))
		if err != nil {
			return err
		}
		r.made = append(r.made, name)
	}
	return nil
}

// writeWheel writes a Python wheel that contains the program. If Python has no tag for
// the platform, writeWheel writes nothing.
func (r *release) writeWheel(t target, program string) error {
	data, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	w := wheel.Wheel{Version: r.version, OS: t.os, Arch: t.arch, Program: data, Licences: map[string][]byte{}, At: r.at}
	for _, m := range r.extras {
		if m.name == "LICENSE" || m.name == "THIRD_PARTY_NOTICES.txt" {
			w.Licences[m.name] = m.data
		}
	}
	name, err := w.Name()
	if err != nil {
		return nil // Python has no tag for this platform
	}
	packed, err := w.Write(".")
	if err != nil {
		return err
	}
	return r.writeFile(name, packed)
}

const brewFormula = `class Boundcheck < Formula
  desc "Bounds checking for the actions of LLM agents"
  homepage "https://{{.Module}}"
  version "{{.Version}}"
  license "Apache-2.0"
{{range .Systems}}
  on_{{.Name}} do
{{- range .Archives}}
    on_{{.CPU}} do
      url "{{.URL}}"
      sha256 "{{.SHA256}}"
    end
{{- end}}
  end
{{end}}
  def install
    bin.install "boundcheck"
    man1.install "man/boundcheck.1"
    bash_completion.install "completions/boundcheck.bash" => "boundcheck"
    fish_completion.install "completions/boundcheck.fish"
    zsh_completion.install "completions/_boundcheck"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/boundcheck --version")
  end
end
`

const scoopManifest = `{
    "version": "{{.Version}}",
    "description": "Bounds checking for the actions of LLM agents",
    "homepage": "https://{{.Module}}",
    "license": "Apache-2.0",
    "architecture": {
{{- range $i, $a := .Windows}}{{if $i}},{{end}}
        "{{$a.Scoop}}": { "url": "{{$a.URL}}", "hash": "{{$a.SHA256}}" }
{{- end}}
    },
    "bin": "boundcheck.exe"
}
`

// packed contains the data of an archive that a formula needs.
type packed struct{ CPU, Scoop, URL, SHA256 string }

// writeFormulas writes the package descriptions for Homebrew and Scoop. They contain the
// platforms that were built.
func (r *release) writeFormulas() error {
	type system struct {
		Name     string
		Archives []packed
	}
	systems := map[string]*system{"darwin": {Name: "macos"}, "linux": {Name: "linux"}, "windows": {Name: "windows"}}
	for _, t := range r.targets {
		ending := ".tar.gz"
		if t.os == "windows" {
			ending = ".zip"
		}
		sum, err := hashOf(filepath.Join(r.out, r.fileName(t, ending)))
		if err != nil {
			return err
		}
		cpu := map[string][2]string{"amd64": {"intel", "64bit"}, "arm64": {"arm", "arm64"}}[t.arch]
		if s := systems[t.os]; s != nil && cpu[0] != "" {
			url := fmt.Sprintf("https://%s/releases/download/%s/%s", module, r.version, r.fileName(t, ending))
			s.Archives = append(s.Archives, packed{cpu[0], cpu[1], url, sum})
		}
	}
	values := map[string]any{"Version": strings.TrimPrefix(r.version, "v"), "Module": module, "Windows": systems["windows"].Archives}
	var used []*system
	for _, name := range []string{"darwin", "linux"} {
		if len(systems[name].Archives) > 0 {
			used = append(used, systems[name])
		}
	}
	values["Systems"] = used
	for name, text := range map[string]string{"boundcheck.rb": brewFormula, "boundcheck.json": scoopManifest} {
		data, err := fillTemplate(text, values)
		if err != nil {
			return err
		}
		if err := r.writeFile(name, data); err != nil {
			return err
		}
	}
	return nil
}

func fillTemplate(text string, values any) ([]byte, error) {
	var b bytes.Buffer
	err := template.Must(template.New("").Parse(text)).Execute(&b, values)
	return b.Bytes(), err
}
