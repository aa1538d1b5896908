// Package watch serves a page that shows the progress of experiments. It only reads the
// journals of the experiments, and needs no connection to the processes that run them.
package watch

import (
	"embed"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/boundcheck/boundcheck/internal/bench"
)

//go:embed page.html page.js page.css
var files embed.FS

var kinds = map[string]string{"/": "page.html", "/page.js": "page.js", "/page.css": "page.css"}

var types = map[string]string{"page.html": "text/html; charset=utf-8", "page.js": "text/javascript; charset=utf-8", "page.css": "text/css; charset=utf-8"}

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Page is the page's handler. It answers only if the request's host is localhost, 127.0.0.1
// or ::1. So no other site can read the page under a name that resolves to this machine.
type Page struct {
	mu        sync.Mutex
	followers []*bench.Follower
}

// New returns a page about the experiments in the folders dirs. The page shows costs that
// are computed with prices.
func New(prices bench.Budget, dirs ...string) *Page {
	p := &Page{}
	for _, d := range dirs {
		p.followers = append(p.followers, &bench.Follower{Dir: d, Budget: prices})
	}
	return p
}

// Serve serves the page on a free port of the loopback interface until stop is called.
func (p *Page) Serve() (url string, stop func(), err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: p, ReadHeaderTimeout: 10 * time.Second}
	go server.Serve(l)
	return "http://" + l.Addr().String() + "/", func() { server.Close() }, nil
}

func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	if !isLocal(r.Host) {
		http.Error(w, "this page is available only at localhost, 127.0.0.1 and [::1]", http.StatusForbidden)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "want GET", http.StatusMethodNotAllowed)
		return
	}
	if r.URL.Path == "/status.json" {
		h.Set("Content-Type", "application/json")
		text, err := json.Marshal(p.readStatuses())
		if err != nil {
			panic(err) // texts and numbers only
		}
		w.Write(text)
		return
	}
	name, ok := kinds[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	text, err := files.ReadFile(name)
	if err != nil {
		panic(err) // an embedded file
	}
	h.Set("Content-Type", types[name])
	w.Write(text)
}

func isLocal(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.Trim(host, "[]")
	}
	return name == "localhost" || name == "127.0.0.1" || name == "::1"
}

func (p *Page) readStatuses() []bench.Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := []bench.Status{}
	for _, f := range p.followers {
		all = append(all, f.Status())
	}
	return all
}
