//go:build !js

// Package push sends messages to browsers by Web Push (RFC 8030, 8291 and 8292). It is a
// gate.Pushes.
//
// A message says that a call waits, and its click opens the page of the call. It decides
// nothing. The push service of the browser's vendor carries it, and cannot read it.
package push

import (
	"bytes"
	"cmp"
	"context"
	"crypto/ecdh"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/worker/gate/notify"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// Sender sends the messages of one gate.
type Sender struct {
	contact   string // the gate's address, for the operators of push services
	transport http.RoundTripper
}

// New returns a sender for the gate at this address. Browsers take messages only of an
// address with https, or of localhost.
func New(address string) (*Sender, error) {
	u, err := url.Parse(strings.TrimSuffix(address, "/"))
	if err != nil || u.Hostname() == "" || u.Scheme != "https" && u.Hostname() != "localhost" {
		return nil, fmt.Errorf("messages to browsers need https, or http://localhost, and this gate is at %s", address)
	}
	return &Sender{"https://" + u.Host, newTransport()}, nil
}

// newTransport returns a transport that reaches only public addresses, whatever a name
// resolves to, and follows no proxy. Its answers are small and prompt.
func newTransport() *http.Transport {
	dialer := &net.Dialer{Timeout: 5 * time.Second, Control: func(_, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err == nil && !isPublic(at.Addr()) {
			err = fmt.Errorf("%s is not a public address", at.Addr())
		}
		return err
	}}
	return &http.Transport{DialContext: dialer.DialContext, TLSHandshakeTimeout: 5 * time.Second, ResponseHeaderTimeout: 8 * time.Second,
		MaxResponseHeaderBytes: 16 << 10, MaxConnsPerHost: 16, IdleConnTimeout: time.Minute, DisableCompression: true, ForceAttemptHTTP2: true}
}

// reserved are networks that belong to nobody on the Internet, beside those that package
// netip knows: shared, documentation, benchmarks, later use, and ways to write IPv4 in IPv6.
var reserved = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"), netip.MustParsePrefix("192.0.2.0/24"),
	netip.MustParsePrefix("192.88.99.0/24"), netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"),
	netip.MustParsePrefix("240.0.0.0/4"), netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48"), netip.MustParsePrefix("100::/64"),
	netip.MustParsePrefix("2001::/23"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"), netip.MustParsePrefix("::/96"),
}

func isPublic(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	for _, p := range reserved {
		if p.Contains(a) {
			return false
		}
	}
	return a.IsGlobalUnicast() && !a.IsPrivate()
}

// The keys of a subscription, as the browser gives them.
type keys struct {
	P256DH string `json:"p256dh"`
	Auth   string `json:"auth"`
}

// readKeys returns the browser's public key and its secret.
func (k keys) readKeys() (public, auth []byte, err error) {
	if public, err = base64.RawURLEncoding.DecodeString(strings.TrimRight(k.P256DH, "=")); err == nil {
		_, err = ecdh.P256().NewPublicKey(public)
	}
	if err == nil {
		auth, err = base64.RawURLEncoding.DecodeString(strings.TrimRight(k.Auth, "="))
	}
	if err == nil && len(auth) != 16 {
		err = errors.New("its secret must have 16 bytes")
	}
	return public, auth, err
}

// longestEndpoint is the longest address of a subscription, in bytes.
const longestEndpoint = 1000

// checkEndpoint returns an error if a message must not be sent to an address: it must be
// https, at a name or a public address.
func checkEndpoint(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || len(text) > longestEndpoint || u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.Fragment != "" {
		return nil, errors.New("the address of a push service must be https")
	}
	host := strings.TrimSuffix(u.Hostname(), ".")
	if at, err := netip.ParseAddr(host); err == nil && !isPublic(at) || !strings.Contains(host, ".") && err != nil || strings.EqualFold(host, "localhost") {
		return nil, fmt.Errorf("%.100q is not a public address", host)
	}
	return u, nil
}

// Read returns the subscription that a browser gave, as its JSON.
func (s *Sender) Read(text string) (endpoint, kept string, err error) {
	var p struct {
		Endpoint string `json:"endpoint"`
		Keys     keys   `json:"keys"`
	}
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		return "", "", errors.New("the browser gave no subscription")
	}
	if _, err := checkEndpoint(p.Endpoint); err != nil {
		return "", "", err
	}
	if _, _, err := p.Keys.readKeys(); err != nil {
		return "", "", fmt.Errorf("the keys of the subscription cannot be used: %w", err)
	}
	b, err := json.Marshal(p.Keys)
	return p.Endpoint, string(b), err
}

