package gate

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// rememberedView is a remembered yes in an answer.
type rememberedView struct {
	ID      string `json:"id"`
	Agent   string `json:"agent"`
	Session string `json:"session"`
	Tool    string `json:"tool"`
	Bounds  string `json:"bounds"` // JSON: a digest, or conditions on the arguments
	Rule    string `json:"rule"`   // of the policy that allows it
	By      string `json:"by"`
	Source  string `json:"source"` // id of the call that was approved
	Created string `json:"created"`
	Until   string `json:"until"`
}

// recall sets the remembered decisions that may let the calls of a through. They end when
// their approver has no key any more.
func (g *Gate) recall(ctx context.Context, p *machine.Policy, a *machine.Ask, now int64) (err error) {
	if len(p.Remember) == 0 || a.Session == "" {
		return nil
	}
	a.Remembered, err = g.Store.RememberedIn(ctx, a.By.Tenant, a.By.Name, a.Session, now)
	a.Remembered = slices.DeleteFunc(a.Remembered, func(m machine.Remembered) bool { return !g.stillKeyed(&m) })
	return err
}

// stillRecalled reports whether the remembered yes that let a record through has not ended.
func (g *Gate) stillRecalled(ctx context.Context, r *machine.Record, now int64) (bool, error) {
	all, err := g.Store.RememberedAs(ctx, r.Tenant, r.Why.Recalled.ID, now)
	return len(all) == 1 && g.stillKeyed(&all[0]), err
}

// keyMarks names the keys that an approver has now.
func (g *Gate) keyMarks(tenant, name string) string {
	var marks []string
	for _, k := range g.keys() {
		if k.Role == machine.Approver && k.Tenant == tenant && k.Name == name {
			marks = append(marks, k.mark())
		}
	}
	return strings.Join(marks, " ")
}

// stillKeyed reports whether the approver of a remembered yes still has all keys of that
// time: nobody knows with which of them it was given.
func (g *Gate) stillKeyed(m *machine.Remembered) bool {
	return m.Keys != "" && g.hasKeys(m.Tenant, m.By, m.Keys)
}

// Remember lets the gate remember an approver's yes to calls like an approved one. bounds is
// "" for exactly that call. If the answer's code is not OK, nothing is remembered.
func (g *Gate) Remember(ctx context.Context, by machine.Principal, channel, id, digest, bounds string, until int64) (m machine.Remembered, a machine.Answer, err error) {
	r, err := g.Store.Load(ctx, by.Tenant, id)
	if err != nil {
		return m, a, err
	}
	fresh, err := g.Fresh("y_")
	if err != nil {
		return m, a, err
	}
	m, e, a := machine.Remember(g.Policy(), &r, by, channel, digest, bounds, fresh, until, g.Now())
	if a.Code != machine.OK {
		return m, a, nil
	}
	if m.Keys = g.keyMarks(m.Tenant, m.By); m.Keys == "" {
		return m, machine.Answer{Code: machine.Forbidden, Text: "a remembered yes ends with its approver's key, and you have none"}, nil
	}
	stored, err := g.Store.Remember(ctx, m, r.Digest, e)
	if err == nil && !stored {
		a = machine.Answer{Code: machine.Conflict, Text: "the approval of the call has ended"}
	}
	return m, a, err
}

func viewRemembered(m *machine.Remembered) rememberedView {
	return rememberedView{m.ID, m.Agent, m.Session, m.Tool, m.Bounds, m.Rule, m.By, m.Source, store.Instant(m.Created), store.Instant(m.Until)}
}

// handleRemember handles a request of the form {"id","digest","until","when"?}.
func (g *Gate) handleRemember(_ http.ResponseWriter, q *request) reply {
	f, err := q.readMembers()
	texts := map[string]string{"id": "", "digest": "", "until": ""}
	for name := range texts {
		if err == nil {
			texts[name], err = textMember(f, name)
		}
	}
	until, wrong := time.Parse(time.RFC3339, texts["until"])
	if err == nil && (texts["id"] == "" || texts["digest"] == "" || wrong != nil) {
		err = errors.New(`invalid request: want {"id": of an approved call, "digest": its digest, "until": a time such as "2027-01-31T12:00:00Z", "when"?: conditions on its arguments}`)
	}
	bounds := ""
	if when := f["when"]; err == nil && when.Exists() && when.Kind() != jsonval.Null {
		bounds = `{"when":` + when.Raw() + `}`
	}
	if err != nil {
		return reply{status: 400, body: wire.FailWith(err)}
	}
	ctx, cancel := context.WithTimeout(q.Context(), patience)
	defer cancel()
	m, a, err := g.Remember(ctx, q.who, "api", texts["id"], texts["digest"], bounds, until.UnixMilli())
	switch {
	case err != nil:
		return storeErrorReply(err)
	case a.Code != machine.OK:
		return refusalReply(a)
	}
	return reply{status: 200, body: wire.Marshal(viewRemembered(&m))}
}

func (g *Gate) handleRemembered(_ http.ResponseWriter, q *request) reply {
	return listAfter(q, func(ctx context.Context, after store.Place) (any, error) {
		all, next, err := g.Store.Remembered(ctx, q.who.Tenant, g.Now(), after)
		out := rememberedMessage{Remembered: []rememberedView{}, Next: nextText(next)}
		for i := range all {
			if g.stillKeyed(&all[i]) {
				out.Remembered = append(out.Remembered, viewRemembered(&all[i]))
			}
		}
		return out, err
	})
}

// Forget ends a remembered yes, and reports whether there was one.
func (g *Gate) Forget(ctx context.Context, by machine.Principal, channel, id, reason string) (bool, error) {
	return g.Store.EndRemembered(ctx, by.Tenant, id, machine.ForgetEntry(by.Tenant, id, by, channel, reason, g.Now()))
}

func (g *Gate) handleForget(_ http.ResponseWriter, q *request) reply {
	return g.handleEnd(q, "remembered yes", g.Forget, g.handleRemembered)
}
