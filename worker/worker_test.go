package worker

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/faults"
	"github.com/boundcheck/boundcheck/worker/api"
)

// door records what comes through and answers a fixed result.
type door struct {
	method string
	body   []byte
	answer string
	ok     bool
}

func (d *door) recordCall(method string, body []byte, _ func() error) ([]byte, bool) {
	d.method, d.body = method, bytes.Clone(body)
	return []byte(d.answer), d.ok
}

func sendRequest(h http.Handler, method, target string, body io.Reader) *http.Response {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, target, body))
	return w.Result()
}

// readRefusal reads an error envelope and checks the properties that every answer must
// have.
func readRefusal(t *testing.T, r *http.Response, status int, code string) wire.Error {
	t.Helper()
	var e struct{ Error wire.Error }
	text, err := io.ReadAll(r.Body)
	if err != nil || json.Unmarshal(text, &e) != nil {
		t.Fatalf("not an envelope: %q", text)
	}
	if r.StatusCode != status || e.Error.Code != code || e.Error.Message == "" {
		t.Errorf("got %d %q, want %d with code %q", r.StatusCode, text, status, code)
	}
	if !bytes.HasSuffix(text, []byte("}\n")) {
		t.Errorf("the answer %q does not end in one newline", text)
	}
	wantHeaders(t, r)
	return e.Error
}

func wantHeaders(t *testing.T, r *http.Response) {
	t.Helper()
	for name, want := range map[string]string{
		"Content-Type":                "application/json; charset=utf-8",
		"Cache-Control":               "no-store",
		"X-Content-Type-Options":      "nosniff",
		"Access-Control-Allow-Origin": "",
	} {
		if got := r.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func TestBytesPassUntouched(t *testing.T) {
	bodies := []string{"", "x", "\xff\xfe\x00 not UTF-8", "{\"a\":9007199254740993}\r\n", strings.Repeat("é", 70_000)}
	for path, method := range map[string]string{"/v1/score": "score", "/v1/check": "check", "/v1/score?a=b": "score"} {
		for _, body := range bodies {
			d := &door{answer: "{ \"raw\" : \"<&>\xff\" }\n", ok: true}
			r := sendRequest(Handler(Options{Handle: d.recordCall}), "POST", path, strings.NewReader(body))
			got, _ := io.ReadAll(r.Body)
			if r.StatusCode != 200 || string(got) != d.answer {
				t.Errorf("%s: got %d %q", path, r.StatusCode, got)
			}
			if d.method != method || string(d.body) != body {
				t.Errorf("%s: the door saw %q with %d bytes, want %q with %d", path, d.method, len(d.body), method, len(body))
			}
			wantHeaders(t, r)
		}
	}
}

// TestSameAsDoor checks that the handler gives the same answers as wire.Handle.
func TestSameAsDoor(t *testing.T) {
	for _, body := range []string{"", "[", "\x89PNG\r\n", `[{"name":"a","arguments":{}}]`, `{"tool":"cancel_order","arguments":{}}`} {
		for _, method := range []string{"score", "check"} {
			want, ok := wire.Handle(method, []byte(body))
			r := sendRequest(Handler(Options{}), "POST", "/v1/"+method, strings.NewReader(body))
			got, _ := io.ReadAll(r.Body)
			if !bytes.Equal(got, want) || ok != (r.StatusCode == 200) {
				t.Errorf("%s %q: got %d %q, the door says %v %q", method, body, r.StatusCode, got, ok, want)
			}
		}
	}
}

// TestBrokenRun checks that a run whose scoring panics loses no other run of a request.
func TestBrokenRun(t *testing.T) {
	defer faults.Cause(func(id string) bool { return id == "b" })()
	body := `{"trajectories":[{"id":"a","actions":[{"name":"get_x"}]},{"id":"b","actions":[{"name":"get_x"}]},{"id":"c","actions":[{"name":"pay"}]}]}`
	r := sendRequest(Handler(Options{}), "POST", "/v1/score", strings.NewReader(body))
	var got core.Report
	if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
		t.Fatal(err)
	}
	if r.StatusCode != 200 || len(got.Trajectories) != 3 || got.Corpus.N != 2 || len(got.Warnings) != 1 || got.Warnings[0].Code != core.Internal || got.Warnings[0].Trajectory != "b" {
		t.Fatalf("status %d: %+v", r.StatusCode, got)
	}
	for i, t2 := range got.Trajectories {
		if broken := i == 1; (t2.Error != nil) != broken || (len(t2.Observed) == 0) != broken {
			t.Errorf("run %s: error %+v, %d actions", t2.ID, t2.Error, len(t2.Observed))
		}
	}
}

func TestHealth(t *testing.T) {
	r := sendRequest(Handler(Options{}), "GET", "/healthz", nil)
	var got struct {
		OK bool
		wire.Handshake
	}
	if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
		t.Fatal(err)
	}
	if r.StatusCode != 200 || !got.OK || got.Wire != wire.Version || got.Name != "boundcheck" || !slices.Equal(got.Methods, wire.Methods()) {
		t.Errorf("got %d %+v", r.StatusCode, got)
	}
	wantHeaders(t, r)
}

