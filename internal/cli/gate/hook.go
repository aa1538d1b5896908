//go:build !js

package gate

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/hook"
)

const hookUsage = `usage: boundcheck hook install HOST [--gate URL] [--deadline 55s]
       boundcheck hook uninstall HOST
       boundcheck hook HOST [--policy FILE] [--plugin NAME…]
       boundcheck hook HOST --gate URL [--no-wait] [--deadline 55s]

HOST is claude-code, codex, cursor, gemini-cli or copilot. install adds the hook to the
host's settings of this user, and keeps a copy of the settings. uninstall removes it.

Before a call, the host runs the hook, which reads the call on stdin and decides it. After
a call, the hook reports the outcome to the same --gate.

Without --gate, the hook decides on this machine. Calls that change nothing pass to
the host's usual permission flow. For all others, Claude Code and Copilot ask you in the
terminal and list every argument. The other hosts cannot ask, so such calls are denied. With --gate, people at a gate decide. The hook waits
for them until its deadline, which must be shorter than the time-out that the host
sets for the hook (install sets it). It answers allow only after it has claimed exactly these bytes. With
--no-wait, it denies the call at once and prints the address of the question; repeat the
same call after the decision.

With --plugin NAME (without --gate), that plugin also classifies tools. Its answer can
only make a verdict stricter. boundcheck.yaml in the working directory can do the same:
the hook asks about tools that this file marks as changing something.

The agent's key is read from $BOUNDCHECK_AGENT_KEY. On any error the exit code is
2, which blocks the call.
`

// exitBlock is the exit code with which a hook blocks a call. Most hosts let the call pass
// after any other exit code.
const exitBlock = 2

// Hook implements "boundcheck hook", which an agent runs before a call. After
// every error, also after a panic, it exits with code 2, which blocks the call.
func Hook(args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(stderr, "boundcheck hook: internal error: %v\n", p)
			code = exitBlock
		}
	}()
	if len(args) > 0 && (args[0] == "-h" || args[0] == "--help") {
		fmt.Fprint(stdout, hookUsage)
		return cmd.ExitOK
	}
	if len(args) > 0 && (args[0] == "install" || args[0] == "uninstall") {
		return installHook(args, stdout, stderr)
	}
	text := ""
	o, advice, err := readHookFlags(args)
	if err == nil && o.Gate == "" {
		var done func()
		if done, err = addAdvisors(&o, &advice, stderr); done != nil {
			defer done()
		}
	}
	if err == nil {
		text, err = hook.Decide(o, stdin)
	}
	if err == nil {
		_, err = io.WriteString(stdout, text)
	}
	if err != nil {
		fmt.Fprintf(stderr, "boundcheck hook: blocked: %v\n", err)
		return exitBlock
	}
	return cmd.ExitOK
}

// addAdvisors adds the verdicts of boundcheck.yaml and of plugins to the policy of a hook
// without a gate. If a file cannot be read, it returns an error, which blocks the call.
// The caller must call done at the end, but done may be nil.
func addAdvisors(o *hook.Options, advice *cmd.AdviceFlags, stderr io.Writer) (done func(), err error) {
	c, err := cmd.ReadConfig("", ".")
	if err != nil {
		return nil, err
	}
	advisor := mutation.Advisor(nil)
	if advice.Checkers.WantsPlugins() {
		if advisor, done, err = advice.OpenAdvisor(context.Background(), stderr); err != nil {
			return nil, err
		}
	}
	read := o.Policy
	o.Policy = func() (*machine.Policy, error) {
		p, err := read()
		if err == nil {
			p.Advisor = cmd.AdviseByConfig(c, advisor)
		}
		return p, err
	}
	return done, nil
}

func readHookFlags(args []string) (o hook.Options, advice cmd.AdviceFlags, err error) {
	if len(args) == 0 {
		return o, advice, errors.New("missing the host's name: want one of " + hostNames())
	}
	if o.Host = hook.FindHost(args[0]); o.Host == nil {
		return o, advice, fmt.Errorf("unknown host %.40q: want one of %s", args[0], hostNames())
	}
	policy := ""
	flags := flag.NewFlagSet("hook", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&o.Gate, "gate", "", "")
	flags.StringVar(&policy, "policy", "", "")
	flags.BoolVar(&o.NoWait, "no-wait", false, "")
	flags.DurationVar(&o.Deadline, "deadline", 55*time.Second, "")
	advice.RegisterFlags(flags)
	if err := flags.Parse(args[1:]); err != nil {
		return o, advice, err
	}
	o.Policy = func() (*machine.Policy, error) { return readPolicy(policy) }
	switch {
	case flags.NArg() > 0:
		return o, advice, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case o.Gate != "" && policy != "":
		return o, advice, errors.New("--policy cannot be used with --gate: the gate has its own policy")
	case o.Gate != "" && advice.Checkers.WantsPlugins():
		return o, advice, errors.New("--plugin cannot be used with --gate: the gate has its own plugins")
	case o.Deadline < time.Second || o.Deadline > time.Hour:
		return o, advice, errors.New("invalid --deadline: want 1s to 1h")
	}
	return o, advice, nil
}

func hostNames() string {
	var names []string
	for _, h := range hook.Hosts() {
		names = append(names, h.Name)
	}
	return strings.Join(names, ", ")
}

// installHook implements "hook install" and "hook uninstall".
func installHook(args []string, stdout, stderr io.Writer) int {
	fail := func(code int, err error) int {
		fmt.Fprintf(stderr, "boundcheck hook %s: %v\n", args[0], err)
		return code
	}
	var address string
	deadline := 55 * time.Second
	flags := flag.NewFlagSet("hook install", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	if args[0] == "install" {
		flags.StringVar(&address, "gate", "", "")
		flags.DurationVar(&deadline, "deadline", deadline, "")
	}
	names, err := cmd.ParseMixed(flags, args[1:])
	if err == nil && len(names) != 1 {
		err = errors.New("want the name of one host: " + hostNames())
	}
	if err == nil && (deadline < time.Second || deadline > time.Hour) {
		err = errors.New("invalid --deadline: want 1s to 1h")
	}
	if err != nil {
		return fail(cmd.ExitUsage, err)
	}
	host := hook.FindHost(names[0])
	if host == nil {
		return fail(cmd.ExitUsage, fmt.Errorf("unknown host %.40q: want one of %s", names[0], hostNames()))
	}
	var done hook.Installed
	if args[0] == "uninstall" {
		done, err = hook.Uninstall(host)
	} else {
		var program string
		if program, err = os.Executable(); err == nil {
			if program, err = hook.CommandLine(program); err == nil {
				done, err = hook.Install(host, program, address, deadline.String(), int(deadline/time.Second)+5)
			}
		}
	}
	if err != nil {
		return fail(cmd.ExitInput, err)
	}
	word := map[string]string{"install": "has the hook", "uninstall": "no longer has the hook"}[args[0]]
	fmt.Fprintf(stdout, "%s %s\n", done.File, word)
	if done.Backup != "" {
		fmt.Fprintf(stdout, "the settings before are in %s\n", done.Backup)
	}
	return cmd.ExitOK
}
