package score

import (
	"fmt"
	"io"
	"strings"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/study/fork"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/render"
)

// readPair reports whether the arguments are two single runs, FILE#RUN, and keeps them.
func (f *compareFlags) readPair() bool {
	if len(f.Files) != 2 {
		return false
	}
	var pair [][2]string
	for _, name := range f.Files {
		at := strings.LastIndexByte(name, '#')
		if at < 1 || at == len(name)-1 {
			return false
		}
		pair = append(pair, [2]string{name[:at], name[at+1:]})
	}
	f.pair = pair
	return true
}

// comparePair scores two runs and prints them beside each other.
func (f *compareFlags) comparePair(stdin io.Reader, stdout, stderr io.Writer) int {
	p, err := f.alignPair(stdin, stderr)
	if err != nil {
		return cmd.PrintFailure(stdout, stderr, "compare", f.Format, err)
	}
	names := [2]string{f.Files[0], f.Files[1]}
	switch f.Format {
	case "json":
		stdout.Write(wire.Marshal(&p))
	case "markdown":
		render.PairMarkdown(stdout, &p, names)
	case "svg":
		render.PairSVG(stdout, &p, names)
	default:
		render.PairTable(stdout, &p, names, render.TerminalWidth(stdout))
	}
	return cmd.ExitOK
}

func (f *compareFlags) alignPair(stdin io.Reader, stderr io.Writer) (fork.Pair, error) {
	var runs [2]core.Trajectory
	for i, of := range f.pair {
		one := f.ScoreFlags
		one.Files = []string{of[0]}
		r, err := one.ScoreFiles(stdin, stderr)
		if err == nil {
			err = cmd.KeepRun(&r, of[1], &core.Options{})
		}
		if err != nil {
			return fork.Pair{}, fmt.Errorf("%s: %s", of[0], strings.TrimPrefix(err.Error(), "--run "))
		}
		runs[i] = r.Trajectories[0]
	}
	return fork.Align(&runs[0], &runs[1])
}
