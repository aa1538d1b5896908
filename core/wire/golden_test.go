package wire

import (
	"bytes"
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

const testdata = "../../testdata"

// inputFiles returns the paths of all files in testdata, except the golden files and
// README.md.
func inputFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(testdata, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && e.Name() == "golden" {
			return filepath.SkipDir
		}
		if !e.IsDir() && e.Name() != "README.md" {
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 20 {
		t.Fatalf("only %d files under %s: the test data is missing", len(files), testdata)
	}
	return files
}

// TestGolden scores every file of testdata and compares the answer with the file in
// testdata/golden. The answer is indented, so that a change is visible line by line.
func TestGolden(t *testing.T) {
	for _, path := range inputFiles(t) {
		body, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		answer, _ := Handle("score", body)
		var got bytes.Buffer
		if err := json.Indent(&got, answer, "", " "); err != nil {
			t.Fatalf("%s: the answer is not JSON: %v", path, err)
		}
		rel, _ := filepath.Rel(testdata, path)
		golden := filepath.Join(testdata, "golden", filepath.ToSlash(rel)+".json")
		if *update {
			os.MkdirAll(filepath.Dir(golden), 0o755)
			if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Errorf("%s has no golden file; run with -update and read it", rel)
			continue
		}
		if !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%s changed:\n%s", rel, firstDifference(string(want), got.String()))
		}
	}
}

func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(w), len(g)) {
		if w[i] != g[i] {
			return "- " + w[i] + "\n+ " + g[i]
		}
	}
	return "one is longer than the other"
}

func TestHandleErrors(t *testing.T) {
	check := func(method, body, code, part string) {
		t.Helper()
		answer, ok := Handle(method, []byte(body))
		var envelope struct{ Error Error }
		if err := json.Unmarshal(answer, &envelope); err != nil || ok {
			t.Fatalf("Handle(%s, %.20q) = %s, ok %v", method, body, answer, ok)
		}
		if envelope.Error.Code != code || !strings.Contains(envelope.Error.Message, part) {
			t.Errorf("Handle(%s, %.20q) = %+v, want code %s and %q", method, body, envelope.Error, code, part)
		}
		if !bytes.HasSuffix(answer, []byte("}\n")) {
			t.Errorf("the answer does not end in a newline: %q", answer)
		}
	}
	check("scores", "", CodeMethod, "unknown method")
	check("score", "", CodeInput, "empty")
	check("score", strings.Repeat("[", 50<<20), CodeInput, "nested more than")
	check("score", `{"trace":[],"refrence":[]}`, CodeInput, `unknown member "refrence"`)
	check("score", `{"trace":[],"seed":-1}`, CodeInput, "invalid seed")
	check("check", `{}`, CodeInput, "")
}

func TestVersion(t *testing.T) {
	answer, ok := Handle("version", nil)
	var h Handshake
	if err := json.Unmarshal(answer, &h); err != nil || !ok || h.Wire != Version || len(h.Formats) == 0 || len(h.Methods) == 0 {
		t.Errorf("version = %s, ok %v", answer, ok)
	}
}

// TestPanicBecomesAnEnvelope checks that a panic, which is a bug of this project, becomes
// an error envelope.
func TestPanicBecomesAnEnvelope(t *testing.T) {
	answer, ok := Guard("score", func([]byte) (any, error) { panic("boom") }, nil)
	if ok || !bytes.Contains(answer, []byte(CodeInternal)) || !bytes.Contains(answer, []byte("boom")) {
		t.Errorf("a panic gave %s, ok %v", answer, ok)
	}
}

// TestMap checks that the method "map" proposes a mapping for a trace in an unknown
// format. The trace may be the whole body, or inside an envelope.
func TestMap(t *testing.T) {
	const odd = `{"plan":[{"op":"pay","input":{"n":1}},{"op":"tell","input":{}}]}`
	for body, want := range map[string]string{
		odd:                     `{"map":{"arguments":"input","calls":"plan","name":"op"},"flag":"calls=plan,name=op,arguments=input","calls":2}`,
		`{"trace":` + odd + `}`: `"calls":2}`,
		`{"people":["Ada"]}`:    `"code":"invalid-input","message":"found no list of calls`,
		`no JSON`:               `"code":"invalid-input"`,
	} {
		if answer, _ := Handle("map", []byte(body)); !strings.Contains(string(answer), want) {
			t.Errorf("%s: %s, want %s", body, answer, want)
		}
	}
}

// FuzzHandle checks the answer of Handle for any method and body. It is always valid
// JSON, it is the same each time, and it is never an internal error.
func FuzzHandle(f *testing.F) {
	filepath.WalkDir(testdata, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && !strings.Contains(path, "golden") {
			if body, err := os.ReadFile(path); err == nil && len(body) < 1<<14 {
				f.Add("score", body)
			}
		}
		return nil
	})
	f.Add("check", []byte(`{"tool":"cancel_order","arguments":{"id":1}}`))
	f.Add("map", []byte(`{"plan":[{"op":"pay","input":{"n":1}}]}`))
	f.Add("version", []byte(nil))
	f.Fuzz(func(t *testing.T, method string, body []byte) {
		a, ok := Handle(method, body)
		b, _ := Handle(method, body)
		if !bytes.Equal(a, b) {
			t.Fatalf("two answers for one input:\n%s\n%s", a, b)
		}
		if !json.Valid(a) {
			t.Fatalf("the answer is not JSON: %s", a)
		}
		if !ok && bytes.Contains(a, []byte(`"code":"internal"`)) {
			t.Fatalf("internal error: %s", a)
		}
	})
}
