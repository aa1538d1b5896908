package gate

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/worker/gate/history"
	"github.com/boundcheck/boundcheck/worker/gate/show"
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
	h, conditions := &show.HTML{}, v.r.URL.Query()
	h.Markup(`<h1>What was decided</h1>`)
	writeSearchForm(h, v)
	search, err := history.Read(v.who, conditions)
	if err != nil {
		h.Element(`<p class="warn" role="alert">`, err.Error(), `</p>`)
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
		h.Markup(`<p role="status">None of the calls that were looked at meets these conditions. There are older ones.</p>`)
	case len(list) == 0:
		h.Markup(`<p role="status">No call meets these conditions.</p>`)
	default:
		h.Element(`<p role="status">`, fmt.Sprintf("%d of the calls, newest first.", len(list)), `</p>`)
	}
	h.Markup(`<ul class="rows">`)
	for i := range list {
		writeFound(h, &list[i])
	}
	h.Markup(`</ul>`)
	if next != (store.Place{}) {
		h.Element(`<p><a rel="next" href="`+historyPath+`?`, history.Older(conditions, next.String()), `">Older calls</a></p>`)
	}
	g.sendWithNav(v, 200, "What was decided", h)
}

func writeSearchForm(h *show.HTML, v *visit) {
	h.Markup(`<form method="get" action="` + historyPath + `"><label for="text">Text</label><input type="text" id="text" name="text" maxlength="200" value="`)
	h.Text(v.r.URL.Query().Get("text"))
	h.Markup(`"><details`)
	for _, n := range history.Names[:6] {
		if v.r.URL.Query().Get(n[0]) != "" {
			h.Markup(` open`)
			break
		}
	}
	h.Markup(`><summary>More conditions</summary><label for="state">State</label><select id="state" name="state"><option value="">Any</option>`)
	for _, s := range history.States() {
		h.Markup(`<option`)
		if s == v.r.URL.Query().Get("state") {
			h.Markup(` selected`)
		}
		h.Element(`>`, s, `</option>`)
	}
	h.Markup(`</select>`)
	for _, x := range [...][2]show.Markup{{"tool", "Tool"}, {"agent", "Agent"}, {"person", "Person"}, {"since", "Proposed since (a day in UTC)"}, {"until", "Proposed before (a day in UTC)"}} {
		h.Markup(`<label for="`, x[0], `">`, x[1], `</label><input type="text" autocomplete="off" id="`, x[0], `" name="`, x[0], `" value="`)
		h.Text(v.r.URL.Query().Get(string(x[0])))
		h.Markup(`">`)
	}
	h.Markup(`</details><button>Search</button></form>`)
}

func writeFound(h *show.HTML, f *store.Found) {
	h.Markup(`<li><a href="`, callPath)
	h.Text(f.ID)
	h.Markup(`"><code>`)
	show.Escaped(h, proposal.Escape(f.Tool))
	h.Markup(`</code></a> <span class="brief"><code>`)
	show.Escaped(h, proposal.Escape(briefArguments(f.Arguments)))
	h.Markup(`</code></span> <span class="size">`)
	h.Text(time.UnixMilli(f.Created).UTC().Format("2006-01-02 15:04 UTC") + " · " + f.Principal + " · " + stateWords(&f.Record))
	h.Markup(`</span>`)
	for _, vote := range f.Votes {
		h.Element(`<span class="vote"> · `, voteText(vote), `</span>`)
	}
	h.Markup(`</li>`)
}
