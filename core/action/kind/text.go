package kind

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/action/notation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/codes"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// compareTexts compares all other values. Two ways to encode the same letters are one text
// (Unicode Standard Annex 15), and so are two sorts of quotes and a contraction written out.
// White space around a text is none of it. A difference in letter case, in white space or in
// the signs that join words is unsure. Two codes differ, and other texts are likely to.
func (p *pair) compareTexts() Outcome {
	if !p.a.isString() || !p.b.isString() {
		return compareUnread(&p.a, &p.b)
	}
	a, b := plainText(p.a.text), plainText(p.b.text)
	switch {
	case a == b, writtenOut(a) == writtenOut(b):
		return Same
	case strings.EqualFold(a, b), notation.SqueezeBlanks(a) == notation.SqueezeBlanks(b), strings.EqualFold(notation.Joined(a), notation.Joined(b)), haveSameWords(a, b), isFirstLetter(a, b), haveSameRuns(a, b), notation.PlainSpelling(a) == notation.PlainSpelling(b):
		return Unsure
	case !p.isNumbered() && (notation.InBrackets(a) == b || notation.InBrackets(b) == a):
		return Unsure // a name with its code behind it
	case isPointer(a) || isPointer(b):
		return Unsure
	case isCodeWord(a) && isCodeWord(b):
		return Differs
	}
	return Likely
}

// isPointer reports whether a word stands for whatever is current, such as the latest version.
func isPointer(s string) bool {
	return isListed(strings.ToLower(s), " latest current newest default auto automatic head ")
}

// compareUnread compares two values of which one is a text and the other one is none, and that
// no kind reads. If a number stands in the text too, only a judge can say what the rest means.
func compareUnread(a, b *value) Outcome {
	if b.kind == jsonval.Number {
		a, b = b, a
	}
	switch {
	case a.isString() && a.text == "" && b.kind == jsonval.Null, b.isString() && b.text == "" && a.kind == jsonval.Null:
		return Likely // null may leave a field as it is, where an empty text clears it
	case a.kind == b.kind || a.kind == jsonval.Null || b.kind == jsonval.Null:
		return Differs
	case a.kind == jsonval.Number && (hasNumber(b.text, a.text) || beginsWithNumber(b.text, a.text)):
		return Unsure
	}
	return Likely
}

// beginsWithNumber reports whether the first word of a text is the word for a whole number.
func beginsWithNumber(text, digits string) bool {
	first, _, more := strings.Cut(strings.ToLower(text), " ")
	n, ok := smallNumber(first)
	return more && ok && strconv.Itoa(n) == digits
}

// hasNumber reports whether a text has a run of digits, perhaps with a point.
func hasNumber(text, digits string) bool {
	for run := range strings.FieldsFuncSeq(text, func(r rune) bool { return r != '.' && (r < '0' || r > '9') }) {
		if strings.Trim(run, ".") == digits {
			return true
		}
	}
	return false
}

// haveSameWords reports whether two short texts have the same words in any letter case, apart from
// quotes, commas and the signs at the end of a sentence, or one name with the last name first.
func haveSameWords(a, b string) bool {
	if len(a) > MostShort || len(b) > MostShort {
		return false
	}
	x, y := bareWords(a), bareWords(b)
	if slices.Equal(x, y) {
		return len(x) > 0
	}
	if last, first, ok := strings.Cut(a, ", "); ok {
		x = bareWords(first + " " + last)
	} else if last, first, ok := strings.Cut(b, ", "); ok {
		y = bareWords(first + " " + last)
	}
	return len(x) > 1 && slices.Equal(x, y)
}

// isFirstLetter reports whether one of two texts is one letter, and the other one a word that begins
// with it, such as L and large.
func isFirstLetter(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(a) == 1 && notation.IsLetterByte(a[0]) && len(b) > 2 && strings.EqualFold(a, b[:1]) && !strings.ContainsAny(b, "0123456789 ")
}

// haveSameRuns reports whether two short texts have the same letters and digits, and other signs
// between them: B 12 and B12, or 1:500 and 1/500. Between two digits there must be a sign in
// both. Signs that may say something are part of what must be the same.
func haveSameRuns(a, b string) bool {
	return len(a) <= 40 && len(b) <= 40 && strings.ContainsAny(a+b, "0123456789") && notation.Runs(a) == notation.Runs(b)
}

// escapes writes the commonest entities of HTML as their characters.
var escapes = strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">", "&quot;", "\"", "&#39;", "'", "&apos;", "'", "&nbsp;", " ")

