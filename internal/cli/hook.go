//go:build !js

package cli

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"time"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/internal/hook"
)

const hookUsage = `usage: boundcheck hook claude-code [--policy FILE] [--plugin NAME…]
       boundcheck hook claude-code --gate URL [--no-wait] [--deadline 55s]

As a PreToolUse hook, the command reads a call on stdin and decides it. As a PostToolUse
or PostToolUseFailure hook, with the same --gate, it reports the call's outcome.

Without --gate, the hook decides on this machine. Calls that change nothing pass to
Claude Code's usual permission flow. For all others, Claude Code asks you in the
terminal and lists every argument. With --gate, people at a gate decide. The hook waits
for them until its deadline, which must be shorter than the time-out that Claude Code
sets for the hook. It answers allow only after it has claimed exactly these bytes. With
--no-wait, it denies the call at once and prints the address of the question; repeat the
same call after the decision.

With --plugin NAME (without --gate), that plugin also classifies tools. Its answer can
only make a verdict stricter. boundcheck.yaml in the working directory can do the same:
the hook asks about tools that this file marks as changing something.

The agent's key is read from $BOUNDCHECK_AGENT_KEY. On any error the exit code is
2, which blocks the call.
`

// exitBlock is the exit code with which a hook blocks a call. Claude Code lets the call
// pass after any other exit code.
const exitBlock = 2

// hookCommand implements "boundcheck hook", which an agent runs before a call. After
// every error, also after a panic, it exits with code 2, which blocks the call.
func hookCommand(args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(stderr, "boundcheck hook: internal error: %v\n", p)
			code = exitBlock
		}
	}()
	if len(args) > 0 && (args[0] == "-h" || args[0] == "--help") {
		fmt.Fprint(stdout, hookUsage)
		return exitOK
	}
	var answer *hook.Answer
	o, advice, err := readHookFlags(args)
	if err == nil && o.Gate == "" {
		var done func()
		if done, err = addAdvisors(&o, &advice, stderr); done != nil {
			defer done()
		}
	}
	if err == nil {
		answer, err = hook.Decide(o, stdin)
	}
	if err == nil && answer != nil {
		err = json.NewEncoder(stdout).Encode(map[string]hook.Answer{"hookSpecificOutput": *answer})
	}
	if err != nil {
		fmt.Fprintf(stderr, "boundcheck hook: blocked: %v\n", err)
		return exitBlock
	}
	return exitOK
}

// addAdvisors adds the verdicts of boundcheck.yaml and of plugins to the policy of a hook
// without a gate. If a file cannot be read, it returns an error, which blocks the call.
// The caller must call done at the end, but done may be nil.
func addAdvisors(o *hook.Options, advice *adviceFlags, stderr io.Writer) (done func(), err error) {
	c, err := readConfig("", ".")
	if err != nil {
		return nil, err
	}
	advisor := mutation.Advisor(nil)
	if advice.checkers.wantsPlugins() {
		if advisor, done, err = advice.openAdvisor(context.Background(), stderr); err != nil {
			return nil, err
		}
	}
	read := o.Policy
	o.Policy = func() (*machine.Policy, error) {
		p, err := read()
		if err == nil {
			p.Advisor = adviseByConfig(c, advisor)
		}
		return p, err
	}
	return done, nil
}

func readHookFlags(args []string) (o hook.Options, advice adviceFlags, err error) {
	if len(args) == 0 || args[0] != "claude-code" {
		return o, advice, errors.New("missing the agent's name: want boundcheck hook claude-code")
	}
	policy := ""
	flags := flag.NewFlagSet("hook", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&o.Gate, "gate", "", "")
	flags.StringVar(&policy, "policy", "", "")
	flags.BoolVar(&o.NoWait, "no-wait", false, "")
	flags.DurationVar(&o.Deadline, "deadline", 55*time.Second, "")
	advice.registerFlags(flags)
	if err := flags.Parse(args[1:]); err != nil {
		return o, advice, err
	}
	o.Policy = func() (*machine.Policy, error) { return readPolicy(policy) }
	switch {
	case flags.NArg() > 0:
		return o, advice, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case o.Gate != "" && policy != "":
		return o, advice, errors.New("--policy cannot be used with --gate: the gate has its own policy")
	case o.Gate != "" && advice.checkers.wantsPlugins():
		return o, advice, errors.New("--plugin cannot be used with --gate: the gate has its own plugins")
	case o.Deadline < time.Second || o.Deadline > time.Hour:
		return o, advice, errors.New("invalid --deadline: want 1s to 1h")
	}
	return o, advice, nil
}
