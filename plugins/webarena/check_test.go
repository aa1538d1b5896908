package webarena

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/internal/plugintest"
)

var (
	lines = plugintest.Lines
	rows  = plugintest.Rows
	ruled = plugintest.Ruled
)

const home = `{"url":"http://h/","axtree_txt":"RootWebArea 'Home'\n\t[1] textbox 'Search'\n\t[2] button 'Go'\n\t[3] link 'Cart'\n\t[4] combobox 'Year'\n\t\t[5] option '2022'"}`
const later = `{"url":"http://h/?_=1690000000000","axtree_txt":"RootWebArea 'Home', focused\n\t[11] textbox 'Search'\n\t[12] button 'Go'\n\t[13] link 'Cart'\n\t[14] combobox 'Year'\n\t\t[15] option '2022'"}`

func TestCheck(t *testing.T) {
	check := func(want string, obs, ref []abi.Action, alignment string) {
		t.Helper()
		got, err := Check(nil, &abi.CheckRequest{ReplayRequest: abi.ReplayRequest{Opening: home, Observed: obs, Reference: ref}, Alignment: rows(alignment)})
		if err != nil || ruled(&got) != want {
			t.Errorf("%v: %q, want %q; %+v", err, ruled(&got), want, got)
		}
	}
	// Effect: one action in two notations, and by number and by name.
	check("0 effect", lines("click('2')"), lines("click [2]"), "00")
	check("0 effect", lines("click('2')"), lines(`page.get_by_role("button", name="Go").click()`), "00")
	check("0 effect", lines("goto('http://h:80/x/?b=1&a=2')"), lines("goto [http://h/x?a=2&b=1]"), "00")
	check("", lines("click('2')"), lines("click('3')"), "00")
	check("", lines("goto('http://h') | !no network"), lines("click('2')"), "00")

	// Effect: several steps that form one action.
	check("0 effect, 1 effect", lines("fill('1', 'x')", "press('1', 'Enter')"), lines("type [1] [x] [1]"), "00 1-")
	check("0 effect, 1 effect, 2 effect", lines("click('1')", "page.keyboard.type('x')", "press [Enter]"), lines("type [1] [x]"), "0- 10 2-")
	check("0 effect, 1 effect", lines("click('4') | "+home, "click('5')"), lines("select_option('4', '2022')"), "0- 10")
	check("0 effect, 1 effect, 2 effect", lines("new_tab('http://h/x')"), lines("new_tab", "goto [http://h/x/]"), "0- -0 -1")

	// Effect: the same actions a few rows away, but not across a call that both sides
	// make.
	check("0 effect, 3 effect", lines("click('2')", "press('1', 'F2')", "press('1', 'F3')"), lines("click [2]"), "0- 1- 2- -0")
	check("1 effect", lines("press [F2]", "press [F3]"), lines("press [F3]", "press [F4]", "press [F2]"), "0- 10 -1 -2")

	// State: rows that change only the view, leave the page unchanged, or set a field
	// to its final value.
	check("0 state, 1 state, 2 state, 3 state", lines("scroll [down]", "hover('2')", "click('3')", "press [Escape]"), nil, "0- 1- 2- 3-")
	check("0 state", lines("click('2') | "+later), nil, "0-")
	check("", lines("click('2') | "+strings.Replace(later, "2022", "2023", 1)), nil, "0-")
	check("0 state", nil, lines("goto [http://h/x]"), "-0")
	check("", nil, lines("click [2]"), "-0")
	check("0 state, 1 effect", lines("fill('1', 'y')", "fill('1', 'x')"), lines("fill('1', 'x')"), "0- 10")
	check("1 state", lines("fill('1', 'x')"), lines("click [3]"), "0- -0") // a field that the reference does not set
	check("0 state", lines("click('2') | "+later), lines("press('1', 'Enter') | "+home), "00")
	const search = "page.get_by_role('textbox', name='Search').fill('x')"
	check("1 effect", lines("type [1] [x] [1]", search), lines(search), "0- 10") // Enter does more than set the field

	// Blame: one field with two values.
	check("0 !", lines("fill('1', '05/31/2022')"), lines("type [1] [05/31/2023] [0]"), "00")
	check("0 effect, 1 !, 2 !", lines("fill('1', 'x')", "fill('1', 'z')"), lines("fill('1', 'x')", "fill('1', 'y')"), "00 1- -1")
}

// TestOutcomeStage checks that different and missing steps are excused if the task's own
// checks pass. An additional step must not be excused.
func TestOutcomeStage(t *testing.T) {
	tk := &task{}
	if err := json.Unmarshal([]byte(`{"eval":{"eval_types":["string_match"],"reference_answers":{"exact_match":"7"}}}`), tk); err != nil {
		t.Fatal(err)
	}
	check := func(want, said string) {
		t.Helper()
		got, err := Check(tk, &abi.CheckRequest{ReplayRequest: abi.ReplayRequest{Opening: home, Observed: lines("fill('1', 'x')", "click('2')", "page.get_by_role('button', name='Go').click()", "stop ["+said+"]"),
			Reference: lines("fill('1', 'y')", "press [F5]", "page.get_by_role('button', name='Go').click()", "stop [7]")}, Alignment: rows("00 -1 1- 22 33")})
		if err != nil || ruled(&got) != want {
			t.Errorf("%v: %q, want %q", err, ruled(&got), want)
		}
	}
	check("0 outcome, 1 outcome, 3 effect, 4 effect", "7")
	check("3 effect, 0 !", "8")
}

