// Package cli contains the commands of boundcheck, at least one file for each. Package
// core does the scoring, package worker has the HTTP handlers, and package plugins/host
// runs plugins.
package cli

import (
	"fmt"
	"io"
	"strings"
)

// Exit codes of every command.
const (
	exitOK     = 0
	exitInput  = 1 // the input cannot be used, or a run could not be scored
	exitUsage  = 2
	exitFailed = 3 // the input was scored, but fails --fail-under, --fail-on, --fail-if or a test
)

// command is one row of the command table.
type command struct {
	name, line string
	run        func(args []string, stdin io.Reader, stdout, stderr io.Writer) int
}

func allCommands() []command {
	return []command{
		{"score", "find boundary violations in traces and compute the figures", scoreCommand},
		{"merge", "compute the figures of shards that were scored separately", mergeCommand},
		{"lint", "find problems in traces without a reference", lintCommand},
		{"compare", "compare two groups of runs: a baseline and a treatment", compareCommand},
		{"consensus", "compare the runs of one task with each other, without a reference", consensusCommand},
		{"test", "compare a folder's traces with its references", testCommand},
		{"reference", "create references from good runs, and check or explain references", referenceCommand},
		{"bench", "let a model do tasks and record the runs, with or without EBP and SABER", benchCommand},
		{"gold", "verify, correct and audit the reference actions (gold) of a benchmark", goldCommand},
		{"record", "run an agent and record a trace of its actions", recordCommand},
		{"read", "print what is understood of a trace, before any verdict", readCommand},
		{"map", "propose a mapping for JSON of another format", mapCommand},
		{"repair", "convert text that is almost JSON to JSON", repairCommand},
		{"formats", "list the formats of traces that can be read", formatsCommand},
		{"explain", "explain a name in a report", explainCommand},
		{"check", "decide whether one action must be confirmed, and print the text to confirm", checkCommand},
		{"convert", "rewrite a trace as generic, openai-chat or atif", convertCommand},
		{"review", "label uncertain findings, and measure how often people agree with them", reviewCommand},
		{"tools", "find out which tools in a list change something", toolsCommand},
		{"study", "measure over many runs how deviations affect success", studyCommand},
		{"prompt", "print prompts for explicit boundaries (EBP), SABER and the judge", promptCommand},
		{"plugin", "list, verify, run, pin and start plugins", pluginCommand},
		{"gate", "run the confirmation gate: hold changes until a person decides", gateCommand},
		{"mcp", "put the confirmation gate in front of an MCP server that a host starts", mcpCommand},
		{"hook", "decide whether an agent program may make a tool call, locally or through a gate", hookCommand},
		{"audit", "verify or export the gate's audit log", auditCommand},
		{"serve", "serve the playground and the API", serveCommand},
		{"completion", "print completions for bash, zsh or fish, or the manual page", completionCommand},
		{"version", "print versions as JSON", versionCommand},
	}
}

// Run runs the command that args names, and returns the exit code. args does not include
// the program's name.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		fmt.Fprint(stderr, helpText())
		return exitUsage
	}
	if args[0] == "help" && len(args) > 1 {
		args = []string{args[1], "-h"}
	}
	if args[0] == "help" || args[0] == "-h" || args[0] == "--help" {
		fmt.Fprint(stdout, helpText())
		return exitOK
	}
	if args[0] == "--version" || args[0] == "-v" || args[0] == "-V" {
		fmt.Fprintln(stdout, thisBuild())
		return exitOK
	}
	for _, c := range allCommands() {
		if c.name == args[0] {
			return c.run(args[1:], stdin, stdout, stderr)
		}
	}
	fmt.Fprintf(stderr, "boundcheck: unknown command %q%s; see boundcheck help\n", args[0], didYouMean(args[0], commandNames()))
	return exitUsage
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
