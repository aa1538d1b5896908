package engine

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/concurrent"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/envelope"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// readChecked reads the values of a text, and checks that it has read all calls and
// results in the text. If some are missing, it also reads the text without a format and
// uses the better result. It adds warnings about everything that is still missing. It
// returns an error if the text has calls and none was read.
func (d *Decoder) readChecked(s envelope.Source) error {
	if d.only != "" {
		return d.readRequested(s)
	}
	d.rows = s.Rows()
	if d.readSeveral() {
		if d.depth == 0 && mayExpectAside(s.Values) {
			d.callsAside(s.Values)
			d.readSidesAside(d.aside)
		}
		return nil
	}
	d.Warnings, d.places = slices.Clip(d.Warnings), slices.Clip(d.places) // each reading appends to its own
	fresh := *d
	fresh.counts = maps.Clone(d.counts)
	var c shape.Count
	wait := func() { c = shape.CountFacts(s.Values) }
	if d.cores > 1 {
		wait = concurrent.Begin(wait)
	}
	err := error(nil)
	if d.oneRun {
		d.Format = trajectory.FoundFormat
		DecodeFound(d, Batch{Values: s.Rows()})
	} else {
		err = d.decodeValues(s)
	}
	if wait(); err == nil && d.countActions() > 0 && (!d.repeats || d.countDoubled() == 0) && !d.hasSkipWarning() && d.countsAgree(c) && !(c.IsZero() && d.isGuess()) && !d.mayHaveAside(s, &c) && len(d.findBeside()) == 0 {
		d.assignIDs()
		return nil
	}
	facts, others := d.surveyFacts(s.Values), d.callsAside(s.Values)
	sides := d.aside
	d.applyStates(s.Values)
	b := d.compareFacts(facts, others)
	retry := err != nil || !d.settled && (b.countMistakes() > len(d.unread) || d.hasSkipWarning())
	if err == nil && d.countActions() == 0 {
		retry = fresh.findsCall(s.Rows()) // a reading without a call would not replace d
	}
	if retry {
		again := fresh
		again.Format = trajectory.FoundFormat
		DecodeFound(&again, Batch{Values: s.Rows()})
		again.applyStates(s.Values)
		if c := again.compareFacts(facts, others); d.isWorseThan(&again, err, b.countMistakes(), c.countMistakes()) {
			*d, b, err = again, c, nil
		}
	}
	if err != nil || d.isGuess() {
		var better *Decoder
		if better, b, err = d.readShaped(s, err, facts, others, b, fresh); better != d {
			*d = *better
		}
	}
	if beside := d.findBeside(); err == nil && len(beside) > 0 {
		b = d.compareFacts(facts, slices.Concat(others, beside))
	}
	if err == nil && d.countActions() == 0 && len(b.calls) == 0 {
		b.calls = d.findSpelled()
	}
	switch {
	case err != nil:
		if only := d.onlyExpected(s, facts); only != nil {
			return only
		}
		return d.unknownCalls(err, facts)
	case d.countActions() == 0 && len(b.calls) > 0:
		return d.unreadCalls(b.calls)
	}
	d.warnMistakes(&b)
	d.readSidesAside(sides)
	d.assignIDs()
	return nil
}

// readRequested reads values in the requested format and tries no other format. It adds a
// warning for calls and results that it did not read.
func (d *Decoder) readRequested(s envelope.Source) error {
	d.rows = s.Rows()
	if d.only == trajectory.FoundFormat {
		d.Format = trajectory.FoundFormat
		DecodeFound(d, Batch{Values: s.Rows()})
	} else if err := d.decodeValues(s); err != nil {
		return &trajectory.Error{Msg: "the text is not in the format " + d.only + ": it is " + shape.DescribeValue(s.Values[0]) + ". To detect the format automatically, omit the format"}
	}
	d.applyStates(s.Values)
	b := d.compareFacts(d.surveyFacts(s.Values), d.callsAside(s.Values))
	if d.countActions() == 0 && len(b.calls) > 0 {
		return d.unreadCalls(b.calls)
	}
	d.warnMistakes(&b)
	d.assignIDs()
	return nil
}

