// Package othertext names texts that are no trace, and hides what looks like a secret in
// what an error repeats of a text.
package othertext

import (
	"strings"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/base/secrets"
)

// Other is a kind of text that is no trace. Advice is the one thing to do.
type Other struct{ What, Advice string }

// NameOf returns what a text is that does not begin like JSON.
func NameOf(text string) Other {
	start := strings.ToLower(strings.TrimSpace(text[:min(len(text), 1024)]))
	switch {
	case HoldsKeys(text):
		return Keys
	case strings.HasPrefix(start, "<!doctype html"), strings.HasPrefix(start, "<") && strings.Contains(start, "<html"):
		return Other{"an HTML page", "it may be the page of a login or of an error; save the trace itself as JSON"}
	case strings.HasPrefix(start, "<?xml"), strings.HasPrefix(start, "<") && strings.Contains(start, "</"):
		return Other{"XML", "save the trace as JSON"}
	case IsLog(text):
		return Other{"a log without calls in JSON", "save the messages with their tool calls as JSON"}
	case isCSV(text):
		return Other{"a table of comma-separated values", "save the messages with their tool calls as JSON, a run in each line"}
	}
	return Other{"plain text without calls", `want JSON, or one call a line, such as get_order(order_id="W-7")`}
}

// Keys is a file with secrets.
var Keys = Other{"a file with keys or passwords", "nothing of it is shown; name a trace instead"}

// firstLines returns up to n lines that are not blank and no comments.
func firstLines(text string, n int) (out []string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if out = append(out, line); len(out) == n {
			break
		}
	}
	return out
}

// HoldsKeys reports whether a text is a file with keys: a private key, one single key, or
// settings of which one is a secret.
func HoldsKeys(text string) bool {
	if strings.HasPrefix(strings.TrimSpace(text), "-----BEGIN ") {
		return true
	}
	lines := firstLines(text, 64)
	secret := false
	for _, line := range lines {
		name, value, isSetting := strings.Cut(strings.TrimPrefix(line, "export "), "=")
		if !isSetting {
			name, value, isSetting = strings.Cut(line, ": ")
		}
		if !isSetting || !isSettingName(name) {
			return len(lines) == 1 && secrets.Begins(line) && !strings.ContainsAny(line, " (")
		}
		secret = secret || secrets.Names(name) || secrets.Begins(strings.Trim(value, `"' `))
	}
	return secret
}

// isSettingName reports whether a name may be that of a setting: letters, digits, and _, -
// or a full stop.
func isSettingName(name string) bool {
	name = strings.TrimSpace(name)
	return name != "" && strings.IndexFunc(name, func(r rune) bool { return !isKeyRune(r) }) < 0
}

func isKeyRune(r rune) bool {
	return r == '_' || r == '-' || r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

// IsLog reports whether most of the first lines begin with a time or a level.
func IsLog(text string) bool {
	lines := firstLines(text, 8)
	n := 0
	for _, line := range lines {
		line = strings.TrimLeft(line, "[(<")
		word, _, _ := strings.Cut(line, " ")
		switch strings.Trim(strings.ToUpper(word), ":]") {
		case "INFO", "DEBUG", "WARN", "WARNING", "ERROR", "TRACE", "FATAL", "NOTICE":
			n++
			continue
		}
		if len(word) >= 8 && strings.Count(word, "-")+strings.Count(word, ":")+strings.Count(word, "/") >= 2 && strings.Trim(word, "0123456789-:/.,TZ+]") == "" {
			n++
		}
	}
	return len(lines) > 0 && 2*n > len(lines)
}

// isCSV reports whether the first lines have the same number of separators, at least one.
func isCSV(text string) bool {
	lines := firstLines(text, 5)
	for _, separator := range [...]string{",", ";", "\t"} {
		n := 0
		if len(lines) > 1 {
			n = countOutside(lines[0], separator)
		}
		same := n > 0
		for _, line := range lines {
			same = same && countOutside(line, separator) == n
		}
		if same {
			return true
		}
	}
	return false
}

// countOutside counts the separators outside of quotation marks.
func countOutside(line, separator string) (n int) {
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 0 {
			n += strings.Count(part, separator)
		}
	}
	return n
}

// longestPlain is the length of the longest word with letters and digits that is not
// hidden.
const longestPlain = 19

// HideSecrets returns a text in which each word that looks like a secret consists of stars, so
// that all other characters keep their place. A word looks like a secret if it begins like
// a well-known one, if it is long and has both letters and digits, or if the word before
// it names a secret.
func HideSecrets(text string) string { return hideSecrets(text, looksSecret) }

// HoldsSecret reports whether a text has a word that begins like a well-known secret, or that
// stands behind the name of one. A long word alone may be an id. O(n).
func HoldsSecret(text string) bool { return hideSecrets(text, secrets.Begins) != text }

func hideSecrets(text string, looksSecret func(word string) bool) string {
	out := []byte(text)
	after := false
	for i := 0; i < len(text); {
		if !isSecretByte(text[i]) {
			if text[i] == '\n' || text[i] == ',' {
				after = false
			}
			i++
			continue
		}
		end := i
		for end < len(text) && isSecretByte(text[end]) {
			end++
		}
		word := text[i:end]
		if key, value, ok := strings.Cut(word, "="); ok && value != "" && secrets.Names(key) { // NAME=value
			i, word, after = i+len(key)+1, value, true
		}
		if after && !secrets.Names(word) && word != "Bearer" && word != "Basic" || looksSecret(word) {
			for k := i; k < end; k++ {
				out[k] = '*'
			}
			after = false
		} else if secrets.Names(strings.TrimRight(word, "=")) || word == "Bearer" {
			after = true
		}
		i = end
	}
	return string(out)
}

func isSecretByte(c byte) bool {
	return isKeyRune(rune(c)) || c == '+' || c == '/' || c == '=' || c == '!' || c == '$' || c == '%' || c == '@' || c == '~' || c >= utf8.RuneSelf
}

func looksSecret(word string) bool {
	return secrets.Begins(word) || len(word) > longestPlain && strings.ContainsAny(word, "0123456789") && strings.Trim(word, "0123456789-:./") != "" && !strings.Contains(word, "/")
}
