package core

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/boundary"
	"github.com/boundcheck/boundcheck/core/equivalence"
	"github.com/boundcheck/boundcheck/core/mutation"
)

// names is a pair of different tool names. The name of the observed action is first.
type names struct{ obs, ref string }

// kinship is the similarity of two different names, and the rule that found it. The rule
// is "" if the names are not related.
type kinship struct {
	similarity float64
	rule       string
}

// nameKinship compares the names of two calls, by the alias table, then by the lexicon,
// then by the encoder. It caches the result for each pair of names. Verbs of two
// different known classes are never similar, whatever the encoder returns, because
// opposites are close together in a vector space.
func (e *evaluator) nameKinship(obs, ref *boundary.Action) kinship {
	pair := names{obs.Name, ref.Name}
	k, ok := e.kins[pair]
	if ok && k.rule != "lexicon" { // in the lexicon the names of arguments also matter
		return k
	}
	k = e.newKin(obs, ref)
	if e.kins == nil {
		e.kins = map[names]kinship{}
	}
	e.kins[pair] = k
	return k
}

func (e *evaluator) newKin(obs, ref *boundary.Action) kinship {
	if e.vocabulary.Alias(obs.Name, ref.Name) {
		return kinship{1, "table"}
	}
	if rule := equivalence.Kin(obs, ref); rule != "" {
		return kinship{1, rule}
	}
	if e.models.Embeddings == "" || e.models.Embeddings == "lexical" {
		return kinship{}
	}
	d, f := mutation.DeedOf(obs.Name), mutation.DeedOf(ref.Name)
	if d.Class != "" && f.Class != "" && d.Class != f.Class || obs.Mutation.Counts() != ref.Mutation.Counts() {
		return kinship{}
	}
	return kinship{e.texts.Similarity(nameText(obs.Name), nameText(ref.Name)), "encoder"}
}

// nameText returns a tool's name as text for an encoder: "cancel order" for cancel_order
// and cancelOrder.
func nameText(name string) string { return strings.Join(mutation.NameWords(name), " ") }

// relatedSimilarity returns the similarity of two calls with different names, ½·name +
// ½·arguments. If the arguments do not agree, it is 0.
func (e *evaluator) relatedSimilarity(obs, ref *boundary.Action) float64 {
	k := e.nameKinship(obs, ref)
	if k.rule == "" || !equivalence.Agree(obs, ref) {
		return 0
	}
	return 0.5 + k.similarity/2
}

// aliasRule returns the rule by which stage two may treat two names as equal. It returns
// "" if stage two must not treat them as equal.
func (e *evaluator) aliasRule(obs, ref *boundary.Action) string {
	if k := e.nameKinship(obs, ref); 0.5+k.similarity/2 > e.request.Options.Params.tauOrDefault() {
		return k.rule
	}
	return ""
}
