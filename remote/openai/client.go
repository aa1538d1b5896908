// Package openai is a small client for servers with an HTTP API like OpenAI's: Ollama,
// text-embeddings-inference, vLLM, OpenAI and many more. It posts one JSON value and
// reads one back.
//
// The client guarantees that nothing hangs (every attempt has a time-out), that nothing
// grows without limit (an answer has a largest size), that only temporary failures are
// tried again, and that no error contains the key. It does not follow redirects, because
// a trace is sent only to the server that the user named.
package openai

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
	"unicode"
)

// Defaults of Options.
const (
	DefaultTimeout  = 120 * time.Second
	DefaultRetries  = 3
	DefaultBackoff  = 500 * time.Millisecond
	DefaultMaxBytes = 32 << 20
)

// MaxPause is the longest pause between attempts. If a server requests a longer pause,
// the client gives up.
const MaxPause = time.Minute

// Options select the server and the time-outs. Only BaseURL is required.
type Options struct {
	BaseURL  string          // http(s)://host[:port], which means /v1 on that host, or with the path of the API's root
	KeyEnv   string          // environment variable that holds the key; "" to send none
	Timeout  time.Duration   // for one attempt, including the body of the answer
	Retries  int             // attempts after the first; negative for none
	Backoff  time.Duration   // before the second attempt, doubled before each further one
	MaxBytes int64           // size of one answer after decompression
	Context  context.Context // ends all requests when done; a field because the core's interfaces pass no context
}

// Client posts to one server. It is safe for concurrent use.
type Client struct {
	base     *url.URL
	key      string
	keyEnv   string
	timeout  time.Duration
	retries  int
	backoff  time.Duration
	maxBytes int64
	ctx      context.Context
	http     *http.Client
}

// New checks the options, reads the key and returns a client. It sends nothing.
func New(o Options) (*Client, error) {
	base, err := parseBase(o.BaseURL)
	if err != nil {
		return nil, err
	}
	key, err := readKey(o.KeyEnv)
	if err != nil {
		return nil, err
	}
	c := &Client{base: base, key: key, keyEnv: o.KeyEnv, timeout: o.Timeout, retries: o.Retries, backoff: o.Backoff,
		maxBytes: o.MaxBytes, ctx: o.Context}
	c.setDefaults()
	c.http = &http.Client{
		Transport:     newTransport(),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c, nil
}

func (c *Client) setDefaults() {
	if c.timeout <= 0 {
		c.timeout = DefaultTimeout
	}
	if c.retries == 0 {
		c.retries = DefaultRetries
	}
	if c.backoff <= 0 {
		c.backoff = DefaultBackoff
	}
	if c.maxBytes <= 0 {
		c.maxBytes = DefaultMaxBytes
	}
	if c.ctx == nil {
		c.ctx = context.Background()
	}
}

func newTransport() http.RoundTripper {
	t, ok := http.DefaultTransport.(*http.Transport)
	if !ok { // a transport that the program has replaced is used as it is
		return http.DefaultTransport
	}
	t = t.Clone()
	t.MaxResponseHeaderBytes = 1 << 20
	return t
}

// parseBase parses the server's address. An address with a user name or a password is an
// error, because the address may be shown.
func parseBase(s string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(s))
	switch {
	case err != nil:
		return nil, errors.New("invalid server address: not a URL") // url's own error would repeat the text, which may contain a key
	case u.User != nil:
		return nil, errors.New("invalid server address: a key belongs in an environment variable, not in the URL")
	case u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return nil, errors.New("invalid server address: want http://host or https://host, perhaps with a port and a path")
	}
	u.Path = strings.TrimRight(u.Path, "/")
	if u.Path == "" {
		u.Path = "/v1"
	}
	u.RawPath, u.Fragment, u.RawFragment = "", "", ""
	return u, nil
}

func readKey(env string) (string, error) {
	if env == "" {
		return "", nil
	}
	key := strings.TrimSpace(os.Getenv(env))
	if key == "" {
		return "", fmt.Errorf("missing key: the environment variable %s is not set", env)
	}
	if strings.ContainsFunc(key, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsPrint(r) }) {
		return "", fmt.Errorf("invalid key: the environment variable %s contains characters that are not printable ASCII", env)
	}
	return key, nil
}

// Endpoint returns the address of a path below the API's root. If the base already ends
// in the path, the path is not added again. The result has no query and may be shown.
func (c *Client) Endpoint(path string) string {
	u := c.endpointURL(path)
	u.RawQuery = ""
	return u.String()
}

func (c *Client) endpointURL(path string) url.URL {
	u := *c.base
	if !strings.HasSuffix(u.Path, "/"+path) {
		u.Path += "/" + path
	}
	return u
}
