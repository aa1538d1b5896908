package webarena

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// formatTree formats a tree in one line.
func formatTree(n *node) string {
	if n == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString(n.role)
	if n.name != "" {
		fmt.Fprintf(&b, "%q", n.name)
	}
	for _, a := range n.attrs {
		b.WriteString(" " + a.key + "=" + a.value)
	}
	if len(n.children) > 0 {
		b.WriteString(" (")
		for i, c := range n.children {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(formatTree(c))
		}
		b.WriteString(")")
	}
	return b.String()
}

func TestParseTree(t *testing.T) {
	check := func(want string, texts ...string) {
		t.Helper()
		for _, text := range texts {
			n, err := parseTree(text)
			if got := formatTree(n); got != want || err != nil {
				t.Errorf("%q: %s, %v; want %s", text, got, err, want)
			}
		}
	}
	check(`RootWebArea"Shop" (link"Home", list (listitem (StaticText"it's")))`,
		"RootWebArea 'Shop', focused\n\t[1] link 'Home'\n\t[2] list ''\n\t\t[3] listitem ''\n\t\t\tStaticText \"it's\"",
		"Tab 0 (current): Shop\n\n[9] RootWebArea 'Shop' focused: True\n  [4] link 'Home'\n  [5] list ''\n    [6] listitem ''\n      [7] StaticText 'it\\'s'\n",
	)
	check(`button"Save" disabled=True haspopup=menu`, "[1] button 'Save', disabled=True, hasPopup='menu', focused", "[2] button 'Save' disabled: True hasPopup: menu",
		`- button "Save" [disabled] [haspopup=menu] [ref=e3]`)
	check(` (heading"A" level=2, text"b c")`, "- heading \"A\" [level=2]\n- text: b c")
	check(`a"x" controls=tab-# url=http://h/p?id=3`, "[1] a 'x', controls='tab-17', url='http://h/p?id=3&_=1690000000000'")
	check(`StaticText"#time"`, "StaticText '3 minutes ago'", "StaticText 'an hour ago'")
	check("", "", "no tree here", "[x] y", "['a'] 'b'", "Call log:\n  -   locator resolved to <a>\n  - done\n  - x y")
}

func TestParseHTML(t *testing.T) {
	check := func(want string, texts ...string) {
		t.Helper()
		for _, text := range texts {
			n, err := parseHTML(text)
			if got := formatTree(n); got != want || err != nil {
				t.Errorf("%q: %s, %v; want %s", text, got, err, want)
			}
		}
	}
	check(`p (text"a & b", br, text"c")`, "<p>a &amp; b<br>c</p>", "<P>\n a &#38;  b <BR/>c", "<!DOCTYPE html><!-- x --><p>a &#x26; b<br>c")
	check(`ul (li (text"1"), li (text"2"))`, "<ul><li>1<li>2</ul>", "<ul><li>1</li><li>2</li></ul>", "<ul><li>1</b></li><script>if (a<b) {}</script><li>2")
	check(`input disabled= name=q value=x y`, `<input name=q value="x y" disabled>`, `<input disabled value='x y' name="q" bid="7">`, `<input disabled  value = "x y"	name= q>`)
	check(`form action=/go (input name=key type=hidden)`, `<form action="/go?sid=0a1b2c3d4e5f60718293"><input type="hidden" name="key" value="kZ3pQ9xW2mL7vB5nT8yR"></form>`,
		`<form action="/go/"><input type="hidden" name="key" value="d41d8cd98f00b204e9800998ecf8427e" nonce="r4nd0m"></form>`)
	check(`div class=css-# row id=ui-id-#`, `<div id="ui-id-4" class="row css-1a2b3c"></div>`, `<div id="ui-id-93" class="css-9f8e7d  row"></div>`)
	check(`title"T"`, "<title>T</title>", "<title>T")
	check("", "", "<!-- only -->", "<script>x</script>")
}

// TestKnown checks that an element of a page's source gets the role and name that the
// accessibility tree would have.
func TestKnown(t *testing.T) {
	page, err := parseHTML(`<body id="1"><a bid="1" href="/c">My <b>cart</b></a><button bid="2" aria-label="Add it">+</button><input bid="3" type="submit" value="Go"><input bid="4" placeholder="Search">
		<input bid="5" type="checkbox" title="Gift"><div bid="6" role="tab">Size</div><select bid="7"></select><p bid="8">Text</p><img bid="9" alt="Jug"></body>`)
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{"1": "link My cart", "2": "button Add it", "3": "button Go", "4": "textbox Search", "5": "checkbox Gift", "6": "tab Size", "7": "combobox ", "8": "p Text", "9": "img Jug"} {
		n := page.findElement(id)
		if n == nil {
			t.Fatalf("no element %s", id)
		}
		if role, name := n.roleAndName(); role+" "+name != want {
			t.Errorf("%s: %s %s, want %s", id, role, name, want)
		}
	}
}

