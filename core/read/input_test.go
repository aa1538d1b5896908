package read

import (
	"bytes"
	"compress/gzip"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/trajectory"
	"github.com/boundcheck/boundcheck/internal/pace"
)

const two = `[{"name":"cancel","arguments":{"id":"A"}},{"name":"refund","arguments":{}}]`

func warningCodes(doc trajectory.Document) string {
	var out []string
	for _, w := range doc.Warnings {
		out = append(out, w.Code)
	}
	return strings.Join(out, " ")
}

func gzipText(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil || w.Close() != nil {
		t.Fatal("cannot gzip")
	}
	return b.String()
}

func TestWrappings(t *testing.T) {
	check := func(name, text, format string, actions int, warnings string) {
		t.Helper()
		doc, err := Decode([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		n := 0
		for i := range doc.Trajectories {
			n += len(doc.Trajectories[i].Actions)
		}
		if doc.Format != format || n != actions || warningCodes(doc) != warnings {
			t.Errorf("%s: %s with %d actions, warnings %q; want %s, %d, %q", name, doc.Format, n, warningCodes(doc), format, actions, warnings)
		}
	}
	lines := `{"name":"cancel","arguments":{}}` + "\n" + `{"name":"refund","arguments":{}}`
	check("plain", two, "generic-actions", 2, "")
	check("byte order mark", "\ufeff"+two, "generic-actions", 2, "")
	check("gzip", gzipText(t, two), "generic-actions", 2, "")
	check("fence", "```json\n"+two+"\n```\n", "generic-actions", 2, "")
	check("fence in prose", "Here it is:\n```\n"+two+"\n```\nthanks", "generic-actions", 2, "text-around")
	check("fence not closed", "```\n"+two+"\n", "generic-actions", 2, "fence-not-closed")
	check("prose before", "my trace: "+two, "generic-actions", 2, "text-around")
	check("prose after", two+"\nthat was it", "generic-actions", 2, "line-not-read")
	check("double encoded", literal.Quote(two), "generic-actions", 2, "double-encoded")
	check("twice double encoded", literal.Quote(literal.Quote(two)), "generic-actions", 2, "double-encoded double-encoded")
	check("jsonl", lines, "generic-actions", 2, "")
	check("jsonl, windows", strings.ReplaceAll(lines, "\n", "\r\n")+"\r\n\r\n", "generic-actions", 2, "")
	check("one after another", strings.ReplaceAll(lines, "\n", ""), "generic-actions", 2, "")
	check("pretty, one after another", "{\n\"name\":\"a\"\n}\n{\n\"name\":\"b\"\n}", "generic-actions", 2, "")
	check("cut last line", lines+"\n"+`{"name":"pay","arg`, "generic-actions", 2, "cut-last-line")
	check("bad middle line", `{"name":"a"}`+"\n{bad}\n"+`{"name":"b"}`, "generic-actions", 2, "invalid-line")
	check("bad first line", "{bad}\n"+lines, "generic-actions", 2, "invalid-line")
	check("cut list", two[:len(two)-5], "generic-actions", 1, "cut-off")
	check("lists of lists", "["+two+","+two+"]", "generic-actions", 4, "")
	check("jsonl of conversations", `{"messages":[{"role":"user","content":"x"}]}`+"\n"+`{"messages":[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"a","arguments":"{}"}}]}]}`, "openai-chat", 1, "")
	check("fenced names", "```\nget_order\ncancel_order\n```", "plain-names", 2, "")
	check("call with an object", `cancel({"id": "A"})`, "plain-calls", 1, "")
	check("empty list", "[]", "generic-actions", 0, "")
	check("empty list of messages", `{"id":"a","messages":[]}`, "openai-chat", 0, "")
	check("empty list of steps", `{"steps":[]}`, "generic-actions", 0, "")
	check("broken UTF-8", "[{\"name\":\"a\xff\"}]", "generic-actions", 1, "invalid-utf8")
	check("arguments not JSON", `[{"name":"a","arguments":"{x"}]`, "generic-actions", 1, "arguments-not-json")
	check("arguments that Python printed", `[{"name":"a","arguments":"{'x': True}"}]`, "generic-actions", 1, "arguments-python")
}

func TestWarningsStandWhereTheySay(t *testing.T) {
	check := func(text string, line, column int) {
		t.Helper()
		doc := mustDecode(t, text)
		if len(doc.Warnings) == 0 || doc.Warnings[0].Line != line || doc.Warnings[0].Column != column {
			t.Errorf("%.50q: warnings %+v, want %d:%d", text, doc.Warnings, line, column)
		}
	}
	check("[{\"name\":\"a\",\n  \"arguments\":\"{x\"}]", 2, 15)
	check("{\"name\":\"a\"}\n{\"name\":\"b\",\"arguments\":7}\n", 2, 25)
	check("{\"messages\":[{\"role\":\"assistant\",\n\"tool_calls\":[\n{\"id\":\"1\",\"function\":{\"name\":\"a\",\"arguments\":\"no\"}}]}]}", 3, 46)
	check("{\"name\":\"a\"}\n\n  {\"name\": \n", 3, 3)
	check("[{\"name\":\"a\"},\n {\"name\":", 2, 2)
	check("```\n[{\"name\":\"a\",\"arguments\":[]}]\n```", 2, 26)
	check("\n\n[{\"name\":\"\xff\"}]", 3, 11)
}

func TestInputsThatAreNoTraces(t *testing.T) {
	check := func(name, text, part string) {
		t.Helper()
		var err error
		spent := pace.Spent(func() { _, err = Decode([]byte(text)) })
		var e *trajectory.Error
		if !errors.As(err, &e) || !strings.Contains(e.Msg, part) {
			t.Errorf("%s: error %v, want %q", name, err, part)
		}
		if spent > 10*time.Second {
			t.Errorf("%s: took %v", name, spent)
		}
	}
	check("nothing", "", "empty")
	check("white space", " \n\t ", "empty")
	check("mark alone", "\ufeff", "empty")
	check("png", "\x89PNG\r\n\x1a\nxx", "PNG")
	check("nul", "abc\x00def", "binary")
	check("utf-16", "\xff\xfe[\x00]\x00", "UTF-16")
	check("word", "hello", "not a trace")
	check("prose", "hello there, this is no trace", "not a trace")
	check("number", "12", "unknown trace format")
	check("string", `"hello"`, "not a trace")
	check("null", "null", "unknown trace format")
	check("object", `{"hello":1}`, "unknown trace format")
	check("cut conversation", `{"messages":[{"role":"user","content":"x"},{"role":"assis`, "cut off")
	check("cut first element", `[{"name":"a`, "cut off")
	check("broken", `{"a":}`, "line 1 column 6")
	check("bad gzip", "\x1f\x8bxxxxxxxxxxxx", "gzip")
	check("cut gzip", gzipText(t, strings.Repeat(two, 9))[:40], "ends too early")
	check("gzip twice", gzipText(t, gzipText(t, two)), "gzip data inside")
	check("lists 50 MB deep", strings.Repeat("[", 50<<20), "nested more")
	check("objects 50 MB deep", strings.Repeat(`{"a":`, 10<<20), "nested more")
	check("lines of brackets", strings.Repeat("{\n", 1<<20), "nested more")
	check("prose of brackets", "x"+strings.Repeat("[{ ", 1<<20), "not a trace")
}

func TestWrongKindsEverywhere(t *testing.T) {
	kinds := []string{"null", "true", "7", `"x"`, "[]", "{}", `[1,"x",null,[],{}]`, `{"a":1}`}
	for name, data := range exampleFiles(t) {
		for _, kind := range kinds {
			for _, member := range []string{"content", "arguments", "input", "id", "role", "messages", "traj", "info", "tool_calls", "function", "parts", "spans", "attributes", "steps", "events", "result", "output"} {
				text := replaceMember(string(data), member, kind)
				if text == string(data) {
					continue
				}
				if d, err := Decode([]byte(text)); err == nil {
					checkWarnings(t, name, d)
				}
			}
		}
	}
}

// replaceMember returns a JSON text in which every member with the given name has the
// value kind. The old value moves to a new member, whose name has the prefix "was".
func replaceMember(text, member, kind string) string {
	return strings.ReplaceAll(text, `"`+member+`":`, `"`+member+`":`+kind+`,"was`+member+`":`)
}

func checkWarnings(t testing.TB, name string, doc trajectory.Document) {
	t.Helper()
	for _, w := range doc.Warnings {
		if w.Code == "" || w.Message == "" || strings.ContainsAny(w.Code, " _ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
			t.Errorf("%s: warning without a code or message: %+v", name, w)
		}
	}
}

func TestManyWarningsAreCounted(t *testing.T) {
	doc := mustDecode(t, `{"name":"a"}`+"\n"+strings.Repeat("{bad}\n", 5000))
	if len(doc.Warnings) != engine.MaxListed+1 || !strings.HasPrefix(doc.Warnings[engine.MaxListed].Message, "4900 more") {
		t.Errorf("%d warnings, the last %+v", len(doc.Warnings), doc.Warnings[len(doc.Warnings)-1])
	}
}
