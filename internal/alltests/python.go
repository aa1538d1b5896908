package main

import (
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// pythonProgram returns the Python that runs the tests: $PYTHON, or Debian's.
func pythonProgram() string {
	if p := os.Getenv("PYTHON"); p != "" {
		return p
	}
	return "/usr/bin/python3"
}

func hasPytest() bool {
	return exec.Command(pythonProgram(), "-c", "import pytest, venv, ensurepip").Run() == nil
}

func installPytest() {
	if os.Geteuid() != 0 {
		return
	}
	if !hasPytest() {
		installDebian("python3-pytest")
		installDebian("python3-venv")
	}
	if exec.Command(pythonProgram(), "-c", "import mypy").Run() != nil {
		installDebian("mypy")
	}
}

// testPython installs the wheel into a new virtual environment and runs its tests with
// Debian's Python and pytest.
func testPython(t *tally) error {
	const name = "Python package"
	if !hasPytest() {
		t.skip(name, "no Python with pytest and venv at "+pythonProgram()+"; install both (Debian: apt-get install python3-pytest python3-venv), or set PYTHON to another interpreter")
		return nil
	}
	dir, err := os.MkdirTemp("", "boundcheck-python-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	report := filepath.Join(dir, "junit.xml")
	run := t.command(exec.Command("sh", "python/test.sh", "-q", "--junitxml="+report))
	text, err := os.ReadFile(report)
	if err != nil {
		return fmt.Errorf("no test ran: %w", run)
	}
	var suites struct {
		Cases []struct {
			Name    string    `xml:"name,attr"`
			Skipped *struct{} `xml:"skipped"`
			Failure *struct{} `xml:"failure"`
			Error   *struct{} `xml:"error"`
		} `xml:"testsuite>testcase"`
	}
	if err := xml.Unmarshal(text, &suites); err != nil {
		return err
	}
	for _, c := range suites.Cases {
		switch {
		case c.Skipped != nil:
			t.skip(name+" "+c.Name, "see pytest's output")
		case c.Failure != nil || c.Error != nil:
			t.failed++
			t.failures = append(t.failures, name+" "+c.Name)
		default:
			t.passed++
		}
	}
	return nil
}
