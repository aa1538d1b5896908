package utterance

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// splitSentences splits a text at the ends of sentences and lines.
func splitSentences(text string) []string {
	var out []string
	from := 0
	cut := func(to int) {
		if s := strings.TrimSpace(text[from:to]); s != "" && len(out) < mostSentences {
			out = append(out, s)
		}
		from = to
	}
	for i, r := range text {
		switch r {
		case '\n':
			cut(i)
		case '.', '!', '?', ';', ':':
			if i+1 == len(text) || strings.IndexByte(" \n\t\"')*", text[i+1]) >= 0 || r != '.' && r != ':' && isUnspaced("", text[i+1:]) {
				if i+1 < len(text) && goesOnAfterQuote(text[i+1:]) || r == '.' && (endsShort(text[from:i], text[i+1:]) || isOrdinal(text[from:i], text[i+1:])) {
					continue
				}
				cut(i + 1)
			}
		case '。', '！', '？':
			cut(i + utf8.RuneLen(r))
		}
	}
	cut(len(text))
	return out
}

// mostSentences is the number of sentences of one text that are read.
const mostSentences = 400

// goesOnAfterQuote reports whether a text begins with a quotation mark after which a sentence goes on.
func goesOnAfterQuote(text string) bool {
	rest, ok := strings.CutPrefix(text, `"`)
	return ok && len(rest) > 1 && (rest[0] == ',' || rest[0] == ' ' && rest[1] >= 'a' && rest[1] <= 'z')
}

// endsShort reports whether a text ends in a shortened word, such as Dr. or an initial, before the rest of its sentence.
// "No." is one before a number.
func endsShort(s, rest string) bool {
	w := s[strings.LastIndexByte(s, ' ')+1:]
	if short := strings.ToLower(w); short == "no" || short == "nr" {
		rest = strings.TrimLeft(rest, " #")
		return rest != "" && isDigit(rest[0])
	}
	return Listed("shortened", strings.ToLower(w)) || len(w) == 1 && w[0] >= 'A' && w[0] <= 'Z'
}

// isOrdinal reports whether a dot belongs to the number before it, as in "am 10. um acht". No
// ordinal stands before a verb that asks for a deed.
func isOrdinal(before, after string) bool {
	n := len(before)
	word := before[strings.LastIndexAny(before, " .(")+1:]
	if n == 0 || len(word) > 2 || strings.Trim(word, "0123456789") != "" || word == "" || len(after) < 2 || after[0] != ' ' {
		return false
	}
	next := FirstWord(after[1:]) // "Leave order 99. delete order 50"
	if month := Fold(next); MemberOf(month).Class == "month" && !Listed("modal", month) {
		return true // "12. Oktober"
	}
	if after[1] < 'a' || after[1] > 'z' {
		return false
	}
	return !Listed("beginsOrder", next) && !slices.ContainsFunc(languages[:], func(lang string) bool { return verbKinds(lang, next) != 0 })
}

// Tokens returns the folded words of a sentence. A comma, a dash and "but" end a clause
// and become ",". Quoted parts and code are left out, because they are things, not deeds.
func Tokens(s string) []string { return splitTokens(Fold(s)) }

// splitTokens is Tokens without folding.
func splitTokens(s string) []string {
	s = strings.ReplaceAll(dropQuoted(s), " - ", " , ")
	var out []string
	from := -1
	flush := func(to int) {
		if from >= 0 {
			w := s[from:to]
			if w == "but" || w == "aber" || w == "pero" || w == "mais" || w == "ma" || w == "mas" || w == "maar" {
				w = ","
			}
			out = append(out, w)
		}
		from = -1
	}
	for i, r := range s {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_@#./", r) && from >= 0:
			if from < 0 {
				from = i
			}
		default:
			flush(i)
			if r == ',' || r == '–' || r == '—' || r == ':' || r == '(' || r == ')' || r == '¿' || r == '¡' || r == '…' {
				out = append(out, ",")
			}
		}
	}
	flush(len(s))
	for i, w := range out {
		out[i] = strings.TrimRight(w, "./_")
	}
	return out
}

// dropQuoted leaves out the quoted parts of a sentence, and joins English short forms
// such as don't.
func dropQuoted(text string) string {
	if !strings.ContainsAny(text, "\"'`“’«") {
		return text
	}
	s := []rune(strings.ReplaceAll(text, "’", "'"))
	out := make([]rune, 0, len(s))
	for i := 0; i < len(s); i++ {
		closing, opens := closingQuote[s[i]]
		inWord := i > 0 && (unicode.IsLetter(s[i-1]) || unicode.IsDigit(s[i-1]))
		switch {
		case opens && !(s[i] == '\'' && inWord):
			if end := closingAt(s, i+1, closing); end > 0 {
				i = end
			}
			out = append(out, ' ')
		case s[i] == '\'' && !shortEnd(s[i+1:]):
			out = append(out, ' ')
		case s[i] == '\'' && i+1 < len(s) && s[i+1] == 'r': // we're is not were
			out = append(out, ' ', 'a')
		case s[i] != '\'':
			out = append(out, s[i])
		}
	}
	return string(out)
}

var closingQuote = map[rune]rune{'"': '"', '`': '`', '\'': '\'', '“': '”', '«': '»'}

// closingAt returns the index of the quote that ends a quoted part, or -1.
func closingAt(s []rune, from int, closing rune) int {
	for i := from; i < len(s); i++ {
		if s[i] == closing && (closing != '\'' || i+1 == len(s) || !unicode.IsLetter(s[i+1])) {
			return i
		}
	}
	return -1
}

// shortEnd reports whether what follows an apostrophe is the end of an English short
// form.
func shortEnd(s []rune) bool {
	end := slices.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
	if end < 0 {
		end = len(s)
	}
	switch string(s[:end]) {
	case "t", "s", "re", "ll", "ve", "d", "m":
		return true
	}
	return false
}

// LanguageOf returns the language of a text: one of languages, "cjk", or "" if it is not
// known.
func LanguageOf(text string) string { return languageNear(text, "") }

// nearness is what the language of a conversation counts for one of its texts, in words.
const nearness = 3

// languageNear is like LanguageOf, but prefers a language if the text is nearly as likely to be of it.
func languageNear(text, near string) string {
	for _, r := range text {
		if isUnspacedLetter(r) {
			return "cjk"
		}
	}
	if len(text) > 4000 {
		text = text[:4000]
	}
	letters, others := 0, 0
	for _, r := range text {
		if letters++; isOtherScript(r) {
			others++
		}
	}
	if others*30 > letters {
		return ""
	}
	words := Tokens(text)
	best, most := "", 0
	for _, lang := range languages {
		n, verbs := 0, 0
		for _, h := range patternsIn(lang, words) {
			n += h.length
			if !h.noun || lang == "en" && h.at == 0 {
				verbs++
			}
			if h.kinds&language != 0 {
				n++
			}
		}
		if verbs == 0 && len(words) > 2 && lang != near {
			continue // "mail" is a word of many languages
		}
		if lang == near && n > 0 {
			n += nearness
		}
		if n > most {
			best, most = lang, n
		}
	}
	return best
}

// SharesUnspaced reports whether a text has three letters in a row of a value in a script without spaces.
func SharesUnspaced(text, value string) bool {
	runes := []rune(value)
	for i := 0; i+3 <= len(runes); i++ {
		if part := runes[i : i+3]; isUnspacedLetter(part[0]) && isUnspacedLetter(part[1]) && isUnspacedLetter(part[2]) && strings.Contains(text, string(part)) {
			return true
		}
	}
	return false
}
