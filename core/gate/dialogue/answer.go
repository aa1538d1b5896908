package dialogue

import (
	"crypto/sha256"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// Reply is a person's answer to a question of the gate.
type Reply struct {
	Yes, No bool   // if neither is set, the reply is not an answer, and nothing is approved
	Unseen  bool   // the person also approves the parts that could not be shown
	Done    bool   // not an answer: the person says that they have decided elsewhere
	Code    string // in capitals; "" if there is none
}

// codeLength is the number of characters of a code.
const codeLength = 5

// ReadReply reads a person's message as an answer to a question. The message must be one
// of a fixed list of phrases, such as "yes" or "go ahead". The code of the question may
// come before or after the phrase. Any other message is not an answer, for example "yes?"
// or a message of more than 80 bytes. O(n).
func ReadReply(text string) (r Reply) {
	const longest = 80
	text = strings.TrimSpace(text)
	if len(text) > longest {
		return r
	}
	text = strings.TrimRight(strings.ToLower(text), ".!")
	words := strings.FieldsFunc(text, func(c rune) bool { return c == ' ' || c == ',' || c == '\t' })
	if n := len(words); n > 1 {
		switch {
		case isCode(words[n-1]):
			r.Code, words = strings.ToUpper(words[n-1]), words[:n-1]
		case isCode(words[0]):
			r.Code, words = strings.ToUpper(words[0]), words[1:]
		}
	}
	if n := len(words); n > 1 && words[n-1] == "unseen" {
		r.Unseen, words = true, words[:n-1]
	}
	switch strings.Join(words, " ") {
	case "yes", "y", "yes please", "approve", "approved", "i approve", "confirm", "confirmed", "i confirm", "go ahead", "yes go ahead", "do it", "yes do it",
		"ja", "oui", "sí", "si", "sì", "sim", "да", "はい", "是", "是的":
		r.Yes = true
	case "no", "n", "no thanks", "no thank you", "deny", "denied", "reject", "rejected", "cancel", "stop", "don't", "do not", "no don't", "no do not",
		"nein", "non", "não", "nee", "нет", "いいえ", "不", "不是":
		r.No = !r.Unseen
	case "done", "ok", "okay", "continue", "go on", "ready":
		return Reply{Done: r.Code == "" && !r.Unseen}
	}
	if !r.Yes && !r.No {
		return Reply{}
	}
	return r
}

// A code is a digit followed by digits or consonants. No two of the characters look alike, and no
// code is a word.
const (
	digits  = "23456789"
	letters = digits + "bcdfghjkmnpqrstvwxyz"
)

// isCode reports whether a word can be the code of a question, in lower case, such as
// 7k2qm.
func isCode(w string) bool {
	if len(w) != codeLength || !strings.Contains(digits, w[:1]) {
		return false
	}
	for i := range codeLength {
		if !strings.Contains(letters, w[i:i+1]) {
			return false
		}
	}
	return true
}

// Code returns a short code by which a person can name one of several questions: five
// characters made from an unguessable id.
func Code(id string) string {
	sum := sha256.Sum256([]byte("boundcheck.code/1 " + id))
	code := []byte{digits[sum[0]%byte(len(digits))]}
	for i := 1; i < codeLength; i++ {
		code = append(code, letters[sum[i]%byte(len(letters))])
	}
	return strings.ToUpper(string(code))
}

// Question is the gate's question inside a conversation.
type Question struct {
	Code    string   // identifies the question; always shown
	Typed   bool     // the code must be typed: a plain yes is not enough
	Several bool     // another conversation with the same beginning has an open question
	Unseen  bool     // a part of the calls cannot be shown: a plain yes is not enough
	Prompts []string // one text to approve for each call, in the form of Confirmation
	Changed bool     // the call differs from one that was shown before
	Twins   []string // what is to be known of other calls like these
	Above   string   // the model's words before the question in the same message; "" for none
	Link    string   // the page where people decide; if it is set, no reply in the conversation decides
	Remark  string   // a model's sentence about the calls, shown after the prompts; "" for none
}

// Text returns the question as Markdown that is also readable as plain text. It contains,
// in this order:
//
//   - the text that closes whatever Above may have left open (see Closing);
//   - the question's code;
//   - Twins;
//   - each prompt in a separate block, which no text in the prompt can end;
//   - Remark in one line, escaped, and labelled as the words of a model;
//   - Link, or the replies that are accepted.
//
// All other text is constant. A code that must be typed is only above the prompts, so a
// person who sees the code also sees the prompts. Remark is cut after 300 characters.
// Deterministic; O(n).
func (q *Question) Text() string {
	var b strings.Builder
	closing, _ := Closing(q.Above)
	b.WriteString(closing + proposal.QuestionMark + q.Code + "]\n\n")
	if q.Above != "" {
		b.WriteString("The model wrote the text above this line.\n\n")
	}
	if q.Changed {
		b.WriteString("The call differs from the one that was shown before, so the question is asked again.\n\n")
	}
	for _, text := range q.Twins {
		b.WriteString(text + "\n\n")
	}
	if q.Link == "" && (q.Typed || q.Unseen) {
		b.WriteString(q.codeInstruction() + "\n\n")
	}
	for i, p := range q.Prompts {
		if len(q.Prompts) > 1 {
			b.WriteString("Call " + strconv.Itoa(i+1) + " of " + strconv.Itoa(len(q.Prompts)) + ":\n\n")
		}
		b.WriteString(fenceText(p, q.Above) + "\n")
	}
	if r := oneLine(q.Remark, mostRemark); r != "" {
		b.WriteString("A model wrote this description of the call. Nobody has checked the description, and your approval does not cover it: “" + r + "\u201d\n\n")
	}
	b.WriteString(q.closingLine())
	return b.String()
}

// CutQuestion returns what stands above the question of a gate in a text; ok is false if the
// text has not the form of Question.Text. Who made the question is not known by its form: a
// caller may only become stricter by it. O(n).
func CutQuestion(text string) (above string, ok bool) {
	if end := strings.TrimSpace(text); !strings.HasSuffix(end, proposal.OtherIsNo) && !strings.HasSuffix(end, proposal.OtherIsBack) {
		return text, false
	}
	for at := 0; ; at += len(proposal.QuestionMark) {
		next := strings.Index(text[at:], proposal.QuestionMark)
		if next < 0 {
			return text, false
		}
		at += next
		if code, _, _ := strings.Cut(text[at+len(proposal.QuestionMark):], "]"); isCode(strings.ToLower(code)) {
			return text[:at], true
		}
	}
}

// mostRemark is the largest number of characters that are shown of a model's sentence.
const mostRemark = 300

// oneLine returns a text as one line that cannot be mistaken for markup or for another
// part of the question. It escapes special characters and cuts the text after n
// characters.
func oneLine(s string, n int) string {
	s = proposal.EscapeAlso(strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " "), "[]<`$|")
	s = strings.NewReplacer("\u201c", "'", "\u201d", "'").Replace(s)
	if r := []rune(s); len(r) > n {
		s = string(r[:n]) + "\u2026"
	}
	return s
}

