package gate

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/worker/gate/hub"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// view is a record in the answer to GET. The answer also has the member "arguments",
// which spliceMember adds byte for byte.
type view struct {
	ID      string        `json:"id"`
	State   machine.State `json:"state"`
	Batch   string        `json:"batch,omitempty"`
	Index   int           `json:"index"`
	Session string        `json:"session,omitempty"`
	Tool    string        `json:"tool"`
	Digest  string        `json:"digest"`
	Prompt  string        `json:"prompt"`
	Why     store.ToldWhy `json:"why"`

	Sources   []proposal.Source `json:"sources,omitempty"` // the origins of the values
	Created   string            `json:"created"`
	Expires   string            `json:"expires"`
	RunsFrom  string            `json:"runsFrom,omitempty"` // of an approved call that waits: it may be claimed from then on
	URL       string            `json:"url"`
	Needs     int               `json:"needs"`
	Votes     []store.ToldVote  `json:"votes,omitempty"`
	Reason    string            `json:"reason,omitempty"`     // of the last decision
	Answer    string            `json:"answer,omitempty"`     // of an approver, in place of yes or no
	Replaced  string            `json:"replacedBy,omitempty"` // id of the edited call in its place
	Stopped   string            `json:"stopped,omitempty"`    // why the policy stopped the last claim
	Outcome   string            `json:"outcome,omitempty"`
	OutcomeBy string            `json:"outcomeBy,omitempty"` // after this time a claim becomes ambiguous
	Preview   *previewView      `json:"preview,omitempty"`   // what was read of the present state, in the answer about one call
}

func (g *Gate) encodeView(r *machine.Record, state *previewView) []byte {
	v := view{
		ID: r.ID, State: r.State, Batch: r.Batch, Index: r.Index, Session: r.Session, Tool: r.Tool, Digest: r.Digest, Prompt: r.Prompt,
		Why: store.TellWhy(r.Why), Sources: r.Sources, Created: store.Instant(r.Created), Expires: store.Instant(r.Expires), URL: g.Link(r.ID), Needs: r.Needs, Votes: store.TellVotes(r.Votes),
		Replaced: r.Replaced, Stopped: r.Stopped.Text, Outcome: r.Outcome.Detail, OutcomeBy: store.Instant(r.Claim.Until), Preview: state,
	}
	if r.State == machine.Approved && r.Why.Wait > 0 {
		v.RunsFrom = store.Instant(r.RunsFrom())
	}
	if d, ok := r.Decided(); ok {
		if v.Reason = d.Reason; d.Answer {
			v.Answer = d.Reason
		}
	}
	return spliceMember(v, "arguments", r.Arguments)
}

// spliceMember encodes an object and adds one more member, whose value is raw JSON. It
// copies the raw value byte for byte, because the encoder would remove the spaces from
// it.
func spliceMember(v any, name, raw string) []byte {
	b := bytes.TrimSuffix(bytes.TrimSpace(wire.Marshal(v)), []byte("}"))
	return append(b, `,"`+name+`":`+raw+"}\n"...)
}

// Link returns the address of the page on which people decide a proposal or a batch.
func (g *Gate) Link(id string) string { return g.home.String() + callPath + id }

func isBatch(id string) bool { return strings.HasPrefix(id, "b_") }

// longest is the longest time that GET may wait, in seconds: clients and proxies give
// up after a minute without headers.
const longest = 50

func (g *Gate) handleLookup(w http.ResponseWriter, q *request) reply {
	seconds := 0
	if s := q.URL.Query().Get("wait"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil || n < 0 || n > longest {
			return errorReply(400, wire.CodeInput, fmt.Sprintf("invalid wait: want 0 to %d seconds, saw %q", longest, s))
		}
		seconds = n
	}
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(time.Duration(seconds)*time.Second + patience))
	ctx, cancel := context.WithTimeout(q.Context(), time.Duration(seconds)*time.Second+patience)
	defer cancel()
	if seconds > 0 {
		return g.lookLong(ctx, q, time.Duration(seconds)*time.Second)
	}
	seen, err := g.loadSight(ctx, q.who, q.id)
	if err != nil {
		return storeErrorReply(err)
	}
	return g.showSight(ctx, q, seen)
}

// showSight answers with what was read. An agent that reads an answer to its call has been told it.
func (g *Gate) showSight(ctx context.Context, q *request, seen sight) reply {
	for i := range seen.calls {
		if q.who.Role == machine.Agent {
			g.Told(context.WithoutCancel(ctx), &seen.calls[i])
		}
	}
	return reply{status: 200, body: seen.body}
}

// sight is the state in which a proposal or a batch was read from the store.
type sight struct {
	body  []byte
	waits bool   // it waits for a person
	due   int64  // when it changes by time alone; 0 for never
	mark  string // the value of Store.Revisions

	calls []machine.Record
}

