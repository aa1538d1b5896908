package alfworld

import "strings"

// sentence is one of the game's sentences, with the function that records its facts.
type sentence struct {
	template string
	read     func(*game, []string)
}

// sentences holds the game's sentences in lower case. Sentences that report a command's
// own effect come first, and sentences that describe something follow. If several
// releases of the game word a sentence differently, all wordings are in the list.
var sentences = [...]sentence{
	{"you pick up the % from the %.", (*game).recordPickUp},
	{"you put the % in/on the %.", (*game).recordPutDown},
	{"you move the % to the %.", (*game).recordPutDown},
	{"you open the %.", func(g *game, s []string) { g.changePredicate(s[0], opened, true) }},
	{"you close the %.", func(g *game, s []string) { g.changePredicate(s[0], opened, false) }},
	{"you clean the % using the %.", func(g *game, s []string) { g.changeFact(fact{of: s[0], is: isClean}, yes) }},
	{"you heat the % using the %.", func(g *game, s []string) { g.recordTemperature(s[0], isHot, isCool) }},
	{"you cool the % using the %.", func(g *game, s []string) { g.recordTemperature(s[0], isCool, isHot) }},
	{"you turn on the %.", func(g *game, s []string) { g.recordSwitch(s[0], true) }},
	{"you turn off the %.", func(g *game, s []string) { g.recordSwitch(s[0], false) }},
	{"you sliced the % with the %.", func(g *game, s []string) { g.changeFact(fact{of: s[0], is: isSliced}, yes) }},
	{"you arrive at %.", func(g *game, s []string) { g.standAt(s[0]) }},
	{"on the %, you see %.", (*game).recordContents},
	{"the % is open. in it, you see %.", (*game).seenOpen},
	{"the % is closed.", func(g *game, s []string) { g.learnFact(fact{of: s[0], is: opened}, "") }},
	{"you are carrying: %.", (*game).recordCarried},
	{"you are facing the %. next to it, you see %.", (*game).recordFaced},
	{"you are in the middle of a room. looking quickly around you, you see %.", (*game).recordReceptacles},
	{"this is a normal %. in it, you see %.", func(*game, []string) {}},
	{"this % is on.", func(g *game, s []string) { g.learnFact(fact{of: s[0], is: isToggled}, yes) }},
	{"this % is off.", func(g *game, s []string) { g.learnFact(fact{of: s[0], is: isToggled}, "") }},
	{"this is a %.", (*game).recordExamined},
}

// refusal is the game's answer to a command that cannot be carried out.
const refusal = "nothing happens"

// readSentences reads the game's answer sentence by sentence. It skips sentences that it
// does not know. understood is false if it knew none of them. The text must be in the
// form that the function normalizeText returns.
func (g *game) readSentences(text string) (understood bool) {
	for text != "" {
		read := false
		for i := range sentences {
			s := &sentences[i]
			if gaps, rest, ok := matchTemplate(s.template, text); ok {
				s.read(g, gaps)
				text, read, understood = strings.TrimSpace(rest), true, true
				break
			}
		}
		if !read {
			_, text, _ = strings.Cut(text, ". ")
		}
	}
	return understood
}

// recordPickUp records the effects of the sentence "you pick up the ... from the ...".
// The effects count as changes by the current command. The same is true for all methods
// up to changePredicate.
func (g *game) recordPickUp(s []string) {
	if from := placementFact(s[0], s[1]); !g.isKnown(from) {
		g.learnFact(from, yes)
	}
	g.changeFact(placementFact(s[0], s[1]), "")
	g.changeFact(fact{of: s[0], is: holds}, yes)
}

func (g *game) recordPutDown(s []string) {
	g.changeFact(fact{of: s[0], is: holds}, "")
	g.changeFact(placementFact(s[0], s[1]), yes)
}

func (g *game) recordTemperature(object string, now, before predicate) {
	g.changeFact(fact{of: object, is: now}, yes)
	g.changeFact(fact{of: object, is: before}, "")
}

func (g *game) recordSwitch(lamp string, on bool) {
	g.changePredicate(lamp, isToggled, on)
	g.lit[lamp] = g.agentReceptacle()
}

func (g *game) changePredicate(of string, is predicate, on bool) {
	value := ""
	if on {
		value = yes
	}
	g.changeFact(fact{of: of, is: is}, value)
}

// recordContents records which objects are in or on a receptacle, from a sentence that
// describes them. The described facts were already true before the command. The same is
// true for all methods up to recordExamined.
func (g *game) recordContents(s []string) { g.setContents(s[0], parseList(s[1])) }

func (g *game) seenOpen(s []string) {
	g.learnFact(fact{of: s[0], is: opened}, yes)
	g.setContents(s[0], parseList(s[1]))
}

func (g *game) recordCarried(s []string) {
	for _, o := range parseList(s[0]) {
		g.learnFact(fact{of: o, is: holds}, yes)
	}
}

// recordFaced records that all receptacles in the sentence are at the agent's place.
func (g *game) recordFaced(s []string) {
	for name := range strings.SplitSeq(s[0], ",") {
		name = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(name), "and "), "the ")
		g.joinAgentPlace(name)
	}
}

func (g *game) recordReceptacles(s []string) {
	for _, r := range parseList(s[0]) {
		g.receptacles[r] = true
	}
}

// recordExamined learns facts from the name of an examined object, such as
// "hot and clean sliced apple 1".
func (g *game) recordExamined(s []string) {
	words := strings.Fields(s[0])
	if len(words) < 2 {
		return
	}
	name := strings.Join(words[len(words)-2:], " ")
	for _, word := range words[:len(words)-2] {
		if is, ok := adjectives[word]; ok {
			g.learnFact(fact{of: name, is: is}, yes)
		}
	}
}

// adjectives maps the game's adjectives to the states of an object.
var adjectives = map[string]predicate{"clean": isClean, "hot": isHot, "cool": isCool, "cold": isCool, "sliced": isSliced}
