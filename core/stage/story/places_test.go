package story_test

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

var namedText = regexp.MustCompile(`[Tt]he user named (.*), and no action has (?:it|them)\.`)

// drawName returns the name of a file with a path, of which parts may have spaces.
func (d drawing) drawName() string {
	part := func() string {
		return d.pickText("Human Resources", "Team", "year end", "Q3 plans", "old", "Annual Report 2024")
	}
	return "/" + d.pickText("Documents", "Shared files") + "/" + part() + "/" + part() + "/" + d.pickText("Salary Overview", "personell_list", "Holiday-Balance", "contracts of all") + d.pickText(".odt", ".csv", ".xlsx")
}

// misspell changes one letter of the last part of a path, as a server may spell it.
func (d drawing) misspell(path string) string {
	at := strings.LastIndexByte(path, '/') + 2 + d.IntN(6)
	switch d.IntN(3) {
	case 0:
		return path[:at] + path[at:at+1] + path[at:]
	case 1:
		return path[:at] + "x" + path[at+1:]
	}
	return path[:at] + path[at+1:]
}

// TestNamesAreWhole attacks the law that a story names a place only whole, and says that no action has
// it only if none has it in any spelling: encoded, or with another letter.
func TestNamesAreWhole(t *testing.T) {
	told, had := 0, 0
	for seed := range drawn.Cases(600) {
		d := drawing{rand.New(rand.NewPCG(uint64(seed), 4801))}
		name := d.drawName()
		request := fmt.Sprintf(d.pickText("Read /srv/app/notes.txt and then open \"%s\".", "Read /srv/app/notes.txt, then the file `%s` and tell me.", "Use “%s” with /srv/app/notes.txt.", "Read /srv/app/notes.txt.\nCopy %s to the desk", "Read /srv/app/notes.txt.\nThe list is at %s, please use it."), name)
		messages := []any{map[string]any{"role": "user", "content": request}}
		call := func(text string) {
			id := fmt.Sprint("c", len(messages))
			messages = append(messages, map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{"id": id, "type": "function", "function": map[string]any{"name": "read_page", "arguments": fmt.Sprintf("{\"text\":%q}", text)}}}},
				map[string]any{"role": "tool", "tool_call_id": id, "content": "ok"})
		}
		call("/srv/app/notes.txt")
		is := d.IntN(3) > 0
		if is {
			used := name
			if d.IntN(2) == 0 {
				used = d.misspell(name)
			}
			call(d.pickText(used, "http://docs.example/dav"+(&url.URL{Path: used}).EscapedPath(), "cat \""+used+"\"", used[strings.LastIndexByte(used, '/')+1:]))
			had++
		}
		run := evaluate(t, map[string]any{"success": false, "messages": messages})
		for _, line := range allSentences(run) {
			m := namedText.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			told++
			if m[1] != name || is {
				t.Fatalf("seed %d: the user named %q, had %v: %s", seed, name, is, line)
			}
		}
	}
	if told < 60 || had < 100 {
		t.Errorf("%d told and %d had: too few to show anything", told, had)
	}
}
