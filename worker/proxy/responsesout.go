package proxy

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/worker/proxy/responses"
)

// responder is an http.ResponseWriter that converts the proxy's chat completion to the
// form of the Responses API, whole or as events. Errors pass unchanged, because both
// APIs use the same form.
type responder struct {
	http.ResponseWriter
	request jsonval.Value
	stream  bool
	status  int

	events splitter
	made   assembler // what was streamed so far
	number int       // number of events written
	begun  bool
	words  string // text of the open message
	output []string
	over   bool
	kept   *keeping
}

func newResponder(w http.ResponseWriter, stream bool, kept *keeping) *responder {
	return &responder{ResponseWriter: w, request: kept.Sent, stream: stream, events: splitter{limit: maxEvent}, kept: kept}
}

// WriteHeader sends the status of an answer at once. There is one exception: the status
// 200 of an answer that is not a stream is sent later, together with the translated
// answer.
func (r *responder) WriteHeader(status int) {
	if r.status = status; status == 200 && !r.stream {
		return
	}
	r.ResponseWriter.WriteHeader(status)
}

// Write translates an answer. If the answer is not a stream, a single call of Write must
// contain all of it.
func (r *responder) Write(b []byte) (int, error) {
	text := string(b)
	switch {
	case r.status != 200:
	case r.stream:
		text = r.translateEvents(b)
	default:
		text = r.convertAnswer(text)
		r.Header().Set("Content-Length", strconv.Itoa(len(text)))
		r.ResponseWriter.WriteHeader(200)
	}
	if text == "" {
		return len(b), nil
	}
	if _, err := r.ResponseWriter.Write([]byte(text)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// convertAnswer converts a chat completion to a response.
func (r *responder) convertAnswer(body string) string {
	answer, err := readReply(body)
	v, _ := jsonval.Parse(body)
	if err != nil {
		return string((&problem{kind: serverSide, code: "upstream_invalid", message: "the answer cannot be translated: " + err.Error()}).jsonBody())
	}
	if refusal, ok := v.Get("choices").Elements()[0].At("message", "refusal").Str(); ok && refusal != "" {
		r.output = append(r.output, r.newItem("message", `"role":"assistant","content":[{"type":"refusal","refusal":`+jsonval.Quoted(refusal)+`}]`))
	}
	if answer.content != "" {
		r.output = append(r.output, r.messageItem(answer.content))
	}
	for i := range answer.calls {
		if answer.calls[i].Kind != kindText {
			r.output = append(r.output, r.toolCallItem(&answer.calls[i]))
		}
	}
	return r.responseObject(&answer, statusOf(answer.finish))
}

// statusOf returns a response's status for a turn's finish reason.
func statusOf(finish string) string {
	if isCompleteFinish(finish) || finish == "" {
		return "completed"
	}
	return "incomplete"
}

// itemID returns the id of the next item.
func (r *responder) itemID(kind string) string {
	return responses.ItemID(kind, len(r.output), r.kept.id)
}

// newItem returns one item of the output.
func (r *responder) newItem(kind, members string) string {
	return `{"id":"` + r.itemID(kind) + `","type":"` + kind + `","status":"completed",` + members + `}`
}

func textPart(text string) string {
	return `{"type":"output_text","text":` + jsonval.Quoted(text) + `,"annotations":[],"logprobs":[]}`
}

func (r *responder) messageItem(text string) string {
	return r.newItem("message", `"role":"assistant","content":[`+textPart(text)+`]`)
}

func (r *responder) toolCallItem(c *call) string {
	head := `"call_id":` + jsonval.Quoted(c.ID) + `,"name":` + jsonval.Quoted(c.Name)
	if c.Kind == kindCustom {
		return r.newItem("custom_tool_call", head+`,"input":`+jsonval.Quoted(c.Text))
	}
	return r.newItem("function_call", head+`,"arguments":`+jsonval.Quoted(c.Text))
}

// responseObject returns the response object, which describes the whole answer.
func (r *responder) responseObject(a *reply, status string) string {
	id, stored := r.kept.id, r.kept.id != ""
	switch {
	case stored && status != "in_progress": // before the client can continue it
		stored = r.kept.keep(r.output)
	case !stored:
		if id = "resp_" + strings.Trim(a.id, `"`); id == "resp_" {
			id += "boundcheck"
		}
	}
	or := func(v jsonval.Value, other string) string {
		if v.Exists() {
			return v.Raw()
		}
		return other
	}
	raw := func(s, other string) string {
		if s == "" {
			return other
		}
		return s
	}
	details := "null"
	if status == "incomplete" {
		reason := "max_output_tokens"
		if a.finish == "content_filter" {
			reason = a.finish
		}
		details = `{"reason":"` + reason + `"}`
	}
	q := r.request
	return `{"id":` + jsonval.Quoted(id) + `,"object":"response","created_at":` + raw(a.created, "0") + `,"status":"` + status + `","error":null,"incomplete_details":` + details +
		`,"instructions":` + or(q.Get("instructions"), "null") + `,"max_output_tokens":` + or(q.Get("max_output_tokens"), "null") + `,"model":` + raw(a.model, or(q.Get("model"), `""`)) +
		`,"output":[` + strings.Join(r.output, ",") + `],"parallel_tool_calls":` + or(q.Get("parallel_tool_calls"), "true") + `,"previous_response_id":` + or(q.Get("previous_response_id"), "null") + `,"reasoning":{"effort":null,"summary":null},"store":` + strconv.FormatBool(stored) +
		`,"temperature":` + or(q.Get("temperature"), "null") + `,"text":` + or(q.Get("text"), `{"format":{"type":"text"}}`) + `,"tool_choice":` + or(q.Get("tool_choice"), `"auto"`) +
		`,"tools":` + or(q.Get("tools"), "[]") + `,"top_p":` + or(q.Get("top_p"), "null") + `,"truncation":"disabled","usage":` + usageOf(a.usage) + `,"user":null,"metadata":` + or(q.Get("metadata"), "{}") + `}`
}

// usageOf converts the usage to the members of the Responses API.
func usageOf(usage string) string {
	v, err := jsonval.Parse(usage)
	if err != nil || v.Kind() != jsonval.Object {
		return "null"
	}
	number := func(names ...string) string {
		if n, ok := v.At(names...).Int(); ok {
			return strconv.FormatInt(n, 10)
		}
		return "0"
	}
	return `{"input_tokens":` + number("prompt_tokens") + `,"input_tokens_details":{"cached_tokens":` + number("prompt_tokens_details", "cached_tokens") +
		`},"output_tokens":` + number("completion_tokens") + `,"output_tokens_details":{"reasoning_tokens":` + number("completion_tokens_details", "reasoning_tokens") +
		`},"total_tokens":` + number("total_tokens") + `}`
}

// translateEvents converts events of a chat completion to events of the Responses API.
func (r *responder) translateEvents(b []byte) string {
	var out strings.Builder
	events, err := r.events.feed(b, false)
	if err != nil {
		r.failStream(&out, err.Error())
	}
	for i := range events {
		e := &events[i]
		if strings.TrimSpace(e.data) == "" {
			out.Write(e.raw) // a comment
			continue
		}
		if r.over {
			continue
		}
		if _, err := r.made.addEvent(e.data); err != nil {
			r.failStream(&out, errorText(e.data, err))
			continue
		}
		r.beginResponse(&out)
		r.writePiece(&out, r.made.piece+refusalIn(e.data))
		if r.made.done {
			r.finishResponse(&out)
		}
	}
	return out.String()
}

// refusalIn returns the piece of a refusal in a chunk of a chat completion.
func refusalIn(data string) (text string) {
	v, err := jsonval.Parse(data)
	if err != nil {
		return ""
	}
	for _, c := range v.Get("choices").Elements() {
		s, _ := c.At("delta", "refusal").Str()
		text += s
	}
	return text
}

// errorText returns the message of an error in a stream.
func errorText(data string, err error) string {
	if v, parsed := jsonval.Parse(data); parsed == nil {
		if s, ok := v.At("error", "message").Str(); ok {
			return s
		}
	}
	return err.Error()
}

func (r *responder) writeEvent(out *strings.Builder, kind, members string) {
	out.WriteString("event: " + kind + "\ndata: {\"type\":\"" + kind + "\",\"sequence_number\":" + strconv.Itoa(r.number) + "," + members + "}\n\n")
	r.number++
}

func (r *responder) beginResponse(out *strings.Builder) {
	if r.begun {
		return
	}
	r.begun = true
	about := `"response":` + r.responseObject(&r.made.reply, "in_progress")
	r.writeEvent(out, "response.created", about)
	r.writeEvent(out, "response.in_progress", about)
}

// itemPlace returns the members that say to which item of the output an event belongs.
func (r *responder) itemPlace(id string) string {
	return `"item_id":"` + id + `","output_index":` + strconv.Itoa(len(r.output))
}

func (r *responder) messageID() string { return r.itemID("message") }

// writePiece writes a piece of the message.
func (r *responder) writePiece(out *strings.Builder, piece string) {
	if piece == "" {
		return
	}
	at := r.itemPlace(r.messageID()) + `,"content_index":0`
	if r.words == "" {
		r.writeEvent(out, "response.output_item.added", `"output_index":`+strconv.Itoa(len(r.output))+`,"item":{"id":"`+r.messageID()+`","type":"message","status":"in_progress","role":"assistant","content":[]}`)
		r.writeEvent(out, "response.content_part.added", at+`,"part":`+textPart(""))
	}
	r.words += piece
	r.writeEvent(out, "response.output_text.delta", at+`,"delta":`+jsonval.Quoted(piece)+`,"logprobs":[]`)
}

// finishResponse ends the message, and writes the calls and the whole response.
func (r *responder) finishResponse(out *strings.Builder) {
	r.over = true
	answer, err := r.made.wholeReply()
	if err != nil {
		r.failStream(out, err.Error())
		return
	}
	if r.words != "" {
		at := r.itemPlace(r.messageID()) + `,"content_index":0`
		r.writeEvent(out, "response.output_text.done", at+`,"text":`+jsonval.Quoted(r.words)+`,"logprobs":[]`)
		r.writeEvent(out, "response.content_part.done", at+`,"part":`+textPart(r.words))
		r.endItem(out, r.messageItem(r.words))
	}
	for i := range answer.calls {
		if c := &answer.calls[i]; c.Kind != kindText {
			r.streamCall(out, c)
		}
	}
	status := statusOf(answer.finish)
	r.writeEvent(out, "response."+status, `"response":`+r.responseObject(&answer, status))
}

// streamCall writes the events of one call. The first event adds the empty call, the next
// events have its text, and the last event ends it.
func (r *responder) streamCall(out *strings.Builder, c *call) {
	empty := *c
	empty.Text = ""
	item, at := r.toolCallItem(c), strconv.Itoa(len(r.output))
	kind, member, id := "response.function_call_arguments", "arguments", r.itemID("function_call")
	if c.Kind == kindCustom {
		kind, member, id = "response.custom_tool_call_input", "input", r.itemID("custom_tool_call")
	}
	r.writeEvent(out, "response.output_item.added", `"output_index":`+at+`,"item":`+strings.Replace(r.toolCallItem(&empty), `"completed"`, `"in_progress"`, 1))
	r.writeEvent(out, kind+".delta", r.itemPlace(id)+`,"delta":`+jsonval.Quoted(c.Text))
	r.writeEvent(out, kind+".done", r.itemPlace(id)+`,"name":`+jsonval.Quoted(c.Name)+`,"`+member+`":`+jsonval.Quoted(c.Text))
	r.endItem(out, item)
}

// endItem ends an item and adds it to the output.
func (r *responder) endItem(out *strings.Builder, item string) {
	r.writeEvent(out, "response.output_item.done", `"output_index":`+strconv.Itoa(len(r.output))+`,"item":`+item)
	r.output = append(r.output, item)
}

// failStream ends a stream with an error, without a completed response.
func (r *responder) failStream(out *strings.Builder, message string) {
	r.over = true
	r.writeEvent(out, "error", `"code":"server_error","message":`+jsonval.Quoted(message)+`,"param":null`)
}
