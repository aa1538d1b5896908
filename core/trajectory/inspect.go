package trajectory

import "github.com/boundcheck/boundcheck/core/base/jsonval"

// isInspect reports whether an object is a log of Inspect, or one sample of a zipped log.
func isInspect(o *object) bool {
	return o.isObject("eval") && o.hasAny("samples plan results status") || isSample(o)
}

func isSample(o *object) bool {
	return o.isList("messages") && o.hasAll("epoch input") && o.hasAny("scores target store events output")
}

func decodeInspect(d *decoder, in batch) {
	for _, v := range in.values {
		o := openObject(v)
		if isSample(o) {
			d.readSample(o, "")
			continue
		}
		model := o.openMember("eval").firstString("model")
		samples := o.firstList("samples")
		if len(samples) == 0 {
			d.warnAt("no-runs", "the log has no samples", v)
		}
		d.readEach(samples, func(d *decoder, s jsonval.Value) { d.readSample(openObject(s), model) })
	}
}

// readSample reads one sample. Its messages refer to long texts, which are stored once in
// the member attachments.
func (d *decoder) readSample(o *object, model string) {
	r := d.newRun()
	r.t.Task, r.t.Model = o.firstText("id"), model
	if n, ok := o.get("epoch").Int(); ok {
		trial := int(n)
		r.t.Trial = &trial
	}
	r.t.setScore(o.get("scores"))
	r.readChat(o.get("messages"))
	attached := o.openMember("attachments")
	for i := range r.t.Messages {
		r.t.Messages[i].Text = resolveAttachment(attached, r.t.Messages[i].Text)
	}
	for i := range r.t.Actions {
		if obs := r.t.Actions[i].Observation; obs != nil {
			obs.Text = resolveAttachment(attached, obs.Text)
		}
	}
	r.addToDocument()
}

// resolveAttachment returns the long text to which "attachment://ID" refers. The long
// texts are the members of attached. Any other text is returned unchanged.
func resolveAttachment(attached *object, text string) string {
	const scheme = "attachment://"
	if len(text) <= len(scheme) || text[:len(scheme)] != scheme {
		return text
	}
	if s, ok := attached.get(text[len(scheme):]).Str(); ok {
		return s
	}
	return text
}

// setScore sets the run's success or reward from the score of a sample. C means success,
// I means failure, and a number is the reward. It does nothing if there are several
// scorers.
func (t *Trajectory) setScore(scores jsonval.Value) {
	if scores.Kind() != jsonval.Object || scores.Len() != 1 {
		return
	}
	scores.Each(func(_ string, s jsonval.Value) bool {
		value := s.Get("value")
		switch word, _ := value.Str(); word {
		case "C", "I":
			success := word == "C"
			t.Success = &success
		default:
			t.setReward(value)
		}
		return false
	})
}

// isDocent reports whether an object is an agent run of Docent. The member transcripts is
// a list or, in later versions, an object whose member names are ids.
func isDocent(o *object) bool {
	transcripts := o.get("transcripts")
	found := false
	transcripts.Each(func(_ string, t jsonval.Value) bool {
		found = t.Get("messages").Kind() == jsonval.Array
		return false
	})
	return found
}

func decodeDocent(d *decoder, in batch) {
	for _, v := range in.values {
		o := openObject(v)
		o.get("transcripts").Each(func(_ string, transcript jsonval.Value) bool {
			r := d.newRun()
			r.t.ID = o.firstText("id")
			r.t.Model = o.openMember("metadata").firstString("model")
			r.t.setReward(o.openMember("metadata").openMember("scores").get("reward"))
			r.readChat(transcript.Get("messages"))
			r.addToDocument()
			return true
		})
	}
}
