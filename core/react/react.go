// Package react reads the steps that a model writes as text in the form of ReAct:
//
//	Thought: the order must be cancelled
//	Action: cancel_order
//	Action Input: {"id": "W-7"}
//	Observation: cancelled
//	Final Answer: it is done
//
// It also reads "Action:" before one JSON object, and "Action: NAME[INPUT]". It is
// independent of trace formats and makes no verdict: package trajectory reads traces with
// it, and the proxy of the gate reads calls.
package react

import "strings"

// Call is one action of a text.
type Call struct {
	Before      string // the words since the last action, with their keys
	Name        string // as written, without marks such as ** and quotes; "" if Blob
	Input       string // without the code fence around it; if Blob, the whole text after "Action:"
	Blob        bool   // the action is one JSON object, which holds name and input
	Observed    bool   // an observation follows
	Observation string
}

// Key returns the key of the step that a line begins, and the text after the colon. The
// key is "action", "action input", "observation", "thought", "final answer" or
// "question", or "" if the line begins no step. A key may have a number and marks:
// "Action 1:", "**Action:**".
func Key(line string) (key, value string) {
	key, value, found := strings.Cut(line, ":")
	if !found || len(key) > 40 {
		return "", ""
	}
	key = strings.ToLower(strings.TrimSpace(strings.Trim(key, " \t*_#>-")))
	key = strings.TrimSpace(strings.TrimRight(key, "0123456789"))
	switch key = strings.Join(strings.Fields(key), " "); key {
	case "action_input":
		key = "action input"
	case "action", "action input", "observation", "thought", "final answer", "question":
	default:
		return "", ""
	}
	return key, strings.TrimLeft(value, "*_")
}

// Parse returns the actions of a text in their order, and the words after the last one. An
// action without an input counts only if it is an object or has the form NAME[INPUT]; other
// lines that begin "Action:" are words. O(n).
func Parse(text string) (calls []Call, rest string) {
	var p parser
	for line := range strings.Lines(text) {
		key, value := Key(line)
		switch {
		case key == "action":
			p.finish()
			p.part, p.action = inAction, value
		case key == "action input" && p.part == inAction:
			p.part, p.input, p.given = inInput, value, true
		case key == "observation" && (p.part == inInput || p.part == inAction && complete(p.action)):
			p.part, p.observation, p.observed = inObservation, value, true
		case key != "":
			p.finish()
			p.words += line
		default:
			*p.text() += line
		}
	}
	p.finish()
	return p.calls, strings.TrimSpace(p.words)
}

// part is the part of a step to which the next line belongs.
type part uint8

const (
	inWords part = iota
	inAction
	inInput
	inObservation
)

type parser struct {
	calls                             []Call
	part                              part
	words, action, input, observation string
	given, observed                   bool // there is an input, an observation
}

func (p *parser) text() *string {
	switch p.part {
	case inAction:
		return &p.action
	case inInput:
		return &p.input
	case inObservation:
		return &p.observation
	}
	return &p.words
}

// finish ends the action that is being read, if there is one.
func (p *parser) finish() {
	c := Call{Observed: p.observed, Observation: strings.TrimSpace(p.observation)}
	name, input, bracketed := brackets(p.action)
	switch {
	case p.part == inWords:
		return
	case p.given:
		c.Name, c.Input = bare(p.action), unfenced(p.input)
	case bracketed:
		c.Name, c.Input = name, input
	case strings.Contains(p.action, "{"):
		c.Blob, c.Input = true, unfenced(p.action)
	default: // words that look like an action
		p.words += "Action:" + p.action
		*p = parser{calls: p.calls, words: p.words}
		return
	}
	c.Before = strings.TrimSpace(p.words)
	*p = parser{calls: append(p.calls, c)}
}

// complete reports whether an action contains its input.
func complete(action string) bool {
	_, _, bracketed := brackets(action)
	return bracketed || strings.Contains(action, "{")
}

// bare returns a name without the marks around it.
func bare(name string) string { return strings.Trim(strings.TrimSpace(name), "`*\"'[]") }

// brackets reads NAME[INPUT], where the name is one word of letters, digits, _, - and dots.
func brackets(action string) (name, input string, ok bool) {
	action = strings.TrimSpace(action)
	name, input, ok = strings.Cut(action, "[")
	if !ok || name == "" || !strings.HasSuffix(input, "]") {
		return "", "", false
	}
	for _, c := range name {
		if c != '_' && c != '-' && c != '.' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return "", "", false
		}
	}
	return name, strings.TrimSuffix(input, "]"), true
}

// unfenced returns a text without the code fence around it.
func unfenced(text string) string {
	text, fenced := strings.CutPrefix(strings.TrimSpace(text), "```")
	if !fenced {
		return text
	}
	_, text, _ = strings.Cut(text, "\n")
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "```"))
}
