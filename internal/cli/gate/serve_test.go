package gate

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/andybalholm/brotli"

	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/cli/clitest"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/cli/plugin"
	page "github.com/boundcheck/boundcheck/playground"
	"github.com/boundcheck/boundcheck/plugins/store"
)

// serveFolder creates the folder of a small playground, and returns its path. Next to the
// folder is a file that must not be served.
func serveFolder(t *testing.T) string {
	t.Helper()
	top := t.TempDir()
	for name, text := range map[string]string{
		"secret.txt":              "secret",
		"site/index.html":         "<p>home",
		"site/app.mjs":            "export {}",
		"site/core.wasm":          "\x00asm",
		"site/.hidden":            "hidden",
		"site/lesson/index.html":  "<p>lesson",
		"site/data/one.json":      "{}",
		"site/data/strange.thing": "?",
	} {
		file := filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../secret.txt", filepath.Join(top, "site", "link.txt")); err != nil {
		t.Log("no symbolic links here:", err)
	}
	return filepath.Join(top, "site")
}

func serveGet(h http.Handler, method, target, host string) *http.Response {
	r := httptest.NewRequest(method, "http://x/", nil)
	r.URL.Path, _, _ = strings.Cut(target, "?")
	r.Host = host
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func serveText(r *http.Response) string {
	b, _ := io.ReadAll(r.Body)
	return string(b)
}

func TestServePlayground(t *testing.T) {
	h := serveHandler(pageIn(serveFolder(t)), true, nil)
	for target, want := range map[string][2]string{
		"/":                   {"text/html; charset=utf-8", "<p>home"},
		"/?q=1":               {"text/html; charset=utf-8", "<p>home"},
		"/index.html":         {"text/html; charset=utf-8", "<p>home"},
		"/app.mjs":            {"text/javascript; charset=utf-8", "export {}"},
		"/core.wasm":          {"application/wasm", "\x00asm"},
		"/lesson/":            {"text/html; charset=utf-8", "<p>lesson"},
		"/data/one.json":      {"application/json", "{}"},
		"/data/strange.thing": {"application/octet-stream", "?"},
	} {
		r := serveGet(h, "GET", target, "localhost:8080")
		if text := serveText(r); r.StatusCode != 200 || r.Header.Get("Content-Type") != want[0] || text != want[1] {
			t.Errorf("%s: got %d %q %q, want %q", target, r.StatusCode, r.Header.Get("Content-Type"), text, want)
		}
		if p := r.Header.Get("Content-Security-Policy"); !strings.Contains(p, "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:;") || strings.Contains(p, "unsafe-inline") {
			t.Errorf("%s: policy is %q", target, p)
		}
		if r.Header.Get("Cache-Control") != "no-cache" || r.Header.Get("ETag") == "" || r.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: headers are %v", target, r.Header)
		}
	}
}

func TestServeKeepsToItsFolder(t *testing.T) {
	h := serveHandler(pageIn(serveFolder(t)), true, nil)
	for _, target := range []string{"/../secret.txt", "/lesson/../../secret.txt", "/link.txt", "/.hidden", "/data/", "/data", "/nothing", "/v1/nothing", "/nul\x00", `/..\secret.txt`} {
		r := serveGet(h, "GET", target, "localhost")
		var e struct{ Error wire.Error }
		if err := json.Unmarshal([]byte(serveText(r)), &e); err != nil || r.StatusCode != 404 || e.Error.Code != wire.CodeMethod {
			t.Errorf("%q: got %d %+v %v, want 404 in an envelope", target, r.StatusCode, e, err)
		}
	}
	if r := serveGet(h, "POST", "/index.html", "localhost"); r.StatusCode != 404 {
		t.Errorf("POST to a file: got %d", r.StatusCode)
	}
	for _, target := range []string{"/lesson", "//lesson"} {
		if r := serveGet(h, "GET", target, "localhost"); r.StatusCode != 307 || r.Header.Get("Location") != "lesson/" {
			t.Errorf("%s: got %d to %q", target, r.StatusCode, r.Header.Get("Location"))
		}
	}
}

