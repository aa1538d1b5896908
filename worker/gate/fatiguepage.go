package gate

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/worker/gate/fatigue"
	"github.com/boundcheck/boundcheck/worker/gate/show"
)

func (g *Gate) handleMetrics(w http.ResponseWriter, q *request) reply {
	ctx, cancel := context.WithTimeout(q.Context(), patience)
	defer cancel()
	all, err := g.Fatigue(ctx, q.who.Tenant, 0)
	if err != nil {
		return storeErrorReply(err)
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	io.WriteString(w, fatigue.Prometheus(all))
	return reply{}
}

// recent is the number of days that the page covers.
const recent = 30

// fatiguePage shows how often people are asked, and whether they still read the
// questions.
func (g *Gate) fatiguePage(v *visit) {
	ctx, cancel := v.limitedContext()
	defer cancel()
	all, err := g.Fatigue(ctx, v.who.Tenant, recent)
	if err != nil {
		sendSentence(v.w, 503, "No answer", "The gate's store does not answer.")
		return
	}
	h := &show.HTML{}
	h.Markup(`<h1>How often you are asked</h1>`)
	h.Element(`<p>`, fmt.Sprintf("The last %d days, by tool.", recent), `</p>`)
	if all[0].WornOut() {
		h.Element(`<p class="warn">`, fmt.Sprintf("%s of all decisions are approvals, so people are probably asked too often. Add a policy rule for calls that may run without a question.", formatPercent(all[0].ApprovalRate)), `</p>`)
	}
	for i := range all {
		fatigueCard(h, &all[i])
	}
	g.sendWithNav(v, 200, "How often you are asked", h)
}

func fatigueCard(h *show.HTML, f *fatigue.Figures) {
	name := proposal.Escape(f.Tool)
	if f.Tool == "" {
		name = "All tools"
	}
	rate, middle := "nobody has decided", "nobody has decided"
	if f.Scored {
		rate, middle = formatPercent(f.ApprovalRate), formatSeconds(f.Median)
	}
	h.Markup(`<section class="card">`)
	h.Element(`<h2>`, name, `</h2>`)
	h.Element(`<dl><dt>Calls</dt><dd>`, strconv.FormatInt(f.Calls, 10), `</dd>`)
	h.Element(`<dt>Asked about</dt><dd>`, fmt.Sprintf("%d (%s)", f.Asked, formatPercent(f.AskedShare)), `</dd>`)
	h.Element(`<dt>Answers</dt><dd>`, fmt.Sprintf("%d approved, %d denied, %d expired", f.Approved, f.Denied, f.Expired), `</dd>`)
	h.Element(`<dt>Approval rate</dt><dd>`, rate, `</dd>`)
	h.Element(`<dt>Median time</dt><dd>`, middle, `</dd></dl></section>`)
}

func formatPercent(x float64) string { return strconv.FormatFloat(100*x, 'f', 0, 64) + " %" }

func formatSeconds(x float64) string {
	if x >= 120 {
		return strconv.FormatFloat(x/60, 'f', 0, 64) + " min"
	}
	return strconv.FormatFloat(x, 'f', 1, 64) + " s"
}
