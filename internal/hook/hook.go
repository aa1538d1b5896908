// Package hook implements the hook that an agent's host runs before each tool call. It
// decides the call on this machine, or asks a gate.
package hook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/worker/gate/hookcall"
)

// Answer is the hook's answer to the host. It changes the call's arguments only if an
// approver did: then Updated has those that were approved. If the hook prints no answer, the host's own permission flow decides.
type Answer struct {
	Event   string `json:"hookEventName"`
	Verdict string `json:"permissionDecision"` // allow, deny or ask
	Reason  string `json:"permissionDecisionReason"`
	Context string `json:"additionalContext,omitempty"`

	Updated json.RawMessage `json:"updatedInput,omitempty"`
}

func newAnswer(verdict, reason string) *Answer {
	return &Answer{Event: "PreToolUse", Verdict: verdict, Reason: reason}
}

// Options select who decides, and set the time limit.
type Options struct {
	Host     *Host                           // the program that calls the hook; nil for Claude Code
	Gate     string                          // the address of a gate; "" decides without one
	Policy   func() (*machine.Policy, error) // called only when it is needed
	NoWait   bool                            // answer at once, without waiting for people
	Deadline time.Duration                   // for the whole decision
}

// Decide reads a call and returns what the hook prints for its host. If the host has
// already made the call, Decide reports the call's outcome to the gate and returns "".
func Decide(o Options, stdin io.Reader) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), o.Deadline)
	defer cancel()
	if o.Host == nil {
		o.Host = hosts[0]
	}
	c, err := withTimeLimit(ctx, func() (call, error) { return readCall(o.Host, stdin) })
	if err != nil {
		return "", err
	}
	if c.transcript != "" { // without it, the origins of the values are not known
		brief, done := context.WithTimeout(ctx, transcriptTime)
		c.messages, _ = withTimeLimit(brief, func() (string, error) { return readTranscript(c.transcript), nil })
		done()
	}
	if c.event != hookcall.Before && c.event != hookcall.Permit {
		return withTimeLimit(ctx, func() (string, error) { return "", reportOutcome(ctx, &o, c) })
	}
	a, err := decideCall(ctx, &o, c)
	if err != nil {
		return "", err
	}
	if a != nil {
		a.Event = c.event
	}
	return o.Host.encodeAnswer(a)
}

// decideCall returns the answer about a call. It returns nil if the host's own permission
// flow decides.
func decideCall(ctx context.Context, o *Options, c call) (*Answer, error) {
	if o.Gate != "" {
		return withTimeLimit(ctx, func() (*Answer, error) { return askGate(ctx, o, c) })
	}
	policy, err := o.Policy()
	if err != nil {
		return nil, err
	}
	a := decideHere(o.Host, policy, c)
	if a != nil && a.Verdict == "ask" && !o.Host.asks {
		a.Verdict, a.Reason = "deny", "this call needs a person's approval, and "+o.Host.Name+" cannot ask for it here. Let people decide at a gate: install the hook with --gate URL.\n"+a.Reason
	}
	return a, nil
}

// withTimeLimit calls the function work and returns its result. If the deadline of ctx
// passes first, withTimeLimit returns an error. It does not stop the function.
func withTimeLimit[T any](ctx context.Context, work func() (T, error)) (T, error) {
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

// transcriptTime is the longest time for the host's file, which may be on a slow disk.
const transcriptTime = 5 * time.Second

// call is the tool call that the host is about to make or has made.
type call struct {
	host            string
	tool, arguments string // raw bytes
	session, id     string
	dir             string // in which the host runs the call; "" if it does not say
	event           string
	elsewhere       bool   // the call's directory and the session's project are in different git repositories
	transcript      string // the file of the conversation before the call; "" for none
	messages        string // the conversation before the call, as JSON; "" if it is not known
	result          string // after the call: what the tool returned, as JSON; "" if the host does not say it
}

// readCall reads a call from the host's input. It returns an error for ambiguous input,
// such as an object with a repeated key.
func readCall(host *Host, stdin io.Reader) (c call, err error) {
	const largest = 8 << 20
	body, err := io.ReadAll(io.LimitReader(stdin, largest+1))
	if err != nil {
		return c, err
	}
	if len(body) > largest {
		return c, errors.New("the input is over 8 MiB")
	}
	text, err := host.translateInput(string(body))
	if err != nil {
		return c, err
	}
	h, err := hookcall.Read(text)
	if err != nil {
		return c, err
	}
	if h.Event != hookcall.Before && h.Event != hookcall.Permit {
		h.Transcript = ""
	}
	return call{host: host.Name, transcript: h.Transcript, result: h.Result, tool: h.Tool, arguments: h.Arguments, session: h.Session, id: h.ID, event: h.Event, dir: h.Dir, elsewhere: isOtherRepository(os.Getenv("CLAUDE_PROJECT_DIR"), h.Dir)}, nil
}

// decideHere decides a call without a gate. If a person must decide, it returns the answer
// "ask", with which the host asks its user in the terminal.
func decideHere(host *Host, policy *machine.Policy, c call) *Answer {
	var said *proposal.Conversation
	if messages, err := jsonval.Parse(c.messages); err == nil {
		said, _ = proposal.ReadConversation(messages) // if this fails, the question shows no sources of values
	}
	plan := machine.Propose(policy, machine.Ask{
		By: machine.Principal{Tenant: "local", Name: host.Name, Host: host.table, Role: machine.Agent}, Session: c.session,
		Calls: []proposal.Proposal{{Tool: c.tool, Arguments: c.arguments, Elsewhere: c.elsewhere, Dir: c.dir, Conversation: said}}, IDs: []string{"local"},
	}, time.Now().UnixMilli())
	m := plan.Members[0]
	switch m.Verdict {
	case proposal.Allow:
		return nil
	case machine.Denial:
		return newAnswer("deny", m.Reason)
	}
	switch r := &plan.Records[0]; {
	case r.Needs > 1:
		return newAnswer("deny", "the policy requires two approvers for this tool, but two approvers are possible only with a gate")
	case r.Why.Wait > 0:
		return newAnswer("deny", "the policy lets calls of this tool run only some time after a yes, but such a wait is possible only with a gate")
	case len(r.Why.From) > 0:
		return newAnswer("deny", fmt.Sprintf("the policy lets only %s approve this call (rule %s), but who answers here is not known: such an approval is possible only with a gate", strings.Join(slices.Concat(r.Why.From...), ", "), strings.Join(r.Why.FromRules, ", ")))
	}
	a := newAnswer("ask", plan.Records[0].Prompt)
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
