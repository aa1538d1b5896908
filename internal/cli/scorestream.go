package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"syscall"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/internal/stream"
)

// exitSignal is added to the number of a signal. The sum is the exit code of a run that
// the signal stopped.
const exitSignal = 128

// checkStream returns an error if flags for streams and shards contradict each other or
// lack another flag. It also parses the value of --shard.
func (f *scoreFlags) checkStream() (err error) {
	if f.shard != "" {
		f.cut, err = stream.ReadShard(f.shard)
	}
	switch {
	case err != nil:
		return err
	case !f.stream && slices.ContainsFunc(f.files, stream.IsURL):
		return errors.New("a URL can be read only with --stream")
	case !f.stream && (f.partial != "" || f.shard != "" || f.as != ""):
		return errors.New("--partial, --shard and --as need --stream")
	case f.partial == "" && (f.shard != "" || f.as != ""):
		return errors.New("--shard and --as need --partial FILE, because a part of a file has no final figures")
	case f.as != "" && f.shard == "":
		return errors.New("--as also needs --shard I/N, the number of the part and the number of parts")
	case f.shard != "" && f.thresholds != nil:
		return errors.New("--fail-under cannot be used with --shard; give --fail-under to boundcheck merge")
	case f.shard != "" && f.fail.on != "":
		return errors.New("--fail-on cannot be used with --shard, because a failed shard would be scored again")
	case f.partial != "" && f.partial == f.out:
		return errors.New("--out and --partial need different files")
	case f.partial != "" && slices.Contains(f.files, f.partial):
		return fmt.Errorf("%s is an input file; choose another file for --partial", f.partial)
	case !f.stream && (f.out != "" || f.resume):
		return errors.New("--out and --resume need --stream")
	case f.resume && f.partial == "" && stream.IsURL(f.out):
		return errors.New("--resume cannot be used if --out is a URL; add --partial")
	case f.resume && f.out+f.partial == "":
		return errors.New("--resume needs --out FILE or --partial FILE")
	case f.stream && isConsensus(f.referenceFrom):
		return errors.New("--stream cannot be used with --reference-from consensus, which needs all runs at once")
	case f.stream && f.format != "table" && f.format != "json":
		return fmt.Errorf("--stream writes lines of JSON, so --format %s cannot be used with --stream", f.format)
	}
	return nil
}

// streamCommand implements "score --stream". It prints one line for each trajectory, in
// the order of the input. The memory that it needs does not grow with the input.
func streamCommand(f *scoreFlags, stdin io.Reader, stdout, stderr io.Writer) int {
	fail := func(err error) int {
		fmt.Fprintf(stderr, "boundcheck score: %v\n", err)
		return exitInput
	}
	f.findReferences(stderr)
	given, err := f.readReferences(stdin)
	if err == nil {
		err = f.applyConfig()
	}
	if err != nil {
		return fail(err)
	}
	if f.shard != "" && (f.fail.on != "" || f.thresholds != nil) { // of the configuration
		fmt.Fprintf(stderr, "boundcheck score: the settings fail-on and fail-under in %s are not checked for a shard; use boundcheck merge --fail-under\n", f.conf.read.path)
		f.fail, f.thresholds = failFlags{}, nil
	}
	conf := &f.conf.read
	hash := given.hash
	if conf.hash != "" {
		hash += "+" + conf.hash
	}
	all := func(r *core.Request) {
		given.applyToRequest(r)
		conf.applyToRequest(r)
	}
	loaded, err := f.checkers.loadPlugins(context.Background(), stderr)
	if err == nil && loaded.decoder != nil && len(loaded.told) == 0 {
		loaded.stop()
		err = errors.New("--stream cannot read a format that only a plugin knows; remove --stream")
	}
	if err != nil {
		return fail(fmt.Errorf("plugins: %w", err))
	}
	defer loaded.stop()
	var fails failing
	result, err := stream.Run(stream.Options{EachRun: func(t *core.Trajectory) { fails.countFindings(&f.fail, t) }, Files: f.files, Profile: f.profile, Seed: f.seed, References: all, ReferenceHash: hash,
		Checkers: loaded.checkers, Advisor: loaded.newAdvisor(), Advisors: loaded.advisorPlugins(), Out: f.out, Resume: f.resume,
		Partial: f.partial, Shard: f.cut, As: f.as}, stdin, stdout, stderr)
	if err != nil {
		return fail(err)
	}
	if result.Done {
		return exitOK
	}
	code := loaded.printContributions("score", "", stderr)
	if result.Signal != nil {
		code = exitSignal + int(result.Signal.(syscall.Signal))
	}
	if result.Faults > 0 && code == exitOK && f.shard == "" { // of a shard, merge says so
		fmt.Fprintf(stderr, "boundcheck score: %d of %d lines or elements are unusable or have a run that was not scored; the output gives the reason for each\n", result.Faults, result.Elements)
		code = exitInput
	}
	if !result.Complete || code != exitOK {
		return code
	}
	fails.countInput(&f.fail, result.Corpus.N, result.Warnings, 0)
	if failed := f.fail.printFailures(&fails, "score", stderr); failed != exitOK {
		code = failed
	}
	if failed := f.thresholds.checkReport(&core.Report{Corpus: result.Corpus}, &fails, stderr); failed != exitOK {
		code = failed
	}
	return code
}
