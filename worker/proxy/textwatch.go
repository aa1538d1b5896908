package proxy

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/react"
)

// watcher searches the text of a stream for the beginning of a text call, so that no
// part of a call is sent before it is judged. It keeps only as much text as a beginning
// can have; each piece costs time in its own length.
type watcher struct {
	words string // the text since the last place that cannot be part of a beginning
	past  bool   // there is text before words, so no JSON text begins there
	cut   bool   // words begins in the middle of a line
}

// enough is the number of letters of a mark that hold the text back. With fewer, every
// other word would, because it ends in the first letter of a mark.
const enough = 3

// longestMark is the largest length of a mark and of a step's key.
const longestMark = 64

// holds adds a piece. It reports whether the text since it last returned false may be,
// or may become, the beginning of a text call.
func (w *watcher) holds(piece string) bool {
	w.words += piece
	if w.marked() {
		return true
	}
	if trimmed := strings.TrimSpace(w.words); !w.past && trimmed != "" {
		if strings.ContainsRune("{[`", rune(trimmed[0])) && jsonMayBegin(trimmed) {
			return true
		}
		w.past = true
	}
	if w.partial() {
		return true
	}
	if at := strings.LastIndexByte(w.words, '\n') + 1; at > 0 {
		w.words, w.cut = w.words[at:], false
	}
	if n := len(w.words); n > longestMark {
		w.words, w.cut = w.words[n-longestMark:], true
	}
	return false
}

// marked reports whether the text contains a mark or an action of ReAct.
func (w *watcher) marked() bool {
	for _, m := range textMarks {
		if strings.Contains(w.words, m.mark) {
			return true
		}
	}
	first := !w.cut
	for line := range strings.Lines(w.words) {
		if key, _ := react.Key(line); key == "action" && first {
			return true
		}
		first = true
	}
	return false
}

// partial reports whether the text ends in the beginning of a mark or of an action.
func (w *watcher) partial() bool {
	for _, m := range textMarks {
		least := 1
		if m.mark[0] != '<' && m.mark[0] != '[' {
			least = enough
		}
		for n := min(len(m.mark)-1, len(w.words)); n >= least; n-- {
			if strings.HasSuffix(w.words, m.mark[:n]) {
				return true
			}
		}
	}
	at := strings.LastIndexByte(w.words, '\n') + 1
	line := strings.ToLower(strings.Trim(w.words[at:], " \t*_#>-0123456789"))
	return (at > 0 || !w.cut) && len(line) >= enough && strings.HasPrefix("action", line)
}