// codeInstruction returns the sentence that tells the person to type the question's code
// with the answer, for example: Reply "yes 7K2QM" to run it, or "no".
func (q *Question) codeInstruction() string {
	text := ""
	if q.Several {
		text = "Another conversation with the same beginning has an open question, so the code is needed. "
	}
	if q.Unseen {
		return text + "Not everything can be shown. Reply \"yes, unseen " + q.Code + "\" to run it anyway, or \"no\"."
	}
	return text + "Reply \"yes " + q.Code + "\" to run " + q.callsPhrase() + ", or \"no\"."
}

func (q *Question) callsPhrase() string {
	if len(q.Prompts) > 1 {
		return "exactly these"
	}
	return "exactly this"
}

// closingLine returns the last line of the question, which tells the person how to
// answer. It never contains the question's code.
func (q *Question) closingLine() string {
	switch {
	case q.Link != "":
		return "Pending: " + q.Link + "\n\nNothing runs before the approval at this link. After the approval, reply \"done\". " + proposal.OtherIsBack
	case q.Typed || q.Unseen:
		return "Type the reply that is shown above, with the code. " + proposal.OtherIsNo
	}
	return "Reply \"yes\" to run " + q.callsPhrase() + ", or \"no\". " + proposal.OtherIsNo
}
