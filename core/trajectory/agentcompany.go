package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// isAgentCompany reports whether an object is a condensed event log. In such a log, only
// the messages of the events describe the actions and results.
func isAgentCompany(o *object) bool {
	return o.any("task score checkpoints") && inFirst(o, "events", func(e *object) bool { return e.isText("kind") && e.isText("message") })
}

func decodeAgentCompany(d *decoder, in batch) {
	for _, v := range in.values {
		o := open(v)
		r := d.run()
		r.t.Task = o.text("task")
		r.t.checkpoints(o.in("score"))
		final := o.in("score").in("final_score")
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
		if s := o.text("task_md"); s != "" {
			r.message("user", s)
		}
		for _, e := range o.list("events") {
			r.companyEvent(open(e))
		}
		r.done()
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
	message := o.text("message")
	switch kind := o.word("kind"); {
	case kind == "observation", strings.HasPrefix(message, pythonRan), strings.HasPrefix(message, thought), strings.HasPrefix(message, "ERROR:"):
		r.answer("", "", observe(message, exitMessage(message)), o.v)
	case kind == "run":
		r.company(o, call{name: kind, arguments: members("command", tail(message, commandRun))})
	case kind == "read":
		r.company(o, call{name: kind, arguments: members("path", tail(message, fileRead))})
	case kind == "edit": // the action before it was logged without a message
		r.company(o, call{name: kind, arguments: members("path", strings.TrimSuffix(tail(message, fileEdited), "."))})
		r.answer("", "", Observation{Text: message}, o.v)
	case strings.HasPrefix(message, pythonRun):
		r.company(o, call{name: "run_ipython", arguments: members("code", tail(message, pythonRun))})
	case strings.HasPrefix(message, thinks):
		r.company(o, call{name: "think", arguments: members("thought", tail(message, thinks))})
	case strings.HasPrefix(message, browses):
		r.company(o, call{name: kind, text: strings.TrimSpace(strings.Trim(tail(message, browses), "`\n "))})
	case message != "":
		r.message("assistant", message)
	}
}

func tail(message, prefix string) string {
	return strings.TrimSpace(strings.TrimPrefix(message, prefix))
}

// company adds a call to a new turn. The event's content becomes the agent's text.
func (r *run) company(o *object, c call) {
	c.at = o.v
	r.turn("assistant")
	if s := o.text("content"); s != "" {
		r.say(s)
	}
	i := r.call(c)
	r.t.Messages[r.t.Actions[i].Message].Unsaid = true
}

// exitMessage reads the exit code from a message such as "Command `…` executed with exit
// code N.".
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
