package trajectory

import "strings"

// isALFWorld reports whether an object contains a run as text, in which "> " marks the
// lines that the agent typed.
func isALFWorld(o *object) bool {
	return o.isText("traj") && strings.Contains(o.firstString("traj"), "\n> ")
}

func decodeALFWorld(d *decoder, in batch) {
	for _, v := range in.values {
		o := openObject(v)
		r := d.newRun()
		r.t.Task = o.firstText("name task id")
		switch o.get("result").Raw() { // some files write 0 for false
		case "true", "1":
			r.t.Success = new(true)
		case "false", "0":
			r.t.Success = new(false)
		}
		r.readConsole(o.firstString("traj"))
		r.addToDocument()
	}
}

// linesALFWorld reads a run of ALFWorld in plain text. It returns false for any other
// text. The text must contain the opening of the game ("Your task is to"), because quoted
// mails also have lines that begin with "> ".
func linesALFWorld(d *decoder, text string) bool {
	if !strings.Contains(text, "\n> ") || !strings.Contains(text, "Your task is to") {
		return false
	}
	r := d.newRun()
	r.readConsole(text)
	r.addToDocument()
	return true
}

// readConsole reads the transcript of a game. Lines that begin with "> " were typed by
// the agent, and the lines that follow are the answer of the game. Typed thoughts are not
// actions.
func (r *run) readConsole(text string) {
	var pending *call
	var thought bool
	var answer []string
	flush := func() {
		said := strings.TrimSpace(strings.Join(answer, "\n"))
		answer = nil
		switch {
		case pending != nil:
			i := r.addCall(*pending)
			if said != "" {
				o := Observation{Text: said, Error: strings.HasPrefix(said, "Nothing happens")}
				r.t.Actions[i].Observation = &o
				r.addToolMessage(said)
			}
		case said != "" && !thought:
			r.addMessage("user", said)
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
		r.beginTurn("assistant")
		if typed = strings.TrimSpace(typed); isThought(typed) {
			thought = true
			r.addText(typed)
		} else if typed != "" {
			c := freeTextCall(typed)
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
