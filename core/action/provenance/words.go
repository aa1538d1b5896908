package provenance

import "fmt"

// Words describes the origin of a value for people, for example "the user, message 3" or
// "get_order, call 2". It returns "" for an untraced value. toolName(i) returns the name
// of the tool of call i. The numbers of messages and calls begin at 1. The description
// contains at most single words of the texts.
func (o *Origin) Words(texts []Text, toolName func(call int) string) string {
	switch o.Kind {
	case Untraced:
		return ""
	case Chosen:
		return "the agent's own word"
	case Computed:
		if o.Text < 0 {
			return "worked out: " + o.Formula
		}
		return "from the word " + o.Formula + ": " + describeWriter(&texts[o.Text], toolName)
	case Nowhere:
		s := "nowhere"
		if o.Day >= 0 {
			s += "; only its day: " + describeWriter(&texts[o.Day], toolName)
		}
		if o.Agent >= 0 {
			s += "; first named by " + describeWriter(&texts[o.Agent], toolName)
		}
		if o.Near != nil {
			s += fmt.Sprintf("; %s has %s", describeWriter(&texts[o.Near.Text], toolName), o.Near.Value)
		}
		return s
	}
	return describeWriter(&texts[o.Text], toolName)
}

// describeWriter returns the author and the place of a text in words, for example "the
// user, message 3".
func describeWriter(x *Text, toolName func(call int) string) string {
	switch x.From {
	case FromUser:
		return fmt.Sprintf("the user, message %d", x.Message+1)
	case FromAgent:
		return fmt.Sprintf("the agent, message %d", x.Message+1)
	case FromTool:
		if x.Call >= 0 && toolName != nil {
			return fmt.Sprintf("%s, call %d", toolName(x.Call), x.Call+1)
		}
		return fmt.Sprintf("a tool, message %d", x.Message+1)
	case FromSchema:
		return "the tool's definition"
	}
	return "the instructions"
}
