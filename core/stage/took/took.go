// Package took adds up what the parts of a run took, and says it in words. The law: each total
// is the sum of what the parts say, each part counts once, and what no part says is absent,
// never 0.
package took

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/stage/sentences"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// Totals are the sums over a run. A member that is nil is recorded for no part.
type Totals struct {
	Text    []string         // the totals in words, with what is not recorded
	Sum     trajectory.Spent // Seconds are those of the calls; it has no start
	Elapsed *float64         // seconds from the first to the last recorded moment
	Rest    *trajectory.Spent
	Whole   []string // the JSON names of the members that the source says of the whole run only
	Agents  []string // of the calls, in the order of their first ones; nil for one agent

	first, last float64 // moments
	timed       int     // calls with a duration
}

// Of returns what each action of a run took, with the tokens of the answer that made it, and
// the totals. Of several calls of one answer, the first has its tokens. Both are nil if the
// source says nothing. O(messages + actions).
func Of(t *trajectory.Trajectory) (steps []trajectory.Spent, total *Totals) {
	if isSilent(t) {
		return nil, nil
	}
	steps = make([]trajectory.Spent, len(t.Actions))
	sum := &Totals{first: math.Inf(1), last: math.Inf(-1)}
	counted := map[int]bool{} // messages whose tokens a call has
	for i := range t.Actions {
		a, own := &t.Actions[i], &steps[i]
		if a.Spent != nil {
			*own = *a.Spent
		}
		if m := a.Message; m >= 0 && !counted[m] {
			counted[m] = true
			own.AddCounts(t.Messages[m].Spent)
		}
		sum.addStep(own)
	}
	rest := t.Spent
	for m := range t.Messages {
		if !counted[m] {
			rest.AddCounts(t.Messages[m].Spent)
		}
		sum.addMoments(t.Messages[m].Spent)
	}
	if rest.Counts() {
		sum.Sum.AddCounts(&rest)
		sum.Rest = &rest
	}
	if sum.addWhole(t.Whole); len(sum.Agents) < 2 {
		sum.Agents = nil
	}
	if took := sum.last - sum.first; took > 0 && !math.IsInf(took, 0) {
		sum.Elapsed = &took
	}
	if !sum.Sum.Counts() && sum.Sum.Seconds == nil && sum.Elapsed == nil && sum.Agents == nil && !t.Uncounted {
		return steps, nil
	}
	sum.Text = sum.sayTotals(t)
	return steps, sum
}

// isSilent reports whether the source says nothing, as most do.
func isSilent(t *trajectory.Trajectory) bool {
	if t.Whole != nil || t.Uncounted || t.Spent.Counts() {
		return false
	}
	for i := range t.Messages {
		if t.Messages[i].Spent != nil {
			return false
		}
	}
	for i := range t.Actions {
		if t.Actions[i].Spent != nil {
			return false
		}
	}
	return true
}

func (s *Totals) addStep(own *trajectory.Spent) {
	s.Sum.AddCounts(own)
	trajectory.AddTo(&s.Sum.Seconds, own.Seconds)
	if s.addMoments(own); own.Seconds != nil {
		s.timed++
	}
	if own.Agent != "" && !slices.Contains(s.Agents, own.Agent) {
		s.Agents = append(s.Agents, own.Agent)
	}
}

func (s *Totals) addMoments(own *trajectory.Spent) {
	if own == nil || own.Start == nil {
		return
	}
	end := *own.Start
	if own.Seconds != nil {
		end += *own.Seconds
	}
	s.first, s.last = min(s.first, *own.Start), max(s.last, end)
}

// addWhole takes what the source says of the whole run where no part says anything.
func (s *Totals) addWhole(whole *trajectory.Spent) {
	if whole == nil {
		return
	}
	takeMember := func(name string, to **float64, from *float64) {
		if *to == nil && from != nil {
			*to = from
			s.Whole = append(s.Whole, name)
		}
	}
	if s.Sum.Input == nil && s.Sum.Output == nil && s.Sum.Tokens == nil {
		takeMember("inputTokens", &s.Sum.Input, whole.Input)
		takeMember("outputTokens", &s.Sum.Output, whole.Output)
		takeMember("tokens", &s.Sum.Tokens, whole.Tokens)
	}
	takeMember("cost", &s.Sum.Cost, whole.Cost)
	if s.last <= s.first {
		takeMember("elapsed", &s.Elapsed, whole.Seconds)
	}
}

