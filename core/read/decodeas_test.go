package read

import (
	"os"
	"strings"
	"testing"
)

// TestDecodeAs checks that a text is read in the requested format, or refused.
func TestDecodeAs(t *testing.T) {
	chat := []byte(`[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"get","arguments":"{}"}}]}]`)
	check := func(format string, data []byte, want string) {
		t.Helper()
		doc, err := DecodeAs(format, data)
		got := doc.Format
		if err != nil {
			got = err.Error()
		} else if len(doc.Trajectories) == 0 || len(doc.Trajectories[0].Actions) != 1 {
			got += ", but no call"
		}
		if !strings.Contains(got, want) {
			t.Errorf("as %q: got %s, want %s", format, got, want)
		}
	}
	check("", chat, "openai-chat")
	check("openai-chat", chat, "openai-chat")
	check("found-calls", chat, "found-calls")
	check("tau-bench", chat, "the text is not in the format tau-bench")
	check("gemini-contents", chat, "the text is not in the format gemini-contents")
	check("plain-calls", []byte("get(id=1)"), "plain-calls")
	check("plain-calls", chat, "the text is not in the format plain-calls")
	check("openai-chat", []byte("get(id=1)"), "")
	check("openai", chat, `unknown format "openai"`)
}

// TestDecodeAsExamples reads each example in every format, and checks that the reading
// does not panic. In the format that Decode detects, the number of runs must be the same
// as with Decode.
func TestDecodeAsExamples(t *testing.T) {
	files, err := os.ReadDir("../../testdata/formats")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, f := range files {
		data, err := os.ReadFile("../../testdata/formats/" + f.Name())
		if err != nil {
			continue
		}
		detected, err := Decode(data)
		if err != nil {
			continue
		}
		seen++
		for _, name := range Formats() {
			doc, err := DecodeAs(name, data)
			if name == detected.Format && (err != nil || len(doc.Trajectories) != len(detected.Trajectories)) {
				t.Errorf("%s as %s: %d runs, %v; detected: %d", f.Name(), name, len(doc.Trajectories), err, len(detected.Trajectories))
			}
			if err == nil && doc.Format != name {
				t.Errorf("%s as %s is read as %s", f.Name(), name, doc.Format)
			}
		}
	}
	if seen < 30 {
		t.Errorf("only %d examples", seen)
	}
}
