package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// isWebArena reports whether an object is a run of BrowserGym. Each of its steps has the
// page, the action that was taken there, and the error of the previous action.
func isWebArena(o *object) bool {
	if inFirst(o, "steps", isWebArenaStep) {
		return true
	}
	return o.isList("steps") && o.has("goal cum_reward")
}

func isWebArenaStep(o *object) bool {
	return o.any("action") && (o.any("last_action_error axtree_txt") || o.in("obs").any("axtree_txt last_action_error"))
}

func decodeWebArena(d *decoder, in batch) {
	for _, v := range in.values {
		o := open(v)
		r := d.run()
		r.t.meta(o)
		r.t.ID = ""
		r.t.reward(o.get("cum_reward"))
		r.browse(o.text("goal"), o.list("steps"))
		r.done()
	}
}

// decodeWebArenaSteps reads one step from each line. The steps of one task are one run.
func decodeWebArenaSteps(d *decoder, in batch) {
	for from := 0; from < len(in.values); {
		o := open(in.values[from])
		to := from + 1
		for to < len(in.values) && in.values[to].Get("task_id").Raw() == o.get("task_id").Raw() && in.values[to].Get("step").Raw() != "0" {
			to++
		}
		r := d.run()
		r.t.meta(in.outer)
		r.t.Task = o.text("task_id")
		r.browse(either(o.text("goal") != "", o.text("goal"), o.in("obs").text("goal")), in.values[from:to])
		if last := open(in.values[to-1]); r.t.Reward == nil && last.any("terminated") {
			r.t.reward(last.get("reward"))
		}
		r.done()
		from = to
	}
}

// browse reads the steps of a run. The last step contains the page after the end of the
// run. It may have an action, which was not executed.
func (r *run) browse(goal string, steps []jsonval.Value) {
	if goal != "" {
		r.message("user", goal)
	}
	previous := -1
	for _, v := range steps {
		o := open(v)
		page := o
		if o.isObject("obs") {
			page = o.in("obs")
		}
		if previous >= 0 && page.any("last_action_error") {
			err := page.text("last_action_error")
			r.t.Actions[previous].Observation = &Observation{Text: shown(page, err), Error: err != ""}
			r.result(err)
		} else if previous >= 0 && page.any("axtree_txt") {
			r.t.Actions[previous].Observation = &Observation{Text: shown(page, "")}
		}
		previous = r.step(o)
	}
}

// shown returns the result of a step: the error if there is one, the address of the page,
// and the page's tree if the trace has it. An error may come with a changed page, as
// after a click that timed out.
func shown(page *object, err string) string {
	url := page.text("url")
	if all := page.list("url"); len(all) > 0 {
		url = all[0].Text()
	}
	tree := page.text("axtree_txt")
	if err == "" && tree == "" {
		return url
	}
	var lines []string
	if err != "" {
		lines = append(lines, err)
	}
	if url != "" {
		lines = append(lines, "URL: "+url)
	}
	if tree != "" {
		lines = append(lines, tree)
	}
	return strings.Join(lines, "\n")
}

// step reads the action of one step, and returns its index, or -1 if the step has none.
func (r *run) step(o *object) int {
	if ended(o.get("terminated")) || ended(o.get("truncated")) {
		r.d.count("action-after-end", "runs have a last action that was requested after the end and not executed; it is omitted", 1)
		return -1
	}
	action := browserAction(o.word("action"))
	if action == "" {
		r.d.warnAt("step-without-action", "a step has no action", o.v)
		return -1
	}
	r.turn("assistant")
	if thought := o.text("thought think"); thought != "" {
		r.say(thought)
	}
	c := texted(action)
	c.at = o.v
	i := r.call(c)
	r.t.Messages[r.t.Actions[i].Message].Unsaid = true
	return i
}

func ended(v jsonval.Value) bool { b, _ := v.Bool(); return b }

// browserAction returns an action without the tag <action> and the code quotes that the
// agent wrote around it.
func browserAction(text string) string {
	if _, inner, ok := strings.Cut(text, "<action>"); ok {
		text = inner
	}
	if i := strings.Index(text, "</action"); i >= 0 {
		text = text[:i]
	}
	return strings.TrimSpace(strings.Trim(strings.TrimSpace(text), "`"))
}
