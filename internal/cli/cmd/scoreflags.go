package cmd

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"unsafe"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/math/metric"
	"github.com/boundcheck/boundcheck/core/study/causes"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/render"
	"github.com/boundcheck/boundcheck/internal/stream"
)

// RegisterGroup registers the flags that score shares with the commands that score
// several groups of runs.
func (f *ScoreFlags) RegisterGroup(set *flag.FlagSet) {
	set.StringVar(&f.Reference, "reference", "", "")
	set.StringVar(&f.ReferenceFrom, "reference-from", "", "")
	set.StringVar(&f.Profile, "profile", "auto", "")
	set.StringVar(&f.Format, "format", "table", "")
	set.Uint64Var(&f.Seed, "seed", 0, "")
	f.Checkers.RegisterFlags(set)
	f.Params.RegisterFlags(set)
	f.Mapped.RegisterFlags(set)
	f.Checkers.Conf = &f.Conf
}

// CheckGroup returns an error for flags of RegisterGroup that contradict each other.
func (f *ScoreFlags) CheckGroup() error {
	if f.Reference != "" && f.ReferenceFrom != "" {
		return errors.New("--reference and --reference-from contradict each other")
	}
	if isConsensus(f.ReferenceFrom) {
		return errors.New("--reference-from consensus would make a different reference for each group; give one reference for both groups")
	}
	return errors.Join(OneOf("profile", f.Profile, "auto", "outcome", "sop"), f.Mapped.CheckFlags(), f.Checkers.CheckFlags())
}

// SeedAndTheta returns the seed of the bootstrap, and the threshold θ. A successful run
// counts in BASR if its ABS is greater than θ.
func (f *ScoreFlags) SeedAndTheta() (seed uint64, theta float64) {
	seed, theta = f.Seed, metric.BoundaryAware
	if seed == 0 {
		seed = core.DefaultSeed
	}
	if f.Params.params.Theta != nil {
		theta = *f.Params.params.Theta
	}
	return seed, theta
}

// ScoreFlags are the flags of score, of which lint, compare, consensus and the studies use a part.
type ScoreFlags struct {
	Reference, Profile, Format, Color string
	ReferenceFrom                     string
	Lint                              bool // ignore references
	Seed                              uint64
	Limit                             int
	Run                               string // the only run to report; "" for all
	Thresholds                        Thresholds
	Fail                              FailFlags
	Remote                            remoteFlags
	Checkers                          CheckerFlags
	PluginCode                        int // exit code that named plugins and runs that were not scored require
	Params                            paramFlags
	Conf                              ConfigFlags
	Mapped                            MapFlag
	Stream, Resume                    bool
	Out, Partial, Shard, As           string
	Cut                               stream.Shard
	Files                             []string
	Causes                            []causes.Group // of several runs, for the table
}

// ReportExitCode prints the files that could not be read, and returns the exit code for a
// report. A failure of --fail-on or --fail-under determines the exit code, even if a file
// could not be read.
func (f *ScoreFlags) ReportExitCode(r *core.Report, stderr io.Writer) int {
	code := ExitOK
	for _, file := range r.Input.Files {
		if file.Error != "" {
			fmt.Fprintf(stderr, "boundcheck %s: not read: %s\n", f.commandName(), file.Error)
			code = ExitInput
		}
	}
	failed, counts := f.Fail.CheckReport(r, f.commandName(), stderr)
	if failed != ExitOK {
		code = failed
	}
	if failed := f.Thresholds.CheckReport(r, &counts, stderr); failed != ExitOK {
		code = failed
	}
	return code
}

// ScoreFiles reads the files and scores them. For one file without flags, the report has
// the same bytes as the report of every other front end.
func (f *ScoreFlags) ScoreFiles(stdin io.Reader, stderr io.Writer) (core.Report, error) {
	ctx, stop := f.Remote.interruptibleContext()
	defer stop()
	loaded, err := f.Checkers.LoadPlugins(ctx, stderr)
	if err != nil {
		return core.Report{}, fmt.Errorf("plugins: %w", err)
	}
	defer loaded.Stop()
	var request core.Request
	total := 0
	for _, name := range f.Files {
		data, err := ReadFile(name, stdin)
		total += len(data)
		file := data
		if err == nil {
			data, err = loaded.DecodeTrace(ctx, name, data)
		}
		if err == nil {
			data, err = f.Mapped.ApplyMapping(name, data)
		}
		if err != nil {
			return core.Report{}, err
		}
		r, err := core.ReadRequest(data)
		if err != nil && len(f.Files) > 1 {
			request.Inputs = append(request.Inputs, core.Source{Name: name, Data: data, Err: fmt.Errorf("%s: %w", name, err)})
			continue
		}
		if err != nil {
			return core.Report{}, err
		}
		if len(f.Files) > 1 && (r.Reference != nil || r.References != nil) {
			return core.Report{}, fmt.Errorf("%s: an envelope with a reference cannot be combined with another FILE", name)
		}
		for i := range r.Inputs {
			r.Inputs[i].Format = f.Mapped.From
			r.Inputs[i].Derived = r.Inputs[i].Derived || unsafe.SliceData(file) != unsafe.SliceData(data) || strings.HasSuffix(name, ".zst")
		}
		r.Inputs[0].Name = name
		if len(f.Files) == 1 {
			request = r
		} else {
			request.Inputs = append(request.Inputs, r.Inputs...)
		}
	}
	defer saveMemory(total)()
	share, err := f.ParseConsensus()
	if err != nil {
		return core.Report{}, err
	}
	request.Options.Consensus = share
	f.FindReferences(stderr)
	if f.Reference+f.ReferenceFrom != "" && share == 0 {
		given, err := f.ReadReferences(stdin)
		if err != nil {
			return core.Report{}, err
		}
		given.ApplyToRequest(&request)
		if f.ReferenceFrom != "" && f.Profile == "auto" {
			fmt.Fprintln(stderr, "boundcheck score: --reference-from uses the profile outcome, because other good runs may read other things. To compare each step, add --profile sop")
		}
	}
	request.Options.Unreferenced = f.Lint
	request.Options.Lines = f.showsLines()
	if f.Profile != "auto" {
		request.Options.Profile = f.Profile
	}
	if f.Seed != 0 {
		request.Options.Seed = f.Seed
	}
	loaded.applyToOptions(&request.Options)
	if err := f.Params.applyToOptions(&request.Options); err != nil {
		return core.Report{}, err
	}
	f.Conf.Read.ApplyToRequest(&request)
	if err := f.Remote.addClients(ctx, &request.Options); err != nil {
		return core.Report{}, err
	}
	bar := render.NewProgress(stderr)
	defer bar.Done()
	request.Progress = bar.Step
	if loaded.host != nil {
		bar.Also = func() string { return loaded.host.Spent().String() }
	}
	report, err := loaded.Evaluate(request)
	if err != nil {
		return report, err
	}
	bar.Done()
	loaded.addUsedPlugins(&report)
	f.PluginCode = loaded.PrintContributions(f.commandName(), report.Profile, stderr)
	if f.Run != "" {
		return report, KeepRun(&report, f.Run, &request.Options)
	}
	return report, nil
}

