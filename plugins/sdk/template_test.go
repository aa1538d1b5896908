package sdk_test

import (
	"testing"

	"github.com/boundcheck/boundcheck/plugins/sdk/example"
)

// TestExample checks the rendered template, the errors for wrong variables, and the
// verdicts on tools of the example plugin.
func TestExample(t *testing.T) {
	p := example.Plugin()
	check := func(request, want string) {
		t.Helper()
		if got := string(p.Answer([]byte(request))); got != want {
			t.Errorf("%s\nanswers %s\nwant    %s", request, got, want)
		}
	}
	refused := func(variables, code, message string) {
		t.Helper()
		check(`{"op":"prompt.render","template":"calendar-rules","variables":`+variables+`}`, `{"error":{"code":"`+code+`","message":"`+message+`"}}`)
	}
	check(`{"op":"prompt.render","template":"calendar-rules","variables":{"owner":"Ada","rules":["Ask after 18:00.","No <b>"]}}`,
		`{"ok":{"template":"calendar-rules","version":"1.0.0","tokens":{"about":45,"method":"estimate: characters/4, at most 18 % too low or 25 % too high"},"text":"Before you create, move or delete an event, say which event, from when to when, and who is told.\nThe calendar is Ada's. Nobody else's may be changed.\n- Ask after 18:00.\n- No <b>"}}`)
	check(`{"op":"prompt.render","template":"calendar-rules","variables":{"owner":null}}`,
		`{"ok":{"template":"calendar-rules","version":"1.0.0","tokens":{"about":24,"method":"estimate: characters/4, at most 18 % too low or 25 % too high"},"text":"Before you create, move or delete an event, say which event, from when to when, and who is told."}}`)
	check(`{"op":"prompt.render","template":"none"}`, `{"error":{"code":"unknown-template","message":"unknown template \"none\""}}`)
	refused(`{"x":1}`, "invalid-variable", `unknown variable \"x\" of calendar-rules`)
	refused(`{"owner":1}`, "invalid-variable", `invalid variable \"owner\" of calendar-rules: want the kind text`)
	refused(`{"rules":"x"}`, "invalid-variable", `invalid variable \"rules\" of calendar-rules: want the kind texts`)
	check(`{"op":"tools.classify","tools":[{"name":"rsvp"},{"name":"list_events","description":"x"},{"name":"other"},{"name":"sync_calendar","parameters":{}}]}`,
		`{"ok":{"tools":[{"name":"rsvp","mutating":"yes","reason":"it sends something to the guests"},{"name":"list_events","mutating":"no","reason":"it only reads"},{"name":"sync_calendar","mutating":"unknown","reason":"the changes depend on the other calendar"}]}}`)
}
