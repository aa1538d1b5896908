package envelope

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestWorldKeepsItsNames checks generated records in which arguments and results have names that are words of
// the table, too: only the names of the record change, and each stays in its line.
func TestWorldKeepsItsNames(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 68))
	words := []string{"caso", "herramienta", "ケース", "Ergebnis", "nombre", "id", "attendu", "x"}
	for range drawn.Cases(300) {
		world := func() string {
			return fmt.Sprintf(`{%q:1,%q:{%q:[{%q:"caso"}]}}`, words[r.IntN(8)]+"1", words[r.IntN(8)], words[r.IntN(8)], words[r.IntN(8)])
		}
		arguments, result := world(), world()
		if r.IntN(2) == 0 {
			result = fmt.Sprintf(`{"x1":%s}`, result)
		}
		text := fmt.Sprintf("{\"caso\":\"a\",\n\"llamadas_esperadas\":[],\n\"llamadas\":[{\"herramienta\":\"pay\",\"argumentos\":%s,\n\"resultado\":%s}]}", arguments, result)
		got, ok := englishNames(text)
		want := strings.NewReplacer(`{"caso":"a"`, `{"case":"a"`, `"llamadas_esperadas"`, `"expected_calls"`, `"llamadas":`, `"calls":`, `{"herramienta":"pay","argumentos"`, `{"tool":"pay","arguments"`, ",\n\"resultado\"", ",\n\"result\"").Replace(text)
		if !ok || got != want || !jsonval.Valid(got) {
			t.Fatalf("%s\nbecomes %s\nwant %s", text, got, want)
		}
		if _, again := englishNames(got); again {
			t.Fatal("English again:", got)
		}
	}
	nested := "{\"結果\":{\"t1\":{\"依頼\":\"a\",\"呼び出し\":[{\"関数\":\"f\",\"引数\":{\"関数\":1}}],\"期待\":[\"f\"]}}}"
	if got, ok := englishNames(nested); !ok || got != `{"result":{"t1":{"question":"a","calls":[{"tool":"f","arguments":{"関数":1}}],"expected":["f"]}}}` {
		t.Error(got)
	}
	for _, text := range []string{`{"expected":[],"actual":[]}`, `{"sesion":"a","herramienta":"b"}`, `{"messages":[{"role":"user","content":"el caso"}]}`, `[]`, `{"caso`} {
		if got, ok := englishNames(text); ok || got != text {
			t.Errorf("%s becomes %s", text, got)
		}
	}
}