func TestHead(t *testing.T) {
	s := httptest.NewServer(Handler(Options{}))
	defer s.Close()
	for path, status := range map[string]int{"/healthz": 200, "/v1/score": 405, "/v1/check": 405, "/nothing": 404} {
		r, err := http.Head(s.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r.Body)
		r.Body.Close()
		if r.StatusCode != status || len(body) != 0 || err != nil || r.ContentLength <= 0 {
			t.Errorf("%s: got %d with %d body bytes, %v", path, r.StatusCode, len(body), err)
		}
		wantHeaders(t, r)
	}
}

func TestWrongMethod(t *testing.T) {
	for path, allow := range map[string]string{"/v1/score": "POST", "/v1/check": "POST", "/healthz": "GET, HEAD"} {
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"} {
			if slices.Contains(strings.Split(allow, ", "), method) {
				continue
			}
			r := sendRequest(Handler(Options{}), method, path, strings.NewReader("{}"))
			if got := r.Header.Get("Allow"); got != allow {
				t.Errorf("%s %s: Allow is %q, want %q", method, path, got, allow)
			}
			readRefusal(t, r, 405, wire.CodeMethod)
		}
	}
}

func TestUnknownPath(t *testing.T) {
	for _, path := range []string{"/", "/v1", "/v1/", "/v1/score/", "//v1/score", "/V1/score", "/v1/version", "/healthz/x", "/v1/../v1/score"} {
		for _, method := range []string{"GET", "POST"} {
			readRefusal(t, sendRequest(Handler(Options{}), method, path, nil), 404, wire.CodeMethod)
		}
	}
	if len(api.Paths()) != 3 {
		t.Errorf("routes are %q: add the new ones to the tests", api.Paths())
	}
}

func TestLimit(t *testing.T) {
	for path, limit := range map[string]int{"/v1/score": api.BodyLimit, "/v1/check": api.CheckLimit} {
		checkLimit(t, path, limit)
	}
}

func checkLimit(t *testing.T, path string, limit int) {
	body := bytes.Repeat([]byte{'x'}, limit+1)
	for name, wrap := range map[string]func([]byte) io.Reader{
		"announced": func(b []byte) io.Reader { return bytes.NewReader(b) },
		"chunked":   func(b []byte) io.Reader { return io.MultiReader(bytes.NewReader(b)) },
	} {
		t.Run(path+" "+name, func(t *testing.T) {
			d := &door{answer: "{}\n", ok: true}
			h := Handler(Options{Handle: d.recordCall})
			r := sendRequest(h, "POST", path, wrap(body[:limit]))
			if r.StatusCode != 200 || len(d.body) != limit {
				t.Errorf("at the limit: got %d, the door saw %d bytes", r.StatusCode, len(d.body))
			}
			d.body = nil
			readRefusal(t, sendRequest(h, "POST", path, wrap(body)), 413, wire.CodeTooLarge)
			if d.body != nil {
				t.Error("over the limit: the door was called")
			}
		})
	}
}

// TestLimitOverNetwork checks that a real server refuses a body over the limit while the
// client is still sending it.
func TestLimitOverNetwork(t *testing.T) {
	s := httptest.NewServer(Handler(Options{}))
	defer s.Close()
	for name, body := range map[string]io.Reader{
		"announced": bytes.NewReader(make([]byte, 2*api.BodyLimit)),
		"chunked":   io.MultiReader(bytes.NewReader(make([]byte, api.BodyLimit+1))),
	} {
		r, err := http.Post(s.URL+"/v1/check", "application/json", body)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		readRefusal(t, r, 413, wire.CodeTooLarge)
		r.Body.Close()
	}
}

