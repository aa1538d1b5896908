package wheel

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"
	"time"
)

// TestWheel checks the format of a wheel. python/test.sh checks that pip installs it.
func TestWheel(t *testing.T) {
	w := Wheel{Version: "v1.2.3", OS: "linux", Arch: "amd64", Program: []byte("program"), Licences: map[string][]byte{"LICENSE": []byte("text")}, At: time.Unix(1e9, 0)}
	first, err := w.Write("../..")
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := w.Write("../.."); !bytes.Equal(first, again) {
		t.Error("the same contents result in other bytes")
	}
	z, err := zip.NewReader(bytes.NewReader(first), int64(len(first)))
	if err != nil {
		t.Fatal(err)
	}
	names := ""
	for _, f := range z.File {
		names += f.Name + "\n"
		if runs := f.Mode()&0o111 != 0; runs != strings.Contains(f.Name, "/scripts/") {
			t.Errorf("%s has mode %v", f.Name, f.Mode())
		}
	}
	for _, want := range []string{"boundcheck/__init__.py\n", "boundcheck/py.typed\n", "boundcheck-1.2.3.data/scripts/boundcheck\n", "boundcheck-1.2.3.dist-info/licenses/LICENSE\n"} {
		if !strings.Contains(names, want) {
			t.Errorf("no %q in\n%s", want, names)
		}
	}
	if !strings.HasSuffix(names, "dist-info/RECORD\n") || strings.Contains(names, "pycache") {
		t.Errorf("members:\n%s", names)
	}
}

func TestNames(t *testing.T) {
	check := func(version, os, arch, want string) {
		t.Helper()
		w := Wheel{Version: version, OS: os, Arch: arch}
		if got, err := w.Name(); got != want && (want != "" || err == nil) {
			t.Errorf("%s %s/%s: %s (%v), want %s", version, os, arch, got, err, want)
		}
	}
	check("v1.2.3", "linux", "amd64", "boundcheck-1.2.3-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64.whl")
	check("v1.2.3", "darwin", "arm64", "boundcheck-1.2.3-py3-none-macosx_12_0_arm64.whl")
	check("v1.2.3-rc.1", "windows", "amd64", "boundcheck-1.2.3rc1-py3-none-win_amd64.whl")
	check("v0.0.0-0123456789ab", "windows", "arm64", "boundcheck-0.0.0+g0123456789ab-py3-none-win_arm64.whl")
	check("v1.2.3", "plan9", "386", "")
}
