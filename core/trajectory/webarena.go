package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// isWebArena reports whether an object is a run of BrowserGym. Each of its steps has the
// page, the action that was taken there, and the error of the previous action.
func isWebArena(o *object) bool {
	if inFirst(o, "steps", isWebArenaStep) {
		return true
	}
	return o.isList("steps") && o.hasAll("goal cum_reward")
}

func isWebArenaStep(o *object) bool {
	return o.hasAny("action") && (o.hasAny("last_action_error axtree_txt") || o.openMember("obs").hasAny("axtree_txt last_action_error"))
}

func decodeWebArena(d *decoder, in batch) {
	for _, v := range in.values {
		o := openObject(v)
		r := d.newRun()
		r.t.copyMeta(o)
		r.t.ID = ""
		r.t.setReward(o.get("cum_reward"))
		r.readBrowserSteps(o.firstText("goal"), o.firstList("steps"))
		r.addToDocument()
	}
}

// decodeWebArenaSteps reads one step from each line. The steps of one task are one run.
func decodeWebArenaSteps(d *decoder, in batch) {
	for from := 0; from < len(in.values); {
		o := openObject(in.values[from])
		to := from + 1
		for to < len(in.values) && in.values[to].Get("task_id").Raw() == o.get("task_id").Raw() && in.values[to].Get("step").Raw() != "0" {
			to++
		}
		r := d.newRun()
		r.t.copyMeta(in.outer)
		r.t.Task = o.firstText("task_id")
		r.readBrowserSteps(ifElse(o.firstText("goal") != "", o.firstText("goal"), o.openMember("obs").firstText("goal")), in.values[from:to])
		if last := openObject(in.values[to-1]); r.t.Reward == nil && last.hasAny("terminated") {
			r.t.setReward(last.get("reward"))
		}
		r.addToDocument()
		from = to
	}
}

// readBrowserSteps reads the steps of a run. The last step contains the page after the
// end of the run. If the last step has an action, this action was not executed.
func (r *run) readBrowserSteps(goal string, steps []jsonval.Value) {
	if goal != "" {
		r.addMessage("user", goal)
	}
	previous := -1
	for _, v := range steps {
		o := openObject(v)
		page := o
		if o.isObject("obs") {
			page = o.openMember("obs")
		}
		if previous >= 0 && page.hasAny("last_action_error") {
			err := page.firstText("last_action_error")
			r.t.Actions[previous].Observation = &Observation{Text: stepResult(page, err), Error: err != ""}
			r.addToolMessage(err)
		} else if previous >= 0 && page.hasAny("axtree_txt") {
			r.t.Actions[previous].Observation = &Observation{Text: stepResult(page, "")}
		}
		previous = r.readBrowserStep(o)
	}
}

// stepResult returns the result of a step as text. The text has the error, the address of
// the page, and the page's tree, if they exist.
func stepResult(page *object, err string) string {
	url := page.firstText("url")
	if all := page.firstList("url"); len(all) > 0 {
		url = all[0].Text()
	}
	tree := page.firstText("axtree_txt")
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

// readBrowserStep reads the action of one step, and returns its index, or -1 if the step
// has none.
func (r *run) readBrowserStep(o *object) int {
	if isTrue(o.get("terminated")) || isTrue(o.get("truncated")) {
		r.d.addTally("action-after-end", "runs asked for one more action after the end; this action was not executed and is omitted", 1)
		return -1
	}
	action := browserAction(o.firstString("action"))
	if action == "" {
		r.d.warnAt("step-without-action", "a step has no action", o.v)
		return -1
	}
	r.beginTurn("assistant")
	if thought := o.firstText("thought think"); thought != "" {
		r.addText(thought)
	}
	c := freeTextCall(action)
	c.at = o.v
	i := r.addCall(c)
	r.t.Messages[r.t.Actions[i].Message].Unsaid = true
	return i
}

func isTrue(v jsonval.Value) bool { b, _ := v.Bool(); return b }

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
