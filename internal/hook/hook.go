// Package hook decides the tool calls that an agent's host is about to make, here or
// at a gate.
package hook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/jsonval"
	"github.com/boundcheck/boundcheck/core/proposal"
	"github.com/boundcheck/boundcheck/worker/gate"
)

// Answer is the answer to the host. Without an answer the host's own permission flow
// decides. It never changes the call's arguments.
type Answer struct {
	Event   string `json:"hookEventName"`
	Verdict string `json:"permissionDecision"` // allow, deny or ask
	Reason  string `json:"permissionDecisionReason"`
	Context string `json:"additionalContext,omitempty"`
}

func answered(verdict, reason string) *Answer {
	return &Answer{Event: "PreToolUse", Verdict: verdict, Reason: reason}
}

// Options say who decides.
type Options struct {
	Gate     string                          // the address of a gate; "" decides here
	Policy   func() (*machine.Policy, error) // read when it is needed
	NoWait   bool                            // answers at once, without waiting for people
	Deadline time.Duration                   // for all of it
}

// Decide reads a call and returns the answer to its host, or nil for none. After a call
// it reports the outcome to the gate.
func Decide(o Options, stdin io.Reader) (*Answer, error) {
	ctx, cancel := context.WithTimeout(context.Background(), o.Deadline)
	defer cancel()
	c, err := within(ctx, func() (call, error) { return readCall(stdin) })
	if err != nil {
		return nil, err
	}
	if c.event != "PreToolUse" {
		return within(ctx, func() (*Answer, error) { return nil, reportOutcome(ctx, &o, c) })
	}
	if o.Gate != "" {
		return within(ctx, func() (*Answer, error) { return askGate(ctx, &o, c) })
	}
	policy, err := o.Policy()
	if err != nil {
		return nil, err
	}
	return decideHere(policy, c), nil
}

// within returns up when the deadline comes, whatever work is doing.
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

// call is the call that the host is about to make.
type call struct {
	tool, arguments string // raw bytes
	session, id     string
	event           string
	elsewhere       bool   // the host runs commands in another git repository than the session's
	messages        string // what was said before, as JSON; "" where nobody knows
}

// readCall reads the host's input. What cannot be read in one way only is
// an error.
func readCall(stdin io.Reader) (c call, err error) {
	const largest = 8 << 20
	body, err := io.ReadAll(io.LimitReader(stdin, largest+1))
	if err != nil {
		return c, err
	}
	if len(body) > largest {
		return c, errors.New("the input is over 8 MiB")
	}
	h, err := gate.ReadHook(string(body))
	if err != nil {
		return c, err
	}
	messages := ""
	if h.Event == gate.HookBefore {
		messages = transcript(h.Transcript)
	}
	return call{messages: messages, tool: h.Tool, arguments: h.Arguments, session: h.Session, id: h.ID, event: h.Event, elsewhere: elsewhere(os.Getenv("CLAUDE_PROJECT_DIR"), h.Dir)}, nil
}

// decideHere decides without a gate: the question goes to the terminal.
func decideHere(policy *machine.Policy, c call) *Answer {
	var said *proposal.Conversation
	if messages, err := jsonval.Parse(c.messages); err == nil {
		said, _ = proposal.ReadConversation(messages) // without it, no sources are shown
	}
	plan := machine.Propose(policy, machine.Ask{
		By: machine.Principal{Tenant: "local", Name: "claude-code", Role: machine.Agent}, Session: c.session,
		Calls: []proposal.Proposal{{Tool: c.tool, Arguments: c.arguments, Elsewhere: c.elsewhere, Conversation: said}}, IDs: []string{"local"},
	}, time.Now().UnixMilli())
	m := plan.Members[0]
	switch m.Verdict {
	case proposal.Allow:
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
