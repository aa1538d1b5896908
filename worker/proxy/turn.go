package proxy

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// Kinds of stored turns.
const (
	turnAsked    = "asked"    // the gate asked a question in place of the model's calls
	turnReleased = "released" // the model's calls were passed on after an approval
	turnNotice   = "notice"   // the gate answered in place of calls that never run
)

// States of an asked turn.
const (
	standsOpen     = "open"
	standsReleased = "released" // its calls were passed on in the next turn
	standsRefused  = "refused"  // its calls do not run
	standsMoved    = "moved"    // it was asked again in a later turn
)

// turn is the stored data of one turn that the client sees differently from the model.
// It suffices to restore the model's own turn.
type turn struct {
	key  string // name of the conversation up to and including the turn
	at   string // name of the conversation before the turn; only for questions
	open int64

	Kind     string `json:"kind"`
	State    string `json:"state,omitempty"`
	Message  string `json:"message"` // the model's message, verbatim; "" if there is none
	Calls    []held `json:"calls,omitempty"`
	Code     string `json:"code,omitempty"`
	Typed    bool   `json:"typed,omitempty"`   // a yes needs the code
	Several  bool   `json:"several,omitempty"` // another question is open at the same point
	Unseen   bool   `json:"unseen,omitempty"`
	Page     bool   `json:"page,omitempty"`  // decided only on the page
	Text     bool   `json:"text,omitempty"`  // its calls are written as text, so all of them run or none
	Round    int    `json:"round,omitempty"` // number of consecutive questions, including this one
	Reported bool   `json:"reported,omitempty"`
}

// held is one call of a turn with its proposal.
type held struct {
	ID     string `json:"id"`     // id of the call
	Record string `json:"record"` // id of the proposal
	Digest string `json:"digest"`
	Tool   string `json:"tool,omitempty"`
	Ran    string `json:"ran,omitempty"`  // the arguments that ran, if an approver changed them; of the proposal Record
	Seen   string `json:"seen,omitempty"` // the id of a run of the same call since the proposal, if the question says that it may have run
	Why    string `json:"why,omitempty"`  // the text for the model instead of a result; "" if the call ran
}

func (t *turn) recordIDs() []string {
	ids := make([]string, len(t.Calls))
	for i := range t.Calls {
		ids[i] = t.Calls[i].Record
	}
	return ids
}

// storedCalls returns the calls from the stored message. It returns an error if their
// digests show that they are not the calls that people saw.
func (t *turn) storedCalls() ([]call, error) {
	r, err := readReply(`{"choices":[{"message":` + t.Message + `}]}`)
	if err != nil {
		return nil, err
	}
	if len(r.calls) != len(t.Calls) {
		return nil, fmt.Errorf("%d calls are stored, but %d calls were shown", len(r.calls), len(t.Calls))
	}
	for i := range r.calls {
		if c := &r.calls[i]; proposal.Digest(c.Name, c.argumentsJSON()) != t.Calls[i].Digest || c.ID != t.Calls[i].ID {
			return nil, fmt.Errorf("the stored call %s differs from the one that was shown", t.Calls[i].Record)
		}
	}
	return r.calls, nil
}

// storedText returns the model's text in the stored turn.
func (t *turn) storedText() string {
	v, err := jsonval.Parse(t.Message)
	if err != nil {
		return ""
	}
	_, words := contentOf(v.Get("content"))
	return words
}

// saidAgain returns the message that the client stores after it has received the given
// calls. If the calls of the turn are written as text, this is the model's text.
func (t *turn) saidAgain(calls []call) message {
	if t.Text {
		return assistantMessage(t.storedText(), nil)
	}
	return assistantMessage("", calls)
}

// storeTurn stores a turn.
func (p *Proxy) storeTurn(ctx context.Context, who machine.Principal, t *turn) error {
	return p.Gate.Store.PutTurn(ctx, who.Tenant, who.Name, store.Turn{Key: t.key, Session: t.at, Open: t.open, Value: encodeValue(t)}, p.Gate.Now())
}

// loadTurns returns the stored turns of a conversation, by their keys.
func (p *Proxy) loadTurns(ctx context.Context, q *query) (map[string]*turn, error) {
	var keys []string
	for i := range q.messages {
		if q.messages[i].role == "assistant" {
			keys = append(keys, q.messages[i].key)
		}
	}
	all, err := p.Gate.Store.Turns(ctx, q.who.Tenant, q.who.Name, keys)
	if err != nil {
		return nil, err
	}
	out := map[string]*turn{}
	for _, row := range all {
		t := &turn{}
		if err := json.Unmarshal([]byte(row.Value), t); err != nil {
			return nil, err
		}
		t.key, t.at, t.open = row.Key, row.Session, row.Open
		out[row.Key] = t
	}
	return out, nil
}

// encodeValue encodes a value of one of the package's own types.
func encodeValue(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}
