package notify

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/worker/gate/origin"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// This file holds one law: a trace of a call says only what the audit says, at the audit's
// times, and each settled call has one, however often it is told.

// traces is a Receiver that exports each settled call of a tenant as a trace of
// OpenTelemetry, over OTLP/HTTP in JSON. It has no arguments, prompts and reasons.
type traces struct {
	tenant, url string
	header      http.Header
	transport   http.RoundTripper
	store       *store.Store
}

// Traces says where the traces of a tenant go.
type Traces struct {
	Tenant string
	URL    string // of the collector; "/v1/traces" is added if it has no path
	Header http.Header
}

// ReadTraces reads settings of the form TENANT=URL. The text of the headers has the form
// name=value,name=value.
func ReadTraces(list []string, headers string) (out []Traces, err error) {
	for _, text := range list {
		t, err := readTraces(text, headers)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

func readTraces(text, headers string) (t Traces, err error) {
	t.Tenant, t.URL, _ = strings.Cut(text, "=")
	u, err := origin.Parse(t.URL)
	if err != nil || t.Tenant == "" {
		return t, errors.Join(fmt.Errorf("invalid traces %.100q: want TENANT=URL of a collector for OTLP/HTTP", text), err)
	}
	if strings.Trim(u.Path, "/") == "" {
		u.Path = "/v1/traces"
		t.URL = u.String()
	}
	t.Header = http.Header{}
	for _, h := range strings.Split(headers, ",") {
		name, value, ok := strings.Cut(h, "=")
		if h = strings.TrimSpace(h); h != "" && (!ok || strings.TrimSpace(name) == "") {
			return t, errors.New("invalid headers of traces: want name=value,name=value")
		} else if h != "" {
			t.Header.Set(strings.TrimSpace(name), strings.TrimSpace(value))
		}
	}
	return t, nil
}

// NewTraces returns the receiver that exports traces.
func NewTraces(t Traces, s *store.Store, transport http.RoundTripper) Receiver {
	return &traces{t.Tenant, t.URL, t.Header, transport, s}
}

func (t *traces) Key() string    { return machine.TextHash("traces\n" + t.tenant + "\n" + t.url) }
func (t *traces) Tenant() string { return t.tenant }

// Tell exports the trace of a call that was settled.
func (t *traces) Tell(ctx context.Context, n store.News) error {
	e := &n.Entry
	if e.From == e.To || !e.To.Terminal() {
		return nil
	}
	var spans []span
	if e.ID == "" { // the policy denied it, so there is no record
		spans = denialSpans(&n)
	} else {
		r, err := t.store.Load(ctx, t.tenant, e.ID)
		if errors.Is(err, store.ErrNone) {
			return nil
		}
		if err != nil {
			return err
		}
		spans = spansOf(&r)
	}
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, t.url, strings.NewReader(string(wire.Marshal(exportOf(spans)))))
	if err != nil {
		return err
	}
	q.Header = t.header.Clone()
	q.Header.Set("Content-Type", "application/json")
	if _, err := sendRequest(t.transport, q); err != nil {
		return fmt.Errorf("traces: %w", err)
	}
	return nil
}

// span is a span in the JSON of OTLP.
type span struct {
	Trace      string      `json:"traceId"`
	ID         string      `json:"spanId"`
	Parent     string      `json:"parentSpanId,omitempty"`
	Name       string      `json:"name"`
	Kind       int         `json:"kind"`
	Start      string      `json:"startTimeUnixNano"`
	End        string      `json:"endTimeUnixNano"`
	Attributes []attribute `json:"attributes,omitempty"`
	Events     []spanEvent `json:"events,omitempty"`
	Status     *spanStatus `json:"status,omitempty"`
}

type spanEvent struct {
	Time       string      `json:"timeUnixNano"`
	Name       string      `json:"name"`
	Attributes []attribute `json:"attributes,omitempty"`
}

type spanStatus struct {
	Code int `json:"code"`
}

type attribute struct {
	Key   string `json:"key"`
	Value struct {
		Text string `json:"stringValue"`
	} `json:"value"`
}

const (
	kindInternal = 1
	statusError  = 2
)

// attributesOf returns pairs of names and values as attributes, without empty values.
func attributesOf(pairs ...string) (out []attribute) {
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			a := attribute{Key: pairs[i]}
			a.Value.Text = pairs[i+1]
			out = append(out, a)
		}
	}
	return out
}

// inNanos writes a time in milliseconds as OTLP has it.
func inNanos(ms int64) string { return strconv.FormatInt(ms*1_000_000, 10) }

// idOf returns an id of n bytes that depends on the parts alone, so that a call that is told
// twice has one trace.
func idOf(n int, parts ...string) string {
	h := sha256.Sum256([]byte("boundcheck.trace/1\n" + strings.Join(parts, "\n")))
	return hex.EncodeToString(h[:n])
}

