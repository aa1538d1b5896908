package trajectory

import "github.com/boundcheck/boundcheck/core/base/jsonval"

// isBraintrust reports whether an object is a span of Braintrust, or a page of spans.
func isBraintrust(o *object) bool {
	return isBraintrustSpan(o) || inFirst(o, "data", isBraintrustSpan) || inFirst(o, "events", isBraintrustSpan)
}

func isBraintrustSpan(o *object) bool {
	return o.isObject("span_attributes") && o.hasAny("root_span_id span_parents")
}

// decodeBraintrust reads the spans of a log or of an experiment. The spans under one root
// are one run. The root has the expected side and the scores.
func decodeBraintrust(d *decoder, in batch) {
	var spans []*span
	for _, o := range d.openKnownRows(in.values, "data events", isBraintrustSpan) {
		spans = append(spans, braintrustSpan(o))
	}
	for _, group := range byTrace(spans) {
		root := braintrustRoot(group)
		t := d.newTracer()
		t.t.ID = group[0].trace
		t.t.Reward = onlyScore(root.openMember("scores"))
		t.readQuestion(root.get("input"))
		t.readTypedSpans(group)
		t.addOrFind(root.get("output"))
		d.copySides(d.Trajectories[len(d.Trajectories)-1:], root, false)
	}
}

// braintrustRoot returns the root of a group of spans. It returns an empty object if the
// file does not have it.
func braintrustRoot(group []*span) *object {
	for _, s := range group {
		if s.id == s.trace {
			return openObject(s.v)
		}
	}
	return &object{}
}

// onlyScore returns the number in an object with exactly one score, or nil. Which of several
// scores judges the run is not known.
func onlyScore(scores *object) *float64 {
	if len(scores.keys) != 1 {
		return nil
	}
	n, ok := scores.values[0].Float()
	if !ok {
		return nil
	}
	return &n
}

func braintrustSpan(o *object) *span {
	attributes := o.openMember("span_attributes")
	s := &span{
		v: o.v, trace: o.firstText("root_span_id span_id id"), id: o.firstText("span_id id"), name: executedName(attributes.firstText("name")),
		input: encodedValue(o.get("input")), output: encodedValue(o.get("output")), status: errorWords(o.get("error")),
	}
	s.failed = errorFlag(o.get("error")) == failed
	if s.start = o.openMember("metrics").firstText("start"); s.start == "" {
		s.start = o.firstText("created")
	}
	switch attributes.firstString("type") {
	case "tool":
		s.kind = kindTool
	case "llm":
		s.kind = kindModel
		s.output = braintrustChoices(s.output)
	}
	return s
}

// braintrustChoices returns the message in the list of answers of a model, or v itself.
func braintrustChoices(v jsonval.Value) jsonval.Value {
	if m := firstElement(v).Get("message"); m.Kind() == jsonval.Object {
		return m
	}
	return v
}