// confessSilence adds a warning with the number of runs without a call, if parts of the text
// were skipped or its format is unknown. If there is such a warning already, it does nothing.
// A run with a reference does not count, because its agent may really have done nothing. A
// text that was read to its end and has no call is a fact and no warning.
func (d *Decoder) confessSilence() {
	for _, t := range d.tallies {
		if t.code == "no-calls" {
			return
		}
	}
	if d.Format != trajectory.FoundFormat && !d.hasSkipWarning() {
		return
	}
	n := 0
	for i := range d.Trajectories {
		if t := &d.Trajectories[i]; len(t.Actions) == 0 && t.Reference == nil {
			n++
		}
	}
	if n > 0 {
		d.AddTally("no-calls", shape.IfElse(n == 1, "run has", "runs have")+" no call that could be read", n)
	}
}

// countsAgree reports whether d has read exactly as many calls and results as c counts in
// the text. It always returns true if c is zero. Otherwise it returns false if a call
// without an id was read, or if a result in the text reports a failure.
func (d *Decoder) countsAgree(c shape.Count) bool {
	calls, results := 0, 0
	for i := range d.Trajectories {
		for j := range d.Trajectories[i].Actions {
			a := &d.Trajectories[i].Actions[j]
			if a.CallID == "" {
				return c.IsZero()
			}
			calls++
			if a.Observation != nil {
				results++
			}
		}
	}
	return c.IsZero() || !c.Failed && c.Calls == calls && c.Results == results
}

// hasSkipWarning reports whether a warning says that the reading skipped something.
func (d *Decoder) hasSkipWarning() bool {
	return d.hasWarning("row-not-read result-without-call call-without-name")
}

// hasWarning reports whether a warning has one of some codes.
func (d *Decoder) hasWarning(codes string) bool {
	return slices.ContainsFunc(d.Warnings, func(w trajectory.Warning) bool { return shape.OneOf(w.Code, codes) })
}

// isWorseThan reports whether d is worse than the other reading. err is the error of d.
// lacks and otherLacks are the numbers of calls and results that each reading misses.
func (d *Decoder) isWorseThan(other *Decoder, err error, lacks, otherLacks int) bool {
	switch {
	case other.countActions() == 0:
		return err != nil && other.hasAssistantText()
	case err != nil, d.countActions() == 0:
		return true
	case len(other.Trajectories) != len(d.Trajectories) && len(d.Trajectories) > 1 && 2*lacks < d.countActions():
		return false // many runs, and nearly all of them are complete
	case otherLacks < lacks:
		return true
	}
	return otherLacks == lacks && other.countActions() >= d.countActions() && len(other.Trajectories) <= len(d.Trajectories) && len(other.Warnings) < len(d.Warnings)
}

// hasAssistantText reports whether an assistant said something. If so, the text is a
// conversation even if it has no call.
func (d *Decoder) hasAssistantText() bool {
	for i := range d.Trajectories {
		for _, m := range d.Trajectories[i].Messages {
			if m.Role == "assistant" && m.Text != "" {
				return true
			}
		}
	}
	return false
}

// countActions returns the number of actions read.
func (d *Decoder) countActions() int {
	n := 0
	for i := range d.Trajectories {
		n += len(d.Trajectories[i].Actions)
	}
	return n
}

// unknownCalls extends the error for a text of unknown format. It adds the first place in
// the text that looks like a call.
func (d *Decoder) unknownCalls(err error, facts []fact) error {
	var e *trajectory.Error
	if len(facts) > 0 && errors.As(err, &e) {
		e.Msg += ". A part of the text looks like a call, but cannot be read: " + d.describeFacts(facts[:1])
	}
	return err
}

// unreadCalls returns the error for a text that contains calls, if none of the calls
// could be read.
func (d *Decoder) unreadCalls(calls []fact) error {
	line, column := d.lineAndColumn(max(calls[0].offset, 0))
	seen := d.describeFacts(calls)
	what := fmt.Sprintf("%d objects look like calls", len(calls))
	if len(calls) == 1 {
		what = "1 object looks like a call"
	}
	return &trajectory.Error{
		Msg:  fmt.Sprintf("found no call in the format %s, but %s: %s. Write calls and results in one of the known formats", d.Format, what, seen),
		Seen: seen, Line: line, Column: column, Formats: d.formats.Names(),
	}
}

