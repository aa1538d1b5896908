package live

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
)

const exportedSpan = `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331","name":"execute_tool cancel_order","startTimeUnixNano":"1","endTimeUnixNano":"2",
	"attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"execute_tool"}},{"key":"gen_ai.tool.name","value":{"stringValue":"cancel_order"}},{"key":"gen_ai.tool.call.arguments","value":{"stringValue":"{\"order_id\":\"W-7\"}"}}]}]}]}]}`

// askWatched sends a request to a server that watches.
func askWatched(live *Watched, method, target, body string, headers ...string) *http.Response {
	r := httptest.NewRequest(method, "http://localhost:8080"+target, strings.NewReader(body))
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	if !live.Serve(w, r) {
		w.WriteHeader(http.StatusNotFound)
	}
	return w.Result()
}

func bodyText(r *http.Response) string {
	text, _ := io.ReadAll(r.Body)
	return string(text)
}

// TestWatchFiles checks that a folder's files are listed and read, each after each change,
// and that nothing else is.
func TestWatchFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	other := write("secret.txt", "s")
	folder := filepath.Join(dir, "runs")
	os.Mkdir(folder, 0o700)
	os.Mkdir(filepath.Join(folder, "inner"), 0o700)
	one := write("runs/one.jsonl", "1")
	write("runs/.hidden", "h")
	os.Symlink(other, filepath.Join(folder, "link.json"))
	live := &Watched{Paths: []string{folder}}
	list := func() (files []File) {
		if err := json.Unmarshal([]byte(bodyText(askWatched(live, "GET", "/watch/list", ""))), &files); err != nil {
			t.Fatal(err)
		}
		return files
	}
	before := list()
	if len(before) != 1 || before[0].Name != one || before[0].Size != 1 {
		t.Fatalf("%+v", before)
	}
	write("runs/one.jsonl", "12")
	if after := list(); len(after) != 1 || after[0].Changed == before[0].Changed {
		t.Errorf("no change: %+v", after)
	}
	if got := bodyText(askWatched(live, "GET", "/watch/file?name="+one, "")); got != "12" {
		t.Errorf("the file is %q", got)
	}
	for _, name := range []string{other, filepath.Join(folder, "link.json"), filepath.Join(folder, ".hidden"), folder + "/inner/../one.jsonl", "", "otlp.jsonl"} {
		if r := askWatched(live, "GET", "/watch/file?name="+name, ""); r.StatusCode != 404 {
			t.Errorf("%q: %d", name, r.StatusCode)
		}
	}
	for _, target := range []string{"/watch/list", "/watch/file?name=" + one, "/v1/traces"} {
		if r := askWatched(nil, "GET", target, ""); r.StatusCode == 200 {
			t.Errorf("%s is there without --watch", target)
		}
	}
	if r := askWatched(live, "POST", "/v1/traces", exportedSpan, "Content-Type", "application/json"); r.StatusCode == 200 {
		t.Error("spans were taken without --otlp")
	}
}

// TestTakeSpans checks that exported spans become a run, and which requests are refused.
func TestTakeSpans(t *testing.T) {
	live := &Watched{Receive: true}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(exportedSpan))
	z.Close()
	for _, c := range []struct {
		body, method string
		status       int
		headers      []string
	}{
		{exportedSpan, "POST", 200, []string{"Content-Type", "application/json"}},
		{packed.String(), "POST", 200, []string{"Content-Type", "application/json; charset=utf-8", "Content-Encoding", "gzip"}},
		{"", "POST", 200, []string{"Content-Type", "application/x-protobuf"}},
		{exportedSpan, "POST", 415, []string{"Content-Type", "text/plain"}},
		{exportedSpan, "GET", 405, []string{"Content-Type", "application/json"}},
		{exportedSpan, "POST", 403, []string{"Content-Type", "application/json", "Origin", "https://evil.example"}},
		{"{", "POST", 400, []string{"Content-Type", "application/json"}},
		{"x", "POST", 400, []string{"Content-Type", "application/json", "Content-Encoding", "gzip"}},
		{"\x0a\xff", "POST", 400, []string{"Content-Type", "application/x-protobuf"}},
	} {
		if r := askWatched(live, c.method, "/v1/traces", c.body, c.headers...); r.StatusCode != c.status {
			t.Errorf("%v: %d, want %d: %s", c.headers, r.StatusCode, c.status, bodyText(r))
		}
	}
	request, err := core.ReadRequest([]byte(bodyText(askWatched(live, "GET", "/watch/file?name=otlp.jsonl", ""))))
	if err != nil {
		t.Fatal(err)
	}
	report, err := core.Evaluate(request)
	if err != nil || len(report.Trajectories) != 1 || report.Trajectories[0].Observed[0].Name != "cancel_order" {
		t.Errorf("%v %+v", err, report.Trajectories)
	}
	live.size = largestFile
	if r := askWatched(live, "POST", "/v1/traces", exportedSpan, "Content-Type", "application/json"); r.StatusCode != 503 {
		t.Errorf("too many spans: %d", r.StatusCode)
	}
}
