package made

import (
	"archive/tar"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
)

// Record is a generated record of a test: what an agent did for a case, what it should have done, and how
// that was judged. The records of one case have the same question and the same expected calls.
type Record struct {
	Case, Attempt    int
	Question         string
	Expected, Actual []Deed
	Passed           bool
}

// Deed is a call with its arguments: strings and whole numbers.
type Deed struct {
	Tool string
	Args []Arg
}

// Arg is an argument. Its value is a string or an int.
type Arg struct {
	Name  string
	Value any
}

// Arguments returns the arguments as a map.
func (d Deed) Arguments() map[string]any {
	out := map[string]any{}
	for _, a := range d.Args {
		out[a.Name] = a.Value
	}
	return out
}

// Names are the words with which a record is written.
type Names struct {
	Language, Case, Question, Expected, Actual, Tool, Args, Verdict, Pass, Fail string
	List                                                                        string // of all records
}

// Vocabularies are the words of people, in eleven languages and several habits of English.
var Vocabularies = []Names{
	{"en", "id", "question", "expected", "actual", "name", "arguments", "verdict", "pass", "fail", "cases"},
	{"en", "case_id", "input", "expected_calls", "actual_calls", "tool", "args", "outcome", "passed", "failed", "results"},
	{"en", "caseId", "prompt", "expectedTools", "toolsCalled", "name", "input", "result", "PASS", "FAIL", "tests"},
	{"en", "test_id", "query", "reference", "tool_calls", "tool", "params", "status", "passed", "failed", "runs"},
	{"en", "task", "question", "golden", "predicted", "function", "arguments", "grade", "correct", "incorrect", "rows"},
	{"en", "id", "input", "ground_truth", "agent_calls", "tool_name", "tool_args", "verdict", "✅ pass", "❌ fail", "examples"},
	{"en", "id", "input", "should", "did", "tool", "args", "passed", "yes", "no", "items"},
	{"en", "id", "input", "want", "got", "tool", "args", "ok", "true", "false", "cases"},
	{"es", "caso", "pregunta", "llamadas_esperadas", "llamadas_realizadas", "herramienta", "argumentos", "veredicto", "aprobado", "no aprobado", "casos"},
	{"de", "Testfall", "Anfrage", "Soll-Aufrufe", "Ist-Aufrufe", "Werkzeug", "Argumente", "Ergebnis", "bestanden", "nicht bestanden", "Ergebnisse"},
	{"fr", "cas", "question", "attendu", "obtenu", "outil", "paramètres", "verdict", "réussi", "échoué", "résultats"},
	{"it", "caso", "domanda", "chiamate_attese", "chiamate_effettive", "strumento", "argomenti", "risultato", "superato", "fallito", "risultati"},
	{"pt", "caso", "pergunta", "chamadas_esperadas", "chamadas_obtidas", "ferramenta", "argumentos", "resultado", "aprovado", "reprovado", "casos"},
	{"nl", "testgeval", "vraag", "verwachte_aanroepen", "werkelijke_aanroepen", "hulpmiddel", "argumenten", "oordeel", "geslaagd", "niet geslaagd", "testgevallen"},
	{"pl", "przypadek", "pytanie", "oczekiwane_wywołania", "rzeczywiste_wywołania", "narzędzie", "argumenty", "werdykt", "zaliczony", "niezaliczony", "przypadki"},
	{"ru", "случай", "вопрос", "ожидаемые вызовы", "фактические вызовы", "инструмент", "аргументы", "вердикт", "пройден", "провал", "случаи"},
	{"ja", "ケースID", "質問", "期待する呼び出し", "実際の呼び出し", "関数", "引数", "判定", "合格", "不合格", "ケース"},
	{"zh", "用例", "问题", "预期调用", "实际调用", "工具", "参数", "结果", "通过", "未通过", "用例"},
	{"ko", "사례", "질문", "예상 호출", "실제 호출", "도구", "인수", "판정", "합격", "불합격", "사례"},
}

