package mutation

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// controlName returns the verdict on the name of a control action, such as thinking or
// answering the user. The second result is false for any other name.
func controlName(t []string) (Verdict, bool) {
	if reason := controlReason(t); reason != "" {
		return controlVerdict(LayerName, reason), true
	}
	return Verdict{}, false
}

func controlReason(t []string) string {
	for _, w := range t {
		if isConjunction(w) {
			return ""
		}
	}
	switch first := t[0]; {
	case isThinkingName(t):
		return "thinking changes nothing"
	case isArithmeticName(t):
		return "arithmetic changes nothing"
	case isHandoverName(t):
		return "transfers the user to a person"
	case isDialogueName(t):
		return "talks with the user"
	case finishesRun(first, t[1:]):
		return "ends or suspends the run"
	}
	return ""
}

// controlsAnywhere reports whether a control name has the same meaning in the namespace
// of any server. For example, stop has another meaning on the server of a robot.
func controlsAnywhere(t []string) bool {
	return isListed(t[0], anywhereList) || isThinkingName(t) || isArithmeticName(t) || containsString(t, "human")
}

func isThinkingName(t []string) bool {
	for _, w := range t {
		if c := wordClass(verbStem(w)); c.has(write) && (!c.has(noun) || w == t[min(1, len(t)-1)]) || wordClass(w).has(write|weak) {
			return false
		}
	}
	switch t[0] {
	case "think", "thinking", "thought", "ponder", "reflect", "reason", "brainstorm",
		"contemplate", "deliberate", "ruminate", "introspection", "reflection", "scratchpad":
		return true
	}
	last := t[len(t)-1]
	return last == "thinking" || last == "think" || last == "thought" || strings.HasSuffix(last, "thinking")
}

func isArithmeticName(t []string) bool {
	switch t[0] {
	case "calculate", "calculator", "calc", "arithmetic", "math", "maths", "logarithm", "mean",
		"median", "variance", "factorial", "sum", "average":
	case "convert":
		return len(t) > 1 && allOf(t[1:], isQuantityWord)
	case "to": // to_celsius, but not to_height, which may move a desk
		return len(t) == 2 && wordlist.Contains(unitList, t[1])
	default:
		return len(t) > 1 && t[len(t)-1] == "conversion" && allOf(t[:len(t)-1], isQuantityWord)
	}
	for k, w := range t[1:] {
		if c := wordClass(w); c.has(write) && (!c.has(noun) || t[0] != "calculate" && k == len(t)-2) || w == "down" || w == "up" {
			return false
		}
	}
	switch last := t[len(t)-1]; last {
	case "update", "reset", "run", "transfer":
		return false
	}
	return true
}

// unitList has units of measurement that are no quantity that a device could be set to.
const unitList = " celsius fahrenheit kelvin kilometer kilometre meter metre centimeter centimetre millimeter millimetre inch mile yard kilogram gram milligram ounce pound liter litre milliliter millilitre gallon "

// isQuantityWord reports whether a word means a measured quantity. The conversion of a
// quantity changes nothing.
func isQuantityWord(w string) bool {
	return isListed(w, quantityList)
}

// HandsOver reports whether a tool's name means that a person takes over the conversation.
func HandsOver(name string) bool {
	parts := splitSegments(name)
	return len(parts) > 0 && isHandoverName(parts[len(parts)-1])
}

// Answers reports whether a tool's name means that the agent answers its user or ends its run.
func Answers(name string) bool {
	parts := splitSegments(name)
	if len(parts) == 0 {
		return false
	}
	t := parts[len(parts)-1]
	return isDialogueName(t) || finishesRun(t[0], t[1:])
}

// isHandoverName reports whether a name means that a person takes over the conversation,
// such as transfer_to_human or escalate. After the verb, the name may contain only a
// person, words for the conversation or for help, and filler words.
func isHandoverName(t []string) bool {
	i := 1
	switch t[0] {
	case "transfer", "connect", "forward", "redirect", "route":
		if !aimsAtPerson(t) {
			return false
		}
	case "escalate", "handoff", "handover":
	case "hand":
		if len(t) > 1 && (t[1] == "off" || t[1] == "over") {
			i = 2
			break
		}
		return false
	case "request", "call", "contact", "get", "summon", "need":
		return len(t) > 1 && t[1] == "human" && allOf(t[2:], isHelpingWord)
	default:
		if isPersonWord(t[0]) && len(t) > 1 {
			return t[1] == "handoff" || t[1] == "handover" || t[1] == "escalation" || t[1] == "transfer"
		}
		return false
	}
	if i == len(t) {
		return true // escalate, hand_off
	}
	met := false
	for ; i < len(t); i++ {
		switch {
		case isPersonWord(t[i]):
			met = true
		case !isGlueWord(t[i]) && !isConversationWord(t[i]) && !(met && isHelpingWord(t[i])):
			return false
		}
	}
	return met
}

