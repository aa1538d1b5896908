package format

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// isALFWorld reports whether an object contains a run as text, in which "> " marks the
// lines that the agent typed.
func isALFWorld(o *shape.Object) bool {
	return o.IsText("traj") && strings.Contains(o.FirstString("traj"), "\n> ")
}

func decodeALFWorld(d *engine.Decoder, in engine.Batch) {
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		r := d.NewRun()
		r.Trajectory.Task = o.FirstText("name task id")
		switch o.Get("result").Raw() { // some files write 0 for false
		case "true", "1":
			r.Trajectory.Success = new(true)
		case "false", "0":
			r.Trajectory.Success = new(false)
		}
		readConsole(r, o.FirstString("traj"))
		r.AddToDocument()
	}
}

// linesALFWorld reads a run of ALFWorld in plain text. It returns false for any other
// text. The text must contain the opening of the game ("Your task is to"), because quoted
// mails also have lines that begin with "> ".
func linesALFWorld(d *engine.Decoder, text string) bool {
	if !strings.Contains(text, "\n> ") || !strings.Contains(text, "Your task is to") {
		return false
	}
	r := d.NewRun()
	readConsole(r, text)
	r.AddToDocument()
	return true
}

// readConsole reads the transcript of a game. Lines that begin with "> " were typed by
// the agent, and the lines that follow are the answer of the game. Typed thoughts are not
// actions.
func readConsole(r *engine.Run, text string) {
	var pending *engine.Call
	var thought bool
	var answer []string
	flush := func() {
		said := strings.TrimSpace(strings.Join(answer, "\n"))
		answer = nil
		switch {
		case pending != nil:
			i := r.AddCall(*pending)
			if said != "" {
				o := trajectory.Observation{Text: said, Error: strings.HasPrefix(said, "Nothing happens")}
				r.Trajectory.Actions[i].Observation = &o
				r.AddToolMessage(said)
			}
		case said != "" && !thought:
			r.AddMessage("user", said)
		}
		pending, thought = nil, false
	}
	for line := range strings.Lines(text) {
		typed, ok := strings.CutPrefix(line, "> ")
		if !ok {
			answer = append(answer, strings.TrimRight(line, "\r\n"))
			continue
		}
		flush()
		r.BeginTurn("assistant")
		if typed = strings.TrimSpace(typed); isThought(typed) {
			thought = true
			r.AddText(typed)
		} else if typed != "" {
			c := engine.FreeTextCall(typed)
			pending = &c
		}
	}
	flush()
}

// isThought reports whether the agent typed a thought, such as "think: …" or "ActionPath:
// …".
func isThought(typed string) bool {
	head, _, colon := strings.Cut(strings.ToLower(typed), ":")
	return strings.HasPrefix(head, "think") || strings.HasPrefix(head, "thought") || colon && head == "actionpath"
}
