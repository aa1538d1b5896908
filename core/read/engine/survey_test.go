package engine

import (
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// TestDefinitionsAreNoCalls checks that definitions of tools do not count as calls.
func TestDefinitionsAreNoCalls(t *testing.T) {
	v, err := jsonval.Parse(`{"tools":[{"type":"function","function":{"name":"a","description":"x","parameters":{"type":"object"}}},{"type":"function","name":"b","parameters":{}},
	 {"name":"c","input_schema":{}},{"toolSpec":{"name":"d"}}],"tool_choice":{"type":"function","function":{"name":"a"}},"function_call":"auto"}`)
	if err != nil {
		t.Fatal(err)
	}
	d := &Decoder{}
	if facts := d.surveyFacts([]jsonval.Value{v}); len(facts) > 0 {
		t.Errorf("%+v", facts)
	}
}
