package gate

import (
	"net/http"
	"strings"
)

// markup is a constant piece of HTML. Only text written in this program is of
// this type; everything else goes through text and attributes below.
type markup string

// html writes a page. It has two doors: markup that is in the program, and
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

// pagePolicy lets a page load its one style sheet and send its forms here. A page
// without live has no script at all.
const pagePolicy = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// sendPage sends a page without a script. The referrer policy keeps the Origin
// header, which "no-referrer" would take from our own forms.
func sendPage(w http.ResponseWriter, status int, title string, body *html) {
	writePage(w, status, title, pagePolicy, nil, body, "")
}

// send sends a page to somebody who has signed in: with the ways to the other
// pages, and kept up to date by the one script.
func (g *Gate) send(v *visit, status int, title string, body *html) {
	top := &html{}
	top.raw(`<nav aria-label="Pages"><a href="`, pendingPath, `">What waits</a> <a href="`, freezePath, `">Stop agents</a> <a href="`, definitionsPath,
		`">Tools</a> <a href="`, fatiguePath, `">How often</a></nav>`)
	body.raw(`<footer><form method="post" action="`, logoutPath, `"><button type="submit" class="plain">Sign out `)
	body.text(v.who.Name)
	body.raw(`</button></form></footer>`)
	writePage(v.w, status, title, pagePolicy+"; connect-src 'self'; script-src "+liveHash(), top, body, `<script>`+liveScript+`</script>`)
}

func writePage(w http.ResponseWriter, status int, title, policy string, top, body *html, script markup) {
	h := &html{}
	h.raw(`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`,
		`<meta name="color-scheme" content="light dark"><link rel="stylesheet" href="/gate.css">`)
	h.el(`<title>`, title, ` – Boundcheck gate</title></head><body>`)
	if top != nil {
		h.b.WriteString(top.b.String())
	}
	h.raw(`<main>`)
	h.b.WriteString(body.b.String())
	h.raw(`</main>`, script, "</body></html>\n")
	head := w.Header()
	head.Set("Content-Type", "text/html; charset=utf-8")
	head.Set("Content-Security-Policy", policy)
	head.Set("Referrer-Policy", "same-origin")
	head.Set("X-Frame-Options", "DENY")
	w.WriteHeader(status)
	w.Write([]byte(h.b.String()))
}
