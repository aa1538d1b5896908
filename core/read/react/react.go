// Package react reads the steps that a model writes as text in the form of ReAct:
//
//	Thought: the order must be cancelled
//	Action: cancel_order
//	Action Input: {"id": "W-7"}
//	Observation: cancelled
//	Final Answer: it is done
//
// It also reads "Action:" before one JSON object, "Action: NAME[INPUT]", "Action:
// NAME(ARGUMENTS)", and "Action: NAME" before one fenced block of code. "Act:" means
// "Action:". It does not depend on a trace format. Package trajectory uses it to read
// traces, and the proxy of the gate uses it to read calls.
package react

import "strings"

// Call is one action of a text.
type Call struct {
	Before      string // the text since the last action, with keys such as "Thought:"
	Name        string // as written, without marks such as ** and quotes; "" if Blob
	Input       string // without the code fence around it; if Blob, the whole text after "Action:"
	Blob        bool   // the action is one JSON object, which contains the name and the input
	Called      bool   // the action is NAME(INPUT)
	Fence       string // the language of the fenced block that is the input of "Action: NAME"; "" for none
	Observed    bool   // an observation follows
	Observation string
}

// Key splits a line such as "Action 1: search" into a key and the text after the colon.
// The key is "action", "action input", "observation", "thought", "final answer" or
// "question". Numbers and marks around the key are removed, as in "**Action 1:**". For
// any other line, both results are "".
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
	case "act":
		key = "action"
	case "action", "action input", "observation", "thought", "final answer", "question":
	default:
		return "", ""
	}
	return key, strings.TrimLeft(value, "*_")
}

// Parse returns the actions of a text in their order, and the text after the last action.
// An "Action:" line without "Action Input:" is an action only if the line itself has the
// input:
//
//   - a JSON object;
//   - NAME[INPUT] or NAME(ARGUMENTS);
//   - a name, and a fenced block of code after it.
//
// Any other "Action:" line is ordinary text. O(n).
func Parse(text string) (calls []Call, rest string) {
	p := parser{text: text}
	for line := range strings.Lines(text) {
		key, value := Key(line)
		switch {
		case key == "action":
			p.finishAction()
			p.beginPart(inAction, line, value)
		case key == "action input" && p.part == inAction:
			p.beginPart(inInput, line, value)
		case key == "observation" && (p.part == inInput || p.part == inAction && hasInput(p.partText(inAction))):
			p.beginPart(inObservation, line, value)
		case key != "":
			p.finishAction()
		}
		p.at += len(line)
		p.spans[p.part].to = p.at
	}
	p.finishAction()
	return p.calls, strings.TrimSpace(p.partText(inWords))
}

// part is a part of a step.
type part uint8

const (
	inWords part = iota
	inAction
	inInput
	inObservation
	parts
)

// span is a range [from, to) of bytes of the text. to is 0 if the step has no such part.
type span struct{ from, to int }

type parser struct {
	text  string
	at    int // the beginning of the line that is being read
	calls []Call
	part  part        // the part to which the next line belongs
	spans [parts]span // the text since the last action, and the parts of the current step
}

func (p *parser) partText(part part) string { return p.text[p.spans[part].from:p.spans[part].to] }

// beginPart starts the given part of a step. The text of the part begins with value,
// which is the end of the line after the colon.
func (p *parser) beginPart(part part, line, value string) {
	p.part = part
	p.spans[part].from = p.at + len(line) - len(value)
}

// finishAction ends the action that is being read, if there is one.
func (p *parser) finishAction() {
	if p.part == inWords {
		return
	}
	action := p.partText(inAction)
	c := Call{Observed: p.spans[inObservation].to > 0, Observation: strings.TrimSpace(p.partText(inObservation))}
	whole, isWhole := readWhole(action)
	switch {
	case p.spans[inInput].to > 0:
		c.Name, c.Input = trimName(action), trimFence(p.partText(inInput))
	case isWhole:
		c.Name, c.Input, c.Called, c.Fence = whole.Name, whole.Input, whole.Called, whole.Fence
	case strings.Contains(action, "{"):
		c.Blob, c.Input = true, trimFence(action)
	default: // text that looks like an action
		p.spans = [parts]span{inWords: {p.spans[inWords].from, p.at}}
		p.part = inWords
		return
	}
	c.Before = strings.TrimSpace(p.partText(inWords))
	p.calls = append(p.calls, c)
	p.spans, p.part = [parts]span{inWords: {p.at, p.at}}, inWords
}

// hasInput reports whether the text of an action already contains the action's input.
func hasInput(action string) bool {
	_, whole := readWhole(action)
	return whole || strings.Contains(action, "{")
}

// readWhole reads an action that contains its input in brackets, in parentheses, or in a
// fenced block of code after the name. It ignores the word PAUSE at the end, which some
// agents write to wait for the observation.
func readWhole(action string) (c Call, ok bool) {
	action = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(action), "PAUSE"))
	if c.Name, c.Input, ok = cutBrackets(action, "[", "]"); ok {
		return c, true
	}
	if c.Name, c.Input, c.Called = cutBrackets(action, "(", ")"); c.Called {
		return c, true
	}
	line, rest, _ := strings.Cut(action, "\n")
	rest = strings.TrimSpace(rest)
	tag, _, _ := strings.Cut(strings.TrimPrefix(rest, "```"), "\n")
	c.Name, c.Fence = trimName(line), strings.ToLower(strings.TrimSpace(tag))
	if !isName(c.Name) || len(rest) < 6 || strings.Count(rest, "```") != 2 || !strings.HasPrefix(rest, "```") || !strings.HasSuffix(rest, "```") {
		return Call{}, false
	}
	c.Input = trimFence(rest)
	return c, true
}

// trimName returns a name without surrounding spaces, quotes, brackets and marks such as
// **.
func trimName(name string) string { return strings.Trim(strings.TrimSpace(name), "`*\"'[]") }

// cutBrackets reads a name and the input in brackets after it, such as search[cats]. open
// and end are the two brackets.
func cutBrackets(action, open, end string) (name, input string, ok bool) {
	name, input, ok = strings.Cut(action, open)
	if !ok || !isName(name) || !strings.HasSuffix(input, end) {
		return "", "", false
	}
	return name, strings.TrimSuffix(input, end), true
}

// isName reports whether a text is one word of letters, digits, _, - and dots.
func isName(name string) bool {
	for _, c := range name {
		if c != '_' && c != '-' && c != '.' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return name != ""
}

// trimFence returns a text without the code fence around it.
func trimFence(text string) string {
	text, fenced := strings.CutPrefix(strings.TrimSpace(text), "```")
	if !fenced {
		return text
	}
	_, text, _ = strings.Cut(text, "\n")
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "```"))
}
