package gate

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// auditHead answers with the head of the sender's tenant's chain, after adding all new
// audit entries to the chains. The head is signed if SignHead is set.
func (g *Gate) auditHead(_ http.ResponseWriter, q *request) reply {
	ctx, cancel := context.WithTimeout(q.Context(), patience)
	defer cancel()
	if err := g.Store.Seal(ctx); err != nil {
		return storeErrorReply(err)
	}
	h, err := g.Store.Head(ctx, q.who.Tenant, g.Now())
	if err != nil {
		return storeErrorReply(err)
	}
	if g.SignHead != nil {
		g.SignHead(&h)
	}
	return reply{status: 200, body: wire.Marshal(h)}
}

// maxEvents is the largest number of events on a page of the audit.
const maxEvents = 500

// auditEvents answers with one page of the audit chain of the sender's tenant.
func (g *Gate) auditEvents(_ http.ResponseWriter, q *request) reply {
	ctx, cancel := context.WithTimeout(q.Context(), patience)
	defer cancel()
	after := int64(0)
	if text := q.URL.Query().Get("after"); text != "" {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 {
			return errorReply(400, wire.CodeInput, fmt.Sprintf(`the parameter "after" must be the cursor of the last event that you received; got %.20q`, text))
		}
		after = n
	}
	rows, err := g.Store.ChainAfter(ctx, q.who.Tenant, after, maxEvents)
	if err != nil {
		return storeErrorReply(err)
	}
	events, next := make([]store.AuditEvent, len(rows)), after
	for i := range rows {
		if events[i], err = rows[i].Event(); err != nil {
			return storeErrorReply(err)
		}
		next = rows[i].Seq
	}
	return reply{status: 200, body: wire.Marshal(auditPageMessage{events, len(events) == maxEvents, next})}
}
