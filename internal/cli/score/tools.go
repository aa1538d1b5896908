package score

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/render"
	"github.com/boundcheck/boundcheck/internal/words"
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/host"
)

const toolsUsage = `usage: boundcheck tools classify [FLAGS] FILE   (- is standard input)
       boundcheck tools tables [NAME]          the reviewed tables of known hosts

Reports which tools change the environment, and why. FILE is an OpenAI tools array,
an MCP tools/list result, or a plain array of objects with a name. An unknown tool
counts as mutating. A control tool thinks, asks, hands over or finishes: it changes
nothing.

  --table FILE           the operator's verdicts, which override all others:
                         {"tools":{"name":"yes|no|control"}}
  --trust                trust annotations that say a tool is read-only;
                         otherwise they can only make a verdict stricter
  --plugin NAME          also ask this plugin (a file, NAME.wasm, or one that comes with
                         boundcheck); it can only make a verdict stricter
  --plugins DIR          take NAME.wasm from DIR
  --plugins-lock FILE    the hashes that plugins must have
  --locked               refuse a plugin that the lock does not name
  --format NAME          table (default), json
`

type toolsFlags struct {
	table, format string
	trust         bool
	file          string
	plugin        cmd.CheckerFlags
	asked         string // the plugin that is asked
}

// Tools implements "boundcheck tools".
func Tools(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] == "tables" {
		return tablesCommand(args[1:], stdout, stderr)
	}
	f, err := parseTools(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, toolsUsage)
		return cmd.ExitOK
	}
	if err != nil {
		fmt.Fprintf(stderr, "boundcheck tools: %v\n\n%s", err, toolsUsage)
		return cmd.ExitUsage
	}
	rows, err := f.classifyTools(stdin, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "boundcheck tools: %v\n", err)
		if f.format == "json" {
			stdout.Write(wire.FailWith(err))
		}
		return cmd.ExitInput
	}
	if f.format == "json" {
		stdout.Write(wire.Marshal(map[string][]toolRow{"tools": rows}))
	} else {
		toolsTable(stdout, rows)
	}
	return cmd.ExitOK
}

func parseTools(args []string) (*toolsFlags, error) {
	if err := cmd.CheckSubcommand(args, "tools", "classify", "tables"); err != nil {
		return nil, err
	}
	var f toolsFlags
	set := flag.NewFlagSet("tools", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&f.table, "table", "", "")
	set.StringVar(&f.format, "format", "table", "")
	set.BoolVar(&f.trust, "trust", false, "")
	set.StringVar(&f.asked, "plugin", "", "")
	set.BoolVar(&f.plugin.Locked, "locked", false, "")
	set.StringVar(&f.plugin.Dir, "plugins", "", "")
	set.StringVar(&f.plugin.Lock, "plugins-lock", "", "")
	files, err := cmd.ParseMixed(set, args[1:])
	switch {
	case err != nil:
		return nil, err
	case len(files) == 0:
		return nil, errors.New("missing FILE")
	case len(files) > 1:
		return nil, fmt.Errorf("want one FILE, got %d", len(files))
	}
	f.file = files[0]
	return &f, cmd.OneOf("format", f.format, "table", "json")
}

// toolRow is one tool in the JSON output.
type toolRow struct {
	Name string `json:"name"`
	mutation.Verdict
}

func (f *toolsFlags) classifyTools(stdin io.Reader, stderr io.Writer) ([]toolRow, error) {
	v, err := cmd.ReadJSON(f.file, stdin)
	if err != nil {
		return nil, err
	}
	tools, err := mutation.ReadTools(v)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.file, err)
	}
	if len(tools) == 0 {
		return nil, fmt.Errorf("%s: invalid tools: the list is empty", f.file)
	}
	for i := range tools {
		tools[i].Trusted = f.trust
	}
	var overrides mutation.Table
	if f.table != "" {
		if overrides, err = cmd.ReadOverrides(f.table, stdin); err != nil {
			return nil, err
		}
	}
	c := mutation.New(tools, overrides)
	rows := make([]toolRow, len(tools))
	for i, t := range tools {
		rows[i] = toolRow{t.Name, c.Classify(t.Name, jsonval.Value{})}
	}
	if f.asked == "" {
		return rows, nil
	}
	return rows, f.raiseVerdicts(rows, tools, stderr)
}

// raiseVerdicts asks a plugin about the tools. If the plugin's verdict on a tool is
// stricter, it replaces the verdict in the row of the tool.
func (f *toolsFlags) raiseVerdicts(rows []toolRow, tools []mutation.Tool, stderr io.Writer) error {
	ctx := context.Background()
	h, err := host.New(ctx, host.Options{})
	if err != nil {
		return err
	}
	defer h.Close(ctx)
	p, err := f.plugin.LoadByName(ctx, h, f.asked, stderr)
	if err != nil {
		return err
	}
	asked := make([]abi.Tool, len(tools))
	for i, t := range tools {
		asked[i] = cmd.ToolOf(t)
	}
	said, err := p.Classify(ctx, asked)
	if err != nil {
		return err
	}
	for _, t := range said.Tools {
		for i := range rows {
			if rows[i].Name == t.Name {
				rows[i].Verdict = rows[i].Raise(cmd.WordOf(t.Mutating), mutation.LayerPlugin, p.Description.Name+": "+t.Reason)
			}
		}
	}
	return nil
}

func toolsTable(w io.Writer, rows []toolRow) {
	width, counts := len("tool"), map[string]int{}
	for _, r := range rows {
		width = max(width, utf8.RuneCountInString(words.Printable(r.Name)))
		counts[verdictWord(&r)]++
	}
	fmt.Fprintf(w, "  %s  %s  %s  reason\n", render.Fill("tool", width), render.Pad("mutating", 12), render.Pad("layer", 11))
	for _, r := range rows {
		fmt.Fprintf(w, "  %s  %s  %s  %s\n", render.Fill(words.Printable(r.Name), width), render.Pad(verdictWord(&r), 12), render.Pad(string(r.Layer), 11), words.Printable(r.Reason))
	}
	fmt.Fprintf(w, "\n  %s: %d mutating, %d not mutating, %d control, %d unknown (unknown counts as mutating)\n",
		words.Count(len(rows), "tool", "tools"), counts["yes"], counts["no"], counts["no (control)"], counts["unknown"])
}

func verdictWord(r *toolRow) string {
	if r.Control {
		return "no (control)"
	}
	return r.Mutating.String()
}
