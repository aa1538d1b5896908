package gate

import (
	"context"
	"encoding/hex"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// Line is the log entry of one request. It holds no key, no arguments and no query.
type Line struct {
	ID                 string // also sent in the answer, as X-Request-Id
	Method, Path       string
	Status             int
	Bytes              int64 // of the answer's body
	Took               time.Duration
	Address            string // the client's
	Tenant, Role, Name string // of the key
	Cause              error  // why the gate could not do its work; nil if it could
}

// Failed reports whether the operator should look at the request. This is so if the
// status is at least 500 or a cause of trouble was recorded.
func (l *Line) Failed() bool { return l.Status >= 500 || l.Cause != nil }

// trace collects information about a request while it is served.
type trace struct {
	mu    sync.Mutex
	who   machine.Principal
	cause store.Cause
}

// clientLeft is the status in the log of a request whose client left before its answer: the
// gate has not failed.
const clientLeft = 499

type traceKey struct{}

// recordPrincipal records the principal of a request's key.
func recordPrincipal(ctx context.Context, who machine.Principal) {
	if t, ok := ctx.Value(traceKey{}).(*trace); ok {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.who = who
	}
}

// Logged returns a handler that passes each request to the handler next. After the answer
// it calls the function log, once for each request.
func (g *Gate) Logged(next http.Handler, log func(context.Context, Line)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t, begun := &trace{}, time.Now()
		line := Line{Method: r.Method, Path: shortenPath(r.URL.Path), Address: g.clientAddress(r)}
		var id [8]byte
		io.ReadFull(g.Random, id[:])
		line.ID = hex.EncodeToString(id[:])
		w.Header().Set("X-Request-Id", line.ID)
		counted := &countedWriter{ResponseWriter: w}
		defer func() {
			t.mu.Lock()
			line.Tenant, line.Role, line.Name, line.Cause = t.who.Tenant, string(t.who.Role), t.who.Name, t.cause.Err()
			t.mu.Unlock()
			line.Status, line.Bytes, line.Took = max(200, counted.status), counted.n, time.Since(begun)
			if line.Status == 503 && line.Cause == nil && r.Context().Err() != nil {
				line.Status = clientLeft
			}
			log(r.Context(), line)
		}()
		next.ServeHTTP(counted, r.WithContext(context.WithValue(store.WithCause(r.Context(), &t.cause), traceKey{}, t)))
	})
}

// shortenPath shortens a path for the log, because anybody may send a path of any length.
func shortenPath(path string) string {
	if len(path) > 200 {
		path = path[:200]
	}
	return strings.ToValidUTF8(path, "\uFFFD")
}

// countedWriter records the status and the size of an answer.
type countedWriter struct {
	http.ResponseWriter
	status int
	n      int64
}

// WriteHeader records the status.
func (w *countedWriter) WriteHeader(status int) {
	if w.status == 0 || w.status < 200 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write counts bytes.
func (w *countedWriter) Write(b []byte) (int, error) {
	n, err := w.ResponseWriter.Write(b)
	w.n += int64(n)
	return n, err
}

// Flush implements http.Flusher.
func (w *countedWriter) Flush() { http.NewResponseController(w.ResponseWriter).Flush() }

// Unwrap returns the writer inside, for http.ResponseController.
func (w *countedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
