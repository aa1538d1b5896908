package gate

import (
	"net/http"
	"strings"
)

// markup is a constant piece of HTML. Only texts in this program's source have this type.
// Any other text is escaped by the method writeText.
type markup string

// html writes a page. It accepts markup that is in the program, and text, which it
// escapes.
type html struct{ b strings.Builder }

func (h *html) writeMarkup(parts ...markup) {
	for _, p := range parts {
		h.b.WriteString(string(p))
	}
}

// writeText escapes a string and writes it as the content of an element or as an
// attribute in double quotes. Do not call writeText directly after <pre>, because a
// browser drops the first line feed there.
func (h *html) writeText(s string) {
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

// writeElement writes the text s, escaped, between the markup open and the markup shut.
func (h *html) writeElement(open markup, s string, shut markup) {
	h.writeMarkup(open)
	h.writeText(s)
	h.writeMarkup(shut)
}

// writeHidden writes a hidden field.
func (h *html) writeHidden(name markup, value string) {
	h.writeMarkup(`<input type="hidden" name="`, name, `" value="`)
	h.writeText(value)
	h.writeMarkup(`">`)
}

// pagePolicy allows a page to load the gate's style sheet and to send its forms to the
// gate. A page without the live script may run no script.
const pagePolicy = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// sendPage sends a page without a script. Its referrer policy is not "no-referrer",
// because browsers would then remove the Origin header from the gate's own forms.
func sendPage(w http.ResponseWriter, status int, title string, body *html) {
	writePage(w, status, title, pagePolicy, nil, body, "")
}

// sendWithNav sends a page to a visitor who has signed in. The page gets links to the
// other pages, and the script that keeps the page up to date.
func (g *Gate) sendWithNav(v *visit, status int, title string, body *html) {
	top := &html{}
	top.writeMarkup(`<nav aria-label="Pages"><a href="`, pendingPath, `">What waits</a> <a href="`, freezePath, `">Stop agents</a> <a href="`, rememberedPath, `">Remembered</a> <a href="`, historyPath, `">Decided</a> <a href="`, definitionsPath,
		`">Tools</a> <a href="`, fatiguePath, `">How often</a></nav>`)
	body.writeMarkup(`<footer><form method="post" action="`, logoutPath, `"><button type="submit" class="plain">Sign out `)
	body.writeText(v.who.Name)
	body.writeMarkup(`</button></form>`)
	if host := g.hostOf(v.s); host != "" {
		body.writeElement(`<p>Signed in as `, v.who.Name, ` with `)
		body.writeElement(``, host, `</p>`)
	}
	body.writeMarkup(`</footer>`)
	writePage(v.w, status, title, pagePolicy+"; connect-src 'self'; script-src "+liveHash(), top, body, `<script>`+liveScript+`</script>`)
}

func writePage(w http.ResponseWriter, status int, title, policy string, top, body *html, script markup) {
	h := &html{}
	h.writeMarkup(`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`,
		`<meta name="color-scheme" content="light dark"><link rel="stylesheet" href="/gate.css">`)
	h.writeElement(`<title>`, title, ` – Boundcheck gate</title></head><body>`)
	if top != nil {
		h.b.WriteString(top.b.String())
	}
	h.writeMarkup(`<main>`)
	h.b.WriteString(body.b.String())
	h.writeMarkup(`</main>`, script, "</body></html>\n")
	head := w.Header()
	head.Set("Content-Type", "text/html; charset=utf-8")
	head.Set("Content-Security-Policy", policy)
	head.Set("Referrer-Policy", "same-origin")
	head.Set("X-Frame-Options", "DENY")
	w.WriteHeader(status)
	w.Write([]byte(h.b.String()))
}
