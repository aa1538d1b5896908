package format

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// isWebArena reports whether an object is a run of BrowserGym. Each of its steps has the
// page, the action that was taken there, and the error of the previous action.
func isWebArena(o *shape.Object) bool {
	if engine.InFirst(o, "steps", isWebArenaStep) {
		return true
	}
	return o.IsList("steps") && o.HasAll("goal cum_reward")
}

func isWebArenaStep(o *shape.Object) bool {
	return o.HasAny("action") && (o.HasAny("last_action_error axtree_txt") || o.OpenMember("obs").HasAny("axtree_txt last_action_error"))
}

func decodeWebArena(d *engine.Decoder, in engine.Batch) {
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		r := d.NewRun()
		engine.CopyMeta(&r.Trajectory, o)
		r.Trajectory.ID = ""
		engine.SetReward(&r.Trajectory, o.Get("cum_reward"))
		if r.Trajectory.Stopped = strings.Join(strings.Fields(o.FirstText("err_msg")), " "); r.Trajectory.Stopped == "" && isTrue(o.Get("truncated")) && !isTrue(o.Get("terminated")) {
			r.Trajectory.Stopped = "truncated"
		}
		readBrowserSteps(r, o.FirstText("goal"), o.FirstList("steps"))
		r.AddToDocument()
	}
}

// decodeWebArenaSteps reads one step from each line. The steps of one task are one run.
func decodeWebArenaSteps(d *engine.Decoder, in engine.Batch) {
	for from := 0; from < len(in.Values); {
		o := shape.OpenObject(in.Values[from])
		to := from + 1
		for to < len(in.Values) && in.Values[to].Get("task_id").Raw() == o.Get("task_id").Raw() && in.Values[to].Get("step").Raw() != "0" {
			to++
		}
		r := d.NewRun()
		engine.CopyMeta(&r.Trajectory, in.Outer)
		r.Trajectory.Task = o.FirstText("task_id")
		readBrowserSteps(r, shape.IfElse(o.FirstText("goal") != "", o.FirstText("goal"), o.OpenMember("obs").FirstText("goal")), in.Values[from:to])
		if last := shape.OpenObject(in.Values[to-1]); r.Trajectory.Reward == nil && last.HasAny("terminated") {
			engine.SetReward(&r.Trajectory, last.Get("reward"))
		}
		r.AddToDocument()
		from = to
	}
}

// readBrowserSteps reads the steps of a run. The last step contains the page after the
// end of the run. If the last step has an action, this action was not executed.
func readBrowserSteps(r *engine.Run, goal string, steps []jsonval.Value) {
	if goal != "" {
		r.AddMessage("user", goal)
	}
	previous := -1
	var before engine.Page
	for _, v := range steps {
		o := shape.OpenObject(v)
		page := o
		if o.IsObject("obs") {
			page = o.OpenMember("obs")
		}
		after := engine.Page{Address: pageAddress(page), Tree: page.FirstText("axtree_txt")}
		if previous >= 0 && page.HasAny("last_action_error") {
			err := page.FirstText("last_action_error")
			r.SetPageResult(previous, trajectory.Observation{Text: stepResult(page, err), Error: err != ""}, before, after)
			r.AddToolMessage(err)
		} else if previous >= 0 && page.HasAny("axtree_txt") {
			r.Trajectory.Actions[previous].Observation = &trajectory.Observation{Text: stepResult(page, "")}
		}
		previous, before = readBrowserStep(r, o), after
	}
}

// stepResult returns the result of a step as text. The text has the error, the address of
// the page, and the page's tree, if they exist.
func stepResult(page *shape.Object, err string) string {
	url, tree := pageAddress(page), page.FirstText("axtree_txt")
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

func pageAddress(page *shape.Object) string {
	if all := page.FirstList("url"); len(all) > 0 {
		return all[0].Text()
	}
	return page.FirstText("url")
}

// readBrowserStep reads the action of one step, and returns its index, or -1 if the step
// has none.
func readBrowserStep(r *engine.Run, o *shape.Object) int {
	if isTrue(o.Get("terminated")) || isTrue(o.Get("truncated")) {
		r.Decoder.AddTally("action-after-end", "runs asked for one more action after the end; this action was not executed and is omitted", 1)
		return -1
	}
	action := browserAction(o.FirstString("action"))
	if action == "" {
		r.Decoder.WarnAt("step-without-action", "a step has no action", o.Value)
		return -1
	}
	r.BeginTurn("assistant")
	if thought := o.FirstText("thought think"); thought != "" {
		r.AddText(thought)
	}
	c := engine.FreeTextCall(action)
	c.At = o.Value
	i := r.AddCall(c)
	r.Trajectory.Messages[r.Trajectory.Actions[i].Message].Unsaid = true
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
