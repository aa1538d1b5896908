package read

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/made"
)

// The laws: what a log sends in pieces is one call; the rows of a long table with a word for what was expected are
// the reference of their run; a wrapper and its function are one call.

// TestPiecesAreOneCall checks generated logs of runs whose calls are sent in pieces, with the names of two producers.
func TestPiecesAreOneCall(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 60))
	for range drawn.Cases(300) {
		upper, threads := r.IntN(2) == 0, r.IntN(2) == 0
		word := func(s string) string {
			if upper {
				return strings.ToUpper(s)
			}
			return s
		}
		var rows []any
		var want []string
		add := func(kind string, members map[string]any) {
			members["type"] = word(kind)
			rows = append(rows, members)
		}
		for i := range 1 + r.IntN(4) {
			id := map[string]any{"runId": fmt.Sprint("r", i)}
			if threads {
				id["threadId"] = fmt.Sprint("t", i)
			}
			add("run_started", id)
			line := ""
			for k := range r.IntN(4) {
				call := fmt.Sprintf("c%d-%d", i, k)
				name := []string{"pay_bill", "send_mail", "cancel_order"}[r.IntN(3)]
				args := fmt.Sprintf(`{"n":%d,"text":"a \"b\""}`, 10*i+k)
				add("tool_call_start", map[string]any{"toolCallId": call, "toolCallName": name})
				for rest := args; rest != ""; {
					n := min(1+r.IntN(12), len(rest))
					add("tool_call_args", map[string]any{"toolCallId": call, "delta": rest[:n]})
					rest = rest[n:]
				}
				add("tool_call_end", map[string]any{"toolCallId": call})
				result := fmt.Sprint("done ", k)
				add("tool_call_result", map[string]any{"toolCallId": call, "messageId": "m" + call, "content": result, "role": "tool"})
				line += fmt.Sprintf(" %s%s=%s", name, args, result)
			}
			want = append(want, line)
			add("run_finished", map[string]any{"runId": fmt.Sprint("r", i), "threadId": id["threadId"]})
			if !threads {
				delete(rows[len(rows)-1].(map[string]any), "threadId")
			}
		}
		text := writeRows(rows)
		switch r.IntN(3) {
		case 0:
			text = made.JSON(rows)
		case 1:
			text = "data: " + strings.ReplaceAll(text, "\n", "\n\ndata: ") + "\n\n"
		}
		doc, err := Decode([]byte(text))
		if !strings.Contains(strings.Join(want, ""), " ") {
			continue // no call
		}
		var got []string
		if err == nil {
			for _, run := range doc.Trajectories {
				line := ""
				for _, a := range run.Actions {
					line += fmt.Sprintf(" %s%s", a.Name, a.Arguments.Raw())
					if a.Observation != nil {
						line += "=" + a.Observation.Text
					}
				}
				got = append(got, line)
			}
		}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Fatalf("%v\n%q\n%q\n%s", err, got, want, text)
		}
	}
}

// TestLongTablesHaveSides checks generated rows of calls with a word for the side of each, in several languages.
func TestLongTablesHaveSides(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 61))
	kinds := [...]struct{ run, side, done, asked, tool, input string }{
		{"run_id", "kind", "actual", "expected", "tool", "args"}, {"case", "side", "agent", "gold", "function", "arguments"},
		{"Sitzung", "Art", "ist", "soll", "Werkzeug", "Parameter"}, {"ejecucion", "lado", "real", "esperado", "herramienta", "argumentos"},
		{"cas", "cote", "obtenu", "attendu", "outil", "entree"}, {"scenario", "row_type", "call", "reference", "tool_name", "tool_input"},
	}
	for range drawn.Cases(300) {
		k := kinds[r.IntN(len(kinds))]
		var rows []any
		var want []string
		row := func(run int, side, name string, n int) {
			rows = append(rows, map[string]any{k.run: fmt.Sprint("s", run), k.side: side, k.tool: name, k.input: map[string]any{"n": n}})
		}
		for i := range 2 + r.IntN(5) {
			line := ""
			for j := range 1 + r.IntN(3) {
				name := []string{"pay_bill", "send_mail", "find_order"}[r.IntN(3)]
				row(i, k.done, name, 10*i+j)
				line += fmt.Sprintf(" %s%d", name, 10*i+j)
			}
			line += " <"
			for j := range 1 + r.IntN(2) {
				row(i, k.asked, "pay_bill", 10*i+j)
				line += fmt.Sprintf(" pay_bill%d", 10*i+j)
			}
			want = append(want, line)
		}
		text := writeRows(rows)
		if r.IntN(2) == 0 {
			text = made.JSON(rows)
		}
		doc, err := Decode([]byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		var got []string
		for _, run := range doc.Trajectories {
			line := ""
			for _, a := range run.Actions {
				line += " " + a.Name + a.Arguments.Get("n").Text()
			}
			if line += " <"; run.Reference != nil {
				for _, s := range run.Reference.Steps {
					line += " " + s.Name + s.Arguments.Get("n").Text()
				}
			}
			got = append(got, line)
		}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Fatalf("%q\n%q\n%s", got, want, text)
		}
	}
}

// TestWrappersAreOneCall checks spans in which the span of a tool stands in the span of an equal call.
func TestWrappersAreOneCall(t *testing.T) {
	for _, n := range [...][3]string{{"id", "parent_id", "name"}, {"span_id", "parent_span_id", "name"}, {"spanId", "parentSpanId", "label"}, {"uid", "parent", "tool"}} {
		for _, input := range [...]string{"input", "args", "arguments"} {
			span := func(id, parent, kind, name string, k int) any {
				o := map[string]any{n[0]: id, n[1]: parent, "type": kind, n[2]: name, "trace_id": "t"}
				if kind != "agent" {
					o[input], o["output"] = map[string]any{"n": k}, "done"
				}
				return o
			}
			rows := []any{span("1", "", "agent", "support", 0), span("2", "1", "tool", "pay_bill", 1), span("3", "2", "tool", "pay_bill", 1), span("4", "1", "tool", "pay_bill", 1), span("5", "1", "tool", "send_mail", 2), span("6", "5", "tool", "send_mail", 2)}
			for _, text := range []string{made.JSON(rows), writeRows(rows), made.JSON(map[string]any{"trace_id": "t", "spans": rows})} {
				doc, err := Decode([]byte(text))
				if err != nil || len(doc.Trajectories) != 1 || len(doc.Trajectories[0].Actions) != 3 {
					if err == nil && doc.Trajectories[0].Doubt != "" {
						continue
					}
					t.Errorf("%v, %s\n%s", err, showShape(&doc.Trajectories[0]), text)
				}
			}
		}
	}
}
