package reference

import (
	"strings"
	"testing"
)

// TestAnswerCalls checks the texts in which models answer a task, and that no call is taken
// from a text that is not understood.
func TestAnswerCalls(t *testing.T) {
	for text, want := range map[string]string{
		`[play(artist='A, [x]', minutes=20), stop()]`: `play{"artist":"A,[x]","minutes":20} stop{}`,
		`play(artist='A'), play(artist='B')`:          `play{"artist":"A"} play{"artist":"B"}`,
		`play(artist='A'); play(artist='B');`:         `play{"artist":"A"} play{"artist":"B"}`,
		`['play(artist="A")', 'music.stop()']`:        `play{"artist":"A"} music.stop{}`,
		`[set\_volume(level=3)]`:                      `set_volume{"level":3}`,
		"Here is the call:\n\n[play(artist='A')]":     `play{"artist":"A"}`,
		"<tool_call>\n{\"arguments\": {\"n\": 1}, \"name\": \"play\"}\n</tool_call>\n<tool_call>\n{\"name\":\"stop\",\"arguments\":{}}\n</tool_call>\n": `play{"n":1} stop{}`,
		`<function_call> {"name": "play", "arguments": {"n": 1}} <function_call> {"name": "stop", "arguments": {}}`:                                     `play{"n":1} stop{}`,
		"\n" + `{"tool_calls": [{"name": "play", "arguments": {"n": 1}}]}`:                                                                              `play{"n":1}`,
		`[{"name": "play", "parameters": {"n": 1}}]`:                                                                                                    `play{"n":1}`,
		"play\n{\"n\": 1}":                     `play{"n":1}`,
		`I cannot do that.`:                    ``,
		`play(artist='A'), and then I stop.`:   ``,
		`I would call play(artist='A').`:       ``,
		`<tool_call>{"name": "play"`:           ``,
		`[play(artist='A'), "not a call"]`:     ``,
		`{"answer": 42}`:                       ``,
		``:                                     ``,
		"The answer\n{\"is\": \"not a call\"}": ``,
	} {
		var got []string
		for _, step := range AnswerCalls(text) {
			arguments := strings.ReplaceAll(step.Arguments.Raw(), " ", "")
			if arguments == "" {
				arguments = "{}"
			}
			got = append(got, step.Name+arguments)
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q: %s, want %s", text, s, want)
		}
	}
}

func FuzzAnswerCalls(f *testing.F) {
	for _, text := range []string{`[a(b='c'), d()]`, `a(b=1); c();`, "<tool_call>\n{\"name\":\"a\",\"arguments\":{}}\n</tool_call>", "a\n{}", `['a()']`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, step := range AnswerCalls(text) {
			if !isFunction(step.Name) {
				t.Errorf("%q: a call of %q", text, step.Name)
			}
		}
	})
}
