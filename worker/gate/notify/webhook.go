package notify

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/worker/gate/origin"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// Hook is a URL that receives the events of a tenant's proposals as Standard Webhooks.
type Hook struct {
	Tenant  string
	URL     string   // https, or http on loopback; redirects are not followed
	Secrets []string // "whsec_" and base64; several during a change of secrets
}

// webhook is the receiver of a Hook.
type webhook struct {
	Hook
	transport http.RoundTripper
	link      func(id string) string
	now       func() int64
}

// NewWebhook returns the receiver of a hook. The function link returns the address of a
// proposal's page.
func NewWebhook(h Hook, transport http.RoundTripper, link func(id string) string, now func() int64) (Receiver, error) {
	u, err := origin.Parse(h.URL)
	if err != nil {
		return nil, fmt.Errorf("invalid webhook: %w", err)
	}
	if h.Tenant == "" || len(h.Secrets) == 0 {
		return nil, fmt.Errorf("invalid webhook %s: want a tenant and a secret", u.Host)
	}
	for _, s := range h.Secrets {
		if b, err := secretBytes(s); err != nil || len(b) < 24 {
			return nil, fmt.Errorf(`the secret of webhook %s must be "whsec_" and at least 24 bytes in base64`, u.Host)
		}
	}
	return &webhook{h, transport, link, now}, nil
}

func secretBytes(s string) ([]byte, error) {
	return base64.StdEncoding.DecodeString(strings.TrimPrefix(s, "whsec_"))
}

func (h *webhook) Key() string    { return machine.TextHash(h.Hook.Tenant + "\n" + h.URL) }
func (h *webhook) Tenant() string { return h.Hook.Tenant }

// signWebhook returns the value of the header webhook-signature. The value has one
// signature of id, timestamp and body for each secret. Each signature has the prefix
// "v1,".
func signWebhook(secrets []string, id string, seconds int64, body []byte) (string, error) {
	var all []string
	for _, s := range secrets {
		key, err := secretBytes(s)
		if err != nil {
			return "", err
		}
		m := hmac.New(sha256.New, key)
		fmt.Fprintf(m, "%s.%d.", id, seconds)
		m.Write(body)
		all = append(all, "v1,"+base64.StdEncoding.EncodeToString(m.Sum(nil)))
	}
	return strings.Join(all, " "), nil
}

// payload is a webhook's body.
type payload struct {
	Type      string `json:"type"` // proposal.STATE, or audit.EVENT
	Timestamp string `json:"timestamp"`
	Data      any    `json:"data"`
}

// told is the part of an audit entry that a webhook reports: no arguments, no reasons.
type told struct {
	ID     string        `json:"id,omitempty"`
	Batch  string        `json:"batch,omitempty"`
	State  machine.State `json:"state,omitempty"`
	Tool   string        `json:"tool,omitempty"`
	Digest string        `json:"digest,omitempty"`
	URL    string        `json:"url,omitempty"`
	By     string        `json:"by,omitempty"`
}

// Tell posts one event.
func (h *webhook) Tell(ctx context.Context, n store.News) error {
	e := &n.Entry
	p := payload{Type: "proposal." + string(e.To), Timestamp: store.Instant(e.At), Data: told{e.ID, e.Batch, e.To, e.Tool, e.Digest, "", e.By}}
	if e.ID == "" || e.From == e.To {
		p.Type = "audit." + e.Event
	} else {
		p.Data = told{e.ID, e.Batch, e.To, e.Tool, e.Digest, h.link(e.ID), e.By}
	}
	body := wire.Marshal(p)
	id := "msg_" + strings.TrimPrefix(machine.TextHash(h.Key()+strconv.FormatInt(n.Seq, 10)+n.Text), "sha256:")[:32]
	seconds := h.now() / 1000
	signature, err := signWebhook(h.Secrets, id, seconds, body)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, h.URL, strings.NewReader(string(body)))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("webhook-id", id)
	r.Header.Set("webhook-timestamp", strconv.FormatInt(seconds, 10))
	r.Header.Set("webhook-signature", signature)
	if _, err = sendRequest(h.transport, r); err != nil {
		return fmt.Errorf("webhook: %w", err)
	}
	return nil
}
