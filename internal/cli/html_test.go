package cli

import (
	"bytes"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/wire"
)

// part is the text of the one element that an expression opens.
func part(t *testing.T, page []byte, open, end string) string {
	t.Helper()
	all := regexp.MustCompile(open+`(?s)(.*?)`+end).FindAllSubmatch(page, -1)
	if len(all) != 1 {
		t.Fatalf("%d of %s, want one", len(all), open)
	}
	return string(all[0][1])
}

// The policy allows the style and the script that stand there, and no others.
func TestHTMLPolicy(t *testing.T) {
	page := rendered(writeHTML, sampleReport(), "a.json")
	policy := part(t, page, `http-equiv="Content-Security-Policy" content="`, `"`)
	style, script := part(t, page, `<style>`, `</style>`), part(t, page, `<script type="module">`, `</script>`)
	want := fmt.Sprintf("default-src 'none'; script-src '%s'; style-src '%s'; img-src data:; base-uri 'none'; form-action 'none'", digest(script), digest(style))
	if got := strings.ReplaceAll(policy, "&#39;", "'"); got != want {
		t.Errorf("the policy is\n%s\nwant\n%s", got, want)
	}
	if digest("") != "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=" {
		t.Error("a digest is not what browsers make of the text")
	}
}

// Nothing in the file asks for another one.
func TestHTMLStandsAlone(t *testing.T) {
	page := rendered(writeHTML, &core.Report{}, "a.json")
	if m := regexp.MustCompile(`(?:src|href)="(?:[^"d][^"]*|d[^a][^"]*)"|@import|url\(|fetch\(|XMLHttpRequest`).Find(page); m != nil {
		t.Errorf("it asks for %s", m)
	}
	if i := bytes.IndexByte(page, '\r'); i >= 0 {
		t.Errorf("a carriage return at byte %d: browsers hash another text", i)
	}
	if m := regexp.MustCompile(`\{\{\w+\}\}`).Find(page); m != nil {
		t.Errorf("%s is not filled in", m)
	}
}

// The report stands there byte for byte, but for the spelling of "<", and no
// text of it can end its element.
func TestHTMLReport(t *testing.T) {
	r := sampleReport()
	page := rendered(writeHTML, r, "a.json")
	text := part(t, page, `<script type="application/json" id="report">`, `</script>`)
	if strings.Contains(text, "<") {
		t.Error("a < came through")
	}
	if got := strings.ReplaceAll(text, `\u003c`, "<"); got != string(wire.Marshal(r)) {
		t.Errorf("the report reads\n%s", got)
	}
	if n := bytes.Count(page, []byte("</script>")); n != 2 {
		t.Errorf("%d scripts end, want 2", n)
	}
}

func TestHTMLTitle(t *testing.T) {
	check := func(want string, r *core.Report, files ...string) {
		t.Helper()
		page := rendered(writeHTML, r, files...)
		if got := part(t, page, `<title>`, `</title>`); got != "Boundcheck: "+want || part(t, page, `<body data-source="`, `"`) != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	check("stdin, generic", &core.Report{Input: core.Input{Format: "generic"}}, "-")
	check("&lt;/title&gt;&#34;\\u{1B}, x", &core.Report{Input: core.Input{Format: "x"}}, "</title>\"\x1b")
	check("2 files, mixed", sampleReport(), "a b.json", "-")
}

// What a static host is told to send is what the command sends.
func TestHeadersAreServes(t *testing.T) {
	rules := map[string]string{}
	path := ""
	for _, line := range strings.Split(asset("_headers"), "\n") {
		name, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case !strings.HasPrefix(line, " "):
			path += line
		case ok && len(line) <= 2000: // the host cuts longer lines
			rules[http.CanonicalHeaderKey(name)] = value
		default:
			t.Errorf("invalid line %q", line)
		}
	}
	sent := serveGet(serveHandler(serveFolder(t), true), "GET", "/index.html", "localhost").Header
	for _, own := range []string{"Content-Type", "Cache-Control", "Etag", "Last-Modified", "Accept-Ranges", "Content-Length"} {
		sent.Del(own) // of the one file
	}
	if path != "/*" || len(rules) != len(sent) || rules["X-Content-Type-Options"] != "nosniff" ||
		!strings.Contains(rules["Content-Security-Policy"], "frame-ancestors 'none'") {
		t.Errorf("%s has %v; serve sends %v", path, rules, sent)
	}
	for name := range sent {
		if rules[name] != sent.Get(name) {
			t.Errorf("%s: %q, and serve sends %q", name, rules[name], sent.Get(name))
		}
	}
}
