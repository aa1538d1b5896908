package sdk

import (
	"context"
	"encoding/json"
	"os"
	"testing"

	"github.com/open-policy-agent/opa/v1/rego"
)

// regoEngine decides with the Open Policy Agent. The host gives it the history.
type regoEngine struct {
	t     testing.TB
	query rego.PreparedEvalQuery
}

func newRego(t testing.TB, name string) engine {
	t.Helper()
	file := "rego/" + name + ".rego"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	q, err := rego.New(rego.Query("data.policy"), rego.Module(file, string(text))).PrepareForEval(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return &regoEngine{t, q}
}

func (e *regoEngine) decideCall(c *call, history []*call) answer {
	list := []any{}
	for _, h := range history {
		var result any
		json.Unmarshal([]byte(h.Detail), &result)
		list = append(list, map[string]any{"tool": h.Tool, "agent": h.Agent, "arguments": h.Arguments, "outcome": h.Outcome, "result": result, "age": c.At.Sub(h.At).Seconds()})
	}
	input := map[string]any{"tool": c.Tool, "agent": c.Agent, "arguments": c.Arguments, "changes": c.mayChange(), "ns": c.At.UnixNano(), "history": list}
	results, err := e.query.Eval(context.Background(), rego.EvalInput(input))
	if err != nil || len(results) != 1 {
		e.t.Fatal(err, results)
	}
	got := results[0].Expressions[0].Value.(map[string]any)
	a := answer{deny: got["deny"] == true}
	if hold, ok := got["hold"].(json.Number); ok {
		n, _ := hold.Int64()
		a.people = int(n)
	} else if c.mayChange() && got["allow"] != true {
		a.people = 1
	}
	return a
}
