package story_test

import (
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

var noneHas = regexp.MustCompile(`no action has (it|them)|no call names (it|them)`)

// spell writes a thing in one of the ways in which it stands in calls, pages and addresses.
func (d drawing) spell(thing string) string {
	escaped := func(text string) string {
		quoted, _ := json.Marshal(text) // escapes & < > for HTML
		return strings.Trim(string(quoted), `"`)
	}
	switch d.IntN(11) {
	case 0:
		return thing
	case 1:
		return strings.ToUpper(thing)
	case 2:
		return strings.ToLower(thing)
	case 3:
		return html.EscapeString(thing)
	case 4:
		return escaped(thing)
	case 5:
		return "http://docs.example/find?q=" + url.QueryEscape(thing)
	case 6:
		return "http://docs.example/" + url.PathEscape(thing)
	case 7: // a slug
		return "http://docs.example/" + strings.Trim(regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(strings.ToLower(thing), d.pickText("-", "_")), "-_")
	case 8:
		return "'" + strings.Trim(thing, "#@") + "'"
	case 9:
		return escaped(escaped(thing))
	}
	return d.pickText("#", "@") + strings.Trim(thing, "#@")
}

// TestNoActionHasIt attacks the law that a story says of a thing that no action has it only if
// no spelling of it stands in any action, address or result after the request.
func TestNoActionHasIt(t *testing.T) {
	told, had := 0, 0
	for seed := range drawn.Cases(600) {
		d := drawing{rand.New(rand.NewPCG(uint64(seed), 91377))}
		thing := d.pickText("#kudos", "Q&A", "Fish & Chips", "Team Lead's Plan", `C:\plans`, `D:\new tables`, "K9LMP4", "/out/sum up.txt", "50% off, today", "Größe", "A+B test")
		asked := d.pickText("Open #orders", "Please cancel the order A7BXQ2", `Write "First Part"`)
		quoted := `"` + thing + `"`
		if strings.HasPrefix(thing, "#") || thing == "K9LMP4" {
			quoted = thing
		}
		messages := []any{map[string]any{"role": "user", "content": asked + " and then " + quoted + "."}}
		call := func(name, text, result string) {
			id := fmt.Sprint("c", len(messages))
			arguments, _ := json.Marshal(map[string]any{"text": text})
			messages = append(messages, map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{"id": id, "type": "function", "function": map[string]any{"name": name, "arguments": string(arguments)}}}},
				map[string]any{"role": "tool", "tool_call_id": id, "content": result})
		}
		call("open_page", d.pickText("orders", "A7BXQ2", "First Part"), "ok")
		place := max(0, d.IntN(6)-3) // none, an action, a result
		switch place {
		case 1:
			call(d.pickText("open_page", "cancel_order"), "see "+d.spell(thing)+" there", "ok")
		case 2:
			call("click_at", "107", "Opened: "+d.spell(thing)+" (1 of 3)")
		}
		messages = append(messages, map[string]any{"role": "assistant", "content": "Done."})
		run := evaluate(t, map[string]any{"success": false, "messages": messages})
		for _, line := range allSentences(run) {
			if !noneHas.MatchString(line) || !strings.Contains(line, thing) {
				continue
			}
			if place == 0 {
				told++
			} else if place == 1 || strings.Contains(line, "no action has") {
				text, _ := json.Marshal(messages)
				t.Fatalf("seed %d: %s\n%s", seed, line, text)
			}
		}
		if place > 0 {
			had++
		}
	}
	if told < 30 || had < 100 {
		t.Errorf("%d told and %d had: too few to show anything", told, had)
	}
}