// Records makes 2 to 4 cases with 1 to 3 attempts each. The first has calls on both sides.
func Records(r *rand.Rand) (out []Record) {
	texts := []string{"a, b", "x|y", "it's", "K-1042", `say "hi"`, "Köln (west)", "3", "a; b", "新宿"}
	deeds := func(least int) []Deed {
		list := []Deed{}
		for range least + r.IntN(3) {
			d := Deed{Tool: []string{"find_order", "pay", "notify", "kunde_suchen", "cancel.order"}[r.IntN(5)]}
			if r.IntN(4) > 0 {
				d.Args = append(d.Args, Arg{"order", texts[r.IntN(len(texts))]})
			}
			if r.IntN(2) > 0 {
				d.Args = append(d.Args, Arg{"n", r.IntN(100)})
			}
			list = append(list, d)
		}
		return list
	}
	for c := range 2 + r.IntN(3) {
		question, expected := fmt.Sprintf("Do number %d, please.", c), deeds(map[bool]int{true: 1}[c == 0])
		for attempt := range 1 + r.IntN(3) {
			rec := Record{Case: c, Attempt: attempt + 1, Question: question, Expected: expected, Actual: deeds(map[bool]int{true: 1}[c == 0 && attempt == 0]), Passed: r.IntN(2) == 0}
			out = append(out, rec)
		}
	}
	return out
}

// Notation writes records in a file.
type Notation struct {
	Name  string
	Write func(list []Record, n Names) []byte
}

// Notations returns each form of a file: an envelope in a format. A table has a cell for the calls.
func Notations() (all []Notation) {
	envelopes := []struct {
		name string
		make func([]Record, Names) []field
	}{{"list", nil}, {"wrapped", wrapRecords}, {"map", mapRecords}, {"suites", suiteRecords}, {"attempts", attemptRecords}, {"models", modelRecords}, {"suites of attempts", nestedRecords}, {"suites of suites of attempts", deepRecords}, {"hits", hitRecords}}
	for _, e := range envelopes {
		value := func(list []Record, n Names) any {
			if e.make == nil {
				return flatRecords(list, n)
			}
			return e.make(list, n)
		}
		all = append(all,
			Notation{e.name + " json", func(l []Record, n Names) []byte { return indent(value(l, n)) }},
			Notation{e.name + " json.gz", func(l []Record, n Names) []byte { return Zip(indent(value(l, n))) }},
			Notation{e.name + " yaml", func(l []Record, n Names) []byte { return []byte(yamlText(value(l, n), 0, true)) }})
	}
	lines := func(l []Record, n Names) []byte {
		var b bytes.Buffer
		for _, rec := range flatRecords(l, n) {
			b.WriteString(jsonText(rec) + "\n")
		}
		return b.Bytes()
	}
	wrapped := func(name string, wrap func(i int, rec any) []field) Notation {
		return Notation{name, func(l []Record, n Names) []byte {
			var b bytes.Buffer
			for i, rec := range flatRecords(l, n) {
				b.WriteString(jsonText(wrap(i, rec)) + "\n")
			}
			return b.Bytes()
		}}
	}
	all = append(all,
		wrapped("lines of a flow", func(i int, rec any) []field { return []field{{"json", rec}, {"pairedItem", []field{{"item", i}}}} }),
		wrapped("lines of a queue", func(i int, rec any) []field {
			return []field{{"key", fmt.Sprint("k", i)}, {"offset", i}, {"value", jsonText(rec)}}
		}),
		wrapped("rows of a table", func(i int, rec any) []field {
			return []field{{"row_idx", i}, {"row", rec}, {"truncated_cells", []any{}}}
		}))
	all = append(all, Notation{"jsonl", lines}, Notation{"jsonl.gz", func(l []Record, n Names) []byte { return Zip(lines(l, n)) }},
		Notation{"tar.gz of jsonl", func(l []Record, n Names) []byte {
			return TarGz(map[string][]byte{"out/results.jsonl": lines(l, n)}, []string{"out/results.jsonl"})
		}},
		Notation{"tar.gz of files", func(l []Record, n Names) []byte {
			files, order := map[string][]byte{}, []string{}
			for i, rec := range flatRecords(l, n) {
				name := fmt.Sprintf("out/%03d.json", i)
				files[name], order = indent(rec), append(order, name)
			}
			return TarGz(files, order)
		}})
	for _, sep := range [...]rune{',', ';', '\t'} {
		for _, cell := range [...]string{"json", " | ", "; ", "\n", " -> "} {
			all = append(all, Notation{fmt.Sprintf("csv %q of %q", sep, cell), func(l []Record, n Names) []byte { return csvTable(l, n, sep, cell) }})
		}
	}
	return append(all, Notation{"markdown", func(l []Record, n Names) []byte { return markdownTable(l, n, "<br>", false) }},
		Notation{"markdown with words", func(l []Record, n Names) []byte { return markdownTable(l, n, "; ", true) }},
		Notation{"console of arrows", consoleArrows}, Notation{"console of words", consoleWords}, Notation{"console in turns", consoleTurns})
}

