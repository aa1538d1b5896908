package codes

import "testing"

// TestMayCompose checks that each pair of letters of the table is seen to compose, and each pair for Hangul.
func TestMayCompose(t *testing.T) {
	for pair, one := range composedLetters() {
		if text := string(pair[:]); !MayCompose(text) || Compose(text) != string(one) {
			t.Errorf("%q composes to %q, want %q", text, Compose(text), one)
		}
	}
	for _, text := range []string{"\u1100\u1161", "\uac00\u11a8", "\u1112\u1175"} {
		if !MayCompose(text) || len([]rune(Compose(text))) != 1 {
			t.Errorf("%q is not one letter", text)
		}
	}
	if MayCompose("– é € 漢字 ß") {
		t.Error("letters without marks may compose")
	}
}
