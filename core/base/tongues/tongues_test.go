package tongues

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestEnglish checks values in several languages and values that must stay as they are.
func TestEnglish(t *testing.T) {
	for in, want := range map[string]string{
		"le 1er mars 2026":    "the 1 march 2026",
		"4. Mai 2026":         "4. may 2026",
		"3 de mayo de 2026":   "3 of may of 2026",
		"2026年5月3日":           "2026-5-3",
		"2026년 5월 3일":         "2026-5-3",
		"午後2時30分":             "2:30 pm",
		"14時半":                "14:30",
		"3時間":                 "3 hours",
		"90分":                 "90 minutes",
		"18 Uhr":              "18:00",
		"um 18:30 Uhr":        "18:30",
		"anderthalb Stunden":  "1.5 hour",
		"90 Minuten":          "90 minute",
		"12,000円":             "12,000 JPY",
		"１２":                  "12",
		"½ tablet":            "0.5 tablet",
		"Oui":                 "yes",
		"nein":                "no",
		"1º de março de 2026": "1 of march of 2026",
		"5 марта 2026":        "5 march 2026",
	} {
		if got, ok := English(in); got != want || !ok {
			t.Errorf("%s becomes %q, %v; want %q", in, got, ok, want)
		}
	}
	for _, in := range []string{"", "2026-05-03", "half past seven", "march", "Flight DX418", "a1b2c3", "per day", "on"} {
		if got, ok := English(in); ok || got != in {
			t.Errorf("%q becomes %q", in, got)
		}
	}
}

// TestEnglishKeepsNumbers draws texts of words, signs and digits. No text panics, no digit is lost
// or added but by ½ and its like, by a word for a number and by the minutes of a full hour, and
// what is in English stays as it is.
func TestEnglishKeepsNumbers(t *testing.T) {
	pieces := []string{"1", "12", "2026", "年", "月", "日", "時", "半", "分", "Uhr", "uhr", "mars", "oclock", "am", "pm", "午後", " ", " ", ".", ":", "-", "ä", "", "\xff", "stunden", "half", "時間"}
	digits := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r < '0' || r > '9' {
				return -1
			}
			return r
		}, s)
	}
	for seed := range drawn.Cases(3000) {
		d := rand.New(rand.NewPCG(uint64(seed), 9))
		var b strings.Builder
		for range d.IntN(9) {
			b.WriteString(pieces[d.IntN(len(pieces))])
		}
		in := b.String()
		got, _ := English(in)
		kept := digits(got)
		for _, minutes := range []string{"00", "30"} {
			if digits(in) != kept && strings.Contains(got, ":"+minutes) {
				kept = strings.ReplaceAll(digits(strings.ReplaceAll(got, ":"+minutes, "")), " ", "")
			}
		}
		if kept != digits(in) && digits(got) != digits(in) {
			t.Fatalf("%q becomes %q", in, got)
		}
	}
	for _, in := range []string{"am ", "pm", "am 5", "5 oclock", "oclock", " oclock"} {
		English(in)
	}
}

// TestRowsAreWritten checks the sum of the rows, that no word has two meanings in a group, and
// that each word is in lower case, so that it can be found.
func TestRowsAreWritten(t *testing.T) {
	head, body, _ := bytes.Cut([]byte(tonguesText), []byte("\n"))
	sum, body, _ := bytes.Cut(body, []byte("\n"))
	if want := fmt.Sprintf("# sha256 of the rows: %x", sha256.Sum256(body)); string(sum) != want || !bytes.Contains(head, []byte("CLDR")) {
		t.Errorf("the rows were changed by hand; write them with internal/codetables/tongues.mjs:\n%s\n%s", sum, want)
	}
	seen := map[string]string{}
	for line := range strings.Lines(string(body)) {
		row := strings.Fields(line)
		for _, word := range row[2:] {
			if word != strings.ToLower(word) {
				t.Errorf("%s is not in lower case", word)
			}
			if other := seen[row[0]+" "+word]; other != "" {
				t.Errorf("%s means %s and %s", word, other, row[1])
			}
			seen[row[0]+" "+word] = row[1]
		}
	}
	if len(seen) < 900 {
		t.Errorf("%d words", len(seen))
	}
}
