package trajectory

// Spent is what a source says of the time, the tokens and the money that one step took, and
// of the agent that made it. A member is nil or empty if the source does not say it, which is
// not the same as 0.
type Spent struct {
	Start   *float64 `json:"start,omitempty"`        // seconds since 1970 UTC
	Seconds *float64 `json:"seconds,omitempty"`      // how long it took
	Input   *float64 `json:"inputTokens,omitempty"`  // tokens that the model read, with those from a cache
	Output  *float64 `json:"outputTokens,omitempty"` // tokens that the model wrote
	Tokens  *float64 `json:"tokens,omitempty"`       // both, or what the source says of both
	Cost    *float64 `json:"cost,omitempty"`         // USD
	Agent   string   `json:"agent,omitempty"`        // the name of the agent that made the step
	Parent  string   `json:"parent,omitempty"`       // the agent that gave the work to this one
}

// Counts reports whether something of s is counted in a total: tokens or money.
func (s *Spent) Counts() bool {
	return s != nil && (s.Input != nil || s.Output != nil || s.Tokens != nil || s.Cost != nil)
}

// Timing returns s without what is counted in a total, or nil if nothing is left.
func (s *Spent) Timing() *Spent {
	if s == nil || s.Start == nil && s.Seconds == nil && s.Agent == "" {
		return nil
	}
	return &Spent{Start: s.Start, Seconds: s.Seconds, Agent: s.Agent, Parent: s.Parent}
}

// Over returns s, with what outer says where s says nothing. Either may be nil.
func (s *Spent) Over(outer *Spent) *Spent {
	if s == nil || outer == nil {
		if s == nil {
			return outer
		}
		return s
	}
	out := *s
	if out.Start == nil {
		out.Start = outer.Start
	}
	if out.Seconds == nil {
		out.Seconds = outer.Seconds
	}
	if !out.Counts() {
		out.Input, out.Output, out.Tokens, out.Cost = outer.Input, outer.Output, outer.Tokens, outer.Cost
	} else if out.Cost == nil {
		out.Cost = outer.Cost
	}
	if out.Agent == "" {
		out.Agent, out.Parent = outer.Agent, outer.Parent
	}
	return &out
}

// AddCounts adds the tokens and the money of other to s.
func (s *Spent) AddCounts(other *Spent) {
	if other == nil {
		return
	}
	AddTo(&s.Input, other.Input)
	AddTo(&s.Output, other.Output)
	AddTo(&s.Tokens, other.Tokens)
	AddTo(&s.Cost, other.Cost)
}

// AddTo adds a number that may be unknown to a sum, which is nil as long as no number is known.
func AddTo(sum **float64, n *float64) {
	switch {
	case n == nil:
	case *sum == nil:
		known := *n
		*sum = &known
	default:
		both := **sum + *n
		*sum = &both
	}
}