func bareWords(s string) []string {
	words := strings.FieldsFunc(strings.ToLower(escapes.Replace(s)), func(r rune) bool { return strings.ContainsRune(" \t\r\n,;\"'`", r) })
	for i, w := range words {
		if plain := strings.TrimRight(w, ".!:"); plain != "" {
			words[i] = plain
		}
	}
	return words
}

// isCodeWord reports whether a text is one word with a digit in it, so that it names a thing
// by a code, such as W-12.
func isCodeWord(s string) bool {
	return strings.ContainsAny(s, "0123456789") && !strings.ContainsAny(s, " \t\n")
}

// typography maps typographic signs to those of a keyboard.
var typography = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("’", "'", "‘", "'", "“", "\"", "”", "\"", "–", "-", "\u2011", "-", "\u00a0", " ", "\u202f", " ", "…", "...", "ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl")
})

func plainText(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	if codes.IsASCII(s) {
		return strings.TrimSpace(s)
	}
	return strings.TrimSpace(strings.Map(plainLetter, typography().Replace(codes.Compose(s))))
}

// plainLetter returns the usual letter or digit for one of full width or below the line (Unicode,
// compatibility mappings), and -1 for a character that nobody sees.
func plainLetter(r rune) rune {
	switch {
	case r >= 0xFF01 && r <= 0xFF5E:
		return r - 0xFF01 + '!'
	case r >= 0x2080 && r <= 0x2089:
		return r - 0x2080 + '0'
	case r == 0x3000:
		return ' '
	case r == 0x200B || r == 0xFEFF || r == 0xAD || r == 0xFE0F:
		return -1
	}
	return r
}

// writtenOut returns a text with its contractions written out. Letter case is kept.
func writtenOut(s string) string {
	if !strings.Contains(s, "'") && !strings.Contains(s, "annot") {
		return s
	}
	words := strings.Split(s, " ")
	for i, w := range words {
		bare := strings.TrimRight(w, ".,!?")
		if out := expandContraction(strings.ToLower(bare)); len(out) > 1 && len(out[0]) <= len(bare) {
			stem := out[0]
			if strings.EqualFold(bare[:len(stem)], stem) {
				stem = bare[:len(stem)]
			}
			words[i] = stem + " " + strings.Join(out[1:], " ") + w[len(bare):]
		}
	}
	return strings.Join(words, " ")
}

// compareListings compares two lists in one text, such as "red, blue" and "red,blue".
func (p *pair) compareListings() Outcome {
	if !p.a.isString() || !p.b.isString() || p.isContent() || !strings.Contains(p.a.text, ",") || !strings.Contains(p.b.text, ",") {
		return Open
	}
	a, b := SplitListing(p.a.text), SplitListing(p.b.text)
	switch {
	case a == nil || b == nil:
		return Open
	case slices.Equal(a, b):
		return Same
	}
	slices.Sort(a)
	slices.Sort(b)
	if !slices.Equal(a, b) || len(a) < 3 && strings.ContainsAny(p.a.text, "0123456789") || similarity.MayHaveOrder(strings.Join(p.tool.words, "_"), strings.Join(p.name, "_")) {
		return Open // two numbers may be a place
	}
	return Unsure
}

// SplitListing returns the elements of a list in a text. It returns nil for a sentence.
func SplitListing(s string) []string {
	parts := strings.Split(s, ",")
	for i, part := range parts {
		if parts[i] = strings.TrimSpace(part); parts[i] == "" || strings.Count(parts[i], " ") > 1 || strings.ContainsAny(parts[i], ".!?;") && strings.Trim(parts[i], "0123456789.-+") != "" && !strings.Contains(parts[i], "@") {
			return nil
		}
	}
	return parts
}

// encodedWords and frequencyWords have words of the names of arguments that may be encoded, or say how often.
const (
	encodedWords   = " content data text body value payload message file "
	frequencyWords = " frequency often schedule interval recurrence repeat times cadence rate posology dosage sig "
)

// compareEncoded compares two texts of which one is in an encoding that an argument beside it names, such as base64.
func (p *pair) compareEncoded() Outcome {
	const keys = " encoding "
	x, y := p.a.other(keys), p.b.other(keys)
	a, ok := notation.DecodedText(x, p.a.text)
	b, ok2 := notation.DecodedText(y, p.b.text)
	if strings.EqualFold(x, y) || !ok || !ok2 {
		return Open
	}
	return sameIf(a == b)
}

// compareFrequencies compares how often something is done.
func (p *pair) compareFrequencies() Outcome {
	n, unit, ok := notation.Frequency(p.a.text)
	m, unit2, ok2 := notation.Frequency(p.b.text)
	if !ok || !ok2 || unit != unit2 {
		return Open
	}
	return sameIf(n == m)
}
