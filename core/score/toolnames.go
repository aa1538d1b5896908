package score

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/stage/equivalence"
)

// kinship is the similarity of two different names, and the rule that found it. The rule
// is "" if the names are not related.
type kinship struct {
	similarity float64
	rule       string
}

// kinships compares different tool names under one vocabulary. It caches the result for
// each pair of names.
type kinships struct {
	vocabulary *boundary.Vocabulary
	texts      similarity.Texts
	encoded    bool // texts has vectors of the names, from an encoder
	tau        float64
	numbers    map[string]int32   // of the names
	known      map[uint64]kinship // by the numbers of both names
}

func (e *evaluator) newKinships(v *boundary.Vocabulary) *kinships {
	encoded := e.models.Embeddings != "" && e.models.Embeddings != "lexical"
	return &kinships{v, e.texts, encoded, e.request.Options.Params.tauOrDefault(), map[string]int32{}, map[uint64]kinship{}}
}

// compareNames compares the names of two calls by the alias table, then by the lexicon,
// and then by the encoder. Verbs of two different known classes are never similar,
// because an encoder returns similar vectors for opposites.
func (all *kinships) compareNames(obs, ref *boundary.Action) kinship {
	pair := all.pairOf(obs, ref)
	k, ok := all.known[pair]
	if ok && k.rule != "lexicon" { // in the lexicon the names of arguments also matter
		return k
	}
	k = all.newKinship(obs, ref)
	all.known[pair] = k
	return k
}

func (all *kinships) pairOf(obs, ref *boundary.Action) uint64 {
	return uint64(numberOf(all.numbers, obs.Name))<<32 | uint64(numberOf(all.numbers, ref.Name))
}

func (all *kinships) newKinship(obs, ref *boundary.Action) kinship {
	if all.vocabulary.Alias(obs.Name, ref.Name) {
		return kinship{1, "table"}
	}
	if rule := equivalence.Kin(obs, ref); rule != "" {
		return kinship{1, rule}
	}
	if !all.encoded {
		return kinship{}
	}
	d, f := mutation.DeedOf(obs.Name), mutation.DeedOf(ref.Name)
	if d.Class != "" && f.Class != "" && d.Class != f.Class || obs.Mutation.Counts() != ref.Mutation.Counts() {
		return kinship{}
	}
	return kinship{all.texts.Similarity(nameText(obs.Name), nameText(ref.Name)), "encoder"}
}

// nameText returns a tool's name as text for an encoder. For example, it returns "cancel
// order" for cancel_order and cancelOrder.
func nameText(name string) string { return strings.Join(mutation.NameWords(name), " ") }

// callSimilarity returns the similarity of two calls with different names. This is ½ +
// ½·(similarity of the names). It returns 0 if the names are not similar or the arguments
// do not agree.
func (all *kinships) callSimilarity(obs, ref *boundary.Action) float64 {
	k := all.compareNames(obs, ref)
	if k.rule == "" || !equivalence.Agree(obs, ref) {
		return 0
	}
	return 0.5 + k.similarity/2
}

// aliasRule returns the rule by which stage two may treat two names as equal. It returns
// "" if stage two must not treat them as equal.
func (all *kinships) aliasRule(obs, ref *boundary.Action) string {
	if k := all.compareNames(obs, ref); 0.5+k.similarity/2 > all.tau {
		return k.rule
	}
	return ""
}

// apiName returns a name with only the characters that the APIs of models allow, which
// are letters, digits, _ and -. For example, frameworks send math.gcd as math_gcd,
// because the APIs refuse the full stop.
func apiName(name string) string {
	isOther := func(c rune) bool {
		return c != '_' && c != '-' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
	}
	if strings.IndexFunc(name, isOther) < 0 {
		return name
	}
	return strings.Map(func(c rune) rune {
		if isOther(c) {
			return '_'
		}
		return c
	}, name)
}

// observedName returns the name that a run uses for the reference action name. If the run
// has an action apiName(name) and no action with the given name, the result is
// apiName(name). Otherwise the result is the given name. O(actions) if apiName changes
// the name.
func (r *run) observedName(name string) string {
	api := apiName(name)
	if api == name {
		return name
	}
	found := name
	for i := range r.Actions {
		switch r.Actions[i].Name {
		case name:
			return name
		case api:
			found = api
		}
	}
	return found
}
