package proposal

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// Text that a user pastes is data, although it stands in his message: a fence, a tag, a forwarded mail, JSON, what he quotes.

// splitPasted returns the words of a message that are surely the user's own, and the parts that surely are not. What may be
// either, such as the rest behind a colon, is in none of them. O(n).
func splitPasted(text string) (own string, pasted []string) {
	if _, quoted := utterance.SplitQuoted(text); quoted != "" {
		pasted = append(pasted, quoted)
	}
	own, pasted = cutLines(text, pasted)
	own, pasted = cutBetween(own, pasted)
	own, pasted = cutQuotes(own, pasted)
	own, pasted = cutPointedAt(own, pasted)
	return cutBehindColon(own, pasted)
}

// cutLines cuts fenced and quoted lines, and all behind the head of a mail or a rule.
func cutLines(text string, pasted []string) (string, []string) {
	var own, other []string
	fence, rest, rule := "", false, false
	for line := range strings.Lines(text) {
		t := strings.TrimSpace(line)
		switch {
		case fence != "":
			if other = append(other, line); strings.HasPrefix(t, fence) {
				fence = ""
			}
		case rest:
			other = append(other, line)
		case strings.HasPrefix(t, "```"), strings.HasPrefix(t, "~~~"):
			if fence = t[:3]; len(t) > 3 {
				other = append(other, t[3:]+"\n")
			}
		case strings.HasPrefix(t, ">"), strings.HasPrefix(t, "|"):
			other = append(other, strings.TrimLeft(t, ">| ")+"\n")
		case beginsForward(t):
			rest, other = true, append(other, line)
		case rule, len(t) > 2 && strings.Trim(t, "-=_*") == "", strings.HasPrefix(line, "    "), strings.HasPrefix(line, "\t"):
			rule = rule || strings.TrimSpace(line) == t && len(t) > 2 && strings.Trim(t, "-=_*") == ""
		default:
			own = append(own, line)
		}
	}
	if len(other) > 0 {
		pasted = append(pasted, strings.Join(other, ""))
	}
	return strings.Join(own, ""), pasted
}

// beginsForward reports whether a line begins a forwarded mail.
func beginsForward(line string) bool {
	head, _, ok := strings.Cut(utterance.Fold(line), ":")
	head = strings.Trim(head, "*- ")
	return ok && !strings.Contains(head, " ") && (utterance.Listed("mailField", head) || slices.Contains([]string{"fwd", "fw", "wg", "re", "aw", "tr", "rv"}, head))
}

// cutBetween cuts from the first tag to the last one, and from the first brace to the last one.
func cutBetween(text string, pasted []string) (string, []string) {
	for _, marks := range [...]string{"<>", "{}"} {
		from := strings.Index(text, marks[:1])
		for from >= 0 && marks == "<>" && !beginsTag(text[from+1:]) {
			next := strings.Index(text[from+1:], "<")
			if from += 1 + next; next < 0 {
				from = -1
			}
		}
		if from < 0 {
			continue
		}
		to := strings.LastIndex(text, marks[1:]) + 1
		if to <= from {
			to = len(text)
		}
		pasted, text = append(pasted, text[from:to]), text[:from]+"\n"+text[to:]
	}
	return text, pasted
}

// beginsTag reports whether a text behind "<" goes on as a tag, and not as the address of a mail.
func beginsTag(text string) bool {
	if text == "" || text[0] != '/' && text[0] != '!' && text[0] != '?' && !unicode.IsLetter(rune(text[0])) {
		return false
	}
	inner, _, _ := strings.Cut(text[:min(len(text), longestWords)], ">")
	return !strings.Contains(inner, "@") || strings.ContainsAny(inner, " =")
}

// quotes are the marks of quotations, each followed by those that may end it.
var quotes = map[rune]string{'"': `"`, '“': "”“\"", '„': "“”\"", '«': "»", '»': "«", '‹': "›", '‘': "’", '‚': "‘’", '`': "`", '\'': "'", '「': "」", '『': "』", '＂': "＂"}

// cutQuotes cuts quotations of more than a value. One without an end goes on to the end of the text.
func cutQuotes(text string, pasted []string) (string, []string) {
	var b strings.Builder
	before := ' '
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		ends, isQuote := quotes[r]
		if isQuote && (r == '\'' || r == '’') && (unicode.IsLetter(before) || unicode.IsDigit(before)) {
			isQuote = false // don't
		}
		before = r
		if !isQuote {
			b.WriteString(text[i : i+size])
			i += size
			continue
		}
		inner, next := text[i+size:], len(text)
		if end := strings.IndexAny(inner, ends); end >= 0 {
			inner, next = inner[:end], i+size+end+1
			for next < len(text) && text[next]&0xC0 == 0x80 {
				next++
			}
		}
		words := wordsOf(inner)
		if len(words) < 4 && !slices.ContainsFunc(words, func(w word) bool { return isVerb(w.text) }) {
			b.WriteString(" " + inner + " ")
		} else {
			b.WriteString(" … ")
			pasted = append(pasted, inner)
		}
		i = next
	}
	return b.String(), pasted
}

// cutBehindColon cuts all that follows a colon. It surely is data if the words before it speak of a text or of somebody who
// says it.
func cutBehindColon(text string, pasted []string) (string, []string) {
	for at := 0; ; at++ {
		next := strings.IndexAny(text[at:], ":：")
		if next < 0 {
			return text, pasted
		}
		at += next
		if rest := strings.TrimPrefix(strings.TrimPrefix(text[at:], ":"), "："); rest == "" || rest[0] == ' ' || rest[0] == '\n' || rest[0] == '\r' || rest[0] >= 0x80 {
			head := wordsOf(text[strings.LastIndexByte(text[:at], '\n')+1 : at])
			if n := len(head); n > 0 && n <= mostHead && (utterance.Listed("worksOnText", head[0].text) || slices.ContainsFunc(head, func(w word) bool { return isOfText(w.text) || strings.ContainsAny(w.text, "./") })) {
				pasted = append(pasted, rest)
			}
			return text[:at] + " …", pasted
		}
	}
}

// mostHead is the number of words up to which what stands before a colon says what follows.
const mostHead = 12

// isOfText reports whether a word names a text, or says that somebody says it.
func isOfText(w string) bool {
	one := utterance.Singular(w)
	return utterance.Listed("tellsOf", w) || utterance.Listed("pastedText", w) || utterance.Listed("pastedText", one) || isIn("file document page website site attachment content contents readme mean heisst bedeutet", one)
}

// cutPointedAt cuts what stands before a sentence that says where it is from, as in "That was in my mail", and sentences
// that say what an assistant must do.
func cutPointedAt(own string, pasted []string) (string, []string) {
	sentences := sentencesOf(own)
	for k := len(sentences) - 1; k > 0; k-- {
		s := sentences[k].words
		if utterance.Listed("pointer", s[0].text) && slices.ContainsFunc(s, func(w word) bool { return isOfText(w.text) }) {
			return own[sentences[k].from:], append(pasted, own[:sentences[k].from])
		}
	}
	for _, x := range sentences {
		for k, w := range x.words {
			if k+1 < len(x.words) && slices.Contains([]string{"assistant", "assistants", "agent", "agents", "ai", "bot", "chatbot"}, w.text) && utterance.Listed("modal", x.words[k+1].text) {
				return own[:x.from] + " … ", append(pasted, own[x.from:])
			}
		}
	}
	return own, pasted
}
