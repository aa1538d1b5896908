package story_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// This file attacks the law of a story: it says only what was compared, and every value in
// it stands in the run or in the reference. The checks use encoding/json and the texts of
// the trace, and no code of the packages that tell stories.

// drawing makes traces with references.
type drawing struct{ *rand.Rand }

func (d drawing) pickText(from ...string) string { return from[d.IntN(len(from))] }

func (d drawing) drawNumber() int { return d.pickNumber(0, 1, 2, 5, 55, 250) }

func (d drawing) pickNumber(from ...int) int { return from[d.IntN(len(from))] }

// drawCall returns a call to one of a few tools with random arguments.
func (d drawing) drawCall() map[string]any {
	order := "#W" + strconv.Itoa(100+d.IntN(4))
	name := d.pickText("get_order", "cancel_order", "modify_items", "book_reservation", "send_certificate", "transfer_to_human_agents")
	a := map[string]any{}
	switch name {
	case "get_order":
		a["order_id"] = order
	case "cancel_order":
		a["order_id"], a["reason"] = order, d.pickText("ordered by mistake", "no longer needed", `a "strange" reason`)
	case "modify_items":
		a["order_id"], a["item_ids"], a["new_item_ids"] = order, d.drawCodes(), d.drawCodes()
		if d.IntN(2) == 0 {
			a["payment_method_id"] = d.pickText("gift_card_17", "paypal_23", "credit_card_99")
		}
	case "book_reservation":
		a["user_id"], a["cabin"], a["nonfree_baggages"] = "mia_li_3668", d.pickText("economy", "business"), d.drawNumber()
		var paid, flights []any
		for range d.IntN(3) {
			paid = append(paid, map[string]any{"payment_id": d.pickText("gift_card_17", "credit_card_99"), "amount": d.drawNumber()})
			flights = append(flights, map[string]any{"flight_number": d.pickText("HAT1", "HAT2"), "date": d.pickText("2024-05-20", "2024-05-21")})
		}
		a["payment_methods"], a["flights"] = paid, flights
		if d.IntN(3) == 0 {
			a["note"] = strings.Repeat(d.pickText("long ", "longer "), 60)
		}
	case "send_certificate":
		a["user_id"], a["amount"] = "mia_li_3668", d.drawNumber()
	default:
		a["summary"] = "The user wants\nmore."
	}
	return map[string]any{"name": name, "arguments": a}
}

func (d drawing) drawCodes() (all []any) {
	for range 1 + d.IntN(3) {
		all = append(all, d.pickText("1008", "2492", "7453", "9190"))
	}
	return all
}

// changeCalls returns the calls with some of them left out, repeated or redrawn.
func (d drawing) changeCalls(calls []map[string]any) (out []map[string]any) {
	for _, c := range calls {
		switch d.IntN(8) {
		case 0:
		case 1:
			out = append(out, c, c)
		case 2:
			out = append(out, d.drawCall())
		case 3:
			out = append(out, d.changeArgument(c))
		default:
			out = append(out, c)
		}
	}
	if d.IntN(3) == 0 {
		out = append(out, d.drawCall())
	}
	return out
}

// changeArgument returns a call with the same name that has one other argument.
func (d drawing) changeArgument(c map[string]any) map[string]any {
	arguments := map[string]any{}
	for k, v := range c["arguments"].(map[string]any) {
		arguments[k] = v
	}
	for range 20 {
		if other := d.drawCall(); other["name"] == c["name"] {
			for k, v := range other["arguments"].(map[string]any) {
				if d.IntN(2) == 0 {
					arguments[k] = v
				}
			}
			break
		}
	}
	return map[string]any{"name": c["name"], "arguments": arguments}
}

