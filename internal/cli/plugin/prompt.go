package plugin

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
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/host"
)

const promptUsage = `usage: boundcheck prompt ebp [--variant NAME] [--components LIST] [--tools FILE] [--check TEXT]...
       boundcheck prompt saber --variant NAME [--set NAME=VALUE]...
       boundcheck prompt judge [--set case=@FILE]
       boundcheck prompt list

Prints a prompt. ebp (explicit boundary prompting): a system prompt that makes an agent state the boundary of
each action before it acts. saber: the questions to a person and the reminders to a model before a change.
judge: the question to a judge. "prompt list" names more templates, which can be used in place of these words.

  --variant NAME   for ebp: full (default), scope, granularity, checklist, paper (the parts of the ABB paper's template);
                   for saber: confirmation, reflection-think, reflection-react, constraints, block-summary
  --components LIST  only these parts, separated by commas, for an ablation. Parts of full: preconditions, scope,
                   granularity, checklist; parts of paper: guidelines, reference, checklist
  --tools FILE     your tool definitions as JSON, which the prompt then names: an OpenAI tools array, an MCP tools/list
                   result, or [{"name","description","parameters"}]; - reads standard input. Besides "tools" it may have
                   "compositions": [{"whole": "send_email", "parts": ["compose", "attach", "send"]}]
  --check TEXT     a check of your own, added to the checklist (of full and checklist); repeatable
  --set NAME=VALUE sets a variable of the template; repeat it for each entry of a list; =@FILE reads the value from a file
  --plugin WHAT    a plugin of your own, by name or as a file NAME.wasm; its templates override bundled ones
                   of the same name
  --format FORMAT  text (default) or json
  --plugins DIR    take prompts.wasm from DIR (also by the environment variable BOUNDCHECK_PLUGINS)
  --plugins-lock FILE  the hashes that plugins must have (default: boundcheck-plugins.lock here, if there)
  --locked         refuse a plugin that the lock does not name
`

// maxToolsFile is the largest file for --tools; a real tool list has kilobytes.
const maxToolsFile = 16 << 20

// promptFlags are the flags and arguments of "boundcheck prompt".
type promptFlags struct {
	word, variant, tools, format, plugins, lock, plugin string

	locked     bool // the lock must name the plugins
	components []string
	checks     []string
	set        []setting
}

// setting is one --set.
type setting struct{ name, value string }

// promptMisuse is an error in the command line, as opposed to unusable input.
type promptMisuse struct{ msg string }

func (e promptMisuse) Error() string { return e.msg }

// Prompt renders prompt templates through the prompts plugin. A plugin
// that cannot be used counts as unusable input.
func Prompt(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	f, err := parsePrompt(args)
	if err == nil {
		err = f.run(stdin, stdout, stderr)
	}
	var usage promptMisuse
	switch {
	case err == nil:
		return cmd.ExitOK
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, promptUsage)
		return cmd.ExitOK
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "boundcheck prompt: %v\nrun \"boundcheck prompt --help\" for help\n", err)
		return cmd.ExitUsage
	}
	fmt.Fprintf(stderr, "boundcheck prompt: %v\n", err)
	return cmd.ExitInput
}

func parsePrompt(args []string) (*promptFlags, error) {
	f := &promptFlags{}
	set := flag.NewFlagSet("prompt", flag.ContinueOnError)
	set.SetOutput(io.Discard) // Prompt itself prints errors and usage
	set.StringVar(&f.variant, "variant", "", "")
	set.StringVar(&f.tools, "tools", "", "")
	set.StringVar(&f.format, "format", "text", "")
	set.StringVar(&f.plugins, "plugins", "", "")
	set.StringVar(&f.lock, "plugins-lock", "", "")
	set.BoolVar(&f.locked, "locked", false, "")
	set.StringVar(&f.plugin, "plugin", "", "")
	set.Func("components", "", func(s string) error { f.components = append(f.components, strings.Split(s, ",")...); return nil })
	set.Func("check", "", func(s string) error { f.checks = append(f.checks, s); return nil })
	set.Func("set", "", func(s string) error {
		name, value, ok := strings.Cut(s, "=")
		if !ok || name == "" {
			return fmt.Errorf("want NAME=VALUE, got %q", s)
		}
		f.set = append(f.set, setting{name, value})
		return nil
	})
	for len(args) > 0 { // flags may come before and after the one word
		if err := set.Parse(args); errors.Is(err, flag.ErrHelp) {
			return nil, err
		} else if err != nil {
			return nil, promptMisuse{err.Error()}
		}
		if args = set.Args(); len(args) == 0 {
			break
		}
		if f.word != "" {
			return nil, promptMisuse{fmt.Sprintf("unexpected argument %q", args[0])}
		}
		f.word, args = args[0], args[1:]
	}
	return f, f.CheckFlags(set)
}