// field is a member of an object, so that their order is that of people.
type field struct {
	key   string
	value any
}

func deedValues(list []Deed, n Names) []any {
	out := []any{}
	for _, d := range list {
		args := []field{}
		for _, a := range d.Args {
			args = append(args, field{a.Name, a.Value})
		}
		out = append(out, []field{{n.Tool, d.Tool}, {n.Args, args}})
	}
	return out
}

func caseName(rec Record) string { return fmt.Sprintf("t-%02d", rec.Case) }

func flatRecords(list []Record, n Names) (out []any) {
	for _, rec := range list {
		out = append(out, []field{{n.Case, fmt.Sprintf("%s.%d", caseName(rec), rec.Attempt)}, {n.Question, rec.Question}, {n.Expected, deedValues(rec.Expected, n)}, {n.Actual, deedValues(rec.Actual, n)}, {n.Verdict, verdict(rec, n)}})
	}
	return out
}

func verdict(rec Record, n Names) any {
	word := map[bool]string{true: n.Pass, false: n.Fail}[rec.Passed]
	if word == "true" || word == "false" {
		return rec.Passed
	}
	return word
}

func wrapRecords(list []Record, n Names) []field {
	return []field{{"suite", "nightly"}, {"version", 3}, {n.List, flatRecords(list, n)}}
}

func mapRecords(list []Record, n Names) (out []field) {
	for _, rec := range list {
		one := flatRecords([]Record{rec}, n)[0].([]field)
		out = append(out, field{one[0].value.(string), one[1:]})
	}
	return out
}

func suiteRecords(list []Record, n Names) []field {
	half := len(list) / 2
	return []field{{"report", "e2e"}, {"suites", []any{
		[]field{{"name", "first"}, {n.List, flatRecords(list[:half], n)}}, []field{{"name", "second"}, {n.List, flatRecords(list[half:], n)}}}}}
}

// byCase returns the records of each case.
func byCase(list []Record) (out [][]Record) {
	for i, rec := range list {
		if i == 0 || list[i-1].Case != rec.Case {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], rec)
	}
	return out
}

func caseAttempts(recs []Record, n Names) []field {
	attempts := []any{}
	for _, rec := range recs {
		attempts = append(attempts, []field{{"attempt", rec.Attempt}, {n.Actual, deedValues(rec.Actual, n)}, {n.Verdict, verdict(rec, n)}})
	}
	return []field{{n.Case, caseName(recs[0])}, {n.Question, recs[0].Question}, {n.Expected, deedValues(recs[0].Expected, n)}, {"attempts", attempts}}
}

func attemptRecords(list []Record, n Names) []field {
	cases := []any{}
	for _, recs := range byCase(list) {
		cases = append(cases, caseAttempts(recs, n))
	}
	return []field{{"report", "e2e"}, {n.List, cases}}
}

// deepRecords puts suites into suites, and one beside them that has its cases itself.
func deepRecords(list []Record, n Names) []field {
	cases := byCase(list)
	inner := func(recs []Record) []field { return []field{{"name", "inner"}, {n.List, []any{caseAttempts(recs, n)}}} }
	first := []any{[]field{{"name", "simple"}, {"suites", []any{inner(cases[0])}}}}
	suites := []any{[]field{{"name", "outer"}, {"suites", first}}}
	for _, recs := range cases[1:] {
		suites = append(suites, inner(recs))
	}
	return []field{{"report", "e2e"}, {"suites", suites}}
}

// hitRecords writes records as the answer of a store that was searched.
func hitRecords(list []Record, n Names) []field {
	hits := []any{}
	for i, rec := range flatRecords(list, n) {
		hits = append(hits, []field{{"_index", "runs"}, {"_id", fmt.Sprint("e", i)}, {"_score", 1.5}, {"_source", rec}})
	}
	return []field{{"took", 3}, {"hits", []field{{"total", []field{{"value", len(list)}}}, {"hits", hits}}}}
}

func nestedRecords(list []Record, n Names) []field {
	suites := []any{}
	for i, recs := range byCase(list) {
		suites = append(suites, []field{{"name", fmt.Sprint("suite ", i)}, {n.List, []any{caseAttempts(recs, n)}}})
	}
	return []field{{"report", "e2e"}, {"suites", suites}}
}

