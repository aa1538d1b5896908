package score

import (
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// This file requests vectors from a model outside the core, before the first stage.
// Without a model it does nothing.

// embedTexts requests the vectors of all free texts of the request in one call.
func (e *evaluator) embedTexts() error {
	o := &e.request.Options
	if o.Embedder == nil {
		return nil
	}
	texts := e.freeTexts()
	if len(texts) == 0 {
		return nil
	}
	vectors, err := similarity.Embed(o.Embedder, texts)
	if err != nil && !o.Lexical {
		return fmt.Errorf("embeddings: %w", err)
	}
	if err != nil {
		e.models.Embeddings = "lexical"
		e.warnings = append(e.warnings, trajectory.Warning{Code: "embeddings-fallback",
			Message: "free texts were compared by words, because the embeddings failed: " + err.Error()})
		return nil
	}
	e.texts, e.models.Embeddings = vectors, modelName(o.Embedder)
	e.kinships = nil // it has no vectors
	return nil
}

// freeTexts returns the distinct texts for which vectors are needed: free texts of
// actions, and names of calls as words. It uses only runs that have a reference, and
// their references.
func (e *evaluator) freeTexts() []string {
	var out []string
	seen := map[string]bool{"": true}
	add := func(text string) {
		if !seen[text] && strings.TrimSpace(text) != "" {
			seen[text] = true
			out = append(out, text)
		}
	}
	for i := range e.runs {
		r := &e.runs[i]
		ref := r.held
		if ref == nil { // there is nothing to compare with
			continue
		}
		done, wanted := map[string]bool{}, map[string]bool{}
		for j := range r.Actions {
			collectFreeText(r.Actions[j].Name, r.Actions[j].Text, add, done)
		}
		for j := range ref.Steps {
			collectFreeText(ref.Steps[j].Name, ref.Steps[j].Text, add, wanted)
		}
		nodeTexts(ref.Process, add, wanted)
		addNames(done, wanted, add)
	}
	return out
}

// collectFreeText passes the free text of an action or a step to the function add. If
// there is no free text, it stores the name, as words, in the set names.
func collectFreeText(name, text string, add func(string), names map[string]bool) {
	if text != "" {
		add(text)
	} else if name != "" {
		names[nameText(name)] = true
	}
}

// addNames calls add with the names that are in only one of the sets done and wanted.
// Names in both sets need no vector. If one of the sets has no name of its own, addNames
// does nothing, because then there is no pair of names to compare.
func addNames(done, wanted map[string]bool, add func(string)) {
	only := func(a, b map[string]bool) (out []string) {
		for name := range a {
			if !b[name] {
				out = append(out, name)
			}
		}
		slices.Sort(out)
		return out
	}
	left, right := only(done, wanted), only(wanted, done)
	if len(left) == 0 || len(right) == 0 {
		return
	}
	for _, name := range append(left, right...) {
		add(name)
	}
}

func nodeTexts(n *reference.Node, add func(string), names map[string]bool) {
	if n == nil {
		return
	}
	collectFreeText(n.Step.Name, n.Step.Text, add, names)
	for i := range n.Children {
		nodeTexts(&n.Children[i], add, names)
	}
}

func modelName(model any) string {
	if s, ok := model.(fmt.Stringer); ok {
		return s.String()
	}
	return "unnamed"
}
