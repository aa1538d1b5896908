package webarena

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// formatActions returns the actions in normal form as one text. If err is not nil, it
// returns "! " and the error.
func formatActions(acts []action, err error) string {
	if err != nil {
		return "! " + err.Error()
	}
	var out []string
	for i := range acts {
		out = append(out, acts[i].String())
	}
	return strings.Join(out, "; ")
}

func TestParseActions(t *testing.T) {
	check := func(want string, texts ...string) {
		t.Helper()
		for _, text := range texts {
			if got := formatActions(parseActions(text)); got != want {
				t.Errorf("%q: %s, want %s", text, got, want)
			}
		}
	}
	check(`click [12]`, "click [12]", "CLICK [12]", "click[12]", "click('12')", `click("12")`, "click(bid='12')", "page.click('12')", "click(12)")
	check(`type [5] "a [b] c" and Enter`, "type [5] [a [b] c] [1]", "type [5] [a [b] c]", "type [5] [a [b] c] [press_enter_after=1]", "type(5, 'a [b] c\\n')",
		"type(ref='5', text='a [b] c', submit=True)", "type(ref='5', text='a [b] c', submit=1)")
	check(`type [5] "x"`, "type(ref='5', text='x', submit=False)", "type(ref='5', text='x', submit=0)")
	check(`type [5] "1] [x"`, "type [5] [1] [x] [0]")
	check(`type [5] ""`, "type [5] [] [0]", "fill('5', '')")
	check(`press "control+a"`, "press [Ctrl+A]", "press [Control+a]", "keyboard_press('ControlOrMeta+a')", "page.keyboard.press('Control+KeyA')", "press_key(key='ctrl+a')")
	check(`press [7] "enter"`, "press('7', 'Enter')", "page.press('7', 'Return')")
	check(`scroll "down"`, "scroll [down]", "scroll [direction=down]", "scroll(0, 200)", "scroll('down')", "page.mouse.wheel(0, 300)")
	check(`switch to tab "2"`, "tab_focus [2]", "tab_focus(2)", "page_focus [2]")
	check(`go to http://shop.example/a`, "goto [http://shop.example:80/a/]", "goto('HTTP://shop.example/a')", "page.goto('http://shop.example/a?utm_source=x')")
	check("open a tab", "new_tab", "new_tab()", "context.new_page()")
	check("close the tab", "close_tab", "tab_close()", "page.close()")
	check("go back", "go_back", "go_back()", "page.go_back()")
	check("go forward", "go_forward", "go_forward()")
	check(`answer "yes"`, "stop [Yes]", "stop ['yes']", "send_msg_to_user(' YES ')", "page.stop('yes')")
	check(`answer ""`, "stop", "stop []")
	check(`answer "n/a"`, "stop [N/A]", "report_infeasible('there is no such button')")
	check(`select [9] "Year"`, "select [9] [Year]", "select_option('9', 'Year')", "select_option('9', ['Year'])")
	check(`click button "Save now"`, `page.get_by_role("button", name="Save  now").click()`, `await page.get_by_role('Button', name='Save now').click()`)
	check(`type "Search" "x"`, `page.get_by_label("Search").fill("x")`, `self.page.get_by_placeholder('Search').press_sequentially('x')`)
	check(`click //a[2]/span >> nth=1`, "page.locator('xpath=//A[2]/span[1]').nth(1).click()")
	check(`click #go >> has-text=Save >> nth=0`, "page.locator('#go').filter(has_text='Save').first.click()")
	check(`drag [1] to [2]`, "drag_and_drop('1', '2')")
	check(`drag [1] to #b`, "page.get_by_test_id('1').drag_to(page.locator('#b'))")
	check(`click (10,20)`, "mouse_click(10, 20)", "page.mouse.click(10, 20)")
	check(`type "hello"`, "keyboard_type('hello')", "page.keyboard.type('hello')", "page.keyboard.insert_text('hello')")
	check(`check [3]; uncheck [4]; wait`, "check('3')\nuncheck('4')\nnoop(100)")
	check(`click [1]; type [2] "x"`, "import re\nclick('1'); fill('2', 'x')")
	check(`clear [2]`, "clear [2]", "clear('2')")

	check("! more than 1000 actions in one text", strings.Repeat("noop()\n", 2000))
	for text, want := range map[string]string{
		"":                                     "no action was found",
		"click":                                "line 1: the statement is not a call",
		"click []":                             "line 1, column 7: missing a subscript",
		"click()":                              "line 1: missing the element",
		"fill('5')":                            "line 1: missing what to type",
		"fill('5', text)":                      "line 1: a value must be a literal, not an expression",
		"click('12'":                           "line 1, column 11: missing )",
		"frobnicate('12')":                     `line 1: unknown action "frobnicate"`,
		"page.get_by_magic('x').click()":       "line 1: unknown locator get_by_magic",
		"page.get_by_role('x').parent.click()": "line 1: unknown member parent",
		"mouse_click(1)":                       "line 1: missing coordinates",
		"drag_and_drop('1')":                   "line 1: missing the element",
		"I will click the button":              "line 1, column 3: unexpected will",
		"goto()":                               "line 1: missing what to go to",
		"click(page.title())":                  "line 1: cannot determine the element",
	} {
		check("! "+want, text)
	}
}

