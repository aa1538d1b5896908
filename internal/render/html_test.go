package render

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/wire"
)

// part returns the text between the only match of open and the first end after it.
func part(t *testing.T, page []byte, open, end string) string {
	t.Helper()
	all := regexp.MustCompile(open+`(?s)(.*?)`+end).FindAllSubmatch(page, -1)
	if len(all) != 1 {
		t.Fatalf("%d of %s, want one", len(all), open)
	}
	return string(all[0][1])
}

// TestHTMLPolicy checks that the policy allows the style and the script of the page, and
// no others.
func TestHTMLPolicy(t *testing.T) {
	page := rendered(HTML, sampleReport(), "a.json")
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

// TestHTMLStandsAlone checks that the page loads no other file.
func TestHTMLStandsAlone(t *testing.T) {
	page := rendered(HTML, &core.Report{}, "a.json")
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

// TestHTMLReport checks that the page holds the report byte for byte, except that "<" is
// escaped, and that no text of the report can close its element.
func TestHTMLReport(t *testing.T) {
	r := sampleReport()
	page := rendered(HTML, r, "a.json")
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
		page := rendered(HTML, r, files...)
		if got := part(t, page, `<title>`, `</title>`); got != "Boundcheck: "+want || part(t, page, `<body data-source="`, `"`) != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	check("stdin, generic", &core.Report{Input: core.Input{Format: "generic"}}, "-")
	check("&lt;/title&gt;&#34;\\u{1B}, x", &core.Report{Input: core.Input{Format: "x"}}, "</title>\"\x1b")
	check("2 files, mixed", sampleReport(), "a b.json", "-")
}
