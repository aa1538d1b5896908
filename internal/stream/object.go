package stream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// object is a file on a web server or in an object store. It is read by ranges, several
// at once, and a failed request is repeated. The file must not change while it is read.
type object struct {
	url  string
	name string // without the query, which may be a signature, and without a password
	size int64  // -1 if the server does not support ranges
	etag string
}

var rangeSize int64 = 4 << 20

const (
	rangesAhead = 4
	beyondSize  = 256 << 10 // size of a range after the requested end, up to which a line may continue
	tries       = 6
)

// waitBefore is the wait before the first retry. Each later wait is twice as long as the
// previous one.
var waitBefore = 200 * time.Millisecond

// idleLimit limits the time without data when a body is not read by ranges.
var idleLimit = 2 * time.Minute

var objectClient = &http.Client{Transport: func() http.RoundTripper {
	t, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return http.DefaultTransport
	}
	t = t.Clone()
	t.ResponseHeaderTimeout = 30 * time.Second
	return t
}()}

// IsURL reports whether a FILE is read over the network.
func IsURL(name string) bool {
	return strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://")
}

// newObject requests the size of an object.
func newObject(address string) (*object, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("not a URL: %w", withoutURL(err))
	}
	if u.Host == "" {
		return nil, fmt.Errorf("the URL %s names no host", unsigned(u))
	}
	o := &object{url: address, name: unsigned(u), size: -1}
	err = o.retry(context.Background(), func(ctx context.Context) error {
		r, err := o.get(ctx, 0, 1)
		if err != nil {
			return err
		}
		defer r.Body.Close()
		switch r.StatusCode {
		case http.StatusPartialContent:
			_, total, _ := strings.Cut(r.Header.Get("Content-Range"), "/")
			if o.size, err = strconv.ParseInt(total, 10, 64); err != nil {
				return fatal{fmt.Errorf("the server does not say how long it is (Content-Range %q)", r.Header.Get("Content-Range"))}
			}
			if tag := r.Header.Get("ETag"); !strings.HasPrefix(tag, "W/") {
				o.etag = tag
			}
			return nil
		case http.StatusOK: // the server does not support ranges
			return nil
		case http.StatusRequestedRangeNotSatisfiable:
			o.size = 0
			return nil
		}
		return refusal(r)
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.name, err)
	}
	return o, nil
}

// unsigned returns a URL without its query, which may be a signature, and without user
// and password.
func unsigned(u *url.URL) string {
	named := *u
	named.RawQuery, named.Fragment, named.User = "", "", nil
	return named.String()
}

// withoutURL returns the cause of a failed request. An error of net/http contains the
// URL, which may be signed.
func withoutURL(err error) error {
	var failed *url.Error
	if errors.As(err, &failed) {
		return failed.Err
	}
	return err
}

// fatal is an error after which a retry is useless.
type fatal struct{ error }

// refusal returns the error of an answer without the requested bytes.
func refusal(r *http.Response) error {
	err := fmt.Errorf("the server answers %s", r.Status)
	if r.StatusCode < 500 && r.StatusCode != http.StatusTooManyRequests && r.StatusCode != http.StatusRequestTimeout {
		return fatal{err}
	}
	return err
}

func (o *object) get(ctx context.Context, from, to int64) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, o.url, nil)
	if err != nil {
		return nil, fatal{err}
	}
	r.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", from, to-1))
	r.Header.Set("Accept-Encoding", "identity")
	if o.etag != "" {
		r.Header.Set("If-Match", o.etag)
	}
	answer, err := objectClient.Do(r)
	return answer, withoutURL(err)
}

// retry repeats do until it succeeds, or fails with a fatal error, at most tries times.
func (o *object) retry(ctx context.Context, do func(context.Context) error) (err error) {
	wait := waitBefore
	for try := range tries {
		if try > 0 {
			select {
			case <-time.After(wait):
			case <-ctx.Done():
				return ctx.Err()
			}
			wait *= 2
		}
		limited, cancel := context.WithTimeout(ctx, 2*time.Minute)
		err = do(limited)
		cancel()
		var stop fatal
		if err == nil || errors.As(err, &stop) || ctx.Err() != nil {
			return err
		}
	}
	return fmt.Errorf("%d tries failed: %w", tries, err)
}