// TestServeCompressed checks that a browser gets compressed files if it accepts a
// compression. The unpacked files must have the original bytes.
func TestServeCompressed(t *testing.T) {
	folder := serveFolder(t)
	script := strings.Repeat("export const a = 1;\n", 4000)
	if err := os.WriteFile(filepath.Join(folder, "long.js"), []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	h := serveHandler(pageIn(folder), true, nil)
	get := func(accept, tag string) *http.Response {
		r := httptest.NewRequest("GET", "/long.js", nil)
		r.Host = "localhost"
		r.Header.Set("Accept-Encoding", accept)
		r.Header.Set("If-None-Match", tag)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Result()
	}
	for accept, want := range map[string]string{"gzip, deflate, br, zstd": "br", "br": "br", "gzip": "gzip", "br;q=0, gzip;q=0.5": "gzip", "identity": "", "zstd": "", "gzip;q=0": ""} {
		r := get(accept, "")
		if r.StatusCode != 200 || r.Header.Get("Content-Encoding") != want || r.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: %d %v", accept, r.StatusCode, r.Header)
			continue
		}
		body, _ := io.ReadAll(r.Body)
		switch want {
		case "br":
			body, _ = io.ReadAll(brotli.NewReader(bytes.NewReader(body)))
		case "gzip":
			d, err := gzip.NewReader(bytes.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			body, _ = io.ReadAll(d)
		}
		if string(body) != script {
			t.Errorf("%s: %d bytes, want %d", accept, len(body), len(script))
		}
		if again := get(accept, r.Header.Get("ETag")); again.StatusCode != 304 {
			t.Errorf("%s: the same file again: %d", accept, again.StatusCode)
		}
	}
}

// TestServeUncompressed checks that a large file is compressed for each browser but one on
// this machine, which would wait for that longer than for the file.
func TestServeUncompressed(t *testing.T) {
	folder := serveFolder(t)
	for name, size := range map[string]int{"large.wasm": largestWait + 1, "small.wasm": 1 << 16} {
		if err := os.WriteFile(filepath.Join(folder, name), bytes.Repeat([]byte("a"), size), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h := serveHandler(pageIn(folder), true, nil)
	for _, x := range []struct{ name, from, header, want string }{
		{"large.wasm", "127.0.0.1:7", "", ""}, {"large.wasm", "[::1]:7", "", ""}, {"small.wasm", "127.0.0.1:7", "", "br"},
		{"large.wasm", "192.0.2.7:7", "", "br"}, {"large.wasm", "127.0.0.1:7", "X-Forwarded-For", "br"}, {"large.wasm", "127.0.0.1:7", "Via", "br"},
	} {
		r := httptest.NewRequest("GET", "/"+x.name, nil)
		r.Host, r.RemoteAddr = "localhost", x.from
		r.Header.Set("Accept-Encoding", "br")
		if x.header != "" {
			r.Header.Set(x.header, "192.0.2.7")
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if got := w.Header().Get("Content-Encoding"); w.Code != 200 || got != x.want {
			t.Errorf("%+v: %d, coding %q", x, w.Code, got)
		}
	}
}

// TestServePrecompressed checks that a request for NAME is answered with the file NAME.br
// if the browser accepts Brotli and does not ask for a range. The content type is that of
// NAME.
func TestServePrecompressed(t *testing.T) {
	folder := serveFolder(t)
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a.wasm", "plain")
	write("a.wasm.br", "packed")
	write("b.js", "no folder")
	if err := os.Mkdir(filepath.Join(folder, "b.js.br"), 0o700); err != nil {
		t.Fatal(err)
	}
	h := serveHandler(pageIn(folder), true, nil)
	tags := map[string]bool{}
	for _, c := range []struct{ path, accept, ranges, body, coding, kind string }{
		{"/a.wasm", "gzip, br", "", "packed", "br", "application/wasm"},
		{"/a.wasm", "gzip, br;q=0", "", "plain", "", "application/wasm"},
		{"/a.wasm", "br", "bytes=1-2", "la", "", "application/wasm"},
		{"/b.js", "br", "", "no folder", "", "text/javascript; charset=utf-8"},
	} {
		r := httptest.NewRequest("GET", c.path, nil)
		r.Host = "localhost"
		r.Header.Set("Accept-Encoding", c.accept)
		if c.ranges != "" {
			r.Header.Set("Range", c.ranges)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if got := w.Header(); w.Body.String() != c.body || got.Get("Content-Encoding") != c.coding || got.Get("Content-Type") != c.kind || got.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%+v: got %q, %v", c, w.Body, got)
		}
		tags[w.Header().Get("ETag")] = true
	}
	if len(tags) != 3 { // the file itself, the packed file, the script
		t.Errorf("tags of three different answers: %v", tags)
	}
}

func TestServeNotModified(t *testing.T) {
	h := serveHandler(pageIn(serveFolder(t)), true, nil)
	tag := serveGet(h, "GET", "/core.wasm", "localhost").Header.Get("ETag")
	r := httptest.NewRequest("GET", "/core.wasm", nil)
	r.Host = "localhost"
	r.Header.Set("If-None-Match", tag)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != 304 || w.Body.Len() != 0 {
		t.Errorf("got %d with %d bytes", w.Code, w.Body.Len())
	}
}

func TestServeWithoutPlayground(t *testing.T) {
	h := serveHandler(pageIn(filepath.Join(t.TempDir(), "none")), true, nil)
	r := serveGet(h, "GET", "/", "localhost")
	if text := serveText(r); r.StatusCode != 503 || !strings.Contains(text, "make playground") || !strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") {
		t.Errorf("got %d %q", r.StatusCode, text)
	}
	if r := serveGet(h, "GET", "/healthz", "localhost"); r.StatusCode != 200 {
		t.Errorf("healthz: got %d", r.StatusCode)
	}
}

// TestServePageIsNotFoundByDirectory checks that the page is not read from the working
// directory, because its scripts are code.
func TestServePageIsNotFoundByDirectory(t *testing.T) {
	top := t.TempDir()
	forged := filepath.Join(top, "dist", "playground")
	if err := os.MkdirAll(forged, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{filepath.Join(forged, "index.html"), filepath.Join(top, "go.mod")} {
		if err := os.WriteFile(name, []byte("module github.com/boundcheck/boundcheck\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(top)
	if page := findPage(); page != nil {
		if text, _ := fs.ReadFile(page, "index.html"); strings.HasPrefix(string(text), "module") {
			t.Error("a page in the working directory is served")
		}
	}
}

// TestServeSaysWhatItServes checks that the message of serve names the page only if there
// is a page.
func TestServeSaysWhatItServes(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var out, trouble bytes.Buffer
	if code := serveUntil(ctx, []string{"--addr", "localhost:0"}, &out, &trouble); code != 0 {
		t.Fatal(code, trouble.String())
	}
	if page := findPage() != nil; strings.Contains(out.String(), "playground and API") != page || strings.Contains(trouble.String(), "no playground") == page {
		t.Errorf("with a page %t it said %q and %q", page, out.String(), trouble.String())
	}
}

func TestServeHost(t *testing.T) {
	folder := serveFolder(t)
	for host, own := range map[string]bool{
		"localhost": true, "localhost:8080": true, "LocalHost:1": true, "127.0.0.1": true, "127.0.0.1:99": true,
		"127.9.9.9": true, "[::1]": true, "[::1]:8080": true,
		"": false, "evil.example": false, "evil.example:8080": false, "localhost.evil.example": false,
		"127.0.0.1.evil.example": false, "10.0.0.1:8080": false, "[::2]:8080": false, "localhost:80:80": false,
	} {
		for _, target := range []string{"/", "/healthz", "/v1/score"} {
			r := serveGet(serveHandler(pageIn(folder), true, nil), "GET", target, host)
			if got := r.StatusCode != http.StatusMisdirectedRequest; got != own {
				t.Errorf("host %q, %s: got %d", host, target, r.StatusCode)
			}
		}
		if r := serveGet(serveHandler(pageIn(folder), false, nil), "GET", "/healthz", host); r.StatusCode != 200 {
			t.Errorf("host %q, not bound to loopback: got %d", host, r.StatusCode)
		}
	}
}

func TestServeArgs(t *testing.T) {
	folder := serveFolder(t)
	for _, c := range []struct {
		port string
		args []string
		addr string // empty: an error
	}{
		{"", nil, "localhost:8080"},
		{"9000", nil, "localhost:9000"},
		{"9000", []string{"--addr", "127.0.0.1:9001"}, "127.0.0.1:9001"},
		{"junk", []string{"--addr=:0"}, ":0"},
		{"", []string{"--addr", "[::1]:80", "--playground", folder}, "[::1]:80"},
		{"junk", nil, ""},
		{"70000", nil, ""},
		{"", []string{"--addr", "8080"}, ""},
		{"", []string{"--addr", "localhost"}, ""},
		{"", []string{"--addr", "localhost:http"}, ""},
		{"", []string{"--nonsense"}, ""},
		{"", []string{"extra"}, ""},
		{"", []string{"--playground", filepath.Join(folder, "data")}, ""},
	} {
		t.Setenv("PORT", c.port)
		addr, _, _, err := serveArgs(c.args)
		if addr != c.addr || (err != nil) != (c.addr == "") {
			t.Errorf("PORT=%q %q: got %q, %v", c.port, c.args, addr, err)
		}
		if c.addr != "" {
			continue
		}
		var out, trouble bytes.Buffer
		if code := serveUntil(t.Context(), c.args, &out, &trouble); code != 2 || strings.Count(trouble.String(), "\n") != 1 {
			t.Errorf("PORT=%q %q: exit %d, %q", c.port, c.args, code, trouble.String())
		}
	}
}

func TestServeHelp(t *testing.T) {
	var out, trouble bytes.Buffer
	if code := serveUntil(t.Context(), []string{"--help"}, &out, &trouble); code != 0 || out.String() != serveUsage || trouble.Len() != 0 {
		t.Errorf("exit %d, %q, %q", code, out.String(), trouble.String())
	}
}

func TestServeBusyPort(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	var out, trouble bytes.Buffer
	code := serveUntil(t.Context(), []string{"--addr", taken.Addr().String()}, &out, &trouble)
	_, port, _ := net.SplitHostPort(taken.Addr().String())
	text := trouble.String()
	if code != 1 || !strings.Contains(text, "port "+port+" is in use") || !strings.Contains(text, "--addr 127.0.0.1:") || strings.Count(text, "\n") != 1 {
		t.Errorf("exit %d, %q", code, text)
	}
	if out.Len() != 0 {
		t.Errorf("it said %q all the same", out.String())
	}
}

// TestServeRuns starts the server, sends requests over the network, and stops the server.
func TestServeRuns(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	var out, trouble clitest.LockedBuffer
	ended := make(chan int)
	go func() {
		ended <- serveUntil(ctx, []string{"--addr", "localhost:0", "--playground", serveFolder(t)}, &out, &trouble)
	}()
	var url string
	for until := time.Now().Add(10 * time.Second); url == "" && time.Now().Before(until); time.Sleep(5 * time.Millisecond) {
		if _, rest, ok := strings.Cut(out.String(), "Boundcheck is at "); ok {
			url, _, _ = strings.Cut(rest, " ")
		}
	}
	if !strings.HasPrefix(url, "http://localhost:") {
		t.Fatalf("it said %q and %q", out.String(), trouble.String())
	}
	for path, want := range map[string]int{"/": 200, "/healthz": 200, "/v1/score": 405, "/nothing": 404} {
		r, err := http.Get(url + path)
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		if r.StatusCode != want {
			t.Errorf("%s: got %d, want %d", path, r.StatusCode, want)
		}
	}
	stop()
	select {
	case code := <-ended:
		if code != 0 || trouble.String() != "" {
			t.Errorf("exit %d, %q", code, trouble.String())
		}
	case <-time.After(10 * time.Second):
		t.Fatal("it does not stop")
	}
}

// TestHeadersAreServes checks that the file _headers has the same headers that serve
// sends. A static host reads this file. Only embed.html may be shown in a frame.
func TestHeadersAreServes(t *testing.T) {
	rules, removed := map[string]http.Header{}, map[string]string{}
	path := ""
	headers, err := page.Files.ReadFile("_headers")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(headers)) {
		line = strings.TrimRight(line, "\r\n")
		name, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case !strings.HasPrefix(line, " "):
			path = line
			rules[path] = http.Header{}
		case strings.HasPrefix(name, "! "):
			removed[path] = strings.TrimPrefix(name, "! ")
		case ok && len(line) <= 2000: // the host cuts longer lines
			rules[path].Set(name, value)
		default:
			t.Errorf("invalid line %q", line)
		}
	}
	sent := func(path string) http.Header {
		h := serveGet(serveHandler(pageIn(serveFolder(t)), true, nil), "GET", path, "localhost").Header
		for _, own := range []string{"Content-Type", "Cache-Control", "Etag", "Last-Modified", "Accept-Ranges", "Content-Length", "Vary"} {
			h.Del(own) // of the one file
		}
		return h
	}
	const policy = "Content-Security-Policy"
	all, framed := rules["/*"], rules["/embed*"]
	if len(rules) != 2 || all.Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(all.Get(policy), "frame-ancestors 'none'") {
		t.Errorf("the rules are %v", rules)
	}
	if got := sent("/index.html"); !reflect.DeepEqual(got, all) {
		t.Errorf("serve sends %v, a host %v", got, all)
	}
	if removed["/embed*"] != policy || len(framed) != 1 || framed.Get(policy) != strings.Replace(all.Get(policy), "'none'; frame-ancestors 'none'", "'none'; frame-ancestors *", 1) {
		t.Errorf("embed has %v, without %q", framed, removed["/embed*"])
	}
	all.Set(policy, framed.Get(policy))
	if got := sent("/embed.html"); !reflect.DeepEqual(got, all) {
		t.Errorf("serve sends %v for embed.html, a host %v", got, all)
	}
	for _, other := range []string{"/", "/embed.js", "/docs/embed.html", "/v1/embed.html"} {
		if got := sent(other).Get(policy); !strings.Contains(got, "frame-ancestors 'none'") {
			t.Errorf("%s may be framed: %s", other, got)
		}
	}
}

// TestServeInstalled checks that the page offers the installed plugins that the lock
// names, with their address and hash. A plugin must not be offered if the lock does not
// name it, or if the lock has another hash.
func TestServeInstalled(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv(store.EnvDir, filepath.Join(dir, "store"))
	wasm := clitest.CalbenchModule("1.0.0")
	clitest.SpoilFile(t, dir, "calbench.wasm", string(wasm))
	if code := plugin.Plugin([]string{"add", "calbench.wasm"}, strings.NewReader(""), io.Discard, os.Stderr); code != cmd.ExitOK {
		t.Fatalf("plugin add: exit %d", code)
	}
	pages := fstest.MapFS{"index.html": {Data: []byte("<!doctype html>")}, pageCatalog: {Data: []byte(`{"modules":[{"file":"bundled.wasm"}],"plugins":[{"module":0,"description":{"name":"prompts"}}]}`)}}
	offered := func() (catalog string, module []byte, said string) {
		t.Helper()
		var errs bytes.Buffer
		files, err := withInstalled(t.Context(), pages, &errs)
		if err != nil {
			t.Fatal(err)
		}
		get := func(path string) []byte {
			w := httptest.NewRecorder()
			r := httptest.NewRequest("GET", "http://localhost/"+path, nil)
			if serveHandler(files, true, nil).ServeHTTP(w, r); w.Code != 200 {
				return nil
			}
			return w.Body.Bytes()
		}
		return string(get(pageCatalog)), get("plugins/installed/calbench.wasm"), errs.String()
	}
	catalog, module, _ := offered()
	if !bytes.Equal(module, wasm) || !strings.Contains(catalog, `"file":"bundled.wasm"`) || !strings.Contains(catalog, `"file":"installed/calbench.wasm"`) ||
		!strings.Contains(catalog, `"sha256":"`+store.Sum(wasm)+`"`) || !strings.Contains(catalog, `{"module":1,"description":{"abi":1,"name":"calbench"`) {
		t.Errorf("%d bytes, catalog %s", len(module), catalog)
	}
	clitest.SpoilFile(t, filepath.Join(dir, "store"), "calbench.wasm", string(clitest.CalbenchModule("1.0.1")))
	if catalog, module, said := offered(); module != nil || strings.Contains(catalog, "calbench") || !strings.Contains(said, "(hash-mismatch)") {
		t.Errorf("%d bytes, catalog %s, %s", len(module), catalog, said)
	}
	os.Remove("boundcheck-plugins.lock")
	if catalog, module, said := offered(); module != nil || strings.Contains(catalog, "calbench") || said != "" {
		t.Errorf("%d bytes, catalog %s, %s", len(module), catalog, said)
	}
}

// TestServeWatchArguments checks what serve says to wrong arguments.
func TestServeWatchArguments(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--watch", filepath.Join(t.TempDir(), "none")}, "watch: stat"},
		{[]string{"--otlp", "--addr", "0.0.0.0:0"}, "only this machine"},
	} {
		var out, errs bytes.Buffer
		if code := serveUntil(t.Context(), c.args, &out, &errs); code != cmd.ExitUsage || !strings.Contains(errs.String(), c.want) {
			t.Errorf("%q: %d %s", c.args, code, errs.String())
		}
	}
}