func TestAnnouncedTooLongIsNotRead(t *testing.T) {
	r := httptest.NewRequest("POST", "/v1/score", failing{errors.New("must not be read")})
	r.ContentLength = api.BodyLimit + 1
	w := httptest.NewRecorder()
	Handler(Options{}).ServeHTTP(w, r)
	readRefusal(t, w.Result(), 413, wire.CodeTooLarge)
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestUnreadableBody(t *testing.T) {
	e := readRefusal(t, sendRequest(Handler(Options{}), "POST", "/v1/score", failing{io.ErrUnexpectedEOF}), 400, wire.CodeInput)
	if !strings.Contains(e.Message, "unexpected EOF") {
		t.Errorf("the message %q does not say why", e.Message)
	}
}

func TestMissingBody(t *testing.T) {
	r := httptest.NewRequest("POST", "/v1/score", nil)
	r.Body = nil // as the edge's handler has it
	d := &door{answer: "{}\n", ok: true}
	w := httptest.NewRecorder()
	Handler(Options{Handle: d.recordCall}).ServeHTTP(w, r)
	if w.Code != 200 || len(d.body) != 0 {
		t.Errorf("got %d, the door saw %d bytes", w.Code, len(d.body))
	}
}

func TestContentEncoding(t *testing.T) {
	for encoding, status := range map[string]int{"gzip": 415, "br": 415, "gzip, identity": 415, "": 200, "identity": 200, " Identity ": 200} {
		d := &door{answer: "{}\n", ok: true}
		r := httptest.NewRequest("POST", "/v1/score", strings.NewReader("x"))
		r.Header.Set("Content-Encoding", encoding)
		w := httptest.NewRecorder()
		Handler(Options{Handle: d.recordCall}).ServeHTTP(w, r)
		if w.Code != status {
			t.Errorf("%q: got %d, want %d", encoding, w.Code, status)
		}
		if status == 415 {
			readRefusal(t, w.Result(), 415, wire.CodeInput)
			if w.Header().Get("Accept-Encoding") != "identity" {
				t.Errorf("%q: the answer does not say what is accepted", encoding)
			}
		}
	}
}

func TestStatusOfCodes(t *testing.T) {
	for answer, status := range map[string]int{
		string(wire.Fail(wire.CodeInput, "m")):    400,
		string(wire.Fail(wire.CodeMethod, "m")):   404,
		string(wire.Fail(wire.CodeTooLarge, "m")): 413,
		string(wire.Fail(wire.CodeInternal, "m")): 500,
		string(wire.Fail("new-code", "m")):        500,
		"not JSON\n":                              500,
	} {
		d := &door{answer: answer}
		r := sendRequest(Handler(Options{Handle: d.recordCall}), "POST", "/v1/score", nil)
		if got, _ := io.ReadAll(r.Body); r.StatusCode != status || string(got) != answer {
			t.Errorf("%q: got %d %q, want %d and the same bytes", answer, r.StatusCode, got, status)
		}
		if r = sendRequest(Handler(Options{Handle: d.recordCall}), "GET", "/healthz", nil); r.StatusCode != status {
			t.Errorf("%q: healthz answers %d, want %d", answer, r.StatusCode, status)
		}
	}
}

func TestPanic(t *testing.T) {
	h := Handler(Options{Handle: func(string, []byte, func() error) ([]byte, bool) { panic("of our own") }})
	for _, path := range []string{"/v1/score", "/v1/check"} {
		e := readRefusal(t, sendRequest(h, "POST", path, strings.NewReader("{}")), 500, wire.CodeInternal)
		if !strings.Contains(e.Message, "of our own") || !strings.Contains(e.Message, path) {
			t.Errorf("the message %q does not say what and where", e.Message)
		}
	}
	readRefusal(t, sendRequest(h, "GET", "/healthz", nil), 500, wire.CodeInternal)
}

func TestOwnLimit(t *testing.T) {
	d := &door{answer: "{}\n", ok: true}
	h := Handler(Options{Limit: 3, Handle: d.recordCall})
	if r := sendRequest(h, "POST", "/v1/score", strings.NewReader("abc")); r.StatusCode != 200 {
		t.Errorf("got %d at the limit", r.StatusCode)
	}
	e := readRefusal(t, sendRequest(h, "POST", "/v1/score", strings.NewReader("abcd")), 413, wire.CodeTooLarge)
	if !strings.Contains(e.Message, "3 bytes") {
		t.Errorf("the message %q does not name the limit", e.Message)
	}
}