// Public returns the key by which browsers and push services know the gate with a secret.
func (s *Sender) Public(secret []byte) (string, error) {
	key, err := signingKey(secret)
	if err != nil {
		return "", err
	}
	b, err := key.PublicKey.Bytes()
	return encodeBytes(b), err
}

// Messenger returns the messenger of one subscription. It calls ended if the push service
// says that there is none any more.
func (s *Sender) Messenger(secret []byte, p store.Push, ended func(ctx context.Context, why string) error) notify.Messenger {
	return &browser{s, secret, p, ended}
}

type browser struct {
	*Sender
	secret []byte
	store.Push
	ended func(ctx context.Context, why string) error
}

func (b *browser) Key() string    { return b.Push.Cursor() }
func (b *browser) Tenant() string { return b.Push.Tenant }

// message is what the service worker of the page reads.
type message struct {
	Title string `json:"title"`
	Body  string `json:"body"`
	Path  string `json:"path"` // of the call's page
}

// Post sends a message about a call, if the approver may decide it.
func (b *browser) Post(ctx context.Context, q notify.Question) error {
	if !q.Call.MayDecide(b.Push.Name, q.Now) {
		return nil
	}
	link, err := url.Parse(q.Link)
	if err != nil {
		return err
	}
	m := message{Title: notify.Title(&q.Call, proposal.Escape(q.Call.Tool)), Path: link.Path}
	if m.Body = notify.PageOnly(&q.Call); m.Body == "" {
		m.Body = q.Call.Prompt
	}
	text := m.encodeJSON()
	if len(text) > mostText {
		m.Body = "It is too long for a message."
		text = m.encodeJSON()
	}
	if len(text) > mostText { // the name of the tool is
		m.Title = "A call waits for a decision"
		text = m.encodeJSON()
	}
	return b.sendText(ctx, text, q.Call.ID, max(0, (q.Call.Expires-q.Now)/1000), q.Now)
}

func (m message) encodeJSON() []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.Encode(m)
	return bytes.TrimSpace(out.Bytes())
}

// sendText sends a text. The push service keeps it for ttl seconds, and another one about the same
// topic replaces it.
func (b *browser) sendText(ctx context.Context, text []byte, topic string, ttl, now int64) error {
	u, err := checkEndpoint(b.Endpoint)
	if err != nil {
		return fmt.Errorf("push: %w", err)
	}
	var k keys
	json.Unmarshal([]byte(b.Keys), &k)
	public, auth, err := k.readKeys()
	if err != nil {
		return fmt.Errorf("push: %w", err)
	}
	body, err := sealText(text, public, auth)
	if err != nil {
		return fmt.Errorf("push: %w", err)
	}
	key, err := signingKey(b.secret)
	if err != nil {
		return fmt.Errorf("push: %w", err)
	}
	who, err := signVoucher(key, u.Scheme+"://"+u.Host, b.contact, now/1000+12*60*60)
	if err != nil {
		return fmt.Errorf("push: %w", err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, b.Endpoint, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("push: %w", err)
	}
	sum := sha256.Sum256([]byte(topic))
	for name, value := range map[string]string{"Authorization": who, "Content-Encoding": "aes128gcm", "Content-Type": "application/octet-stream",
		"TTL": strconv.FormatInt(ttl, 10), "Urgency": "high", "Topic": encodeBytes(sum[:24])} {
		r.Header.Set(name, value)
	}
	return b.sendRequest(ctx, u.Host, r)
}

// sendRequest sends a request once and reads what the push service answers. It follows no
// redirect.
func (b *browser) sendRequest(ctx context.Context, host string, r *http.Request) error {
	a, err := b.transport.RoundTrip(r)
	if err != nil {
		return fmt.Errorf("push: %w", err)
	}
	defer a.Body.Close()
	io.Copy(io.Discard, io.LimitReader(a.Body, 16<<10))
	switch {
	case a.StatusCode == 404 || a.StatusCode == 410:
		return b.ended(ctx, fmt.Sprintf("%s answered %d", host, a.StatusCode))
	case a.StatusCode >= 200 && a.StatusCode <= 299:
		return nil
	}
	err = fmt.Errorf("push: %s answered %d", host, a.StatusCode)
	if after := cmp.Or(a.Header.Get("Retry-After"), "0"); a.StatusCode == 429 || a.StatusCode == 503 {
		return &notify.Later{Err: err, After: readAfter(after, time.Now())}
	}
	return err
}

// readAfter reads the header Retry-After: a number of seconds, or a date.
func readAfter(text string, now time.Time) time.Duration {
	if n, err := strconv.Atoi(text); err == nil {
		return time.Duration(min(max(0, n), 24*60*60)) * time.Second
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	return max(0, at.Sub(now))
}
