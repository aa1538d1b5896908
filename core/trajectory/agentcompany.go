package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// isAgentCompany reports whether an object is a condensed event log. In such a log, only
// the messages of the events describe the actions and results.
func isAgentCompany(o *object) bool {
	return o.hasAny("task score checkpoints") && inFirst(o, "events", func(e *object) bool { return e.isText("kind") && e.isText("message") })
}

func decodeAgentCompany(d *decoder, in batch) {
	for _, v := range in.values {
		o := openObject(v)
		r := d.newRun()
		r.t.Task = o.firstText("task")
		r.t.readCheckpoints(o.openMember("score"))
		final := o.openMember("score").openMember("final_score")
		if result, ok := final.get("result").Float(); ok {
			if total, ok := final.get("total").Float(); ok && total > 0 {
				share := result / total
				success := result >= total
				r.t.Reward, r.t.Success = &share, &success
			}
		}
		if b, ok := o.get("success").Bool(); ok {
			r.t.Success = &b
		}
		if s := o.firstText("task_md"); s != "" {
			r.addMessage("user", s)
		}
		for _, e := range o.firstList("events") {
			r.companyEvent(openObject(e))
		}
		r.addToDocument()
	}
}

// Prefixes of messages that identify an action or a result if the event's kind does not.
const (
	pythonRun  = "Running Python code interactively:"
	pythonRan  = "Code executed in IPython cell"
	thinks     = "I am thinking...:"
	thought    = "Your thought has been logged"
	commandRun = "Running command:"
	fileRead   = "Reading file:"
	fileEdited = "I edited the file "
	browses    = "I am interacting with the browser:"
)

func (r *run) companyEvent(o *object) {
	message := o.firstText("message")
	switch kind := o.firstString("kind"); {
	case kind == "observation", strings.HasPrefix(message, pythonRan), strings.HasPrefix(message, thought), strings.HasPrefix(message, "ERROR:"):
		r.attachResult("", "", newObservation(message, exitMessage(message)), o.v)
	case kind == "run":
		r.addCompanyCall(o, call{name: kind, arguments: objectFromPairs("command", messageTail(message, commandRun))})
	case kind == "read":
		r.addCompanyCall(o, call{name: kind, arguments: objectFromPairs("path", messageTail(message, fileRead))})
	case kind == "edit": // the action before it was logged without a message
		r.addCompanyCall(o, call{name: kind, arguments: objectFromPairs("path", strings.TrimSuffix(messageTail(message, fileEdited), "."))})
		r.attachResult("", "", Observation{Text: message}, o.v)
	case strings.HasPrefix(message, pythonRun):
		r.addCompanyCall(o, call{name: "run_ipython", arguments: objectFromPairs("code", messageTail(message, pythonRun))})
	case strings.HasPrefix(message, thinks):
		r.addCompanyCall(o, call{name: "think", arguments: objectFromPairs("thought", messageTail(message, thinks))})
	case strings.HasPrefix(message, browses):
		r.addCompanyCall(o, call{name: kind, text: strings.TrimSpace(strings.Trim(messageTail(message, browses), "`\n "))})
	case message != "":
		r.addMessage("assistant", message)
	}
}

func messageTail(message, prefix string) string {
	return strings.TrimSpace(strings.TrimPrefix(message, prefix))
}

// addCompanyCall adds a call to a new turn. The event's content becomes the agent's text.
func (r *run) addCompanyCall(o *object, c call) {
	c.at = o.v
	r.beginTurn("assistant")
	if s := o.firstText("content"); s != "" {
		r.addText(s)
	}
	i := r.addCall(c)
	r.t.Messages[r.t.Actions[i].Message].Unsaid = true
}

// exitMessage returns the flag for the exit code in a message such as "Command `…`
// executed with exit code N.". It returns unsaid if the message has no exit code.
func exitMessage(message string) flag {
	const phrase = "executed with exit code "
	i := strings.LastIndex(message, phrase)
	if i < 0 {
		return unsaid
	}
	code, err := jsonval.Parse(strings.TrimSuffix(strings.TrimSpace(message[i+len(phrase):]), "."))
	if err != nil {
		return unsaid
	}
	return exitFlag(code)
}
