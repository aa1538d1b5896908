package format

import (
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/read/spent"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// isInspect reports whether an object is a log of Inspect, or one sample of a zipped log.
func isInspect(o *shape.Object) bool {
	return o.IsObject("eval") && o.HasAny("samples plan results status") || isSample(o)
}

func isSample(o *shape.Object) bool {
	return o.IsList("messages") && o.HasAll("epoch input") && o.HasAny("scores target store events output")
}

func decodeInspect(d *engine.Decoder, in engine.Batch) {
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		if isSample(o) {
			readSample(d, o, "")
			continue
		}
		model := o.OpenMember("eval").FirstString("model")
		samples := o.FirstList("samples")
		if len(samples) == 0 {
			d.WarnAt("no-runs", "the log has no samples", v)
		}
		d.ReadEach(samples, func(d *engine.Decoder, s jsonval.Value) { readSample(d, shape.OpenObject(s), model) })
	}
}

// readSample reads one sample. Its messages refer to long texts, which are stored once in
// the member attachments.
func readSample(d *engine.Decoder, o *shape.Object, model string) {
	r := d.NewRun()
	r.Trajectory.Task, r.Trajectory.Model = o.FirstText("id"), model
	if n, ok := o.Get("epoch").Int(); ok {
		trial := int(n)
		r.Trajectory.Trial = &trial
	}
	setScore(&r.Trajectory, o.Get("scores"))
	r.Trajectory.Whole = spent.OfRun(o, "total_time")
	r.ReadChat(o.Get("messages"))
	attached := o.OpenMember("attachments")
	for i := range r.Trajectory.Messages {
		r.Trajectory.Messages[i].Text = resolveAttachment(attached, r.Trajectory.Messages[i].Text)
	}
	for i := range r.Trajectory.Actions {
		if obs := r.Trajectory.Actions[i].Observation; obs != nil {
			obs.Text = resolveAttachment(attached, obs.Text)
		}
	}
	r.AddToDocument()
	d.SetExpected(d.Trajectories[len(d.Trajectories)-1:], o.OpenMember("metadata"), false) // the fields of the data set
	d.ReadTarget(&d.Trajectories[len(d.Trajectories)-1], o)
}

// resolveAttachment returns the long text to which "attachment://ID" refers. The long
// texts are the members of attached. Any other text is returned unchanged.
func resolveAttachment(attached *shape.Object, text string) string {
	const scheme = "attachment://"
	if len(text) <= len(scheme) || text[:len(scheme)] != scheme {
		return text
	}
	if s, ok := attached.Get(text[len(scheme):]).Str(); ok {
		return s
	}
	return text
}

// setScore sets the run's success or reward from the score of a sample. C means success,
// I means failure, and a number is the reward. It does nothing if there are several
// scorers.
func setScore(t *trajectory.Trajectory, scores jsonval.Value) {
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
			engine.SetReward(t, value)
		}
		return false
	})
}

// isDocent reports whether an object is an agent run of Docent. The member transcripts is
// a list or, in later versions, an object whose member names are ids.
func isDocent(o *shape.Object) bool {
	transcripts := o.Get("transcripts")
	found := false
	transcripts.Each(func(_ string, t jsonval.Value) bool {
		found = t.Get("messages").Kind() == jsonval.Array
		return false
	})
	return found
}

func decodeDocent(d *engine.Decoder, in engine.Batch) {
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		o.Get("transcripts").Each(func(_ string, transcript jsonval.Value) bool {
			r := d.NewRun()
			r.Trajectory.ID = o.FirstText("id")
			r.Trajectory.Model = o.OpenMember("metadata").FirstString("model")
			engine.SetReward(&r.Trajectory, o.OpenMember("metadata").OpenMember("scores").Get("reward"))
			r.ReadChat(transcript.Get("messages"))
			r.AddToDocument()
			return true
		})
	}
}
