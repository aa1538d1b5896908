// Package cli is the table of boundcheck's commands. Folders have the commands: score, study,
// plugin and gate; cmd has what several of them use. Package core does the scoring, package
// worker has the HTTP handlers, and package plugins/host runs plugins.
package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/cli/gate"
	"github.com/boundcheck/boundcheck/internal/cli/plugin"
	"github.com/boundcheck/boundcheck/internal/cli/score"
	"github.com/boundcheck/boundcheck/internal/cli/study"
)

// command is one row of the command table.
type command struct {
	name, line string
	run        func(args []string, stdin io.Reader, stdout, stderr io.Writer) int
}

func allCommands() []command {
	return []command{
		{"score", "find boundary violations in traces and compute the figures", score.Score},
		{"merge", "compute the figures of shards that were scored separately", score.Merge},
		{"lint", "find problems in traces without a reference", score.Lint},
		{"compare", "compare two groups of runs: a baseline and a treatment", score.Compare},
		{"consensus", "compare the runs of one task with each other, without a reference", score.Consensus},
		{"test", "compare a folder's traces with its references", score.Test},
		{"reference", "create references from good runs, and check or explain references", score.Reference},
		{"bench", "let a model do tasks and record the runs, with or without EBP and SABER", study.Bench},
		{"gold", "verify, correct and audit the reference actions (gold) of a benchmark", study.Gold},
		{"record", "run an agent and record a trace of its actions", score.Record},
		{"read", "print what is understood of a trace, before any verdict", score.Read},
		{"map", "propose a mapping for JSON of another format", score.Map},
		{"repair", "convert text that is almost JSON to JSON", score.Repair},
		{"formats", "list the formats of traces that can be read", score.Formats},
		{"explain", "explain a name in a report", score.Explain},
		{"check", "decide whether one action must be confirmed, and print the text to confirm", score.Check},
		{"convert", "rewrite a trace as generic, openai-chat or atif", score.Convert},
		{"review", "label uncertain findings, and measure how often people agree with them", score.Review},
		{"tools", "find out which tools in a list change something", score.Tools},
		{"study", "measure over many runs how deviations affect success", study.Study},
		{"prompt", "print prompts for explicit boundaries (EBP), SABER and the judge", plugin.Prompt},
		{"plugin", "list, verify, run, pin and start plugins", plugin.Plugin},
		{"gate", "run the confirmation gate: hold changes until a person decides", gate.Gate},
		{"mcp", "put the confirmation gate in front of an MCP server that a host starts", gate.MCP},
		{"hook", "decide whether an agent program may make a tool call, locally or through a gate", gate.Hook},
		{"audit", "verify or export the gate's audit log", gate.Audit},
		{"serve", "serve the playground and the API", gate.Serve},
		{"completion", "print completions for bash, zsh or fish, or the manual page", completionCommand},
		{"version", "print versions as JSON", versionCommand},
	}
}

// Run runs the command that args names, and returns the exit code. args does not include
// the program's name.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		fmt.Fprint(stderr, helpText())
		return cmd.ExitUsage
	}
	if args[0] == "help" && len(args) > 1 {
		args = []string{args[1], "-h"}
	}
	if args[0] == "help" || args[0] == "-h" || args[0] == "--help" {
		fmt.Fprint(stdout, helpText())
		return cmd.ExitOK
	}
	if args[0] == "--version" || args[0] == "-v" || args[0] == "-V" {
		fmt.Fprintln(stdout, thisBuild())
		return cmd.ExitOK
	}
	for _, c := range allCommands() {
		if c.name == args[0] {
			return c.run(args[1:], stdin, stdout, stderr)
		}
	}
	fmt.Fprintf(stderr, "boundcheck: unknown command %q%s; see boundcheck help\n", args[0], cmd.DidYouMean(args[0], commandNames()))
	return cmd.ExitUsage
}

func helpText() string {
	var b strings.Builder
	b.WriteString("Boundcheck is bounds checking for agent actions.\n\nusage: boundcheck COMMAND [FLAGS] [FILE…]\n\n")
	for _, c := range allCommands() {
		fmt.Fprintf(&b, "  %-10s %s\n", c.name, c.line)
	}
	b.WriteString("\nboundcheck COMMAND -h shows its flags. Exit codes: 0 success, 1 unusable input or an internal error, 2 wrong usage,\n3 a failed check (--fail-on, --fail-under, --fail-if, test).\n")
	return b.String()
}
