package stream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// object is a file on a web server or in an object store. Several ranges of it are read at
// once, and a failed request is repeated. The file must not change while it is read.
type object struct {
	*address
	size int64 // -1 if the server does not support ranges
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

// rangeLimit limits the time of one try of a range.
var rangeLimit = 2 * time.Minute

// idleLimit limits the time without data when a body is not read by ranges, or is sent.
var idleLimit = 2 * time.Minute

// newObject returns the object for a URL, after it has requested the object's size.
func newObject(file string) (*object, error) {
	a, err := readAddress(file)
	if err != nil {
		return nil, err
	}
	o := &object{address: a, size: -1}
	err = withRetries(context.Background(), func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, rangeLimit)
		defer cancel()
		r, err := o.getRange(ctx, 0, 1)
		if err != nil {
			return slowError(ctx, err, 0, 1)
		}
		defer r.Body.Close()
		switch r.StatusCode {
		case http.StatusPartialContent:
			_, total, _ := strings.Cut(r.Header.Get("Content-Range"), "/")
			if o.size, err = strconv.ParseInt(total, 10, 64); err != nil {
				return fatal{fmt.Errorf("the server does not return the object's size (Content-Range %q)", r.Header.Get("Content-Range"))}
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
		return refusalError(r)
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.name, err)
	}
	return o, nil
}

// fatal is an error after which withRetries does not try again.
type fatal struct{ error }

// refusalError returns the error for an answer whose status is not a success. The error
// is not fatal for the status 408, 429 or 5xx, because the same request may succeed
// later. For any other status, the error is fatal.
func refusalError(r *http.Response) error {
	err := fmt.Errorf("the server answers %s%s", r.Status, s3Reason(r))
	if r.StatusCode < 500 && r.StatusCode != http.StatusTooManyRequests && r.StatusCode != http.StatusRequestTimeout {
		return fatal{err}
	}
	return err
}

func (o *object) getRange(ctx context.Context, from, to int64) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, o.url, nil)
	if err != nil {
		return nil, fatal{err}
	}
	r.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", from, to-1))
	if o.etag != "" {
		r.Header.Set("If-Match", o.etag)
	}
	return o.signAndSend(r, noPayload)
}

// withRetries calls do until it succeeds, returns a fatal error, or ctx ends. The
// constant tries is the largest number of calls. Each pause between two calls is twice as
// long as the previous pause.
func withRetries(ctx context.Context, do func(context.Context) error) (err error) {
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
		err = do(ctx)
		var stop fatal
		if err == nil || errors.As(err, &stop) || ctx.Err() != nil {
			return err
		}
	}
	return fmt.Errorf("%d tries failed: %w", tries, err)
}

// fetchRange returns the bytes of the object in the range [from, to). A retry requests
// only the bytes that are missing.
func (o *object) fetchRange(ctx context.Context, from, to int64) ([]byte, error) {
	text := make([]byte, to-from)
	have := int64(0)
	err := withRetries(ctx, func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, rangeLimit)
		defer cancel()
		at := from + have
		r, err := o.getRange(ctx, at, to)
		if err != nil {
			return slowError(ctx, err, have, len(text))
		}
		defer r.Body.Close()
		switch r.StatusCode {
		case http.StatusPartialContent:
		case http.StatusPreconditionFailed:
			return fatal{errors.New("the object was changed while it was read")}
		case http.StatusOK:
			return fatal{errors.New("the server returned the whole object instead of a range, although it returned ranges before")}
		default:
			return refusalError(r)
		}
		if got, want := r.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-%d/%d", at, to-1, o.size); got != want {
			return fatal{fmt.Errorf("the server returned the range %q instead of %q: the object was changed while it was read", got, want)}
		}
		n, err := io.ReadFull(r.Body, text[have:])
		have += int64(n)
		if err != nil {
			return slowError(ctx, fmt.Errorf("the answer ends early: %w", err), have, len(text))
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("bytes %d to %d: %w", from, to-1, err)
	}
	return text, nil
}

// slowError returns the error of one attempt to fetch a range. If the attempt has
// exceeded its time limit, the error says that the server is too slow. Otherwise
// slowError returns err unchanged.
func slowError(ctx context.Context, err error, have int64, want int) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("the server is too slow: it sent %[2]d of %[3]d bytes in %[1]v", rangeLimit, have, want)
	}
	return err
}

// openRange returns a reader for the bytes of the object in the range [from, size). It
// requests several parts of this range in advance. The parameter to is the offset after
// which the parts are smaller.
func (o *object) openRange(from, to int64) (io.ReadCloser, error) {
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
				text, err := o.fetchRange(ctx, at, end)
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

// openWhole opens an object on a server that does not support ranges. It repeats a
// request that fails before the body begins. Reading returns an error if the server sends
// no data for the time idleLimit.
func (o *object) openWhole(ctx context.Context, cancel func()) (io.ReadCloser, error) {
	var body io.ReadCloser
	err := withRetries(ctx, func(context.Context) error {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, o.url, nil)
		if err != nil {
			return fatal{withoutURL(err)}
		}
		answer, err := o.signAndSend(r, noPayload)
		if err != nil {
			return err
		}
		if answer.StatusCode != http.StatusOK {
			defer answer.Body.Close()
			return refusalError(answer)
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
		err = fmt.Errorf("the server has sent no data for %v", idleLimit)
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

// ranges is a reader that returns the fetched ranges of an object in order.
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

// readAll returns the whole object.
func (o *object) readAll() ([]byte, error) {
	in, err := o.openRange(0, o.size)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.name, err)
	}
	return text, nil
}

// OpenURL opens an object by its URL. The returned reader requests parts of the object
// when they are needed. If the server does not support ranges, OpenURL reads the whole
// object at once. name is the URL without a signature.
func OpenURL(file string) (in io.ReaderAt, size int64, name string, err error) {
	o, err := newObject(file)
	if err != nil {
		return nil, 0, nameOf(file), err
	}
	if o.size >= 0 {
		return &objectAt{object: o}, o.size, o.name, nil
	}
	text, err := o.readAll()
	return bytes.NewReader(text), int64(len(text)), o.name, err
}

// objectAt is an io.ReaderAt for an object. It caches one block, because callers read the
// beginning of a file in small pieces.
type objectAt struct {
	*object
	block []byte
	at    int64 // offset of the block
}

const blockSize = 64 << 10

func (o *objectAt) ReadAt(b []byte, off int64) (n int, err error) {
	end := min(off+int64(len(b)), o.size)
	for at := off; at < end && err == nil; at = off + int64(n) {
		var text []byte
		switch {
		case at >= o.at && at < o.at+int64(len(o.block)):
			text = o.block[at-o.at:]
		case end-at >= blockSize:
			text, err = o.fetchRange(context.Background(), at, min(at+rangeSize, end))
		default:
			text, err = o.fetchRange(context.Background(), at, min(at+blockSize, o.size))
			o.block, o.at = text, at
		}
		n += copy(b[n:end-off], text)
	}
	if err != nil {
		return n, fmt.Errorf("%s: %w", o.name, err)
	}
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}
