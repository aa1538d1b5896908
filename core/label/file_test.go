package label

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/judge"
)

func TestFile(t *testing.T) {
	f := &Finding{ID: "0123", Run: "a\nb", Violation: core.Violation{Rule: "extra-action"}, Rule: judge.ScopeOver}
	line := NewLine(f, judge.None).Bytes()
	if string(line) != `{"id":"0123","label":"NONE","run":"a\nb","rule":"extra-action","said":"SCOPE_OVER","by":"person"}`+"\n" {
		t.Errorf("%s", line)
	}
	again := NewLine(f, judge.ScopeOver).Bytes()
	labels, complaints, err := Read([]byte("\ufeff" + string(line) + "\r\n" + string(again)))
	if err != nil || len(complaints) != 0 || len(labels) != 1 || labels["0123"] != judge.ScopeOver {
		t.Errorf("%v, %v, %v", labels, complaints, err)
	}
	if labels, _, err := Read(nil); err != nil || labels == nil {
		t.Errorf("nothing: %v, %v", labels, err)
	}
	if !Whole(nil) || !Whole(line) || Whole(line[:5]) {
		t.Error("whole or cut?")
	}
}

func TestFileDamage(t *testing.T) {
	good := `{"id":"a","label":"NONE"}` + "\n"
	check := func(data, complaint string, n int) {
		t.Helper()
		labels, complaints, err := Read([]byte(data))
		if err != nil || len(labels) != n || len(complaints) != 1 || !strings.Contains(complaints[0], complaint) {
			t.Errorf("%q: %v, %v, %v", data, labels, complaints, err)
		}
	}
	check(good+`{"id":"b","lab`, "line 2 is cut off", 1)
	check(`{"id":"b","lab`, "line 1 is cut off", 0)
	check(`{"id":"b","lab`+"\n"+good, "line 1 is cut off", 1)
	check(good+`{"id":"b","label":"FINE"}`, `line 2 has an unknown label "FINE"`, 1)
	check(good+`{"label":"NONE"}`, "line 2 is no label", 1)
	check("hello\n"+good, "line 1 is no label", 1)
	for _, other := range []string{"{\n \"schema\": 1\n}\n", "text", `{"id":"b","label":"FINE"}`} {
		if _, _, err := Read([]byte(other)); err == nil || !strings.Contains(err.Error(), "not a labels file") {
			t.Errorf("%q: %v", other, err)
		}
	}
}
