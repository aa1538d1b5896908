//go:build !js

package cli

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/otlp"
)

// The bounds of what serve watches.
const (
	mostWatched    = 200      // files
	largestWatched = 64 << 20 // bytes of a file, and of all received spans
	largestExport  = 16 << 20 // bytes of one request with spans
)

// spansName is the name under which the page reads the received spans.
const spansName = "otlp.jsonl"

// watched is what the page follows while an agent works: files that grow, and spans that
// the agent's program exports.
type watched struct {
	paths   []string
	receive bool

	mu    sync.Mutex
	spans [][]byte // a request in each line
	size  int
	full  bool
}

// isOn reports whether there is anything to follow; not for nil.
func (l *watched) isOn() bool { return l != nil && (len(l.paths) > 0 || l.receive) }

// checkPaths returns an error if a path does not exist.
func (l *watched) checkPaths() error {
	for _, path := range l.paths {
		if _, err := os.Stat(path); err != nil {
			return fmt.Errorf("--watch: %w", err)
		}
	}
	return nil
}

// serve answers a request about what is watched. It returns false for any other request.
func (l *watched) serve(w http.ResponseWriter, r *http.Request) bool {
	switch {
	case !l.isOn():
		return false
	case r.URL.Path == "/v1/traces" && l.receive:
		l.takeSpans(w, r)
	case r.URL.Path == "/watch/list" && r.Method == http.MethodGet:
		writeJSON(w, http.StatusOK, wire.Marshal(l.listFiles()))
	case r.URL.Path == "/watch/file" && r.Method == http.MethodGet:
		data, err := l.readFile(r.URL.Query().Get("name"))
		if err != nil {
			writeJSON(w, http.StatusNotFound, wire.Fail(wire.CodeInput, "this file is not watched"))
			return true
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Cache-Control", "no-store")
		w.Write(data)
	default:
		return false
	}
	return true
}

func writeJSON(w http.ResponseWriter, status int, text []byte) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	w.Write(text)
}

// watchedFile is a file in the list that the page asks for.
type watchedFile struct {
	Name    string `json:"name"`
	Size    int64  `json:"size"`
	Changed string `json:"changed"` // differs after each change
}

// listFiles returns the files that are there now, in the order of their names.
func (l *watched) listFiles() []watchedFile {
	files := []watchedFile{}
	add := func(name string, info fs.FileInfo, err error) {
		if err == nil && info.Mode().IsRegular() && info.Size() <= largestWatched && len(files) < mostWatched {
			files = append(files, watchedFile{name, info.Size(), fmt.Sprint(info.ModTime().UnixNano(), "-", info.Size())})
		}
	}
	for _, path := range l.paths {
		info, err := os.Stat(path)
		if err != nil || !info.IsDir() {
			add(path, info, err)
			continue
		}
		entries, _ := os.ReadDir(path)
		for _, e := range entries {
			if !strings.HasPrefix(e.Name(), ".") {
				info, err := e.Info() // of the entry itself: a link is no regular file
				add(filepath.Join(path, e.Name()), info, err)
			}
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.spans) > 0 {
		files = append(files, watchedFile{spansName, int64(l.size), fmt.Sprint(len(l.spans))})
	}
	return files
}

// readFile returns the content of a file that listFiles names, and of no other.
func (l *watched) readFile(name string) ([]byte, error) {
	for _, f := range l.listFiles() {
		if f.Name != name {
			continue
		}
		if name == spansName && l.receive {
			l.mu.Lock()
			defer l.mu.Unlock()
			return bytes.Join(l.spans, []byte("\n")), nil
		}
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		return io.ReadAll(io.LimitReader(file, largestWatched))
	}
	return nil, fs.ErrNotExist
}

// takeSpans takes the spans of a request of OTLP/HTTP. A page of another site cannot send
// one: its content type needs a permission that nobody gives, and its origin is refused.
func (l *watched) takeSpans(w http.ResponseWriter, r *http.Request) {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	fail := func(status int, err error) { writeJSON(w, status, wire.Fail(wire.CodeInput, err.Error())) }
	switch {
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", http.MethodPost)
		fail(http.StatusMethodNotAllowed, errors.New("want POST"))
		return
	case kind != otlp.TypeJSON && kind != otlp.TypeProtobuf:
		fail(http.StatusUnsupportedMediaType, fmt.Errorf("unknown content type %q; want %s or %s", kind, otlp.TypeJSON, otlp.TypeProtobuf))
		return
	case isForeign(r):
		fail(http.StatusForbidden, errors.New("pages of other sites cannot send spans"))
		return
	}
	body, err := exportBody(r)
	if err != nil {
		fail(http.StatusBadRequest, err)
		return
	}
	line, err := otlp.JSON(body, kind)
	if err != nil {
		fail(http.StatusBadRequest, err)
		return
	}
	if !l.keep(line) {
		fail(http.StatusServiceUnavailable, fmt.Errorf("%d MB of spans are kept, which is the most; start serve again", largestWatched>>20))
		return
	}
	w.Header().Set("Content-Type", kind)
	if kind == otlp.TypeJSON {
		io.WriteString(w, "{}")
	}
}

// isForeign reports whether a request comes from a page of another origin.
func isForeign(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return false
	}
	u, err := url.Parse(origin)
	return err != nil || u.Host != r.Host
}

// exportBody returns the body of a request without its compression.
func exportBody(r *http.Request) ([]byte, error) {
	var from io.Reader = r.Body
	if r.Header.Get("Content-Encoding") == "gzip" {
		unpacked, err := gzip.NewReader(r.Body)
		if err != nil {
			return nil, err
		}
		from = unpacked
	}
	body, err := io.ReadAll(io.LimitReader(from, largestExport+1))
	if err == nil && len(body) > largestExport {
		err = fmt.Errorf("the request has more than %d MB", largestExport>>20)
	}
	return body, err
}

// keep keeps the spans of a request. It returns false if there are too many.
func (l *watched) keep(line []byte) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.full = l.full || l.size+len(line) > largestWatched; l.full { // a run without its end would be worse than none
		return false
	}
	l.spans, l.size = append(l.spans, line), l.size+len(line)+1
	return true
}
