package spent

import (
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// Span is a span of a trace, with what Settle finds out of it.
type Span struct {
	ID, Name, Kind string
	Object         *shape.Object
	Keys           []string // attributes
	Values         []jsonval.Value

	Said   *trajectory.Spent // nil for nothing
	parent string
	sum    bool // its tokens are those of the spans inside of it
}

// deepest is the largest number of spans around a span that Settle looks at.
const deepest = 24

// Settle reads what the spans of a trace took. Tokens of a span count only if no span inside
// of it has some, because those of an outer span are their sum, and a span that is written
// twice counts once. The agent of a span is the nearest one around it. O(spans).
func Settle(spans []Span) {
	byID := map[string]*Span{}
	for i := range spans {
		s := &spans[i]
		s.readMembers()
		switch {
		case s.ID == "":
		case byID[s.ID] != nil:
			s.Said = s.Said.Timing()
		default:
			byID[s.ID] = s
		}
	}
	for i := range spans {
		s := &spans[i]
		counts, depth := s.Said.Counts(), 0
		for up := byID[s.parent]; up != nil && up != s && depth < deepest; up, depth = byID[up.parent], depth+1 {
			up.sum = up.sum || counts
			s.nameAgent(up)
		}
	}
	for i := range spans {
		if spans[i].sum {
			spans[i].Said = spans[i].Said.Timing()
		}
	}
}

// nameAgent takes the agent of a span around s: as its own if it has none, or as the one that
// gave it the work.
func (s *Span) nameAgent(up *Span) {
	if up.Said == nil || up.Said.Agent == "" {
		return
	}
	own := trajectory.Spent{}
	if s.Said != nil {
		own = *s.Said
	}
	switch {
	case own.Agent == "":
		own.Agent, own.Parent = up.Said.Agent, ""
	case own.Parent == "" && own.Agent != up.Said.Agent:
		own.Parent = up.Said.Agent
	default:
		return
	}
	s.Said = &own
}

func (s *Span) readMembers() {
	o := s.Object
	s.parent = o.FirstText("parentSpanId parent_span_id parentSpanID parent_id parentId parent_run_id parentObservationId parent_observation_id")
	if s.parent == "" { // Jaeger
		s.parent = shape.OpenObject(shape.FirstElement(o.Get("references"))).FirstText("spanID")
	}
	var said Collected
	data := o.OpenMember("span_data")
	for _, part := range [...]*shape.Object{o, data} {
		for i, key := range part.Keys {
			said.NoteMember(key, part.Values[i])
		}
	}
	for i, key := range s.Keys {
		said.noteAttribute(key, s.Values[i])
	}
	s.Said = said.Result()
	attributes := shape.Object{Keys: s.Keys, Values: s.Values}
	isAgent := s.Kind == "agent" || s.Kind == "AGENT" || data.FirstString("type") == "agent" ||
		s.Kind == "" && shape.OneOf(attributes.FirstText("openinference.span.kind traceloop.span.kind langfuse.observation.type"), "AGENT agent")
	if isAgent && s.Name != "" {
		own := trajectory.Spent{Agent: s.Name}
		s.Said = own.Over(s.Said)
	}
}
