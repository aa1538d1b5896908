package score

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/repair"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/words"
)

const repairUsage = `usage: boundcheck repair FILE

Converts text that is almost JSON to JSON, and writes the JSON to standard output. The
command accepts Python's None, True, single quotes and tuples. The command also accepts
comments, trailing commas, names without quotes, and the fence of a Markdown block.
Standard error lists the changes. Only the spelling of values changes. The command does
not complete or guess anything. Text with more than one possible reading is an error.

Exit codes: 0 done (no change if FILE is already JSON), 1 FILE cannot be repaired, 2 usage.
`

// listedChanges is the largest number of changes that the command lists.
const listedChanges = 10

// Repair converts a text that is almost JSON to JSON.
func Repair(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	file, err := oneFile(args, stdin)
	if err != nil {
		return cmd.PrintUsage(stdout, stderr, "repair", err, repairUsage)
	}
	data, err := cmd.ReadFile(file, stdin)
	var fixed repair.Result
	if err == nil {
		fixed, err = repair.JSON(string(data))
	}
	if err == nil {
		_, err = io.WriteString(stdout, fixed.Text)
	}
	if err != nil {
		fmt.Fprintf(stderr, "boundcheck repair: %s: %v\n", words.Printable(file), err)
		return cmd.ExitInput
	}
	sayChanges(stderr, fixed.Changes)
	return cmd.ExitOK
}

// oneFile returns the file of a command that takes one FILE and no flags.
func oneFile(args []string, stdin io.Reader) (string, error) {
	var files []string
	set := flag.NewFlagSet("", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	if err := cmd.ParseInterspersed(set, args, &files); err != nil {
		return "", err
	}
	files, err := cmd.InputFiles(files, stdin)
	if err == nil && len(files) != 1 {
		err = errors.New("want one FILE")
	}
	if err != nil {
		return "", err
	}
	return files[0], nil
}

func sayChanges(stderr io.Writer, changes []repair.Change) {
	if len(changes) == 0 {
		fmt.Fprintln(stderr, "boundcheck repair: nothing to change")
		return
	}
	kinds := map[repair.Kind]int{}
	for _, c := range changes {
		kinds[c.Kind]++
	}
	var said []string
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		said = append(said, fmt.Sprintf("%d × %s", kinds[kind], kind))
	}
	fmt.Fprintf(stderr, "boundcheck repair: %s: %s\n", words.Count(len(changes), "change", "changes"), strings.Join(said, ", "))
	for _, c := range changes[:min(len(changes), listedChanges)] {
		fmt.Fprintf(stderr, "  line %d, column %d: %s → %s\n", c.Line, c.Column, excerptOf(c.Was), excerptOf(c.Now))
	}
	if more := len(changes) - listedChanges; more > 0 {
		fmt.Fprintf(stderr, "  and %d more\n", more)
	}
}

// excerptOf shortens the changed part of a text to 40 characters, for one line in a
// terminal. It escapes characters that could control the terminal.
func excerptOf(s string) string {
	if s == "" {
		return "nothing"
	}
	if runes := []rune(s); len(runes) > 40 {
		s = string(runes[:40]) + "…"
	}
	return words.Printable(s)
}
