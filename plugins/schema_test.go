package plugins_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// messageSchemas returns a function that finds the schema of a message by its name. The
// name has the form OPERATION.request or OPERATION.answer.
func messageSchemas(t *testing.T) func(name string) *jsonschema.Schema {
	t.Helper()
	data, err := os.ReadFile("abi/schema.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("abi.json", doc); err != nil {
		t.Fatal(err)
	}
	return func(name string) *jsonschema.Schema {
		s, err := c.Compile("abi.json#/$defs/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}

// validateText validates a text against a schema.
func validateText(t *testing.T, s *jsonschema.Schema, text []byte) error {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return s.Validate(v)
}

// TestSchemaOfMessages checks that the schema of each message accepts the messages in the
// conformance cases. It also checks that the schema accepts the description of each
// bundled plugin.
func TestSchemaOfMessages(t *testing.T) {
	of := messageSchemas(t)
	asked := map[string]int{}
	for _, c := range readCases(t) {
		var r abi.Request
		head, _, _ := bytes.Cut(c.request, []byte{0})
		if json.Unmarshal(head, &r) != nil || !strings.Contains("describe prompt.render env.load state.replay equivalence.check tools.classify trace.decode", r.Op) || r.Op == "" {
			continue
		}
		if err := validateText(t, of(r.Op+".answer"), c.answer); err != nil {
			t.Errorf("%s: answer: %v", filepath.Base(c.path), err)
		}
		if bytes.HasPrefix(c.answer, []byte(`{"error"`)) {
			continue
		}
		asked[r.Op]++
		if err := validateText(t, of(r.Op+".request"), head); err != nil {
			t.Errorf("%s: request: %v", filepath.Base(c.path), err)
		}
	}
	for _, p := range bundled {
		if err := validateText(t, of("describe.answer"), p.Answer([]byte(`{"op":"describe"}`))); err != nil {
			t.Errorf("%s: %v", p.Description.Name, err)
		}
	}
	for _, op := range []string{"prompt.render", "state.replay", "equivalence.check"} {
		if asked[op] == 0 {
			t.Errorf("no case of %s", op)
		}
	}
	t.Log(asked)
}

func TestSchemaRefuses(t *testing.T) {
	of := messageSchemas(t)
	check := func(name, text string, want bool) {
		t.Helper()
		if err := validateText(t, of(name), []byte(text)); (err == nil) != want {
			t.Errorf("%s of %s: %v", name, text, err)
		}
	}
	check("describe.answer", `{"ok":{"abi":1,"name":"a","version":"1.0.0","operations":["describe"],"later":1}}`, true)
	check("describe.answer", `{"ok":{"abi":1,"name":"a","version":"1.0.0","operations":["describe"]},"error":null}`, true)
	check("describe.answer", `{"ok":{"abi":1,"name":"a","version":"1.0.0"}}`, false)
	check("describe.answer", `{"ok":{"abi":"1","name":"a","version":"1.0.0","operations":[]}}`, false)
	check("describe.answer", `{"ok":null}`, false)
	check("describe.answer", `{}`, false)
	check("describe.answer", `{"error":{"message":"no code"}}`, false)
	check("describe.answer", `{"ok":{"abi":1,"name":"a","version":"1","operations":[]},"error":{"code":"x"}}`, false)
	check("describe.request", `{"op":"prompt.render"}`, false)
	check("equivalence.check.request", `{"op":"equivalence.check","observed":[],"reference":[],"alignment":[{"op":"match","obs":0,"ref":-1}]}`, true)
	check("equivalence.check.request", `{"op":"equivalence.check","observed":[],"reference":[]}`, false)
	check("equivalence.check.request", `{"op":"equivalence.check","observed":[{}],"reference":[],"alignment":[]}`, false)
	check("equivalence.check.request", `{"op":"equivalence.check","observed":[{"name":1}],"reference":[],"alignment":[]}`, false)
	check("equivalence.check.answer", `{"ok":{"excused":null,"replay":{"success":true}}}`, true)
	check("equivalence.check.answer", `{"ok":{"excused":[{"row":"1"}]}}`, false)
	check("equivalence.check.answer", `{"ok":{"replay":{"outputs":{"a":1}}}}`, false)
	check("tools.classify.answer", `{"ok":{"tools":[{"name":"a","mutating":"perhaps"}]}}`, false)
	check("trace.decode.answer", `{"ok":{"format":"x"}}`, false)
}

// TestSchemaOfHosts checks that a host's requests have all members that the schema
// requires, even empty members. It also checks that the schema has each member of the Go
// types of messages.
func TestSchemaOfHosts(t *testing.T) {
	of := messageSchemas(t)
	for op, r := range map[string]any{
		abi.OpEquivalenceCheck: abi.CheckRequest{ReplayRequest: abi.ReplayRequest{Op: abi.OpEquivalenceCheck}},
		abi.OpStateReplay:      abi.ReplayRequest{Op: abi.OpStateReplay},
		abi.OpToolsClassify:    abi.ClassifyRequest{Op: abi.OpToolsClassify},
		abi.OpPromptRender:     abi.RenderRequest{Op: abi.OpPromptRender},
	} {
		b, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := validateText(t, of(op+".request"), b); err != nil {
			t.Errorf("%s: %v\n%s", op, err, b)
		}
	}
	for _, b := range [][]byte{abi.Load("e", []abi.File{{Name: "a", Data: []byte("x")}}), abi.Load("e", nil)} {
		head, _, _ := bytes.Cut(b, []byte{0})
		if err := validateText(t, of("env.load.request"), head); err != nil {
			t.Error(err)
		}
	}
	data, err := os.ReadFile("abi/schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Defs map[string]struct{ Properties map[string]any } `json:"$defs"`
	}
	if err := json.Unmarshal(data, &schema); err != nil {
		t.Fatal(err)
	}
	for _, v := range []any{abi.Replay{}, abi.Difference{}, abi.Check{}, abi.Description{}, abi.Action{}, abi.Row{}, abi.Decoded{}} {
		typ := reflect.TypeOf(v)
		for i := range typ.NumField() {
			name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			if _, ok := schema.Defs[typ.Name()].Properties[name]; !ok {
				t.Errorf("%s: no %q", typ.Name(), name)
			}
		}
	}
}
