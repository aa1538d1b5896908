package mutation

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

func mustParse(t testing.TB, text string) jsonval.Value {
	t.Helper()
	v, err := jsonval.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

func TestReadTools(t *testing.T) {
	for _, text := range []string{
		`[{"type":"function","function":{"name":"a","description":"d","parameters":{"type":"object"}}}]`,
		`[{"type":"function","name":"a","description":"d","parameters":{"type":"object"}}]`,
		`[{"name":"a","description":"d","inputSchema":{"type":"object"}}]`,
		`{"tools":[{"name":"a","description":"d","inputSchema":{"type":"object"}}]}`,
		`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","description":"d","input_schema":{"type":"object"}}]}}`,
	} {
		tools, err := ReadTools(mustParse(t, text))
		if err != nil || len(tools) != 1 || tools[0].Name != "a" || tools[0].Description != "d" || !tools[0].Parameters.Exists() {
			t.Errorf("%s: %+v, %v", text, tools, err)
		}
	}
}

func TestReadToolsHints(t *testing.T) {
	tools, err := ReadTools(mustParse(t, `[{"name":"a","method":"GET","annotations":{"readOnlyHint":true,"destructiveHint":false,"openWorldHint":null}}]`))
	if err != nil {
		t.Fatal(err)
	}
	a := tools[0].Annotations
	if a.ReadOnly == nil || !*a.ReadOnly || a.Destructive == nil || *a.Destructive || a.Idempotent != nil || a.OpenWorld != nil {
		t.Errorf("hints: %+v", a)
	}
	if tools[0].Method != "GET" || tools[0].Trusted {
		t.Errorf("tool: %+v", tools[0])
	}
}

func TestReadToolsErrors(t *testing.T) {
	for text, want := range map[string]string{
		`{"tool":[]}`:      `missing member "tools"`,
		`{"tools":{}}`:     "want an array, saw object",
		`7`:                "want an array, saw number",
		`[{"name":"a"},3]`: "invalid tool 1: want an object, saw number",
		`[{"nme":"a"}]`:    `invalid tool 0: the member "name" must be a string that is not empty; members seen: "nme"`,
		`[{"type":"function","function":{"description":"x"}}]`: `members seen: "description"`,
		`[{"name":"a","annotations":{"readOnlyHint":"true"}}]`: `invalid annotation "readOnlyHint": want a boolean, saw string`,
		`[{"name":"a","annotations":[]}]`:                      "want an object, saw array",
	} {
		if _, err := ReadTools(mustParse(t, text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestReadTable(t *testing.T) {
	table, err := ReadTable(mustParse(t, `{"tools":{"get_x":"yes","delete_x":"no","beam":"control"}}`))
	if err != nil {
		t.Fatal(err)
	}
	c := New(nil, table)
	for name, want := range map[string]Tri{"get_x": Yes, "delete_x": No, "beam": No, "Get_x": No} {
		if v := c.Classify(name, jsonval.Value{}); v.Mutating != want {
			t.Errorf("%s: %+v", name, v)
		}
	}
	if v := c.Classify("beam", jsonval.Value{}); !v.Control || v.Layer != LayerTable {
		t.Errorf("control: %+v", v)
	}
	for text, want := range map[string]string{
		`[]`:                             "saw array",
		`{"x":1}`:                        `an object with members "x"`,
		`{"tools":{"a":"maybe"}}`:        `the value of the tool "a" must be "yes", "no" or "control"; saw "maybe"`,
		`{"tools":{"a":"no","a":"yes"}}`: "appears twice",
	} {
		if _, err := ReadTable(mustParse(t, text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
