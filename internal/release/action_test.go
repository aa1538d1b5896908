package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
)

// action holds the parts of action.yml that the test runs.
type action struct {
	Inputs map[string]struct{ Default string }
	Runs   struct {
		Steps []struct {
			Name, Run string
			Env       map[string]string
		}
	}
}

// TestAction runs the scripts of action.yml as a GitHub runner does, with a release from
// a folder. It checks that the scripts download the program and verify its checksum. It
// also checks that the job has the exit code of the program.
func TestAction(t *testing.T) {
	for _, tool := range []string{"bash", "curl", "tar"} {
		if _, err := exec.LookPath(tool); err != nil || runtime.GOOS != "linux" {
			t.Skipf("SKIPPED: no %s here, the action's scripts are NOT run", tool)
		}
	}
	text, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var a action
	if err := yaml.Unmarshal(text, &a); err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	mirror := filepath.Join(temp, "download", "v1.2.3")
	program := "#!/bin/sh\n[ \"$1\" = --version ] && { echo boundcheck v1.2.3; exit 0; }\necho \"ran $*\"; exit 3\n"
	arch := map[string]string{"amd64": "X64", "arm64": "ARM64"}[runtime.GOARCH]
	archive, err := (&release{at: time.Unix(0, 0)}).packTarball([]member{{"boundcheck", []byte(program)}})
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("boundcheck_1.2.3_linux_%s.tar.gz", runtime.GOARCH)
	write := func(file, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(mirror, name), string(archive))
	write(filepath.Join(mirror, "checksums.txt"), fmt.Sprintf("%x  %s\n", sha256.Sum256(archive), name))
	file := func(name string) string { return filepath.Join(temp, name) }
	env := append(os.Environ(), "RUNNER_OS=Linux", "RUNNER_ARCH="+arch, "RUNNER_TEMP="+temp, "GITHUB_PATH="+file("path"), "GITHUB_OUTPUT="+file("output"),
		"GITHUB_STEP_SUMMARY="+file("summary"), "VERSION=v1.2.3", "SOURCE=file://"+temp, "ARGS=test --update\nsub dir")
	run := func(step string) (string, error) {
		t.Helper()
		for _, s := range a.Runs.Steps {
			if s.Name == step {
				cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", s.Run)
				cmd.Dir, cmd.Env = temp, append(env, "PATH="+filepath.Join(temp, "boundcheck-v1.2.3")+":"+os.Getenv("PATH"))
				out, err := cmd.CombinedOutput()
				return string(out), err
			}
		}
		t.Fatalf("action.yml has no step %q", step)
		return "", nil
	}
	if out, err := run("Install"); err != nil || !strings.Contains(out, "boundcheck v1.2.3") {
		t.Fatalf("install: %v\n%s", err, out)
	}
	out, err := run("Run")
	if err != nil || !strings.Contains(out, "ran test --update sub dir") || !strings.Contains(out, "::error::") {
		t.Errorf("run: %v\n%s", err, out)
	}
	if got, _ := os.ReadFile(file("output")); string(got) != "exit-code=3\n" {
		t.Errorf("the output is %q", got)
	}
	if got, _ := os.ReadFile(file("summary")); !strings.Contains(string(got), "ran test") {
		t.Errorf("the summary is %q", got)
	}
	env = append(env, "CODE=3")
	if _, err := run("Verdict"); err == nil {
		t.Error("the job is green")
	}
	write(filepath.Join(mirror, name), string(archive)+"x")
	if out, err := run("Install"); err == nil || !strings.Contains(out, "checksums.txt says") {
		t.Errorf("a changed archive: %v\n%s", err, out)
	}
	var hooks []struct{ ID, Entry, Language string }
	text, err = os.ReadFile("../../.pre-commit-hooks.yaml")
	if err == nil {
		err = yaml.Unmarshal(text, &hooks)
	}
	if err != nil || len(hooks) != 2 {
		t.Fatal(err, hooks)
	}
	for _, h := range hooks {
		if words := strings.Fields(h.Entry); words[0] != "boundcheck" || h.ID == "" || h.Language != "golang" {
			t.Errorf("hook %+v", h)
		}
	}
}
