package similarity

import (
	"fmt"
	"math"
)

// Embedder turns texts into sentence vectors: one vector for each text, in order, all of
// the same dimension. Equal texts must get equal vectors. Implementations are outside the
// core.
type Embedder interface {
	Embed(texts []string) ([][]float32, error)
}

// Texts compares free texts. It compares the sentence vectors of two texts if it has both
// vectors, and otherwise the words of the texts. The zero value compares words.
type Texts struct{ vectors map[string][]float32 }

// Embed requests the vectors of all texts from e in one call. It returns an error if the
// vectors have different dimensions or contain values that are not finite numbers.
func Embed(e Embedder, texts []string) (Texts, error) {
	vectors, err := e.Embed(texts)
	if err != nil {
		return Texts{}, err
	}
	if len(vectors) != len(texts) {
		return Texts{}, fmt.Errorf("invalid embeddings: %d vectors for %d texts", len(vectors), len(texts))
	}
	t := Texts{make(map[string][]float32, len(texts))}
	for i, v := range vectors {
		if len(v) != len(vectors[0]) || len(v) == 0 {
			return Texts{}, fmt.Errorf("invalid embeddings: one vector has %d dimensions, and another vector has %d", len(v), len(vectors[0]))
		}
		for _, x := range v {
			if x != x || math.IsInf(float64(x), 0) {
				return Texts{}, fmt.Errorf("invalid embeddings: a vector contains %v", x)
			}
		}
		t.vectors[texts[i]] = v
	}
	return t, nil
}

// Similarity returns the similarity of two texts, in [0, 1].
func (t Texts) Similarity(a, b string) float64 {
	if a == b {
		return 1
	}
	if va, vb := t.vectors[a], t.vectors[b]; va != nil && vb != nil {
		return cosine(va, vb)
	}
	return textSimilarity(a, b)
}

// Calls returns the similarity of two actions, and compares free texts with t. The
// parameter terms has the same meaning as in Compare.
func (t Texts) Calls(obs, ref *Call, terms *Terms) float64 {
	if obs.Text != "" && ref.Text != "" {
		return t.Similarity(obs.Text, ref.Text)
	}
	return callSimilarity(obs, ref, terms)
}

// cosine returns the cosine of two vectors of the same length, rounded to 1e-6. It
// returns 0 if the cosine is negative. The result is equal on all platforms, because the
// product of two float32 values is exact in float64.
func cosine(a, b []float32) float64 {
	var dot, na, nb float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		dot += x * y
		na += x * x
		nb += y * y
	}
	if dot <= 0 {
		return 0
	}
	return math.Min(1, math.Round(dot/math.Sqrt(na)/math.Sqrt(nb)*1e6)/1e6)
}
