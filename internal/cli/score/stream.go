package score

import (
	"context"
	"errors"
	"fmt"
	"io"
	"syscall"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/stream"
)

// exitSignal is added to the number of a signal. The sum is the exit code of a run that
// the signal stopped.
const exitSignal = 128

// streamCommand implements "score --stream". It prints one line for each trajectory, in
// the order of the input. The memory that it needs does not grow with the input.
func streamCommand(f *cmd.ScoreFlags, stdin io.Reader, stdout, stderr io.Writer) int {
	fail := func(err error) int {
		fmt.Fprintf(stderr, "boundcheck score: %v\n", err)
		return cmd.ExitInput
	}
	f.FindReferences(stderr)
	given, err := f.ReadReferences(stdin)
	if err == nil {
		err = f.ApplyConfig()
	}
	if err != nil {
		return fail(err)
	}
	if f.Shard != "" && (f.Fail.On != "" || f.Thresholds != nil) { // of the configuration
		fmt.Fprintf(stderr, "boundcheck score: the settings fail-on and fail-under in %s are not checked for a shard; use boundcheck merge --fail-under\n", f.Conf.Read.Path)
		f.Fail, f.Thresholds = cmd.FailFlags{}, nil
	}
	conf := &f.Conf.Read
	hash := given.Hash
	if conf.Hash != "" {
		hash += "+" + conf.Hash
	}
	all := func(r *core.Request) {
		given.ApplyToRequest(r)
		conf.ApplyToRequest(r)
	}
	loaded, err := f.Checkers.LoadPlugins(context.Background(), stderr)
	if err == nil && loaded.Decoder != nil && len(loaded.Told) == 0 {
		loaded.Stop()
		err = errors.New("--stream cannot read a format that only a plugin knows; remove --stream")
	}
	if err != nil {
		return fail(fmt.Errorf("plugins: %w", err))
	}
	defer loaded.Stop()
	var fails cmd.Failing
	result, err := stream.Run(stream.Options{EachRun: func(t *core.Trajectory) { fails.CountFindings(&f.Fail, t) }, Files: f.Files, Profile: f.Profile, Seed: f.Seed, References: all, ReferenceHash: hash,
		Checkers: loaded.Checkers, Advisor: loaded.NewAdvisor(), Advisors: loaded.AdvisorPlugins(), Out: f.Out, Resume: f.Resume,
		Partial: f.Partial, Shard: f.Cut, As: f.As}, stdin, stdout, stderr)
	if err != nil {
		return fail(err)
	}
	if result.Done {
		return cmd.ExitOK
	}
	code := loaded.PrintContributions("score", "", stderr)
	if result.Signal != nil {
		code = exitSignal + int(result.Signal.(syscall.Signal))
	}
	if result.Faults > 0 && code == cmd.ExitOK && f.Shard == "" { // of a shard, merge says so
		fmt.Fprintf(stderr, "boundcheck score: %d of %d lines or elements are unusable or have a run that was not scored; the output gives the reason for each\n", result.Faults, result.Elements)
		code = cmd.ExitInput
	}
	if !result.Complete || code != cmd.ExitOK {
		return code
	}
	fails.CountInput(&f.Fail, result.Corpus.N, result.Warnings, 0)
	if failed := f.Fail.PrintFailures(&fails, "score", stderr); failed != cmd.ExitOK {
		code = failed
	}
	if failed := f.Thresholds.CheckReport(&core.Report{Corpus: result.Corpus}, &fails, stderr); failed != cmd.ExitOK {
		code = failed
	}
	return code
}
