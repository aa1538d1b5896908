package plugin

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/words"
	"github.com/boundcheck/boundcheck/plugins/host"
)

// pluginCase is a request with its exact answer, in the form of plugins/testdata/cases:
// a txtar archive with request.json and answer.json.
type pluginCase struct {
	path            string
	request, answer []byte
}

func readCase(path string) (c pluginCase, err error) {
	a, err := txtar.ParseFile(path)
	if err != nil {
		return c, fmt.Errorf("cannot read %s: %w", path, cmd.FileCause(err))
	}
	c.path = path
	for _, f := range a.Files {
		switch f.Name {
		case "request.json":
			c.request = bytes.TrimSpace(f.Data)
		case "answer.json":
			c.answer = bytes.TrimSpace(f.Data)
		}
	}
	if c.request == nil || c.answer == nil {
		return c, fmt.Errorf("%s: want a case with request.json and answer.json", path)
	}
	return c, nil
}

// casesIn reads the cases of files and of folders.
func casesIn(paths []string) (all []pluginCase, err error) {
	for _, path := range paths {
		files := []string{path}
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			if files, err = filepath.Glob(filepath.Join(path, "*.txtar")); err != nil {
				return nil, err
			}
		}
		for _, f := range files {
			c, err := readCase(f)
			if err != nil {
				return nil, err
			}
			all = append(all, c)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no cases in %v: want files NAME.txtar", paths)
	}
	return all, nil
}

// runTest carries out "plugin test", which compares the plugin's answers with the answers
// that the cases expect. It ignores white space between JSON tokens.
func (f *pluginFlags) runTest(s pluginStreams) error {
	all, err := casesIn(f.args[1:])
	if err != nil {
		return err
	}
	return f.withPlugin(s, func(ctx context.Context, p *host.Plugin) error {
		failed := 0
		for _, c := range all {
			got, err := p.Raw(ctx, c.request)
			switch {
			case err != nil:
				fmt.Fprintf(s.stdout, "FAILED  %s: %v\n", c.path, err)
			case !bytes.Equal(compactJSON(got), compactJSON(c.answer)):
				fmt.Fprintf(s.stdout, "FAILED  %s\n  answers %s\n  want    %s\n", c.path, printableJSON(compactJSON(got)), printableJSON(compactJSON(c.answer)))
			default:
				fmt.Fprintf(s.stdout, "ok      %s\n", c.path)
				continue
			}
			failed++
		}
		if failed > 0 {
			fmt.Fprintf(s.stderr, "boundcheck plugin: %d of %s failed\n", failed, words.Count(len(all), "case", "cases"))
			return errPluginSaid
		}
		return nil
	})
}

// compactJSON returns JSON without white space between its tokens. It returns other text
// unchanged.
func compactJSON(b []byte) []byte {
	var out bytes.Buffer
	if json.Compact(&out, b) != nil {
		return b
	}
	return out.Bytes()
}

// runBench carries out "plugin bench", which measures how long the plugin takes to load
// and to answer each case.
func (f *pluginFlags) runBench(s pluginStreams) error {
	all, err := casesIn(f.args[1:])
	if err != nil {
		return err
	}
	began := time.Now()
	return f.withPlugin(s, func(ctx context.Context, p *host.Plugin) error {
		fmt.Fprintf(s.stdout, "%-40s %12v\n", "load", time.Since(began).Round(10*time.Microsecond))
		for _, c := range all {
			took, err := timeRequests(ctx, p, c.request)
			if err != nil {
				return fmt.Errorf("%s: %w", c.path, err)
			}
			fmt.Fprintf(s.stdout, "%-40s %12v median, %v at the 99th percentile of %d calls\n", filepath.Base(c.path),
				took[len(took)/2].Round(time.Microsecond), took[len(took)*99/100].Round(time.Microsecond), len(took))
		}
		return nil
	})
}

// timeRequests sends the same request for about a second, and returns the sorted
// durations. It sends at least 10 and at most 1,000 requests.
func timeRequests(ctx context.Context, p *host.Plugin, request []byte) (took []time.Duration, err error) {
	for end := time.Now().Add(time.Second); len(took) < 1000 && (len(took) < 10 || time.Now().Before(end)); {
		began := time.Now()
		if _, err := p.Raw(ctx, request); err != nil {
			return nil, err
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	return took, nil
}

// withPlugin loads the plugin that the first argument names, and calls the function do
// with it.
func (f *pluginFlags) withPlugin(s pluginStreams, do func(context.Context, *host.Plugin) error) error {
	ctx := context.Background()
	name, wasm, err := f.findModule(ctx, f.args[0], s.stderr)
	if err != nil {
		return err
	}
	h, err := host.New(ctx, host.Options{})
	if err != nil {
		return err
	}
	defer h.Close(ctx)
	p, err := cmd.LoadPinned(ctx, h, wasm, host.Manifest{Name: name}, cmd.LockOf{File: f.lock, Locked: f.locked})
	if err != nil {
		return err
	}
	defer p.Close(ctx)
	return do(ctx, p)
}
