// Command make builds the program from this tree and writes a Python wheel with it, for tests
// on this platform:
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/boundcheck/boundcheck/internal/wheel"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./internal/wheel/make OUTDIR")
		os.Exit(2)
	}
	path, err := writeWheel(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "wheel:", err)
		os.Exit(1)
	}
	fmt.Println(path)
}

func writeWheel(dir string) (string, error) {
	temp, err := os.MkdirTemp("", "boundcheck-wheel-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(temp)
	program := filepath.Join(temp, "boundcheck")
	build := exec.Command("go", "build", "-o", program, "./cmd/boundcheck")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return "", err
	}
	data, err := os.ReadFile(program)
	if err != nil {
		return "", err
	}
	licence, err := os.ReadFile("LICENSE")
	if err != nil {
		return "", err
	}
	w := wheel.Wheel{Version: "v0.0.0", OS: runtime.GOOS, Arch: runtime.GOARCH, Program: data, Licences: map[string][]byte{"LICENSE": licence}, At: time.Unix(315532800, 0)}
	name, err := w.Name()
	if err != nil {
		return "", err
	}
	out, err := w.Write(".")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, name)
	return path, os.WriteFile(path, out, 0o644)
}
