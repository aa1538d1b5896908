package proxy

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/dialogue"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// writeText asks an auxiliary model for a text and returns it. The usage of this request
// is added to spent.
func (u *Upstream) writeText(ctx context.Context, spent *spending, instruction, text string) (string, error) {
	body := `{"model":` + jsonval.Quoted(u.Model) + `,"temperature":0,"stream":false,"messages":[` +
		textMessage("system", instruction) + "," + textMessage("user", strings.ToValidUTF8(text, "\uFFFD")) + "]}"
	answer, err := u.postWhole(ctx, "/chat/completions", body)
	if err != nil {
		return "", err
	}
	r, err := readReply(answer)
	if err != nil {
		return "", err
	}
	spent.addUsage(r.usage)
	if r.content = strings.TrimSpace(r.content); r.content == "" || len(r.content) > maxWritten {
		return "", errors.New("the auxiliary model wrote nothing, or too much")
	}
	return r.content, nil
}

// maxWritten is the largest size of an auxiliary text in bytes.
const maxWritten = 8 << 10

// postWhole sends a request and reads the whole answer.
func (u *Upstream) postWhole(ctx context.Context, path, body string) (string, error) {
	a, err := u.sendRequest(ctx, "POST", path, body, nil)
	if err != nil {
		return "", err
	}
	defer a.close()
	if a.StatusCode != 200 {
		return "", refusedBy(a)
	}
	text, err := a.readBody()
	return string(text), err
}

// constraintReminder returns the message that reminds the model of the constraints before
// a change. The auxiliary model writes the constraints for each call. If it is missing or
// fails, the message contains the machine's reflection on the call.
func (p *Proxy) constraintReminder(ctx context.Context, q *query, r *reply, plan machine.Plan) string {
	var texts []string
	for i, m := range plan.Members {
		if m.Verdict != proposal.Confirm {
			continue
		}
		text := m.Reflection
		if p.Auxiliary != nil {
			call := r.calls[i].Name + " " + r.calls[i].Text
			key := proposal.Digest("constraints of "+call, p.Gate.Policy().Guidance+"\n"+q.policy)
			distilled, ok := p.memory.cachedText(key)
			if !ok {
				var err error
				if distilled, err = p.Auxiliary.writeText(ctx, q.spent, dialogue.Distil, "Policy:\n"+p.Gate.Policy().Guidance+"\n"+q.policy+"\n\nCall:\n"+call); err == nil {
					p.memory.setText(key, distilled)
				}
			}
			if distilled != "" {
				text = "Stop before " + r.calls[i].Name + ". Constraints that bear on it:\n" + distilled + "\n" + proposal.Ungrounded(plan.Records[i].Sources) + "Call it only when all of them hold. Otherwise look the missing fact up, or ask the user."
			}
		}
		texts = append(texts, text)
	}
	return textMessage("assistant", dialogue.Thought(p.Reflect, strings.Join(texts, "\n\n")))
}

// embedder requests vectors from the embeddings server that are not cached.
type embedder struct {
	p   *Proxy
	ctx context.Context
}

// Embed returns one vector for each text.
func (e embedder) Embed(texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	var missing []int
	var list []string
	for i, t := range texts {
		if v, ok := e.p.memory.cachedVector(t); ok {
			out[i] = v
			continue
		}
		missing, list = append(missing, i), append(list, jsonval.Quoted(strings.ToValidUTF8(t, "\uFFFD")))
	}
	if len(missing) == 0 {
		return out, nil
	}
	u := e.p.Embeddings
	answer, err := u.postWhole(e.ctx, "/embeddings", `{"model":`+jsonval.Quoted(u.Model)+`,"input":[`+strings.Join(list, ",")+`]}`)
	if err != nil {
		return nil, err
	}
	v, err := jsonval.Parse(answer)
	if err != nil {
		return nil, err
	}
	data := v.Get("data").Elements()
	if len(data) != len(missing) {
		return nil, errors.New("the number of vectors differs from the number of texts")
	}
	for n, d := range data {
		at := int64(n)
		if m := d.Get("index"); m.Exists() {
			at, _ = m.Int()
		}
		if at < 0 || at >= int64(len(missing)) {
			return nil, errors.New("the answer has a vector whose index belongs to no text")
		}
		var vector []float32
		for _, x := range d.Get("embedding").Elements() {
			f, ok := x.Float()
			if !ok {
				return nil, errors.New("the answer has a vector with an element that is not a number")
			}
			vector = append(vector, float32(f))
		}
		i := missing[at]
		out[i] = vector
		e.p.memory.setVector(texts[i], vector)
	}
	return out, nil
}

// memory caches texts and vectors. Its zero value is ready for use. When a cache is full,
// all its entries are deleted.
type memory struct {
	mu      sync.Mutex
	texts   map[string]string
	vectors map[string][]float32
}

// remembered is the largest number of entries in each cache.
const remembered = 4096

func (m *memory) cachedText(key string) (string, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, ok := m.texts[key]
	return s, ok
}

func (m *memory) setText(key, s string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.texts == nil || len(m.texts) >= remembered {
		m.texts = map[string]string{}
	}
	m.texts[key] = s
}

func (m *memory) cachedVector(text string) ([]float32, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.vectors[text]
	return v, ok
}

func (m *memory) setVector(text string, v []float32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.vectors == nil || len(m.vectors) >= remembered {
		m.vectors = map[string][]float32{}
	}
	m.vectors[text] = v
}
