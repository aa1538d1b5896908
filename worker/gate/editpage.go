package gate

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/worker/gate/show"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// mostEditable is the largest size of arguments that can be edited on the page. The API
// takes larger ones.
const mostEditable = 16 << 10

// beforeEdits loads, for each edited call of a list, the call before the edit.
func (g *Gate) beforeEdits(v *visit, list []machine.Record) map[string]*machine.Record {
	out := map[string]*machine.Record{}
	for i := range list {
		if edit := list[i].Why.Edit; edit != nil {
			ctx, cancel := v.limitedContext()
			if r, err := g.Store.Load(ctx, v.who.Tenant, edit.Of); err == nil {
				out[list[i].ID] = &r
			}
			cancel()
		}
	}
	return out
}

// writeEdit shows what an approver changed, as a difference from the call before.
func writeEdit(h *show.HTML, v *visit, r *machine.Record) {
	edit := r.Why.Edit
	if edit == nil {
		return
	}
	h.Markup(`<section class="edit"><h3>`)
	h.Text("Edited by " + edit.By)
	h.Markup(`</h3>`)
	before := v.before[r.ID]
	if before == nil || before.Arguments == "" {
		h.Element(`<p class="warn">`, "The call before the edit cannot be shown. These arguments differ from it: "+proposal.Escape(strings.Join(edit.Changed, ", ")), `</p>`)
	} else {
		for _, c := range proposal.Changes(before.Arguments, r.Arguments) {
			h.Markup(`<p>`)
			show.Escaped(h, c.Path)
			h.Markup(`</p>`)
			show.Changes(h, linesOfValue(c.Was), linesOfValue(c.Is))
		}
		h.Markup(`<p><a href="`, callPath)
		h.Text(before.ID)
		h.Markup(`">The call before the edit</a>, which never runs</p>`)
	}
	h.Markup(`</section>`)
}

// linesOfValue returns a raw value in lines. A string of several lines becomes these lines.
func linesOfValue(raw string) []string {
	if raw == "" {
		return nil
	}
	if v, err := jsonval.Parse(raw); err == nil {
		if s, ok := v.Str(); ok && !proposal.Unpaired(raw) && strings.Contains(s, "\n") {
			return strings.Split(s, "\n")
		}
	}
	return []string{raw}
}

// writeEditForm shows the form with which a person changes the arguments of a call. The
// changed call is shown before anybody can approve it.
func (g *Gate) writeEditForm(h *show.HTML, v *visit, r *machine.Record) {
	if !g.Policy().MayEdit(r, v.who.Name) {
		return
	}
	h.Markup(`<details class="change"><summary>Change the arguments</summary>`)
	var b bytes.Buffer
	if len(r.Arguments) > mostEditable || json.Indent(&b, []byte(r.Arguments), "", "  ") != nil {
		h.Markup(`<p>These arguments are too large for this page, or they cannot be read. Change them over the API.</p></details>`)
		return
	}
	if text := g.editHint(v.who, r); text != "" {
		h.Element(`<p class="warn">`, text, `</p>`)
	}
	g.openForm(h, callPath, r.ID, r.Expires)
	h.Hidden("token", g.formToken(v.s, r.ID, r.Digest))
	h.Hidden("digest", r.Digest)
	h.Markup(`<label for="arguments-`)
	h.Text(r.ID)
	h.Markup(`">All arguments of the new call (JSON)</label><textarea name="arguments" spellcheck="false" autocomplete="off" autocapitalize="off" rows="8" id="arguments-`)
	h.Text(r.ID)
	h.Element(`">`, b.String(), `</textarea>`)
	reasonField(h, r.ID+"-edit", "Reason for the change")
	h.Markup(`<button class="plain" name="choice" value="edit">Show the changed call</button></form></details>`)
}

// editHint says who can approve a call after a person has changed it, if this person cannot.
func (g *Gate) editHint(who machine.Principal, r *machine.Record) string {
	if g.Policy().CountsEditor(r, who.Name) {
		return ""
	}
	const rule = "After your change you cannot approve the call yourself, unless the rule in edit that allows the change has counts: true. "
	others := g.Front != nil || g.Provider != nil || slices.ContainsFunc(g.keys(), func(k *liveKey) bool {
		return k.Tenant == who.Tenant && k.Role == machine.Approver && k.Name != who.Name && k.Name != r.Principal
	})
	if r.Needs < 2 && r.For != "" || !others {
		return rule + "There is no other approver for it, so nobody could approve it then."
	}
	return rule + "Else another approver must approve it."
}

// likeBefore returns arguments without the spaces that the page's form adds, if the call
// before had none: hosts write a call that they make again without spaces.
func likeBefore(before, arguments string) string {
	var was, is bytes.Buffer
	if json.Compact(&was, []byte(before)) == nil && was.String() == before && json.Compact(&is, []byte(arguments)) == nil {
		return is.String()
	}
	return arguments
}

// editPosted handles a posted form with changed arguments. The visitor gets to the page of
// the changed call, on which it can be approved.
func (g *Gate) editPosted(v *visit, e machine.Event) {
	e.Arguments = strings.TrimSpace(strings.ReplaceAll(v.form.Get("arguments"), "\r\n", "\n"))
	ctx, cancel := v.limitedContext()
	defer cancel()
	if r, err := g.Store.Load(ctx, v.who.Tenant, v.id); err == nil {
		e.Arguments = likeBefore(r.Arguments, e.Arguments)
	}
	record, next, a, err := g.Edit(ctx, v.who.Tenant, v.id, e)
	switch {
	case errors.Is(err, store.ErrNone):
		sendSentence(v.w, 404, "Not here", "There is no such proposal in your tenant.")
	case err != nil:
		sendSentence(v.w, 503, "No answer", "The gate's store does not answer. Load the page again to see whether your change was stored.")
	case a.Code != machine.OK:
		g.sendCallPage(v, 409, []machine.Record{record}, "Not stored: "+pageText(a))
	case next.Batch != "":
		redirectTo(v.w, callPath+next.Batch)
	default:
		redirectTo(v.w, callPath+next.ID)
	}
}