// fetch returns the bytes of a range.
func (o *object) fetch(ctx context.Context, from, to int64) ([]byte, error) {
	text := make([]byte, to-from)
	err := o.retry(ctx, func(ctx context.Context) error {
		r, err := o.get(ctx, from, to)
		if err != nil {
			return err
		}
		defer r.Body.Close()
		switch r.StatusCode {
		case http.StatusPartialContent:
		case http.StatusPreconditionFailed:
			return fatal{errors.New("it was changed while it was read")}
		case http.StatusOK:
			return fatal{errors.New("the server gave ranges before and gives none now")}
		default:
			return refusal(r)
		}
		if got, want := r.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-%d/%d", from, to-1, o.size); got != want {
			return fatal{fmt.Errorf("the server gives %q for %q: it was changed while it was read", got, want)}
		}
		_, err = io.ReadFull(r.Body, text)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("bytes %d to %d: %w", from, to-1, err)
	}
	return text, nil
}

// open reads from byte from to the end of the object. It fetches the bytes before to
// ahead, several ranges at once.
func (o *object) open(from, to int64) (io.ReadCloser, error) {
	ctx, cancel := context.WithCancel(context.Background())
	if o.size < 0 {
		return o.openWhole(ctx, cancel)
	}
	r := &ranges{ahead: make(chan chan fetched, rangesAhead-1), cancel: cancel}
	go func() {
		defer close(r.ahead)
		for at := from; at < o.size; {
			end := min(at+rangeSize, to)
			if at >= to {
				end = min(at+beyondSize, o.size)
			}
			one := make(chan fetched, 1)
			go func(at, end int64) {
				text, err := o.fetch(ctx, at, end)
				one <- fetched{text, err}
			}(at, end)
			select {
			case r.ahead <- one:
			case <-ctx.Done():
				return
			}
			at = end
		}
	}()
	return r, nil
}

// openWhole reads an object from a server without support for ranges. It repeats a failed
// request only until the body begins. A body without data for idleLimit is an error.
func (o *object) openWhole(ctx context.Context, cancel func()) (io.ReadCloser, error) {
	var body io.ReadCloser
	err := o.retry(ctx, func(context.Context) error {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, o.url, nil)
		if err != nil {
			return fatal{withoutURL(err)}
		}
		answer, err := objectClient.Do(r)
		if err != nil {
			return withoutURL(err)
		}
		if answer.StatusCode != http.StatusOK {
			defer answer.Body.Close()
			return refusal(answer)
		}
		body = answer.Body
		return nil
	})
	if err != nil {
		cancel()
		return nil, fmt.Errorf("%s: %w", o.name, err)
	}
	return &whole{body, cancel}, nil
}

// whole is the body of an answer, with a limit on how long a read may wait.
type whole struct {
	body   io.ReadCloser
	cancel func()
}

func (w *whole) Read(b []byte) (int, error) {
	idle := time.AfterFunc(idleLimit, w.cancel)
	n, err := w.body.Read(b)
	if !idle.Stop() && err != nil {
		err = fmt.Errorf("the server has sent nothing for %v", idleLimit)
	}
	return n, err
}

func (w *whole) Close() error {
	w.cancel()
	return w.body.Close()
}

type fetched struct {
	text []byte
	err  error
}

// ranges reads the ranges of an object in their order.
type ranges struct {
	ahead  chan chan fetched
	text   []byte
	cancel func()
}

func (r *ranges) Read(b []byte) (int, error) {
	for len(r.text) == 0 {
		one, more := <-r.ahead
		if !more {
			return 0, io.EOF
		}
		got := <-one
		if got.err != nil {
			return 0, got.err
		}
		r.text = got.text
	}
	n := copy(b, r.text)
	r.text = r.text[n:]
	return n, nil
}

func (r *ranges) Close() error {
	r.cancel()
	return nil
}

// ReadURL returns a whole object, and its name without a signature.
func ReadURL(address string) (text []byte, name string, err error) {
	o, err := newObject(address)
	if err != nil {
		return nil, address, err
	}
	in, err := o.open(0, o.size)
	if err != nil {
		return nil, o.name, err
	}
	defer in.Close()
	if text, err = io.ReadAll(in); err != nil {
		err = fmt.Errorf("%s: %w", o.name, err)
	}
	return text, o.name, err
}

// put writes a whole object to a signed URL of an object store.
func put(address string, text []byte) error {
	u, err := url.Parse(address)
	if err != nil {
		return fmt.Errorf("a partial result cannot be written: %w", withoutURL(err))
	}
	o := &object{url: address, name: unsigned(u)}
	err = o.retry(context.Background(), func(ctx context.Context) error {
		r, err := http.NewRequestWithContext(ctx, http.MethodPut, address, bytes.NewReader(text))
		if err != nil {
			return fatal{errors.New("it is no URL")}
		}
		answer, err := objectClient.Do(r)
		if err != nil {
			return withoutURL(err)
		}
		defer answer.Body.Close()
		if answer.StatusCode/100 != 2 {
			return refusal(answer)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("writing %s: %w", o.name, err)
	}
	return nil
}
