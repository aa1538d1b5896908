package webarena

import (
	"encoding/json"
	"testing"
)

func TestMustInclude(t *testing.T) {
	check := func(want bool, text, said string, alone bool) {
		t.Helper()
		if mustInclude(text, said, alone) != want {
			t.Errorf("%q in %q: %t", text, said, !want)
		}
	}
	check(true, "Quest", "it is the QUEST band", false)
	check(false, "quest band", "it is the band", false)
	check(true, "65 |OR| 3", "there are 3", false)
	check(false, "65 |OR| 3", "there are 4", false)
	check(true, "0", "I found 0 of them.", true)
	check(true, "0", "the answer is 0.", true)
	check(false, "0", "I found 10 of them", true)
	check(false, "0", "it costs 0.50", true)
	check(true, "0", "I found 10", false)
	for _, said := range []string{"A-0", "0_b", "b_0", "1:0", "0/5", "0,5", "x0", "0é", "o'0"} {
		check(false, "0", said, true)
	}
}

func TestFuzzy(t *testing.T) {
	check := func(want verdict, text, said string, list bool) {
		t.Helper()
		if got := fuzzyMatch(text, said, list); got != want {
			t.Errorf("%q, %q: %s", text, said, verdictNames[got])
		}
	}
	check(passed, "May 3, 2022", "may 3 2022.", true)
	check(failed, "May 3, 2022", "", true)
	check(failed, "May 3, 2022", "N/A", true)
	check(undecided, "May 3, 2022", "3/5/22", true)
	check(passed, "N/A", "n/a", false)
	check(undecided, "N/A", "there is no such product", false)
}

func TestGoldInURL(t *testing.T) {
	check := func(want bool, gold, pred string) {
		t.Helper()
		if goldInURL(gold, pred) != want {
			t.Errorf("%q in %q: %t", gold, pred, !want)
		}
	}
	check(true, "http://a.example/x", "http://a.example/x/y?z=1")
	check(false, "http://a.example/x?z=2", "http://a.example/x/y?z=1")
	check(true, "http://a.example/x?z=2 |OR| http://b.example?z=1", "http://a.example/x/y?z=1")
	check(true, "__SHOP__/x/", "http://1.2.3.4:7770/x")
	check(true, "__SHOP__/customer/index", "http://1.2.3.4:7780/admin/customer/index/")
	check(false, "__SHOP__/index", "http://1.2.3.4:7780/admin/customer/index/")
	check(true, "__SHOP__", "http://1.2.3.4:7770/x")
	check(true, "__SHOP__/s/?q=a%20b", "http://1.2.3.4/s?p=1&q=a+b")
	check(false, "__SHOP__/f/diy", "http://1.2.3.4/f/DIY")
	check(false, "__SHOP__/x", "%zz")
}

func TestJudge(t *testing.T) {
	check := func(want verdict, eval, said string, last page) {
		t.Helper()
		tk := &task{}
		if err := json.Unmarshal([]byte(`{"eval":`+eval+`}`), tk); err != nil {
			t.Fatal(err)
		}
		if j := runTaskChecks(tk, said, &last); j.verdict != want {
			t.Errorf("%s, %q: %s %q", eval, said, verdictNames[j.verdict], j.notes)
		}
	}
	text := `{"eval_types":["string_match"],"reference_answers":`
	check(passed, text+`{"exact_match":"Yes"}}`, "'yes'", page{})
	check(failed, text+`{"exact_match":"Yes"}}`, "yes, it is", page{})
	check(passed, text+`{"must_include":["a","b"]}}`, "B and A", page{})
	check(failed, text+`{"must_include":["a","b"],"fuzzy_match":["c"]}}`, "a", page{}) // one failed check decides
	check(undecided, text+`{"fuzzy_match":["c d"]}}`, "d c", page{})
	url := `{"eval_types":["string_match","url_match"],"reference_answers":{"exact_match":"x"},"reference_url":"__S__/p","url_note":"GOLD in PRED"}`
	check(passed, url, "x", page{url: "http://h/p"})
	check(failed, url, "x", page{url: "http://h/q"})
	check(undecided, url, "x", page{})
	html := func(rest string) string { return `{"eval_types":["program_html"],"program_html":[` + rest + `]}` }
	source := page{url: "http://h/p", text: "<b>Done & dusted</b>", source: true}
	check(passed, html(`{"url":"last","locator":"","required_contents":{"must_include":["done |OR| x"]}}`), "", source)
	check(passed, html(`{"url":"__S__/p","locator":"","required_contents":{"must_include":["dusted"]}}`), "", source)
	check(failed, html(`{"url":"last","locator":"","required_contents":{"must_include":["gone"]}}`), "", source)
	check(undecided, html(`{"url":"last","locator":"","required_contents":{"must_include":["gone"]}}`), "", page{text: "a tree", url: "http://h/p"})
	check(undecided, html(`{"url":"__S__/other","locator":"","required_contents":{"must_include":["done"]}}`), "", source)
	check(undecided, html(`{"url":"last","locator":"document.title","required_contents":{"exact_match":"x"}}`), "", source)
	check(undecided, html(`{"url":"func:f()","locator":"","required_contents":{"must_include":["done"]}}`), "", source)
	check(undecided, html(""), "", source)
	check(undecided, html(`{"url":"last","locator":"document.body","required_contents":{"must_include":["done"]}}`), "", source)
	check(undecided, html(`{"url":"last","locator":"","required_contents":{"must_include":["done"]}}`), "", page{url: "http://h/p", source: true})
	check(failed, text+`{"must_include":["0"]}}`, "10", page{})
	check(passed, text+`{"must_include":["0","1"]}}`, "10", page{})
	check(undecided, `{"eval_types":[]}`, "", source)
	check(undecided, `{"eval_types":["magic"]}`, "", source)
}
