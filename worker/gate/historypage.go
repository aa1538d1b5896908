package gate

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/worker/gate/history"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

const historyPath = "/history"

func historyParameters() (all []parameter) {
	for _, n := range history.Names {
		schema := object{"type": "string"}
		switch n[0] {
		case "state":
			schema["enum"] = history.States()
		case "limit":
			schema = object{"type": "integer", "minimum": 1, "maximum": history.MaxPage, "default": history.PageSize}
		}
		all = append(all, parameter{n[0], n[1], schema})
	}
	return all
}

// handleHistory answers with a page of the settled calls that meet the conditions of the
// request, newest first.
func (g *Gate) handleHistory(_ http.ResponseWriter, q *request) reply {
	ctx, cancel := context.WithTimeout(q.Context(), patience)
	defer cancel()
	search, err := history.Read(q.who, q.URL.Query())
	if err != nil {
		return errorReply(400, wire.CodeInput, err.Error())
	}
	list, next, err := g.Store.Search(ctx, search)
	if err != nil {
		return storeErrorReply(err)
	}
	return reply{status: 200, body: wire.Marshal(history.NewPage(list, next, g.Link))}
}

// historyPage shows settled calls, with a form for the conditions.
func (g *Gate) historyPage(v *visit) {
	ctx, cancel := v.limitedContext()
	defer cancel()
	h, conditions := &html{}, v.r.URL.Query()
	h.writeMarkup(`<h1>What was decided</h1>`)
	writeSearchForm(h, v)
	search, err := history.Read(v.who, conditions)
	if err != nil {
		h.writeElement(`<p class="warn" role="alert">`, err.Error(), `</p>`)
		g.sendWithNav(v, 400, "What was decided", h)
		return
	}
	list, next, err := g.Store.Search(ctx, search)
	if err != nil {
		sendSentence(v.w, 503, "No answer", "The gate's store does not answer; try again.")
		return
	}
	switch {
	case len(list) == 0 && next != store.Place{}:
		h.writeMarkup(`<p role="status">None of the calls that were looked at meets these conditions. There are older ones.</p>`)
	case len(list) == 0:
		h.writeMarkup(`<p role="status">No call meets these conditions.</p>`)
	default:
		h.writeElement(`<p role="status">`, fmt.Sprintf("%d of the calls, newest first.", len(list)), `</p>`)
	}
	h.writeMarkup(`<ul class="rows">`)
	for i := range list {
		writeFound(h, &list[i])
	}
	h.writeMarkup(`</ul>`)
	if next != (store.Place{}) {
		h.writeElement(`<p><a rel="next" href="`+historyPath+`?`, history.Older(conditions, next.String()), `">Older calls</a></p>`)
	}
	g.sendWithNav(v, 200, "What was decided", h)
}

func writeSearchForm(h *html, v *visit) {
	h.writeMarkup(`<form method="get" action="` + historyPath + `"><label for="text">Text</label><input type="text" id="text" name="text" maxlength="200" value="`)
	h.writeText(v.r.URL.Query().Get("text"))
	h.writeMarkup(`"><details`)
	for _, n := range history.Names[:6] {
		if v.r.URL.Query().Get(n[0]) != "" {
			h.writeMarkup(` open`)
			break
		}
	}
	h.writeMarkup(`><summary>More conditions</summary><label for="state">State</label><select id="state" name="state"><option value="">Any</option>`)
	for _, s := range history.States() {
		h.writeMarkup(`<option`)
		if s == v.r.URL.Query().Get("state") {
			h.writeMarkup(` selected`)
		}
		h.writeElement(`>`, s, `</option>`)
	}
	h.writeMarkup(`</select>`)
	for _, x := range [...][2]markup{{"tool", "Tool"}, {"agent", "Agent"}, {"person", "Person"}, {"since", "Proposed since (a day in UTC)"}, {"until", "Proposed before (a day in UTC)"}} {
		h.writeMarkup(`<label for="`, x[0], `">`, x[1], `</label><input type="text" autocomplete="off" id="`, x[0], `" name="`, x[0], `" value="`)
		h.writeText(v.r.URL.Query().Get(string(x[0])))
		h.writeMarkup(`">`)
	}
	h.writeMarkup(`</details><button>Search</button></form>`)
}

func writeFound(h *html, f *store.Found) {
	h.writeMarkup(`<li><a href="`, callPath)
	h.writeText(f.ID)
	h.writeMarkup(`"><code>`)
	writeEscaped(h, proposal.Escape(f.Tool))
	h.writeMarkup(`</code></a> <span class="brief"><code>`)
	writeEscaped(h, proposal.Escape(briefArguments(f.Arguments)))
	h.writeMarkup(`</code></span> <span class="size">`)
	h.writeText(time.UnixMilli(f.Created).UTC().Format("2006-01-02 15:04 UTC") + " · " + f.Principal + " · " + stateWords(&f.Record))
	h.writeMarkup(`</span>`)
	for _, vote := range f.Votes {
		h.writeElement(`<span class="vote"> · `, voteText(vote), `</span>`)
	}
	h.writeMarkup(`</li>`)
}
