package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/study/causes"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/render"
	"github.com/boundcheck/boundcheck/internal/stream"
	"github.com/boundcheck/boundcheck/internal/words"
)

const scoreUsage = `usage: boundcheck score [FLAGS] FILE…   (- is standard input)

Scores every trajectory in the files. A file is a trace in any known format
(boundcheck formats lists them), or {"trace": …, "reference": …}.

  --reference FILE       use this reference, not those in the files: a JSON list
                         of steps, {"steps": […]}, or text with one call a line;
                         or a file with the tasks of a benchmark (τ-bench, τ²,
                         an ADK eval set): each run is compared with its own task
  --reference-from FILE  use the first successful run of each task as its
                         reference. Instead of a FILE, the word consensus compares
                         each run with the changes that more than half of the other
                         runs of its task made; consensus=0.8 with those that at
                         least 80 % of them made
  --profile NAME         auto (default), outcome (what changed) or sop (every
                         reference step counts)
  --format NAME          table (default), json, markdown, html (one file that
                         shows itself), csv (a line a run, for spreadsheets),
                         junit, sarif or github (for CI); several with
                         files: --format sarif=a.sarif,junit=b.xml,table
  --fail-under M=X       exit 3 when corpus metric M (within, abs, abs.max, gar, sr, basr,
                         basr.max) is below X, or above X if lower is better (svr, granularityRate, scopeAndGranularityRate,
                         luckySuccess, luckySuccess.max); repeatable
  --fail-on KIND         violation, certain, likely, hint or warning: exit 3 when there is a finding of
                         this kind (without a reference, violation is likely), a part that was not
                         read, or a run without a reference although references were given.
                         not-passed: exit 3 unless each run is known to be good
  --min-confidence P     findings below P (0 to 1) do not cause exit 3
  --seed N               seed of the bootstrap (default 42)
  --color WHEN           auto (default: on a terminal), always, never
  --limit N              trajectories shown in the table (default 20; 0 for all)
  --run ID|N             report only this run: its id, or its number in the files

For inputs of any size, in constant memory and on all cores:

  --stream               score each line of a FILE, or each element of its list, by
                         itself. Write a line of JSON for each trajectory, in input
                         order, and one with "error" for unusable input. The last
                         line has the corpus figures
  --out FILE             write the lines to FILE; after Ctrl-C it has whole lines and
                         a last line with "partial"
  --resume               continue an unfinished FILE
  --partial FILE         when everything is scored, write a partial result to FILE, for
                         boundcheck merge; with --resume, a complete FILE is kept
  --shard I/N            score only part I (0 to N-1) of the files, divided at line ends
  --as NAME              the only FILE, or standard input, is part I of NAME: you
                         have divided NAME yourself
                         FILE may be an http or https URL, signed or not, or
                         s3://BUCKET/KEY; several ranges are read at once.
                         --out and --partial may be URLs that accept a PUT
` + mapFlagUsage + paramUsage + configUsage + checkerUsage + remoteUsage

type scoreFlags struct {
	reference, profile, format, color string
	referenceFrom                     string
	lint                              bool // ignore references
	seed                              uint64
	limit                             int
	run                               string // the only run to report; "" for all
	thresholds                        thresholds
	fail                              failFlags
	remote                            remoteFlags
	checkers                          checkerFlags
	pluginCode                        int // exit code that named plugins and runs that were not scored require
	params                            paramFlags
	conf                              configFlags
	mapped                            mapFlag
	stream, resume                    bool
	out, partial, shard, as           string
	cut                               stream.Shard
	files                             []string
	causes                            []causes.Group // of several runs, for the table
}

