package gate

import (
	"context"
	"fmt"
	"net/http"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/worker/gate/show"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// This file has what remembered decisions and delegations share: every one is on some page of a list, and every approver
// of the tenant may end it, because this only makes the gate stricter.

// ender ends the one with an id, and reports whether there was one.
type ender func(ctx context.Context, by machine.Principal, channel, id, reason string) (bool, error)

// handleEnd handles a request of the form {"reason"?} that ends one thing of a sort, and answers with the first page of the
// list.
func (g *Gate) handleEnd(q *request, noun string, end ender, list func(http.ResponseWriter, *request) reply) reply {
	f, err := q.readMembers()
	reason := ""
	if err == nil {
		reason, err = textMember(f, "reason")
	}
	if err != nil {
		return reply{status: 400, body: wire.FailWith(err)}
	}
	ctx, cancel := context.WithTimeout(q.Context(), patience)
	defer cancel()
	switch found, err := end(ctx, q.who, "api", q.id, reason); {
	case err != nil:
		return storeErrorReply(err)
	case !found:
		return errorReply(404, CodeNotFound, fmt.Sprintf("this tenant has no %s %.60q that has not ended", noun, q.id))
	}
	return list(nil, q)
}

// listAfter answers with the page of a list behind the place that the request names.
func listAfter(q *request, page func(ctx context.Context, after store.Place) (any, error)) reply {
	after, err := store.ReadPlace(q.URL.Query().Get("after"))
	if err != nil {
		return errorReply(400, wire.CodeInput, err.Error())
	}
	ctx, cancel := context.WithTimeout(q.Context(), patience)
	defer cancel()
	out, err := page(ctx, after)
	if err != nil {
		return storeErrorReply(err)
	}
	return reply{status: 200, body: wire.Marshal(out)}
}

// nextText returns the text of the place of the next page, or "" if there is none.
func nextText(next store.Place) string {
	if next == (store.Place{}) {
		return ""
	}
	return next.String()
}

// placeOnPage returns the place behind which a page of a list begins. A place that cannot be read is the beginning.
func placeOnPage(v *visit) store.Place {
	after, err := store.ReadPlace(v.r.URL.Query().Get("after"))
	if err != nil {
		return store.Place{}
	}
	return after
}

// writeNext links to the next page of a list, if there is one.
func writeNext(h *show.HTML, path show.Markup, next store.Place) {
	if text := nextText(next); text != "" {
		h.Element(`<p><a rel="next" href="`+path+`?after=`, text, `">Later ones</a></p>`)
	}
}

// writeEndForm writes the form with which the visitor ends one thing. bounds is what the visitor saw of it.
func (g *Gate) writeEndForm(h *show.HTML, v *visit, path show.Markup, noun, id, bounds string) {
	h.Markup(`<form method="post" action="`, path, `"><button type="submit" disabled hidden></button>`)
	h.Hidden("id", id)
	h.Hidden("token", g.formToken(v.s, noun+" "+id, bounds))
	h.Hidden("bounds", bounds)
	reasonField(h, id, "Reason (for the audit)")
	h.Markup(`<button class="no" name="do" value="end">End it now</button></form>`)
}

// endPosted ends one thing by its form.
func (g *Gate) endPosted(v *visit, path show.Markup, noun string, end ender) {
	id := v.form.Get("id")
	if subtleDiffers(v.form.Get("token"), g.formToken(v.s, noun+" "+id, v.form.Get("bounds"))) {
		sendSentence(v.w, 403, "Refused", "This form was not shown in this session, so nothing was changed. Open the page again.")
		return
	}
	ctx, cancel := v.limitedContext()
	defer cancel()
	if _, err := end(ctx, v.who, "page", id, v.postedReason()); err != nil {
		sendSentence(v.w, 503, "No answer", "The gate's store does not answer. Open the page again to see whether anything was changed.")
		return
	}
	redirectTo(v.w, string(path))
}