func modelRecords(list []Record, n Names) (out []field) {
	for _, recs := range byCase(list) {
		models := []field{}
		for _, rec := range recs {
			models = append(models, field{[]string{"", "alpha-4.1", "beta", "gamma-7b"}[rec.Attempt], []field{{n.Actual, deedValues(rec.Actual, n)}, {n.Verdict, verdict(rec, n)}}})
		}
		out = append(out, field{caseName(recs[0]), []field{{n.Question, recs[0].Question}, {n.Expected, deedValues(recs[0].Expected, n)}, {"models", models}}})
	}
	return out
}

// jsonText writes a value in one line.
func jsonText(v any) string {
	switch v := v.(type) {
	case []field:
		var parts []string
		for _, f := range v {
			parts = append(parts, jsonText(f.key)+": "+jsonText(f.value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []any:
		var parts []string
		for _, e := range v {
			parts = append(parts, jsonText(e))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // a string, a number or a bool
	return strings.TrimSpace(b.String())
}

func indent(v any) []byte {
	var b bytes.Buffer
	_ = json.Indent(&b, []byte(jsonText(v)), "", "  ") // it is JSON
	return b.Bytes()
}

// TarGz returns files in an archive under gzip, in the given order.
func TarGz(files map[string][]byte, order []string) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	_ = w.WriteHeader(&tar.Header{Name: "out/", Typeflag: tar.TypeDir, Mode: 0o755})
	for _, name := range order {
		_ = w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(files[name]))})
		_, _ = w.Write(files[name])
	}
	_ = w.Close()
	return Zip(b.Bytes())
}

// yamlText writes a value in blocks, and small objects in braces.
func yamlText(v any, depth int, line bool) string {
	pad := strings.Repeat("  ", depth)
	var b strings.Builder
	switch v := v.(type) {
	case []field:
		if len(v) == 0 {
			return " {}\n"
		}
		for i, f := range v {
			if i > 0 || line {
				b.WriteString(pad)
			}
			b.WriteString(yamlScalar(f.key) + ":" + yamlInside(f.value, depth+1))
		}
	case []any:
		if len(v) == 0 {
			return " []\n"
		}
		for _, e := range v {
			if _, object := e.([]field); object {
				b.WriteString(pad + "- " + yamlText(e, depth+1, false))
			} else {
				b.WriteString(pad + "-" + yamlInside(e, depth+1))
			}
		}
	}
	return b.String()
}

func yamlInside(v any, depth int) string {
	switch v := v.(type) {
	case []field:
		small := len(v) > 0
		for _, f := range v {
			switch f.value.(type) {
			case []field, []any:
				small = false
			}
		}
		if small && depth > 3 {
			var parts []string
			for _, f := range v {
				parts = append(parts, yamlScalar(f.key)+": "+yamlScalar(f.value))
			}
			return " {" + strings.Join(parts, ", ") + "}\n"
		}
		if len(v) > 0 {
			return "\n" + yamlText(v, depth, true)
		}
		return " {}\n"
	case []any:
		if len(v) > 0 {
			return "\n" + yamlText(v, depth, true)
		}
		return " []\n"
	}
	return " " + yamlScalar(v) + "\n"
}

// yamlScalar writes a text without quotation marks if it may stand so.
func yamlScalar(v any) string {
	s, ok := v.(string)
	if ok && s != "" && s != "true" && s != "false" && s != "yes" && s != "no" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_éèäöüß") == "" {
		return s
	}
	if ok && !strings.ContainsAny(s, `"\`) && strings.Contains(s, "'") {
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	return jsonText(v)
}

// deedText writes a call as code does.
func deedText(d Deed) string {
	var parts []string
	for _, a := range d.Args {
		parts = append(parts, a.Name+"="+jsonText(a.Value))
	}
	return d.Tool + "(" + strings.Join(parts, ", ") + ")"
}

func deedTexts(list []Deed, separator string) string {
	var parts []string
	for _, d := range list {
		parts = append(parts, deedText(d))
	}
	return strings.Join(parts, separator)
}

func csvTable(list []Record, n Names, sep rune, cell string) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Comma = sep
	_ = w.Write([]string{n.Case, n.Question, n.Expected, n.Actual, n.Verdict})
	for _, rec := range list {
		calls := func(list []Deed) string {
			if cell == "json" {
				return jsonText(deedValues(list, n))
			}
			return deedTexts(list, cell)
		}
		_ = w.Write([]string{fmt.Sprintf("%s.%d", caseName(rec), rec.Attempt), rec.Question, calls(rec.Expected), calls(rec.Actual), fmt.Sprint(verdict(rec, n))})
	}
	w.Flush()
	return b.Bytes()
}

func markdownTable(list []Record, n Names, separator string, words bool) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# Report\n\nThe agent did %d cases.\n\n| %s | %s | %s | %s | %s |\n|---|---|:--|---|---|\n", len(list), n.Case, n.Question, n.Expected, n.Actual, n.Verdict)
	for _, rec := range list {
		calls := func(list []Deed) string {
			if len(list) == 0 && words {
				return "—"
			}
			var parts []string
			for _, d := range list {
				parts = append(parts, "`"+strings.ReplaceAll(deedText(d), "|", `\|`)+"`")
			}
			return strings.Join(parts, separator)
		}
		fmt.Fprintf(&b, "| %s.%d | %s | %s | %s | %v |\n", caseName(rec), rec.Attempt, rec.Question, calls(rec.Expected), calls(rec.Actual), verdict(rec, n))
	}
	return []byte(b.String() + "\n| metric | value |\n|---|---|\n| passed | 3 |\n")
}

// consoleArrows writes a log with times and levels.
func consoleArrows(list []Record, _ Names) []byte {
	var b strings.Builder
	n := 0
	say := func(format string, values ...any) {
		n++
		fmt.Fprintf(&b, "2026-03-14T02:%02d:%02d.004Z %s\n", n/60, n%60, fmt.Sprintf(format, values...))
	}
	say("INFO  eval    loading suite (%d cases)", len(list))
	for _, rec := range list {
		say("INFO  eval    === case %s.%d started ===", caseName(rec), rec.Attempt)
		for _, d := range rec.Actual {
			args := []field{}
			for _, a := range d.Args {
				args = append(args, field{a.Name, a.Value})
			}
			say("DEBUG agent   -> tool=%s args=%s", d.Tool, jsonText(args))
			say("DEBUG agent   <- tool=%s ok {\"n\":1}", d.Tool)
		}
		if len(rec.Expected) > 0 {
			say("INFO  eval    expected calls: %s", deedTexts(rec.Expected, "; "))
		} else {
			say("INFO  eval    expected calls: none")
		}
		say("INFO  eval    === case %s.%d finished: %s ===", caseName(rec), rec.Attempt, map[bool]string{true: "PASS", false: "FAIL (wrong)"}[rec.Passed])
	}
	return []byte(b.String())
}

// consoleWords writes a log of a person's program.
func consoleWords(list []Record, _ Names) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "$ python bench.py\n[09:14:01] loaded %d tasks, 3 tools\n", len(list))
	for i, rec := range list {
		fmt.Fprintf(&b, "[09:14:02] ===== run %d/%d  id=%s.%d =====\n[09:14:02] user> %s\n", i+1, len(list), caseName(rec), rec.Attempt, rec.Question)
		for _, d := range rec.Actual {
			fmt.Fprintf(&b, "[09:14:03] call> %s\n[09:14:04]   ok> done\n", deedText(d))
		}
		fmt.Fprintf(&b, "[09:14:05] expected: %s\n", map[bool]string{true: "none", false: deedTexts(rec.Expected, ", ")}[len(rec.Expected) == 0])
		fmt.Fprintf(&b, "[09:14:05] agent> Done.\n[09:14:06] verdict: %s\n", map[bool]string{true: "PASS", false: "FAIL (state differs)"}[rec.Passed])
	}
	return []byte(b.String() + "[09:14:22] 2 passed, 20.1 s\n")
}

// consoleTurns writes a log of runs that stand in turns: each line says of which run it is.
func consoleTurns(list []Record, _ Names) []byte {
	var turns [][]string
	for _, rec := range list {
		lines := []string{fmt.Sprintf("START task=%q", rec.Question)}
		for _, d := range rec.Actual {
			lines = append(lines, "CALL "+deedText(d), "RESULT "+d.Tool+" -> ok")
		}
		expected := deedTexts(rec.Expected, ", ")
		if expected == "" {
			expected = "none"
		}
		turns = append(turns, append(lines, "expected calls: "+expected, "END "+map[bool]string{true: "PASS", false: "FAIL"}[rec.Passed]+" 1.9s"))
	}
	var b strings.Builder
	for n, left := 0, true; left; n++ {
		left = false
		for i, rec := range list {
			if n < len(turns[i]) {
				left = true
				fmt.Fprintf(&b, "2026-03-08 07:00:0%d,120 INFO  [run=%s.%d] %s\n", n%10, caseName(rec), rec.Attempt, turns[i][n])
			}
		}
	}
	return []byte(b.String())
}
