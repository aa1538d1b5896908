package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestWorkflow runs the commands of the release workflow in a clean clone. It leaves out
// the commands that publish. It takes minutes and runs only under "make release-test
// DRY=1".
func TestWorkflow(t *testing.T) {
	text, err := os.ReadFile("../../.github/workflows/release.yml")
	if err != nil {
		t.Fatal(err)
	}
	var w struct {
		Jobs struct {
			Build, Publish struct {
				Steps []struct{ Uses, Run string }
			}
		}
	}
	if err := yaml.Unmarshal(text, &w); err != nil {
		t.Fatal(err)
	}
	var scripts []string
	for _, s := range append(w.Jobs.Build.Steps, w.Jobs.Publish.Steps...) {
		if s.Run != "" && !strings.HasPrefix(s.Run, "gh ") {
			scripts = append(scripts, s.Run)
		}
	}
	if len(scripts) != 4 || scripts[0] != "make release-test" || scripts[1] != "make release" || !strings.Contains(scripts[2], "sha256sum -c") || !strings.Contains(scripts[3], "build/image") {
		t.Fatalf("the workflow's commands are others than this test knows: %q", scripts)
	}
	if os.Getenv("BOUNDCHECK_DRY_RELEASE") == "" {
		t.Skip("SKIPPED: it takes minutes; make release-test DRY=1 carries the workflow out in a clean clone")
	}
	clone := filepath.Join(t.TempDir(), "clone")
	if out, err := exec.Command("git", "clone", "-q", "../..", clone).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, script := range scripts {
		cmd := exec.Command("bash", "-eo", "pipefail", "-c", script)
		cmd.Dir = clone
		cmd.Env = append(plainEnvironment(), "TARGETS=linux/amd64,linux/arm64", "VERSION=v0.1.0") // the other platforms are built in the same way
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", script, err, out)
		}
		t.Logf("%.60s: done", script)
	}
	for _, want := range []string{"dist/release/checksums.txt", "dist/release/boundcheck_0.1.0_linux_amd64.deb", "dist/release/boundcheck_0.1.0_linux_arm64.rpm", "build/image/linux/amd64/boundcheck", "build/image/linux/arm64/boundcheck",
		"dist/release/boundcheck-0.1.0-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64.whl"} {
		if info, err := os.Stat(filepath.Join(clone, want)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", want, err)
		}
	}
	status := exec.Command("git", "status", "--porcelain")
	status.Dir = clone
	if out, err := status.Output(); err != nil || len(out) > 0 {
		t.Errorf("the clone is no longer clean: %v\n%s", err, out)
	}
}

// plainEnvironment returns the environment without the variables that make sets.
// Otherwise an inner make would also see DRY=1, and would start this test again.
func plainEnvironment() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return strings.HasPrefix(name, "MAKE") || strings.HasPrefix(name, "MFLAGS") || name == "DRY" || name == "PROJECTS" || name == "BOUNDCHECK_DRY_RELEASE"
	})
}
