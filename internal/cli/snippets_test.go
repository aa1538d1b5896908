package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

// document is a text whose commands are run unchanged.
type document struct {
	text    string
	command string // the program
}

// builtCommand is the program, which is built once for all tests.
var builtCommand = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "boundcheck-cli-test-")
	if err != nil {
		return "", err
	}
	builtFolder = dir
	command := filepath.Join(dir, "boundcheck")
	if out, err := exec.Command("go", "build", "-o", command, "../../cmd/boundcheck").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return command, nil
})

// builtFolder is the folder of the program, or "" if no test needs it.
var builtFolder string

// TestMain deletes what the tests have built.
func TestMain(m *testing.M) {
	code := m.Run()
	if builtFolder != "" {
		os.RemoveAll(builtFolder)
	}
	os.Exit(code)
}

// readDocument reads a text by its path from the repository's root. It skips the test
// with a message if there is no bash.
func readDocument(t *testing.T, file string) document {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skipf("SKIPPED: no bash to run the commands of %s with", file)
	}
	text, err := os.ReadFile(filepath.Join("../..", file))
	if err != nil {
		t.Fatal(err)
	}
	command, err := builtCommand()
	if err != nil {
		t.Fatal(err)
	}
	return document{string(text), command}
}

// codeBlocks returns the content of each fenced code block in the given language.
func (d *document) codeBlocks(language string) (all []string) {
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(d.text, -1) {
		all = append(all, m[1])
	}
	return all
}

// runScript runs a script in a folder, with the program on PATH.
func (d *document) runScript(dir, script string) (string, error) {
	cmd := exec.Command("bash", "-eu", "-o", "pipefail", "-c", script)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+filepath.Dir(d.command)+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// runAll runs every block of commands in order, and returns the output of each block.
func (d *document) runAll(t *testing.T, dir string) (said []string) {
	t.Helper()
	for _, script := range d.codeBlocks("sh") {
		out, err := d.runScript(dir, script)
		if err != nil {
			t.Fatalf("%v in\n%s\n%s", err, script, out)
		}
		said = append(said, out)
	}
	return said
}

// TestDocuments runs the commands of five pages in shells, which takes seconds. These pages
// do not depend on another page. Each page gets a new folder. The output must contain the
// texts that the page describes.
func TestDocuments(t *testing.T) {
	t.Parallel()
	for file, wants := range map[string][]string{
		"docs/faq.md":     {"1.000  boundary score, without missing steps  ABS (agent)", "1 action: 1 read", "unread-before-write (rule)", "toolName"},
		"docs/metrics.md": {"0.750  boundary score, with missing steps ", "0.500  too much or too little, per step "},
		"docs/bench.md":   {"12 tasks, 36 pairs of runs", "the same bytes"},
		"docs/ci.md":      {"::error", "violation", "cancel_order"},
	} {
		t.Run(filepath.Base(file), func(t *testing.T) {
			d := readDocument(t, file)
			dir := t.TempDir()
			var all strings.Builder
			for _, script := range d.codeBlocks("sh") {
				out, err := d.runScript(dir, script)
				var exit *exec.ExitError
				meant := strings.Contains(script, "--fail-on") && errors.As(err, &exit) && exit.ExitCode() == cmd.ExitFailed
				if err != nil && !meant {
					t.Fatalf("%v in\n%s\n%s", err, script, out)
				}
				all.WriteString(out)
			}
			for _, want := range wants {
				if !strings.Contains(all.String(), want) {
					t.Errorf("%s: no %q in\n%s", file, want, all.String())
				}
			}
		})
	}
}

// TestDocumentedGo builds and runs the program of docs/go.md.
func TestDocumentedGo(t *testing.T) {
	d := readDocument(t, "docs/go.md")
	dir, err := os.MkdirTemp("../..", "_docs-go-") // inside the module, so that imports are found, and not in ./..., which others list now
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(d.codeBlocks("go")[0]), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "run", filepath.Join(dir, "main.go")).CombinedOutput()
	said := regexp.MustCompile("It prints `([^`]*)`").FindStringSubmatch(d.text)
	if err != nil || said == nil || string(bytes.TrimSpace(out)) != said[1] {
		t.Errorf("it prints %s (%v), the text says %q", out, err, said)
	}
}

