package equivalence

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// mostAnswer is the length in bytes of the part of a result in which noChange looks.
const mostAnswer = 400

// noChangeWords are what tools say of a call that changed nothing, in lower case. The first text of
// each row is a part of the others, so that most results are read six times and not twenty.
var noChangeWords = [...][]string{{"no", "nothing changed", "nothing was changed", "no changes made", "no changes were made", "no change was", "no-op", "nothing to commit", "nothing to do", "not modified"},
	{"0 rows", "0 rows affected", "0 rows updated"}, {"dry", "dry run", "dry_run", "dry-run", "dryrun"}, {"\"would_", "\"would_"}, {"\"changed", "\"changed\":false", "\"changed\": false"}, {"\"modified", "\"modified\":false", "\"modified\": false"}}

// saysNoChange reports whether the result of an action says that it changed nothing: it was a
// trial, or the state was there already. What a call asks for in its arguments proves nothing.
func (j *judge) saysNoChange(obs int) bool {
	if j.Refusal == nil {
		return false
	}
	answer := j.Refusal(obs)
	if n := min(len(answer), mostAnswer); !strings.ContainsFunc(answer[:n], func(r rune) bool { return r >= 0x80 }) {
		answer = answer[:n]
	}
	answer = wordlist.Lower(answer[:min(len(answer), 3*mostAnswer)]) // a letter has at most three times the bytes of its lower case
	answer = answer[:min(len(answer), mostAnswer)]
	for _, row := range noChangeWords {
		if strings.Contains(answer, row[0]) && slices.ContainsFunc(row[1:], func(w string) bool { return holdsPhrase(answer, w) }) {
			return true
		}
	}
	verb := j.Obs[obs].Deed().Verb
	if len(verb) < 4 {
		return false
	}
	stem := strings.TrimSuffix(verb, "e")
	return strings.Contains(answer, "already "+stem) || strings.Contains(answer, "would be "+stem) || strings.Contains(answer, "would have been "+stem) || strings.Contains(answer, "would "+verb)
}

// holdsPhrase reports whether a text has a phrase that no letter or digit touches, and that is not denied: of
// "10 rows affected", "not a dry run" and "dry_run": false, none says that nothing was changed.
func holdsPhrase(text, phrase string) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], phrase)
		if at < 0 {
			return false
		}
		at += from
		from = at + 1
		if c := phrase[0]; c != '"' && at > 0 && isWordByte(text[at-1]) || c == '0' && at > 1 && strings.IndexByte(".,", text[at-1]) >= 0 && isWordByte(text[at-2]) {
			continue
		}
		if end := at + len(phrase); end < len(text) && isWordByte(phrase[len(phrase)-1]) && isWordByte(text[end]) {
			continue
		}
		before, after := strings.TrimRight(text[:at], "\"' "), strings.TrimLeft(text[at+len(phrase):], "\"' :=>")
		if strings.HasSuffix(before, "not a") || strings.HasSuffix(before, "no") || strings.HasSuffix(before, "not") || strings.HasSuffix(before, "without a") {
			continue
		}
		rest := strings.TrimLeft(after, "abcdefghijklmnopqrstuvwxyz0123456789")
		word, whole := after[:len(after)-len(rest)], rest == "" || strings.IndexByte(",}];\n", rest[0]) >= 0
		if word != "" && strings.HasPrefix(phrase, "dry") && (wordlist.Contains(" false off disabled null none ", word) || whole && wordlist.Contains(" no 0 ", word)) {
			continue
		}
		return true
	}
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80
}

// inTransaction reports whether an action only begins or commits a transaction of SQL, and the
// other half follows or came before. A transaction that is rolled back or never committed is none.
func (j *judge) inTransaction(obs int) bool {
	switch transactionWord(&j.Obs[obs]) {
	case "begin":
		for o := obs + 1; o < min(len(j.Obs), obs+mostNear); o++ {
			if w := transactionWord(&j.Obs[o]); w != "" {
				return w == "commit" && !j.Obs[o].Failed
			}
		}
	case "commit":
		for o := obs - 1; o >= max(0, obs-mostNear); o-- {
			if w := transactionWord(&j.Obs[o]); w != "" {
				return w == "begin" && !j.Obs[o].Failed
			}
		}
	}
	return false
}

// beginsTransaction reports whether a statement about a transaction may begin with five letters.
func beginsTransaction(letters string) bool {
	switch letters[0] | ' ' {
	case 'b', 's', 'c', 'r', 'a':
		letters = strings.ToLower(letters)
		return letters == "begin" || letters == "start" || letters == "commi" || letters == "rollb" || letters == "abort"
	}
	return false
}

// transactionWord returns begin, commit or rollback for a call whose only statement it is, or "".
func transactionWord(a *boundary.Action) string {
	for i := range a.Leaves {
		statement := a.Leaves[i].Raw
		if len(statement) < 7 || len(statement) > 40 || statement[0] != '"' || !beginsTransaction(statement[1:6]) {
			continue
		}
		switch strings.ToLower(strings.TrimRight(similarity.Plain(statement), "; \t\n")) {
		case "begin", "begin transaction", "begin work", "start transaction":
			return "begin"
		case "commit", "commit transaction", "commit work":
			return "commit"
		case "rollback", "rollback transaction", "rollback work", "abort":
			return "rollback"
		}
	}
	return ""
}
