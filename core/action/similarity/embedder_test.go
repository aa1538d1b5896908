package similarity

import (
	"errors"
	"math"
	"strings"
	"testing"
)

type vectors [][]float32

func (v vectors) Embed([]string) ([][]float32, error) { return v, nil }

type mute struct{}

func (mute) Embed([]string) ([][]float32, error) { return nil, errors.New("mute") }

func TestCosine(t *testing.T) {
	check := func(a, b []float32, want float64) {
		t.Helper()
		if got := cosine(a, b); got != want {
			t.Errorf("Cosine(%v, %v) = %v, want %v", a, b, got, want)
		}
		if cosine(a, b) != cosine(b, a) {
			t.Errorf("not symmetric: %v, %v", a, b)
		}
	}
	check([]float32{1, 0}, []float32{1, 0}, 1)
	check([]float32{0.6, 0.8}, []float32{1, 0}, 0.6)
	check([]float32{1, 1}, []float32{1, 0}, 0.707107)
	check([]float32{1, 0}, []float32{0, 1}, 0)
	check([]float32{1, 0}, []float32{-1, 0}, 0)
	check([]float32{0, 0}, []float32{1, 0}, 0)
	check([]float32{3e38, 3e38}, []float32{3e38, 3e38}, 1)
}

func TestTexts(t *testing.T) {
	texts, err := Embed(vectors{{1, 0}, {0.6, 0.8}, {0, 0}}, []string{"open it", "unlock that", " "})
	if err != nil {
		t.Fatal(err)
	}
	check := func(x Texts, a, b string, want float64) {
		t.Helper()
		if got := x.Similarity(a, b); got != want {
			t.Errorf("%q, %q: %v, want %v", a, b, got, want)
		}
	}
	check(texts, "open it", "unlock that", 0.6)
	check(texts, "open it", "open it", 1)
	check(texts, "open it", " ", 0)
	check(texts, "open it", "it open", 1) // no vector: by words
	check(Texts{}, "open it", "unlock that", 0)
	a, b := Call{Name: "open", Text: "open it"}, Call{Name: "unlock", Text: "unlock that"}
	if got := texts.Calls(&a, &b, nil); got != 0.6 {
		t.Errorf("calls: %v", got)
	}
	c, d := newTestCall(t, "f", `{"a":1}`), newTestCall(t, "f", `{"a":2}`)
	if got := texts.Calls(&c, &d, nil); got != 0.5 {
		t.Errorf("calls with arguments: %v", got)
	}
}

func TestEmbedRefuses(t *testing.T) {
	check := func(want string, e Embedder) {
		t.Helper()
		if _, err := Embed(e, []string{"a", "b"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", e, err, want)
		}
	}
	check("mute", mute{})
	check("1 vectors for 2 texts", vectors{{1}})
	check("one vector has 2 dimensions, and another vector has 1", vectors{{1}, {1, 2}})
	check("vector has 0 dimensions", vectors{{}, {}})
	check("contains NaN", vectors{{1}, {float32(math.NaN())}})
	check("contains +Inf", vectors{{float32(math.Inf(1))}, {1}})
}
