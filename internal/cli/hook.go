package cli

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	machine "github.com/boundcheck/boundcheck/core/gate"
	"github.com/boundcheck/boundcheck/core/saber"
	driver "github.com/boundcheck/boundcheck/worker/gate"
)

const hookUsage = `usage: boundcheck hook claude-code [--policy FILE]
       boundcheck hook claude-code --gate URL [--no-wait] [--deadline 55s]

A PreToolUse hook: reads the call on stdin and decides it. As PostToolUse and
PostToolUseFailure hook, with the same --gate, it reports how the call went.

Without --gate it decides here: calls that change nothing pass to the usual
permission flow, all others are asked in the terminal with the text that lists
every argument. With --gate the question goes to people at a gate; the hook
waits for them until its deadline (keep that shorter than the hook's own time-out)
and answers allow only after it has claimed exactly these bytes. --no-wait denies
at once, naming the question; the same call made again finds it.

The agent's key is read from $BOUNDCHECK_AGENT_KEY. On any error the exit code is
2, which blocks the call.
`

// exitBlock is the one exit code with which a hook blocks a call; any other
// code that is not 0 lets it pass.
const exitBlock = 2

// hookCommand runs an agent's hook. It fails closed: whatever goes wrong, also
// a panic, ends with exit code 2.
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
	answer, err := hook(args, stdin)
	if err == nil && answer != nil {
		err = json.NewEncoder(stdout).Encode(map[string]hookAnswer{"hookSpecificOutput": *answer})
	}
	if err != nil {
		fmt.Fprintf(stderr, "boundcheck hook: blocked: %v\n", err)
		return exitBlock
	}
	return exitOK
}

// hookAnswer is what the host is told; none at all leaves the call to its own
// permission flow. It never changes the call's arguments.
type hookAnswer struct {
	Event   string `json:"hookEventName"`
	Verdict string `json:"permissionDecision"` // allow, deny or ask
	Reason  string `json:"permissionDecisionReason"`
	Context string `json:"additionalContext,omitempty"`
}

func answered(verdict, reason string) *hookAnswer {
	return &hookAnswer{Event: "PreToolUse", Verdict: verdict, Reason: reason}
}

// hookFlags is how the hook was set up.
type hookFlags struct {
	gate, policy string
	noWait       bool
	deadline     time.Duration
}

func readHookFlags(args []string) (f hookFlags, err error) {
	if len(args) == 0 || args[0] != "claude-code" {
		return f, errors.New("want the agent's name: boundcheck hook claude-code")
	}
	flags := flag.NewFlagSet("hook", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&f.gate, "gate", "", "")
	flags.StringVar(&f.policy, "policy", "", "")
	flags.BoolVar(&f.noWait, "no-wait", false, "")
	flags.DurationVar(&f.deadline, "deadline", 55*time.Second, "")
	if err := flags.Parse(args[1:]); err != nil {
		return f, err
	}
	switch {
	case flags.NArg() > 0:
		return f, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case f.gate != "" && f.policy != "":
		return f, errors.New("the policy is the gate's: leave --policy out with --gate")
	case f.deadline < time.Second || f.deadline > time.Hour:
		return f, errors.New("invalid --deadline: want 1s to 1h")
	}
	return f, nil
}

func hook(args []string, stdin io.Reader) (*hookAnswer, error) {
	f, err := readHookFlags(args)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), f.deadline)
	defer cancel()
	c, err := within(ctx, func() (hookCall, error) { return readHookCall(stdin) })
	if err != nil {
		return nil, err
	}
	if c.event != "PreToolUse" {
		return within(ctx, func() (*hookAnswer, error) { return nil, reportOutcome(ctx, &f, c) })
	}
	if f.gate != "" {
		return within(ctx, func() (*hookAnswer, error) { return askGate(ctx, &f, c) })
	}
	policy, err := readPolicy(f.policy)
	if err != nil {
		return nil, err
	}
	return decideHere(policy, c), nil
}

// within gives up when the deadline comes, whatever work is doing.
func within[T any](ctx context.Context, work func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- result{err: fmt.Errorf("internal error: %v", p)}
			}
		}()
		value, err := work()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, errors.New("the deadline has passed")
	}
}

// hookCall is the call that the host is about to make.
type hookCall struct {
	tool, arguments string // raw bytes
	session, id     string
	event           string
}

// readHookCall reads the host's input. What cannot be read in one way only is
// an error.
func readHookCall(stdin io.Reader) (c hookCall, err error) {
	const largest = 8 << 20
	body, err := io.ReadAll(io.LimitReader(stdin, largest+1))
	if err != nil {
		return c, err
	}
	if len(body) > largest {
		return c, errors.New("the input is over 8 MiB")
	}
	h, err := driver.ReadHook(string(body))
	return hookCall{tool: h.Tool, arguments: h.Arguments, session: h.Session, id: h.ID, event: h.Event}, err
}

// decideHere decides without a gate: the question goes to the terminal.
func decideHere(policy *machine.Policy, c hookCall) *hookAnswer {
	plan := machine.Propose(policy, machine.Ask{
		By: machine.Principal{Tenant: "local", Name: "claude-code", Role: machine.Agent}, Session: c.session,
		Calls: []saber.Proposal{{Tool: c.tool, Arguments: c.arguments}}, IDs: []string{"local"},
	}, time.Now().UnixMilli())
	m := plan.Members[0]
	switch m.Verdict {
	case saber.Allow:
		return nil
	case machine.Denial:
		return answered("deny", m.Reason)
	}
	if plan.Records[0].Needs > 1 {
		return answered("deny", "the policy wants two approvers for this tool; that takes a gate")
	}
	a := answered("ask", plan.Records[0].Prompt)
	a.Context = strings.TrimSpace(m.Reflection)
	return a
}

// agentKey reads the agent's key from the environment.
func agentKey() (string, error) {
	key := os.Getenv("BOUNDCHECK_AGENT_KEY")
	if key == "" {
		return "", errors.New("missing $BOUNDCHECK_AGENT_KEY")
	}
	return key, nil
}