func (f *promptFlags) CheckFlags(set *flag.FlagSet) error {
	switch {
	case f.word == "":
		return promptMisuse{`missing prompt: want "ebp", "saber", "judge" or "list"`}
	case f.word == "help":
		return flag.ErrHelp
	case f.format != "text" && f.format != "json":
		return promptMisuse{fmt.Sprintf("unknown format %q: want text or json", f.format)}
	}
	var err error
	set.Visit(func(given *flag.Flag) {
		if f.word == "list" && given.Name != "format" && !strings.HasPrefix(given.Name, "plugin") {
			err = promptMisuse{fmt.Sprintf("--%s cannot be used with boundcheck prompt list", given.Name)}
		}
	})
	return err
}

func (f *promptFlags) run(stdin io.Reader, stdout, stderr io.Writer) error {
	ctx := context.Background()
	var tools json.RawMessage
	if f.tools != "" { // read first, so that a bad file is reported before a plugin is loaded
		var err error
		if tools, err = f.readTools(stdin); err != nil {
			return fmt.Errorf("%s: %w", f.toolsName(), err)
		}
	}
	h, err := host.New(ctx, host.Options{})
	if err != nil {
		return err
	}
	defer h.Close(ctx)
	shelf, err := f.loadShelf(ctx, h, stderr)
	if err != nil {
		return err
	}
	if f.word == "list" {
		return shelf.listTemplates(f.format, stdout)
	}
	o, err := shelf.findOffer(f)
	if err != nil {
		return err
	}
	variables, err := f.templateVariables(&o.template, tools)
	if err != nil {
		return err
	}
	return f.renderPrompt(ctx, o, variables, stdout, stderr)
}

func (f *promptFlags) renderPrompt(ctx context.Context, o *offer, variables map[string]json.RawMessage, stdout, stderr io.Writer) error {
	raw, err := o.plugin.Call(ctx, abi.OpPromptRender, abi.RenderRequest{Op: abi.OpPromptRender, Template: o.template.ID, Variables: variables})
	if err != nil {
		return f.nameToolsFile(err)
	}
	out := struct {
		Plugin   usedPlugin  `json:"plugin"`
		Replaced *usedPlugin `json:"replaced,omitempty"` // the bundled plugin, if another plugin's template replaced its own
		abi.Rendered
	}{Plugin: usedOf(o.plugin)}
	if o.replaced != nil {
		used := usedOf(o.replaced)
		out.Replaced = &used
	}
	if err := json.Unmarshal(raw, &out.Rendered); err != nil {
		return fmt.Errorf("plugin %q: invalid answer to %s: %v", o.plugin.Description.Name, abi.OpPromptRender, err)
	}
	if f.format == "json" {
		return promptJSON(stdout, out)
	}
	if _, err := fmt.Fprintln(stdout, out.Text); err != nil {
		return err
	}
	fmt.Fprintf(stderr, "boundcheck: template %s, version %s, from %s: about %d tokens (%s)\n", out.Template, out.Version, o.pluginLabel(), out.Tokens.About, out.Tokens.Method)
	if f.plugin != "" && o.replaced == nil && o.bundled {
		fmt.Fprintf(stderr, "boundcheck: plugin %s has no template %s, so the bundled template was used\n", f.plugin, out.Template)
	}
	return nil
}

