package abi

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"unicode/utf8"
)

// checkRead decodes a text with the method Read and with encoding/json. If Read accepts
// the text, both results must be the same. checkRead reports whether Read accepted the
// text.
func checkRead(t *testing.T, b []byte) (read bool) {
	t.Helper()
	var fast, slow CheckRequest
	if fast.Read(b) {
		read = true
		if err := json.Unmarshal(b, &slow); err != nil {
			t.Fatalf("%s\nread, but %v", b, err)
		}
		if !reflect.DeepEqual(fast, slow) {
			t.Fatalf("%s\nread as %+v\nwant    %+v", b, fast, slow)
		}
	}
	var replay, want ReplayRequest
	if replay.Read(b) {
		if err := json.Unmarshal(b, &want); err != nil || !reflect.DeepEqual(replay, want) {
			t.Fatalf("%s\nread as %+v\nwant    %+v, %v", b, replay, want, err)
		}
	}
	return read
}

func TestRead(t *testing.T) {
	for text, want := range map[string]bool{
		`{"op":"x","observed":[{"name":"a","arguments":{"b":[1,-2.5e3,null,"\u00e9"]},"observation":"\"\ud83d\ude00\n\ud800 \u0041","failed":true}],"reference":[],"alignment":[{"op":"match","obs":0,"ref":-1}],"recorded":false,"reward":0.5}`: true,
		`{"assertions":[{"name":"a","result":0.5,"total":2},{}]}`: true,
		`{"assertions":[{"total":"2"}]}`:                          false,
		` { } `:                                                   true,
		`{"observed":[ ] , "replies":["a" , "b"],"outputs":[],"later":{"x":[{}]}}`:    true,
		`{"observed":[{"name":"a"},{"name":"b","name":"c","arguments":"no object"}]}`: true,
		`{"observed":[{"arguments":null}]}`:                                           false, // left to encoding/json
		`{"observed":null,"replies": null ,"alignment":null}`:                         true,
		`{"observed":nul}`:                             false,
		`{"Observed":[]}`:                              false,
		`{"op":"a","op":"b"}`:                          false,
		`{"observed":[{"name":1}]}`:                    false,
		`{"alignment":[{"obs":1.5}]}`:                  false,
		`{"alignment":[{"obs":99999999999999999999}]}`: false,
		`{"observed":[{"arguments":{"a":01}}]}`:        false,
		`{"observed":[{"arguments":{"a":"\x"}}]}`:      false,
		`{"observed":[{"arguments":[1,]}]}`:            false,
		`{"observed":[]`:                               false,
		`{"observed":[]}x`:                             false,
		`{"op":"a` + "\n" + `"}`:                       false,
		`{"op":"\u12g4"}`:                              false,
		`[]`:                                           false,
		``:                                             false,
	} {
		if got := checkRead(t, []byte(text)); got != want {
			t.Errorf("%s: read %t, want %t", text, got, want)
		}
	}
}

// addSeeds passes each line of the files with conformance cases to f as a seed. Every
// request and every answer in these files is on one line.
func addSeeds(f *testing.F) {
	f.Helper()
	paths, err := filepath.Glob("../testdata/cases/*-check-*.txtar")
	if err != nil || len(paths) == 0 {
		f.Fatalf("no cases: %v", err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for line := range bytes.Lines(data) {
			f.Add(bytes.TrimSpace(line))
		}
	}
}

func FuzzRead(f *testing.F) {
	addSeeds(f)
	f.Add([]byte(`{"op":"\ud83d\ude00\ud83d","reward":-0.0e-1,"observed":[{"text":"a\/b","requestor":"user"}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if utf8.Valid(b) { // the SDK has checked that
			checkRead(t, b)
		}
	})
}
