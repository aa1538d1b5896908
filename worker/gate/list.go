package gate

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// A list has pageSize proposals unless the request sets another number, and never more
// than maxPage.
const (
	pageSize = 100
	maxPage  = 200
)

// handleList answers with a page of the waiting proposals, oldest first. An approver gets
// the proposals of the whole tenant, and an agent gets its own. With ?digest= and
// ?session=, the answer has only the sender's own open proposals of exactly this call.
func (g *Gate) handleList(_ http.ResponseWriter, q *request) reply {
	ctx, cancel := context.WithTimeout(q.Context(), patience)
	defer cancel()
	query := q.URL.Query()
	if digest := query.Get("digest"); digest != "" {
		all, err := g.Store.Open(ctx, q.who.Tenant, q.who.Name, query.Get("session"), digest)
		if err != nil {
			return storeErrorReply(err)
		}
		return g.pageOf(ctx, all, "")
	}
	limit := pageSize
	if text := query.Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > maxPage {
			return errorReply(400, wire.CodeInput, fmt.Sprintf("invalid limit: want 1 to %d, saw %.20q", maxPage, text))
		}
		limit = n
	}
	after, err := store.ReadPlace(query.Get("after"))
	if err != nil {
		return errorReply(400, wire.CodeInput, err.Error())
	}
	principal := ""
	if q.who.Role == machine.Agent {
		principal = q.who.Name
	}
	all, err := g.Store.Page(ctx, q.who.Tenant, principal, after, limit+1)
	if err != nil {
		return storeErrorReply(err)
	}
	next := ""
	if len(all) > limit {
		all = all[:limit]
		next = store.PlaceOf(&all[limit-1]).String()
	}
	return g.pageOf(ctx, all, next)
}

// pageOf returns the answer with a page of proposals, without those whose time has run
// out. The parameter next is the value that requests the next page, or "" for the last
// page.
func (g *Gate) pageOf(ctx context.Context, all []machine.Record, next string) reply {
	if err := g.ShowNow(ctx, all); err != nil {
		return storeErrorReply(err)
	}
	items := make([]string, 0, len(all))
	for i := range all {
		if all[i].Ends() > g.Now() {
			items = append(items, strings.TrimSpace(string(g.encodeView(&all[i], nil))))
		}
	}
	more := ""
	if next != "" {
		more = fmt.Sprintf(`,"next":%q`, next)
	}
	return reply{status: 200, body: []byte(`{"pending":[` + strings.Join(items, ",") + "]" + more + "}\n")}
}
