package relation

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// mostAnswer is the length in bytes of the part of a result in which noChange looks.
const mostAnswer = 400

// noChangeWords are what tools say of a call that changed nothing, in lower case. The first text of
// each row is a part of the others, so that most results are read six times and not twenty.
var noChangeWords = [...][]string{{"no", "nothing changed", "nothing was changed", "no changes made", "no changes were made", "no change was", "no-op", "nothing to commit", "nothing to do", "not modified"},
	{"0 rows", "0 rows affected", "0 rows updated"}, {"dry", "dry run", "dry_run", "dry-run", "dryrun"}, {"\"would_", "\"would_"}, {"\"changed", "\"changed\":false", "\"changed\": false"}, {"\"modified", "\"modified\":false", "\"modified\": false"}}

// SaysNoChange reports whether the result of an action says that it changed nothing: it was a
// trial, or the state was there already. What a call asks for in its arguments proves nothing.
func (j *Run) SaysNoChange(obs int) bool {
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

// InTransaction reports whether an action only begins or commits a transaction, and the
// other half follows or came before, or sets a savepoint. A transaction that is rolled back or never committed is none.
func (j *Run) InTransaction(obs int) bool {
	switch word, point := transactionWord(&j.Obs[obs]); {
	case point != "":
		return word != "rollback"
	case word == "begin":
		for o := obs + 1; o < min(len(j.Obs), obs+MostNear); o++ {
			if w, point := transactionWord(&j.Obs[o]); w != "" && point == "" {
				return w == "commit" && !j.Obs[o].Failed
			}
		}
	case word == "commit":
		for o := obs - 1; o >= max(0, obs-MostNear); o-- {
			if w, point := transactionWord(&j.Obs[o]); w != "" && point == "" {
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
		return wordlist.Contains(" begin start commi rollb abort savep relea ", strings.ToLower(letters))
	}
	return false
}

// transactionWord returns begin, commit or rollback for a call whose only statement it is, or "". For a statement
// about a savepoint it returns savepoint, release or rollback, and the name of the savepoint.
func transactionWord(a *boundary.Action) (word, point string) {
	for i := range a.Leaves {
		statement := a.Leaves[i].Raw
		if len(statement) < 7 || len(statement) > 80 || statement[0] != '"' || !beginsTransaction(statement[1:6]) {
			continue
		}
		words := strings.Fields(strings.ToLower(strings.TrimRight(similarity.Plain(statement), "; \t\n")))
		switch strings.Join(words, " ") {
		case "begin", "begin transaction", "begin work", "start transaction":
			return "begin", ""
		case "commit", "commit transaction", "commit work":
			return "commit", ""
		case "rollback", "rollback transaction", "rollback work", "abort":
			return "rollback", ""
		}
		switch last := lastOf(words); {
		case words[0] == "savepoint" && len(words) == 2, words[0] == "release" && (len(words) == 2 || len(words) == 3 && words[1] == "savepoint"),
			words[0] == "rollback" && len(words) > 2 && len(words) < 6 && wordlist.Contains(" to savepoint ", words[len(words)-2]):
			return words[0], last
		}
	}
	return "", ""
}

// transactionStep is transactionWord for a tool that is named after what it does with a transaction, too. Only
// rolling back asks it: that somebody begins and commits by such tools is as much an action as any other.
func transactionStep(a *boundary.Action) (word, point string) {
	if word, point = transactionWord(a); word == "" {
		word = namedTransaction(a)
	}
	return word, point
}

// namedTransaction is transactionWord for a tool that is named after what it does with a transaction.
func namedTransaction(a *boundary.Action) string {
	words := a.Words()
	if len(words) == 0 || len(words) > 3 || len(a.Leaves) > 1 || !wordlist.Contains(" begin start open commit rollback roll abort ", words[0]) {
		return ""
	}
	if last := lastOf(words); len(words) > 1 && !wordlist.Contains(" transaction tx txn back ", last) || len(words) == 1 && wordlist.Contains(" start open roll abort ", last) {
		return ""
	}
	switch words[0] {
	case "commit":
		return "commit"
	case "rollback", "roll", "abort":
		return "rollback"
	}
	return "begin"
}

func isNamedTransaction(a *boundary.Action) bool { return namedTransaction(a) != "" }

// MayOnlyLook reports whether nothing says that an action changed something: no word of its name is a known verb or has
// the ending of one, no argument and no definition speaks of a change, and its result is a listing or a reading. Whether it
// changes something stays unknown, so that it is a hint and never excused.
func (j *Run) MayOnlyLook(obs int) bool {
	a := &j.Obs[obs]
	words := a.Words()
	if a.Mutation.Mutating != mutation.Unknown || a.Mutation.Layer != mutation.LayerNone || a.Text != "" || len(words) == 0 || j.Lists == nil {
		return false
	}
	asksState := len(words) > 1 && wordlist.HasLast(" state status ", words)
	if a.Deed().Verb != "" && !asksState || slices.ContainsFunc([]string{"ate", "ize", "ise", "ify"}, func(end string) bool { return strings.HasSuffix(words[0], end) && len(words[0]) > 5 }) {
		return false
	}
	return j.Lists(obs)
}

// SaysLook reports whether a call of unknown effect says that it only looks: its line only reads in most shells, or its name
// is to look, and it has no argument that could be a verdict.
func SaysLook(a *boundary.Action) bool {
	words := a.Words()
	return a.LooksByLine() || a.Mutation.Mutating == mutation.Unknown && a.Text == "" && len(a.Leaves) == 0 && len(words) > 0 &&
		wordlist.Contains(" review inspect examine preview ", words[0])
}
