package webarena

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// parseHTML parses a page's source and accepts source that is not valid. It keeps only
// tags, attributes and text. It skips scripts, styles and comments, because they are not
// visible.
func parseHTML(src string) (*node, error) {
	h := &htmlReader{src: src}
	for h.at < len(src) {
		if err := h.readNext(); err != nil {
			return nil, err
		}
	}
	return h.finishTree(), nil
}

type htmlReader struct {
	growing
	src  string
	at   int
	tags []string // tags of the open elements
}

// Kinds of elements by their tags: without an end tag; with text that is not markup; with
// text that is not visible; and elements that end where the next element of their kind
// begins.
const (
	void      = " area base br col embed hr img input link meta param source track wbr "
	rawText   = " script style textarea title noscript template "
	invisible = " script style noscript template "
	optional  = " li option p tr td th dt dd "
)

func (h *htmlReader) readNext() error {
	rest := h.src[h.at:]
	switch {
	case strings.HasPrefix(rest, "<!--"):
		h.skipPast("-->")
	case strings.HasPrefix(rest, "<!"), strings.HasPrefix(rest, "<?"):
		h.skipPast(">")
	case strings.HasPrefix(rest, "</"):
		tag, _ := cutWord(rest[2:])
		h.skipPast(">")
		h.closeElement(strings.ToLower(tag))
	case len(rest) > 1 && rest[0] == '<' && charClass(rest[1]|0x20) == small:
		return h.readStartTag()
	default:
		end := strings.IndexByte(rest[1:], '<') + 1
		if end == 0 {
			end = len(rest)
		}
		h.at += end
		if text := stableText(unescapeHTML(rest[:end])); text != "" {
			return h.addNode(&node{role: "text", name: text}, len(h.tags))
		}
	}
	return nil
}

// skipPast moves to the position after the next mark. If there is no mark, it moves to
// the end.
func (h *htmlReader) skipPast(mark string) {
	i := strings.Index(h.src[h.at:], mark)
	if i < 0 {
		h.at = len(h.src)
		return
	}
	h.at += i + len(mark)
}

// closeElement closes the innermost open element with this tag, and all elements inside
// that element. If there is no such element, closeElement does nothing.
func (h *htmlReader) closeElement(tag string) {
	for i := len(h.tags) - 1; i >= 0; i-- {
		if h.tags[i] == tag {
			h.tags = h.tags[:i]
			return
		}
	}
}

func (h *htmlReader) readStartTag() error {
	tag, rest := cutWord(h.src[h.at+1:])
	h.at = len(h.src) - len(rest)
	n := &node{role: strings.ToLower(tag)}
	kind := " " + n.role + " "
	closed := h.readAttributes(n)
	if len(h.tags) > 0 && strings.Contains(optional, kind) {
		if last := h.tags[len(h.tags)-1]; last == n.role || last+n.role == "tdth" || last+n.role == "thtd" || last+n.role == "dtdd" || last+n.role == "dddt" {
			h.tags = h.tags[:len(h.tags)-1]
		}
	}
	if !strings.Contains(invisible, kind) {
		if err := h.addNode(n, len(h.tags)); err != nil {
			return err
		}
	}
	switch {
	case strings.Contains(rawText, kind):
		end := endTag(h.src[h.at:], n.role)
		n.name = stableText(unescapeHTML(h.src[h.at : h.at+end]))
		h.at += end
	case !closed && !strings.Contains(void, kind):
		h.tags = append(h.tags, n.role)
	}
	return nil
}

// endTag returns the index of "</tag" in s, in small or capital letters. It returns
// len(s) if there is none.
func endTag(s, tag string) int {
	for at := 0; ; {
		i := strings.Index(s[at:], "</")
		if i < 0 {
			return len(s)
		}
		at += i
		if name := s[at+2:]; len(name) >= len(tag) && strings.EqualFold(name[:len(tag)], tag) {
			return at
		}
		at += 2
	}
}

// readAttributes reads a tag to its end and reports whether the tag closes itself.
func (h *htmlReader) readAttributes(n *node) (closed bool) {
	for h.at < len(h.src) {
		switch c := h.src[h.at]; {
		case c == '>':
			h.at++
			return closed
		case c == '/':
			closed = true
			h.at++
		case c <= ' ' || c == '=' || c == '"' || c == '\'':
			h.at++
		default:
			key := h.readUntil(" \t\r\n=>/")
			value := ""
			if rest := strings.TrimLeft(h.src[h.at:], " \t\r\n"); strings.HasPrefix(rest, "=") {
				h.at = len(h.src) - len(rest) + 1
				value = h.readValue()
			}
			if closed = false; key == "bid" && n.id == "" {
				n.id = value
			}
			n.addAttribute(key, unescapeHTML(value))
		}
	}
	return closed
}

func (h *htmlReader) readValue() string {
	for h.at < len(h.src) && h.src[h.at] <= ' ' {
		h.at++
	}
	if h.at < len(h.src) && (h.src[h.at] == '"' || h.src[h.at] == '\'') {
		quote := h.src[h.at : h.at+1]
		h.at++
		value := h.readUntil(quote)
		h.at = min(h.at+1, len(h.src))
		return value
	}
	return h.readUntil(" \t\r\n>")
}

// readUntil reads and returns the text up to the first character that is in the string
// any. If there is no such character, it returns the whole rest.
func (h *htmlReader) readUntil(any string) string {
	end := strings.IndexAny(h.src[h.at:], any)
	if end < 0 {
		end = len(h.src) - h.at
	}
	text := h.src[h.at : h.at+end]
	h.at += end
	return text
}

// entities holds the usual named entities; others stay unchanged.
var entities = map[string]string{"amp": "&", "lt": "<", "gt": ">", "quot": `"`, "apos": "'", "nbsp": " ", "copy": "©", "reg": "®", "trade": "™", "hellip": "…",
	"mdash": "—", "ndash": "–", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "euro": "€", "pound": "£", "middot": "·", "bull": "•", "times": "×",
	"laquo": "«", "raquo": "»", "deg": "°"}

// unescapeHTML replaces references of the forms &name; and &#number; by their characters.
func unescapeHTML(s string) string {
	if !strings.Contains(s, "&") {
		return s
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(s, "&")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		end := strings.IndexByte(rest[:min(len(rest), 12)], ';')
		text, ok := "", false
		if end > 0 {
			text, ok = decodeEntity(rest[:end])
		}
		if ok {
			b.WriteString(text)
			s = rest[end+1:]
			continue
		}
		b.WriteByte('&')
		s = rest
	}
}

func decodeEntity(name string) (string, bool) {
	number, ok := strings.CutPrefix(name, "#")
	if !ok {
		text, ok := entities[name]
		return text, ok
	}
	base := 10
	if hex, ok := strings.CutPrefix(strings.ToLower(number), "x"); ok {
		number, base = hex, 16
	}
	n, err := strconv.ParseUint(number, base, 32)
	if err != nil || n > utf8.MaxRune || n == 0 {
		return "", false
	}
	return string(rune(n)), true
}