func scoreCommand(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	f, err := parseScore(args)
	if err == nil {
		f.files, err = inputFiles(f.files, stdin)
	}
	if err == nil && f.reference == "-" && slices.Contains(f.files, "-") {
		err = errors.New(`FILE and --reference cannot both be "-": standard input can be read only once`)
	}
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, scoreUsage)
		return exitOK
	}
	if err != nil {
		return printMisuse(stderr, "score", err, scoreUsage)
	}
	if f.stream {
		return streamCommand(f, stdin, stdout, stderr)
	}
	if err := f.applyConfig(); err != nil {
		fmt.Fprintf(stderr, "boundcheck score: %v\n", err)
		return exitInput
	}
	report, err := f.scoreFiles(stdin, stderr)
	if err != nil {
		return f.printRefusal(err, stdout, stderr)
	}
	if len(report.Trajectories) > 1 && f.writesOne("table") {
		if f.causes, err = f.remote.findCauses(&report, stderr); err != nil {
			return f.printRefusal(err, stdout, stderr)
		}
	}
	if err := f.writeOutputs(&report, stdout); err != nil {
		fmt.Fprintf(stderr, "boundcheck score: %v\n", err)
		return exitInput
	}
	if code := f.reportExitCode(&report, stderr); code != exitOK {
		return code
	}
	return f.pluginCode
}

// reportExitCode prints the files that could not be read, and returns the exit code for a
// report. A failure of --fail-on or --fail-under determines the exit code, even if a file
// could not be read.
func (f *scoreFlags) reportExitCode(r *core.Report, stderr io.Writer) int {
	code := exitOK
	for _, file := range r.Input.Files {
		if file.Error != "" {
			fmt.Fprintf(stderr, "boundcheck %s: not read: %s\n", f.commandName(), file.Error)
			code = exitInput
		}
	}
	failed, counts := f.fail.checkReport(r, f.commandName(), stderr)
	if failed != exitOK {
		code = failed
	}
	if failed := f.thresholds.checkReport(r, &counts, stderr); failed != exitOK {
		code = failed
	}
	return code
}

func parseScore(args []string) (*scoreFlags, error) {
	var f scoreFlags
	set := flag.NewFlagSet("score", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&f.reference, "reference", "", "")
	set.StringVar(&f.referenceFrom, "reference-from", "", "")
	set.StringVar(&f.profile, "profile", "auto", "")
	set.StringVar(&f.format, "format", "table", "")
	set.StringVar(&f.color, "color", "auto", "")
	set.Uint64Var(&f.seed, "seed", 0, "")
	set.IntVar(&f.limit, "limit", 20, "")
	set.StringVar(&f.run, "run", "", "")
	set.Var(&f.thresholds, "fail-under", "")
	f.fail.registerFlags(set)
	f.remote.registerFlags(set)
	f.checkers.registerFlags(set)
	f.params.registerFlags(set)
	f.conf.registerFlags(set)
	f.checkers.conf = &f.conf
	f.mapped.registerFlags(set)
	set.BoolVar(&f.stream, "stream", false, "")
	set.StringVar(&f.out, "out", "", "")
	set.BoolVar(&f.resume, "resume", false, "")
	set.StringVar(&f.partial, "partial", "", "")
	set.StringVar(&f.shard, "shard", "", "")
	set.StringVar(&f.as, "as", "", "")
	if err := parseInterspersed(set, args, &f.files); err != nil {
		return nil, err
	}
	if _, err := readOutputs(f.format, outputFormats()...); err != nil {
		return nil, err
	}
	if err := oneOf("profile", f.profile, "auto", "outcome", "sop"); err != nil {
		return nil, err
	}
	if err := f.fail.checkFlags(); err != nil {
		return nil, err
	}
	if f.reference != "" && f.referenceFrom != "" {
		return nil, errors.New("--reference and --reference-from contradict each other")
	}
	f.fail.compares = f.reference != "" || f.referenceFrom != ""
	if _, err := f.parseConsensus(); err != nil {
		return nil, err
	}
	if err := f.checkStream(); err != nil {
		return nil, err
	}
	if err := f.mapped.checkFlags(); err != nil {
		return nil, err
	}
	if f.stream && f.run != "" {
		return nil, errors.New("--stream cannot be used with --run; remove one of them")
	}
	if f.stream && f.mapped.from != "" {
		return nil, errors.New("--stream cannot be used with --from; remove one of them")
	}
	if f.stream && f.mapped.given != nil {
		return nil, errors.New("--stream cannot be used with --map; remove --stream, or run boundcheck convert first")
	}
	if f.stream && f.params.isGiven() {
		return nil, errors.New(`--stream cannot be used with --tools or the parameters of the papers; put "options" and "tools" in the envelope of each line`)
	}
	if err := f.checkers.checkFlags(); err != nil {
		return nil, err
	}
	if err := f.remote.checkFlags(f.stream); err != nil {
		return nil, err
	}
	return &f, oneOf("color", f.color, "auto", "always", "never")
}

