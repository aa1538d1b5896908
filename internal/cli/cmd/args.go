package cmd

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/repair"
	"github.com/boundcheck/boundcheck/internal/words"
)

// ParseInterspersed is ParseMixed, which adds to files, and refuses an empty text as the value of a flag.
func ParseInterspersed(set *flag.FlagSet, args []string, files *[]string) error {
	more, err := ParseMixed(set, args)
	if err != nil {
		return err
	}
	*files = append(*files, more...)
	set.Visit(func(f *flag.Flag) {
		if v, ok := f.Value.(flag.Getter); ok && v.Get() == "" {
			err = fmt.Errorf("the value of --%s is empty; give one, or leave the flag out", f.Name)
		}
	})
	return err
}

// Ends holds a command's input and outputs.
type Ends struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// OneOf returns an error if the value of a flag is not one of the known ones.
func OneOf(name, value string, known ...string) error {
	for _, k := range known {
		if k == value {
			return nil
		}
	}
	return fmt.Errorf("unknown --%s %q; known are %s", name, value, strings.Join(known, ", "))
}

// CheckSubcommand returns an error if the first argument is not the name in the parameter
// parsed. The error lists this name and the names in others. If the first argument asks
// for help, the error is flag.ErrHelp.
func CheckSubcommand(args []string, command, parsed string, others ...string) error {
	known := strings.Join(append([]string{parsed}, others...), ", ")
	switch {
	case len(args) == 0:
		return fmt.Errorf("missing subcommand after %s: want %s", command, known)
	case args[0] == "-h" || args[0] == "-help" || args[0] == "--help":
		return flag.ErrHelp
	case args[0] != parsed:
		return fmt.Errorf("unknown subcommand %q after %s: want %s", args[0], command, known)
	}
	return nil
}

// ParseMixed parses flags that may come before, between and after files.
func ParseMixed(set *flag.FlagSet, args []string) (files []string, err error) {
	for rest := args; len(rest) > 0; {
		if err := set.Parse(rest); err != nil {
			return nil, err
		}
		if rest = set.Args(); len(rest) > 0 {
			files, rest = append(files, rest[0]), rest[1:]
		}
	}
	return files, nil
}

// FileCause removes the path from an error, because the message already contains the
// path.
func FileCause(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// repairHint returns a text that says how to convert a file to JSON. It returns "" if the
// file is JSON already, or cannot be read or repaired.
func repairHint(file string) string {
	data, err := ReadFile(file, nil)
	if err != nil {
		return ""
	}
	fixed, err := repair.JSON(string(data))
	if err != nil || len(fixed.Changes) == 0 {
		return ""
	}
	return fmt.Sprintf("to convert the file to JSON (%s), run: boundcheck repair %s > repaired.json\n", words.Count(len(fixed.Changes), "change", "changes"), words.Printable(file))
}

// ReadOverrides reads the operator's table, which says which tools change something.
func ReadOverrides(name string, stdin io.Reader) (mutation.Table, error) {
	v, err := ReadJSON(name, stdin)
	if err != nil {
		return nil, err
	}
	table, err := mutation.ReadTable(v)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return table, nil
}