// balance lists the calls, results and errors that the text contains but that were not
// read. Each is listed once, with the first place where it occurs.
type balance struct {
	calls, results, errors []fact
	doubled                int // calls that were read more than once
}

// countMistakes returns the number of mistakes in a reading: calls, results and errors
// that were missed, and calls that were read twice.
func (b *balance) countMistakes() int {
	return len(b.calls) + len(b.results) + len(b.errors) + b.doubled
}

// compareFacts compares what was read with the calls and results in the text. It looks
// for a call or a result by its id, and for a call without an id by its name. It looks for
// the others, which were found aside, by name and arguments. It ignores the parts of the text
// that a decoder left out on purpose.
func (d *Decoder) compareFacts(facts, others []fact) balance {
	b := balance{doubled: d.countDoubled(), calls: slices.Clip(d.unread)}
	if len(facts) == 0 && len(others) == 0 {
		return b
	}
	records, runs := d.sortRecords(), d.runsByRecord()
	known, aside := records.group(facts), records.group(others)
	unread := map[int]bool{}
	for i := range b.calls {
		unread[b.calls[i].offset] = true
	}
	var lacks []missing
	var left []int // indices of others
	names := d.namePlaces()
	for at := range runs { // one record at a time, because what was read of all of them is large
		if len(known[at]) == 0 && len(aside[at]) == 0 {
			continue
		}
		read := d.readingsOf(runs[at])
		found := d.findLacking(facts, known[at], read)
		for _, m := range found {
			if m.lack == lacksCall {
				unread[facts[m.fact].offset] = true
			}
		}
		lacks, left = append(lacks, found...), append(left, d.findAside(others, aside[at], read, names, unread)...)
	}
	slices.SortFunc(lacks, func(a, b missing) int { return cmp.Compare(a.fact, b.fact) })
	for _, m := range lacks {
		switch f := facts[m.fact]; m.lack {
		case lacksCall:
			b.calls = append(b.calls, f)
		case lacksResult:
			b.results = append(b.results, f)
		case lacksError:
			b.errors = append(b.errors, f)
		}
	}
	slices.Sort(left)
	for _, i := range left {
		b.calls = append(b.calls, others[i])
	}
	return b
}

// missing says what was not read of the fact with an index.
type missing struct {
	fact int
	lack lack
}

// findLacking returns what is missing of the calls and results in the known forms, of those with
// the given indices, which are of one record.
func (d *Decoder) findLacking(facts []fact, of []int, read *readings) (out []missing) {
	seen := map[string]bool{}
	for _, i := range of {
		f := &facts[i]
		if f.member == "tools_called" {
			continue // it tells again what was done, perhaps with ids of its own (see findAside)
		}
		kind := read.findLack(f)
		if kind == whole {
			continue
		}
		key := string(kind) + f.callKey() + shape.IfElse(kind == lacksCall && f.id != "", f.spelledArguments(), "")
		if seen[key] || d.isLeftOut(f.offset) {
			continue
		}
		seen[key] = true
		out = append(out, missing{i, kind})
	}
	return out
}

// countDoubled returns the number of calls that were probably read twice. Such a call has
// no result, and an earlier call of the run, or one with a result, has the same id, name and arguments.
func (d *Decoder) countDoubled() int {
	n := 0
	for i := range d.Trajectories {
		if !slices.ContainsFunc(d.Trajectories[i].Actions, func(a trajectory.Action) bool { return a.CallID != "" && a.Observation == nil }) {
			continue
		}
		type call struct{ id, name string }
		answered, open := map[call][]jsonval.Value{}, map[call][]jsonval.Value{}
		for j := range d.Trajectories[i].Actions {
			a := &d.Trajectories[i].Actions[j]
			key := call{a.CallID, a.Name}
			switch {
			case a.CallID == "":
			case a.Observation != nil:
				answered[key] = append(answered[key], a.Arguments)
			default:
				open[key] = append(open[key], a.Arguments)
			}
		}
		for key, calls := range open {
			known := reading{arguments: answered[key]}
			for _, arguments := range calls {
				n += shape.IfElse(known.hasArguments(arguments), 1, 0)
				if arguments.Len() > 0 {
					known.arguments = append(known.arguments, arguments)
				}
			}
		}
	}
	return n
}

