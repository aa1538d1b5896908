package envelope

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/read/written"
)

// TestReferencesOfXML checks that names and output come back as they were before XML wrote them.
func TestReferencesOfXML(t *testing.T) {
	for text, want := range map[string]string{
		"a &lt;b&gt; &quot;c&quot; &apos;d&apos; &amp;amp;": `a <b> "c" 'd' &amp;`, "&#34;&#x22;&#x1F600;": "\"\"\U0001F600",
		"a & b &nbsp; &#; &#x; &#xD800; &#0; &": "a & b &nbsp; &#; &#x; &#xD800; &#0; &", "&am;&ap;&t;": "&am;&ap;&t;", "": "",
	} {
		if got := written.FromXML(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if text := strings.Repeat("&", 1<<20); written.FromXML(text) != text { // without a search to the end for each of them
		t.Error("ampersands alone do not stay as they are")
	}
	rows, ok := junitRows("<?xml version=\"1.0\"?>\n<testsuite><testcase classname=\"a&#46;b\" name=\"x &#38; y\"><system-out>\n{&#34;tool&#34;:&quot;a &amp;#38; b&quot;}\n</system-out></testcase></testsuite>")
	if want := "\n{\"id\":\"a.b.x \\u0026 y\",\"passed\":true,\"steps\":[{\"tool\":\"a &#38; b\"}]}\n"; !ok || rows != want {
		t.Errorf("%t: %q, want %q", ok, rows, want)
	}
}
