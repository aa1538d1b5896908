package osworld

import (
	"encoding/json"
	"strings"
	"testing"
)

// formatGestures formats gestures in normal form. If err is not nil, the result is "! "
// and the error.
func formatGestures(all []gesture, err error) string {
	if err != nil {
		return "! " + err.Error()
	}
	var out []string
	for i := range all {
		out = append(out, all[i].String())
	}
	return strings.Join(out, "; ")
}

func TestParseCode(t *testing.T) {
	check := func(want string, texts ...string) {
		t.Helper()
		for _, text := range texts {
			if got := formatGestures(parseCode(text)); got != want {
				t.Errorf("%q: %s, want %s", text, got, want)
			}
		}
	}
	check("click left 10,20", "pyautogui.click(10, 20)", "pyautogui.click(10.2, 19.8, button='left')", "pyautogui.click(x=10, y=20)", "pyautogui.click((10, 20))",
		"pyautogui.click(10, 20, 1, 0.25, 'left')", "click(start_box='(10,20)')", "pg.leftClick(10, 20)", "```python\nimport pyautogui\npyautogui.click(10, 20)\n```", "pyautogui.click([10, 20], button=None)")
	check("click left", "pyautogui.click()", "pyautogui.click(None, None)")
	check("click right 10,20", "pyautogui.rightClick(10, 20)", "pyautogui.click(10, 20, button='right')", "pyautogui.click(10, 20, button=3)")
	check("double click left 10,20", "pyautogui.doubleClick(10, 20)", "pyautogui.click(10, 20, clicks=2)", "pyautogui.click(10, 20, 2)")
	check("triple click left 10,20", "pyautogui.tripleClick(10, 20)", "pyautogui.click(10, 20, clicks=3, interval=0.1)")
	check("triple click left; click left", "pyautogui.click(clicks=4)")
	check("click left ok.png", "pyautogui.click('ok.png')")
	check("wait", "pyautogui.click(clicks=0)", "time.sleep(2)", "WAIT", "print('x')", "pyautogui.screenshot()")
	check("move 10,20; drag 30,40", "pyautogui.moveTo(10, 20)\npyautogui.dragTo(30, 40, duration=1.0)")
	check("move 10,-5 from there", "pyautogui.moveRel(10, -5)", "pyautogui.move(xOffset=10, yOffset=-5)")
	check("mouse down left; mouse up left 3,4", "pyautogui.mouseDown(); pyautogui.mouseUp(3, 4)")
	check("scroll -5 10,20", "pyautogui.scroll(-5, x=10, y=20)", "pyautogui.vscroll(-5, 10, 20)")
	check("scroll sideways 3", "pyautogui.hscroll(3)")
	check(`type "it's \"x\"\n"`, `pyautogui.write('it\'s "x"\n')`, `pyautogui.typewrite("it's \"x\"\n", interval=0.05)`)
	check("press enter", "pyautogui.press('enter')", "pyautogui.press(['return'])", "pyautogui.typewrite(['enter'])", "pyautogui.hotkey('Return')")
	check("press tab; press tab", "pyautogui.press('tab', presses=2)")
	check("press ctrl+shift+t", "pyautogui.hotkey('ctrl', 'shift', 't')", "pyautogui.hotkey(*['shift', 'ctrl', 'T'])", "pyautogui.hotkey(['ctrl', 'shift', 't'])", "hotkey(key='ctrl shift t')",
		"pyautogui.hotkey('ctrlleft', 'shiftright', 't')")
	check("key down shift; press up; key up shift", "pyautogui.keyDown('shift'); pyautogui.press('up'); pyautogui.keyUp('shift')")
	check(`copy "a b"; press ctrl+v`, "pyperclip.copy('a b')\npyautogui.hotkey('ctrl', 'v')")
	check("done", "DONE")
	check("fail", "FAIL", "```\nFAIL\n```")
	check("press a", "pyautogui.PAUSE = 0.5\npyautogui.press('a')")

	for text, want := range map[string]string{
		"":                                        "no action was found",
		"# nothing":                               "no action was found",
		"pyautogui.click(10)":                     "line 1: x without y",
		"pyautogui.click(y=10)":                   "line 1: y without x",
		"pyautogui.click(w / 2, 10)":              "line 1: a number must be a literal, not an expression",
		"x = 3\npyautogui.click(x, 4)":            "line 1: the statement is not a call",
		"pyautogui.click(1e9, 4)":                 `line 1: "1e9" is not a coordinate or count`,
		"pyautogui.write(text)":                   "line 1: a text must be a literal, not an expression",
		"pyautogui.press(k)":                      "line 1: a key must be a literal, not an expression",
		"pyautogui.press('a', presses=10**9)":     "line 1: a number must be a literal, not an expression",
		"pyautogui.press('a', presses=100000)":    "line 1: too many repetitions",
		"pyautogui.click(1, 2, clicks=999999)":    "line 1: too many repetitions",
		"pyautogui.moveTo()":                      "line 1: missing coordinates",
		"pyautogui.move()":                        "line 1: missing a distance",
		"pyautogui.hotkey()":                      "line 1: missing the keys",
		"pyautogui.scroll()":                      "line 1: missing the distance to scroll",
		"os.system('ls')":                         `line 1: unknown function "os.system"`,
		"pyperclip.write('ls')":                   `line 1: unknown function "pyperclip.write"`,
		"a.b.click(1, 2)":                         "line 1: the statement is not a call",
		"for i in range(3): pyautogui.click(1,2)": "line 1, column 1: a for statement is not supported, because it is not a call",
		"STOP": "line 1: the statement is not a call",
	} {
		check("! "+want, text)
	}
}