// spansOf returns the trace of a settled record: a span from the proposal to its end, and
// below it those of the question, the wait, and the run.
func spansOf(r *machine.Record) []span {
	trace, parent, _ := strings.Cut(r.Why.Trace, "-")
	if trace == "" {
		trace = idOf(16, r.Tenant, r.ID)
	}
	part := func(name string, from, to int64, pairs ...string) span {
		return span{Trace: trace, ID: idOf(8, r.ID, name), Parent: idOf(8, r.ID), Name: name, Kind: kindInternal,
			Start: inNanos(from), End: inNanos(max(from, to)), Attributes: attributesOf(pairs...)}
	}
	root := part("gate "+r.Tool, r.Created, r.At, "gen_ai.tool.name", r.Tool, "boundcheck.tenant", r.Tenant, "boundcheck.agent", r.Principal, "boundcheck.session", r.Session,
		"boundcheck.proposal", r.ID, "boundcheck.batch", r.Batch, "boundcheck.digest", r.Digest, "boundcheck.state", string(r.State),
		"boundcheck.mutating", r.Why.Verdict, "boundcheck.rule", r.Why.Rule, "boundcheck.policy", r.Why.Policy, "boundcheck.replaced_by", r.Replaced)
	root.ID, root.Parent = root.Parent, parent
	if r.State == machine.Failed || r.State == machine.Ambiguous {
		root.Status = &spanStatus{statusError}
	}
	all := []span{root}
	for _, v := range r.Votes {
		name := "deny"
		switch {
		case v.Answer:
			name = "answer"
		case v.Bypass:
			name = machine.Bypass
		case v.Approve:
			name = "approve"
		case v.Revoke:
			name = "revoke"
		}
		all[0].Events = append(all[0].Events, spanEvent{inNanos(v.At), name, attributesOf("boundcheck.by", v.By, "boundcheck.for", v.Giver, "boundcheck.channel", v.Channel)})
	}
	if r.Escalated != 0 {
		all[0].Events = append(all[0].Events, spanEvent{inNanos(r.Escalated), machine.Escalate, nil})
	}
	decided, approved := decisionOf(r)
	if r.Needs > 0 && r.Why.Recalled == nil {
		all = append(all, part("question", r.Created, decided))
	}
	if approved && r.Why.Wait > 0 {
		all = append(all, part("wait", decided, min(decided+r.Why.Wait, r.At)))
	}
	if r.Claim.At != 0 {
		all = append(all, part("run", r.Claim.At, r.At, "boundcheck.outcome", string(r.Outcome.Status)))
	}
	return all
}

// decisionOf returns the time at which the question about a settled record ended, and whether
// the record was approved then. Nobody is asked about some calls, which are approved at once.
func decisionOf(r *machine.Record) (at int64, approved bool) {
	if r.Needs == 0 || r.Why.Recalled != nil {
		return r.Created, true
	}
	at = r.At
	for _, v := range r.Votes {
		switch {
		case v.Revoke:
		case !v.Approve:
			return v.At, false
		case v.Bypass || len(r.Approvals()) >= r.Needs:
			at, approved = v.At, true
		}
	}
	return at, approved
}

// denialSpans returns the trace of a call that the policy denied at once.
func denialSpans(n *store.News) []span {
	e := &n.Entry
	id := strconv.FormatInt(n.Seq, 10)
	return []span{{Trace: idOf(16, e.Tenant, "denied", id), ID: idOf(8, e.Tenant, "denied", id), Name: "gate " + e.Tool, Kind: kindInternal, Start: inNanos(e.At), End: inNanos(e.At),
		Attributes: attributesOf("gen_ai.tool.name", e.Tool, "boundcheck.tenant", e.Tenant, "boundcheck.agent", e.By, "boundcheck.session", e.Session, "boundcheck.batch", e.Batch,
			"boundcheck.digest", e.Digest, "boundcheck.state", string(e.To), "boundcheck.mutating", e.Verdict, "boundcheck.rule", e.Rule, "boundcheck.policy", e.Policy)}}
}

// exportOf returns the body of a request with spans.
func exportOf(spans []span) any {
	type scoped struct {
		Scope struct {
			Name string `json:"name"`
		} `json:"scope"`
		Spans []span `json:"spans"`
	}
	type resourced struct {
		Resource struct {
			Attributes []attribute `json:"attributes"`
		} `json:"resource"`
		Scopes []scoped `json:"scopeSpans"`
	}
	out := resourced{Scopes: []scoped{{Spans: spans}}}
	out.Resource.Attributes = attributesOf("service.name", "boundcheck-gate")
	out.Scopes[0].Scope.Name = "boundcheck"
	return map[string]any{"resourceSpans": []resourced{out}}
}
