package abi

import (
	"encoding/json"
	"reflect"
	"testing"
	"unicode/utf8"
)

// checkOpen decodes a text with the method Open and with encoding/json. If Open accepts
// the text, both results must be the same. checkOpen reports whether Check.Open accepted
// the text.
func checkOpen(t *testing.T, b []byte) (read bool) {
	t.Helper()
	var fast, slow Check
	if fast.Open(b) {
		read = true
		assertSame(t, b, &fast, &slow)
	}
	var replay, want Replay
	if replay.Open(b) {
		assertSame(t, b, &replay, &want)
	}
	return read
}

func assertSame(t *testing.T, b []byte, fast, slow any) {
	t.Helper()
	var a Answer
	if err := json.Unmarshal(b, &a); err != nil || a.Error != nil || a.OK == nil {
		t.Fatalf("%s\nread, but it is %+v, %v", b, a, err)
	}
	if err := json.Unmarshal(a.OK, slow); err != nil || !reflect.DeepEqual(fast, slow) {
		t.Fatalf("%s\nread as %+v\nwant    %+v, %v", b, fast, slow, err)
	}
}

func TestOpen(t *testing.T) {
	for text, want := range map[string]bool{
		`{"ok":{"excused":[{"row":1,"stage":"state","reason":"a\n\"b\""}],"blamed":[{"row":-2,"differences":[0,1],"reason":""},{"differences":null}],"replay":{"benchmark":"b","domain":"d","basis":"database","success":true,"stateEqual":false,"stateChanged":true,"outputs":{"A":true,"":false},"differences":[{"table":"t","key":"k","field":"f","observed":{"a": [1, null]},"reference":"x"}],"calls":[{"index":3,"changed":true,"rewritten":true,"error":false,"outputEqual":false,"output":"é\u00e9"}],"contradicted":true,"notes":["n"]}}}`: true,
		` {"ok" : { } } `: true,
		`{"ok":{"excused":null,"later":{"x":[1]},"replay":{"outputs":{},"calls":[],"notes":null,"later":1}}}`: true,
		`{"ok":{"replay":{"stateequal":true}}}`:                          false, // left to encoding/json
		`{"ok":{"replay":{"STATEEQUAL":true}}}`:                          false,
		`{"ok":{"replay":{"calls":[{"outputequal":true}]}}}`:             false,
		`{"ok":{"replay":{"differences":[{"observed":null}]}}}`:          false,
		`{"ok":{"replay":{"score":1}}}`:                                  false,
		`{"ok":{"replay":{"notes":["a"],"notes":["b"]}}}`:                false,
		`{"ok":{"blamed":[{"differences":[1,2]}],"blamed":[{"row":1}]}}`: false,
		`{"ok":{"replay":null}}`:                                         false,
		`{"ok":{"replay":{"success":"yes"}}}`:                            false,
		`{"ok":{},"error":{"code":"x","message":"y"}}`:                   false,
		`{"error":{"code":"x","message":"y"}}`:                           false,
		`{"ok":null}`:                                                    false,
		`{"ok":{}}x`:                                                     false,
		`{}`:                                                             false,
		`{"ok":{"excused":[{"row":1}]`:                                   false,
	} {
		if got := checkOpen(t, []byte(text)); got != want {
			t.Errorf("%s: read %t, want %t", text, got, want)
		}
	}
}

func FuzzOpen(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		if utf8.Valid(b) { // the host has checked that
			checkOpen(t, b)
		}
	})
}