// TestRead checks that actions in JSON lead to the same gestures as actions in code.
func TestRead(t *testing.T) {
	check := func(want, name, arguments string) {
		t.Helper()
		if got := formatGestures(readGestures(&Action{Name: name, Arguments: json.RawMessage(arguments)})); got != want {
			t.Errorf("%s %s: %s, want %s", name, arguments, got, want)
		}
	}
	check("click left 10,20", "CLICK", `{"x":10,"y":20}`)
	check("double click right 10,20", "CLICK", `{"x":10,"y":20,"button":"right","num_clicks":2}`)
	check("click left 10,20", "computer", `{"action":"left_click","coordinate":[10,20]}`)
	check("click left 10,20", "computer_call", `{"type":"click","x":10,"y":20,"button":"left"}`)
	check("double click left 10,20", "", `{"action_type":"DOUBLE_CLICK","parameters":{"x":10,"y":20}}`)
	check(`type "a b"`, "TYPING", `{"text":"a b"}`)
	check("press ctrl+s", "computer", `{"action":"key","text":"ctrl+s"}`)
	check("press ctrl+s", "computer_call", `{"type":"keypress","keys":["CTRL","S"]}`)
	check("press ctrl+s", "HOTKEY", `{"keys":["s","ctrl"]}`)
	check("press +", "computer", `{"action":"key","text":"+"}`)
	check("double click left 1,2", "DOUBLE_CLICK", `{"x":1,"y":2,"num_clicks":3}`)
	check("click left 1,2", "CLICK", `{"x":1,"y":2,"num_clicks":9}`)
	check("press ctrl++", "computer", `{"action":"key","text":"ctrl++"}`)
	check("key down shift", "KEY_DOWN", `{"key":"shift"}`)
	check("drag from 1,2 to 3,4", "computer", `{"action":"left_click_drag","start_coordinate":[1,2],"coordinate":[3,4]}`)
	check("drag from 1,2 to 3,4", "computer_call", `{"type":"drag","path":[{"x":1,"y":2},{"x":9,"y":9},{"x":3,"y":4}]}`)
	check("scroll -5 1,2", "computer", `{"action":"scroll","coordinate":[1,2],"scroll_direction":"down","scroll_amount":5}`)
	check("scroll -100 1,2", "computer_call", `{"type":"scroll","x":1,"y":2,"scroll_y":100}`)
	check("scroll sideways 2", "SCROLL", `{"dx":2,"dy":0}`)
	check("mouse down left", "MOUSE_DOWN", `{}`)
	check("wait", "WAIT", `{}`)
	check("wait", "computer", `{"action":"screenshot"}`)
	check("fail", "FAIL", ``)
	check("click left 1,2", "run", `{"code":"pyautogui.click(1, 2)"}`)
	check("click left 1,2", "run", `"pyautogui.click(1, 2)"`)
	check("! missing coordinates", "MOVE_TO", `{}`)
	check("! missing the text", "TYPING", `{}`)
	check("! missing the keys", "PRESS", `{}`)
	check(`! unknown action "cancelorder"`, "cancel_order", `{}`)
	check("! parameters of the wrong type", "CLICK", `{"x":"ten"}`)
	check("! parameters of the wrong type", "CLICK", `[1]`)
}

