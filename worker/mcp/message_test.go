package mcp

import (
	"bytes"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// TestEventsAnySplit checks that a stream gives the same events in whatever pieces it
// arrives. The raw bytes of all events together must be the bytes of the stream.
func TestEventsAnySplit(t *testing.T) {
	stream := "\uFEFF: hi\r\n\r\nid: 1\ndata: {\"a\":\ndata:1}\n\nevent: x\rdata: é\r\rdata: last\n\n"
	want := []string{"", "{\"a\":\n1}", "é", "last"}
	read := func(r io.Reader) (data []string, raw string) {
		e := readEvents(r)
		for {
			b, d, err := e.next()
			if err != nil {
				return data, raw
			}
			data, raw = append(data, d), raw+string(b)
		}
	}
	check := func(r io.Reader) {
		t.Helper()
		if data, raw := read(r); strings.Join(data, "|") != strings.Join(want, "|") || raw != stream {
			t.Errorf("%q %q", data, raw)
		}
	}
	check(iotest.OneByteReader(strings.NewReader(stream)))
	for i := range stream {
		check(io.MultiReader(strings.NewReader(stream[:i]), strings.NewReader(stream[i:])))
	}
	for i := range stream { // a truncated event does not count
		if data, raw := read(strings.NewReader(stream[:i])); len(data) > len(want) || !strings.HasPrefix(stream, raw) {
			t.Errorf("cut at %d: %q", i, data)
		}
	}
}

// TestWith checks that withMembers changes, adds and removes members. All other members
// must keep their bytes.
func TestWith(t *testing.T) {
	check := func(text, want string, changes ...member) {
		t.Helper()
		v, err := jsonval.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if have := withMembers(v, changes...); have != want {
			t.Errorf("%s, want %s", have, want)
		}
	}
	check(`{ "a": 1.0 , "b":[ 2 ] }`, `{"a":1.0,"b":[ 2 ]}`)
	check(`{"a":1,"b":2}`, `{"a":1,"b":{"x":3}}`, member{"b", `{"x":3}`})
	check(`{"a":1,"b":2}`, `{"b":2,"c":3}`, member{"a", ""}, member{"c", "3"})
	check(`{"a.b":1,"é":2}`, `{"a.b":1,"é":2,"d":0}`, member{"d", "0"}, member{"x", ""})
	check(`[]`, `{"d":0}`, member{"d", "0"})
	if have := withMembers(jsonval.Value{}, member{"d", "0"}); have != `{"d":0}` {
		t.Error(have)
	}
}

// FuzzMessage checks that no body and no header makes the reader panic. An accepted
// message must have the same meaning if its spaces are removed.
func FuzzMessage(f *testing.F) {
	f.Add(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":[1.0]},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`, "x")
	f.Add(`{"jsonrpc":"2.0","method":"notifications/cancelled"}`, "=?base64?eA==?=")
	f.Add(`{"jsonrpc":"2.0","id":"é","result":{}}`, "")
	f.Fuzz(func(t *testing.T, body, header string) {
		m, fault := readMessage([]byte(body))
		h := http.Header{"Mcp-Protocol-Version": {modernVersion}, "Mcp-Method": {m.method}, "Mcp-Name": {header}}
		if fault != nil {
			if fault.code == 0 || fault.text == "" || !jsonval.Valid(string(errorAnswer(m.id, fault))) {
				t.Fatalf("%+v", fault)
			}
			return
		}
		if f := checkHeaders(h, &m, isModernMessage(h, &m)); f == nil && m.method == "tools/call" && m.id.Exists() {
			name, ok := decodeValue(header)
			if want, _ := m.params.Get("name").Str(); !ok || name != want {
				t.Fatalf("%q passes for %q", header, want)
			}
		}
		v, err := jsonval.Parse(m.text)
		if err != nil {
			t.Fatal(err)
		}
		again, fault := readMessage([]byte(withMembers(v)))
		if fault != nil || again.method != m.method || !jsonval.Equal(again.params, m.params) && m.params.Exists() {
			t.Fatalf("%q is read in two ways: %+v", body, fault)
		}
		if text := resultAnswer(mustParse("1"), withMembers(v)); !bytes.Equal(eventData(asEvent(text)), bytes.TrimSpace(text)) && !strings.ContainsAny(withMembers(v), "\r\n") {
			t.Fatalf("an event changes %q", text)
		}
	})
}

// eventData returns the data of one event.
func eventData(event []byte) []byte {
	_, data, _ := readEvents(bytes.NewReader(event)).next()
	return []byte(data)
}

// TestParameters checks that arguments are mirrored into headers only from the places
// that the protocol allows. An annotation in any other place makes the definition
// invalid.
func TestParameters(t *testing.T) {
	check := func(schema, want string) {
		t.Helper()
		list, ok := mirroredParameters(mustParse(schema))
		have := ""
		for _, p := range list {
			have += p.header + "=" + strings.Join(p.path, ".") + " "
		}
		if want == "" && ok || want != "" && (!ok || strings.TrimSpace(have) != want) {
			t.Errorf("%s: %v %q, want %q", schema, ok, have, want)
		}
	}
	check(`{"properties":{"a":{"type":"string","x-mcp-header":"Region"},"b":{"type":"object","properties":{"c":{"type":"integer","x-mcp-header":"N"}}}}}`, "Mcp-Param-Region=a Mcp-Param-N=b.c")
	check(`{"properties":{"x-mcp-header":{"type":"string"},"properties":{"type":"boolean","x-mcp-header":"P"}}}`, "Mcp-Param-P=properties")
	check(`{"properties":{"a":{"type":"string","default":{"x-mcp-header":"no schema"},"x-mcp-header":"A"}}}`, "Mcp-Param-A=a")
	check(`{"x-mcp-header":"Root","type":"string"}`, "")
	check(`{"properties":{"a":{"type":"array","items":{"type":"string","x-mcp-header":"A"}}}}`, "")
	check(`{"properties":{"a":{"anyOf":[{"type":"string","x-mcp-header":"A"}]}}}`, "")
	check(`{"anyOf":[{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}]}`, "")
	check(`{"$defs":{"d":{"type":"string","x-mcp-header":"A"}}}`, "")
	check(`{"properties":{"a":{"type":"number","x-mcp-header":"A"}}}`, "")
	check(`{"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}}}`, "")
	check(`{"properties":{"a":{"type":"string","x-mcp-header":""}}}`, "")
	check(`{"properties":{"a":{"type":"string","x-mcp-header":"A\r\nB"}}}`, "")
	check(`{"properties":{"a":{"type":"string","x-mcp-header":true}}}`, "")
}

// TestSameValue checks that a mirrored number is compared by its value, and a text by
// its bytes.
func TestSameValue(t *testing.T) {
	check := func(text, value string, same bool) {
		t.Helper()
		if have := sameValue(text, mustParse(value)); have != same {
			t.Errorf("%q and %s: %v", text, value, have)
		}
	}
	check("42", "42", true)
	check("42.0", "42", true)
	check("9007199254740993", "9007199254740992", false)
	check("0x2a", "42", false)
	check("1/2", "0.5", false)
	check("1e2", "100", false)
	check("true", "true", true)
	check("True", "true", false)
	check("a", `"a"`, true)
	check("a ", `"a"`, false)
}

// TestNestedResults checks that a task's result costs a few times its size, however deep a
// server nests it: ids are replaced where the protocol has them, and nowhere else.
func TestNestedResults(t *testing.T) {
	const depth = 400
	pad := strings.Repeat("x", 1<<20)
	text := strings.Repeat(`{"taskId":"raw","result":`, depth) + `"` + pad + `"` + strings.Repeat("}", depth)
	v := mustParse(text)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := withTaskID(v, "raw", "mine")
	runtime.ReadMemStats(&after)
	if n := (after.TotalAlloc - before.TotalAlloc) >> 20; n > 20 {
		t.Errorf("%d MiB for a result of 1 MiB", n)
	}
	if want := `{"taskId":"mine","result":{"taskId":`; !strings.HasPrefix(got, want) {
		t.Errorf("%.80s, want %s…", got, want)
	}
}

// TestFloodingServer checks that the messages of a request that wait for a slow client take no
// more memory than the largest message, and that the answer comes nevertheless.
func TestFloodingServer(t *testing.T) {
	f := &flight{news: make(chan struct{}, 1)}
	note := `{"method":"notifications/progress","params":"` + strings.Repeat("x", 1<<20) + `"}`
	for range 100 {
		f.putMessage(note, nil)
	}
	f.putMessage("answer", io.EOF)
	size, last := 0, ""
	for {
		m, err := f.nextMessage(t.Context())
		if size += len(m); err != nil {
			last = m
			break
		}
	}
	if size > maxMessage+1<<20 || last != "answer" {
		t.Errorf("%d bytes were kept; the last message is %.20q", size, last)
	}
	f = &flight{news: make(chan struct{}, 1)}
	for range 100 { // a client that reads gets all of them
		f.putMessage(note, nil)
		if m, err := f.nextMessage(t.Context()); err != nil || m != note {
			t.Fatalf("%.20q %v", m, err)
		}
	}
}
