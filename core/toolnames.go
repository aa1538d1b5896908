package core

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/boundary"
	"github.com/boundcheck/boundcheck/core/equivalence"
	"github.com/boundcheck/boundcheck/core/mutation"
)

// names is a pair of different tool names, observed first.
type names struct{ obs, ref string }

// kinship is how alike two different names are and by which rule; "" for none.
type kinship struct {
	similarity float64
	rule       string
}

// kin compares the names of two calls, once for each pair: the table's word first,
// then the language's, then the encoder's. Verbs of two known classes are never alike,
// whatever an encoder says of them: opposites stand close together in a vector space.
func (e *evaluator) kin(obs, ref *boundary.Action) kinship {
	pair := names{obs.Name, ref.Name}
	k, ok := e.kins[pair]
	if ok && k.rule != "lexicon" { // what arguments are called has a say in the lexicon
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

// nameText is a tool's name as an encoder reads it: cancel order for cancel_order and
// cancelOrder.
func nameText(name string) string { return strings.Join(mutation.NameWords(name), " ") }

// related is the similarity of two calls of different names: ½·name + ½·arguments. So
// with τ as the papers have it two names match only with arguments that agree.
func (e *evaluator) related(obs, ref *boundary.Action) float64 {
	k := e.kin(obs, ref)
	if k.rule == "" || !equivalence.Agree(obs, ref) {
		return 0
	}
	return 0.5 + k.similarity/2
}

// alias names the rule by which two names may mean the same, for stage two.
func (e *evaluator) alias(obs, ref *boundary.Action) string {
	if k := e.kin(obs, ref); 0.5+k.similarity/2 > e.request.Options.Params.tau() {
		return k.rule
	}
	return ""
}