// sayTotals says the totals, and what is not recorded.
func (s *Totals) sayTotals(r *trajectory.Trajectory) (text []string) {
	t, calls := &s.Sum, len(r.Actions)
	sayWhole := func(name, said string) string {
		if slices.ContainsFunc(s.Whole, func(member string) bool { return strings.HasSuffix(strings.ToLower(member), strings.ToLower(name)) }) {
			return said + ", as the trace says of the whole run"
		}
		return said
	}
	var missing []string
	switch {
	case s.Elapsed != nil && t.Seconds != nil:
		text = append(text, fmt.Sprintf("Time: %s; %s in %d of %d calls", sayWhole("elapsed", durationText(*s.Elapsed)), durationText(*t.Seconds), s.timed, calls))
	case s.Elapsed != nil:
		text = append(text, "Time: "+sayWhole("elapsed", durationText(*s.Elapsed)))
	case t.Seconds != nil:
		text = append(text, fmt.Sprintf("Time: %s in %d of %d calls", durationText(*t.Seconds), s.timed, calls))
	default:
		missing = append(missing, "time")
	}
	least := ""
	if r.Uncounted {
		least = "at least "
	}
	tokens := ""
	switch {
	case t.Input != nil && t.Output != nil:
		tokens = countText(*t.Input) + " read and " + countText(*t.Output) + " written"
	case t.Tokens != nil:
		tokens = countText(*t.Tokens)
	case t.Input != nil:
		tokens = countText(*t.Input) + " read"
	case t.Output != nil:
		tokens = countText(*t.Output) + " written"
	}
	switch {
	case tokens != "":
		text = append(text, "Tokens: "+sayWhole("Tokens", least+tokens))
	case !r.Uncounted:
		missing = append(missing, "tokens")
	}
	switch {
	case t.Cost != nil:
		text = append(text, "Cost: "+sayWhole("cost", least+strconv.FormatFloat(*t.Cost, 'f', costDigits(*t.Cost), 64)+" USD"))
	case !r.Uncounted:
		missing = append(missing, "cost")
	}
	switch {
	case r.Uncounted && tokens == "" && t.Cost == nil:
		text = append(text, "Tokens or costs are recorded, and it is not known of which answers")
	case r.Uncounted:
		text = append(text, "More tokens or costs are recorded, and it is not known whether they are of other answers")
	}
	if len(s.Agents) > 0 {
		text = append(text, "Agents: "+sentences.List(s.Agents))
	}
	if len(missing) > 0 {
		text = append(text, "Not recorded: "+strings.Join(missing, ", "))
	}
	return text
}

// StepText says what a step took, and which step it tries again, as an index; -1 for none. It returns ""
// if nothing is known.
func StepText(s *trajectory.Spent, again int) string {
	var parts []string
	if s.Agent != "" {
		parts = append(parts, s.Agent)
	}
	if s.Seconds != nil {
		parts = append(parts, durationText(*s.Seconds))
	}
	if s.Tokens != nil {
		unit := " tokens"
		if *s.Tokens == 1 {
			unit = " token"
		}
		parts = append(parts, countText(*s.Tokens)+unit)
	}
	if s.Cost != nil {
		parts = append(parts, strconv.FormatFloat(*s.Cost, 'f', costDigits(*s.Cost), 64)+" USD")
	}
	if again >= 0 {
		parts = append(parts, "tries step "+strconv.Itoa(again+1)+" again")
	}
	return strings.Join(parts, ", ")
}

// durationText says a number of seconds.
func durationText(s float64) string {
	switch {
	case s < 1:
		return fmt.Sprintf("%.0f ms", 1000*s)
	case s < 60:
		return fmt.Sprintf("%.1f s", s)
	case s < 3600:
		return fmt.Sprintf("%d min %02d s", int(s)/60, int(s)%60)
	}
	return fmt.Sprintf("%d h %02d min", int(s)/3600, int(s)%3600/60)
}

// costDigits returns the number of decimals with which an amount is not rounded to 0.
func costDigits(usd float64) int {
	if usd > 0 && usd < 0.01 {
		return 6
	}
	return 4
}

// countText writes a whole number with commas.
func countText(n float64) string {
	digits := strconv.FormatFloat(n, 'f', 0, 64)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// Retries returns for each action the index of the failed action that it tries again, or -1: the
// last one with the same call, or else the one directly before it of the same tool, if their commands
// or their code are nearly the same. It is nil if no action failed. The trace of each has its arguments.
func Retries(all []boundary.Action) []int {
	var out []int
	var open map[string]int // the last failed action with a key
	for i := range all {
		a := &all[i]
		if open != nil {
			from, known := open[a.Key]
			if !known && i > 0 && all[i-1].Failed && !all[i-1].Proposed && all[i-1].Name == a.Name && triesProgram(a, &all[i-1]) {
				from, known = i-1, true
			}
			if known && a.Text == "" && !a.Unrecorded {
				out[i] = from
			}
			delete(open, a.Key)
		}
		if !a.Failed || a.Proposed {
			continue
		}
		if open == nil {
			open, out = map[string]int{}, slices.Repeat([]int{-1}, len(all))
		}
		open[a.Key] = i
	}
	return out
}
