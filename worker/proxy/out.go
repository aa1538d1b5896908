package proxy

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/worker/proxy/values"
)

// out writes one answer to the client: as a stream, or whole at the end.
type out struct {
	w       http.ResponseWriter
	control *http.ResponseController
	stream  bool
	usage   bool
	started bool            // the status has been sent
	content strings.Builder // text that the person has received so far
	first   *reply          // the reply with the id and model of all chunks
	apart   bool            // a gap must precede the text of this turn
	open    bool            // the last event of the model was not closed
	broken  error           // set when the client has disconnected
	said    bool            // the gate's own text was sent completely
	earlier bool            // there was an earlier turn of the model that the client does not see

	spent    spending        // usage for this answer, except for the turn that the client receives
	gathered strings.Builder // collects events that arrived in one piece, to send them in one piece
}

// writeWithin is the time limit of one write, because a client may stop reading.
const writeWithin = 30 * time.Second

func (o *out) setHeader(name, value string) { o.w.Header().Set(name, value) }

// sendGathered sends the collected text, followed by the given text, to the client at
// once.
func (o *out) sendGathered(text string) {
	if text = o.gathered.String() + text; o.broken != nil || text == "" {
		return
	}
	o.gathered.Reset()
	if !o.started {
		o.started = true
		o.setHeader("Content-Type", "text/event-stream; charset=utf-8")
		o.setHeader("Cache-Control", "no-cache")
		o.setHeader("X-Accel-Buffering", "no") // otherwise some proxies buffer a stream
		o.w.WriteHeader(200)
	}
	o.control.SetWriteDeadline(time.Now().Add(writeWithin))
	if _, o.broken = o.w.Write([]byte(text)); o.broken == nil {
		if err := o.control.Flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
			o.broken = err
		}
	}
}

// gatherEvent adds an event of the model's turn r to the text that the next write sends.
// The parameter later is true if r is a later turn of the same answer. The events of a
// later turn get the id of the first turn.
func (o *out) gatherEvent(e *event, r *reply, later bool) {
	if o.first == nil {
		o.first = &reply{}
	}
	if o.first.id == "" {
		*o.first = reply{id: r.id, model: r.model, created: r.created}
	}
	o.open = e.open
	if !later {
		o.content.WriteString(e.said)
		o.gathered.WriteString(o.accountEvent(e))
		return
	}
	if e.said != "" && !o.apart {
		if o.apart = true; o.content.Len() > 0 {
			o.content.WriteString(gap)
			o.gathered.WriteString(o.first.newChunk(`{"content":`+jsonval.Quoted(gap)+`}`, ""))
		}
	}
	o.content.WriteString(e.said)
	text := o.renameEvent(e)
	o.open = e.open && text == string(e.raw)
	o.gathered.WriteString(text)
}

// accountEvent returns the text of an event of the first turn. Only its usage is changed
// (see accountUsage).
func (o *out) accountEvent(e *event) string {
	if o.spent == "" {
		return string(e.raw)
	}
	data := o.accountUsage(e.data)
	if data == e.data {
		return string(e.raw)
	}
	o.open = false
	return frameEvent(data)
}

func (o *out) renameEvent(e *event) string {
	v, err := jsonval.Parse(e.data)
	if err != nil || v.Kind() != jsonval.Object {
		return string(e.raw)
	}
	data := e.data
	if id := v.Get("id"); id.Exists() && o.first.id != "" {
		at := id.Offset()
		data = data[:at] + o.first.id + data[at+len(id.Raw()):]
	}
	return frameEvent(o.accountUsage(data))
}

// frameEvent returns the event for a JSON text. Each newline in the text becomes a space.
func frameEvent(data string) string {
	return "data: " + strings.ReplaceAll(strings.TrimSpace(data), "\n", " ") + "\n\n"
}

// sendWhole sends an answer that is not streamed.
func (o *out) sendWhole(body string) {
	o.started = true
	o.setHeader("Content-Type", "application/json")
	o.setHeader("Content-Length", strconv.Itoa(len(body)))
	o.w.WriteHeader(200)
	_, o.broken = o.w.Write([]byte(body))
}

// sendProblem ends the answer with an error. If a stream has begun, the error is its last
// event.
func (o *out) sendProblem(p *problem) {
	if !o.started {
		p.sendResponse(o.w)
		return
	}
	if o.stream {
		if o.open {
			o.sendGathered(gap)
		}
		o.sendGathered(frameEvent(string(p.jsonBody())))
	}
}

// endWithText ends the answer with a text of the gate in place of the calls. The text
// comes after the text that was already sent. The list tail contains the model's events
// that were held back.
func (o *out) endWithText(r *reply, text, finish string, tail []event) {
	if !o.stream {
		o.sendWhole(o.accountUsage(r.textAnswer(joinContent(r.shown, text), finish)))
		o.said = o.broken == nil
		return
	}
	if o.first != nil && o.first.id != "" {
		r = o.first
	}
	delta := `{"role":"assistant","content":` + jsonval.Quoted(text) + `}`
	if o.content.Len() > 0 {
		delta = `{"content":` + jsonval.Quoted(gap+text) + `}`
	}
	o.sendGathered(r.newChunk(delta, "") + r.newChunk("", finish) + o.closingEvents(r, tail))
	o.said = o.broken == nil
}

// gap separates the model's text from the gate's.
const gap = "\n\n"

// joinContent returns the content that the client will store for a turn. This is the
// model's content and the gate's text, with a gap between them. An empty content is
// omitted.
func joinContent(content, text string) string {
	if content == "" {
		return text
	}
	return content + gap + text
}

// endWithCalls ends the answer with calls that the gate has stored, without asking the
// model. content is the model's text before them; a stream has sent it already.
func (o *out) endWithCalls(r *reply, content string, calls []call) {
	if !o.stream {
		o.sendWhole(r.objectHead("chat.completion") + `"choices":[{"index":0,"message":` + messageOf(content, calls) +
			`,"logprobs":null,"finish_reason":` + strconv.Quote(finishOf(calls)) + `}],"usage":{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}}`)
		return
	}
	text := r.newChunk(messageDelta(calls), "") + r.newChunk("", finishOf(calls))
	if o.usage {
		text += "data: " + r.objectHead("chat.completion.chunk") + `"choices":[],"usage":{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}}` + "\n\n"
	}
	o.sendGathered(text + done)
}

const done = "data: [DONE]\n\n"

// closingEvents returns the end of a stream of r: the usage that the events in tail told
// last, and the closing mark. Some servers tell it together with the finish reason, and so
// does the translation of other APIs; then it gets a chunk without choices.
func (o *out) closingEvents(r *reply, tail []event) string {
	text := ""
	for _, e := range tail {
		v, err := jsonval.Parse(e.data)
		if u := v.Get("usage"); err == nil && values.Has(u) {
			data := e.data
			if v.Get("choices").Len() > 0 {
				data = r.objectHead("chat.completion.chunk") + `"choices":[],"usage":` + u.Raw() + "}"
			}
			text = frameEvent(o.accountUsage(data))
		}
	}
	return text + done
}
