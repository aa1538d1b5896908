package engine

import (
	"maps"
	"slices"
	"strconv"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/envelope"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// Table contains formats in the order of detection: formats of documents, then of events,
// then of plain text. Within each group, special formats come before general ones.
type Table []Format

// Names returns the names of the formats, each once.
func (t Table) Names() []string {
	var names []string
	seen := map[string]bool{}
	for _, f := range t {
		if !seen[f.Name] {
			seen[f.Name] = true
			names = append(names, f.Name)
		}
	}
	return names
}

// JoinsRows reports whether several rows of a file in a format may be parts of one run, such
// as the spans of one trace. Then a row alone is not a run.
func (t Table) JoinsRows(name string) bool {
	return slices.ContainsFunc(t, func(f Format) bool { return f.Name == name && f.Joins })
}

// Format is one row of the table of formats. It says how to recognise a format and how to
// read it. Exactly one of Document, Event and Lines is set, except in the row
// trajectory.FoundFormat. That row has none of them, because it is used if no other row matches.
//
// Document reports whether an object is a run or contains runs. Several such objects may
// be in a list or in JSONL. Event reports whether an object is one event of a run. Then
// the whole list, or all lines of JSONL, are one run. Such a list may also be in a member
// of an object (see wrappers). Lines reads plain text, and reports whether the text has
// the format.
//
// Joins says that several documents may be parts of one run, such as the spans of one trace.
//
// Gold says that the files have calls which are no calls of a run, in places that only the
// decoder knows. So callsAside does not search them.
//
// Answers says that each call that was executed has a result with its id. So a call without
// one, beside others with one, was not executed.
//
// Settled says that the reading of events is kept even if it misses some calls, because a
// search without the format would lose other parts. This is always so for documents.
//
// Decode reads all documents of a text, or the events of one run, into the decoder.
type Format struct {
	Name, What string
	Settled    bool
	Joins      bool
	Gold       bool
	Answers    bool
	Document   func(o *shape.Object) bool
	Event      func(o *shape.Object) bool
	Lines      func(d *Decoder, text string) bool
	Decode     func(d *Decoder, in Batch)
}

// Batch is the input of a decoder. It contains all documents of a text, or the events of
// one run and the object around them.
type Batch struct {
	Values []jsonval.Value
	Outer  *shape.Object // nil if there is no object around the events
}

// candidateFormats returns the formats that a text may have: only the requested format,
// or all if none was requested.
func (d *Decoder) candidateFormats() Table {
	if d.only == "" {
		return d.formats
	}
	for _, f := range d.formats {
		if f.Name == d.only {
			return Table{f}
		}
	}
	return nil
}

// sample and sampleBytes limit the number and the size of the elements that detection
// examines. A conversation may begin with many messages before its first call. Elements
// after the sample are read, too, but if only they have calls, the detected format may be a
// more general one.
const (
	sample      = envelope.Sample
	sampleBytes = 512 << 10
)

// wrappers contains the members in which producers put the list of a run's events.
var wrappers = [...]string{
	"messages", "contents", "events", "history", "items", "conversation", "trajectory", "steps", "trace", "output", "input",
	"observations", "log", "logs", "data",
}

// decodeValues detects the format of a text's values, and reads them.
func (d *Decoder) decodeValues(s envelope.Source) error {
	values := s.Values
	if len(values) == 1 && values[0].Kind() == jsonval.Array {
		values = values[0].Elements()
		if len(values) == 0 {
			d.Format, d.settled = "generic-actions", true // a run without actions
			d.addTrajectory(trajectory.Trajectory{})
			return nil
		}
	}
	if d.decodeList(values) {
		return nil
	}
	return d.unknownFormatError(s.Values[0])
}

// decodeList reads the elements of a list or the lines of JSONL, and reports whether a
// format matched.
func (d *Decoder) decodeList(values []jsonval.Value) bool {
	if inner := innerLists(values); d.only == "" && d.isListOfDocuments(inner) && d.formats.JoinsRows(d.joinsOf(inner)) {
		values = inner
	}
	values = labelledRows(values)
	heads := openHeads(values)
	if d.only == "" && len(heads) > 1 && shape.ThreadOf(heads[0]) != "" && shape.RoleOf(heads[0]) != "" {
		if groups := shape.ByThread(values); len(groups) > 1 {
			return d.decodeThreads(groups)
		}
	}
	return d.decodeDocuments(values, heads) || d.decodeInnerDocuments(heads) || d.decodeEvents(Batch{Values: values}, heads) || d.decodeWrapped(values, heads)
}

// decodeThreads reads messages of several conversations, and reports whether a format matched.
func (d *Decoder) decodeThreads(groups [][]jsonval.Value) bool {
	found := false
	for _, list := range groups {
		before := len(d.Trajectories)
		found = d.decodeEvents(Batch{Values: list}, openHeads(list)) || found
		if runs := d.Trajectories[before:]; len(runs) == 1 && runs[0].ID == "" {
			runs[0].ID = shape.ThreadOf(shape.OpenObject(list[0]))
		}
	}
	return found
}

// innerLists returns the elements of the lists that all values are, such as one for each trace.
func innerLists(values []jsonval.Value) (all []jsonval.Value) {
	for _, v := range values {
		if v.Kind() != jsonval.Array {
			return nil
		}
		all = append(all, v.Elements()...)
	}
	return all
}

// labelledRows returns the values of rows that are pairs of a label and a value, for
// example ["events.stream", {…}], or objects with one record under one name, for example {"row": {…}}.
// If any row has another form, it returns the rows unchanged.
func labelledRows(rows []jsonval.Value) []jsonval.Value {
	out := make([]jsonval.Value, 0, len(rows))
	label := ""
	for _, row := range rows {
		if row.Kind() == jsonval.Object {
			o := shape.OpenObject(row)
			if len(o.Keys) == 2 && len(out) == 0 && o.HasAny("type kind") {
				if records := typedRecords(rows); records != nil {
					return records
				}
			}
			if len(o.Keys) != 1 || label != "" && o.Keys[0] != label || !isLabelled(o.Keys[0], shape.OpenObject(o.Values[0])) {
				return rows
			}
			label, out = o.Keys[0], append(out, o.Values[0])
			continue
		}
		pair := row.Elements()
		if len(pair) != 2 || pair[0].Kind() != jsonval.String || pair[1].Kind() != jsonval.Object && pair[1].Kind() != jsonval.Array {
			return rows
		}
		out = append(out, pair[1])
	}
	return out
}

// typedRecords returns the records in rows that say in a type which of their members they are, for example
// {"type": "result", "result": {…}}, beside rows without calls, such as the settings and a summary. It returns
// nil for other rows.
func typedRecords(rows []jsonval.Value) (out []jsonval.Value) {
	label := ""
	for _, row := range rows {
		o := shape.OpenObject(row)
		kind := o.FirstString("type kind")
		if kind == "" {
			return nil
		}
		v := o.MemberNamed(kind)
		inner := shape.OpenObject(v)
		switch {
		case v.Kind() == jsonval.Object && len(o.Keys) == 2 && (label == "" || kind == label) && (isLabelled(kind, inner) || shape.OwnsOutcome(inner) && !IsPart(inner) && MayHoldCall(v)):
			label, out = kind, append(out, v)
		case kind == label || MayHoldCall(row):
			return nil
		}
	}
	return out
}

// isLabelled reports whether the only member of a row is a record. What a graph's node returned is none.
func isLabelled(name string, o *shape.Object) bool {
	return !shape.IsExpected(name) && !shape.IsRunSide(name) && (isRecord(o) || shape.OwnsOutcome(o) && !IsPart(o) && (shape.HasRunSide(o) || holdsCalls(o)) || shape.IsOpening(shape.MainList(o.Value, 0)) && !shape.IsExchange(o) && len(o.Keys) > 1)
}

// joinsOf returns the name of the format of which all rows are documents.
func (d *Decoder) joinsOf(rows []jsonval.Value) string {
	heads := openHeads(rows)
	for _, f := range d.formats {
		if f.Document != nil && allMatch(f.Document, heads) {
			return f.Name
		}
	}
	return ""
}

// decodeInnerDocuments reads the documents inside one object, and reports whether a format
// matched. They are the object's members, each under the id of its run, or the elements of
// lists.
func (d *Decoder) decodeInnerDocuments(heads []*shape.Object) bool {
	if len(heads) != 1 {
		return false
	}
	in := innerDocuments(heads[0])
	if !d.isListOfDocuments(in.rows) {
		return false
	}
	before := len(d.Trajectories)
	found := d.decodeDocuments(in.rows, openHeads(in.rows))
	in.nameRuns(d.Trajectories[before:])
	return found
}

// innerDocuments returns what may be the documents inside an object: its members if all are
// objects, or the elements of its lists. There is one such list, or all members are lists.
func innerDocuments(o *shape.Object) inner {
	var in inner
	lists := 0
	for i, key := range o.Keys {
		switch m := o.Values[i]; {
		case m.Kind() == jsonval.Object:
			in.names = append(in.names, key)
		case m.Kind() == jsonval.Array && !shape.IsPartList(key) && shape.FirstElement(m).Kind() == jsonval.Object:
			in.rows = append(in.rows, m.Elements()...)
			lists++
		}
	}
	switch {
	case lists == 1, lists > 0 && lists == len(o.Keys):
		return inner{rows: in.rows}
	case len(in.names) == len(o.Keys):
		return inner{rows: o.Values, names: o.Keys}
	}
	return inner{}
}

// isListOfDocuments reports whether all rows are documents of one format.
func (d *Decoder) isListOfDocuments(rows []jsonval.Value) bool {
	heads := openHeads(rows)
	return len(rows) > 0 && slices.ContainsFunc(d.formats, func(f Format) bool {
		return f.Document != nil && f.Name != "openai-responses" && allMatch(f.Document, heads) // an answer of a model is a part of a run
	})
}

// decodeDocuments reads a list whose elements are documents, and reports whether a format
// matched.
func (d *Decoder) decodeDocuments(values []jsonval.Value, heads []*shape.Object) bool {
	for _, f := range d.candidateFormats() {
		if f.Document != nil && anyMatches(f.Document, heads) {
			d.Format, d.gold = f.Name, f.Gold
			d.settled = f.Name != "openai-responses" && f.Name != "generic"
			f.Decode(d, Batch{Values: values})
			return true
		}
	}
	return false
}

// decodeEvents reads a list whose elements are the events of one run, and reports whether
// a format matched.
func (d *Decoder) decodeEvents(in Batch, heads []*shape.Object) bool {
	for _, f := range d.candidateFormats() {
		if f.Event != nil && anyMatches(f.Event, heads) && (f.Name != "generic-actions" || mostMatch(f.Event, heads)) {
			if d.Format == "" {
				d.Format = f.Name
			}
			d.settled, d.answers = d.settled || f.Settled, f.Answers
			f.Decode(d, in)
			return true
		}
	}
	return false
}

// decodeWrapped reads the runs in values, and reports whether it found a run. Each value
// is a list of a run's events, or an object with such a list in a member.
func (d *Decoder) decodeWrapped(values []jsonval.Value, heads []*shape.Object) bool {
	if d.only == "" {
		if in := recordsIn(values); in.rows != nil {
			before := len(d.Trajectories)
			found := d.readSeveralInside(&in) || d.decodeList(in.rows)
			in.complete(d, d.Trajectories[before:])
			return found
		}
	}
	if d.only == "" && shape.AreTagged(values[:min(len(values), sample)]) {
		d.Format = trajectory.FoundFormat
		DecodeFound(d, Batch{Values: values})
		return true
	}
	if d.only == "" && len(values) > 1 && envelope.HasSnapshots(values) {
		return d.decodeSnapshots(values)
	}
	found := false
	for i, v := range values {
		o := shape.OpenObject(v)
		if i < len(heads) {
			o = heads[i]
		}
		found = d.decodeRow(v, o) || found
	}
	return found
}

// decodeRow reads the run in a row, and reports whether it found one. If not, it adds a
// warning.
func (d *Decoder) decodeRow(v jsonval.Value, o *shape.Object) bool {
	found := false
	if d.Within(v, func() { found = d.decodeWrapper(v, o) }); found {
		return true
	}
	if d.decodeSilent(v, o) {
		return true
	}
	if len(d.Trajectories) > 0 && shape.MainList(v, 0) != nil && d.decodeFoundCalls([]jsonval.Value{v}) { // a record of another sort than the others
		return true
	}
	d.WarnForeign(v)
	return false
}

// decodeSilent reads a row that says what was expected of its run or how it ended, and that
// has an answer as text, or an error instead. Its run is one without a call. If the row has
// calls that cannot be read, the run has a doubt.
func (d *Decoder) decodeSilent(v jsonval.Value, o *shape.Object) bool {
	const answers = "output actual_output actualOutput response answer completion"
	answer := o.Get(answers)
	if k := answer.Kind(); d.only != "" || !shape.OwnsSettings(o) && !shape.OwnsOutcome(o) || k != jsonval.String && !(k == jsonval.Null && o.HasAny("error")) {
		return false
	}
	r := d.NewRun()
	CopyMeta(&r.Trajectory, o)
	if question := o.FirstString("input prompt question query"); question != "" {
		r.AddMessage("user", question)
	}
	if text := answer.Text(); text != "" && answer.Kind() == jsonval.String {
		r.AddMessage("assistant", text)
	}
	if holdsCalls(o) { // compareFacts finds the calls that have a form of their own
		r.Trajectory.Doubt = "a row has calls that could not be read"
		d.WarnAt("calls-not-read", r.Trajectory.Doubt, v)
	}
	d.Within(v, r.AddToDocument)
	d.CopySides(d.Trajectories[len(d.Trajectories)-1:], o, false)
	d.doubtUnrecorded(&d.Trajectories[len(d.Trajectories)-1], o)
	return true
}

// decodeSnapshots reads rows of which some continue the row before, and reports whether it
// found a run.
func (d *Decoder) decodeSnapshots(values []jsonval.Value) bool {
	found := false
	for _, g := range d.groupRows(values) {
		last := g.Rows[len(g.Rows)-1]
		if len(g.Rows) == 1 {
			found = d.decodeRow(last, shape.OpenObject(last)) || found
		} else if d.detectWrapper(last) {
			g.Named = true // they may be the parts of a run, too, but a snapshot that is left out is said
			d.readGroup(g, nil)
			found = true
		} else {
			for _, v := range g.Rows {
				found = d.decodeRow(v, shape.OpenObject(v)) || found
			}
		}
	}
	return found
}

// detectWrapper detects the format of the run in a row, and reports whether it has one.
func (d *Decoder) detectWrapper(v jsonval.Value) bool {
	probe := *d
	probe.counts, probe.Warnings, probe.places, probe.Trajectories, probe.records = maps.Clone(d.counts), nil, nil, nil, nil
	if !probe.decodeWrapper(v, shape.OpenObject(v)) {
		return false
	}
	d.Format, d.settled = probe.Format, probe.settled
	return true
}

func (d *Decoder) decodeWrapper(v jsonval.Value, o *shape.Object) bool {
	if v.Kind() == jsonval.Array {
		list := v.Elements()
		return d.decodeEvents(Batch{Values: list}, openHeads(list))
	}
	if IsEmptyRecord(o) && (d.only == "" || d.only == trajectory.FoundFormat) {
		d.Format = shape.IfElse(d.Format == "", trajectory.FoundFormat, d.Format)
		DecodeFound(d, Batch{Values: []jsonval.Value{v}})
		return true
	}
	before := len(d.Trajectories)
	name := d.decodeMember(o)
	if name == "" && d.decodeTrace(o) {
		name = "trace"
		copyRowMeta(d.Trajectories[before:], o)
	}
	if name == "" {
		return false
	}
	d.CopySides(d.Trajectories[before:], o, name == "trace")
	if runs := d.Trajectories[before:]; len(runs) == 1 && name != "trace" {
		d.doubtUnrecorded(&runs[0], o)
	}
	return true
}

// decodeMember reads the events in a member of an object, and returns the member's name.
// If no member has events, it returns "".
func (d *Decoder) decodeMember(o *shape.Object) string {
	for _, name := range wrappers {
		if list := o.FirstList(name); len(list) > 0 && d.decodeEvents(Batch{list, o}, openHeads(list)) {
			d.noteBeside(o, name)
			return name
		}
	}
	return d.decodeEmpty(o)
}

// decodeEmpty reads an object whose run is an empty list, and returns the list's name. If
// there is no such list, or the object has calls elsewhere, it returns "".
func (d *Decoder) decodeEmpty(o *shape.Object) string {
	for _, e := range emptyLists {
		if o.IsList(e.name) && o.Get(e.name).Len() == 0 && shape.CountFacts([]jsonval.Value{o.Value}).IsZero() && (d.only == "" || d.only == e.format) {
			if d.Format == "" {
				d.Format = e.format
			}
			var t trajectory.Trajectory
			CopyMeta(&t, o)
			d.addTrajectory(t)
			return e.name
		}
	}
	return ""
}

// IsEmptyRecord reports whether an object is the record of a run without a call: the list
// that is its run is empty, and it has calls only in its expected side.
func IsEmptyRecord(o *shape.Object) bool {
	if !shape.HasRunSide(o) || holdsCalls(o) {
		return false
	}
	for i, key := range o.Keys {
		if v := o.Values[i]; !shape.IsExpected(key) && (!shape.CountFacts([]jsonval.Value{v}).IsZero() || shape.IsRunSide(key) && v.Len() > 0 || shape.MainList(v, 0) != nil) {
			return false
		}
	}
	return true
}

// emptyLists contains the lists that are a run also if they are empty, with their formats.
var emptyLists = [...]struct{ name, format string }{
	{"messages", "openai-chat"}, {"steps", "generic-actions"}, {"actions", "generic-actions"}, {"trajectory", "generic-actions"},
}

// decodeTrace reads the member "trace" of a row, and reports whether a format matched. Its
// value is a document or a list of documents. If the row has a setting of an envelope, such
// as a reference, the value may also be one event, a trace without a known format, or a
// string that contains a trace. Other rows may be the events of one run.
func (d *Decoder) decodeTrace(row *shape.Object) bool {
	v := row.Get("trace")
	own := slices.ContainsFunc(row.Keys, func(key string) bool { return NearSetting(key) == key })
	values := []jsonval.Value{v}
	switch v.Kind() {
	case jsonval.Array:
		values = v.Elements()
		return d.decodeDocuments(values, openHeads(values)) || own && d.decodeFoundCalls(values)
	case jsonval.Object:
		heads := openHeads(values)
		return d.decodeDocuments(values, heads) || d.decodeMember(heads[0]) != "" ||
			own && (d.decodeEvents(Batch{Values: values}, heads) || d.decodeFoundCalls(values))
	case jsonval.String:
		text, _ := v.Str()
		return own && d.decodeString(text, v)
	}
	return false
}

// decodeFoundCalls reads values without a format, and reports whether it found a call.
func (d *Decoder) decodeFoundCalls(values []jsonval.Value) bool {
	if d.only != "" && d.only != trajectory.FoundFormat || !d.findsCall(values) {
		return false
	}
	if d.Format == "" {
		d.Format = trajectory.FoundFormat
	}
	DecodeFound(d, Batch{Values: values})
	return true
}

// decodeString reads a trace that is the content of the string v, and reports whether it
// has read one. All positions are that of v.
func (d *Decoder) decodeString(text string, v jsonval.Value) bool {
	inner := &Decoder{text: text, formats: d.formats, only: d.only, golds: d.golds}
	if !inner.matchText(text) {
		list, err := inner.splitRecords(text)
		if err != nil {
			return false
		}
		fresh := *inner
		fresh.counts = maps.Clone(inner.counts)
		if inner.decodeValues(list) != nil {
			if inner = &fresh; !inner.decodeFoundCalls(list.Rows()) {
				return false
			}
		}
		b := inner.compareFacts(inner.surveyFacts(list.Values), inner.callsAside(list.Values))
		for _, f := range b.calls {
			f.offset = d.offsetOf(v)
			d.unread = append(d.unread, f)
		}
	}
	d.LeaveOut(v)
	line, column := d.lineAndColumn(d.offsetOf(v))
	for i := range inner.Trajectories {
		for j := range inner.Trajectories[i].Actions {
			inner.Trajectories[i].Actions[j].Line = line
		}
	}
	for i := range inner.Warnings {
		inner.Warnings[i].Line, inner.Warnings[i].Column = line, column
	}
	d.appendWarnings(inner, len(d.Trajectories))
	for _, t := range inner.tallies {
		d.AddTally(t.code, t.what, t.n)
	}
	d.Trajectories = append(d.Trajectories, inner.Trajectories...)
	for range inner.Trajectories {
		d.records = append(d.records, d.placeOf(v))
	}
	if d.Format == "" {
		d.Format = inner.Format
	}
	d.settled = d.settled || inner.settled
	d.repeats = d.repeats || inner.repeats
	return true
}

// copyRowMeta copies the data around a trace, such as id and success, to its run. A trace
// with several runs or with its own id keeps its own data.
func copyRowMeta(runs []trajectory.Trajectory, row *shape.Object) {
	if len(runs) != 1 {
		return
	}
	var meta trajectory.Trajectory
	CopyMeta(&meta, row)
	t := &runs[0]
	if t.ID == "" && t.Task == "" {
		t.ID, t.Task, t.Trial = meta.ID, meta.Task, meta.Trial
	}
	if t.Success == nil && t.Reward == nil {
		t.Success, t.Reward = meta.Success, meta.Reward
	}
	if t.Whole == nil {
		t.Whole = meta.Whole
	}
}

// ownSettings sets the profile that an input row requests for its runs. Other settings in
// the row, such as tools, are ignored with a warning. A member whose name is almost that
// of a setting, such as refrence, also causes a warning.
func (d *Decoder) ownSettings(runs []trajectory.Trajectory, row *shape.Object) {
	warn := func(code, message string, at jsonval.Value) {
		d.Warn(code, message, d.offsetOf(at), len(d.Trajectories)-len(runs))
	}
	switch p := row.FirstNonNull("profile"); p.Text() {
	case "", "auto":
	case "outcome", "sop":
		askProfile(runs, p.Text())
	default:
		warn("row-setting-not-used", `the "profile" of a row must be auto, outcome or sop; the invalid value was ignored`, p)
	}
	for _, name := range [...]string{"seed", "options", "tools", "config", "file"} {
		if v := row.FirstNonNull(name); v.Exists() {
			warn("row-setting-not-used", "the \""+name+`" of a row was ignored; use score --stream, or give one value for all rows`, v)
		}
	}
	for i, key := range row.Keys {
		name := NearSetting(key)
		d.settled = d.settled || name != "" // a search for calls would lose the settings
		if name != "" && name != key {
			warn("row-member-unknown", "the unknown member "+strconv.Quote(key)+" of a row was ignored; the known member "+name+" has a similar name", row.Values[i])
		}
	}
}

// NearSetting returns the setting of an envelope that has the name key or almost this
// name, such as reference for refrence. If there is no such setting, it returns "".
func NearSetting(key string) string {
	for _, name := range [...]string{"reference", "profile", "seed", "options", "tools", "config"} {
		if nearlyEqual(key, name) {
			return name
		}
	}
	return ""
}

// nearlyEqual reports whether two words are equal, or differ in at most two letters next to each other.
func nearlyEqual(a, b string) bool {
	n, from, to := min(len(a), len(b)), 0, 0
	for from < n && a[from] == b[from] {
		from++
	}
	for to < n-from && a[len(a)-1-to] == b[len(b)-1-to] {
		to++
	}
	return max(len(a), len(b))-from-to <= 2
}

// openHeads opens the first elements of a list. The format is detected from these
// elements.
func openHeads(values []jsonval.Value) []*shape.Object {
	heads := make([]*shape.Object, 0, min(len(values), sample))
	seen := 0
	for _, v := range values[:min(len(values), sample)] {
		if heads = append(heads, shape.OpenObject(v)); seen > sampleBytes {
			break
		}
		seen += len(v.Raw())
	}
	return heads
}

func anyMatches(is func(*shape.Object) bool, heads []*shape.Object) bool {
	for _, o := range heads {
		if len(o.Keys) > 0 && is(o) {
			return true
		}
	}
	return false
}

// allMatch reports whether the given function accepts all objects in heads.
func allMatch(is func(*shape.Object) bool, heads []*shape.Object) bool {
	return !slices.ContainsFunc(heads, func(o *shape.Object) bool { return len(o.Keys) == 0 || !is(o) })
}

// mostMatch reports whether the given function accepts more than half of the objects in
// heads. Objects without members do not count.
func mostMatch(is func(*shape.Object) bool, heads []*shape.Object) bool {
	objects, n := 0, 0
	for _, o := range heads {
		if len(o.Keys) > 0 {
			objects++
			n += shape.IfElse(is(o), 1, 0)
		}
	}
	return 2*n > objects
}