// drawEnvelope returns a request with one run and its reference.
func (d drawing) drawEnvelope() []byte {
	var reference []map[string]any
	for range 1 + d.IntN(4) {
		reference = append(reference, d.drawCall())
	}
	messages := []any{map[string]any{"role": "system", "content": "Be kind. Never cancel an order twice."}}
	say := func(role, text string) { messages = append(messages, map[string]any{"role": role, "content": text}) }
	for i, c := range d.changeCalls(reference) {
		say("user", d.pickText("Please use my PayPal. Not the gift card!", "I have order #W101. It is for business.", "Cancel #W102 and #W103, I no longer needed it.", "I paid 55 for economy.", "Hello."))
		arguments, _ := json.Marshal(c["arguments"])
		id := fmt.Sprint("call", i)
		messages = append(messages,
			map[string]any{"role": "assistant", "content": "", "tool_calls": []any{map[string]any{"id": id, "type": "function", "function": map[string]any{"name": c["name"], "arguments": string(arguments)}}}},
			map[string]any{"role": "tool", "tool_call_id": id, "content": d.pickText("ok", "ok", "ok", "Error: the payment does not add up", "Error: no such thing.\nTry again.")})
	}
	say("assistant", "Done.")
	steps := map[string]any{"steps": reference}
	if d.IntN(3) == 0 {
		steps["says"] = []any{"327"}
	}
	text, _ := json.Marshal(map[string]any{"trace": map[string]any{"messages": messages}, "reference": steps})
	return text
}

// TestStoriesSayWhatIs checks the stories of random runs part by part against the calls
// and the messages.
func TestStoriesSayWhatIs(t *testing.T) {
	kinds := map[string]int{}
	for seed := range uint64(drawn.Cases(1000)) {
		data := drawing{rand.New(rand.NewPCG(seed, 48))}.drawEnvelope()
		for kind, n := range checkStories(t, data, fmt.Sprint("seed ", seed)) {
			kinds[kind] += n
		}
		if t.Failed() {
			t.Fatalf("the input is %s", data)
		}
	}
	for _, kind := range []string{"differs", "extra", "instead", "missing", "unsaid", "found", "refused", "handed-over", "no-change", "tried change", "quote", "try that differs"} {
		if kinds[kind] < 3 {
			t.Errorf("only %d stories have %s: %v", kinds[kind], kind, kinds)
		}
	}
}

