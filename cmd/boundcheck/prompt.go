package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/host"
)

const promptUsage = `usage: boundcheck prompt ebp [--variant full|scope|granularity|checklist] [--tools FILE] [--check TEXT]...
       boundcheck prompt list

Prints a prompt that makes an agent state the boundary of each action before it acts (explicit boundary prompting),
ready to stand in its system prompt.

  --variant NAME   which aspect: full (default), scope, granularity or checklist
  --tools FILE     your tool definitions as JSON, to be named in the prompt: an OpenAI tools array, an MCP tools/list
                   result, or [{"name","description","parameters"}]; - reads standard input
  --check TEXT     a check of your own, added to the checklist (full and checklist); may be given again
  --format FORMAT  text (default) or json
  --plugins DIR    take prompts.wasm from DIR (also by the environment variable BOUNDCHECK_PLUGINS)
  --plugins-lock FILE  the hashes that plugins are held to (default: boundcheck-plugins.lock here, if there)
`

// maxToolsFile bounds what --tools reads; a real tool list has kilobytes.
const maxToolsFile = 16 << 20

// promptFlags is what the command line of "boundcheck prompt" says.
type promptFlags struct {
	family, variant, tools, format, plugins, lock string
	checks                                        []string
}

// promptMisuse is a mistake in the command line, told apart from unusable input.
type promptMisuse struct{ msg string }

func (e promptMisuse) Error() string { return e.msg }

// promptCommand renders prompt templates through the prompts plugin. A plugin
// that cannot be used counts as unusable input.
func promptCommand(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	f, err := parsePrompt(args)
	if err == nil {
		err = f.run(stdin, stdout, stderr)
	}
	var usage promptMisuse
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, promptUsage)
		return exitOK
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "boundcheck prompt: %v\nrun \"boundcheck prompt --help\" for what there is\n", err)
		return exitUsage
	}
	fmt.Fprintf(stderr, "boundcheck prompt: %v\n", err)
	return exitInput
}

func parsePrompt(args []string) (*promptFlags, error) {
	f := &promptFlags{}
	set := flag.NewFlagSet("prompt", flag.ContinueOnError)
	set.SetOutput(io.Discard) // promptCommand prints errors and usage itself
	set.StringVar(&f.variant, "variant", "full", "")
	set.StringVar(&f.tools, "tools", "", "")
	set.StringVar(&f.format, "format", "text", "")
	set.StringVar(&f.plugins, "plugins", "", "")
	set.StringVar(&f.lock, "plugins-lock", "", "")
	set.Func("check", "", func(s string) error { f.checks = append(f.checks, s); return nil })
	for len(args) > 0 { // flags may stand before and after the one word
		if err := set.Parse(args); errors.Is(err, flag.ErrHelp) {
			return nil, err
		} else if err != nil {
			return nil, promptMisuse{err.Error()}
		}
		if args = set.Args(); len(args) == 0 {
			break
		}
		if f.family != "" {
			return nil, promptMisuse{fmt.Sprintf("unexpected argument %q", args[0])}
		}
		f.family, args = args[0], args[1:]
	}
	return f, f.check(set)
}

func (f *promptFlags) check(set *flag.FlagSet) error {
	switch {
	case f.family == "":
		return promptMisuse{`missing what to print: "ebp" or "list"`}
	case f.family == "help":
		return flag.ErrHelp
	case f.family != "ebp" && f.family != "list":
		return promptMisuse{fmt.Sprintf(`unknown prompt %q; there are "ebp" and "list"`, f.family)}
	case f.format != "text" && f.format != "json":
		return promptMisuse{fmt.Sprintf("unknown format %q; there are text and json", f.format)}
	}
	var err error
	set.Visit(func(given *flag.Flag) {
		if f.family == "list" && given.Name != "format" && given.Name != "plugins" && given.Name != "plugins-lock" {
			err = promptMisuse{fmt.Sprintf("--%s has no meaning for list", given.Name)}
		}
	})
	return err
}

func (f *promptFlags) run(stdin io.Reader, stdout, stderr io.Writer) error {
	ctx := context.Background()
	var variables map[string]json.RawMessage
	if f.family == "ebp" { // read first: a bad file should not wait for a plugin
		var err error
		if variables, err = f.variables(stdin); err != nil {
			return err
		}
	}
	h, err := host.New(ctx, host.Options{})
	if err != nil {
		return err
	}
	defer h.Close(ctx)
	wasm, err := host.Bundled(ctx, "prompts", host.Sources{Dir: f.plugins, Log: stderr})
	if err != nil {
		return err
	}
	p, err := loadPinned(ctx, h, wasm, host.Manifest{Name: "prompts"}, f.lock)
	if err != nil {
		return err
	}
	if f.family == "list" {
		return f.list(p, stdout)
	}
	return f.render(ctx, p, variables, stdout, stderr)
}

