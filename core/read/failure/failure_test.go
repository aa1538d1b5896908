package failure

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestMayFail compares mayFail with a simple search for the words, in drawn texts.
func TestMayFail(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	parts := []string{`"`, `""`, `"#`, "#", `!"`, "rror", "error", "ERROR", "ailed", "FAILED", "uccess", "ok", "or", "ed", "é", "x", " ", "12345678", "\x01", "\x80"}
	held := 0
	for range drawn.Cases(50000) {
		text := ""
		for range r.IntN(8) {
			text += parts[r.IntN(len(parts))]
		}
		want := false
		for _, word := range []string{`rror"`, `RROR"`, `ailed"`, `AILED"`, `uccess"`, `ok"`} {
			want = want || strings.Contains(text, word)
		}
		if got := mayFail(text); got != want {
			t.Fatalf("%q: %v, want %v", text, got, want)
		}
		if want {
			held++
		}
	}
	if held < 1000 {
		t.Errorf("only %d texts have a word", held)
	}
}

// TestErrorsInOtherLanguages checks that a word for an error in another language says that a call
// failed if it stands alone or before a colon, and nowhere else.
func TestErrorsInOtherLanguages(t *testing.T) {
	for text, want := range map[string]bool{
		"erro: rede": true, "Fehler: Netz": true, "Erreur : réseau": true, "Errore: rete assente": true, "fout": true, "エラー：ネットワーク": true, "错误: 网络": true, "Błąd: brak sieci": true,
		"Fehler behoben": false, "erro corrigido: 3": false, "Fehlerfrei": false, "false": false, "0": false, "Errori trovati: 0": false, "El fallo se envió a la sala: sí": false,
	} {
		if Says(text) != want {
			t.Errorf("Says(%q) is not %v", text, want)
		}
	}
}
