package read

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestArgumentsAreNeverDropped writes the arguments of a call under names of drawn words, on
// the side of the run and on that of the reference. The law: they are read, or the run says
// that they were not. No call loses its arguments in silence.
func TestArgumentsAreNeverDropped(t *testing.T) {
	names := strings.Fields("name tool tool_name toolName function functionName")
	words := strings.Fields("arguments argument args kwargs params parameters inputs input payload data body values contains json x")
	openings := strings.Fields("- tool function action expected call api")
	rng := rand.New(rand.NewPCG(4, 9))
	for range drawn.Cases(400) {
		key := words[rng.IntN(len(words))]
		if o := openings[rng.IntN(len(openings))]; o != "-" {
			key = o + []string{"_" + key, strings.ToUpper(key[:1]) + key[1:]}[rng.IntN(2)]
		}
		value := fmt.Sprintf(`{"amount":%d}`, rng.IntN(9)+1)
		shown := []string{value, `"` + strings.ReplaceAll(value, `"`, `\"`) + `"`}[rng.IntN(2)]
		call := fmt.Sprintf(`{%q:"refund",%q:%s}`, names[rng.IntN(len(names))], key, shown)
		text := fmt.Sprintf(`{"messages":[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"refund","arguments":"{\"amount\":99}"}}]},{"role":"tool","tool_call_id":"c","content":"ok"}],"expected_tools":[%s]}`, call)
		doc, err := Decode([]byte(text))
		if err != nil || len(doc.Trajectories) != 1 {
			t.Fatalf("%v: %s", err, text)
		}
		run := &doc.Trajectories[0]
		read := run.Reference != nil && len(run.Reference.Steps) == 1 && run.Reference.Steps[0].Arguments.Raw() == value
		if !read && run.Doubt == "" {
			t.Errorf("the arguments of the reference are lost in silence: %s", text)
		}
		if known := strings.HasSuffix(strings.ToLower(key), "args") || strings.HasSuffix(strings.ToLower(key), "params"); known && !read {
			t.Errorf("the arguments of the reference are not read: %s", text)
		}
		doc, err = Decode([]byte(`{"tool_calls":[` + call + `]}`))
		if err != nil {
			continue // and so it is no run
		}
		if known := strings.HasSuffix(strings.ToLower(key), "args"); known && doc.Trajectories[0].Actions[0].Arguments.Raw() != value {
			t.Errorf("the arguments of the call are not read: %s", call)
		}
	}
}

// TestOldPydanticSpan reads the names that Pydantic AI gave the arguments and the result of a
// tool's span before version 3 of its format.
func TestOldPydanticSpan(t *testing.T) {
	doc, err := Decode([]byte(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"t","spanId":"1","name":"running tool","attributes":[{"key":"gen_ai.tool.name","value":{"stringValue":"book"}},{"key":"gen_ai.tool.call.id","value":{"stringValue":"c"}},{"key":"tool_arguments","value":{"stringValue":"{\"n\":1}"}},{"key":"tool_response","value":{"stringValue":"done"}}]}]}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	a := doc.Trajectories[0].Actions[0]
	if a.Arguments.Raw() != `{"n":1}` || a.Observation == nil || a.Observation.Text != "done" || len(doc.Warnings) > 0 {
		t.Errorf("read %+v with warnings %v", a, doc.Warnings)
	}
}