func (f *promptFlags) list(p *host.Plugin, stdout io.Writer) error {
	if f.format == "json" {
		return promptJSON(stdout, struct {
			Plugin    usedPlugin     `json:"plugin"`
			Templates []abi.Template `json:"templates"`
		}{usedOf(p), p.Description.Templates})
	}
	w := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "TEMPLATE\tVERSION\tTOKENS\tVARIABLES\tSUMMARY")
	for _, t := range p.Description.Templates {
		var names []string
		for _, v := range t.Variables {
			names = append(names, v.Name)
		}
		fmt.Fprintf(w, "%s\t%s\tabout %d\t%s\t%s\n", t.ID, t.Version, t.Tokens.About, strings.Join(names, ", "), t.Summary)
	}
	return w.Flush()
}

func (f *promptFlags) render(ctx context.Context, p *host.Plugin, variables map[string]json.RawMessage, stdout, stderr io.Writer) error {
	template := f.family + "-" + f.variant
	if err := knownVariant(p, f.family, template); err != nil {
		return err
	}
	raw, err := p.Call(ctx, abi.OpPromptRender, abi.RenderRequest{Op: abi.OpPromptRender, Template: template, Variables: variables})
	if err != nil {
		return f.place(err)
	}
	out := struct {
		Plugin usedPlugin `json:"plugin"`
		abi.Rendered
	}{Plugin: usedOf(p)}
	if err := json.Unmarshal(raw, &out.Rendered); err != nil {
		return fmt.Errorf("plugin %q: invalid answer to %s: %v", p.Description.Name, abi.OpPromptRender, err)
	}
	if f.format == "json" {
		return promptJSON(stdout, out)
	}
	if _, err := fmt.Fprintln(stdout, out.Text); err != nil {
		return err
	}
	fmt.Fprintf(stderr, "boundcheck: %s %s, about %d tokens (%s)\n", out.Template, out.Version, out.Tokens.About, out.Tokens.Method)
	return nil
}

// knownVariant says whether there is such a template, and which variants there are.
func knownVariant(p *host.Plugin, family, template string) error {
	var variants []string
	for _, t := range p.Description.Templates {
		if t.ID == template {
			return nil
		}
		if v, ok := strings.CutPrefix(t.ID, family+"-"); ok {
			variants = append(variants, v)
		}
	}
	return promptMisuse{fmt.Sprintf("unknown variant %q; there are %s",
		strings.TrimPrefix(template, family+"-"), strings.Join(variants, ", "))}
}

// place puts a file's name before what the plugin found wrong in it.
func (f *promptFlags) place(err error) error {
	var said *abi.Error
	if !errors.As(err, &said) {
		return err
	}
	if said.Code == "invalid-tools" {
		return fmt.Errorf("%s: %w", f.toolsName(), said)
	}
	return said
}

func (f *promptFlags) toolsName() string {
	if f.tools == "-" {
		return "standard input"
	}
	return f.tools
}

// variables are the template's, as JSON.
func (f *promptFlags) variables(stdin io.Reader) (map[string]json.RawMessage, error) {
	vars := map[string]json.RawMessage{}
	if f.tools != "" {
		raw, err := f.readTools(stdin)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.toolsName(), err)
		}
		vars["tools"] = raw
	}
	if len(f.checks) > 0 {
		raw, err := json.Marshal(f.checks)
		if err != nil {
			return nil, err
		}
		vars["checks"] = raw
	}
	return vars, nil
}

// readTools gives the file's bytes, known to be JSON. What the JSON means is
// the plugin's to judge, where the syntax broke only we can say in lines.
func (f *promptFlags) readTools(stdin io.Reader) (json.RawMessage, error) {
	in := stdin
	if f.tools != "-" {
		file, err := os.Open(f.tools)
		if err != nil {
			return nil, fileCause(err)
		}
		defer file.Close()
		in = file
	}
	b, err := io.ReadAll(io.LimitReader(in, maxToolsFile+1))
	if err != nil {
		return nil, fileCause(err)
	}
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	switch {
	case len(b) > maxToolsFile:
		return nil, fmt.Errorf("too large: more than %d MiB", maxToolsFile>>20)
	case !utf8.Valid(b):
		return nil, errors.New("invalid UTF-8 (is it UTF-16 or binary?)")
	case len(bytes.TrimSpace(b)) == 0:
		return nil, errors.New("empty")
	case string(bytes.TrimSpace(b)) == "null": // would read as "left out"
		return nil, errors.New(`must be an array of tools or an object with "tools", is null`)
	}
	var syntax *json.SyntaxError
	if err := json.Unmarshal(b, new(json.RawMessage)); errors.As(err, &syntax) {
		line, column := jsonPosition(b, int(syntax.Offset)-1)
		return nil, fmt.Errorf("line %d, column %d: invalid JSON: %v", line, column, syntax)
	} else if err != nil {
		return nil, err
	}
	return b, nil
}

// jsonPosition counts lines and characters from 1.
func jsonPosition(b []byte, offset int) (line, column int) {
	before := b[:max(0, min(offset, len(b)))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[start:]) + 1
}

// fileCause drops the path that our message names already.
func fileCause(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// usedPlugin says in an answer which plugin made it.
type usedPlugin struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	SHA256  string `json:"sha256"`
}

func usedOf(p *host.Plugin) usedPlugin {
	return usedPlugin{p.Description.Name, p.Description.Version, p.SHA256}
}

func promptJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
