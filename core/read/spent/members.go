// Package spent reads what a trace says of the time, the tokens and the money that its steps
// took, and of the agents that made them.
package spent

import (
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// What a step took is told by members of the record of the step: its message, its span, its
// event, or an object with the usage inside of those. The law of this file: one table says
// for all formats which members these are and in which unit they are. A number in a unit that
// is not known is not read.

// Collected collects what the members of a record say.
type Collected struct {
	trajectory.Spent
	end    *float64 // seconds since 1970
	cached float64  // tokens from a cache that input does not have, as Anthropic counts them
	said   bool
}

// Note adds what a member says to *s, which may be nil.
func Note(s **Collected, key string, v jsonval.Value) {
	if *s == nil {
		*s = &Collected{}
	}
	(*s).NoteMember(key, v)
}

// Of returns what the members of an object say; nil if they say nothing.
func Of(o *shape.Object) *trajectory.Spent {
	var s Collected
	for i, key := range o.Keys {
		s.NoteMember(key, o.Values[i])
	}
	return s.Result()
}

// OfRun returns what the record around a whole run says that the run took; nil if it says
// nothing. seconds is the member with its duration, in a format that is known to have one.
func OfRun(o *shape.Object, seconds string) *trajectory.Spent {
	var s Collected
	for i, key := range o.Keys {
		switch v := o.Values[i]; key {
		case "model_stats": // of SWE-agent
			s.addInner(statsOf(v))
		case "model_usage": // of Inspect, by model
			var all Collected
			v.Each(func(_ string, m jsonval.Value) bool {
				var one Collected
				m.Each(func(name string, n jsonval.Value) bool { one.noteUsage(name, n); return true })
				all.AddCounts(one.Result())
				all.said = all.said || one.said
				return true
			})
			s.addInner(&all)
		case seconds:
			s.setNumber(&s.Seconds, v)
		default:
			s.NoteMember(key, v)
		}
	}
	if out := s.Result(); out != nil && (out.Counts() || out.Seconds != nil) {
		out.Start, out.Agent = nil, ""
		return out
	}
	return nil
}

// statsOf reads the statistics of SWE-agent. Their total cost is that of all runs until then.
func statsOf(v jsonval.Value) *Collected {
	var s Collected
	v.Each(func(name string, m jsonval.Value) bool {
		if name != "total_cost" {
			s.noteUsage(name, m)
		}
		return true
	})
	return &s
}

// NoteMember adds what a member with this name says. The first of several members that say
// the same counts. It does nothing for any other member.
func (s *Collected) NoteMember(key string, v jsonval.Value) {
	switch key {
	case "usage", "usage_metadata", "usageMetadata", "tokenUsage", "token_usage", "tokens", "metrics", "usageDetails", "usage_details", "token_counts", "stats":
		if v.Kind() == jsonval.Object {
			inner := Collected{}
			v.Each(func(name string, m jsonval.Value) bool { inner.noteUsage(name, m); return true })
			s.addInner(&inner)
		}
	case "response_metadata", "responseMetadata", "llm_metrics":
		v.Each(func(name string, m jsonval.Value) bool { s.NoteMember(name, m); return true })
	case "time":
		if v.Kind() == jsonval.Object { // opencode
			v.Each(func(name string, m jsonval.Value) bool { s.noteTime(name, m); return true })
			return
		}
		s.noteTime("start", v)
	case "agent", "agent_name", "agentName":
		if name, ok := v.Str(); ok && s.Agent == "" && len(name) <= longestName {
			s.Agent, s.said = name, s.said || name != ""
		}
	case "cost", "cost_usd", "costUSD", "costUsd", "total_cost", "totalCost", "total_cost_usd", "calculatedTotalCost", "calculated_total_cost", "response_cost", "instance_cost", "accumulated_cost", "estimated_cost", "cost_in_usd":
		if v.Kind() == jsonval.Object {
			v = v.Get("total")
		}
		s.setNumber(&s.Cost, v)
	case "created": // of a stored answer, which may be another clock's
	default:
		if !s.noteTime(key, v) {
			s.noteDuration(key, v)
		}
	}
}

// CountedNames are the members with tokens or money that NoteMember knows.
var CountedNames = jsonval.NewNames(strings.Fields("usage usage_metadata usageMetadata tokenUsage token_usage tokens metrics usageDetails usage_details token_counts stats cost cost_usd costUSD costUsd total_cost totalCost total_cost_usd calculatedTotalCost calculated_total_cost response_cost accumulated_cost estimated_cost cost_in_usd")...)

// longestName is the length of the longest name of an agent, in bytes.
const longestName = 100

// noteTime adds a time, and reports whether the member is one.
func (s *Collected) noteTime(key string, v jsonval.Value) bool {
	switch key {
	case "timestamp", "start", "created", "started_at", "startedAt", "start_time", "startTime", "start_timestamp", "startTimestamp", "created_at", "createdAt", "startTimeUnixNano", "start_time_unix_nano":
		if s.Start == nil {
			s.Start = timeOf(v)
			s.said = s.said || s.Start != nil
		}
	case "end", "completed", "ended_at", "endedAt", "end_time", "endTime", "end_timestamp", "endTimestamp", "completed_at", "completedAt", "finished_at", "finishedAt", "endTimeUnixNano", "end_time_unix_nano":
		if s.end == nil {
			s.end = timeOf(v)
		}
	default:
		return false
	}
	return true
}

// noteDuration adds a duration whose name says its unit.
func (s *Collected) noteDuration(key string, v jsonval.Value) {
	if s.Seconds != nil || len(key) < 7 || len(key) > 24 {
		return
	}
	scale := 1.0
	switch key {
	case "duration_ms", "durationMs", "latency_ms", "latencyMs", "elapsed_ms", "elapsedMs", "execution_time_ms", "executionTimeMs":
		scale = 1e-3
	case "duration_s", "duration_seconds", "durationSeconds", "latency_s", "latency_seconds", "latencySeconds", "elapsed_seconds", "elapsedSeconds", "execution_time_seconds":
	default:
		return
	}
	if n, ok := v.Float(); ok && n >= 0 {
		n *= scale
		s.Seconds, s.said = &n, true
	}
}

// noteUsage adds a member of an object with the usage.
func (s *Collected) noteUsage(key string, v jsonval.Value) {
	switch key {
	case "input_tokens", "inputTokens", "prompt_tokens", "promptTokens", "promptTokenCount", "prompt_token_count", "input", "prompt", "tokensIn", "tokens_sent":
		s.setNumber(&s.Input, v)
	case "output_tokens", "outputTokens", "completion_tokens", "completionTokens", "candidatesTokenCount", "candidates_token_count", "output", "completion", "tokensOut", "tokens_received":
		s.setNumber(&s.Output, v)
	case "total_tokens", "totalTokens", "totalTokenCount", "total_token_count", "total", "tokens":
		s.setNumber(&s.Tokens, v)
	case "cache_read_input_tokens", "cache_creation_input_tokens":
		if n, ok := v.Float(); ok && n > 0 {
			s.cached += n
		}
	default:
		s.NoteMember(key, v)
	}
}

// noteAttribute adds an attribute of a span with one of the names that OpenTelemetry's
// conventions, OpenInference and frameworks have.
func (s *Collected) noteAttribute(key string, v jsonval.Value) {
	switch key {
	case "gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt", "ai.usage.inputTokens", "ai.usage.promptTokens", "llm.usage.prompt_tokens":
		s.setNumber(&s.Input, v)
	case "gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion", "ai.usage.outputTokens", "ai.usage.completionTokens", "llm.usage.completion_tokens":
		s.setNumber(&s.Output, v)
	case "gen_ai.usage.total_tokens", "llm.token_count.total", "ai.usage.totalTokens", "llm.usage.total_tokens":
		s.setNumber(&s.Tokens, v)
	case "gen_ai.usage.cost", "gen_ai.usage.total_cost", "llm.cost.total", "langfuse.observation.cost_details.total":
		s.setNumber(&s.Cost, v)
	case "gen_ai.agent.name", "agent.name", "agent_name":
		s.NoteMember("agent", v)
	case "usage":
		s.NoteMember(key, v)
	}
}

// setNumber sets a number that is not known yet. Encoders write large numbers as text.
func (s *Collected) setNumber(to **float64, v jsonval.Value) {
	if *to != nil {
		return
	}
	if n, ok := readNumber(v); ok && n >= 0 && n < 1e15 {
		*to, s.said = &n, true
	}
}

// readNumber returns a number, or the number in a text.
func readNumber(v jsonval.Value) (float64, bool) {
	if n, ok := v.Float(); ok {
		return n, true
	}
	if s, ok := v.Str(); ok && s != "" && strings.Trim(s, "0123456789.") == "" {
		if inner, err := jsonval.Parse(s); err == nil {
			return inner.Float()
		}
	}
	return 0, false
}

// addInner adds what the usage inside of a record says, where the record says nothing.
func (s *Collected) addInner(inner *Collected) {
	for _, part := range [...]struct{ to, from **float64 }{
		{&s.Input, &inner.Input}, {&s.Output, &inner.Output}, {&s.Tokens, &inner.Tokens}, {&s.Cost, &inner.Cost}, {&s.Start, &inner.Start}, {&s.end, &inner.end}, {&s.Seconds, &inner.Seconds},
	} {
		if *part.to == nil {
			*part.to = *part.from
		}
	}
	if s.cached == 0 {
		s.cached = inner.cached
	}
	s.said = s.said || inner.said
}

// Result returns what was said; nil if nothing was.
func (s *Collected) Result() *trajectory.Spent {
	if s == nil || !s.said {
		return nil
	}
	out := s.Spent
	if out.Seconds == nil && out.Start != nil && s.end != nil && *s.end >= *out.Start {
		took := *s.end - *out.Start
		out.Seconds = &took
	}
	if s.cached > 0 && out.Input != nil && (out.Tokens == nil || out.Output == nil || *out.Tokens > *out.Input+*out.Output) {
		all := *out.Input + s.cached
		out.Input = &all
	}
	if out.Tokens == nil && out.Input != nil && out.Output != nil {
		both := *out.Input + *out.Output
		out.Tokens = &both
	}
	return &out
}

// timeOf returns a time in seconds since 1970, from a number of seconds, milliseconds,
// microseconds or nanoseconds since then, or from an ISO date. Other numbers, such as the
// seconds since the start of a run, are no time. A date without a zone is taken as UTC.
func timeOf(v jsonval.Value) *float64 {
	if n, ok := readNumber(v); ok {
		for _, unit := range [...]float64{1, 1e3, 1e6, 1e9} {
			if s := n / unit; s >= firstYear && s < lastYear {
				return &s
			}
		}
		return nil
	}
	text, ok := v.Str()
	if !ok || len(text) < len("2006-01-02T15:04") || text[4] != '-' {
		return nil
	}
	for _, form := range [...]string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999"} {
		if t, err := time.Parse(form, text); err == nil {
			s := float64(t.UnixNano()) / 1e9
			return &s
		}
	}
	return nil
}

// The first and the last second of the years 1990 to 2100.
const firstYear, lastYear = 631152000, 4133980800
