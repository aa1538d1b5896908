// Command milder compares the gate's verdicts of the working tree with those of an older
// revision, on generated calls. It lists each call that the older revision asks about and
// the working tree does not: between two versions, verdicts may only become stricter, or
// someone must have meant it.
//
//	go run ./internal/milder -count 1000000 HEAD~5
//
// It exits with status 1 if a verdict became milder.
package main

import (
	"bytes"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// judgeSource is the program that prints a revision's verdicts: "+" for each line of its
// input that is asked about, "-" for each other. Each revision is judged by a copy of it.
//
//go:embed judge/main.go
var judgeSource []byte

const (
	judgeFolder = "internal/milder/judge"
	wordsFile   = "core/action/mutation/words.txt"
)

func main() {
	count := flag.Int("count", 300_000, "generate `n` calls")
	seed := flag.Uint64("seed", 1, "of the generator")
	show := flag.Int("show", 100, "list at most `n` calls")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: go run ./internal/milder [flags] REVISION")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	milder, err := compare(flag.Arg(0), *count, *seed)
	if err != nil {
		fmt.Fprintln(os.Stderr, "milder:", err)
		os.Exit(2)
	}
	for i, call := range milder {
		if i == *show {
			fmt.Printf("… and %d more\n", len(milder)-i)
			break
		}
		fmt.Println(call)
	}
	fmt.Printf("%d of %d calls are no longer asked about\n", len(milder), *count)
	if len(milder) > 0 {
		os.Exit(1)
	}
}

// compare generates calls and returns those that are judged more mildly now. For such a
// call, the code of the given revision asks a person, and the code of the working tree
// does not ask.
func compare(revision string, count int, seed uint64) (milder []string, err error) {
	root, err := output("", "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "milder")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	old := filepath.Join(dir, "old")
	if _, err := output(root, "git", "worktree", "add", "--detach", old, revision); err != nil {
		return nil, err
	}
	defer func() { _, _ = output(root, "git", "worktree", "remove", "--force", old) }()
	folder := filepath.Join(old, judgeFolder)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(folder, "main.go"), judgeSource, 0o644); err != nil {
		return nil, err
	}
	words, err := readWords(filepath.Join(root, wordsFile), filepath.Join(old, wordsFile))
	if err != nil {
		return nil, err
	}
	calls := generate(words, count, seed)
	fmt.Fprintf(os.Stderr, "%d calls of %d words, judged by %s and by the working tree\n", len(calls), len(words), revision)
	before, err := judge(old, calls)
	if err != nil {
		return nil, fmt.Errorf("the judge of %s: %w", revision, err)
	}
	now, err := judge(root, calls)
	if err != nil {
		return nil, err
	}
	for i, c := range calls {
		if before[i] && !now[i] {
			milder = append(milder, c)
		}
	}
	return milder, nil
}

// judge reports for each call whether the gate asks a person about the call. The gate is
// built from the source code in the folder tree.
func judge(tree string, calls []string) ([]bool, error) {
	cmd := exec.Command("go", "run", "./"+judgeFolder)
	cmd.Dir = tree
	cmd.Stdin = strings.NewReader(strings.Join(calls, "\n") + "\n")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	if len(out) != len(calls) {
		return nil, fmt.Errorf("%d verdicts on %d calls", len(out), len(calls))
	}
	asked := make([]bool, len(calls))
	for i, c := range out {
		asked[i] = c == '+'
	}
	return asked, nil
}

// readWords returns the words of both lexicons, sorted by their first appearance.
func readWords(files ...string) ([]string, error) {
	var words []string
	seen := map[string]bool{}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(data)) {
			if strings.HasPrefix(line, "#") {
				continue
			}
			for _, w := range strings.FieldsFunc(line, func(r rune) bool { return r < 'a' || r > 'z' }) {
				if len(w) > 1 && !seen[w] {
					seen[w] = true
					words = append(words, w)
				}
			}
		}
	}
	return words, nil
}

// output runs a command in a directory and returns its standard output without
// surrounding white space. If the command fails, the error contains the command's error
// output.
func output(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	var problem bytes.Buffer
	cmd.Stderr = &problem
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, problem.Bytes())
	}
	return strings.TrimSpace(string(out)), nil
}
