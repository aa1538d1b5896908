package openai

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Post sends a request as JSON to a path below the API's root, such as "embeddings", and
// decodes the answer into response. After a temporary failure, such as a broken
// connection or status 429, it tries again. The pause doubles with each attempt, and is
// longer if the server requests it. The error is an *Error, or an error of encoding the
// request as JSON.
func (c *Client) Post(path string, request, response any) error {
	body, err := json.Marshal(request)
	if err != nil {
		return err
	}
	pause := c.backoff
	for attempt := 1; ; attempt++ {
		e := c.sendOnce(path, body, response)
		if e == nil {
			return nil
		}
		e.Attempts = attempt
		wait := max(pause, e.after)
		if !e.isTemporary() || attempt > c.retries || wait > MaxPause {
			return e
		}
		if err := sleepContext(c.ctx, wait); err != nil {
			return &Error{Kind: Canceled, URL: e.URL, Msg: err.Error(), Attempts: attempt, cause: err}
		}
		pause = min(2*pause, MaxPause)
	}
}

func sleepContext(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// sendOnce sends the request once.
func (c *Client) sendOnce(path string, body []byte, response any) *Error {
	ctx, cancel := context.WithTimeout(c.ctx, c.timeout)
	defer cancel()
	u := c.endpointURL(path)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), bytes.NewReader(body))
	if err != nil {
		return c.networkError(path, err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "boundcheck")
	if c.key != "" {
		r.Header.Set("Authorization", "Bearer "+c.key)
	}
	answer, err := c.http.Do(r)
	if err != nil {
		return c.networkError(path, err)
	}
	defer answer.Body.Close()
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		return c.refusalError(path, answer)
	}
	return c.readAnswer(path, answer, response)
}

func (c *Client) readAnswer(path string, answer *http.Response, response any) *Error {
	data, err := io.ReadAll(io.LimitReader(answer.Body, c.maxBytes+1))
	if err != nil {
		return c.networkError(path, err)
	}
	e := &Error{URL: c.Endpoint(path), Status: answer.StatusCode}
	switch {
	case int64(len(data)) > c.maxBytes:
		e.Kind, e.Msg = TooLarge, "more than "+strconv.FormatInt(c.maxBytes, 10)+" bytes"
	case len(bytes.TrimSpace(data)) == 0:
		e.Kind, e.Msg = Garbled, "the body is empty"
	default:
		if err := json.Unmarshal(data, response); err == nil {
			return nil
		} else {
			e.Kind, e.Msg = Garbled, c.cleanText(strings.TrimPrefix(err.Error(), "json: "))
		}
	}
	return e
}

// networkError converts an error of net/http to an *Error with the right kind.
func (c *Client) networkError(path string, err error) *Error {
	e := &Error{Kind: Broken, URL: c.Endpoint(path), cause: err}
	var outer *url.Error
	if errors.As(err, &outer) { // its text contains the query
		err = outer.Err
	}
	e.Msg = c.cleanText(err.Error())
	var dial *net.OpError
	switch {
	case c.ctx.Err() != nil:
		e.Kind, e.cause, e.Msg = Canceled, c.ctx.Err(), c.ctx.Err().Error()
	case errors.Is(err, context.DeadlineExceeded):
		e.Kind, e.Msg = TimedOut, "waited "+c.timeout.String()
	case errors.As(err, &dial) && dial.Op == "dial", isTLSError(err):
		e.Kind = Unreachable
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		e.Msg = "the answer was cut off"
	}
	return e
}

// isTLSError reports whether TLS failed, for example because of the server's certificate.
func isTLSError(err error) bool {
	var verify *tls.CertificateVerificationError
	var unknown x509.UnknownAuthorityError
	var host x509.HostnameError
	var record tls.RecordHeaderError
	return errors.As(err, &verify) || errors.As(err, &unknown) || errors.As(err, &host) || errors.As(err, &record)
}

// maxRefusal is the number of bytes that are read from an error answer. The message in it
// is short.
const maxRefusal = 64 << 10

// refusalError converts an answer with an error status to an *Error.
func (c *Client) refusalError(path string, answer *http.Response) *Error {
	data, _ := io.ReadAll(io.LimitReader(answer.Body, maxRefusal)) // a partial body is enough, because the status says the rest
	e := &Error{URL: c.Endpoint(path), Status: answer.StatusCode, Msg: c.cleanText(errorMessage(data))}
	switch s := answer.StatusCode; {
	case s >= 300 && s < 400:
		e.Kind, e.Msg = Unknown, "the server redirects the request; use the target of the redirect as the address"
	case s == http.StatusUnauthorized || s == http.StatusForbidden:
		e.Kind = Refused
		if c.key == "" {
			e.Msg = "no key was sent; name the environment variable that contains the key"
		}
	case s == http.StatusNotFound || s == http.StatusMethodNotAllowed:
		e.Kind = Unknown
	case s == http.StatusRequestEntityTooLarge, (s == http.StatusBadRequest || s == http.StatusUnprocessableEntity) && saysTooLong(e.Msg):
		e.Kind = TooLong
	case s == http.StatusTooManyRequests:
		e.Kind, e.after = Busy, retryAfter(answer.Header, time.Now())
	case s >= 500:
		e.Kind, e.after = Failed, retryAfter(answer.Header, time.Now())
	default:
		e.Kind = Invalid
	}
	return e
}

// errorMessage returns the error message in the body of an answer. If the body has none
// of the usual JSON forms, it returns the whole body.
func errorMessage(data []byte) string {
	var m struct {
		Error           json.RawMessage
		Message, Detail json.RawMessage
	}
	if json.Unmarshal(data, &m) != nil {
		return string(data)
	}
	for _, raw := range []json.RawMessage{m.Error, m.Message, m.Detail} {
		var s string
		var inner struct{ Message string }
		if json.Unmarshal(raw, &s) == nil && s != "" {
			return s
		}
		if json.Unmarshal(raw, &inner) == nil && inner.Message != "" {
			return inner.Message
		}
	}
	return string(data)
}

// saysTooLong reports whether a message says that the request is too long. Servers have
// no code for this error.
func saysTooLong(msg string) bool {
	msg = strings.ToLower(msg)
	for _, w := range [...]string{"too long", "too large", "too many", "exceed", "context length", "batch size", "maximum", "token limit", "tokens"} {
		if strings.Contains(msg, w) {
			return true
		}
	}
	return false
}

// retryAfter returns the pause from the Retry-After header. The header contains a number
// of seconds or a time. If it is missing or invalid, retryAfter returns 0.
func retryAfter(h http.Header, now time.Time) time.Duration {
	s := strings.TrimSpace(h.Get("Retry-After"))
	if n, err := strconv.ParseFloat(s, 64); err == nil && n >= 0 {
		return time.Duration(min(n, 1e6) * float64(time.Second))
	}
	if t, err := http.ParseTime(s); err == nil {
		return max(0, t.Sub(now))
	}
	return 0
}
