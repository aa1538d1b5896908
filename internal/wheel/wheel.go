// Package wheel writes a Python wheel that contains a program, as the wheels of ruff do. The
// wheel has the package's modules, and the program among the scripts. The format is the binary
// distribution format 1.0 of packaging.python.org (PEP 427, with tags by PEP 425 and
// 600).
package wheel

import (
	"archive/zip"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Wheel is the content of a wheel.
type Wheel struct {
	Version  string            // v1.2.3, as in git
	OS, Arch string            // Go's names
	Program  []byte            // the command for that platform
	Licences map[string][]byte // files to store next to the metadata, by name
	At       time.Time         // the time of every member
}

// Name returns the wheel's file name. It returns an error if Python has no tag for the
// platform.
func (w *Wheel) Name() (string, error) {
	tag, err := w.platformTag()
	return fmt.Sprintf("boundcheck-%s-py3-none-%s.whl", w.pythonVersion(), tag), err
}

// platformTag returns Python's tag for the wheel's platform. The program links no C
// library, so it runs on every Linux. The version of macOS is the oldest that Go
// supports.
func (w *Wheel) platformTag() (string, error) {
	switch w.OS + "/" + w.Arch {
	case "linux/amd64":
		return "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64", nil
	case "linux/arm64":
		return "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64", nil
	case "darwin/amd64":
		return "macosx_12_0_x86_64", nil
	case "darwin/arm64":
		return "macosx_12_0_arm64", nil
	case "windows/amd64":
		return "win_amd64", nil
	case "windows/arm64":
		return "win_arm64", nil
	}
	return "", fmt.Errorf("no Python wheel exists for the platform %s/%s", w.OS, w.Arch)
}

var release = regexp.MustCompile(`^v?(\d+\.\d+\.\d+)(?:-(rc|alpha|beta)\.?(\d+)|-([0-9A-Za-z.-]+))?$`)

// pythonVersion returns the version in Python's format (PEP 440). For example,
// v1.2.3-rc.1 becomes 1.2.3rc1. The hash of a commit becomes a local version with the
// prefix "g".
func (w *Wheel) pythonVersion() string {
	m := release.FindStringSubmatch(w.Version)
	switch {
	case m == nil:
		return "0.0.0"
	case m[2] != "":
		return m[1] + map[string]string{"rc": "rc", "alpha": "a", "beta": "b"}[m[2]] + m[3]
	case m[4] != "":
		return m[1] + "+g" + strings.ToLower(strings.NewReplacer("-", ".").Replace(m[4]))
	}
	return m[1]
}

const metadata = `Metadata-Version: 2.1
Name: boundcheck
Version: %s
Summary: Bounds checking for the actions of LLM agents.
Home-page: https://github.com/boundcheck/boundcheck
License: Apache-2.0
Classifier: Framework :: Pytest
Classifier: Programming Language :: Python :: 3
Classifier: Typing :: Typed
Requires-Python: >=3.10
Description-Content-Type: text/markdown

%s`

const entryPoints = `[pytest11]
boundcheck = boundcheck.pytest_plugin
`

type member struct {
	name string
	data []byte
	mode os.FileMode
}

// Write returns the wheel's bytes. The modules come from the folder root/python, and the
// description is its README. The same content produces the same bytes.
func (w *Wheel) Write(root string) ([]byte, error) {
	tag, err := w.platformTag()
	if err != nil {
		return nil, err
	}
	all, err := readModules(filepath.Join(root, "python"))
	if err != nil {
		return nil, err
	}
	readme, err := os.ReadFile(filepath.Join(root, "python", "README.md"))
	if err != nil {
		return nil, err
	}
	dist := "boundcheck-" + w.pythonVersion()
	info := dist + ".dist-info/"
	program := "boundcheck"
	if w.OS == "windows" {
		program += ".exe"
	}
	var tags []string
	for _, t := range strings.Split(tag, ".") {
		tags = append(tags, "Tag: py3-none-"+t+"\n")
	}
	all = append(all,
		member{dist + ".data/scripts/" + program, w.Program, 0o755},
		member{info + "METADATA", fmt.Appendf(nil, metadata, w.pythonVersion(), readme), 0o644},
		member{info + "WHEEL", fmt.Appendf(nil, "Wheel-Version: 1.0\nGenerator: boundcheck\nRoot-Is-Purelib: false\n%s", strings.Join(tags, "")), 0o644},
		member{info + "entry_points.txt", []byte(entryPoints), 0o644})
	for name, data := range w.Licences {
		all = append(all, member{info + "licenses/" + name, data, 0o644})
	}
	slices.SortFunc(all, func(a, b member) int { return cmp.Compare(a.name, b.name) })
	return w.packMembers(append(all, member{info + "RECORD", recordFile(all, info+"RECORD"), 0o644}))
}

// readModules returns the package's files.
func readModules(dir string) (all []member, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "boundcheck", "*.py"))
	if err != nil {
		return nil, err
	}
	for _, f := range append(files, filepath.Join(dir, "boundcheck", "py.typed")) {
		data, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		all = append(all, member{"boundcheck/" + filepath.Base(f), data, 0o644})
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no modules in %s", dir)
	}
	return all, nil
}

// recordFile returns the RECORD file of a wheel. This file lists every other file with
// its hash and size. It lists itself without a hash and a size.
func recordFile(all []member, self string) []byte {
	var b bytes.Buffer
	for _, m := range all {
		sum := sha256.Sum256(m.data)
		fmt.Fprintf(&b, "%s,sha256=%s,%d\n", m.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(m.data))
	}
	fmt.Fprintf(&b, "%s,,\n", self)
	return b.Bytes()
}

func (w *Wheel) packMembers(all []member) ([]byte, error) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, m := range all {
		h := &zip.FileHeader{Name: m.name, Method: zip.Deflate, Modified: w.At.UTC()}
		h.SetMode(m.mode)
		f, err := z.CreateHeader(h)
		if err == nil {
			_, err = f.Write(m.data)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
