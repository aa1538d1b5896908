package export

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/render"
)

// savedHTML writes a report as the same HTML page that the command writes.
func savedHTML(w io.Writer, r *report.Report, files []string) {
	writeHTML(w, render.SavedPage(), r, files)
}

// findPart returns the text between a match of the regular expression open and a match of
// the regular expression end. The test fails if the page does not contain exactly one
// such text.
func findPart(t *testing.T, page []byte, open, end string) string {
	t.Helper()
	all := regexp.MustCompile(open+`(?s)(.*?)`+end).FindAllSubmatch(page, -1)
	if len(all) != 1 {
		t.Fatalf("%d of %s, want one", len(all), open)
	}
	return string(all[0][1])
}

// TestHTMLStandsAlone checks that the page loads no other file.
func TestHTMLStandsAlone(t *testing.T) {
	page := renderReport(savedHTML, &report.Report{}, "a.json")
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

// TestHTMLReport checks that the page contains the report byte for byte, except that "<"
// is escaped. No text of the report must be able to close the HTML element that contains
// the report.
func TestHTMLReport(t *testing.T) {
	r := sampleReport()
	page := renderReport(savedHTML, r, "a.json")
	text := findPart(t, page, `<script type="application/json" id="report">`, `</script>`)
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
	check := func(want string, r *report.Report, files ...string) {
		t.Helper()
		page := renderReport(savedHTML, r, files...)
		if got := findPart(t, page, `<title>`, `</title>`); got != "Boundcheck: "+want || findPart(t, page, `<body data-source="`, `"`) != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	check("stdin, generic", &report.Report{Input: report.Input{Format: "generic"}}, "-")
	check("&lt;/title&gt;&#34;\\u{1B}, x", &report.Report{Input: report.Input{Format: "x"}}, "</title>\"\x1b")
	check("2 files, mixed", sampleReport(), "a b.json", "-")
}
