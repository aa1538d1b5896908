package tongues

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// TestMember checks names of records in several languages, and names that must stay as they are.
func TestMember(t *testing.T) {
	for name, want := range map[string]string{
		"llamadas_esperadas": "expected_call", "llamadasEsperadas": "expected_call", "Soll-Aufrufe": "expected_call", "Sollaufrufe": "expected_call", "Ist-Aufrufe": "actual_call",
		"erwartete Aufrufe": "expected_call", "appels attendus": "expected_call", "attendu": "expected", "obtenu": "actual", "chiamate_effettive": "actual_call",
		"期待する呼び出し": "expected_call", "実際の呼び出し": "actual_call", "ケースID": "case_id", "関数": "tool", "引数": "arguments", "判定": "verdict", "质问": "", "预期调用": "expected_call",
		"실제 호출": "actual_call", "id_caso": "case_id", "Testfall": "case", "Ergebnis": "result", "casos": "case", "ожидаемые вызовы": "expected_call",
		"forvantade_anrop": "expected_call", "gercekCagrilar": "actual_call", "wywolanie": "call", "evaluation": "", "execution": "",
		"expected_calls": "", "messages": "", "tool": "", "real_estate": "", "cart": "", "ist_mehr": "", "city": "", "id": "", "": "", "の": "", "outcome": "",
	} {
		if got := Member(name); got != want {
			t.Errorf("%s becomes %q, want %q", name, got, want)
		}
	}
}

// TestRolesAreOneWord checks that each word has one meaning, and that English names of members stay.
func TestRolesAreOneWord(t *testing.T) {
	seen := map[string]string{}
	for line := range strings.Lines(rolesText) {
		row := strings.Fields(line)
		if row[0] == "#" {
			continue
		}
		for _, word := range row[1:] {
			if seen[word] != "" || wordlist.Contains(plainRoles, word) || word != strings.ToLower(word) {
				t.Errorf("%s: %s and %s", word, seen[word], row[0])
			}
			if seen[word] = row[0]; Member(word) != row[0] {
				t.Errorf("%s is %q", word, Member(word))
			}
		}
		if Member(row[0]) != "" {
			t.Errorf("the English %s becomes %q", row[0], Member(row[0]))
		}
	}
	if len(seen) < 400 {
		t.Error(len(seen))
	}
}
