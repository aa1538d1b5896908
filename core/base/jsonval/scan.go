package jsonval

import (
	"encoding/binary"
	"math/bits"
	"strings"
	"unsafe"
)

// skipSpace returns the offset of the first byte from i on that is not white space.
func skipSpace(text string, i int) int {
	if i < len(text) && text[i] > ' ' { // in compact texts nearly always
		return i
	}
	return skipBlanks(text, i)
}

// skipBlanks is skipSpace. It examines eight bytes at a time, because an indented text has
// long runs of blanks. It is not inlined, so that skipSpace is.
//
//go:noinline
func skipBlanks(text string, i int) int {
	data := unsafe.StringData(text)
	for i < len(text) {
		if c := text[i]; c > ' ' || c != ' ' && c != '\n' && c != '\r' && c != '\t' {
			return i
		}
		i++
		for i+8 <= len(text) {
			others := wordAt(data, i) ^ ones*' '
			if others != 0 {
				i += bits.TrailingZeros64(others) / 8
				break
			}
			i += 8
		}
	}
	return i
}

// scalarEnd returns the offset after the string, number or word that begins at i. It
// returns -1 if no valid scalar begins there.
func scalarEnd(text string, i int) int {
	switch text[i] {
	case '"':
		return stringEnd(text, i)
	case 't':
		return wordEnd(text, i, "true")
	case 'f':
		return wordEnd(text, i, "false")
	case 'n':
		return wordEnd(text, i, "null")
	}
	return numberEnd(text, i)
}

func wordEnd(text string, i int, word string) int {
	if !strings.HasPrefix(text[i:], word) {
		return -1
	}
	return i + len(word)
}

// numberEnd returns the offset after the number that begins at i, which must match
// -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?. It returns -1 if no valid number begins
// there.
func numberEnd(text string, i int) int {
	if text[i] == '-' {
		i++
	}
	if i < len(text) && text[i] == '0' {
		i++
	} else if i = skipDigits(text, i); i < 0 {
		return -1
	}
	if i < len(text) && text[i] == '.' {
		if i = skipDigits(text, i+1); i < 0 {
			return -1
		}
	}
	if i < len(text) && text[i]|0x20 == 'e' {
		i++
		if i < len(text) && (text[i] == '+' || text[i] == '-') {
			i++
		}
		return skipDigits(text, i)
	}
	return i
}

// skipDigits returns the offset after the digits that begin at i. It returns -1 if there
// is no digit at i.
func skipDigits(text string, i int) int {
	from := i
	for i < len(text) && text[i]-'0' <= 9 {
		i++
	}
	if i == from {
		return -1
	}
	return i
}

// stringEnd returns the offset after the string whose opening quote is at i. It returns
// -1 if the string has no closing quote, or contains an invalid character or escape.
//
// stringEnd examines eight bytes at a time, because most of a trace is strings. For the
// arithmetic see endings, whose last step only bytes outside ASCII need.
func stringEnd(text string, i int) int {
	quote, below, slash, one, high := swar.quote, swar.below, swar.slash, swar.one, swar.high
	data := unsafe.StringData(text)
	for i++; ; {
		for i+8 <= len(text) {
			w := wordAt(data, i)
			found := (((w ^ quote) - below) | ((w ^ slash) - one)) & high
			if found == 0 {
				i += 8
				continue
			}
			if found &^= w; found != 0 {
				i += bits.TrailingZeros64(found) / 8
				break
			}
			i += 8
		}
		if i >= len(text) {
			return -1
		}
		switch c := text[i]; {
		case c == '"':
			return i + 1
		case c != '\\' && c >= 0x20:
			i++
		case c != '\\' || i+1 == len(text):
			return -1
		case escapes[text[i+1]] != 0:
			i += 2
		case text[i+1] == 'u' && len(text)-i >= 6 && hex4(text[i+2:]) >= 0:
			i += 6
		default:
			return -1
		}
	}
}

// swar are the constants of endings. They are a variable, so that the compiler loads them into
// registers once, and not for each word.
var swar = struct{ quote, below, slash, one, high uint64 }{ones * 2, ones * '!', ones * '\\', ones, highs}

// wordAt returns the eight bytes from an offset on. The caller checks that there are eight.
func wordAt(data *byte, at int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(unsafe.Pointer(data), at))[:])
}

// endings returns a word whose lowest set bit belongs to the first quote, backslash or control
// character in w. It returns 0 if there is none. Because of a borrow, higher bits may be wrong.
// With bit 1 inverted, a quote and the control characters are the bytes below '!'.
func endings(w uint64) uint64 {
	quote, slash := w^ones*2, w^ones*'\\'
	return ((quote - ones*'!') | (slash - ones)) &^ w & highs // quote and slash have the high bits of w
}

// escapes maps the character after a backslash to the character that the escape means. It
// is 0 for \u and for invalid escapes.
var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// hex4 returns the value of the four hexadecimal digits at the beginning of s. It returns
// -1 if they are not hexadecimal digits.
func hex4(s string) rune {
	var r rune
	for i := range 4 {
		c := s[i]
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)
