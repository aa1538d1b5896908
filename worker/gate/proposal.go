package gate

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	machine "github.com/boundcheck/boundcheck/core/gate"
	"github.com/boundcheck/boundcheck/core/jsonval"
	"github.com/boundcheck/boundcheck/core/wire"
)

// view is a record as GET shows it. Arguments are spliced in behind it, byte
// for byte (see spliced).
type view struct {
	ID        string         `json:"id"`
	State     machine.State  `json:"state"`
	Batch     string         `json:"batch,omitempty"`
	Index     int            `json:"index"`
	Session   string         `json:"session,omitempty"`
	Tool      string         `json:"tool"`
	Digest    string         `json:"digest"`
	Prompt    string         `json:"prompt"`
	Why       machine.Why    `json:"why"`
	Created   string         `json:"created"`
	Expires   string         `json:"expires"`
	URL       string         `json:"url"`
	Needs     int            `json:"needs"`
	Votes     []machine.Vote `json:"votes,omitempty"`
	Reason    string         `json:"reason,omitempty"` // of the last decision
	Outcome   string         `json:"outcome,omitempty"`
	OutcomeBy string         `json:"outcomeBy,omitempty"` // then a claim becomes ambiguous
}

func (g *Gate) view(r *machine.Record) []byte {
	v := view{
		ID: r.ID, State: r.State, Batch: r.Batch, Index: r.Index, Session: r.Session, Tool: r.Tool, Digest: r.Digest, Prompt: r.Prompt,
		Why: r.Why, Created: instant(r.Created), Expires: instant(r.Expires), URL: g.link(r.ID), Needs: r.Needs, Votes: r.Votes,
		Outcome: r.Outcome.Detail, OutcomeBy: instant(r.Claim.Until),
	}
	if d, ok := r.Decided(); ok {
		v.Reason = d.Reason
	}
	return spliced(v, "arguments", r.Arguments)
}

// spliced writes an object with one more member whose value is raw JSON, which
// the encoder would take the spaces out of.
func spliced(v any, name, raw string) []byte {
	b := bytes.TrimSuffix(bytes.TrimSpace(wire.Marshal(v)), []byte("}"))
	return append(b, `,"`+name+`":`+raw+"}\n"...)
}

// instant writes a time for people and programs; "" for none.
func instant(ms int64) string {
	if ms == 0 {
		return ""
	}
	return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z")
}

// link is the page of a proposal or a batch.
func (g *Gate) link(id string) string { return g.origin.String() + "/p/" + id }

func isBatch(id string) bool { return strings.HasPrefix(id, "b_") }

// list gives what waits; with ?digest= and ?session=, the sender's own proposals
// of exactly that call which are still open, so that a call that was made again
// finds the question that was asked already.
func (g *Gate) list(_ http.ResponseWriter, q *request) reply {
	ctx, cancel := context.WithTimeout(q.Context(), patience)
	defer cancel()
	var all []machine.Record
	var err error
	if digest := q.URL.Query().Get("digest"); digest != "" {
		all, err = g.Store.Open(ctx, q.who.Tenant, q.who.Name, q.URL.Query().Get("session"), digest)
	} else {
		all, err = g.Store.Pending(ctx, q.who.Tenant, 200)
	}
	if err != nil {
		return failed(err)
	}
	items := make([]string, 0, len(all))
	for i := range all {
		if all[i].Due() > g.Now() {
			items = append(items, strings.TrimSpace(string(g.view(&all[i]))))
		}
	}
	return reply{status: 200, body: []byte(`{"pending":[` + strings.Join(items, ",") + "]}\n")}
}

// longest is how long GET may wait, in seconds: clients and proxies give up
// after a minute without headers.
const longest = 50

func (g *Gate) look(w http.ResponseWriter, q *request) reply {
	seconds := 0
	if s := q.URL.Query().Get("wait"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil || n < 0 || n > longest {
			return refuse(400, wire.CodeInput, fmt.Sprintf("invalid wait: want 0 to %d seconds, saw %q", longest, s))
		}
		seconds = n
	}
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(time.Duration(seconds)*time.Second + patience))
	ctx, cancel := context.WithTimeout(q.Context(), time.Duration(seconds)*time.Second+patience)
	defer cancel()
	end := time.Now().Add(time.Duration(seconds) * time.Second)
	for {
		changed := g.hub.next()
		body, waits, err := g.standing(ctx, q.who.Tenant, q.id)
		left := time.Until(end)
		if err != nil {
			return failed(err)
		}
		if !waits || left <= 0 || ctx.Err() != nil {
			return reply{status: 200, body: body}
		}
		g.rest(ctx, changed, min(left, g.Poll)) // another process may decide too
	}
}

// standing shows a proposal or batch, and tells whether it waits for a person.
func (g *Gate) standing(ctx context.Context, tenant, id string) (body []byte, waits bool, err error) {
	if !isBatch(id) {
		r, err := g.current(ctx, tenant, id)
		if err != nil {
			return nil, false, err
		}
		return g.view(&r), r.State.Undecided(), nil
	}
	batch, err := g.currentBatch(ctx, tenant, id)
	if err != nil {
		return nil, false, err
	}
	var calls []string
	for i := range batch {
		waits = waits || batch[i].State.Undecided()
		calls = append(calls, strings.TrimSpace(string(g.view(&batch[i]))))
	}
	state := "decided"
	if waits {
		state = "pending"
	}
	return []byte(fmt.Sprintf(`{"id":%q,"state":%q,"url":%q,"calls":[%s]}`+"\n", id, state, g.link(id), strings.Join(calls, ","))), waits, nil
}

// fields reads a body that is one flat object; nothing at all is an empty one.
// A member that stands twice is refused.
func fields(body []byte) (map[string]jsonval.Value, error) {
	out := map[string]jsonval.Value{}
	if len(bytes.TrimSpace(body)) == 0 {
		return out, nil
	}
	v, err := jsonval.Parse(string(body))
	if err != nil {
		return nil, err
	}
	if v.Kind() != jsonval.Object {
		return nil, fmt.Errorf("invalid body: want an object, saw %s", v.Kind())
	}
	v.Each(func(key string, m jsonval.Value) bool {
		if _, twice := out[key]; twice {
			err = fmt.Errorf("invalid body: the member %q stands twice", key)
		}
		out[key] = m
		return err == nil
	})
	return out, err
}

// maxText bounds reasons and details.
const maxText = 4000

// text reads an optional string member.
func text(f map[string]jsonval.Value, name string) (string, error) {
	m := f[name]
	if !m.Exists() || m.Kind() == jsonval.Null {
		return "", nil
	}
	s, ok := m.Str()
	if !ok || len(s) > maxText {
		return "", fmt.Errorf("invalid %s: want a string of at most %d bytes, saw %s", name, maxText, m.Kind())
	}
	return strings.ToValidUTF8(s, "\uFFFD"), nil
}
