// Package secrets says what looks like a secret, and hides it.
package secrets

import "strings"

// secretMarks are the beginnings of well-known secrets.
var secretMarks = [...]string{"sk-", "sk_", "pk_", "rk_", "ghp_", "gho_", "ghu_", "ghs_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "xoxa-", "AKIA", "ASIA", "AIza", "eyJ", "hf_", "npm_", "pypi-", "SG.", "ya29."}

// secretNames are the ends of the names of secrets.
var secretNames = [...]string{"password", "passwd", "secret", "token", "api_key", "apikey", "api-key", "access_key", "private_key", "credential", "authorization"}

// firstLetters are the first letters of secretMarks, and lastLetters the last two of secretNames.
const (
	firstLetters = "sprgxAehnSy"
	lastLetters  = "rd wd et en ey al on"
)

// Words returns the beginnings of well-known secrets and the ends of the names of secrets.
func Words() (marks, names []string) { return secretMarks[:], secretNames[:] }

// shortest is the length in bytes of the shortest word that Begins takes for a secret.
const shortest = 3 + 9

// HideKeys returns a text in which each word with digits that begins like a well-known secret consists of stars. In
// sentences about values, a long word may be an id that the reader needs, so it stays. Every word that is long enough
// has one of the bytes at which it looks, a word's length apart, so that it reads few bytes of a text. O(n).
func HideKeys(text string) string {
	var out []byte
	seen := -1 // the last byte at which it looked
	for i := shortest - 1; i < len(text); i += shortest {
		start := i + 1
		for start > seen+1 && isByte(text[start-1]) {
			start--
		}
		before := seen
		if seen = i; start > i || before >= 0 && start == before+1 && isByte(text[before]) || !begins[text[start]] {
			continue // no word, one that began before, or none that begins so
		}
		end := i + 1
		for end < len(text) && isByte(text[end]) { // a quotation mark is no part of it
			end++
		}
		if word := text[start:end]; Begins(word) && strings.ContainsAny(word, "0123456789") {
			if out == nil {
				out = []byte(text)
			}
			for k := start; k < end; k++ {
				out[k] = '*'
			}
		}
		i, seen = end, end
	}
	if out == nil {
		return text
	}
	return string(out)
}

// Hidden stands for the value of a secret.
const Hidden = "********"

// HideValue returns the value of an argument as JSON text, or [Hidden] for a text under the name of a secret, such
// as login.password. In an object or a list, the texts under such names are hidden in the same way. Words that begin
// like a secret are hidden by [HideKeys]. O(n).
func HideValue(path, raw string) string {
	if len(raw) > 2 && raw[0] == '"' && mayEnd(path) && Names(strings.ReplaceAll(path, " ", "_")) {
		return Hidden
	}
	if raw != "" && (raw[0] == '{' || raw[0] == '[') {
		raw = hideMembers(raw)
	}
	return HideKeys(raw)
}

// hideMembers hides the texts under the names of secrets in a JSON text.
func hideMembers(raw string) string {
	var b strings.Builder
	named, done := false, 0 // whether the next text is a secret, and what is written
	for i := 0; i < len(raw); i++ {
		if raw[i] != '"' {
			continue
		}
		end := textEnd(raw, i)
		if named && end-i > 2 {
			b.WriteString(raw[done:i])
			b.WriteString(Hidden)
			done = end
		}
		named = false
		if k := skipSpace(raw, end); k < len(raw) && raw[k] == ':' {
			k = skipSpace(raw, k+1)
			named = k < len(raw) && raw[k] == '"' && Names(strings.Trim(raw[i:end], `"`))
		}
		i = end - 1
	}
	if done == 0 {
		return raw
	}
	return b.String() + raw[done:]
}

// textEnd returns the offset behind a JSON text that begins at i.
func textEnd(raw string, i int) int {
	for i++; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(raw)
}

func skipSpace(raw string, i int) int {
	for i < len(raw) && strings.IndexByte(" \t\r\n", raw[i]) >= 0 {
		i++
	}
	return i
}

// Begins reports whether a word begins like a well-known secret and is as long
// as one.
func Begins(word string) bool {
	if len(word) < shortest {
		return false
	}
	for _, mark := range secretMarks {
		if len(word) > len(mark)+8 && strings.HasPrefix(word, mark) {
			return true
		}
	}
	return false
}

// Names reports whether a name is that of a secret, such as OPENAI_API_KEY.
func Names(name string) bool {
	name = strings.TrimSpace(name)
	if !mayEnd(name) {
		return false
	}
	name = strings.ToLower(name)
	for _, word := range secretNames {
		if strings.HasSuffix(name, word) {
			return true
		}
	}
	return false
}

// mayEnd reports whether a name has the last two letters of the name of a secret.
func mayEnd(name string) bool {
	if len(name) < 2 {
		return false
	}
	x, y := name[len(name)-2]|0x20, name[len(name)-1]|0x20
	for i := 0; i < len(lastLetters); i += 3 {
		if lastLetters[i] == x && lastLetters[i+1] == y {
			return true
		}
	}
	return false
}

// The characters that may stand in a secret, as bits: those below 64, and the others of ASCII.
const (
	lowBytes  = 0x3ff<<'0' | 1<<'-' | 1<<'.' | 1<<'+' | 1<<'/' | 1<<'=' | 1<<'!' | 1<<'$' | 1<<'%'
	highBytes = 0x3ffffff<<('A'-64) | 0x3ffffff<<('a'-64) | 1<<('_'-64) | 1<<('@'-64) | 1<<('~'-64)
)

// isByte reports whether a character may stand in a secret. A quotation mark may not.
func isByte(c byte) bool { return wordBytes[c] }

// begins has the bytes of firstLetters.
var begins = func() (in [256]bool) {
	for _, c := range []byte(firstLetters) {
		in[c] = true
	}
	return in
}()

// wordBytes has the bytes of isByte. A table is half of the instructions of two masks, and a story's words are read with it.
var wordBytes = func() (in [256]bool) {
	for c := range 64 {
		in[c], in[c+64] = uint64(lowBytes)>>c&1 != 0, uint64(highBytes)>>c&1 != 0
	}
	return in
}()
