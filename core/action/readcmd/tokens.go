package readcmd

import "strings"

// Tokens splits a command line into the words and the operators that a shell reads. Two
// lines with equal tokens are the same commands. A word whose value only a shell knows is
// one token with its own text. ok is false for a line that the grammar of this package
// does not cover. O(len(line)).
func Tokens(line string) (tokens []string, ok bool) {
	if len(line) > maxLine {
		return nil, false
	}
	p := &parser{usage: &usage{}, text: strings.TrimSpace(line)}
	for {
		p.skipBlanks()
		if p.at == len(p.text) {
			return tokens, true
		}
		token := p.readOperator()
		if token == "" {
			token = p.readToken()
		}
		if token == "" || strings.HasPrefix(token, "operator <<") { // the lines of a here-document are no words
			return nil, false
		}
		tokens = append(tokens, token)
	}
}

// readOperator reads a run of one operator character, with the number of the file that it
// redirects. It returns "" if there is no operator here.
func (p *parser) readOperator() string {
	start := p.at
	end := start + spanLength(p.text[start:], digits)
	if end > start && (end == len(p.text) || p.text[end] != '<' && p.text[end] != '>') || end == len(p.text) || strings.IndexByte(delimiters, p.text[end]) < 0 {
		return ""
	}
	for p.at = end; p.at < len(p.text) && p.text[p.at] == p.text[end]; {
		p.at++
	}
	return "operator " + p.text[start:p.at]
}

// readToken reads a word. Quotes do not count, unless they keep the shell from reading an
// assignment or a reserved word. It returns "" for a word that is not covered.
func (p *parser) readToken() string {
	start := p.at
	w, why := p.readWord()
	text := w.text.String()
	name, _, assigns := strings.Cut(text, "=")
	switch {
	case why != "" || p.at == start:
		return ""
	case w.kind != Literal, w.quoted && (assigns && spanLength(name, letters+digits+"_") == len(name) || strings.Contains(opening+closing, " "+text+" ")):
		return "source " + p.text[start:p.at]
	}
	return "word " + text
}

// opening holds the reserved words that begin a command.
const opening = " if while until for case select function time { ! [[ "
