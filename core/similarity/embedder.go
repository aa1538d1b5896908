package similarity

import (
	"fmt"
	"math"
)

// Embedder turns texts into sentence vectors: one for each text, in order, all of the
// same dimension. It is implemented outside the core; equal texts must get equal
// vectors.
type Embedder interface {
	Embed(texts []string) ([][]float32, error)
}

// Texts compares free texts: by sentence vectors if it has them for both, else by words.
// The zero value compares words.
type Texts struct{ vectors map[string][]float32 }

// Embed asks e for the vectors of all texts at once. It returns an error if vectors have
// different dimensions, or values that are not numbers.
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
			return Texts{}, fmt.Errorf("invalid embeddings: a vector of %d dimensions beside one of %d", len(v), len(vectors[0]))
		}
		for _, x := range v {
			if x != x || math.IsInf(float64(x), 0) {
				return Texts{}, fmt.Errorf("invalid embeddings: a vector holds %v", x)
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

// Calls returns the similarity of two actions, as the function Calls does, but compares
// free texts by t.
func (t Texts) Calls(obs, ref *Call, terms *Terms) float64 {
	if obs.Text != "" && ref.Text != "" {
		return t.Similarity(obs.Text, ref.Text)
	}
	return callSimilarity(obs, ref, terms)
}

// cosine returns the cosine of two vectors of the same length in steps of 1e-6, or 0 if
// it is negative. A product of two float32 is exact in float64, so fused arithmetic
// changes nothing and all platforms compute the same bits.
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
