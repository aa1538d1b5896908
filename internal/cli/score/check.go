package score

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/render"
	"github.com/boundcheck/boundcheck/internal/words"
)

const checkUsage = `usage: boundcheck check [--format auto|words|json] FILE | -

Reads a proposal, {"tool": …, "arguments": {…}, "tools"?: […], "policy"?: …, "messages"?: […]}, and
prints the gate's decision: allow or confirm, the reason, and the text that a person
would approve. On a terminal it prints words, and otherwise JSON. The JSON is identical
to the answer of POST /v1/check.
`

// Check implements "boundcheck check".
func Check(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var files []string
	set := flag.NewFlagSet("check", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	format := set.String("format", "auto", "")
	err := cmd.ParseInterspersed(set, args, &files)
	if err == nil {
		err = cmd.OneOf("format", *format, "auto", "words", "json")
	}
	if err == nil && len(files) != 1 {
		err = errors.New("want one FILE, or - for standard input")
	}
	if err != nil {
		return cmd.PrintUsage(stdout, stderr, "check", err, checkUsage)
	}
	body, err := cmd.ReadFile(files[0], stdin)
	if err != nil {
		fmt.Fprintf(stderr, "boundcheck check: %v\n", err)
		return cmd.ExitInput
	}
	answer, ok := wire.Handle("check", body)
	if *format == "words" || *format == "auto" && render.IsTerminal(stdout) {
		return printDecision(answer, ok, stdout, stderr)
	}
	stdout.Write(answer)
	if !ok {
		return cmd.ExitInput
	}
	return cmd.ExitOK
}

// printDecision prints the gate's answer, which is JSON, in words.
func printDecision(answer []byte, ok bool, stdout, stderr io.Writer) int {
	var said struct {
		Decision, Tool, Reason, Confirmation string
		Error                                wire.Error
	}
	if err := json.Unmarshal(answer, &said); err != nil || !ok {
		fmt.Fprintf(stderr, "boundcheck check: %s\n", words.Printable(said.Error.Message))
		return cmd.ExitInput
	}
	if said.Decision == proposal.Allow {
		fmt.Fprintf(stdout, "Allowed without a question: %s (%s).\n", words.Printable(said.Tool), words.Printable(said.Reason))
		return cmd.ExitOK
	}
	fmt.Fprintf(stdout, "A person must confirm this call (%s). The person approves this text:\n\n%s", words.Printable(said.Reason), said.Confirmation)
	return cmd.ExitOK
}