// lookLong answers with a proposal or a batch. If it is not decided yet, lookLong waits
// for the decision for at most the time d. The status is 429 if too many requests of the
// key are already waiting.
func (g *Gate) lookLong(ctx context.Context, q *request, d time.Duration) reply {
	key := hub.Topic(q.who.Tenant, q.id)
	w := g.hub.Watch(key)
	defer g.hub.Leave(w)
	end, version := time.Now().Add(d), uint64(0)
	seen, err := g.loadSight(ctx, q.who, q.id) // not shared, because it checks whether the key may see it
	if err == nil && seen.waits {
		name := q.who.Tenant + " " + string(q.who.Role) + " " + q.who.Name
		if !g.hub.Enter(name, g.Waits) {
			return reply{status: 429, body: wire.Fail(CodeRate, fmt.Sprintf(`%d requests of this key are already waiting. Send the request without "wait", or let some waiting requests end`, g.Waits)), retry: 1}
		}
		defer g.hub.Exit(name)
		g.hub.Mark(key, seen.mark)
	}
	for err == nil {
		left := time.Until(end)
		if removed := KeyRemoved(ctx); removed != nil {
			return errorReply(removed.Status, removed.Code, removed.Message)
		}
		if !seen.waits || left <= 0 || ctx.Err() != nil || g.isDrained() {
			return g.showSight(ctx, q, seen)
		}
		if !g.awaitSignal(ctx, w, min(left, g.untilDue(seen.due))) {
			g.hub.Renew(key, version)
		}
		var value any
		value, version, err = g.hub.Load(key, g.Sleep == nil, func() (any, error) {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
			defer cancel()
			return g.loadSight(ctx, q.who, q.id)
		})
		if err == nil {
			seen = value.(sight)
		}
	}
	store.Blame(ctx, err)
	return storeErrorReply(err)
}

// loadSight returns the current state of a proposal or a batch. An agent gets the error
// ErrNone for a proposal that it has not made.
func (g *Gate) loadSight(ctx context.Context, who machine.Principal, id string) (seen sight, err error) {
	if !isBatch(id) {
		r, err := g.loadCurrent(ctx, who.Tenant, id)
		if err == nil && !mayRead(who, &r) {
			err = store.ErrNone
		}
		if err != nil {
			return seen, err
		}
		shown := []machine.Record{r}
		if err := g.ShowNow(ctx, shown); err != nil {
			return seen, err
		}
		return sight{body: g.withPreview(ctx, who, &shown[0]), waits: r.State.Undecided(), due: r.Due(), mark: strconv.FormatInt(r.Rev, 10), calls: shown}, nil
	}
	batch, err := g.currentBatch(ctx, who.Tenant, id)
	if err == nil && !mayRead(who, &batch[0]) {
		err = store.ErrNone
	}
	if err = cmp.Or(err, g.ShowNow(ctx, batch)); err != nil {
		return seen, err
	}
	var calls []string
	seen.calls = batch
	sum := int64(0)
	for i := range batch {
		sum += batch[i].Rev
		seen.waits = seen.waits || batch[i].State.Undecided()
		if due := batch[i].Due(); due != 0 && (seen.due == 0 || due < seen.due) {
			seen.due = due
		}
		calls = append(calls, strings.TrimSpace(string(g.encodeView(&batch[i], nil))))
	}
	seen.mark = strconv.FormatInt(sum, 10)
	state := "decided"
	if seen.waits {
		state = "pending"
	}
	seen.body = []byte(fmt.Sprintf(`{"id":%q,"state":%q,"url":%q,"calls":[%s]}`+"\n", id, state, g.Link(id), strings.Join(calls, ",")))
	return seen, nil
}

// mayRead reports whether a principal may read a record. Approvers may read all records
// of their tenant. Agents may read the records that they proposed.
func mayRead(who machine.Principal, r *machine.Record) bool {
	return who.Tenant == r.Tenant && (who.Role != machine.Agent || who.Name == r.Principal)
}

// readMembers returns the members of the body, which must be one JSON object. An empty
// body counts as an empty object.
func (q *request) readMembers() (map[string]jsonval.Value, error) {
	out := map[string]jsonval.Value{}
	if q.json.Exists() && q.json.Kind() != jsonval.Object {
		return nil, fmt.Errorf("invalid body: want an object, saw %s", q.json.Kind())
	}
	q.json.Each(func(key string, m jsonval.Value) bool { out[key] = m; return true })
	return out, nil
}

// maxText is the largest size of a reason or a detail in bytes.
const maxText = 4000

// textMember reads an optional string member.
func textMember(f map[string]jsonval.Value, name string) (string, error) {
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