// TestSucceededLater attacks the law that a story says of a failed step that it did not succeed
// later only if no later step of the tool that succeeded is nearly the same, and the list of
// steps has none without an error that tries it again.
func TestSucceededLater(t *testing.T) {
	told, alike := 0, 0
	for seed := range drawn.Cases(500) {
		d := drawing{rand.New(rand.NewPCG(uint64(seed), 48172))}
		script := []string{"import sys"}
		for i := range 3 + d.IntN(6) {
			script = append(script, fmt.Sprintf("value_%d = load(%q) # part %d", i, d.pickText("a.csv", "b.csv"), i))
		}
		command := "python -c \"\n" + strings.Join(script, "\n") + "\""
		changed := append([]string(nil), script...)
		changed[d.IntN(len(changed))] = d.pickText("assert value == 3", "print(value)", "")
		again := "python -c \"\n" + strings.Join(changed, "\n") + "\""
		if d.IntN(2) == 0 {
			command, again = "go test ./sum/one", d.pickText("go test -v ./sum/one", "go test ./sum/one -count=1", "GOFLAGS=-mod=mod go test ./sum/one", "cd src && go test ./sum/one | tail -3")
		}
		messages := []any{map[string]any{"role": "user", "content": "Fix the sum."}}
		call := func(name, text string, failed bool) {
			id, status, result := fmt.Sprint("c", len(messages)), "success", "ok"
			if failed {
				status, result = "error", "Error: exit status 1"
			}
			arguments, _ := json.Marshal(map[string]any{"command": text})
			messages = append(messages, map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{"id": id, "type": "function", "function": map[string]any{"name": name, "arguments": string(arguments)}}}},
				map[string]any{"role": "tool", "tool_call_id": id, "content": result, "status": status})
		}
		call("run", command, true)
		for range d.IntN(3) {
			call(d.pickText("edit_file", "run"), d.pickText("ls", "a.go"), d.IntN(3) == 0)
		}
		if d.IntN(3) > 0 {
			call("run", again, false)
			alike++
		}
		messages = append(messages, map[string]any{"role": "assistant", "content": "Done."})
		run := evaluate(t, map[string]any{"success": false, "messages": messages})
		for _, line := range allSentences(run) {
			m := againText.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			told++
			at, _ := strconv.Atoi(m[1])
			for j := at; j < len(run.Observed); j++ {
				o := &run.Observed[j]
				if o.Error {
					continue
				}
				if o.Retry != nil && *o.Retry == at-1 || o.Name == "run" && len(o.Arguments) > 25 && at == 1 {
					text, _ := json.Marshal(messages)
					t.Fatalf("seed %d: step %d: %s\n%s", seed, j+1, line, text)
				}
			}
		}
	}
	if told < 20 || alike < 100 {
		t.Errorf("%d told and %d alike: too few to show anything", told, alike)
	}
}

// TestLinesSucceededLater does the same with lines of a shell, of which each is an action with its own
// verb.
func TestLinesSucceededLater(t *testing.T) {
	told := map[bool]int{}
	for seed := range drawn.Cases(100) {
		d := drawing{rand.New(rand.NewPCG(uint64(seed), 48173))}
		const line = "pytest tests/test_sum.py -v"
		again := d.IntN(2) == 0
		later := d.pickText("ls tests", "pytest tests/test_other.py", "cat sum.py")
		if again {
			later = d.pickText("PYTHONPATH=. "+line, "python -m "+line, "cd src && "+line, line+" -x")
		}
		run := evaluate(t, map[string]any{"instance_id": "a__b-1", "resolved": false, "exit_status": "submitted", "submission": "diff --git a/sum.py b/sum.py\n--- a/sum.py\n+++ b/sum.py\n", "steps": []any{
			map[string]any{"action": "edit 1:1\ntotal = 3\nend_of_edit", "observation": "[File: sum.py]", "thought": "I edit."},
			map[string]any{"action": line, "observation": "Traceback (most recent call last):\n  File \"a.py\", line 1\nModuleNotFoundError: No module named 'sum'", "thought": "I test."},
			map[string]any{"action": later, "observation": "3 passed", "thought": "I test."},
			map[string]any{"action": "submit", "observation": "", "thought": "Done."}}})
		text := strings.Join(allSentences(run), " | ")
		if told[again]++; strings.Contains(text, "did not succeed later") == again {
			t.Fatalf("seed %d: %s\n%s", seed, later, text)
		}
	}
	if told[true] < 20 || told[false] < 20 {
		t.Errorf("%v: too few to show anything", told)
	}
}

// TestQuotedErrors draws results of failed calls that print lines before and after their error,
// or have none. A story quotes the error, or nothing.
func TestQuotedErrors(t *testing.T) {
	quoted := 0
	for seed := range drawn.Cases(300) {
		d := drawing{rand.New(rand.NewPCG(uint64(seed), 33))}
		var lines []string
		printed := func() {
			for range d.IntN(4) {
				lines = append(lines, d.pickText("Date: March 29th, 2024", "Orange Yoshi / Mr. Scooty", "Search Result 1:", "total 41", "{"))
			}
		}
		problem := ""
		printed()
		switch d.IntN(3) {
		case 0:
			problem = "ValueError: bad value"
			lines = append(lines, "Traceback (most recent call last):", `  File "/a.py", line 1, in <module>`, problem)
		case 1:
			problem = "fatal: no such branch"
			lines = append(lines, problem)
		}
		if printed(); len(lines) < 2 {
			continue
		}
		run := evaluate(t, map[string]any{"success": false, "messages": []any{map[string]any{"role": "user", "content": "Fix the sum."},
			map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{"id": "c1", "type": "function", "function": map[string]any{"name": "run", "arguments": `{"command":"make sum"}`}}}},
			map[string]any{"role": "tool", "tool_call_id": "c1", "content": strings.Join(lines, "\n"), "status": "error"},
			map[string]any{"role": "assistant", "content": "Done."}}})
		for _, line := range allSentences(run) {
			_, quote, has := strings.Cut(line, "did not succeed later: ")
			if !has {
				continue
			}
			if quoted++; problem == "" || quote != "“"+problem+"”" {
				t.Fatalf("seed %d: %s\n%s", seed, line, strings.Join(lines, "\n"))
			}
		}
	}
	if quoted < 50 {
		t.Errorf("%d errors were quoted: too few to show anything", quoted)
	}
}
