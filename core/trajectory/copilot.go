package trajectory

import "strings"

func isCopilot(o *object) bool {
	return o.isObject("data") && strings.HasPrefix(o.firstString("type"), "tool.execution_")
}

// decodeCopilot reads the events of the Copilot CLI. It skips the lists of calls in the
// model's messages, because each executed call has an event of its own.
func decodeCopilot(d *decoder, in batch) {
	r := d.newRun()
	for _, v := range in.values {
		o := openObject(v)
		data := o.openMember("data")
		switch kind := o.firstString("type"); kind {
		case "session.start":
			r.t.ID, r.t.Model = data.firstText("sessionId"), data.firstString("model selectedModel")
		case "user.message", "assistant.message":
			if s := data.firstText("content text"); s != "" {
				r.addMessage(strings.TrimSuffix(kind, ".message"), s)
			}
		case "tool.execution_start":
			if r.role != "assistant" {
				r.beginTurn("assistant")
			}
			r.addCall(call{id: data.firstText("toolCallId"), name: data.firstText("toolName name"), arguments: data.get("arguments"), at: v})
		case "tool.execution_complete":
			result := data.firstNonNull("result output")
			text := contentText(result)
			if content := result.Get("content"); content.Exists() {
				text = contentText(content)
			}
			if text == "" {
				text = errorWords(data.get("error"))
			}
			r.attachResult(data.firstText("toolCallId"), data.firstText("toolName"), newObservation(text, strictestFlag(successFlag(data.get("success")), errorFlag(data.get("error")), exitFlag(data.openMember("shellExecution").get("exitCode")))), v)
		}
	}
	r.addToDocument()
}