// lack says which part of a fact was not read: the call, its result, or that the result
// is an error. It is whole if nothing is missing.
type lack string

const (
	whole       lack = ""
	lacksCall   lack = "call"
	lacksResult lack = "result"
	lacksError  lack = "error"
)

// reading says which parts of one call were read: the call, its result, and that the
// result is an error.
type reading struct {
	call, result, failed bool
	name                 string          // of the first call with the id
	arguments            []jsonval.Value // of the calls with the id
}

// hasArguments reports whether a call with these arguments may be one that was read.
func (s *reading) hasArguments(v jsonval.Value) bool {
	v = shape.EncodedValue(v)
	return slices.ContainsFunc(s.arguments, func(a jsonval.Value) bool { return !differ(a, v) })
}

// readings contains the calls of a reading. ids has the calls with an id. names has the
// names of all calls, and anonymous the names of calls without an id.
type readings struct {
	ids              map[string]reading
	names, anonymous map[string]bool
	spelt            map[string]map[string]int // how many calls have these arguments and this name
	named            map[string]int            // how many calls have this name
}

// runsByRecord returns the indices of the runs of each record. The empty place stands for all of
// the text, and has all runs.
func (d *Decoder) runsByRecord() map[place][]int {
	runs := map[place][]int{{}: nil}
	for i, at := range d.records {
		if runs[place{}] = append(runs[place{}], i); at != (place{}) {
			runs[at] = append(runs[at], i)
		}
	}
	return runs
}

// readingsOf returns what was read of some runs. A call with the same id in another record is
// another call.
func (d *Decoder) readingsOf(runs []int) *readings {
	r := newReadings()
	for _, i := range runs {
		r.addRun(&d.Trajectories[i])
	}
	return r
}

// allReadings returns what was read of the text.
func (d *Decoder) allReadings() *readings { return d.readingsOf(d.runsByRecord()[place{}]) }

// places are records without repetitions, in the order of the text.
type places []place

// sortRecords returns the records from which runs were read. A run whose record is not known
// has none.
func (d *Decoder) sortRecords() places {
	var list places
	for _, p := range d.records {
		if p != (place{}) {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b place) int { return cmp.Compare(a.from, b.from) })
	return slices.Compact(list)
}

// find returns the record that contains an offset, or the empty place if there is none.
// O(log n).
func (list places) find(offset int) place {
	i, _ := slices.BinarySearchFunc(list, offset, func(p place, offset int) int { return cmp.Compare(p.to, offset+1) })
	if i < len(list) && list[i].from <= offset {
		return list[i]
	}
	return place{}
}

// group returns the indices of facts by their records, in order.
func (list places) group(facts []fact) map[place][]int {
	out := map[place][]int{}
	for i := range facts {
		at := list.find(facts[i].offset)
		out[at] = append(out[at], i)
	}
	return out
}

// sameTool reports whether two names may be of one tool: they are equal, or one of them has
// a prefix such as that of a server.
func sameTool(a, b string) bool { return strings.HasSuffix(a, b) || strings.HasSuffix(b, a) }

func newReadings() *readings {
	return &readings{map[string]reading{}, map[string]bool{}, map[string]bool{}, map[string]map[string]int{}, map[string]int{}}
}

func (r *readings) addRun(t *trajectory.Trajectory) {
	for j := range t.Actions {
		a := &t.Actions[j]
		r.names[a.Name] = true
		r.spell(a.Name, spellArguments(a.Arguments, a.Broken))
		if a.CallID == "" {
			r.anonymous[a.Name] = true
			continue
		}
		s := r.ids[a.CallID]
		r.ids[a.CallID] = reading{true, s.result || a.Observation != nil, s.failed || a.Failed(), shape.IfElse(s.call, s.name, a.Name), append(s.arguments, a.Arguments)}
	}
}

