package stream

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// address is the URL of an object, with what is needed to send requests to it.
type address struct {
	url    string
	name   string // without the query, which is a signature, and without a password
	sign   signer // nil for a URL whose requests need no signature in a header
	client *http.Client
}

// signer signs a request. payload is the SHA-256 of its body in hex, or noPayload.
type signer func(r *http.Request, payload string) error

var objectTransport = func() http.RoundTripper {
	t, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return http.DefaultTransport
	}
	t = t.Clone()
	t.ResponseHeaderTimeout = 30 * time.Second
	return t
}()

var objectClient = &http.Client{Transport: objectTransport}

// IsURL reports whether a FILE argument is an http, https or s3 URL. Such an argument is
// read or written over the network.
func IsURL(name string) bool {
	return strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://") || strings.HasPrefix(name, s3Scheme)
}

// nameOf returns the name of a FILE argument for messages. It removes the signature from a
// URL.
func nameOf(file string) string {
	if a, err := readAddress(file); IsURL(file) && err == nil {
		return a.name
	}
	return file
}

// readAddress reads an http, https or s3 URL.
func readAddress(text string) (*address, error) {
	if strings.HasPrefix(text, s3Scheme) {
		return s3Address(text)
	}
	u, err := url.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("not a URL: %w", withoutURL(err))
	}
	if u.Host == "" {
		return nil, fmt.Errorf("the URL %s has no host", unsignedURL(u))
	}
	return &address{url: text, name: unsignedURL(u), client: objectClient}, nil
}

// unsignedURL returns a URL without its query, which may be a signature, and without its
// user and password.
func unsignedURL(u *url.URL) string {
	named := *u
	named.RawQuery, named.Fragment, named.User = "", "", nil
	return named.String()
}

// withoutURL returns the cause of a failed request. An error of net/http contains the
// URL, which may contain a signature. The cause does not contain the URL.
func withoutURL(err error) error {
	var failed *url.Error
	if errors.As(err, &failed) {
		return failed.Err
	}
	return err
}

// signAndSend signs a request and sends it.
func (a *address) signAndSend(r *http.Request, payload string) (*http.Response, error) {
	if a.sign != nil {
		if err := a.sign(r, payload); err != nil {
			return nil, fatal{err}
		}
	}
	if r.Method == http.MethodGet {
		r.Header.Set("Accept-Encoding", "identity") // after signing, because some servers change it
	}
	answer, err := a.client.Do(r)
	return answer, withoutURL(err)
}