// TestStoriesOfTestdata checks the stories of all traces in testdata.
func TestStoriesOfTestdata(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/*/*.json*")
	if err != nil || len(files) < 50 {
		t.Fatal(len(files), err)
	}
	told := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil || len(data) > 1<<20 {
			continue
		}
		for _, text := range splitRecords(data) {
			for _, n := range checkStories(t, text, file) {
				told += n
			}
		}
	}
	if told < 300 {
		t.Errorf("only %d parts of stories were checked", told)
	}
}

// splitRecords returns the lines of a long text of which each can be scored alone, or the
// text. A transcript reads its whole input, so a text of n runs at once takes n times as
// long as its lines.
func splitRecords(data []byte) [][]byte {
	lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
	if len(lines) < 20 {
		return [][]byte{data}
	}
	for _, line := range lines {
		if request, err := core.ReadRequest(line); err != nil || !json.Valid(line) {
			return [][]byte{data}
		} else if _, err := core.Evaluate(request); err != nil {
			return [][]byte{data}
		}
	}
	return lines
}

// checkStories scores a text and checks all its stories. It returns the number of each
// kind.
func checkStories(t *testing.T, data []byte, name string) map[string]int {
	t.Helper()
	kinds := map[string]int{}
	request, err := core.ReadRequest(data)
	if err != nil {
		return kinds
	}
	report, err := core.Evaluate(request)
	if err != nil {
		return kinds
	}
	for i := range report.Trajectories {
		run := &report.Trajectories[i]
		suspected := len(run.Story) > 0 && run.Story[0].Kind == "suspected" // checked by TestSuspectedIsTrue
		if suspected && run.Flagged || !suspected && len(run.Violations) > 0 != (len(run.Story) > 0) {
			t.Errorf("%s: %d findings, %d stories", name, len(run.Violations), len(run.Story))
		}
		for j := range run.Story {
			transcript, err := core.Transcribe(request, run.ID)
			if err != nil {
				t.Fatal(err)
			}
			c := checker{t: t, run: run, talk: &transcript, story: &run.Story[j], name: fmt.Sprintf("%s, run %s, story %d", name, run.ID, j)}
			c.checkStory(kinds)
		}
	}
	return kinds
}

type checker struct {
	t     *testing.T
	run   *core.Trajectory
	talk  *core.Transcript
	story *core.Story
	name  string
}

func (c *checker) reportFault(format string, a ...any) {
	c.t.Helper()
	text, _ := json.Marshal(c.story)
	c.t.Errorf("%s: %s\n%s", c.name, fmt.Sprintf(format, a...), text)
}

func (c *checker) checkStory(kinds map[string]int) {
	c.t.Helper()
	s := c.story
	kinds[s.Kind]++
	c.checkCalls(s.Did, c.run.Observed)
	c.checkCalls(s.Should, c.run.Reference)
	for _, i := range s.Findings {
		if i < 0 || i >= len(c.run.Violations) {
			c.reportFault("finding %d", i)
		}
	}
	switch s.Kind {
	case "differs":
		c.checkDifferences()
	case "extra":
		c.checkPlaces()
		c.checkExtra()
	case "instead":
		c.checkPlaces()
		c.checkInstead()
	case "found":
		c.checkStreak()
	case "missing":
		for _, step := range s.Should {
			if n, held := c.countEqual(&c.run.Reference[step.Index]); n >= held {
				c.reportFault("step %d was done %d times and is in the reference %d times", step.Index, n, held)
			}
		}
	}
	for _, e := range s.Instead {
		kinds[e.Kind]++
		c.checkEvent(&e, kinds)
	}
	if q := s.Because; q != nil {
		kinds["quote"]++
		if q.Message != nil {
			if m := c.talk.Turns[*q.Message]; !strings.Contains(m.Text, q.Text) || q.By == "user" && m.Role != "user" || q.By == "policy" && m.Role != "system" && m.Role != "developer" {
				c.reportFault("message %d, by %s, is %q", *q.Message, m.Role, m.Text)
			}
		}
	}
	c.checkText()
}

// checkInstead checks that no call that came instead is a further try at a step for its order that the
// reference has and that is not among the missing ones.
func (c *checker) checkInstead() {
	c.t.Helper()
	for _, did := range c.story.Did {
		a := &c.run.Observed[did.Index]
		order, _ := valueAt(a.Arguments, "order_id")
		for i := range c.run.Reference {
			r := &c.run.Reference[i]
			other, is := valueAt(r.Arguments, "order_id")
			if is && other == order && r.Name == a.Name && !slices.ContainsFunc(c.story.Should, func(s core.StoryCall) bool { return s.Index == i }) &&
				!slices.ContainsFunc(c.run.Violations, func(v core.Violation) bool { return v.Ref != nil && *v.Ref == i && v.Obs == nil }) {
				c.reportFault("call %d is a try at step %d", did.Index, i)
			}
		}
	}
}

func (c *checker) checkCalls(calls []core.StoryCall, side []core.Action) {
	c.t.Helper()
	for _, call := range calls {
		if call.Index < 0 || call.Index >= len(side) {
			c.reportFault("index %d of %d", call.Index, len(side))
			continue
		}
		a := &side[call.Index]
		if call.Name != a.Name && call.Name != a.Text {
			c.reportFault("%s is %s", call.Name, a.Name)
		}
		for _, o := range call.Object {
			if got, ok := valueAt(a.Arguments, o.Path); !ok || !reflect.DeepEqual(got, decodeJSON(o.Value)) {
				c.reportFault("argument %s is %v, not %s", o.Path, got, o.Value)
			}
		}
	}
}

func (c *checker) checkDifferences() {
	c.t.Helper()
	if len(c.story.Did) != 1 || len(c.story.Should) != 1 || len(c.story.Differs) == 0 {
		c.reportFault("not one pair that differs")
		return
	}
	obs, ref := &c.run.Observed[c.story.Did[0].Index], &c.run.Reference[c.story.Should[0].Index]
	for _, d := range c.story.Differs {
		if d.Path == "" {
			if d.Observed != obs.Text || d.Reference != ref.Text {
				c.reportFault("the texts are not those of the actions")
			}
			continue
		}
		for _, side := range []struct{ arguments, told string }{{obs.Arguments, d.Observed}, {ref.Arguments, d.Reference}} {
			got, ok := valueAt(side.arguments, d.Path)
			if ok != (side.told != "") || ok && !reflect.DeepEqual(got, decodeJSON(side.told)) {
				c.reportFault("argument %s is %v, not %q", d.Path, got, side.told)
			}
		}
		if d.Observed == d.Reference {
			c.reportFault("argument %s does not differ", d.Path)
		}
	}
}

var often = regexp.MustCompile(`^The agent (did this|called (\S+)) (\S+)(?: times)?, and the reference has it (\S+?)(?: times)?\.$`)

var streak = regexp.MustCompile(`^Steps (\d+) to (\d+) are the same call: `)

// checkStreak checks that the steps of which a story says that they are the same are equal.
func (c *checker) checkStreak() {
	c.t.Helper()
	m := streak.FindStringSubmatch(c.story.Text[len(c.story.Text)-1])
	if m == nil {
		return
	}
	first, _ := strconv.Atoi(m[1])
	last, _ := strconv.Atoi(m[2])
	for i := first; i < last; i++ {
		if a, b := &c.run.Observed[i-1], &c.run.Observed[i]; a.Name != b.Name || !reflect.DeepEqual(decodeJSON(a.Arguments), decodeJSON(b.Arguments)) {
			c.reportFault("steps %d and %d differ", i, i+1)
		}
	}
}

var alike = regexp.MustCompile(`^The same call at step (\d+) did what the reference has\.$`)

// checkExtra checks the sentence that says why calls are extra against counts.
func (c *checker) checkExtra() {
	c.t.Helper()
	first := &c.run.Observed[c.story.Did[0].Index]
	done, held := c.countEqual(first)
	why := c.story.Text[1]
	if m := often.FindStringSubmatch(why); m != nil {
		if m[2] != "" {
			done, held = 0, 0
			for i := range c.run.Observed {
				if b := &c.run.Observed[i]; b.Name == m[2] && !b.Error && !b.Proposed {
					done++
				}
			}
			for i := range c.run.Reference {
				if c.run.Reference[i].Name == m[2] {
					held++
				}
			}
		}
		number := func(s string) int {
			n, _ := strconv.Atoi(strings.NewReplacer("once", "1", "twice", "2").Replace(s))
			return n
		}
		if number(m[3]) != done || number(m[4]) != held || done <= held {
			c.reportFault("done %d times, in the reference %d times", done, held)
		}
		return
	}
	if m := alike.FindStringSubmatch(why); m != nil {
		step, _ := strconv.Atoi(m[1])
		row := slices.IndexFunc(c.run.Alignment, func(r core.Row) bool { return r.Obs != nil && *r.Obs == step-1 })
		other := &c.run.Observed[step-1]
		if row < 0 || c.run.Alignment[row].Verdict == "violation" || other.Name != first.Name || !reflect.DeepEqual(decodeJSON(other.Arguments), decodeJSON(first.Arguments)) {
			c.reportFault("step %d is another call", step)
		}
		return
	}
	if m := heldAlike.FindStringSubmatch(why); m != nil {
		times, alike := strings.NewReplacer("once", "1", "twice", "2", " times", "").Replace(m[1]), 0
		for i := range c.run.Reference {
			if b := &c.run.Reference[i]; b.Name == first.Name {
				alike++
			}
		}
		if n, _ := strconv.Atoi(times); n < 1 || n > alike || held > 0 {
			c.reportFault("the reference has %d calls of the tool, and %d that are equal", alike, held)
		}
		return
	}
	if strings.HasSuffix(why, "this call.") || strings.HasSuffix(why, "these calls.") {
		if held > 0 {
			c.reportFault("the reference has call %d", c.story.Did[0].Index)
		}
		for _, did := range c.story.Did {
			for i := range c.run.Reference {
				if c.namesOneThing(did, &c.run.Reference[i]) {
					c.reportFault("the reference has the tool of call %d for the same thing", did.Index)
				}
			}
		}
	}
}

// namesOneThing reports whether a step has the tool of a call and the thing of it, which is no person.
func (c *checker) namesOneThing(did core.StoryCall, step *core.Action) bool {
	if step.Name != c.run.Observed[did.Index].Name || len(did.Object) != 1 || strings.HasPrefix(did.Object[0].Path, "user") {
		return false
	}
	thing, ok := valueAt(step.Arguments, did.Object[0].Path)
	return ok && reflect.DeepEqual(thing, decodeJSON(did.Object[0].Value))
}

var heldAlike = regexp.MustCompile(`^The reference has (?:this call|the call of step \d+) (\S+(?: times)?), with`)

// countEqual counts the successful actions and the reference steps that equal a call.
func (c *checker) countEqual(a *core.Action) (done, held int) {
	same := func(b *core.Action) bool {
		return a.Name == b.Name && a.Text == b.Text && reflect.DeepEqual(decodeJSON(a.Arguments), decodeJSON(b.Arguments))
	}
	for i := range c.run.Observed {
		if b := &c.run.Observed[i]; !b.Error && !b.Proposed && same(b) {
			done++
		}
	}
	for i := range c.run.Reference {
		if same(&c.run.Reference[i]) {
			held++
		}
	}
	return done, held
}

func (c *checker) checkEvent(e *core.Event, kinds map[string]int) {
	c.t.Helper()
	if e.Kind == "no-change" {
		for i := range c.run.Observed {
			if a := &c.run.Observed[i]; a.Mutating != "no" && !a.Control && !a.Error && !a.Proposed && !c.talk.Steps[i].User {
				c.reportFault("action %d may change something", i)
			}
		}
		if e.Action == nil {
			return
		}
		kinds["tried change"]++
		c.checkTried(*e.Action)
	}
	a, step := &c.run.Observed[*e.Action], &c.talk.Steps[*e.Action]
	if len(e.Differs) > 0 {
		kinds["try that differs"]++
		c.checkTry(a, e.Differs)
	}
	switch e.Kind {
	case "refused", "no-change":
		if !a.Error || step.Answer == nil || !strings.Contains(*step.Answer, e.Text) {
			c.reportFault("action %d was not refused so", *e.Action)
		}
	case "handed-over":
		if !a.Control || a.Error || !strings.Contains(a.Name, "human") || *e.Action != len(c.run.Observed)-1 {
			c.reportFault("action %d is no hand-over at the end", *e.Action)
		}
	case "proposed":
		if !a.Proposed {
			c.reportFault("action %d was executed", *e.Action)
		}
	}
}

var failedTimes = regexp.MustCompile(`^It changed nothing: (\S+) failed(?: (\S+?)(?: times)?, the last time)? at step (\d+)`)

// checkTried checks how often a call is said to have failed where nothing was changed, and at which step last.
func (c *checker) checkTried(last int) {
	c.t.Helper()
	name, n := c.run.Observed[last].Name, 0
	for i := range c.run.Observed {
		if a := &c.run.Observed[i]; a.Name == name && a.Error && !a.Proposed && !c.talk.Steps[i].User {
			if n++; i > last && !slices.ContainsFunc(c.story.Instead, func(e core.Event) bool { return e.Action != nil && *e.Action == i }) {
				c.reportFault("step %d failed later", i+1)
			}
		}
	}
	for _, line := range c.story.Text {
		if m := failedTimes.FindStringSubmatch(line); m != nil {
			said := map[string]int{"": 1, "twice": 2}[m[2]]
			if said == 0 {
				said, _ = strconv.Atoi(m[2])
			}
			if m[1] != name || said != n || m[3] != strconv.Itoa(last+1) {
				c.reportFault("%s failed %d times, the last time at step %d", name, n, last+1)
			}
			return
		}
	}
	c.reportFault("the tried change is not told")
}

// checkTry checks that a failed call has one side of each difference, and a missing step of
// the same name the other side.
func (c *checker) checkTry(a *core.Action, differs []core.Evidence) {
	c.t.Helper()
	has := func(b *core.Action, side func(e core.Evidence) string) bool {
		for _, e := range differs {
			got, ok := valueAt(b.Arguments, e.Path)
			if told := side(e); ok != (told != "") || ok && !reflect.DeepEqual(got, decodeJSON(told)) {
				return false
			}
		}
		return true
	}
	found := false
	for _, s := range c.story.Should {
		step := &c.run.Reference[s.Index]
		found = found || step.Name == a.Name && has(step, func(e core.Evidence) string { return e.Reference })
	}
	if !found || !has(a, func(e core.Evidence) string { return e.Observed }) {
		c.reportFault("the try differs otherwise: %+v", differs)
	}
}

var places = regexp.MustCompile(`(?:^At|; at) steps? ([0-9 ,to]+(?:and [0-9 to]+)?)(?:,| the agent)`)

// checkPlaces checks that the steps which a sentence names are those of the story.
func (c *checker) checkPlaces() {
	c.t.Helper()
	did := map[int]bool{}
	for _, call := range c.story.Did {
		did[call.Index+1] = true
	}
	for _, m := range places.FindAllStringSubmatch(c.story.Text[0], -1) {
		for _, part := range strings.FieldsFunc(strings.ReplaceAll(m[1], " and ", ","), func(r rune) bool { return r == ',' }) {
			from, to, many := strings.Cut(strings.TrimSpace(part), " to ")
			if !many {
				to = from
			}
			a, errA := strconv.Atoi(from)
			b, errB := strconv.Atoi(to)
			for i := a; i <= b; i++ {
				if !did[i] {
					c.reportFault("step %d is named", i)
				}
			}
			if errA != nil || errB != nil {
				c.reportFault("steps %q", part)
			}
		}
	}
}

var coded = regexp.MustCompile(`[#\pL\pN_./:-]*[0-9_][#\pL\pN_./:-]*`)

// checkText checks that each word with a digit or an underscore in a story's sentences
// stands in the run, in the reference or in a reason, or counts something, and that
// nothing was cut.
func (c *checker) checkText() {
	c.t.Helper()
	var b strings.Builder
	for _, side := range [][]core.Action{c.run.Observed, c.run.Reference} {
		for i := range side {
			b.WriteString(side[i].Name + " " + side[i].Arguments + " " + side[i].Text + "\n")
			b.WriteString(spellStrings(decodeJSON(side[i].Arguments)))
		}
	}
	for i := range c.talk.Turns {
		b.WriteString(c.talk.Turns[i].Text + "\n")
	}
	for i := range c.talk.Steps {
		if a := c.talk.Steps[i].Answer; a != nil {
			b.WriteString(*a + "\n")
		}
	}
	for i := range c.run.Violations {
		b.WriteString(c.run.Violations[i].Reason + "\n")
		for _, e := range c.run.Violations[i].Evidence {
			b.WriteString(e.Reference + "\n")
		}
	}
	raw := b.String()
	for _, line := range c.story.Text {
		if m := parted.FindStringSubmatch(line); m != nil {
			c.checkParted(m)
			continue
		}
		if line == "" || strings.Contains(line, "…") && !strings.Contains(raw, "…") {
			c.reportFault("the line %q", line)
		}
		for _, word := range coded.FindAllString(line, -1) {
			word = strings.Trim(word, ".:")
			if n, err := strconv.Atoi(word); err == nil && n <= 4096 {
				continue // a step, a message or a count
			}
			if !strings.Contains(raw, word) {
				c.reportFault("%q stands nowhere", word)
			}
		}
	}
}

var parted = regexp.MustCompile(`^From character (\d+) on, (.+) has “(.*)” instead of “(.*)”\.$`)

// checkParted checks that the place and both parts are those of one argument of the story: up to the place the
// texts are equal, and there they differ.
func (c *checker) checkParted(m []string) {
	c.t.Helper()
	at, _ := strconv.Atoi(m[1])
	for _, d := range c.story.Differs {
		x, okX := decodeJSON(d.Observed).(string)
		y, okY := decodeJSON(d.Reference).(string)
		a, b := []rune(x), []rune(y)
		if !okX || !okY || at > min(len(a), len(b))+1 || string(a[:at-1]) != string(b[:at-1]) || at <= min(len(a), len(b)) && a[at-1] == b[at-1] {
			continue
		}
		blank := func(s string) string { return strings.Join(strings.Fields(s), " ") }
		if strings.Contains(blank(x), blank(strings.Trim(m[3], "…"))) && strings.Contains(blank(y), blank(strings.Trim(m[4], "…"))) {
			return
		}
	}
	c.reportFault("%q is no place where an argument differs", m[0])
}

// spellStrings returns all strings of a value, a line each.
func spellStrings(v any) string {
	switch v := v.(type) {
	case string:
		return v + "\n"
	case []any:
		var b strings.Builder
		for _, e := range v {
			b.WriteString(spellStrings(e))
		}
		return b.String()
	case map[string]any:
		var b strings.Builder
		for _, e := range v {
			b.WriteString(spellStrings(e))
		}
		return b.String()
	}
	return ""
}

func decodeJSON(text string) (v any) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return text
	}
	return v
}

// valueAt walks a path such as a.b[1].c. A null counts as absent.
func valueAt(arguments, path string) (any, bool) {
	v := decodeJSON(arguments)
	for _, step := range strings.FieldsFunc(strings.ReplaceAll(path, "[", ".["), func(r rune) bool { return r == '.' }) {
		if index, ok := strings.CutPrefix(step, "["); ok {
			n, err := strconv.Atoi(strings.TrimSuffix(index, "]"))
			list, isList := v.([]any)
			if err != nil || !isList || n >= len(list) {
				return nil, false
			}
			v = list[n]
			continue
		}
		object, isObject := v.(map[string]any)
		if !isObject {
			return nil, false
		}
		if v = object[step]; v == nil {
			return nil, false
		}
	}
	return v, true
}