func TestCompareTrees(t *testing.T) {
	check := func(obs, ref string, want ...string) {
		t.Helper()
		a, err := parseTree(obs)
		b, err2 := parseTree(ref)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		var got []string
		for _, d := range compareTrees(a, b) {
			got = append(got, fmt.Sprintf("%s %s %q %q", d.path, d.field, d.obs, d.ref))
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%q, %q:\n%s\nwant\n%s", obs, ref, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	page := func(lines ...string) string { return "RootWebArea 'P'\n\t" + strings.Join(lines, "\n\t") }
	check(page("[1] link 'a'", "[2] link 'b'"), page("[8] link 'a'", "[9] link 'b'"))
	check(page("[1] link 'a'", "[2] link 'b'"), page("[1] link 'a'", "[2] link 'c'"), `/RootWebArea/link[2] name "b" "c"`)
	check(page("[1] link 'a'", "[2] link 'b'"), page("[2] link 'b'"), `/RootWebArea/link  "link a" ""`)
	check(page("[1] link 'a'"), page("[1] link 'a'", "[2] link 'a'"), `/RootWebArea/link[2]  "" "link a"`)
	check(page("[1] box 'a', checked=True"), page("[1] box 'a', checked=False"), `/RootWebArea/box @checked "True" "False"`)
	check(page("[1] box 'a', checked=True"), page("[1] box 'a'"), `/RootWebArea/box @checked "True" ""`)
	check(page("[1] box 'a'"), page("[1] list 'a'"), `/RootWebArea/box role "box" "list"`)
	check(page("[1] row ''", "\t[2] cell '1'"), page("[1] row ''", "\t[2] cell '2'"), `/RootWebArea/row/cell name "1" "2"`)
	var many, none []string
	for i := range 50 {
		many, none = append(many, fmt.Sprintf("[%d] link 'x%d'", i, i)), append(none, fmt.Sprintf("[%d] link 'y%d'", i, i))
	}
	a, _ := parseTree(page(many...))
	b, _ := parseTree(page(none...))
	if n := len(compareTrees(a, b)); n != maxDifferences {
		t.Errorf("%d differences are listed", n)
	}
}

// TestHostileTrees checks that trees beyond the limits are refused quickly, with an
// error.
func TestHostileTrees(t *testing.T) {
	var deep strings.Builder
	for i := range 1000 {
		deep.WriteString(strings.Repeat(" ", i) + "[1] group ''\n")
	}
	if _, err := parseTree(deep.String()); !errors.Is(err, errDeep) {
		t.Error("deep tree:", err)
	}
	if _, err := parseHTML(strings.Repeat("<div>", 100_000)); !errors.Is(err, errDeep) {
		t.Error("deep page:", err)
	}
	if _, err := parseHTML(strings.Repeat("<br>", maxNodes+1)); !errors.Is(err, errLarge) {
		t.Error("large page:", err)
	}
	if _, err := parseHTML(strings.Repeat("<script></script><br <b </p <!--", 50_000)); err != nil {
		t.Error("broken page:", err)
	}
	wide := "RootWebArea 'P'\n" + strings.Repeat("\t[1] link 'a'\n", maxNodes-10)
	a, err := parseTree(wide)
	b, err2 := parseTree(strings.ReplaceAll(wide, "'a'", "'b'"))
	if err != nil || err2 != nil || len(compareTrees(a, b)) != maxDifferences {
		t.Error("wide tree:", err, err2)
	}
	if p := readPage(deep.String()); p.err == nil || p.tree != nil {
		t.Error("a page that cannot be read is not known to be one")
	}
}

func TestReadPage(t *testing.T) {
	check := func(text, url, words string, source bool) {
		t.Helper()
		p := readPage(text)
		if p.url != url || strings.TrimSpace(p.text) != words || p.source != source {
			t.Errorf("%q: %q %q %t", text, p.url, p.text, p.source)
		}
	}
	check("http://A.example/x/", "http://a.example/x", "", false)
	check("about:blank", "about:blank", "", false)
	check("URL: http://a/x\nRootWebArea 'P'\n\t[1] link 'a'", "http://a/x", "P\na", false)
	check("Look there:\nhttp://a/x", "", "", false)
	check("URL: nowhere at all", "", "", false)
	check(`{"url":"http://a/x","text":"URL: http://b/y\n[1] link 'a'"}`, "http://a/x", "a", false)
	check(`{"text":"URL: http://b/y\n[1] link 'a'"}`, "http://b/y", "a", false)
	check("TimeoutError: no\nURL: http://a/x", "http://a/x", "", false)
	check(`{"url":"http://a/x","axtree_txt":"[1] link 'a'"}`, "http://a/x", "a", false)
	check(`{"open_pages_urls":["http://a/","http://b/"],"active_page_index":[1],"pruned_html":"<p>t</p>"}`, "http://b", "<p>t</p>", true)
	check(`{"error":"no"}`, "", "", false)
	check("<p>t</p>", "", "<p>t</p>", true)
	check("Something went wrong: see the log", "", "", false)
	check("", "", "", false)
}

func FuzzPage(f *testing.F) {
	for _, s := range []string{"RootWebArea 'P'\n\t[1] link 'a', url='http://a'", "<p a=b c='d' e>x&amp;</p><br/>", `{"url":"http://a","html":"<a>"}`, "- button \"x\" [ref=e1]:\n  - text: y",
		"<script></scr", "<a b=\"", "[1] x \"\\", "URL: http://a\n[2] y ''", "<!-", "&#0;&#x110000;&nosuch;"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p := readPage(s)
		if p.tree != nil && len(compareTrees(p.tree, readPage(s).tree)) != 0 {
			t.Errorf("%q differs from itself", s)
		}
	})
}
