package proxy

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/read/react"
)

// watcher searches the text of a stream for the beginning of a text call, so that no part
// of a call is sent before it is judged. It stores only as much text as the beginning of
// a call can have; if the text may be an object, it stores the object up to its end. The
// time for a piece is linear in the length of that piece.
type watcher struct {
	words  string // the text since the last place that cannot be part of a beginning
	past   bool   // there is text before words
	cut    bool   // words begins in the middle of a line
	found  bool   // a call has begun: everything after it is held back
	object []byte // an object that may be a call, if it is not empty; words follows it
	braces braces
}

// enough is the least number of bytes, at the end of the text, for which they count as
// the beginning of an action's key, or of a mark that does not begin with < or [. With
// fewer bytes, ordinary words would be held back too, because many words end in the first
// letter of such a mark.
const enough = 3

// longestMark is the largest length of a mark and of a step's key.
const longestMark = 64

// longestWait is the largest length of watcher.words while these may still become the
// beginning of a call. If they are longer, everything after them is held back.
const longestWait = 64 << 10

// mustHoldBack adds a piece of the text and reports whether the text must be held back.
// If it returns false, all pieces so far may be sent. If it returns true, the text may
// contain the beginning of a call.
func (w *watcher) mustHoldBack(piece string) bool {
	if w.found {
		return true
	}
	if len(w.object) > 0 && !w.closesObject(piece) {
		return true
	} else if len(w.object) == 0 {
		w.words += piece
	}
	w.found = w.found || w.hasMark()
	for {
		if w.found {
			return true
		}
		at, begun := objectStart(w.words)
		if begun {
			text := w.words[at:]
			w.words, w.braces = "", braces{}
			if !w.closesObject(text) {
				return true
			}
			continue
		}
		if at >= 0 || w.mayBeginCall() {
			w.found = len(w.words) > longestWait // so that searching them again takes no quadratic time
			return true
		}
		break
	}
	w.past = w.past || strings.TrimSpace(w.words) != ""
	if at := strings.LastIndexByte(w.words, '\n') + 1; at > 0 {
		w.words, w.cut = w.words[at:], false
	}
	if n := len(w.words); n > longestMark {
		w.words, w.cut = w.words[n-longestMark:], true
	}
	return false
}

// closesObject adds a piece to w.object, and reports whether the object ends in this
// piece. If it does, w.words becomes the text after the object, and w.found says whether
// the object is a call, is unreadable, or contains a mark.
func (w *watcher) closesObject(piece string) bool {
	n := w.braces.objectEnd(piece)
	if n < 0 {
		w.object = append(w.object, piece...)
		return false
	}
	w.words = string(append(w.object, piece[:n]...))
	calls, readable := readObject(w.words)
	w.found = len(calls) > 0 || !readable || w.hasMark()
	w.words, w.object, w.past, w.cut = piece[n:], nil, true, true
	return true
}

// hasMark reports whether the text contains a mark or an action of ReAct.
func (w *watcher) hasMark() bool {
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

// mayBeginCall reports whether a text call may begin at the end of the text. The text may
// end in one of these:
//
//   - an incomplete mark
//   - an incomplete key of an action
//   - a code fence
//   - the opening bracket of a list, if there are no words before it
func (w *watcher) mayBeginCall() bool {
	if at := beforeFence(w.words, len(w.words)); at < len(w.words) && (at > 0 || !w.past || strings.HasPrefix(w.words, "```")) {
		return true
	}
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