func TestReplay(t *testing.T) {
	tk := &task{}
	if err := json.Unmarshal([]byte(`{"sites":["s"],"eval":{"eval_types":["url_match"],"reference_url":"http://h/x"}}`), tk); err != nil {
		t.Fatal(err)
	}
	check := func(t *task, want abi.Replay, recorded bool, obs ...string) {
		r := &abi.ReplayRequest{Observed: lines(obs...), Recorded: &recorded}
		got := Replay(t, r)
		if got.Success != want.Success || got.StateEqual != want.StateEqual || got.Basis != want.Basis || got.Contradicted != want.Contradicted || got.StateChanged != want.StateChanged {
			panic(fmt.Sprintf("%v: %+v", obs, got))
		}
	}
	check(tk, abi.Replay{Basis: "observations", Success: true, StateEqual: true}, true, "goto('http://h/x')")
	check(tk, abi.Replay{Basis: "observations", Contradicted: true}, true, "goto('http://h/y')")
	check(tk, abi.Replay{Basis: "observations", Success: true, StateEqual: true}, true, "goto('http://h/x') | done") // an observation without a page is skipped
	check(tk, abi.Replay{Basis: "observations", Success: true, StateEqual: true, Contradicted: true}, false, "goto('http://h/x')")
	check(tk, abi.Replay{Basis: "recorded", Success: true, StateEqual: true, StateChanged: true}, true, "click('2')")
	check(nil, abi.Replay{Basis: "recorded", StateEqual: true}, false, "goto('http://h/y')")
	both := &task{} // a wrong answer is not a different state
	if err := json.Unmarshal([]byte(`{"eval":{"eval_types":["string_match","url_match"],"reference_url":"http://h/x","reference_answers":{"exact_match":"7"}}}`), both); err != nil {
		t.Fatal(err)
	}
	check(both, abi.Replay{Basis: "observations", StateEqual: true}, false, "goto('http://h/x')", "stop [8]")
	check(both, abi.Replay{Basis: "observations"}, false, "goto('http://h/y')", "stop [7]")
}

// TestLastPage checks that a different address of the last page is listed as a
// difference, but does not make the final states differ.
func TestLastPage(t *testing.T) {
	got := Replay(nil, &abi.ReplayRequest{Observed: lines("goto('http://h/x') | http://h/x"), Reference: lines("goto('http://h/y') | http://h/y")})
	if len(got.Differences) != 1 || got.Differences[0].Field != "url" || !got.StateEqual || strings.Join(got.Notes, "") != "differences that do not count: 1 of 1" {
		t.Errorf("%+v", got)
	}
}

func TestOutside(t *testing.T) {
	for _, r := range []abi.Row{{Obs: 1, Ref: -1}, {Obs: -1, Ref: 0}, {Obs: -1, Ref: -1}, {Obs: -2}} {
		if _, err := Check(nil, &abi.CheckRequest{ReplayRequest: abi.ReplayRequest{Observed: lines("noop()")}, Alignment: []abi.Row{r}}); err == nil {
			t.Errorf("%+v: no error", r)
		}
	}
}

func TestLoad(t *testing.T) {
	s := &store{}
	for _, bad := range []string{"", "{}", "[]", "[1]", `[{"task_id":1}]`} {
		if _, err := s.loadTasks("x", []abi.File{{Name: "test.json", Data: []byte(bad)}}); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
	found, err := s.loadTasks("x", []abi.File{{Name: "test.json", Data: []byte(`[{"task_id":7,"eval":{}},{"task_id":"a","eval":{}}]`)}})
	if err != nil || fmt.Sprint(found) != "[test.json: 2 tasks]" {
		t.Error(found, err)
	}
	for name, want := range map[string]bool{"7": true, "a": true, "8": false} {
		if tk, err := s.findTask("x", name); err != nil || (tk != nil) != want {
			t.Errorf("%s: %v %v", name, tk, err)
		}
	}
	if _, err := s.findTask("y", "7"); err == nil {
		t.Error("another environment: no error")
	}
}

// FuzzCheck checks that, for all actions and observations, an answer names only rows and
// calls of its request.
func FuzzCheck(f *testing.F) {
	f.Add("click('1')", home, "type [1] [x] [1]")
	f.Add("fill('1', 'x')\npress('1', 'Enter')", "http://h/x", "stop [7]")
	f.Add("page.get_by_role('a').click()", "<a>b</a>", "goto('http://h')")
	f.Fuzz(func(t *testing.T, obs, seen, ref string) {
		r := &abi.CheckRequest{ReplayRequest: abi.ReplayRequest{Opening: seen, Observed: []abi.Action{{Text: obs, Observation: &seen}, {Text: ref, Failed: true}},
			Reference: []abi.Action{{Text: ref, Observation: &obs}}}, Alignment: rows("00 1-")}
		got, err := Check(nil, r)
		if err != nil {
			t.Fatal(err)
		}
		if err := got.Within(r); err != nil {
			t.Error(err)
		}
	})
}
