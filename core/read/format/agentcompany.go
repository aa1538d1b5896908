package format

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// isAgentCompany reports whether an object is a condensed event log. In such a log, only
// the messages of the events describe the actions and results.
func isAgentCompany(o *shape.Object) bool {
	return o.HasAny("task score checkpoints") && engine.InFirst(o, "events", func(e *shape.Object) bool { return e.IsText("kind") && e.IsText("message") })
}

func decodeAgentCompany(d *engine.Decoder, in engine.Batch) {
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		r := d.NewRun()
		r.Trajectory.Task = o.FirstText("task")
		readCheckpoints(&r.Trajectory, o.OpenMember("score"), o.FirstText("checkpoints_md"))
		final := o.OpenMember("score").OpenMember("final_score")
		if result, ok := final.Get("result").Float(); ok {
			if total, ok := final.Get("total").Float(); ok && total > 0 {
				share := result / total
				success := result >= total
				r.Trajectory.Reward, r.Trajectory.Success = &share, &success
			}
		}
		if b, ok := o.Get("success").Bool(); ok {
			r.Trajectory.Success = &b
		}
		if s := o.FirstText("task_md"); s != "" {
			r.AddMessage("user", s)
		}
		for _, e := range o.FirstList("events") {
			companyEvent(r, shape.OpenObject(e))
		}
		r.AddToDocument()
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

func companyEvent(r *engine.Run, o *shape.Object) {
	message := o.FirstText("message")
	switch kind := o.FirstString("kind"); {
	case kind == "observation", strings.HasPrefix(message, pythonRan), strings.HasPrefix(message, thought), strings.HasPrefix(message, "ERROR:"):
		r.AttachResult("", "", shape.NewObservation(message, exitMessage(message)), o.Value)
	case kind == "run":
		addCompanyCall(r, o, engine.Call{Name: kind, Arguments: literal.Object("command", messageTail(message, commandRun))})
	case kind == "read":
		addCompanyCall(r, o, engine.Call{Name: kind, Arguments: literal.Object("path", messageTail(message, fileRead))}).Unrecorded = true // which lines
	case kind == "edit": // the action before it was logged without a message
		addCompanyCall(r, o, engine.Call{Name: kind, Arguments: literal.Object("path", strings.TrimSuffix(messageTail(message, fileEdited), "."))}).Unrecorded = true // what was put there
		r.AttachResult("", "", trajectory.Observation{Text: message}, o.Value)
	case strings.HasPrefix(message, pythonRun):
		addCompanyCall(r, o, engine.Call{Name: "run_ipython", Arguments: literal.Object("code", messageTail(message, pythonRun))})
	case strings.HasPrefix(message, thinks):
		addCompanyCall(r, o, engine.Call{Name: "think", Arguments: literal.Object("thought", messageTail(message, thinks))})
	case strings.HasPrefix(message, browses):
		addCompanyCall(r, o, engine.Call{Name: kind, Text: strings.TrimSpace(strings.Trim(messageTail(message, browses), "`\n "))})
	case message != "":
		r.AddMessage("assistant", message)
	}
}

func messageTail(message, prefix string) string {
	return strings.TrimSpace(strings.TrimPrefix(message, prefix))
}

// addCompanyCall adds a call to a new turn. The event's content becomes the agent's text.
func addCompanyCall(r *engine.Run, o *shape.Object, c engine.Call) *trajectory.Action {
	c.At = o.Value
	r.BeginTurn("assistant")
	if s := o.FirstText("content"); s != "" {
		r.AddText(s)
	}
	i := r.AddCall(c)
	a := &r.Trajectory.Actions[i]
	r.Trajectory.Messages[a.Message].Unsaid = true
	return a
}

// exitMessage returns the flag for the exit code in a message such as "Command `…`
// executed with exit code N.". It returns unsaid if the message has no exit code.
func exitMessage(message string) shape.Flag {
	const phrase = "executed with exit code "
	i := strings.LastIndex(message, phrase)
	if i < 0 {
		return shape.Unsaid
	}
	code, err := jsonval.Parse(strings.TrimSuffix(strings.TrimSpace(message[i+len(phrase):]), "."))
	if err != nil {
		return shape.Unsaid
	}
	return shape.ExitFlag(code)
}