// TestDocumentedCommands checks every command line in the documentation. The command must
// exist, and its help must contain all flags of the command line.
func TestDocumentedCommands(t *testing.T) {
	files, _ := filepath.Glob("../../docs/*.md")
	files = append(files, "../../README.md", "../../python/README.md", "../../wasm/npm/README.md", "../../CONTRIBUTING.md")
	line := regexp.MustCompile("(?:^|[`\n|;(&]|\\$ ) *(?:[A-Z_]+=[^ `]+ )?(?:npx )?boundcheck ((?:[^`\n|;#&>\\\\]|\\\\\n)+)")
	flagName := regexp.MustCompile(`(?:^|[ \[])(--[a-z][a-z-]*)`)
	helps := map[string]string{}
	seen := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		plain := strings.ReplaceAll(string(text), "go run ./cmd/boundcheck", "\nboundcheck")
		for _, m := range line.FindAllStringSubmatch(plain, -1) {
			words := strings.Fields(m[1])
			name := words[0]
			if strings.HasPrefix(name, "-") || name != strings.ToLower(name) || !regexp.MustCompile(`^[a-z]+$`).MatchString(name) {
				continue
			}
			if helps[name] == "" {
				var out, errs bytes.Buffer
				Run([]string{name, "-h"}, strings.NewReader(""), &out, &errs)
				if name == "study" {
					studyHelps(&out)
				}
				if helps[name] = out.String() + errs.String(); strings.Contains(helps[name], "unknown command") {
					t.Errorf("%s: %q: %s", file, m[1], helps[name])
				}
			}
			agent, _, _ := strings.Cut(m[1], " -- ") // the command that record runs
			for _, f := range flagName.FindAllStringSubmatch(agent, -1) {
				if !strings.Contains(helps[name], f[1]) {
					t.Errorf("%s: boundcheck %s: the help of %s has no %s", filepath.Base(file), m[1], name, f[1])
				}
			}
			seen++
		}
	}
	if seen < 60 {
		t.Errorf("only %d command lines were found", seen)
	}
}

// studyHelps writes the help of each subcommand of study to out.
func studyHelps(out *bytes.Buffer) {
	for _, word := range regexp.MustCompile(`(?m)missing subcommand .*: want (.*)`).FindAllStringSubmatch(studyWords(), -1) {
		for _, name := range strings.Split(word[1], ", ") {
			Run([]string{"study", name, "-h"}, strings.NewReader(""), out, out)
		}
	}
}

// studyWords returns the output of study without a subcommand.
func studyWords() string {
	var out bytes.Buffer
	Run([]string{"study"}, strings.NewReader(""), &out, &out)
	return out.String()
}

// TestDocumentedFlags checks the flags that the documentation mentions without a command.
// Each of them must be in the help of some command.
func TestDocumentedFlags(t *testing.T) {
	var helps bytes.Buffer
	for _, c := range allCommands() {
		Run([]string{c.name, "-h"}, strings.NewReader(""), &helps, &helps)
	}
	studyHelps(&helps)
	known := map[string]bool{"--version": true}
	for _, name := range regexp.MustCompile(`--[a-z][a-z-]+`).FindAllString(helps.String(), -1) {
		known[name] = true
	}
	files, _ := filepath.Glob("../../docs/*.md")
	seen := 0
	for _, file := range append(files, "../../README.md", "../../python/README.md", "../../SECURITY.md") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile("`(--[a-z][a-z-]+)[^`\n]*`").FindAllStringSubmatch(string(text), -1) {
			seen++
			if !known[m[1]] {
				t.Errorf("%s: no help has %s", filepath.Base(file), m[1])
			}
		}
	}
	if seen < 50 {
		t.Errorf("only %d flags were looked at", seen)
	}
}
