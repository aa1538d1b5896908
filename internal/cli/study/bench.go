//go:build !js

package study

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/internal/bench"
	"github.com/boundcheck/boundcheck/internal/bench/env"
	"github.com/boundcheck/boundcheck/internal/bench/scripted"
	desks "github.com/boundcheck/boundcheck/internal/bench/tau"
	"github.com/boundcheck/boundcheck/internal/bench/watch"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/words"
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/prompts"
)

const benchUsage = `usage: boundcheck bench [FLAGS] DIR
       boundcheck bench replay [--env-data DIR] [--env-tasks FILE] DIR
       boundcheck bench watch [--price IN,OUT] DIR...
       boundcheck bench serve

Makes runs: a model does the tasks of an environment. The command writes four files into
DIR: results.json (in τ-bench's format), references.json, summary.json, and journal.jsonl,
which contains every exchange. If the command was stopped, the same command continues the
experiment. replay repeats the experiment from the journal, without a network, and compares
the results byte for byte. watch serves a page on this machine that shows the progress of
experiments, from their journals. serve starts only the server of the scripted model. Stop
watch and serve with Ctrl-C.

  --env NAME         shop (default) or files; with --env-data tau-airline, tau-retail, tau2-airline
                     or tau2-retail
  --env-data DIR     a checkout of τ-bench or τ²-bench, with data, policy, tools and tasks
  --env-tasks FILE   other tasks: τ-bench's tasks_*.py or results file, or a list of τ²'s tasks
  --tasks LIST       indices, separated by commas (default: all)
  --trials N         runs of each task (default 1)
  --model NAME       a model, or scripted:careful (default), scripted:blind?rate=0.5&types=over-action,
                     scripted:planner, scripted:misbehaving?fail=0.3; boundcheck itself plays the
                     scripted models
  --url URL          root of the model's API, such as http://localhost:11434/v1; its key
                     is $BOUNDCHECK_UPSTREAM_KEY
  --protocol NAME    openai (default: chat completions) or anthropic (messages)
  --framework NAME   vanilla (default), react, reflexion, plan-and-solve or hierarchical
  --ebp NAME         add the prompt for explicit boundary prompting: a variant (full, scope,
                     granularity, checklist, paper), or components of full, separated by commas
  --saber LIST       any of verify, reflect and blocks, separated by commas
  --budget BYTES     with --saber blocks: shorten conversations above this size
  --aux NAME         the model that writes the summaries and picks the rules for --saber
  --user NAME        a model plays the user (default: the script)
  --judge NAME       a model judges the assertions of τ²'s tasks (default: they are not judged)
  --turns N          at most N turns of the model in one attempt (default 30)
  --temperature X    the model's temperature (default 0)
  --answer N         at most N tokens in one answer (default 2048)
  --reasoning        for a reasoning model: send max_completion_tokens instead of max_tokens, and
                     no temperature
  --seed N           the seed of all random choices (default 1)
  --workers N        runs at the same time (default 4)
  --timeout TIME     time limit of one request (default 2m)
  --tries N          try a request up to N times (default 5)
  --rate N           at most N requests a minute
  --max-tokens N     stop before the experiment could use more than N tokens
  --max-cost X       stop before it could cost more than X, at --price
  --price IN,OUT     the prices of a million input tokens and a million output tokens
  --watch            serve the page of this experiment while it runs; standard error shows the address
`

type benchFlags struct {
	bench.Experiment
	bench.Options
	ebp, saber, tasks, price string
	envData, envTasks        string
	watch                    bool
}

