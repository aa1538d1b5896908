package match

import (
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/pace"
)

func readTestHosts(t *testing.T, text string) *Hosts {
	t.Helper()
	v, err := jsonval.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	h, err := ReadHosts(v)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func parseObject(t *testing.T, text string) jsonval.Value {
	t.Helper()
	v, err := jsonval.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// TestHostsOracle has calls that surely reach only the listed hosts, and calls that may reach
// another one.
func TestHostsOracle(t *testing.T) {
	h := readTestHosts(t, `["api.example.com","*.example.org"]`)
	for _, text := range []string{
		`{"url":"https://api.example.com/v1/orders?id=7"}`, `{"url":"HTTPS://API.Example.COM:443/x"}`, `{"uri":"http://a.b.example.org"}`, `{"host":"api.example.com","path":"/v1/x"}`,
		`{"host":"api.example.com:8080"}`, `{"url":"https://api.example.com/","method":"POST","timeout":30,"follow":true,"headers":{"Accept":"text/html","X-Version":"1.2"}}`,
		`{"url":"https://api.example.com/report","output":"report.csv"}`, `{"url":"https://api.example.com/?q=a+b&v=1.2&file=x.pdf"}`, `{"urls":["https://api.example.com/a","https://x.example.org/b"]}`,
		`{"url":"https://api.example.com/r?to=https%3A%2F%2Fx.example.org%2Fy"}`, `{"url":"https://api.example.com/","body":"Dear Mia, see https://x.example.org/1 and e.g. this. Regards"}`, `{"url":"https://api.example.com/","body":{"amount":"12.50","note":null}}`,
		`{"request":{"target":{"url":"https://api.example.com/"}}}`, `{"url":"https://api.example.com/a/b/c.html#part"}`, `{"url":"https://api.example.com/","body":"{\"id\":7}"}`,
		`{"url":"https://api.example.com/","host_id":7,"country_code":"DE","zip":"10115","callback_id":"x"}`, `{"url":"https://api.example.com/","at":"2026-11-02T09:00:00Z","ratio":0.5,"version":"1.2.3-beta","model":"gpt-4.1-mini"}`, `{"url":"https://api.example.com/s?sort=created.desc&mail=a@b.com&q=cats.and.dogs"}`, `{"url":"https://api.example.com/v1/e.g.a?t=12:30&x=a:b"}`, `{"url":"https://api.example.com/","mail":"mia@example.net","body":"Mail me at a@b.com. Or: evil.example"}`, `{"url":"https://api.example.com/","body":"a // b\nsee\nhttps://x.example.org/"}`,
		`{"url":"https://api.example.com/","headers":["Accept: text/html","Host: api.example.com","User-Agent: curl/8.5.0","From: mia@b.com"]}`, `{"url":"https://api.example.com/","args":["-o","report.csv","--data @data.json","-v","--max-time=12.5","--url=https://x.example.org/a.json"]}`, `{"url":"https://api.example.com/r?to=x.example.org&next=/home.html&src=a.png"}`,
		`{"url":"https://api.example.com/","body":"Host: Mia\nTime: 12:30\nfiles: a.txt, x.py and lib.rs v1.2.3\n- see evil.example\nmain: x.org"}`, `{"url":"https://api.example.com/","note":"file: x.py","log":"main.go:12: lib.rs"}`, `{"url":"https://api.example.com/","params":"sort=created.desc&q=cats.and.dogs&to=mia@b.com"}`, `{"url":"https://api.example.com/","options":["--connect-to","::x.example.org:443"]}`,
	} {
		if where := h.Stray(parseObject(t, text)); where != "" {
			t.Errorf("%s: %s", text, where)
		}
	}
	for _, text := range []string{
		`{"url":"https://evil.example/"}`, `{"url":"https://api.example.com.evil.example/"}`, `{"url":"https://evil.example/api.example.com"}`, `{"url":"https://api.example.com@evil.example/"}`, `{"url":"https://user:pw@api.example.com/"}`,
		`{"url":"https://api.example.com./"}`, `{"url":"https://example.org/"}`, `{"url":"https://EVIL.example/"}`, `{"url":"https://xn--exmple-cua.com/"}`, `{"url":"https://exämple.com/"}`, `{"url":"https://аpi.example.com/"}`, `{"url":"https://api。example。com/"}`,
		`{"url":"http://127.0.0.1/"}`, `{"url":"http://2130706433/"}`, `{"url":"http://0x7f000001/"}`, `{"url":"http://0177.0.0.1/"}`, `{"url":"http://127.1/"}`, `{"url":"http://[::1]/"}`, `{"url":"http://[::ffff:127.0.0.1]/"}`, `{"url":"http://localhost/"}`, `{"url":"http://169.254.169.254/latest/meta-data"}`,
		`{"url":"https://api.example.com/r?to=https://evil.example/"}`, `{"url":"https://api.example.com/r?to=https%3A%2F%2Fevil.example"}`, `{"url":"https://api.example.com/r?to=https%253A%252F%252Fevil.example"}`, `{"url":"https://api.example.com/r?to=//evil.example"}`, `{"url":"https://api.example.com/r?url=evil.example"}`,
		`{"url":"https://api.example.com/r?next=%2F%2Fevil.example"}`, `{"url":"https://api.example.com//evil.example/%2e%2e"}`, `{"url":"https://api.example.com/proxy/https://evil.example/"}`, `{"url":"https://api.example.com/r#https://evil.example"}`, `{"url":"https://api.example.com/r?to=\\\\evil.example"}`, `{"url":"https://api.example.com/r?to=http:evil.example"}`,
		`{"url":"https:\\\\evil.example"}`, `{"url":"https:evil.example"}`, `{"url":"https:/evil.example"}`, `{"url":"//evil.example/"}`, `{"url":"evil.example"}`, `{"url":" https://evil.example"}`, `{"url":"ht\ntps://evil.example"}`, `{"url":"https://evil\u200b.example"}`, `{"url":"ftp://api.example.com/"}`, `{"url":"file:///etc/passwd"}`, `{"url":"data:text/html,x"}`, `{"url":"javascript:fetch('//evil.example')"}`,
		`{"url":"https://api.example.com/","proxy":"evil.example:8080"}`, `{"url":"https://api.example.com/","headers":{"Host":"evil.example"}}`, `{"url":"https://api.example.com/","headers":{"X-Forwarded-Host":"evil.example"}}`, `{"url":"https://api.example.com/","callback":"https://evil.example/x"}`, `{"url":"https://api.example.com/","mirror":"evil.example"}`,
		`{"url":["https://api.example.com/","https://evil.example/"]}`, `{"request":"{\"url\":\"https://evil.example/\"}","url":"https://api.example.com/"}`, `{"url":"https://api.example.com/","https://evil.example/":1}`, `{"url":"https://api.example.com/","ip":2130706433}`, `{"url":"https://api.example.com/","to":"10.0.0.1"}`, `{"url":"https://api.example.com/","to":"[::1]:80"}`,
		`{"url":"https://api.example.com/","body":"see https://evil.example/1"}`, `{"command":"curl https://api.example.com/x"}`, `{"url":"https://api.example.com/","command":"ls"}`, `{"url":"https://api.example.com https://evil.example"}`, `{"url":"https://api.example.com/,https://evil.example/"}`, `{"url":"https://api.example.com/","to":"git@evil.example:a/b"}`, `{"url":"https://api.example.com/","to":"me@evil.example/x"}`, `{"url":"mia@evil.example"}`,
		`{"url":"https://api.example.com/","x":"http\t:evil.example"}`, `{"url":"https://api.example.com/","x":"ht\ntps://evil.example"}`, `{"url":"https://api.example.com/","x":"https:/\t/evil.example"}`, `{"url":"https://api.example.com/r?u=ht%0Atp:evil.example"}`,
		`{"url":"https://api.example.com/","headers":["Host: evil.example"]}`, `{"url":"https://api.example.com/","headers":"Accept: a\nX-Forwarded-Host: evil.example"}`, `{"url":"https://api.example.com/","raw":"GET / HTTP/1.1\nHost: evil.example\n"}`, `{"url":"https://api.example.com/","h":[["X-Target:evil.example"]]}`, `{"url":"https://api.example.com/","headers":["Host: 2130706433"]}`,
		`{"url":"https://api.example.com/","headers":["Forwarded: for=10.0.0.1;host=api.example.com"]}`, `{"url":"https://api.example.com/","args":["--connect-to","::evil.example"]}`, `{"url":"https://api.example.com/","args":"--connect-to ::evil.example"}`, `{"url":"https://api.example.com/","opts":"proxy=evil.example"}`, `{"url":"https://api.example.com/","x":"proxy=evil.example"}`, `{"url":"https://api.example.com/","x":"-x evil.example:80"}`,
		`{"url":"https://api.example.com/","curl_args":["--resolve","api.example.com:443:10.0.0.1"]}`, `{"url":"https://api.example.com/","args":["--connect-to","::[::1]"]}`, `{"url":"https://api.example.com/","args":["--proxy user:pw@evil.example"]}`, `{"url":"https://api.example.com/","args":["--proxy=evil"]}`, `{"url":"https://api.example.com/","env":["HTTPS_PROXY=evil.example"]}`, `{"url":"https://api.example.com/","args":["--connect-to ::evil%2eexample"]}`,
		`{"url":"https://api.example.com/r?to=evil.example"}`, `{"url":"https://api.example.com/r?a=1&return_to=evil.example/x"}`, `{"url":"https://api.example.com/r?next=evil%2Eexample"}`, `{"url":"https://api.example.com/r?x=10.0.0.1"}`, `{"url":"https://api.example.com/","params":"q=1&dest=evil.example"}`,
		`{}`, `{"id":7}`, `{"page":"12"}`, `{"target":"evil.example"}`, `{"target":"redis"}`, `{"url":""}`, `{"url":null}`, `{"url":7}`, `{"url":{"scheme":"https","netloc":"evil.example"}}`, `{"url":"https://api.example.com/","url":"https://evil.example/"}`, `{"url":"https://api.example.com/","note":"\u0068ttps:\\u002f\\u002fevil.example"}`,
	} {
		if where := h.Stray(parseObject(t, text)); where == "" {
			t.Errorf("%s is surely of the hosts", text)
		}
	}
	if where := h.Stray(jsonval.Value{}); where == "" {
		t.Error("unreadable arguments are surely of the hosts")
	}
}

// TestStrayIsBounded looks through hard texts of 1 MiB, each within two seconds of computing; the slowest took .2 s.
func TestStrayIsBounded(t *testing.T) {
	h := readTestHosts(t, `["api.example.com","*.example.org"]`)
	fill := func(s string) string { return strings.Repeat(s, 1<<20/len(s)) }
	for name, text := range map[string]string{
		"addresses": fill("https://api.example.com/,"), "lines": fill("https://api.example.com/ "), "escapes": fill("%25"), "nested": "https://api.example.com/?a=" + fill("%2525252525252525"), "slashes": fill("/"), "comments": fill("// "),
		"words": fill("a") + "//" + fill("a"), "points": fill("a."), "parameters": "https://api.example.com/?" + fill("url=api.example.com&"), "schemes": fill("http:"), "headers": fill("Host: api.example.com\n"), "pairs": fill("to=a.json&"), "options": "-x " + fill("a.json,"), "blanks": fill(" "), "JSON": fill(`\"`), "backslashes": fill(`\`),
	} {
		took := pace.Spent(func() {
			h.Stray(parseObject(t, `{"url":"https://api.example.com/","x":`+jsonval.Quoted(text)+`}`))
		})
		if took > 2*time.Second {
			t.Errorf("%s: %v", name, took)
		}
	}
}

// TestStrayHidesNothing is the law of hosts: an address of another host in some member of a
// call, in whatever notation, and beside whatever else, is never surely of the listed hosts.
func TestStrayHidesNothing(t *testing.T) {
	h := readTestHosts(t, `["api.example.com","*.example.org"]`)
	r := rand.New(rand.NewPCG(47, 18))
	pick := func(all ...string) string { return all[r.IntN(len(all))] }
	hide := []func(string) string{
		strings.ToUpper, url.QueryEscape, func(s string) string { return url.QueryEscape(url.QueryEscape(s)) }, func(s string) string { return " " + s }, func(s string) string { return s + "\n" },
		func(s string) string { return strings.ReplaceAll(s, "//", `\\`) }, func(s string) string { return strings.ReplaceAll(s, "//", `\/\/`) }, func(s string) string { return strings.Replace(s, "e", "\u200be", 1) },
		func(s string) string { return strings.Replace(s, "://", "://api.example.com@", 1) }, func(s string) string { return strings.Replace(s, "://", "://api.example.com:x@", 1) },
		func(s string) string { return "https://api.example.com/r?" + pick("to", "url", "q", "x") + "=" + s }, func(s string) string { return "https://api.example.com/p/" + s }, func(s string) string { return "https://api.example.com/#" + s },
		func(s string) string { return `{"` + pick("url", "x") + `":` + jsonval.Quoted(s) + `}` }, func(s string) string { return "[" + jsonval.Quoted(s) + "]" }, func(s string) string { return strings.ReplaceAll(s, "/", `\u002f`) }, func(s string) string { return strings.Replace(s, "h", "ｈ", 1) },
	}
	for range drawn.Cases(3_000) {
		s := pick("https", "http", "ws", "ftp", "HTTP") + "://" + pick("evil.example", "evil.example.", "10.0.0.1", "[::1]", "api.example.com.evil.example", "evil.example:8443", "xn--e1afmkfd.example", "2130706433", "localhost", "пример.example", "example.org") + pick("", "/", "/a?b=c", "/api.example.com", "#x")
		for range r.IntN(4) {
			s = hide[r.IntN(len(hide))](s)
		}
		text := `{"` + pick("url", "u", "to", "note", "Uri") + `":` + jsonval.Quoted(s) + `}`
		if r.IntN(2) == 0 {
			text = `{"url":"https://api.example.com/","more":` + pick(text, "["+text+"]", `{"a":`+text+`}`) + `}`
		}
		if where := h.Stray(parseObject(t, text)); where == "" {
			t.Fatalf("%s is surely of the hosts", text)
		}
	}
}

// TestStrayInNames is the law of bare names: the name or number of another host in a header, an
// option or a parameter that may say where a call goes is never surely of the listed hosts, in
// whatever notation, and one of the hosts there is.
func TestStrayInNames(t *testing.T) {
	h := readTestHosts(t, `["api.example.com","*.example.org"]`)
	r := rand.New(rand.NewPCG(47, 22))
	pick := func(all ...string) string { return all[r.IntN(len(all))] }
	header := func(s string) string {
		return pick("Host", "X-Forwarded-Host", "host", "Referer", "Origin", ":authority", "X-Upstream") + pick(": ", ":", " : ") + s
	}
	option := func(s string) string {
		return pick("--connect-to ::", "--proxy ", "--proxy=", "-x ", "--resolve a:443:", "--host=", "--to='", "-e HTTP_PROXY=") + s
	}
	parameter := func(s string) string {
		return pick("to", "next", "dest", "target", "u", "r", "goto", "link", "site", "server", "return_to", "continue", "src", "proxy", "returnTo", "NEXT") + "=" + s
	}
	list := func(s string) string { return `[` + jsonval.Quoted(s) + `]` }
	forms := []func(string) string{
		func(s string) string { return `"headers":` + list(header(s)) }, func(s string) string { return `"headers":` + jsonval.Quoted("Accept: a\r\n"+header(s)) }, func(s string) string { return `"h":` + list(header(s)) },
		func(s string) string { return `"args":` + list(option(s)) }, func(s string) string { return `"curlOpts":` + jsonval.Quoted("-s "+option(s)) }, func(s string) string { return `"x":` + list(option(s)) },
		func(s string) string { return `"opts":` + list(parameter(s)) }, func(s string) string { return `"x":` + jsonval.Quoted("a=1&"+parameter(s)) }, func(s string) string { return `"path":` + jsonval.Quoted("/r?"+parameter(s)) },
		func(s string) string {
			return `"more":` + jsonval.Quoted("https://api.example.com/r?a=b&"+parameter(s))
		}, func(s string) string { return `"more":` + jsonval.Quoted("https://api.example.com/#"+parameter(s)) },
	}
	hide := []func(string) string{strings.ToUpper, func(s string) string { return strings.Replace(s, ".", "%2e", 1) }, func(s string) string { return strings.Replace(s, "e", "\u200be", 1) }, func(s string) string { return strings.Replace(s, "e", "ｅ", 1) }, func(s string) string { return strings.Replace(s, ".", "。", 1) }}
	for range drawn.Cases(6_000) {
		other, ours := pick("evil.example", "evil.co.uk", "10.0.0.1", "evil.example:8443", "api.example.com.evil.example", "xn--e1afmkfd.example", "example.org", "evil.example/x"), pick("api.example.com", "a.example.org", "api.example.com:443")
		for range r.IntN(3) {
			other = hide[r.IntN(len(hide))](other)
		}
		form := forms[r.IntN(len(forms))]
		if text := `{"url":"https://api.example.com/",` + form(other) + `}`; h.Stray(parseObject(t, text)) == "" {
			t.Fatalf("%s is surely of the hosts", text)
		}
		if text := `{"url":"https://api.example.com/",` + form(ours) + `}`; h.Stray(parseObject(t, text)) != "" {
			t.Fatalf("%s: %s", text, h.Stray(parseObject(t, text)))
		}
	}
}
