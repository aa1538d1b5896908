package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/envelope"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/internal/recordings"
)

// probeCount counts the texts of a test, and the texts among them that have calls.
type probeCount struct{ texts, found int }

// checkProbe checks that findsCall reports whether DecodeFound reads a call. It checks
// the text, and also every object and every list inside it as a text of its own.
func (n *probeCount) checkProbe(t *testing.T, name, text string) {
	t.Helper()
	list, err := (&Decoder{golds: &reference.Golds{}}).splitRecords(text)
	if err != nil {
		return
	}
	check := func(rows []jsonval.Value) {
		d := &Decoder{golds: &reference.Golds{}, text: text}
		full := *d
		DecodeFound(&full, Batch{Values: rows})
		want := full.countActions() > 0
		if got := d.findsCall(rows); got != want {
			t.Fatalf("%s: findsCall is %v, but decodeFound reads %d calls: %.300q", name, got, full.countActions(), rows[0].Raw())
		}
		n.texts++
		n.found += shape.IfElse(want, 1, 0)
	}
	var visit func(v jsonval.Value, depth int)
	visit = func(v jsonval.Value, depth int) {
		if k := v.Kind(); k != jsonval.Array && k != jsonval.Object {
			return
		}
		check((&envelope.Source{Values: []jsonval.Value{v}}).Rows())
		if depth > 5 {
			return
		}
		v.Each(func(_ string, e jsonval.Value) bool {
			visit(e, depth+1)
			return true
		})
	}
	check(list.Rows())
	for _, v := range list.Values {
		visit(v, 0)
	}
}

// TestFindsCall checks the function findsCall on the test data. It also checks copies
// without some of the members by which calls are recognised.
func TestFindsCall(t *testing.T) {
	files := map[string][]byte{}
	for _, folder := range []string{"formats", "producers"} {
		paths, err := filepath.Glob("../../../testdata/" + folder + "/*")
		if err != nil || len(paths) == 0 {
			t.Fatalf("found no files of %s: %v", folder, err)
		}
		for _, path := range paths {
			if data, err := os.ReadFile(path); err == nil {
				files[path] = data
			}
		}
	}
	var n probeCount
	for name, data := range files {
		text := string(data)
		for _, member := range []string{"", `"tool_calls"`, `"type"`, `"role"`, `"name"`} {
			n.checkProbe(t, name, strings.ReplaceAll(text, member, shape.IfElse(member == "", "", `"other"`)))
		}
	}
	if n.texts < 10_000 || n.found < 1000 || n.found > n.texts*9/10 {
		t.Errorf("checked %d texts, of which %d have calls; want many of both kinds", n.texts, n.found)
	}
}

// TestFindsCallInRecordings checks the function findsCall on rows of recorded files.
func TestFindsCallInRecordings(t *testing.T) {
	var n probeCount
	for _, name := range recordings.Glob(t, "*/*.json", "*/*.jsonl", "*/*/*.json") {
		text := string(recordings.Read(t, name))
		list, err := (&Decoder{golds: &reference.Golds{}}).splitRecords(text)
		if err != nil {
			continue
		}
		rows := list.Rows()
		for i := 0; i < len(rows); i += max(1, len(rows)/5) {
			if raw := rows[i].Raw(); len(raw) < 1<<17 {
				n.checkProbe(t, name, raw)
			}
		}
	}
	if n.texts < 10_000 || n.found < 1000 || n.found > n.texts*9/10 {
		t.Errorf("checked %d texts, of which %d have calls; want many of both kinds", n.texts, n.found)
	}
}