// Bench implements "boundcheck bench", which makes runs of a model.
func Bench(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 1 && args[0] == "serve" {
		return benchServe(stdout, stderr)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if len(args) > 0 && args[0] == "watch" {
		return benchWatch(ctx, args[1:], stdout, stderr)
	}
	if len(args) > 0 && args[0] == "replay" {
		return benchReplay(ctx, args[1:], stdout, stderr)
	}
	f, err := parseBench(args)
	if err != nil {
		return cmd.PrintUsage(stdout, stderr, "bench", err, benchUsage)
	}
	if err := f.runExperiment(ctx, stderr); err != nil {
		fmt.Fprintf(stderr, "boundcheck bench: %s\n", words.Printable(err.Error()))
		return cmd.ExitInput
	}
	fmt.Fprintf(stdout, "%s\n", words.Printable(filepath.Join(f.Dir, "results.json")))
	return cmd.ExitOK
}

func parseBench(args []string) (*benchFlags, error) {
	f := &benchFlags{}
	set := flag.NewFlagSet("bench", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&f.Env, "env", "shop", "")
	set.StringVar(&f.envData, "env-data", "", "")
	set.StringVar(&f.envTasks, "env-tasks", "", "")
	set.StringVar(&f.tasks, "tasks", "", "")
	set.IntVar(&f.Trials, "trials", 1, "")
	set.StringVar(&f.Model, "model", "scripted:careful", "")
	set.StringVar(&f.URL, "url", "", "")
	set.StringVar(&f.Protocol, "protocol", "openai", "")
	set.StringVar(&f.Framework, "framework", "vanilla", "")
	set.StringVar(&f.ebp, "ebp", "", "")
	set.StringVar(&f.saber, "saber", "", "")
	set.IntVar(&f.Saber.Budget, "budget", 0, "")
	set.StringVar(&f.Saber.Aux, "aux", "", "")
	set.StringVar(&f.User, "user", "", "")
	set.StringVar(&f.Judge, "judge", "", "")
	set.IntVar(&f.Turns, "turns", 30, "")
	set.Float64Var(&f.Temperature, "temperature", 0, "")
	set.IntVar(&f.Answer, "answer", 0, "")
	set.BoolVar(&f.Reasoning, "reasoning", false, "")
	set.Uint64Var(&f.Seed, "seed", 1, "")
	set.IntVar(&f.Workers, "workers", 4, "")
	set.DurationVar(&f.Timeout, "timeout", 2*time.Minute, "")
	set.IntVar(&f.Tries, "tries", 5, "")
	set.Float64Var(&f.Rate, "rate", 0, "")
	set.IntVar(&f.Options.Budget.Tokens, "max-tokens", 0, "")
	set.Float64Var(&f.Options.Budget.Money, "max-cost", 0, "")
	set.StringVar(&f.price, "price", "", "")
	set.BoolVar(&f.watch, "watch", false, "")
	if err := set.Parse(args); err != nil {
		return nil, err
	}
	if set.NArg() != 1 {
		return nil, errors.New("want one folder for the results")
	}
	f.Dir, f.Pause = set.Arg(0), time.Second
	return f, f.CheckFlags()
}

// CheckFlags checks the flags, and parses the flags that contain several values.
func (f *benchFlags) CheckFlags() error {
	scripted := strings.HasPrefix(f.Model, "scripted:")
	if f.URL == "" && !scripted {
		return errors.New("missing --url: want the root of the model's API")
	}
	if f.Workers < 1 || f.Tries < 1 || f.Timeout <= 0 || f.Rate < 0 {
		return errors.New("invalid --workers, --tries, --timeout or --rate: want a --rate of 0 or more, and values above 0 for the others")
	}
	if err := f.parsePrices(); err != nil {
		return err
	}
	if f.Options.Budget.Money > 0 && f.price == "" {
		return errors.New("missing --price: --max-cost needs the prices of tokens")
	}
	for _, word := range splitList(f.tasks) {
		n, err := strconv.Atoi(word)
		if err != nil {
			return fmt.Errorf("invalid --tasks %q: want indices separated by commas", f.tasks)
		}
		f.Tasks = append(f.Tasks, n)
	}
	for _, word := range splitList(f.saber) {
		switch word {
		case "verify":
			f.Saber.Verify = true
		case "reflect":
			f.Saber.Reflect = true
		case "blocks":
			f.Saber.Blocks = 3
		default:
			return fmt.Errorf("unknown part %q in --saber: want verify, reflect, blocks", word)
		}
	}
	var err error
	f.Prompt, err = ebpPrompt(f.ebp)
	return err
}

// parsePrices parses the value of --price: the prices of a million input tokens and a
// million output tokens, such as 3,15.
func (f *benchFlags) parsePrices() error {
	if f.price == "" {
		return nil
	}
	in, out, _ := strings.Cut(f.price, ",")
	var errs [2]error
	f.Options.Budget.In, errs[0] = strconv.ParseFloat(in, 64)
	f.Options.Budget.Out, errs[1] = strconv.ParseFloat(out, 64)
	if errs[0] != nil || errs[1] != nil || !(f.Options.Budget.In >= 0) || !(f.Options.Budget.Out >= 0) {
		return fmt.Errorf("invalid --price %q: want two prices per million tokens, for input and output, such as 3,15", f.price)
	}
	return nil
}

// ebpPrompt renders the prompt for explicit boundary prompting (EBP). The parameter what
// is the name of a variant, or a list of components of the full variant. If what is "",
// the result is "".
func ebpPrompt(what string) (string, error) {
	if what == "" {
		return "", nil
	}
	r := abi.RenderRequest{Template: "ebp-" + what}
	if !slices.Contains([]string{"full", "scope", "granularity", "checklist", "paper"}, what) || strings.Contains(what, ",") {
		raw, err := json.Marshal(splitList(what))
		if err != nil {
			return "", err
		}
		r = abi.RenderRequest{Template: "ebp-full", Variables: map[string]json.RawMessage{"components": raw}}
	}
	out, err := prompts.Render(r)
	if err != nil {
		return "", fmt.Errorf("invalid --ebp %q: %w", what, err)
	}
	return out.Text, nil
}

// openEnvironment opens the environment with the given name. The environment is part of
// this program, or it belongs to a benchmark whose data is in the folder of --env-data.
func (f *benchFlags) openEnvironment(name string) (env.Environment, error) {
	if slices.Contains(desks.Names, name) {
		return desks.Open(name, f.envData, f.envTasks)
	}
	if f.envData != "" || f.envTasks != "" {
		return nil, fmt.Errorf("--env %s does not use --env-data or --env-tasks; these flags need --env with one of %s", name, strings.Join(desks.Names, ", "))
	}
	e, err := env.Open(name)
	if err != nil {
		err = fmt.Errorf("%w; with --env-data, want one of %s", err, strings.Join(desks.Names, ", "))
	}
	return e, err
}

// runExperiment runs the experiment. If the model is scripted, runExperiment also starts
// the server that plays the model.
func (f *benchFlags) runExperiment(ctx context.Context, stderr io.Writer) error {
	e, err := f.openEnvironment(f.Env)
	if err != nil {
		return err
	}
	f.Open = func(string) (env.Environment, error) { return e, nil }
	if f.URL == "" {
		if _, err := scripted.ReadPolicy(strings.TrimPrefix(f.Model, "scripted:")); err != nil {
			return err
		}
		server := &scripted.Server{}
		if f.envData != "" {
			server.Environment = e
		}
		url, stop, err := server.Serve()
		if err != nil {
			return err
		}
		defer stop()
		f.URL = url + "/v1"
	} else {
		f.Key = os.Getenv("BOUNDCHECK_UPSTREAM_KEY")
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = f.Workers
	defer transport.CloseIdleConnections()
	f.Transport = transport
	if f.watch {
		address, stop, err := watch.New(f.Options.Budget, f.Dir).Serve()
		if err != nil {
			return err
		}
		defer stop()
		fmt.Fprintf(stderr, "boundcheck bench: progress is shown at %s\n", address)
	}
	last := time.Time{}
	f.Progress = func(p bench.Progress) {
		if now := time.Now(); p.Done == p.All || now.Sub(last) > time.Second {
			last = now
			fmt.Fprintf(stderr, "%d of %d runs, %d rewarded, %d input tokens, %d output tokens, cost %.2f, %.1f runs per minute, %s left\n", p.Done, p.All, p.Rewarded, p.In, p.Out, p.Cost, p.Rate, p.Left.Round(time.Second))
		}
	}
	return bench.Start(ctx, f.Experiment, f.Options)
}

// benchReplay implements "bench replay", which repeats the runs of a journal and compares
// the results with results.json.
func benchReplay(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	f := &benchFlags{}
	set := flag.NewFlagSet("bench", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&f.envData, "env-data", "", "")
	set.StringVar(&f.envTasks, "env-tasks", "", "")
	err := set.Parse(args)
	if err == nil && set.NArg() != 1 {
		err = errors.New("want one folder of results")
	}
	if err != nil {
		return cmd.PrintUsage(stdout, stderr, "bench", err, benchUsage)
	}
	dir := set.Arg(0)
	again, err := bench.Replay(ctx, dir, f.openEnvironment)
	var before []byte
	if err == nil {
		before, err = os.ReadFile(filepath.Join(dir, "results.json"))
	}
	if err != nil {
		fmt.Fprintf(stderr, "boundcheck bench: %s\n", words.Printable(err.Error()))
		return cmd.ExitInput
	}
	if !bytes.Equal(again, before) {
		fmt.Fprintln(stderr, "boundcheck bench: the results of the replay differ from results.json")
		return cmd.ExitFailed
	}
	fmt.Fprintln(stdout, "the same bytes")
	return cmd.ExitOK
}

// benchWatch implements "bench watch", which serves a page about experiments. These
// experiments run in other processes or have ended.
func benchWatch(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	f := &benchFlags{}
	set := flag.NewFlagSet("bench", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&f.price, "price", "", "")
	err := set.Parse(args)
	if err == nil && set.NArg() == 0 {
		err = errors.New("want one or more folders of experiments")
	}
	if err == nil {
		err = f.parsePrices()
	}
	if err != nil {
		return cmd.PrintUsage(stdout, stderr, "bench", err, benchUsage)
	}
	address, stop, err := watch.New(f.Options.Budget, set.Args()...).Serve()
	if err != nil {
		fmt.Fprintf(stderr, "boundcheck bench: %v\n", err)
		return cmd.ExitInput
	}
	defer stop()
	fmt.Fprintln(stdout, address)
	<-ctx.Done()
	return cmd.ExitOK
}

// benchServe implements "bench serve", which serves the scripted models until the user
// interrupts it.
func benchServe(stdout, stderr io.Writer) int {
	url, stop, err := (&scripted.Server{}).Serve()
	if err != nil {
		fmt.Fprintf(stderr, "boundcheck bench: %v\n", err)
		return cmd.ExitInput
	}
	defer stop()
	fmt.Fprintf(stdout, "%s/v1\n", url)
	done := make(chan os.Signal, 1)
	signal.Notify(done, os.Interrupt)
	<-done
	return cmd.ExitOK
}
