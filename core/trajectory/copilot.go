package trajectory

import "strings"

func isCopilot(o *object) bool {
	kind := o.firstString("type")
	return o.isObject("data") && (strings.HasPrefix(kind, "tool.execution_") || kind == "assistant.message" && o.openMember("data").isList("toolRequests"))
}

// decodeCopilot reads the events of the Copilot CLI. A call may be in a model's message,
// in an event of its own, or in both. It is read from the first place in which it occurs.
func decodeCopilot(d *decoder, in batch) {
	r := d.newRun()
	for _, v := range in.values {
		o := openObject(v)
		data := o.openMember("data")
		switch kind := o.firstString("type"); kind {
		case "session.start":
			r.t.ID, r.t.Model = data.firstText("sessionId"), data.firstString("model selectedModel")
		case "user.message", "assistant.message", "system.message":
			r.beginTurn(strings.TrimSuffix(kind, ".message"))
			if s := data.firstText("content text"); s != "" {
				r.addText(s)
			}
			for _, c := range data.firstList("toolRequests") {
				if !r.seen[c.Get("toolCallId").Text()] {
					r.toolCall(c)
				}
			}
		case "tool.execution_start":
			if r.seen[data.firstText("toolCallId")] {
				break
			}
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
