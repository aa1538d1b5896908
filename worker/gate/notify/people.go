package notify

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/read/othertext"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// This file holds one law: a message decides a call only as a person of the operator's list
// who was shown the whole call, by the digest of what was shown, and never a call that may
// not be undone.

// Question is a call that waits for a decision.
type Question struct {
	Call machine.Record
	Link string // the address of its page
	Now  int64  // the gate's time
	// Once returns the address at which an approver can decide this call once, without
	// signing in.
	Once func(approver string) (string, error)
}

// Messenger tells people of a tenant what waits.
type Messenger interface {
	Key() string // as that of a Receiver
	Tenant() string
	Post(ctx context.Context, q Question) error
}

// Decider is a Messenger whose messages have buttons.
type Decider interface {
	Messenger
	Name() string // of the way, as the audit has it; also a part of the path
	// Read checks who sent a request, and returns the click in it. Any error refuses the
	// request.
	Read(h http.Header, body []byte, now int64) (Click, error)
	// Answer tells who clicked what became of it. If over is set, the message has no
	// buttons any more.
	Answer(ctx context.Context, c Click, text string, over bool) error
}

// Click is a decision that somebody has sent from a message.
type Click struct {
	Tenant, ID, Digest string
	Approve            bool
	Reason             string // the person's words; "" for none
	Approver           string // whom the operator's list names for the person; "" for nobody
	Person             string // the person, as the service names him
	Once               string // names the request: it counts once
	Until              int64  // after this time, in Unix milliseconds, Read refuses the request
	Back               string // where Answer answers
}

// longestPrompt is the longest prompt in a message, in characters. A longer one is read on
// the page.
const longestPrompt = 2900

// PageOnly returns why a call must be decided on the gate's page and not in a message, or "".
func PageOnly(r *machine.Record) string {
	switch {
	case r.Why.Verdict == "unknown":
		return "Its effect is not known."
	case r.Why.Destructive:
		return "Perhaps it cannot be undone."
	case r.Why.AskedOnlyByData():
		return "Nobody asked for it but the data that the agent has read."
	case r.Why.SecondAct():
		return "A text cannot show it completely."
	case holdsSecret(r):
		return "It may hold a secret."
	case utf8.RuneCountInString(r.Prompt) > longestPrompt:
		return "It is too long for a message."
	}
	return ""
}

// holdsSecret reports whether the text or a value of a call looks like a secret, or has the name of one. Messages stay with
// the service that shows them, and the page hides nothing of what would run.
func holdsSecret(r *machine.Record) bool {
	if othertext.HoldsSecret(r.Prompt) {
		return true
	}
	v, err := jsonval.Parse(r.Arguments)
	if err != nil {
		return true
	}
	for _, leaf := range v.Leaves() {
		if othertext.HoldsSecret(strings.NewReplacer(".", " ", "/", " ", "[", " ", "]", " ").Replace(leaf.Path) + " " + leaf.Value.Text()) {
			return true
		}
	}
	return false
}

// people is the Receiver of a Messenger.
type people struct {
	Messenger
	store *store.Store
	link  func(id string) string
	once  func(r *machine.Record, approver string) (string, error)
	now   func() int64
}

// NewPeople returns the receiver that lets a messenger tell people what waits. The function
// link returns the address of a call's page, and once an address for one decision.
func NewPeople(m Messenger, s *store.Store, link func(id string) string, once func(r *machine.Record, approver string) (string, error), now func() int64) Receiver {
	return &people{m, s, link, once, now}
}

// Tell posts a question about a call that has begun to wait, if it still waits.
func (p *people) Tell(ctx context.Context, n store.News) error {
	if n.Entry.To != machine.Pending || n.Entry.From == machine.Pending && n.Entry.Event != machine.Escalate {
		return nil
	}
	r, err := p.store.Load(ctx, p.Tenant(), n.Entry.ID)
	switch {
	case errors.Is(err, store.ErrNone):
		return nil
	case err != nil:
		return err
	case r.State != machine.Pending || p.now() >= r.Expires:
		return nil
	}
	return p.Post(ctx, Question{r, p.link(r.ID), p.now(), func(approver string) (string, error) { return p.once(&r, approver) }})
}

// roll says which approver a person of another service is.
type roll map[string]string

// addPerson adds a person. The text is APPROVER:PERSON.
func (l *roll) addPerson(text string) error {
	approver, person, ok := strings.Cut(text, ":")
	if *l == nil {
		*l = roll{}
	}
	if _, twice := (*l)[person]; !ok || approver == "" || person == "" || twice {
		return fmt.Errorf("invalid approver %q: want NAME:PERSON, and each person once", text)
	}
	(*l)[person] = approver
	return nil
}

// readWords calls set for each word of the form NAME=VALUE in a setting.
func readWords(text, usage string, set func(name, value string) error) error {
	for _, word := range strings.Fields(text) {
		name, value, ok := strings.Cut(word, "=")
		if !ok || value == "" {
			return fmt.Errorf("invalid word %q: want %s", word, usage)
		}
		if err := set(name, value); err != nil {
			return err
		}
	}
	return nil
}

func unknownWord(name, usage string) error {
	return fmt.Errorf("unknown word %q: want %s", name, usage)
}

// Title returns the first line of a message. It has no text of the agent but the tool's
// name, whose odd characters the caller has escaped.
func Title(r *machine.Record, tool string) string {
	if r.Size > 1 {
		return fmt.Sprintf("A call of %s waits for a decision (%d of %d in its turn)", tool, r.Index+1, r.Size)
	}
	return fmt.Sprintf("A call of %s waits for a decision", tool)
}
