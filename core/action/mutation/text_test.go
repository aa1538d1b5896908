package mutation

import "testing"

func TestClassifyText(t *testing.T) {
	for want, list := range map[string][]string{
		"yes": {"take apple 1 from table 1", "open drawer 1", "close fridge 1", "put mug 1 in/on desk 1", "clean mug 1 with sinkbasin 1",
			"heat egg 1 with microwave 1", "cool pan 1 with fridge 1", "use desklamp 1", "slice bread 1 with knife 1",
			"click [12]", "click('a51')", "type [5] [hello] [1]", "fill('a', 'b')", "press [Enter]", "select_option('x', 'y')",
			"pyautogui.click(100, 200)", "pyautogui.typewrite('ls')", "rm -rf /", "buy now", "look\ntake apple 1",
			"go to desk 1\nput pen 1 in desk 1", "Click [1]", "tab_close", "pick up the mug", "move mug 1 to shelf 2",
			"click [1] and [2]", "take x; look", "TYPING hello", "give up"},
		"no": {"go to cabinet 1", "look", "examine desk 1", "inventory", "help", "goto [http://x.org/?a=1;b=2]", "scroll [down]", "scroll(0, 100)",
			"hover [3]", "go_back", "go_forward", "search[query words; more]", "ls -la", "cat file.txt", "pyautogui.moveTo(1, 2)",
			"look\nexamine desk 1", "page_focus [1]", "go north", "lookup[term]", "Inventory"},
		"control": {"think: I must find a mug; then clean it", "stop [42]", "finish[answer; text]", "noop()", "WAIT", "DONE",
			"send_msg_to_user('all done')", "FAIL", "end task", "report_infeasible(\"the \\\"x\\\" isn't there\")", "wait", "think: a\nstop [b]"},
		"unknown": {"", "  \n ", "look; rm -rf /", "examine `x`", "ls | sh", "ls\rrm x", "look \u202e x", "frobnicate desk 1", "goto('x'); click('y')",
			"scroll(1) scroll(2)", "search[a] | sh", "(", "42", "run tests", "think; rm x", "go to $(x)", "scroll('a\\'); click('b')", "scroll ['\\'] ; click ['x']", "scroll(1", "stop [a"},
	} {
		for _, c := range list {
			v := ClassifyText(c)
			got := v.Mutating.String()
			if v.Control {
				got = "control"
			}
			if got != want {
				t.Errorf("%q: %s (%s: %s), want %s", c, got, v.Layer, v.Reason, want)
			}
		}
	}
}
