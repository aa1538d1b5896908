package gate

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"github.com/boundcheck/boundcheck/core/proposal"
)

func (g *Gate) metrics(w http.ResponseWriter, q *request) reply {
	ctx, cancel := context.WithTimeout(q.Context(), patience)
	defer cancel()
	all, err := g.Fatigue(ctx, q.who.Tenant, 0)
	if err != nil {
		return failed(err)
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	io.WriteString(w, exposition(all))
	return reply{}
}

// recent is the number of days that the page covers.
const recent = 30

// fatiguePage shows how often people are asked, and whether they still read the
// questions.
func (g *Gate) fatiguePage(v *visit) {
	ctx, cancel := v.bounded()
	defer cancel()
	all, err := g.Fatigue(ctx, v.who.Tenant, recent)
	if err != nil {
		say(v.w, 503, "No answer", "The gate's store does not answer.")
		return
	}
	h := &html{}
	h.raw(`<h1>How often you are asked</h1>`)
	h.el(`<p>`, fmt.Sprintf("The last %d days, by tool.", recent), `</p>`)
	if all[0].WornOut() {
		h.el(`<p class="warn">`, fmt.Sprintf("%s of all decisions are approvals. A person who says yes to everything is asked too often: add a rule to the policy for calls that may run without a question.", percent(all[0].ApprovalRate)), `</p>`)
	}
	for i := range all {
		fatigueCard(h, &all[i])
	}
	g.send(v, 200, "How often you are asked", h)
}

func fatigueCard(h *html, f *Fatigue) {
	name := proposal.Escape(f.Tool)
	if f.Tool == "" {
		name = "All tools"
	}
	rate, middle := "nobody has decided", "nobody has decided"
	if f.Scored {
		rate, middle = percent(f.ApprovalRate), seconds(f.Median)
	}
	h.raw(`<section class="card">`)
	h.el(`<h2>`, name, `</h2>`)
	h.el(`<dl><dt>Calls</dt><dd>`, strconv.FormatInt(f.Calls, 10), `</dd>`)
	h.el(`<dt>Asked about</dt><dd>`, fmt.Sprintf("%d (%s)", f.Asked, percent(f.AskedShare)), `</dd>`)
	h.el(`<dt>Answers</dt><dd>`, fmt.Sprintf("%d approved, %d denied, %d expired", f.Approved, f.Denied, f.Expired), `</dd>`)
	h.el(`<dt>Approval rate</dt><dd>`, rate, `</dd>`)
	h.el(`<dt>Median time</dt><dd>`, middle, `</dd></dl></section>`)
}

func percent(x float64) string { return strconv.FormatFloat(100*x, 'f', 0, 64) + " %" }

func seconds(x float64) string {
	if x >= 120 {
		return strconv.FormatFloat(x/60, 'f', 0, 64) + " min"
	}
	return strconv.FormatFloat(x, 'f', 1, 64) + " s"
}
