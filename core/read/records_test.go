package read

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/made"
)

// The law: a reading by shape that joins what may be several records is never silent.

// nestedNames are the names of members of one generated text.
type nestedNames struct{ list, calls, tool, input, id, asked, around, expected string }

func drawNested(r *rand.Rand) nestedNames {
	pick := func(words string) string {
		list := strings.Fields(words)
		if r.IntN(3) > 0 {
			return list[r.IntN(len(list))]
		}
		word := "z"
		for range 3 + r.IntN(4) {
			word += string("bcdfghklmnprstvw"[r.IntN(16)])
		}
		return word
	}
	return nestedNames{
		list: pick("runs cases Sitzungen sesiones tests entries results data pruebas essais"), calls: pick("calls steps Schritte acciones did aufrufe trail journal"),
		tool: pick("tool operation werkzeug herramienta outil function action"), input: pick("args payload eingabe entrada params input"), id: pick("id case session caso Fall uid"),
		asked: pick("prompt question frage pregunta goal ask"), around: pick("report export payload bericht informe"), expected: pick("expected golden erwartet esperado"),
	}
}

// writeNested writes runs in a nesting. Each run is a list of names of tools with numbers.
func writeNested(r *rand.Rand, n *nestedNames, runs [][]string) string {
	ids, asked, sorted := r.IntN(2) == 0, r.IntN(3) == 0, r.IntN(2) == 0
	call := func(name string, i int) map[string]any {
		return map[string]any{n.tool: name, n.input: map[string]any{"n": i, "s": "x" + name}}
	}
	record := func(i int) map[string]any {
		list := []any{}
		for j, name := range runs[i] {
			list = append(list, call(name, 10*i+j))
		}
		out := map[string]any{n.calls: list}
		if ids {
			out[n.id] = fmt.Sprint("a", i)
		}
		if asked {
			out[n.asked] = fmt.Sprint("Please do number ", i)
		}
		return out
	}
	var all []any
	byID := map[string]any{}
	for i := range runs {
		all = append(all, record(i))
		byID[fmt.Sprint([]string{"k", "case ", "x"}[len(runs)%3], i)] = record(i)
	}
	half := (len(all) + 1) / 2
	switch r.IntN(11) {
	case 0:
		return made.JSON(all)
	case 1:
		return writeRows(all)
	case 2:
		return made.JSON(map[string]any{n.list: all})
	case 3:
		return made.JSON(map[string]any{n.around: map[string]any{n.list: all, "version": 2}})
	case 4:
		return made.JSON(map[string]any{n.list: byID})
	case 5:
		return made.JSON(byID)
	case 6:
		return made.JSON(map[string]any{n.around: []any{map[string]any{"name": "first", n.list: all[:half]}, map[string]any{"name": "second", n.list: all[half:]}}})
	case 7: // a list of lists
		var lists []any
		for i := range runs {
			lists = append(lists, record(i)[n.calls])
		}
		return made.JSON(map[string]any{n.list: lists})
	case 8: // the rows of a long table: each is one call
		var rows []any
		for i := range runs {
			for j, name := range runs[i] {
				row := call(name, 10*i+j)
				row["session_id"] = fmt.Sprint("s", i)
				rows = append(rows, row)
			}
		}
		if !sorted {
			slices.SortStableFunc(rows, func(a, b any) int {
				return a.(map[string]any)[n.input].(map[string]any)["n"].(int)%10 - b.(map[string]any)[n.input].(map[string]any)["n"].(int)%10
			})
		}
		return shapeRows(r, rows)
	case 9: // a log with the begin and the end of each run
		var rows []any
		for i := range runs {
			rows = append(rows, map[string]any{"ev": "run_open"})
			for j, name := range runs[i] {
				row := call(name, 10*i+j)
				row["ev"] = "call"
				rows = append(rows, row)
			}
			rows = append(rows, map[string]any{"ev": "run_close"})
		}
		return shapeRows(r, rows)
	default: // lists beside each other
		var asks, lists []any
		for i := range runs {
			asks, lists = append(asks, fmt.Sprint("Please do number ", i)), append(lists, record(i)[n.calls])
		}
		return made.JSON(map[string]any{n.asked + "s": asks, n.calls: lists})
	}
}

func shapeRows(r *rand.Rand, rows []any) string {
	if r.IntN(2) == 0 {
		return writeRows(rows)
	}
	return made.JSON(rows)
}

func TestJoiningIsNeverSilent(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 59))
	right, warned, refused := 0, 0, 0
	for range drawn.Cases(1500) {
		n := drawNested(r)
		runs := make([][]string, 1+r.IntN(20))
		calls := 0
		for i := range runs {
			for range r.IntN(4) {
				runs[i] = append(runs[i], []string{"find_order", "cancel_order", "send_mail", "book.room"}[r.IntN(4)])
			}
			calls += len(runs[i])
		}
		if calls == 0 {
			continue
		}
		text := writeNested(r, &n, runs)
		doc, err := Decode([]byte(text))
		if err != nil {
			refused++
			continue
		}
		var got, want []string
		doubtful := len(doc.Warnings) > 0
		for i := range doc.Trajectories {
			t := &doc.Trajectories[i]
			line := ""
			for _, a := range t.Actions {
				line += " " + a.Name
			}
			doubtful = doubtful && (t.Doubt != "" || t.ByShape || len(t.Actions) == 0)
			got = append(got, line)
		}
		for _, run := range runs {
			line := ""
			for _, name := range run {
				line += " " + name
			}
			want = append(want, line)
		}
		slices.Sort(got)
		slices.Sort(want)
		full := slices.DeleteFunc(slices.Clone(want), func(s string) bool { return s == "" }) // a run of which no row speaks
		switch {
		case slices.Equal(got, want), slices.Equal(got, full) && strings.Contains(text, "session_id"):
			right++
		case doubtful:
			warned++
		default:
			t.Errorf("%d runs of %d, %d warnings, silent\n%+v\n%s\ngot %q", len(got), len(want), len(doc.Warnings), n, text[:min(len(text), 900)], got[:min(4, len(got))])
		}
	}
	t.Logf("%d texts were read, %d warned of, %d refused", right, warned, refused)
}