// aimsAtPerson reports whether a word after the verb makes a person the target of the
// transfer. In transfer_to_agent, this word is "to". There is no such word in
// transfer_agent, because the agent is the thing that is transferred.
func aimsAtPerson(t []string) bool {
	for _, w := range t[1:] {
		switch w {
		case "to", "with", "human", "live", "representative":
			return true
		}
	}
	return false
}

func isConversationWord(w string) bool {
	return isListed(w, conversationList)
}

func isHelpingWord(w string) bool {
	return isListed(w, helpingList)
}

// isDialogueName reports whether a name means asking or answering the agent's own user. A
// message to anybody else, such as reply_to_email, does not count.
func isDialogueName(t []string) bool {
	rest := t[1:]
	switch t[0] {
	case "ask":
		return allOf(rest, func(w string) bool {
			return isAddresseeWord(w) || isGlueWord(w) || w == "question" || w == "questions" || w == "followup" ||
				w == "follow" || w == "up" || w == "clarifying" || w == "clarification" ||
				w == "input" || w == "confirmation" || w == "permission"
		})
	case "respond", "reply", "answer", "say", "speak", "talk", "tell":
		// A customer or client may be a third person, to whom the tool writes.
		return allOf(rest, func(w string) bool { return w == "user" || w == "human" || isGlueWord(w) || w == "question" })
	case "final":
		return len(rest) == 1 && (rest[0] == "answer" || rest[0] == "response" || rest[0] == "result")
	case "submit", "give", "provide", "return":
		if t[0] == "return" && len(rest) == 1 && oneOf(rest[0], "result results") {
			return true
		}
		return len(rest) > 0 && rest[len(rest)-1] == "answer" && allOf(rest[:len(rest)-1], isGlueWord)
	case "request":
		return len(rest) > 1 && (rest[0] == "user" || rest[0] == "customer") &&
			(rest[1] == "input" || rest[1] == "confirmation" || rest[1] == "clarification")
	case "report":
		return len(rest) == 1 && (rest[0] == "infeasible" || rest[0] == "impossible")
	case "send":
		return len(rest) == 3 && (rest[0] == "message" || rest[0] == "msg") && rest[1] == "to" && rest[2] == "user"
	}
	return false
}

// finishesRun reports whether a name means that the agent ends its own run or waits. A
// name with another object, such as stop_server, does not count.
func finishesRun(first string, rest []string) bool {
	switch first {
	case "fail", "finish", "finished", "done", "terminate", "stop", "end", "complete", "completed", "conclude", "exit", "quit":
		if first == "end" || first == "complete" {
			return len(rest) > 0 && allOf(rest, ownRun)
		}
		return allOf(rest, ownRun) && (len(rest) == 0 || !isGlueWord(rest[len(rest)-1]))
	case "task", "conversation":
		return len(rest) == 1 && (rest[0] == "complete" || rest[0] == "completed" || rest[0] == "done" || rest[0] == "finished")
	case "no":
		return len(rest) == 1 && (rest[0] == "op" || rest[0] == "operation")
	case "do":
		return len(rest) == 1 && rest[0] == "nothing"
	case "noop", "nop", "pass", "idle":
		return len(rest) == 0
	case "wait", "sleep":
		return (len(rest) == 0 || rest[len(rest)-1] != "for") && allOf(rest, func(w string) bool {
			return w == "seconds" || w == "ms" || w == "time" || w == "milliseconds" || w == "a" || w == "moment" ||
				w == "for" || w == "user" || w == "input" || w == "minutes"
		})
	}
	return false
}

func ownRun(w string) bool {
	return isListed(w, ownRunList)
}

func allOf(t []string, ok func(string) bool) bool {
	for _, w := range t {
		if !ok(w) {
			return false
		}
	}
	return true
}

// isPersonWord reports whether a word means a person who can take over.
func isPersonWord(w string) bool {
	return isListed(w, personList)
}

// isAddresseeWord reports whether a word means the person with whom the agent is talking.
func isAddresseeWord(w string) bool {
	switch w {
	case "user", "customer", "human", "client", "caller", "person":
		return true
	}
	return false
}

// isGlueWord reports whether a word between a verb and its object has no meaning of its
// own.
func isGlueWord(w string) bool {
	return isListed(w, glueList)
}
