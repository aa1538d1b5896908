package trajectory

// isWhoWhen reports whether an object is a log of the Who&When dataset.
func isWhoWhen(o *object) bool {
	return o.isList("history") && o.hasAny("mistake_agent mistake_step")
}

// decodeWhoWhen reads logs of conversations of several agents. Each entry of the history
// is one message.
func decodeWhoWhen(d *decoder, in batch) {
	for _, v := range in.values {
		o := openObject(v)
		r := d.newRun()
		r.t.Task = o.firstText("question_ID question_id")
		if b, ok := o.get("is_correct").Bool(); ok {
			r.t.Success = &b
		}
		r.readTalk(o.get("history").Elements())
		r.addToDocument()
	}
}
