package embed

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/remote/openai"
)

// fake is an embeddings server. The vector of a text consists of its length and its
// number of blanks.
type fake struct {
	batches [][]string
	most    int // texts allowed in one request
	answer  func(w http.ResponseWriter, batch []string) bool
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var q request
	body, _ := io.ReadAll(r.Body)
	if err := json.Unmarshal(body, &q); err != nil || r.URL.Path != "/v1/embeddings" || q.Model != "mini" {
		w.WriteHeader(http.StatusTeapot)
		return
	}
	f.batches = append(f.batches, q.Input)
	if f.most > 0 && len(q.Input) > f.most {
		w.WriteHeader(413)
		return
	}
	if f.answer != nil && f.answer(w, q.Input) {
		return
	}
	var rows []string
	for i := len(q.Input) - 1; i >= 0; i-- { // the client must use the index, not the order
		rows = append(rows, fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":[%d,%d]}`, i, len(q.Input[i]), strings.Count(q.Input[i], " ")))
	}
	fmt.Fprintf(w, `{"object":"list","data":[%s],"model":"mini"}`, strings.Join(rows, ","))
}

func newTestClient(t *testing.T, f *fake, o Options) *Client {
	t.Helper()
	s := httptest.NewServer(f)
	t.Cleanup(s.Close)
	o.BaseURL, o.Model, o.Backoff, o.Timeout = s.URL, "mini", time.Millisecond, 5*time.Second
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestEmbed(t *testing.T) {
	f := &fake{}
	c := newTestClient(t, f, Options{Batch: 2})
	got, err := c.Embed([]string{"a b c", "abc", "a b c", " ", "abcd e", "abc"})
	if err != nil {
		t.Fatal(err)
	}
	want := [][]float64{{5, 2}, {3, 0}, {5, 2}, {0, 0}, {6, 1}, {3, 0}}
	for i, v := range got {
		length := math.Max(1, math.Hypot(want[i][0], want[i][1]))
		for j := range v {
			if math.Abs(float64(v[j])-want[i][j]/length) > 1e-6 || len(v) != 2 {
				t.Errorf("text %d: %v, want the direction %v", i, v, want[i])
			}
		}
	}
	if fmt.Sprint(f.batches) != "[[a b c abc] [abcd e]]" {
		t.Errorf("asked for %v", f.batches)
	}
	if _, err := c.Embed([]string{"abc", "new"}); err != nil || len(f.batches) != 3 || fmt.Sprint(f.batches[2]) != "[new]" {
		t.Errorf("%v; asked for %v", err, f.batches)
	}
	if v, err := c.Embed(nil); err != nil || len(v) != 0 || c.String() != "mini" {
		t.Errorf("nothing: %v, %v", v, err)
	}
}

// TestSplit checks that a batch that is too long is halved until it fits, and that the
// order is kept.
func TestSplit(t *testing.T) {
	f := &fake{most: 2}
	c := newTestClient(t, f, Options{})
	var texts []string
	for i := range 7 {
		texts = append(texts, strings.Repeat("x ", i+1))
	}
	got, err := c.Embed(texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range got {
		if want := float32(1 / math.Sqrt(5)); math.Abs(float64(v[1]-want)) > 1e-6 {
			t.Errorf("text %d: %v", i, v)
		}
	}
	f.answer = func(w http.ResponseWriter, batch []string) bool {
		w.WriteHeader(400)
		fmt.Fprint(w, `{"error":"the input length exceeds the context length"}`)
		return true
	}
	if _, err := c.Embed([]string{"long\x1b one", "another"}); err == nil || !strings.Contains(err.Error(), `the text "long one" is too long`) {
		t.Errorf("a text that never fits: %v", err)
	}
}

func TestBadAnswers(t *testing.T) {
	check := func(want, answer string) {
		t.Helper()
		c := newTestClient(t, &fake{answer: func(w http.ResponseWriter, _ []string) bool { fmt.Fprint(w, answer); return true }}, Options{})
		_, err := c.Embed([]string{"one", "two"})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", answer, err, want)
		}
	}
	two := func(a, b string) string {
		return `{"data":[{"index":0,"embedding":` + a + `},{"index":1,"embedding":` + b + `}]}`
	}
	check("got 0", `{}`)
	check("asked for 2 vectors, got 1", `{"data":[{"embedding":[1]}]}`)
	check("repeated index 0", `{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`)
	check("repeated index 7: want each index from 0 to 1 once", `{"data":[{"index":0,"embedding":[1]},{"index":7,"embedding":[1]}]}`)
	check("repeated index -1", `{"data":[{"index":0,"embedding":[1]},{"index":-1,"embedding":[1]}]}`)
	check("the vector with index 1 is empty", two("[1]", "[]"))
	check("the vector with index 1 is empty", `{"data":[{"embedding":[1]},{}]}`)
	check(`text "two": the vector has 2 dimensions, but earlier vectors have 1`, two("[1]", "[1,2]"))
	check(`text "two": the vector is zero or not finite`, two("[1,0]", "[0,0]"))
	check("a vector contains null", two("[1,0]", "[null,1]"))
	check("cannot unmarshal", two("[1,0]", `"AACAPw=="`))
	check("cannot unmarshal", two("[1,0]", "[1e999,1]"))
	check("invalid character", two("[1,0]", "[NaN,1]"))
}

func TestIndexLeftOut(t *testing.T) {
	c := newTestClient(t, &fake{answer: func(w http.ResponseWriter, _ []string) bool {
		fmt.Fprint(w, `{"data":[{"embedding":[1e300,0]},{"embedding":[0,1e-300]}]}`)
		return true
	}}, Options{})
	got, err := c.Embed([]string{"one", "two"})
	if err != nil || fmt.Sprint(got) != "[[1 0] [0 1]]" {
		t.Errorf("%v, %v", got, err)
	}
}

func TestUnreachable(t *testing.T) {
	s := httptest.NewServer(nil)
	s.Close()
	c, err := New(Options{Options: openai.Options{BaseURL: s.URL, Retries: -1}, Model: "mini"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Embed([]string{"x"}); err == nil || !strings.Contains(err.Error(), "cannot connect") {
		t.Errorf("%v", err)
	}
}

func TestNewRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	check := func(want string, o Options) {
		t.Helper()
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", o, err, want)
		}
	}
	local := openai.Options{BaseURL: "http://localhost"}
	check("missing embeddings model", Options{Options: local})
	check("invalid server address", Options{Model: "mini"})
	check("cannot use the embeddings cache", Options{Options: local, Model: "mini", Cache: filepath.Join(file, "x")})
}
