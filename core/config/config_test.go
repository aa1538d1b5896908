package config_test

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/config"
)

func readConfig(t *testing.T, text string) (*config.Config, error) {
	t.Helper()
	v, err := jsonval.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return config.Read(v)
}

func TestRead(t *testing.T) {
	c, err := readConfig(t, `{"profile":"sop","fail-under":{"abs.max":0.8},"tools":{"a":true,"b":"no","c":{"mutating":"yes"}},
		"aliases":[["x","y"]],"ignore":"key","map":{"calls":"steps","name":"tool"},"plugins":{"p":"^1.2"},"title":"ours"}`)
	if err != nil {
		t.Fatal(err)
	}
	if c.Profile != "sop" || len(c.FailUnder) != 1 || c.FailUnder[0] != (config.Bound{Metric: "abs.max", Value: 0.8}) || len(c.Ignore) != 1 || c.Map.Calls != "steps" || c.Plugins["p"] != "^1.2" {
		t.Errorf("read %+v", c)
	}
	for name, want := range map[string]mutation.Tri{"a": mutation.Yes, "b": mutation.No, "c": mutation.Yes} {
		if got := c.Table[name].Mutating; got != want {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
	if len(c.Vocabulary.Aliases) != 1 {
		t.Errorf("aliases %v", c.Vocabulary.Aliases)
	}
	if c, err := readConfig(t, `null`); err != nil || c.Profile != "" {
		t.Errorf("null: %v %v", c, err)
	}
}

func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		`[]`:                                        "want members",
		`{"ignor":[]}`:                              "ignor: unknown member. The known members are traces,",
		`{"profile":"both"}`:                        `profile: unknown word "both". The known words are auto, outcome, sop`,
		`{"fail-on":1}`:                             "want a text, got number",
		`{"min-confidence":2}`:                      "0 to 1",
		`{"fail-under":{"abs":"high"}}`:             "abs: want a number",
		`{"fail-under":[]}`:                         "metrics with numbers",
		`{"tools":{"a":"maybe"}}`:                   `"maybe"`,
		`{"tools":[]}`:                              "want",
		`{"ignore":[1]}`:                            "want a text",
		`{"ignore":{}}`:                             "want a list",
		`{"rules":{}}`:                              "want a list",
		`{"rules":[{"of":["x"]}]}`:                  `rules: 1: unknown member "of"`,
		`{"rules":[{"off":"nonsense"}]}`:            `unknown rule "nonsense"`,
		`{"rules":[{"off":"over-action"}]}`:         `unknown rule "over-action"`,
		`{"rules":[{"paths":["x"]}]}`:               `missing "off"`,
		`{"rules":[{"off":"cut-off","paths":"["}]}`: `invalid pattern "["`,
		`{"map":[]}`:                                "want members with paths",
		`{"map":{"calls":"x"}}`:                     `needs "name"`,
		`{"plugins":{"p":1}}`:                       "p: want a text",
		`{"plugins":"p"}`:                           "want a version range for each plugin",
	} {
		if _, err := readConfig(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestIsOff(t *testing.T) {
	c, err := readConfig(t, `{"rules":[{"off":"repeated-write"},{"off":["missing-step","out-of-order"],"paths":["traces/old/*","b*.json","deep/**"]}]}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		rule, file string
		want       bool
	}{
		{"repeated-write", "any.json", true},
		{"repeated-write", "", true},
		{"out-of-order", "traces/old/a.json", true},
		{"out-of-order", "traces/old/deep/a.json", true},
		{"out-of-order", "traces/new/a.json", false},
		{"out-of-order", "b1.json", true},
		{"out-of-order", "deep/b/c.json", true},
		{"out-of-order", "/b1.json", false},
		{"out-of-order", "../b1.json", false},
		{"out-of-order", "", false},
		{"cut-off", "b1.json", false},
	} {
		if got := c.IsOff(test.rule, test.file); got != test.want {
			t.Errorf("%s in %q: got %t", test.rule, test.file, got)
		}
	}
}
