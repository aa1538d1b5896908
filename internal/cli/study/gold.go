package study

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/gold"
	"github.com/boundcheck/boundcheck/internal/words"
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/host"
)

const goldUsage = `usage: boundcheck gold verify --env-data DIR [--format table|json] TASKS.json
       boundcheck gold audit [--env-data DIR] [--format table|json] TASKS.json
       boundcheck gold apply --only sound --env-data DIR [--out FILE] TASKS.json

The gold of a benchmark is the list of reference actions that its runs are compared with.
It can contain faults.

  verify   check each of the 42 corrections of τ-Bench Verified: whether the tasks
           already contain the correction, and what a replay on the benchmark's database
           shows. The environment refuses the correction, or ends in the same state as
           without it (neutral), or in another state
  apply    write the tasks with the sound corrections. A correction is sound if the tasks
           do not contain it yet, it agrees with the task's text, and the environment
           accepts every form of it. Standard error lists the others, with reasons

  audit    look for faults in the gold of any tasks. Each flag has a kind, the evidence,
           the right value, and a confidence

TASKS.json is a list of τ²'s tasks; verify and audit also read a results file of
τ-bench. audit also reads tasks of any benchmark that a plugin has rules for:
{"benchmark": "…", "tasks": [{"id", "instruction", "actions": [{"name", "arguments"}]}]}

  --env-data DIR   the benchmark's database files
  --only sound     required for apply: apply only sound corrections (there is no other value)
  --out FILE       for apply: write to FILE (default: standard output)
  --min NUMBER     for audit: hide flags with less confidence (default 0.5)
  --format NAME    for verify and audit: table (default) or json
  --plugin NAME, --plugins DIR, --plugins-lock FILE, --locked
                   as for score; the default is the plugin that knows the benchmark
Exit codes: 0 done, 1 a file cannot be used, 2 usage.
`

// goldFlags are the flags of boundcheck gold.
type goldFlags struct {
	verb, file, only, out, format string
	least                         float64
	checkers                      cmd.CheckerFlags
}

// Gold implements "boundcheck gold".
func Gold(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	f, err := parseGold(args)
	if err != nil {
		return cmd.PrintUsage(stdout, stderr, "gold", err, goldUsage)
	}
	verbs := map[string]func(context.Context, *goldBench, cmd.Ends) error{"verify": f.printReport, "apply": f.applyCorrections, "audit": f.auditTasks}
	if err := f.withBench(verbs[f.verb], cmd.Ends{Stdin: stdin, Stdout: stdout, Stderr: stderr}); err != nil {
		fmt.Fprintf(stderr, "boundcheck gold: %v\n", err)
		return cmd.ExitInput
	}
	return cmd.ExitOK
}

func parseGold(args []string) (*goldFlags, error) {
	f := &goldFlags{}
	set := flag.NewFlagSet("gold", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&f.only, "only", "", "")
	set.StringVar(&f.out, "out", "", "")
	set.StringVar(&f.format, "format", "table", "")
	set.Float64Var(&f.least, "min", 0.5, "")
	set.StringVar(&f.checkers.EnvData, "env-data", "", "")
	f.checkers.RegisterNames(set)
	var words []string
	if err := cmd.ParseInterspersed(set, args, &words); err != nil {
		return nil, err
	}
	if len(words) == 0 {
		return nil, errors.New("missing subcommand: want verify, audit or apply")
	}
	f.verb = words[0]
	switch {
	case !slices.Contains([]string{"verify", "audit", "apply"}, f.verb):
		return nil, fmt.Errorf("unknown subcommand %q: want verify, audit or apply", f.verb)
	case f.least < 0 || f.least > 1:
		return nil, fmt.Errorf("invalid --min %v; want a number from 0 to 1", f.least)
	case len(words) == 1:
		return nil, errors.New("missing TASKS.json")
	case len(words) > 2:
		return nil, fmt.Errorf("unexpected argument %q", words[2])
	case f.checkers.EnvData == "" && f.verb != "audit":
		return nil, errors.New("missing --env-data: the replay of corrections needs the benchmark's database")
	case len(f.checkers.Plugins) > 1:
		return nil, errors.New("gold accepts only one --plugin")
	case f.verb == "apply" && f.only != "sound":
		return nil, errors.New(`missing --only sound: the command "apply" does not apply refused or disputed corrections`)
	case f.verb != "apply" && (f.only != "" || f.out != ""):
		return nil, fmt.Errorf("--only and --out cannot be used with %s", f.verb)
	}
	f.file = words[1]
	return f, errors.Join(cmd.OneOf("format", f.format, "table", "json"), f.checkers.CheckFlags())
}

// goldBench is a file of tasks with the plugin for its environment.
type goldBench struct {
	file   *gold.File
	plugin *host.Plugin
}

func (f *goldFlags) withBench(do func(context.Context, *goldBench, cmd.Ends) error, e cmd.Ends) error {
	data, err := cmd.ReadFile(f.file, e.Stdin)
	if err != nil {
		return err
	}
	file, err := gold.Read(data)
	if err != nil {
		return fmt.Errorf("%s: %w", f.file, err)
	}
	ctx := context.Background()
	h, err := host.New(ctx, host.Options{})
	if err != nil {
		return err
	}
	defer h.Close(ctx)
	p, err := f.pickPlugin(ctx, h, file.Benchmark, e.Stderr)
	if err != nil {
		return err
	}
	if f.checkers.EnvData != "" {
		if err := f.checkers.UseEnvironment(ctx, p); err != nil {
			return err
		}
	} else if p.Description.Environment != nil {
		return fmt.Errorf("missing --env-data: plugin %q needs %s for an audit", p.Description.Name, p.Description.Environment.Summary)
	}
	return do(ctx, &goldBench{file, p}, e)
}

