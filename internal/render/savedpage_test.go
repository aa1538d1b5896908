package render

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// findPart returns the text of a page between a match of open and a match of end. Both
// parameters are regular expressions. The test fails if the page does not have exactly
// one such text.
func findPart(t *testing.T, page []byte, open, end string) string {
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
	page := []byte(SavedPage())
	policy := findPart(t, page, `http-equiv="Content-Security-Policy" content="`, `"`)
	style, script := findPart(t, page, `<style>`, `</style>`), findPart(t, page, `<script type="module">`, `</script>`)
	want := fmt.Sprintf("default-src 'none'; script-src '%s'; style-src '%s'; img-src data:; base-uri 'none'; form-action 'none'", textDigest(script), textDigest(style))
	if got := strings.ReplaceAll(policy, "&#39;", "'"); got != want {
		t.Errorf("the policy is\n%s\nwant\n%s", got, want)
	}
	if textDigest("") != "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=" {
		t.Error("a digest is not what browsers make of the text")
	}
}

// TestSavedPagePlaces checks that the page has the placeholders {{source}} and
// {{report}}, and no others.
func TestSavedPagePlaces(t *testing.T) {
	got := regexp.MustCompile(`\{\{\w+\}\}`).FindAllString(SavedPage(), -1)
	if want := "{{source}} {{source}} {{report}}"; strings.Join(got, " ") != want {
		t.Errorf("%q, want %s", got, want)
	}
}
