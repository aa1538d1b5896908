package trajectory

import "strings"

func isCopilot(o *object) bool {
	return o.isObject("data") && strings.HasPrefix(o.word("type"), "tool.execution_")
}

// decodeCopilot reads the events of the Copilot CLI. It skips the lists of calls in the
// model's messages, because each executed call has an event of its own.
func decodeCopilot(d *decoder, in batch) {
	r := d.run()
	for _, v := range in.values {
		o := open(v)
		data := o.in("data")
		switch kind := o.word("type"); kind {
		case "session.start":
			r.t.ID, r.t.Model = data.text("sessionId"), data.word("model selectedModel")
		case "user.message", "assistant.message":
			if s := data.text("content text"); s != "" {
				r.message(strings.TrimSuffix(kind, ".message"), s)
			}
		case "tool.execution_start":
			if r.role != "assistant" {
				r.turn("assistant")
			}
			r.call(call{id: data.text("toolCallId"), name: data.text("toolName name"), arguments: data.get("arguments"), at: v})
		case "tool.execution_complete":
			result := data.some("result output")
			text := contentText(result)
			if content := result.Get("content"); content.Exists() {
				text = contentText(content)
			}
			if text == "" {
				text = errorWords(data.get("error"))
			}
			r.answer(data.text("toolCallId"), data.text("toolName"), observe(text, strictest(successFlag(data.get("success")), errorFlag(data.get("error")), exitFlag(data.in("shellExecution").get("exitCode")))), v)
		}
	}
	r.done()
}
