package stream

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
)

// cutAll returns the text of each element of a file. The text of an element with an error
// is "!" and the error message.
func cutAll(in io.Reader, limit int) (texts []string, found []element, err error) {
	s := newScanner(in)
	s.limit = limit
	for {
		text, e, err := s.next(nil)
		if err != nil {
			if err == io.EOF {
				err = nil
			}
			return texts, found, err
		}
		part := string(text[e.from:e.to])
		if e.fault != nil {
			var f struct{ Error struct{ Message string } }
			json.Unmarshal(e.fault, &f)
			part = "!" + f.Error.Message
		}
		texts, found = append(texts, part), append(found, e)
	}
}

func TestCut(t *testing.T) {
	check := func(file string, want ...string) {
		t.Helper()
		for name, in := range map[string]io.Reader{"whole": strings.NewReader(file), "byte by byte": iotest.OneByteReader(strings.NewReader(file))} {
			got, _, err := cutAll(in, 100)
			if err != nil || len(got) != len(want) {
				t.Errorf("%q (%s): %q, want %q (%v)", file, name, got, want, err)
				continue
			}
			for i := range got {
				if got[i] != want[i] && !(strings.HasPrefix(want[i], "!") && strings.Contains(got[i], want[i][1:])) {
					t.Errorf("%q (%s): %q, want %q", file, name, got[i], want[i])
				}
			}
		}
	}
	check("{\"a\":1}\n{\"b\":2}", `{"a":1}`, `{"b":2}`)
	check("\xef\xbb\xbf{\"a\":1}\r\n\r\n  {\"b\":2} \r\n", `{"a":1}`, `{"b":2}`)
	check("{\"a\":\n{\"b\":2}\n", `{"a":`, `{"b":2}`)
	check("oops\n{\"b\":2}\n{\"c\"", "oops", `{"b":2}`, `{"c"`)
	check("[{\"a\":1}]\n[{\"b\":2}]\n", `[{"a":1}]`, `[{"b":2}]`)
	check("[{\"a\":1}, {\"b\":\"},]\\\"\"},3]", `{"a":1}`, `{"b":"},]\""}`, "3")
	check("\n[\n {\"a\": [1,\n2]},\n {\"b\":\"\\\\\"}\n]\n", "{\"a\": [1,\n2]}", `{"b":"\\"}`)
	check("{\n \"a\": {}\n}\n{\n \"b\": \"}\"\n}\n", "{\n \"a\": {}\n}", "{\n \"b\": \"}\"\n}")
	check("{\n \"a\": {}\n}", "{\n \"a\": {}\n}")
	check("[{\"a\":1},,2,]", `{"a":1}`, "", "2")
	check("", "!the input is empty")
	check(" \n ", "!the input is empty")
	check("[ ]", "!the input is empty")
	check("[{\"a\":1},{\"b\"", `{"a":1}`, `{"b"`, "!the list ends without a closing bracket")
	check("[{\"a\":1}\n] more", `{"a":1}`, "!unexpected text after the end of the list")
	check("\x89PNG\r\n\x1a\n\x00\x00", "!a PNG image")
	long := `{"a":"` + strings.Repeat("x", 100) + `"}`
	check("{}\n"+long+"\n{}\n", "{}", "!an element of 108 bytes is over the limit", "{}")
	check("[1,"+long+",2]", "1", "!an element of 108 bytes", "2")
}

func TestCutPlaces(t *testing.T) {
	_, found, _ := cutAll(strings.NewReader("\n{}\n\n {}\n"), 100)
	if len(found) != 2 || found[0].line != 2 || found[1].line != 4 || found[1].column != 2 || found[1].row != 0 {
		t.Errorf("lines: %+v", found)
	}
	_, found, _ = cutAll(strings.NewReader("[{},{},\n  {}]"), 100)
	if len(found) != 3 || found[1].line != 1 || found[1].column != 5 || found[1].row != 2 || found[2].line != 2 || found[2].column != 3 || found[2].row != 3 {
		t.Errorf("list: %+v", found)
	}
}

// TestCutIsExact checks that lists with random JSON values are cut into the original
// values. The layout of the lists is random, too.
func TestCutIsExact(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var all []any
		for range 1 + random.IntN(5) {
			all = append(all, someJSON(random, 3))
		}
		want := make([]string, len(all))
		for i := range all {
			text, _ := json.Marshal(all[i])
			want[i] = string(text)
		}
		file, _ := json.Marshal(all)
		if random.IntN(2) == 0 {
			file, _ = json.MarshalIndent(all, "", strings.Repeat(" ", random.IntN(3)))
		}
		got, _, err := cutAll(iotest.HalfReader(bytes.NewReader(file)), maxElement)
		for i := range got {
			var b bytes.Buffer
			json.Compact(&b, []byte(got[i]))
			got[i] = b.String()
		}
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%s\ncame apart into %q (%v)", file, got, err)
		}
	}
}

// someJSON returns an object with values that a cutter could misread.
func someJSON(random *rand.Rand, depth int) any {
	if depth == 0 || depth < 3 && random.IntN(3) == 0 {
		return [...]any{1.5, true, nil, "", `\`, `"`, `\\"`, "]}", "a\nb", ",[{"}[random.IntN(10)]
	}
	if depth < 3 && random.IntN(2) == 0 {
		return []any{someJSON(random, depth-1), someJSON(random, depth-1)}
	}
	return map[string]any{`k"` + fmt.Sprint(random.IntN(9)): someJSON(random, depth-1), "l": someJSON(random, depth-1)}
}

func TestCutReadError(t *testing.T) {
	broken := errors.New("the disk is gone")
	texts, _, err := cutAll(io.MultiReader(strings.NewReader("{}\n{}\n{"), iotest.ErrReader(broken)), 100)
	if err != broken || len(texts) != 2 {
		t.Errorf("%q, %v", texts, err)
	}
}