// nameToolsFile adds the name of the tools file to an error that the plugin found in that
// file.
func (f *promptFlags) nameToolsFile(err error) error {
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

// templateVariables returns the values of the template's variables as JSON. The template
// determines the kind of each value.
func (f *promptFlags) templateVariables(t *abi.Template, tools json.RawMessage) (map[string]json.RawMessage, error) {
	given := map[string][]string{}
	for _, s := range f.set {
		value, err := s.readValue()
		if err != nil {
			return nil, err
		}
		given[s.name] = append(given[s.name], value)
	}
	if len(f.checks) > 0 {
		given["checks"] = append(given["checks"], f.checks...)
	}
	if len(f.components) > 0 {
		given["components"] = append(given["components"], f.components...)
	}
	vars := map[string]json.RawMessage{}
	if tools != nil {
		vars["tools"] = tools
	}
	for name, values := range given {
		raw, err := asVariable(t, name, values)
		if err != nil {
			return nil, err
		}
		vars[name] = raw
	}
	return vars, nil
}

// readValue returns the value of a setting. If the value is written as @FILE, readValue
// returns the content of the file.
func (s setting) readValue() (string, error) {
	path, ok := strings.CutPrefix(s.value, "@")
	if !ok {
		return s.value, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, cmd.FileCause(err))
	}
	defer file.Close()
	b, err := io.ReadAll(io.LimitReader(file, maxToolsFile+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("%s: %w", path, cmd.FileCause(err))
	case len(b) > maxToolsFile:
		return "", fmt.Errorf("%s: too large: more than %d MiB", path, maxToolsFile>>20)
	case !utf8.Valid(b):
		return "", fmt.Errorf("%s: invalid UTF-8; the text may be UTF-16 or binary", path)
	}
	return string(b), nil
}

// asVariable returns the value of a variable as JSON. It also accepts a variable that the
// template does not list, because the plugin refuses such a variable.
func asVariable(t *abi.Template, name string, values []string) (json.RawMessage, error) {
	for _, v := range t.Variables {
		switch {
		case v.Name != name:
			continue
		case v.Kind == abi.KindTexts:
			return json.Marshal(values)
		case len(values) > 1:
			return nil, promptMisuse{fmt.Sprintf("variable %s takes one value, but %d values were given", name, len(values))}
		case v.Kind == abi.KindTools:
			if !json.Valid([]byte(values[0])) {
				return nil, promptMisuse{fmt.Sprintf("the value of %s is not valid JSON; to give a file, use --tools FILE", name)}
			}
			return json.RawMessage(values[0]), nil
		}
		return json.Marshal(values[0])
	}
	return json.Marshal(values)
}

// readTools reads the tools file and checks that it is valid JSON. A syntax error
// contains the line and the column.
func (f *promptFlags) readTools(stdin io.Reader) (json.RawMessage, error) {
	in := stdin
	if f.tools != "-" {
		file, err := os.Open(f.tools)
		if err != nil {
			return nil, cmd.FileCause(err)
		}
		defer file.Close()
		in = file
	}
	b, err := io.ReadAll(io.LimitReader(in, maxToolsFile+1))
	if err != nil {
		return nil, cmd.FileCause(err)
	}
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	switch {
	case len(b) > maxToolsFile:
		return nil, fmt.Errorf("too large: more than %d MiB", maxToolsFile>>20)
	case !utf8.Valid(b):
		return nil, errors.New("invalid UTF-8; the text may be UTF-16 or binary")
	case len(bytes.TrimSpace(b)) == 0:
		return nil, errors.New("empty")
	case string(bytes.TrimSpace(b)) == "null": // the plugin would treat it as not given
		return nil, errors.New(`want an array of tools or an object with "tools", got null`)
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

// jsonPosition returns the line and the column of the byte at offset. Both begin at 1,
// and the column counts characters.
func jsonPosition(b []byte, offset int) (line, column int) {
	before := b[:max(0, min(offset, len(b)))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[start:]) + 1
}

// usedPlugin is the part of an answer that names the plugin that made the answer.
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