func TestParseHuman(t *testing.T) {
	check := func(want string, texts ...string) {
		t.Helper()
		for _, text := range texts {
			if got := formatGestures(parseText(text)); got != want {
				t.Errorf("%q: %s, want %s", text, got, want)
			}
		}
	}
	check("click left the address bar", "`CLICK` the address bar", "`CLICK`  the Address  bar")
	check("double click left the row", "`DOUBLE_CLICK` the row", "`DOUBLECLICK` the row")
	check(`type "a 'b'"`, "`TYPING` \"a 'b'\" in the cell", "`TYPING` a 'b'")
	check("press ctrl+shift+t", "`HOTKEY` Ctrl+Shift+T", "`HOTKEY`'ctrl+shift+t'")
	check("press enter", "`PRESS` 'enter'", "`PRESS` Enter", "`PRESS` return")
	check("key down shift", "`KEY DOWN` 'shift'")
	check("fail", "`FAIL`")
	for _, text := range []string{"CLICK the row", "`DANCE` on it", "`CLICK the row", "``", "8x`CLICK` it"} {
		if _, ok := parseHuman(text); ok {
			t.Errorf("%q is read", text)
		}
	}
}

func TestCompose(t *testing.T) {
	check := func(want string, texts ...string) {
		t.Helper()
		for _, text := range texts {
			g, err := parseCode(text)
			if got := strings.Join(composeGestures(g), "; "); err != nil || got != want {
				t.Errorf("%q: %s, %v; want %s", text, got, err, want)
			}
		}
	}
	check("click left 1,2", "g.moveTo(1,2); g.click()", "g.moveTo(1,2); g.mouseDown(); g.mouseUp()", "g.mouseDown(1,2); time.sleep(1); g.mouseUp(1,2)", "g.moveTo(9,9); g.click(1,2)")
	check("double click left 1,2", "g.click(1,2); g.click(1,2)", "g.doubleClick(1,2)", "g.moveTo(1,2); g.click(clicks=2)", "g.click(1,2); g.click()")
	check("triple click left 1,2", "g.click(1,2); g.click(); g.click()", "g.doubleClick(1,2); g.click(1,2)")
	check("click left 1,2; click left 3,4", "g.click(1,2); g.click(3,4)")
	check("click left 1,2; click right 1,2", "g.click(1,2); g.rightClick(1,2)")
	check("drag from 1,2 to 3,4", "g.moveTo(1,2); g.dragTo(3,4)", "g.mouseDown(1,2); g.moveTo(3,4); g.mouseUp()", "g.moveTo(1,2); g.mouseDown(); g.moveTo(2,2); g.moveTo(3,4); g.mouseUp()", "g.mouseDown(1,2); g.mouseUp(3,4)")
	check("press ctrl+c", "g.keyDown('ctrl'); g.press('c'); g.keyUp('ctrl')", "g.keyDown('ctrl'); g.keyDown('c'); g.keyUp('c'); g.keyUp('ctrl')", "g.hotkey('ctrl','c')")
	check("press ctrl+shift+t", "g.keyDown('shift'); g.keyDown('ctrl'); g.press('t'); g.keyUp('shift'); g.keyUp('ctrl')")
	check("key down ctrl; click left 1,2; click left 3,4; key up ctrl", "g.keyDown('ctrl'); g.click(1,2); g.click(3,4); g.keyUp('ctrl')") // a selection of several objects, not one chord
	check(`type "abc"`, "g.write('abc')", "g.write('a'); g.write('bc')", "g.write('ab'); g.press('c')", "g.press(['a','b','c'])", "pyperclip.copy('abc'); g.hotkey('ctrl','v')", "g.write('a'); pyperclip.copy('bc'); g.hotkey('ctrl','v')")
	check(`type "abc"; press enter`, `g.write('abc\n')`, "g.write('abc'); g.press('enter')", "pyperclip.copy('abc'); g.hotkey('ctrl','v'); g.press('return')")
	check(`copy "x"; press ctrl+shift+v`, "pyperclip.copy('x'); g.hotkey('ctrl','shift','v')")
	check("", "WAIT", "time.sleep(1)")
	wait := func(n int) string {
		return "pyperclip.copy('x')" + strings.Repeat("; time.sleep(1)", n) + "; g.hotkey('ctrl','v')"
	}
	check(`type "x"`, wait(0), wait(1), wait(7))
	check(`copy "x"; press ctrl+v`, wait(8))
	check(`type "xx"`, "pyperclip.copy('x'); g.hotkey('ctrl','v'); pyperclip.copy('x'); g.hotkey('ctrl','v')")
	check(`type "x"; press ctrl+v`, "pyperclip.copy('x'); g.hotkey('ctrl','v'); g.hotkey('ctrl','v')")
	check(`type "a"; press enter; type "b"; press tab; type "c d"`, `g.write('a\n'); g.write('b'); g.press('tab'); g.write('c'); g.press('space'); g.press('d')`)
	check("key up shift", "g.keyUp('shift')")
}

