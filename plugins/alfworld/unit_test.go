package alfworld

import (
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

func TestParse(t *testing.T) {
	check := func(text string, want command) {
		t.Helper()
		if got, ok := parseCommand(text); got != want || ok != (want != command{}) {
			t.Errorf("%q: %+v, %t", text, got, ok)
		}
	}
	check("go to shelf 3", command{goTo, "", "shelf 3"})
	check(" >  Go  TO Shelf 3. ", command{goTo, "", "shelf 3"})
	check("open safe 1", command{open, "", "safe 1"})
	check("close safe 1", command{closing, "", "safe 1"})
	check("take vase 2 from shelf 1", command{take, "vase 2", "shelf 1"})
	for _, text := range []string{"put vase 2 in/on shelf 1", "put vase 2 in shelf 1", "put vase 2 into shelf 1", "put vase 2 on shelf 1", "move vase 2 to shelf 1"} {
		check(text, command{put, "vase 2", "shelf 1"})
	}
	check("clean fork 1 with sinkbasin 1", command{clean, "fork 1", "sinkbasin 1"})
	check("heat egg 1 with microwave 1", command{heat, "egg 1", "microwave 1"})
	check("cool egg 1 with fridge 1", command{cool, "egg 1", "fridge 1"})
	check("slice bread 1 with knife 1", command{slice, "bread 1", "knife 1"})
	check("use desklamp 1", command{use, "desklamp 1", ""})
	check("examine book 1", command{examine, "book 1", ""})
	check("look", command{verb: look})
	check("INVENTORY", command{verb: inventory})
	check("help", command{verb: help})
	for _, text := range []string{"", "go", "take vase 2", "put vase 2", "turn on desklamp 1", "think: look", "open  "} {
		check(text, command{})
	}
}

func TestGoals(t *testing.T) {
	check := func(text string, want goal) {
		t.Helper()
		got, ok := goalOfText(text)
		if text, byName := strings.CutPrefix(text, "name:"); byName {
			got, ok = goalOfName(text)
		}
		if !got.equal(&want) || ok != (want.count > 0) {
			t.Errorf("%q: %+v, %t", text, got, ok)
		}
	}
	of := func(object, place string, count int, states ...predicate) goal {
		return goal{object: object, place: place, count: count, states: states}
	}
	check("put some vase on shelf.", of("vase", "shelf", 1))
	check("Put a vase in/on shelf", of("vase", "shelf", 1))
	check("find some vase and put it in shelf.", of("vase", "shelf", 1))
	check("put two vase in shelf.", of("vase", "shelf", 2))
	check("find two vase and put them in shelf.", of("vase", "shelf", 2))
	check("put a clean fork in the drawer.", of("fork", "drawer", 1, isClean))
	check("clean some fork and put it in drawer.", of("fork", "drawer", 1, isClean))
	check("put a hot egg in fridge.", of("egg", "fridge", 1, isHot))
	check("put a cool sliced apple in microwave.", of("apple", "microwave", 1, isCool, isSliced))
	check("look at book under the desklamp.", goal{object: "book", lamp: "desklamp", count: 1})
	check("examine the book with the floorlamp.", goal{object: "book", lamp: "floorlamp", count: 1})
	check("You see a sofa 1.\nYour task is to: cool some egg and put it in sinkbasin.\n", of("egg", "sinkbasin", 1, isCool))
	check("place the vase from the table onto the shelf", goal{})
	check("put a very nice vase in shelf", goal{})
	check("put a vase in the other shelf", goal{})
	check("", goal{})

	check("name:pick_and_place_simple-Vase-None-Shelf-1/trial_1", of("vase", "shelf", 1))
	check("name:valid_seen/pick_two_obj_and_place-Vase-None-Shelf-1/trial_1", of("vase", "shelf", 2))
	check("name:pick_heat_then_place_in_recep-AppleSliced-None-Fridge-1", of("apple", "fridge", 1, isHot, isSliced))
	check("name:look_at_obj_in_light-Book-None-DeskLamp-1", goal{object: "book", lamp: "desklamp", count: 1})
	check("name:pick_and_dance-Vase-None-Shelf-1", goal{})
	check("name:airline-7", goal{})
}

// makeActions makes the actions of a request from lines of the form "command |
// observation".
func makeActions(lines ...string) []abi.Action {
	out := make([]abi.Action, len(lines))
	for i, line := range lines {
		command, observation, answered := strings.Cut(line, " | ")
		out[i].Text = command
		if answered {
			out[i].Observation = &observation
		}
	}
	return out
}

const openingText = "You are in the middle of a room. Looking quickly around you, you see a desk 1, a shelf 2, and a shelf 1.\nYour task is to: "

func TestReached(t *testing.T) {
	check := func(want bool, goal string, lines ...string) {
		t.Helper()
		got, err := Replay(&abi.ReplayRequest{Opening: openingText + goal, Observed: makeActions(lines...)})
		if err != nil || got.Success != want {
			t.Errorf("%s: %+v, %v", goal, got, err)
		}
	}
	taken := func(name string) []string {
		return []string{"go to desk 1 | On the desk 1, you see a " + name + ".", "take " + name + " from desk 1 | You pick up the " + name + " from the desk 1."}
	}
	do := func(name string, lines ...string) []string { return append(taken(name), lines...) }
	check(true, "put a vase in shelf.", do("vase 1", "put vase 1 in/on shelf 1 | You put the vase 1 in/on the shelf 1.")...)
	check(true, "put a vase in shelf.", do("vase 1", "move vase 1 to shelf 1 | You move the vase 1 to the shelf 1.")...)
	check(true, "put a vase in shelf.", do("vase 1", "put vase 1 in/on shelf 1")...)
	check(false, "put a vase in shelf.", do("vase 1", "put vase 1 in/on shelf 1 | Nothing happens.")...)
	check(false, "put a vase in shelf.", do("mug 1", "put mug 1 in/on shelf 1 | You put the mug 1 in/on the shelf 1.")...)
	check(true, "put a hot egg in shelf.", do("egg 1", "heat egg 1 with microwave 1 | You heat the egg 1 using the microwave 1.", "put egg 1 in/on shelf 1")...)
	check(false, "put a hot egg in shelf.", do("egg 1", "heat egg 1 with microwave 1 | You heat the egg 1 using the microwave 1.",
		"cool egg 1 with fridge 1 | You cool the egg 1 using the fridge 1.", "put egg 1 in/on shelf 1")...)
	check(true, "put a clean fork in shelf.", do("fork 1", "clean fork 1 with sinkbasin 1", "put fork 1 in/on shelf 1")...)

	// Two objects must be in one receptacle, not in two.
	two := func(second string) []string {
		return slices.Concat(do("pen 1", "put pen 1 in/on shelf 1"), do("pen 2", "put pen 2 in/on "+second))
	}
	check(true, "put two pen in shelf.", two("shelf 1")...)
	check(false, "put two pen in shelf.", two("shelf 2")...)

	// A lamp must be on where the agent is. A refused walk shows that two receptacles
	// share a place.
	lamp := []string{"go to shelf 1 | On the shelf 1, you see a desklamp 1.", "use desklamp 1 | You turn on the desklamp 1."}
	check(true, "look at pen under the desklamp.", do("pen 1", lamp...)...)
	check(false, "look at pen under the desklamp.", lamp...)
	check(false, "look at pen under the desklamp.", slices.Concat(lamp, taken("pen 1"))...)
	check(true, "look at pen under the desklamp.", slices.Concat(lamp, taken("pen 1"), []string{"go to shelf 1 | You arrive at shelf 1. On the shelf 1, you see a desklamp 1."})...)
	check(true, "look at pen under the desklamp.", slices.Concat(lamp, []string{"go to desk 1 | Nothing happens."}, taken("pen 1")[1:])...)

	// A thing may lie in two receptacles at once. Taken from one, it stays in the
	// other.
	check(true, "put a hot pan in shelf.", slices.Concat([]string{"go to shelf 1 | On the shelf 1, you see a pan 1."},
		do("pan 1", "heat pan 1 with microwave 1 | You heat the pan 1 using the microwave 1."))...)
}

func TestContradicted(t *testing.T) {
	check := func(want, recorded bool, lines ...string) {
		t.Helper()
		r := &abi.ReplayRequest{Opening: openingText + "put a hot egg in shelf.", Observed: makeActions(lines...)}
		r.Recorded = &recorded
		got, err := Replay(r)
		if err != nil || got.Contradicted != want {
			t.Errorf("recorded %t: %+v, %v", recorded, got, err)
		}
	}
	heated := []string{"take egg 1 from desk 1 | You pick up the egg 1 from the desk 1.", "heat egg 1 with microwave 1 | You heat the egg 1 using the microwave 1."}
	all := append(slices.Clone(heated), "put egg 1 in/on shelf 2 | You put the egg 1 in/on the shelf 2.")
	check(false, true, all...)
	check(true, false, all...)
	check(false, false, heated...)
	check(false, true, heated...) // it may also have been on a shelf, unseen
	check(true, true, heated[:1]...)
}

func TestObserve(t *testing.T) {
	g := newRoom().newGame()
	for _, text := range []string{
		"You open the fridge 1. The fridge 1 is open. In it, you see a egg 1, and a lettuce 2.",
		"You pick up the egg 1 from the fridge 1.", "You close the fridge 1.",
		"This is a hot and clean sliced apple 1.", "This is a cold mug 1.", "This desklamp 1 is on.", "You sliced the bread 1 with the knife 1.",
		"There's nothing special about book 1.", "You are facing the desk 1, and shelf 1. Next to it, you see nothing.",
	} {
		g.readSentences(normalizeText(text))
	}
	var got []string
	for x := range g.trueFacts() {
		got = append(got, x.of+" "+x.fieldName())
	}
	slices.Sort(got)
	want := []string{"apple 1 isClean", "apple 1 isHot", "apple 1 isSliced", "bread 1 isSliced", "desklamp 1 isToggled", "egg 1 holds",
		"lettuce 2 inReceptacle.fridge 1", "mug 1 isCool"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if g.readSentences(normalizeText("The weather is fine. Really.")) {
		t.Error("understood what is none of the game's")
	}
}

func TestWhereTheCommandStands(t *testing.T) {
	const want = "go to desk 1"
	for _, a := range []abi.Action{
		{Text: want},
		{Name: "go", Arguments: []byte(`"go to desk 1"`)},
		{Name: "act", Arguments: []byte(`{"command":"go to desk 1"}`)},
		{Name: "act", Arguments: []byte(`{"action":"go to desk 1"}`)},
		{Name: want, Arguments: []byte(`{}`)},
	} {
		if got := commandText(&a); got != want {
			t.Errorf("%+v: %q", a, got)
		}
	}
}

// FuzzCheck checks that no text of the game causes a panic, and that each answer names
// only rows and calls of its request.
func FuzzCheck(f *testing.F) {
	f.Add("put a hot egg in shelf.", "take egg 1 from desk 1", "You pick up the egg 1 from the desk 1.")
	f.Add("put a  in", "put  on ", "On the , you see . The  is open. In it, you see ")
	f.Add("look at % under the %", "go to ", "This is a . You are facing the , and . Next to it, you see nothing.")
	f.Fuzz(func(t *testing.T, goal, command, observation string) {
		actions := []abi.Action{{Text: command, Observation: &observation}, {Text: command}}
		r := &abi.CheckRequest{ReplayRequest: abi.ReplayRequest{Opening: openingText + goal, Observed: actions, Reference: actions[1:]},
			Alignment: []abi.Row{{Op: "insertion", Obs: 0, Ref: -1}, {Op: "match", Obs: 1, Ref: 0}}}
		got, err := Check(r)
		if err != nil {
			return
		}
		if err := got.Within(r); err != nil {
			t.Error(err)
		}
	})
}
