package proxy

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/wire"
)

// passing is an operation of a model API whose answers contain no calls. The proxy passes
// requests and answers unchanged, each of them whole.
type passing struct {
	path    string
	methods string // separated by blanks
	below   bool   // the paths below it, too
	text    bool   // the answer is a model's text, which may contain calls as text
}

var passed = []passing{
	{path: "/v1/models", methods: "GET", below: true},
	{path: messagesPath + "/count_tokens", methods: "POST"},
	{path: "/v1/embeddings", methods: "POST"},
	{path: "/v1/moderations", methods: "POST"},
	{path: "/v1/completions", methods: "POST", text: true},
	{path: "/v1/audio/speech", methods: "POST"},
	{path: "/v1/audio/transcriptions", methods: "POST"},
	{path: "/v1/audio/translations", methods: "POST"},
	{path: "/v1/images/generations", methods: "POST"},
	{path: "/v1/images/edits", methods: "POST"},
	{path: "/v1/images/variations", methods: "POST"},
	{path: "/v1/files", methods: "GET POST DELETE", below: true},
	{path: "/v1beta/models", methods: "GET"},
	{path: "/api/tags", methods: "GET"},
	{path: "/api/version", methods: "GET"},
	{path: "/api/ps", methods: "GET"},
	{path: "/api/show", methods: "POST"},
	{path: "/api/embed", methods: "POST"},
	{path: "/api/embeddings", methods: "POST"},
}

// findPassing returns the operation of a path, or nil. A path that a server may read as
// another one has none.
func findPassing(name string) *passing {
	if path.Clean(name) != name || strings.ContainsAny(name, `\%;`) {
		return nil
	}
	if f := passingModel(name); f != nil {
		return f
	}
	for i := range passed {
		if f := &passed[i]; name == f.path || f.below && strings.HasPrefix(name, f.path+"/") {
			return f
		}
	}
	return nil
}

// passedHeaders holds the client's headers that the model's server gets.
var passedHeaders = []string{"Content-Type", "Accept", "Range"}

// passRequest passes a request and its answer.
func (p *Proxy) passRequest(o *out, r *http.Request, f *passing) error {
	if !slices.Contains(strings.Fields(f.methods), r.Method) {
		o.setHeader("Allow", strings.ReplaceAll(f.methods, " ", ", "))
		return &problem{status: 405, kind: badRequest, code: wire.CodeMethod, message: r.URL.Path + " takes " + strings.ReplaceAll(f.methods, " ", ", ")}
	}
	until := time.Now().Add(p.Upstream.Timeout + time.Minute)
	o.control.SetReadDeadline(until)
	o.control.SetWriteDeadline(until)
	body := ""
	if r.Method == "POST" {
		b, refused := readUnpacked(r, p.Limit)
		if refused != nil {
			return refused
		}
		body = string(b)
	}
	head := http.Header{}
	if speaksAnthropic(r) {
		head = anthropicHeader(r)
	}
	for _, name := range passedHeaders {
		if v := r.Header.Values(name); len(v) > 0 {
			head[name] = v
		}
	}
	if speaksGemini(r) {
		head[googKey] = []string{""}
	}
	target := r.URL.EscapedPath()
	for _, root := range [...]string{"/v1beta/", "/v1/", "/api/"} {
		if rest, ok := strings.CutPrefix(target, root); ok {
			target = "/" + rest
			break
		}
	}
	if r.URL.RawQuery != "" {
		target += "?" + r.URL.RawQuery
	}
	a, err := p.Upstream.sendRequest(r.Context(), r.Method, target, body, head)
	if err != nil {
		return err
	}
	defer a.close()
	if a.StatusCode < 200 || a.StatusCode >= 300 {
		return refusedBy(a)
	}
	text, err := a.readText()
	if err == nil && f.text {
		err = checkCompletion(text)
	}
	if err != nil {
		return err
	}
	for name := range a.Header {
		if isKeptHeader(name) || name == "Content-Type" || name == "Content-Disposition" || name == "Content-Range" {
			o.setHeader(name, a.Header.Get(name))
		}
	}
	o.started = true
	o.setHeader("Content-Length", strconv.Itoa(len(text)))
	o.w.WriteHeader(a.StatusCode)
	io.WriteString(o.w, text)
	return nil
}

// checkCompletion returns an error if the text of a legacy completion contains a call.
// The whole text is known before any of it passes.
func checkCompletion(answer string) error {
	bodies := []string{answer}
	if _, err := jsonval.Parse(answer); err != nil { // a stream
		s := splitter{limit: maxEvent}
		events, err := s.feed([]byte(answer), true)
		if err != nil {
			return err
		}
		bodies = nil
		for _, e := range events {
			if d := strings.TrimSpace(e.data); d != "" && d != "[DONE]" {
				bodies = append(bodies, d)
			}
		}
	}
	if len(bodies) == 0 {
		return errors.New("the answer is neither JSON nor a stream")
	}
	texts := map[int64]string{}
	for _, b := range bodies {
		v, err := jsonval.Parse(b)
		if err != nil {
			return fmt.Errorf("the answer is not JSON: %w", err)
		}
		if err := checkUnambiguous(v); err != nil {
			return err
		}
		for _, c := range v.Get("choices").Elements() {
			at, _ := c.Get("index").Int()
			texts[at] += c.Get("text").Text()
		}
		if callsIn(v) > 0 {
			return errElsewhere
		}
	}
	for _, text := range texts {
		if len(textCalls(text)) > 0 {
			return errors.New("the text of a completion contains a call, which cannot be held here; use chat completions")
		}
	}
	return nil
}