// PrintRefusal prints the reason why nothing was scored on stderr, and returns the exit
// code. If the report would be JSON, it also prints the error as JSON on stdout.
func (f *ScoreFlags) PrintRefusal(err error, stdout, stderr io.Writer) int {
	name := ""
	var path *fs.PathError
	var reference *referenceError
	if len(f.Files) == 1 && !errors.As(err, &path) && !errors.As(err, &reference) { // these errors already name their file
		name = f.Files[0] + ": "
	}
	if strings.HasPrefix(err.Error(), name) {
		name = "" // as do some other errors
	}
	fmt.Fprintf(stderr, "boundcheck %s: %s%v\n", f.commandName(), name, err)
	hint := ""
	if reference == nil && len(f.Files) == 1 && f.Files[0] != "-" {
		hint = repairHint(f.Files[0])
	}
	var input *core.InputError
	if hint == "" && errors.As(err, &input) {
		switch {
		case len(input.Formats) > 0:
			hint = "to see which traces can be read, run: boundcheck formats\n"
		case input.Line > 0:
			hint = "to score it, correct the JSON at this place, or write the file again\n"
		}
	}
	fmt.Fprint(stderr, hint)
	if f.printsJSON() {
		stdout.Write(wire.FailWith(err))
	}
	return ExitInput
}

// commandName returns the name by which the command was called: "lint" or "score".
func (f *ScoreFlags) commandName() string {
	if f.Lint {
		return "lint"
	}
	return "score"
}

// UsesColor reports whether an output gets colors.
func (f *ScoreFlags) UsesColor(w io.Writer) bool {
	switch f.Color {
	case "always":
		return true
	case "never":
		return false
	}
	return render.IsTerminal(w) && os.Getenv("NO_COLOR") == ""
}

// CheckStream returns an error if flags for streams and shards contradict each other or
// lack another flag. It also parses the value of --shard.
func (f *ScoreFlags) CheckStream() (err error) {
	if f.Shard != "" {
		f.Cut, err = stream.ReadShard(f.Shard)
	}
	switch {
	case err != nil:
		return err
	case !f.Stream && slices.ContainsFunc(f.Files, stream.IsURL):
		return errors.New("a URL can be read only with --stream")
	case !f.Stream && (f.Partial != "" || f.Shard != "" || f.As != ""):
		return errors.New("--partial, --shard and --as need --stream")
	case f.Partial == "" && (f.Shard != "" || f.As != ""):
		return errors.New("--shard and --as need --partial FILE, because a part of a file has no final figures")
	case f.As != "" && f.Shard == "":
		return errors.New("--as also needs --shard I/N, the number of the part and the number of parts")
	case f.Shard != "" && f.Thresholds != nil:
		return errors.New("--fail-under cannot be used with --shard; give --fail-under to boundcheck merge")
	case f.Shard != "" && f.Fail.On != "":
		return errors.New("--fail-on cannot be used with --shard, because a failed shard would be scored again")
	case f.Partial != "" && f.Partial == f.Out:
		return errors.New("--out and --partial need different files")
	case f.Partial != "" && slices.Contains(f.Files, f.Partial):
		return fmt.Errorf("%s is an input file; choose another file for --partial", f.Partial)
	case !f.Stream && (f.Out != "" || f.Resume):
		return errors.New("--out and --resume need --stream")
	case f.Resume && f.Partial == "" && stream.IsURL(f.Out):
		return errors.New("--resume cannot be used if --out is a URL; add --partial")
	case f.Resume && f.Out+f.Partial == "":
		return errors.New("--resume needs --out FILE or --partial FILE")
	case f.Stream && isConsensus(f.ReferenceFrom):
		return errors.New("--stream cannot be used with --reference-from consensus, which needs all runs at once")
	case f.Stream && f.Format != "table" && f.Format != "json":
		return fmt.Errorf("--stream writes lines of JSON, so --format %s cannot be used with --stream", f.Format)
	}
	return nil
}

// saveMemory makes the collector run four times as often if the files have many bytes: half of
// the peak would be garbage. It changes nothing if GOGC or GOMEMLIMIT is set. The returned function
// restores the previous value.
func saveMemory(bytes int) func() {
	if bytes < 32<<20 || os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(25)
	return func() { debug.SetGCPercent(before) }
}