// pickPlugin returns the first plugin that knows the benchmark and has the operation that
// the command needs. It tries the plugins that the user named, or the bundled ones if the
// user named none.
func (f *goldFlags) pickPlugin(ctx context.Context, h *host.Host, benchmark string, stderr io.Writer) (*host.Plugin, error) {
	names := f.checkers.Plugins
	if len(names) == 0 { // loading a plugin is slow, so plugins with names similar to the benchmark come first
		names = slices.Clone(host.BundledPlugins())
		slices.SortStableFunc(names, func(a, b string) int { return commonPrefixLen(b, benchmark) - commonPrefixLen(a, benchmark) })
	}
	for _, name := range names {
		p, err := f.checkers.LoadByName(ctx, h, name, stderr)
		if err != nil {
			return nil, err
		}
		need := abi.OpStateReplay
		if f.verb == "audit" {
			need = abi.OpGoldAudit
		}
		if cmd.HasOperation(p, need) && slices.ContainsFunc(p.Description.Benchmarks, func(b abi.Benchmark) bool { return b.ID == benchmark }) {
			return p, nil
		}
	}
	return nil, fmt.Errorf("no plugin supports %s for tasks of %s; tried the plugins %s", f.verb, words.Printable(benchmark), strings.Join(names, ", "))
}

// commonPrefixLen returns the length of the longest common prefix of two names.
func commonPrefixLen(a, b string) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

func toolsOf(p *host.Plugin, benchmark string) []string {
	i := slices.IndexFunc(p.Description.Benchmarks, func(b abi.Benchmark) bool { return b.ID == benchmark })
	if i < 0 {
		return nil
	}
	return p.Description.Benchmarks[i].Tools
}

func (b *goldBench) verifyCorrections(ctx context.Context) (*gold.Report, error) {
	if b.file.Benchmark != gold.Tau && b.file.Benchmark != gold.Tau2 {
		return nil, fmt.Errorf("corrections exist only for %s and %s, not for %s", gold.Tau, gold.Tau2, words.Printable(b.file.Benchmark))
	}
	replay := func(r abi.ReplayRequest) (abi.Replay, error) { return b.plugin.Replay(ctx, r) }
	return b.file.Verify(replay, toolsOf(b.plugin, b.file.Benchmark))
}

func (f *goldFlags) printReport(ctx context.Context, b *goldBench, e cmd.Ends) error {
	r, err := b.verifyCorrections(ctx)
	if err != nil {
		return err
	}
	if f.format == "json" {
		_, err = e.Stdout.Write(wire.Marshal(r))
		return err
	}
	goldTable(e.Stdout, r)
	return nil
}

func goldTable(w io.Writer, r *gold.Report) {
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprint(t, "correction\ttask\tkind\tstands\treplay\tforms\tsound\tdoubts\n")
	counts := map[string]int{}
	for i := range r.Verdicts {
		v := &r.Verdicts[i]
		counts[v.Stands]++
		sound := "yes"
		if !v.Sound {
			sound = "no: " + v.Why
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%d\t%s\t%s\n", v.ID, words.Printable(v.Task), strings.Join(v.Kinds, ", "), v.Stands, replayWord(v),
			len(v.Forms), words.Printable(sound), strings.Join(v.Doubts, "; "))
	}
	t.Flush()
	fmt.Fprintf(w, "%s of %s. Corrections: %d absent, %d partly present, %d present, %d moot, %d with another value (not the old or the new value)\n", words.Count(r.Tasks, "task", "tasks"), r.Benchmark,
		counts[gold.Absent], counts[gold.Partly], counts[gold.Present], counts[gold.Moot], counts[gold.Otherwise])
}

func replayWord(v *gold.Verdict) string {
	switch {
	case v.Stands == gold.NoTask:
		return "–"
	case v.Refused && v.Neutral:
		return "refused for some forms, neutral for the others"
	case v.Refused:
		return "refused"
	case v.Neutral:
		return "neutral"
	}
	return "another state"
}

func (f *goldFlags) applyCorrections(ctx context.Context, b *goldBench, e cmd.Ends) error {
	r, err := b.verifyCorrections(ctx)
	if err != nil {
		return err
	}
	text, done, err := b.file.Apply(r)
	if err != nil {
		return fmt.Errorf("%s: %w", f.file, err)
	}
	fmt.Fprintf(e.Stderr, "boundcheck gold: applied %s: %s\n", words.Count(len(done.Applied), "correction", "corrections"), strings.Join(done.Applied, ", "))
	for _, l := range done.Left {
		fmt.Fprintf(e.Stderr, "boundcheck gold: omitted correction %s of task %s: %s\n", l.ID, words.Printable(l.Task), words.Printable(l.Why))
	}
	if f.out == "" {
		_, err = e.Stdout.Write(text)
		return err
	}
	return cmd.WriteWhole(f.out, text)
}
