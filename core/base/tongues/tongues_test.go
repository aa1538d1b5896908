package tongues

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"
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
