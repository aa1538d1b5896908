package gate

import (
	"net/http"
	"strings"
)

// markup is a constant piece of HTML. Only text written in this program is of
// this type; everything else goes through text and attributes below.
type markup string

// html writes a page. It has two doors: markup that stands in the program, and
// text that is escaped.
type html struct{ b strings.Builder }

func (h *html) raw(parts ...markup) {
	for _, p := range parts {
		h.b.WriteString(string(p))
	}
}

// text escapes for element content and for attributes in double quotes. Inside
// a pre, a first line feed would be dropped: put none there.
func (h *html) text(s string) {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '&':
			h.b.WriteString("&amp;")
		case '<':
			h.b.WriteString("&lt;")
		case '>':
			h.b.WriteString("&gt;")
		case '"':
			h.b.WriteString("&#34;")
		case '\'':
			h.b.WriteString("&#39;")
		case 0, '\r':
			h.b.WriteString("\uFFFD")
		default:
			h.b.WriteByte(c)
		}
	}
}

// el writes an element without attributes around a text.
func (h *html) el(open markup, s string, shut markup) {
	h.raw(open)
	h.text(s)
	h.raw(shut)
}

// hidden writes a hidden field.
func (h *html) hidden(name markup, value string) {
	h.raw(`<input type="hidden" name="`, name, `" value="`)
	h.text(value)
	h.raw(`">`)
}

// pagePolicy lets the page load its one style sheet and send its forms here.
// There are no scripts at all.
const pagePolicy = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// sendPage sends a page. The referrer policy keeps the Origin header, which
// "no-referrer" would take from our own forms.
func sendPage(w http.ResponseWriter, status int, title string, body *html) {
	h := &html{}
	h.raw(`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`,
		`<meta name="color-scheme" content="light dark"><link rel="stylesheet" href="/gate.css">`)
	h.el(`<title>`, title, ` – Boundcheck gate</title></head><body><main>`)
	h.b.WriteString(body.b.String())
	h.raw("</main></body></html>\n")
	head := w.Header()
	head.Set("Content-Type", "text/html; charset=utf-8")
	head.Set("Content-Security-Policy", pagePolicy)
	head.Set("Referrer-Policy", "same-origin")
	head.Set("X-Frame-Options", "DENY")
	w.WriteHeader(status)
	w.Write([]byte(h.b.String()))
}

// style: one column, large targets. What is to be approved is shown from left
// to right in the order of its bytes, also where its letters would turn around.
const style = `:root{font:1.0625rem/1.5 system-ui,sans-serif;color-scheme:light dark;--line:#8886;--yes:#14683a;--no:#a3261d}
body{margin:0}main{max-width:44rem;margin:0 auto;padding:1rem}
h1{font-size:1.3rem;margin:.5rem 0}h2{font-size:1.1rem;margin:.25rem 0;overflow-wrap:anywhere}
pre{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid var(--line);border-radius:.4rem;padding:.75rem;margin:.5rem 0;
font:.9375rem/1.5 ui-monospace,monospace;direction:ltr;unicode-bidi:bidi-override}
pre span{display:block;padding-left:4ch;text-indent:-4ch}
dl{display:grid;grid-template-columns:auto 1fr;gap:.1rem .75rem;margin:.5rem 0}dt{font-weight:600}dd{margin:0;overflow-wrap:anywhere}
section{border:1px solid var(--line);border-radius:.6rem;padding:.75rem;margin:0 0 1rem}
form{margin:.5rem 0}label{display:block;margin:.5rem 0 .2rem}
input[type=text],input[type=password]{width:100%;box-sizing:border-box;font:inherit;padding:.7rem;border:1px solid var(--line);border-radius:.4rem}
input[type=checkbox]{width:1.3rem;height:1.3rem;vertical-align:middle}
button{font:inherit;font-weight:600;min-height:3rem;width:100%;margin:.35rem 0;border:0;border-radius:.4rem;color:#fff;background:#444}
button.yes{background:var(--yes)}button.no{background:var(--no)}
button:focus-visible,input:focus-visible,a:focus-visible{outline:3px solid #2f7ae5;outline-offset:2px}
.warn{border-left:.3rem solid var(--no);padding-left:.6rem;font-weight:600}.state{font-weight:600}
@media(min-width:34rem){.both{display:grid;grid-template-columns:1fr 1fr;gap:.75rem;align-items:end}}
`
