package alfworld

import (
	"maps"
	"slices"
	"strings"
)

// goal is what a task asks for. Without a lamp, it asks for count objects of the kind
// object, each in all of the states, together in one receptacle of the kind place. With a
// lamp, it asks for one object in the agent's hand, beside a lamp that is on.
type goal struct {
	object string
	states []predicate
	count  int
	place  string // a receptacle's kind; "" if the goal asks for a lamp
	lamp   string
}

// taskTypes maps the benchmark's names of its task types to goals. A task's name begins
// with its type: TYPE-Object-Movable-Receptacle-scene.
var taskTypes = map[string]goal{
	"pick_and_place_simple":          {count: 1},
	"pick_two_obj_and_place":         {count: 2},
	"pick_clean_then_place_in_recep": {count: 1, states: []predicate{isClean}},
	"pick_heat_then_place_in_recep":  {count: 1, states: []predicate{isHot}},
	"pick_cool_then_place_in_recep":  {count: 1, states: []predicate{isCool}},
	"look_at_obj_in_light":           {count: 1},
}

// inLight is the task type with a lamp in place of a receptacle.
const inLight = "look_at_obj_in_light"

// goalOfName reads the goal from a task's name. The name may be one part of a path. The
// bool is false if the name does not have the benchmark's form.
func goalOfName(task string) (goal, bool) {
	for part := range strings.SplitSeq(task, "/") {
		f := strings.Split(part, "-")
		if len(f) != 5 {
			continue
		}
		g, ok := taskTypes[f[0]]
		if !ok || f[1] == "" || f[3] == "" {
			continue
		}
		object, sliced := strings.CutSuffix(f[1], "Sliced")
		if sliced {
			g.states = append(slices.Clone(g.states), isSliced)
		}
		g.object = strings.ToLower(object)
		if f[0] == inLight {
			g.lamp = strings.ToLower(f[3])
		} else {
			g.place = strings.ToLower(f[3])
		}
		return g, true
	}
	return goal{}, false
}

// asked holds the sentences that state a goal, from the benchmark's templates.
var asked = [...]struct {
	template string
	goal     goal
	lamp     bool
}{
	{"clean some % and put it in %", goal{count: 1, states: []predicate{isClean}}, false},
	{"heat some % and put it in %", goal{count: 1, states: []predicate{isHot}}, false},
	{"cool some % and put it in %", goal{count: 1, states: []predicate{isCool}}, false},
	{"find some % and put it in %", goal{count: 1}, false},
	{"find two % and put them in %", goal{count: 2}, false},
	{"put two % in %", goal{count: 2}, false},
	{"put a % in %", goal{count: 1}, false},
	{"put an % in %", goal{count: 1}, false},
	{"put some % in %", goal{count: 1}, false},
	{"look at % under the %", goal{count: 1}, true},
	{"examine the % with the %", goal{count: 1}, true},
}

// taskMark is the text before the goal's sentence in an opening.
const taskMark = "your task is to:"

// goalOfText reads the goal from the sentence that states it. text is this sentence or
// the first text of the game, which contains the sentence. The second result is false if
// the sentence does not have one of the benchmark's forms.
func goalOfText(text string) (goal, bool) {
	text = normalizeText(text)
	if i := strings.LastIndex(text, taskMark); i >= 0 {
		text = text[i+len(taskMark):]
	}
	text, _, _ = strings.Cut(strings.TrimSpace(text), ".")
	text = strings.NewReplacer(" in/on ", " in ", " on ", " in ").Replace(text)
	for _, a := range asked {
		if gaps, _, ok := matchTemplate(a.template, text); ok {
			return a.goal.withObject(gaps[0], gaps[1], a.lamp)
		}
	}
	return goal{}, false
}

// withObject returns the goal g with the given object and place. The words before the
// object's name are its states, for example "hot sliced tomato". If lamp is true, the
// place is a lamp. The second result is false if a state is unknown.
func (g goal) withObject(object, place string, lamp bool) (goal, bool) {
	words := strings.Fields(object)
	place = strings.TrimPrefix(strings.TrimPrefix(place, "the "), "a ")
	if len(words) == 0 || strings.Contains(place, " ") {
		return goal{}, false
	}
	for _, word := range words[:len(words)-1] {
		is, ok := adjectives[word]
		if !ok {
			return goal{}, false
		}
		g.states = append(slices.Clone(g.states), is)
	}
	g.object = words[len(words)-1]
	if lamp {
		g.lamp = place
	} else {
		g.place = place
	}
	return g, true
}

// findWitnesses reports whether the facts fulfil the goal. objects has the names of the
// objects that fulfil it.
func (g *goal) findWitnesses(s *game) (objects []string, ok bool) {
	if g.lamp != "" {
		held := s.heldObject()
		return []string{held}, held != "" && g.objectFits(s, held) && g.litHere(s)
	}
	in := map[string][]string{}
	for x := range s.trueFacts() {
		if x.is == inReceptacle && kindOfName(x.in) == g.place && g.objectFits(s, x.of) {
			in[x.in] = append(in[x.in], x.of)
		}
	}
	for _, r := range slices.Sorted(maps.Keys(in)) {
		if len(in[r]) >= g.count {
			return slices.Sorted(slices.Values(in[r])), true
		}
	}
	return nil, false
}

// objectFits reports whether an object is of the goal's kind and in all of its states.
func (g *goal) objectFits(s *game, object string) bool {
	if kindOfName(object) != g.object {
		return false
	}
	return !slices.ContainsFunc(g.states, func(is predicate) bool { return s.get(fact{of: object, is: is}) == "" })
}

// ruledOut reports whether the run certainly did not reach the goal. The contents of a
// place may be unknown if the run did not look there. But facts that need a command, for
// example that an object is hot, are always known.
func (g *goal) ruledOut(s *game) bool {
	fit := map[string]bool{}
	for x := range s.trueFacts() {
		if g.objectFits(s, x.of) {
			fit[x.of] = true
		}
	}
	return g.lamp != "" || len(fit) < g.count || !s.hasChanged()
}

// litHere reports whether a lamp of the kind that the goal names is on at the agent's
// place.
func (g *goal) litHere(s *game) bool {
	for lamp, place := range s.lit {
		if kindOfName(lamp) == g.lamp && s.placeOf(place) == s.placeOf(s.agentReceptacle()) && s.get(fact{of: lamp, is: isToggled}) != "" {
			return true
		}
	}
	return false
}

func (g *goal) equal(other *goal) bool {
	return g.object == other.object && g.place == other.place && g.lamp == other.lamp && g.count == other.count &&
		slices.Equal(g.states, other.states)
}

// taskType returns the name of the goal's task type, or "" if the goal is a mixture of
// several types.
func (g *goal) taskType() string {
	for _, t := range slices.Sorted(maps.Keys(taskTypes)) {
		states := slices.DeleteFunc(slices.Clone(g.states), func(is predicate) bool { return is == isSliced })
		if of := taskTypes[t]; of.count == g.count && slices.Equal(of.states, states) && (t == inLight) == (g.lamp != "") {
			return t
		}
	}
	return ""
}