func oneOf(name, value string, known ...string) error {
	for _, k := range known {
		if k == value {
			return nil
		}
	}
	return fmt.Errorf("unknown --%s %q; known are %s", name, value, strings.Join(known, ", "))
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

// scoreFiles reads the files and scores them. For one file without flags, the report has
// the same bytes as the report of every other front end.
func (f *scoreFlags) scoreFiles(stdin io.Reader, stderr io.Writer) (core.Report, error) {
	ctx, stop := f.remote.interruptibleContext()
	defer stop()
	loaded, err := f.checkers.loadPlugins(ctx, stderr)
	if err != nil {
		return core.Report{}, fmt.Errorf("plugins: %w", err)
	}
	defer loaded.stop()
	var request core.Request
	total := 0
	for _, name := range f.files {
		data, err := readFile(name, stdin)
		total += len(data)
		file := data
		if err == nil {
			data, err = loaded.decodeTrace(ctx, name, data)
		}
		if err == nil {
			data, err = f.mapped.applyMapping(name, data)
		}
		if err != nil {
			return core.Report{}, err
		}
		r, err := core.ReadRequest(data)
		if err != nil && len(f.files) > 1 {
			request.Inputs = append(request.Inputs, core.Source{Name: name, Data: data, Err: fmt.Errorf("%s: %w", name, err)})
			continue
		}
		if err != nil {
			return core.Report{}, err
		}
		if len(f.files) > 1 && (r.Reference != nil || r.References != nil) {
			return core.Report{}, fmt.Errorf("%s: an envelope with a reference cannot be combined with another FILE", name)
		}
		for i := range r.Inputs {
			r.Inputs[i].Format = f.mapped.from
			r.Inputs[i].Derived = r.Inputs[i].Derived || unsafe.SliceData(file) != unsafe.SliceData(data) || strings.HasSuffix(name, ".zst")
		}
		r.Inputs[0].Name = name
		if len(f.files) == 1 {
			request = r
		} else {
			request.Inputs = append(request.Inputs, r.Inputs...)
		}
	}
	defer saveMemory(total)()
	share, err := f.parseConsensus()
	if err != nil {
		return core.Report{}, err
	}
	request.Options.Consensus = share
	f.findReferences(stderr)
	if f.reference+f.referenceFrom != "" && share == 0 {
		given, err := f.readReferences(stdin)
		if err != nil {
			return core.Report{}, err
		}
		given.applyToRequest(&request)
		if f.referenceFrom != "" && f.profile == "auto" {
			fmt.Fprintln(stderr, "boundcheck score: --reference-from uses the profile outcome, because other good runs may read other things. To compare each step, add --profile sop")
		}
	}
	request.Options.Unreferenced = f.lint
	request.Options.Lines = f.showsLines()
	if f.profile != "auto" {
		request.Options.Profile = f.profile
	}
	if f.seed != 0 {
		request.Options.Seed = f.seed
	}
	loaded.applyToOptions(&request.Options)
	if err := f.params.applyToOptions(&request.Options); err != nil {
		return core.Report{}, err
	}
	f.conf.read.applyToRequest(&request)
	if err := f.remote.addClients(ctx, &request.Options); err != nil {
		return core.Report{}, err
	}
	bar := render.NewProgress(stderr)
	defer bar.Done()
	request.Progress = bar.Step
	if loaded.host != nil {
		bar.Also = func() string { return loaded.host.Spent().String() }
	}
	report, err := loaded.evaluate(request)
	if err != nil {
		return report, err
	}
	bar.Done()
	loaded.addUsedPlugins(&report)
	f.pluginCode = loaded.printContributions(f.commandName(), report.Profile, stderr)
	if f.run != "" {
		return report, keepRun(&report, f.run, &request.Options)
	}
	return report, nil
}

func readFile(name string, stdin io.Reader) ([]byte, error) {
	var data []byte
	var err error
	if name == "-" {
		data, err = io.ReadAll(stdin)
	} else {
		data, err = os.ReadFile(name)
	}
	if err != nil {
		return nil, err
	}
	if data, err = unpackZstd(data); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return data, nil
}

// printRefusal prints the reason why nothing was scored on stderr, and returns the exit
// code. If the report would be JSON, it also prints the error as JSON on stdout.
func (f *scoreFlags) printRefusal(err error, stdout, stderr io.Writer) int {
	name := ""
	var path *fs.PathError
	var reference *referenceError
	if len(f.files) == 1 && !errors.As(err, &path) && !errors.As(err, &reference) { // these errors already name their file
		name = f.files[0] + ": "
	}
	if strings.HasPrefix(err.Error(), name) {
		name = "" // as do some other errors
	}
	fmt.Fprintf(stderr, "boundcheck %s: %s%v\n", f.commandName(), name, err)
	hint := ""
	if reference == nil && len(f.files) == 1 && f.files[0] != "-" {
		hint = repairHint(f.files[0])
	}
	var input *core.InputError
	if hint == "" && errors.As(err, &input) && len(input.Formats) > 0 {
		hint = "to see which traces can be read, run: boundcheck formats\n"
	}
	fmt.Fprint(stderr, hint)
	if f.printsJSON() {
		stdout.Write(wire.FailWith(err))
	}
	return exitInput
}

// commandName returns the name by which the command was called: "lint" or "score".
func (f *scoreFlags) commandName() string {
	if f.lint {
		return "lint"
	}
	return "score"
}

func (f *scoreFlags) usesColor(w io.Writer) bool {
	switch f.color {
	case "always":
		return true
	case "never":
		return false
	}
	return render.IsTerminal(w) && os.Getenv("NO_COLOR") == ""
}

// thresholds holds the bounds of --fail-under.
type thresholds []threshold

type threshold struct {
	metric string
	bound  float64
}

// String implements flag.Value.
func (g *thresholds) String() string { return "" }

// Set implements flag.Value. It parses one or more bounds METRIC=NUMBER, which are
// separated by commas.
func (g *thresholds) Set(s string) error {
	for _, part := range strings.Split(s, ",") {
		name, value, ok := strings.Cut(part, "=")
		bound, err := strconv.ParseFloat(value, 64)
		if !ok || err != nil || math.IsNaN(bound) {
			return fmt.Errorf("invalid bound %q; want METRIC=NUMBER, as in abs=0.8", part)
		}
		if words.CorpusMetric(&core.Metrics{BASR: &core.Sided{}, SR: &core.Score{}, LuckySuccess: &core.Sided{}}, name) == nil {
			return fmt.Errorf("unknown metric %q; known metrics are %s", name, strings.Join(words.MetricNames[:], ", "))
		}
		*g = append(*g, threshold{name, bound})
	}
	return nil
}

// checkReport compares the corpus figures with the bounds of --fail-under, and returns
// the exit code. A figure without a value fails its bound, and so does one in which a run or a
// part of the input is not, as n says.
func (g thresholds) checkReport(r *core.Report, n *failing, stderr io.Writer) int {
	code := exitOK
	for _, bound := range g {
		s := words.CorpusMetric(&r.Corpus.Metrics, bound.metric)
		why := n.unmetWhy(bound.metric)
		switch {
		case !s.Scored:
			fmt.Fprintf(stderr, "boundcheck score: metric %s is not scored (%s), so the limit %v is not met\n", bound.metric, s.Reason, bound.bound)
		case words.LowerIsBetter(bound.metric) && *s.Value > bound.bound:
			fmt.Fprintf(stderr, "boundcheck score: metric %s is %.4f, above the limit %v\n", bound.metric, *s.Value, bound.bound)
		case !words.LowerIsBetter(bound.metric) && *s.Value < bound.bound:
			fmt.Fprintf(stderr, "boundcheck score: metric %s is %.4f, below the limit %v\n", bound.metric, *s.Value, bound.bound)
		case why != "":
			fmt.Fprintf(stderr, "boundcheck score: metric %s is %.4f, but %s, so the limit %v is not met\n", bound.metric, *s.Value, why, bound.bound)
		default:
			continue
		}
		code = exitFailed
	}
	return code
}
