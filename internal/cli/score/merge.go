package score

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/trajectory"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/stream"
)

const mergeUsage = `usage: boundcheck merge [FLAGS] PARTIAL…

Merges the partial results that score --stream --partial wrote for the shards of an
input. Prints one line with the corpus figures, byte for byte the last line of one
score --stream over all files. The order of the PARTIALs does not matter. A shard that
is given twice counts once; a missing shard is an error. Files that were divided
together keep their order; files that were scored separately are ordered by name. A
PARTIAL and the FILE of --out may be http, https or s3 URLs.

  --out FILE             combine the PARTIALs into FILE, for a later merge, and print
                         nothing; shards may be missing
  --incomplete           compute the figures even if shards are missing; a warning names them
  --seed N               seed of the bootstrap (default: the seed of the PARTIALs)
  --fail-under M=X       exit 3 when corpus metric M is below X, as score does
`

const gcPercent = 30

type mergeFlags struct {
	files      []string
	out        string
	incomplete bool
	seed       uint64
	thresholds cmd.Thresholds
}

// Merge implements "boundcheck merge", which merges the partial results of shards.
func Merge(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	f, err := parseMerge(args)
	if err != nil {
		return cmd.PrintUsage(stdout, stderr, "merge", err, mergeUsage)
	}
	code, err := f.run(stdout, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "boundcheck merge: %v\n", err)
		return cmd.ExitInput
	}
	return code
}

func parseMerge(args []string) (*mergeFlags, error) {
	f := &mergeFlags{}
	set := flag.NewFlagSet("merge", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&f.out, "out", "", "")
	set.BoolVar(&f.incomplete, "incomplete", false, "")
	set.Uint64Var(&f.seed, "seed", 0, "")
	set.Var(&f.thresholds, "fail-under", "")
	if err := cmd.ParseInterspersed(set, args, &f.files); err != nil {
		return nil, err
	}
	switch {
	case len(f.files) == 0:
		return nil, errors.New("missing PARTIAL")
	case f.out != "" && (f.incomplete || f.seed != 0 || f.thresholds != nil):
		return nil, errors.New("--incomplete, --seed and --fail-under cannot be used with --out, because --out computes no figures")
	}
	return f, nil
}

func (f *mergeFlags) run(stdout, stderr io.Writer) (code int, err error) {
	if os.Getenv("GOGC") == "" { // memory holds little except sums by task, so a larger heap saves time
		defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	}
	set, err := cmd.ReadPartials(f.files, "merge", stderr)
	if err != nil {
		return 0, err
	}
	defer set.Close()
	if f.out != "" {
		return 0, stream.WriteWhole(f.out, func(w io.Writer) error { // at once, because it may be an input too
			_, err := set.WriteTo(w)
			return err
		})
	}
	if missing := set.Missing(); len(missing) > 0 {
		if !f.incomplete {
			return 0, fmt.Errorf("the shards %s are missing; score these shards, or use --incomplete to compute the figures without these shards", strings.Join(missing, "; "))
		}
		fmt.Fprintf(stderr, "boundcheck merge: the shards %s are missing; the figures do not include these shards\n", strings.Join(missing, "; "))
	}
	summary, err := set.Finish(f.seed)
	if err != nil {
		return 0, err
	}
	if _, err := stdout.Write(wire.Marshal(summary)); err != nil {
		return 0, err
	}
	if summary.Errors > 0 {
		fmt.Fprintf(stderr, "boundcheck merge: %d of %d lines or elements are unusable; the output of \"boundcheck score\" shows the errors\n", summary.Errors, summary.Elements)
		code = cmd.ExitInput
	}
	counts := cmd.Failing{Unscored: summary.Errors, Empty: summary.Corpus.N == 0}
	for i := range summary.Warnings {
		counts.Left += cmd.ToInt(trajectory.LeavesOut(summary.Warnings[i].Code))
	}
	if failed := f.thresholds.CheckReport(&core.Report{Corpus: summary.Corpus}, &counts, stderr); code == cmd.ExitOK {
		code = failed
	}
	return code, nil
}