// TestRead checks that readActions understands tool calls with a name and arguments.
func TestRead(t *testing.T) {
	check := func(want, name, arguments string) {
		t.Helper()
		a := &abi.Action{Name: name, Arguments: json.RawMessage(arguments)}
		if got := formatActions(readActions(a)); got != want {
			t.Errorf("%s %s: %s, want %s", name, arguments, got, want)
		}
	}
	check("click [12]", "click", `{"element_id": "12"}`)
	check("click [12]", "click", `{"element_id": 12}`)
	check("click [e7]", "browser_click", `{"element": "the button", "ref": "e7"}`)
	check(`type [e7] "x" and Enter`, "browser_type", `{"ref": "e7", "text": "x", "submit": true}`)
	check(`select [e7] "a\nb"`, "browser_select_option", `{"ref": "e7", "values": ["a", "b"]}`)
	check("go to http://a", "navigate", `{"url": "http://a/"}`)
	check("go back", "browser_navigate_back", `{}`)
	check("click [12]", "act", `{"action": "click [12]"}`)
	check("click [12]", "act", `"click [12]"`)
	check(`! unknown action "act"`, "act", `{"action": "click [12]", "why": "x"}`)
	check(`! unknown action "cancel_order"`, "cancel_order", `null`)
}

func TestCompose(t *testing.T) {
	check := func(want, text string) {
		t.Helper()
		acts, err := parseActions(text)
		if got := strings.Join(composeActions(acts), "; "); err != nil || got != want {
			t.Errorf("%q: %s, %v; want %s", text, got, err, want)
		}
	}
	check(`type [1] "y"`, "fill('1', 'x'); fill('1', 'y')")
	check(`type [1] "y"`, "click('1'); clear('1'); fill('1', 'y')")
	check(`clear [1]`, "fill('1', 'x'); clear('1')")
	check(`type [1] "x"; type [2] "y"`, "fill('1', 'x'); fill('2', 'y')")
	check(`type [1] "xy" and Enter`, "click('1'); keyboard_type('x'); keyboard_type('y'); keyboard_press('Enter')")
	check(`type [1] "x"; press [2] "enter"`, "fill('1', 'x'); press('2', 'Enter')")
	check(`type [1] "x" and Enter; type [1] "y"`, "fill('1', 'x'); press('1', 'Enter'); fill('1', 'y')")
	check(`select [1] "a"`, "click('1'); select_option('1', 'a')")
	check(`click [2]; select [1] "a"`, "click('2'); select_option('1', 'a')")
	check(`click [1]; click [1]`, "click('1'); click('1')")
	check(`open a tab; go to http://h`, "new_tab('http://h/')")
	check(``, "noop(); hover('1'); scroll(0, 9); focus('1')")
}

func TestNormalXPath(t *testing.T) {
	check := func(want string, texts ...string) {
		t.Helper()
		for _, text := range texts {
			if got := normalSelector(text); got != want {
				t.Errorf("%q: %s, want %s", text, got, want)
			}
		}
	}
	check(`/html/body/div[2]/a`, "/html/body/div[2]/a", "xpath=/HTML[1]/body[1]/DIV[2]/a[1]", " / html / body / div[2] / child::a ")
	check(`//*[@id="menu-#"]/a`, `//*[@id="menu-17"]/a`, `//*[ @id = 'menu-4' ]/a[1]`, `/descendant-or-self::node()/*[attribute::id='menu-2']/a`)
	check(`//button[text()="Save Now"]`, `//button[text()='Save Now']`, `//button[ text() = "Save  Now" ]`)
	check(`//a[@x="1" and @y="2"]`, `//a[@x='1'  and  @y='2']`)
	check("#go .row > a", "#go  .row > a", "css=#go .row > a")
	check(`//a[@b='`, `//a[@b='`)
}

func FuzzActions(f *testing.F) {
	for _, s := range []string{"click [1]", "type [1] [a] [0]", "type [1] [[]]]", "stop [", "click('1')", "page.get_by_role('x', name='y').first.click()", "page.keyboard.press('A+B')",
		"drag_and_drop('1','2'); scroll(0,-1)", "fill(bid='1', value=['a', 2])", "a.b.c(d)", "page.locator('//a[1]').nth(-1).click()", "press [+]", "select [1] [x]]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		acts, err := parseActions(s)
		if (err == nil) != (len(acts) > 0) {
			t.Errorf("%q: %d actions and %v", s, len(acts), err)
		}
		for i := range acts {
			_ = acts[i].String()
		}
		composeActions(acts)
		if x := normalSelector(s); normalSelector(x) != x {
			t.Errorf("%q: %q, and then %q", s, x, normalSelector(x))
		}
	})
}