// TestHostileCode checks that every text and every run can be read in a short time.
func TestHostileCode(t *testing.T) {
	for text, want := range map[string]string{
		strings.Repeat("g.write('a')\n", 100_000):        "more than 2000 gestures in one text",
		strings.Repeat("g.press('a', presses=1000);", 9): "more than 2000 gestures in one text",
		strings.Repeat("(", 1_000_000):                   "line 1, column 102: nested too deeply",
		"WAIT" + strings.Repeat("\n", 1_000_000) + "?":   "line 1000001, column 1: unexpected '?'",
		"g.write('" + strings.Repeat("a", 1_000_000):     "line 1, column 9: unfinished string",
	} {
		if _, err := parseText(text); err == nil || err.Error() != want {
			t.Errorf("%.30q: %v, want %s", text, err, want)
		}
	}
	var many []gesture
	for range 100_000 {
		many = append(many, gesture{kind: typing, text: "ab"}, gesture{kind: keyUp, text: "x"}, gesture{kind: chord, text: "f5"})
	}
	if n := len(composeGestures(many)); n != 300_000 {
		t.Errorf("%d effects", n)
	}
}

func FuzzCode(f *testing.F) {
	for _, s := range []string{"pyautogui.click(1, 2)", "pyautogui.hotkey(*['a', 'b'])", "pyperclip.copy('x')\npyautogui.hotkey('ctrl', 'v')", "g.keyDown('a'); g.keyUp('a'); g.keyUp('b')",
		"`CLICK` x", "`HOTKEY` 'a+ +'", "WAIT", "```\nDONE\n```", "g.moveTo(1,2); g.mouseDown(); g.moveTo(3,4); g.mouseUp()", "g.scroll(-0x5, (1,2))", "g.write('\\n\\n')", "g.press(['a'], presses=9)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		all, err := parseText(s)
		if (err == nil) != (len(all) > 0) {
			t.Errorf("%q: %d gestures and %v", s, len(all), err)
		}
		formatGestures(all, err)
		if n := len(composeGestures(all)); n > 1000*len(all)+1000 {
			t.Errorf("%q: %d effects of %d gestures", s, n, len(all))
		}
		_, _ = readGestures(&Action{Name: "click", Arguments: json.RawMessage(s)})
	})
}
