package label

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/stage/judge"
)

func TestFile(t *testing.T) {
	f := &Finding{ID: "0123", Run: "a\nb", Violation: report.Violation{Rule: "extra-action"}, Rule: judge.ScopeOver}
	line := NewLine(f, judge.None, Person).Bytes()
	if string(line) != `{"id":"0123","label":"NONE","run":"a\nb","rule":"extra-action","said":"SCOPE_OVER","by":"person"}`+"\n" {
		t.Errorf("%s", line)
	}
	again := NewLine(f, judge.ScopeOver, Person).Bytes()
	labels, complaints, err := Read([]byte("\ufeff" + string(line) + "\r\n" + string(again)))
	if err != nil || len(complaints) != 0 || len(labels) != 1 || labels[Person]["0123"] != judge.ScopeOver {
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
		if err != nil || len(labels.Of(Person)) != n || len(complaints) != 1 || !strings.Contains(complaints[0], complaint) {
			t.Errorf("%q: %v, %v, %v", data, labels, complaints, err)
		}
	}
	check(good+`{"id":"b","lab`, "line 2 is cut off", 1)
	check(`{"id":"b","lab`, "line 1 is cut off", 0)
	check(`{"id":"b","lab`+"\n"+good, "line 1 is cut off", 1)
	check(good+`{"id":"b","label":"FINE"}`, `line 2 has an unknown label "FINE"`, 1)
	check(good+`{"label":"NONE"}`, "line 2 is not a label", 1)
	check("hello\n"+good, "line 1 is not a label", 1)
	for _, other := range []string{"{\n \"schema\": 1\n}\n", "text", `{"id":"b","label":"FINE"}`} {
		if _, _, err := Read([]byte(other)); err == nil || !strings.Contains(err.Error(), "not a labels file") {
			t.Errorf("%q: %v", other, err)
		}
	}
}

func TestRatersOfFiles(t *testing.T) {
	read := func(data string) Labels {
		t.Helper()
		l, complaints, err := Read([]byte(data))
		if err != nil || len(complaints) > 0 {
			t.Fatalf("%v, %v", complaints, err)
		}
		return l
	}
	all := Labels{}
	all.Add(read(`{"id":"a","label":"NONE","by":"ann"}`+"\n"+`{"id":"a","label":"SCOPE_OVER","by":"bob"}`), "one")
	all.Add(read(`{"id":"a","label":"NONE","by":"bob"}`+"\n"+`{"id":"b","label":"NONE"}`), "two")
	all.Add(read(`{"id":"a","label":"SCOPE_UNDER","by":"bob"}`), "two")
	if got := strings.Join(all.Raters(), ", "); got != "ann, bob, bob (two), bob (two, 2), person" {
		t.Error(got)
	}
	if all["bob"]["a"] != judge.ScopeOver || all["bob (two)"]["a"] != judge.None || all["bob (two, 2)"]["a"] != judge.ScopeUnder {
		t.Errorf("%v", all)
	}
}
