// Package live offers files that grow and spans that arrive to the page of "boundcheck serve",
// which shows the runs in them while an agent works.
package live

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
	mostFiles      = 200      // files
	largestFile    = 64 << 20 // bytes of a file, and of all received spans
	largestRequest = 16 << 20 // bytes of one request with spans
)

// SpansName is the name under which the page reads the received spans.
const SpansName = "otlp.jsonl"

// Watched is what the page follows while an agent works: files that grow, and spans that
// the agent's program exports.
type Watched struct {
	Paths   []string // files and folders
	Receive bool     // spans are taken

	mu    sync.Mutex
	spans [][]byte // a request in each line
	size  int
	full  bool
}

// IsOn reports whether there is anything to follow; not for nil.
func (l *Watched) IsOn() bool { return l != nil && (len(l.Paths) > 0 || l.Receive) }

// Add adds a file or a folder. It returns an error if there is none at the path.
func (l *Watched) Add(path string) error {
	_, err := os.Stat(path)
	l.Paths = append(l.Paths, path)
	return err
}

// Serve answers a request about what is watched. It returns false for any other request.
func (l *Watched) Serve(w http.ResponseWriter, r *http.Request) bool {
	switch {
	case !l.IsOn():
		return false
	case r.URL.Path == "/v1/traces" && l.Receive:
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

// File is a file in the list that the page asks for.
type File struct {
	Name    string `json:"name"`
	Size    int64  `json:"size"`
	Changed string `json:"changed"` // differs after each change
}

// listFiles returns the files that are there now, in the order of their names.
func (l *Watched) listFiles() []File {
	files := []File{}
	add := func(name string, info fs.FileInfo, err error) {
		if err == nil && info.Mode().IsRegular() && info.Size() <= largestFile && len(files) < mostFiles {
			files = append(files, File{name, info.Size(), fmt.Sprint(info.ModTime().UnixNano(), "-", info.Size())})
		}
	}
	for _, path := range l.Paths {
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
		files = append(files, File{SpansName, int64(l.size), fmt.Sprint(len(l.spans))})
	}
	return files
}

// readFile returns the content of a file that listFiles names, and of no other.
func (l *Watched) readFile(name string) ([]byte, error) {
	for _, f := range l.listFiles() {
		if f.Name != name {
			continue
		}
		if name == SpansName && l.Receive {
			l.mu.Lock()
			defer l.mu.Unlock()
			return bytes.Join(l.spans, []byte("\n")), nil
		}
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		return io.ReadAll(io.LimitReader(file, largestFile))
	}
	return nil, fs.ErrNotExist
}

// takeSpans takes the spans of a request of OTLP/HTTP. A page of another site cannot send
// one: its content type needs a permission that nobody gives, and its origin is refused.
func (l *Watched) takeSpans(w http.ResponseWriter, r *http.Request) {
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
	if !l.keepSpans(line) {
		fail(http.StatusServiceUnavailable, fmt.Errorf("%d MB of spans are kept, which is the most; start serve again", largestFile>>20))
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
	body, err := io.ReadAll(io.LimitReader(from, largestRequest+1))
	if err == nil && len(body) > largestRequest {
		err = fmt.Errorf("the request has more than %d MB", largestRequest>>20)
	}
	return body, err
}

// keepSpans keeps the spans of a request. It returns false if there are too many.
func (l *Watched) keepSpans(line []byte) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.full = l.full || l.size+len(line) > largestFile; l.full { // a run without its end would be worse than none
		return false
	}
	l.spans, l.size = append(l.spans, line), l.size+len(line)+1
	return true
}