func (r *readings) findLack(f *fact) lack {
	s := r.ids[f.id]
	switch {
	case f.id == "":
		return shape.IfElse(!f.result && !r.names[f.name], lacksCall, whole)
	case !s.call:
		return shape.IfElse(!f.result && !r.anonymous[f.name], lacksCall, whole)
	case !f.result && (!sameTool(f.name, s.name) && !r.names[f.name] || !s.hasArguments(f.arguments)):
		return lacksCall
	case f.result && !s.result:
		return lacksResult
	case f.result && f.failed && !s.failed:
		return lacksError
	}
	return whole
}

// LeaveOut records that a decoder leaves out the calls inside v on purpose. The decoder
// must add a warning about them.
func (d *Decoder) LeaveOut(v jsonval.Value) {
	if at := d.offsetOf(v); at >= 0 {
		d.out.Add([2]int{at, at + len(v.Raw())})
	}
}

// isLeftOut reports whether an offset is in a part that a decoder left out on purpose.
func (d *Decoder) isLeftOut(offset int) bool { return d.out.Hold(offset) }

// warnMistakes adds one warning each for the calls, the results and the errors that were
// not read, and for calls that were read twice.
func (d *Decoder) warnMistakes(b *balance) {
	d.doubtUnread(b.calls)
	d.confessTo("calls-not-read", oneUnread, manyUnread, b.calls)
	d.confessTo("results-not-read", "the result of 1 call was not read", "the results of %d calls were not read", b.results)
	if b.doubled > 0 {
		d.AddTally("calls-doubled", callsHave(b.doubled)+" the same id and name as another call with a result. Perhaps the agent made only one of the two calls", b.doubled)
	}
	d.confessTo("errors-not-read", "1 result reports a failure, but was read as a success", "%d results report failures, but were read as successes", b.errors)
}

// doubtUnread marks the runs of the records with unread calls. Calls in no record may be of
// any run.
func (d *Decoder) doubtUnread(calls []fact) {
	unread, records := map[place][]fact{}, d.sortRecords()
	for _, f := range calls {
		at := records.find(f.offset)
		unread[at] = append(unread[at], f)
	}
	for i := range d.Trajectories {
		list := unread[d.records[i]]
		if list == nil {
			list = unread[place{}]
		}
		if t := &d.Trajectories[i]; list != nil && t.Doubt == "" {
			t.Doubt = d.countedFacts(oneUnread, manyUnread, list)
		}
	}
}

// The words about unread calls.
const (
	oneUnread  = "1 object looks like a call but was not read as a call"
	manyUnread = "%d objects look like calls but were not read as calls"
)

// callsHave returns the words that follow a number of calls in a message.
func callsHave(n int) string { return shape.IfElse(n == 1, "call has", "calls have") }

func (d *Decoder) confessTo(code, one, many string, list []fact) {
	if len(list) > 0 {
		d.Warn(code, d.countedFacts(one, many, list), list[0].offset, -1)
	}
}

// countedFacts returns the words for one or for many facts, and the places of the facts.
func (d *Decoder) countedFacts(one, many string, list []fact) string {
	if len(list) > 1 {
		one = fmt.Sprintf(many, len(list))
	}
	return one + ": " + d.describeFacts(list)
}

// listed is the largest number of places in a message about unread calls.
const listed = 5

// describeFacts returns a text for a message. For each fact, the text has the line, and
// the member by which the fact was recognised.
func (d *Decoder) describeFacts(list []fact) string {
	var parts []string
	for _, f := range list[:min(len(list), listed)] {
		place := ""
		if f.offset >= 0 {
			line, _ := d.lineAndColumn(f.offset)
			place = fmt.Sprintf("line %d, ", line)
		}
		parts = append(parts, place+shape.QuoteExcerpt(f.member, 0, 30)+shape.IfElse(f.name != "", " of "+shape.QuoteExcerpt(f.name, 0, 40), ""))
	}
	if len(list) > listed {
		parts = append(parts, fmt.Sprintf("and %d more", len(list)-listed))
	}
	return strings.Join(parts, "; ")
}
