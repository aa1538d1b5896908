// Package show writes the pages of the gate: HTML that escapes every text, and the values of
// a call.
package show

import (
	"net/http"
	"strings"
)

// Markup is a constant piece of HTML. Only texts in this program's source have this type.
// Any other text is escaped by the method Text.
type Markup string

// HTML writes a page. It accepts markup that is in the program, and text, which it
// escapes.
type HTML struct{ b strings.Builder }

// Markup writes constant markup.
func (h *HTML) Markup(parts ...Markup) {
	for _, p := range parts {
		h.b.WriteString(string(p))
	}
}

// Text escapes a string and writes it as the content of an element or as an
// attribute in double quotes. Do not call Text directly after <pre>, because a
// browser drops the first line feed there.
func (h *HTML) Text(s string) {
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

// String returns what was written.
func (h *HTML) String() string { return h.b.String() }

// Append writes what another one has.
func (h *HTML) Append(other *HTML) { h.b.WriteString(other.b.String()) }

// Element writes the text s, escaped, between the markup open and the markup shut.
func (h *HTML) Element(open Markup, s string, shut Markup) {
	h.Markup(open)
	h.Text(s)
	h.Markup(shut)
}

// Hidden writes a hidden field.
func (h *HTML) Hidden(name Markup, value string) {
	h.Markup(`<input type="hidden" name="`, name, `" value="`)
	h.Text(value)
	h.Markup(`">`)
}

// Policy allows a page to load the gate's style sheet and to send its forms to the
// gate. A page without the live script may run no script.
const Policy = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// Send sends a page without a script. Its referrer policy is not "no-referrer",
// because browsers would then remove the Origin header from the gate's own forms.
func Send(w http.ResponseWriter, status int, title string, body *HTML) {
	Write(w, status, title, Policy, nil, body, "")
}

// Write sends a page under a content security policy, with what stands above its main part,
// and a script.
func Write(w http.ResponseWriter, status int, title, policy string, top, body *HTML, script Markup) {
	h := &HTML{}
	h.Markup(`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`,
		`<meta name="color-scheme" content="light dark"><link rel="stylesheet" href="/gate.css">`)
	h.Element(`<title>`, title, ` – Boundcheck gate</title></head><body>`)
	if top != nil {
		h.b.WriteString(top.b.String())
	}
	h.Markup(`<main>`)
	h.b.WriteString(body.b.String())
	h.Markup(`</main>`, script, "</body></html>\n")
	head := w.Header()
	head.Set("Content-Type", "text/html; charset=utf-8")
	head.Set("Content-Security-Policy", policy)
	head.Set("Referrer-Policy", "same-origin")
	head.Set("X-Frame-Options", "DENY")
	w.WriteHeader(status)
	w.Write([]byte(h.b.String()))
}
