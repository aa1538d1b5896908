package score

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/report"
)

// TestCacheChangesNothing checks that requests that share a Cache have the same reports as
// requests that do not, in any order and with other options.
func TestCacheChangesNothing(t *testing.T) {
	var requests []Request
	for _, pattern := range []string{"../../testdata/traces/*", "../../testdata/cases/*"} {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				continue // a folder
			}
			r, err := ReadRequest(data)
			if err != nil {
				continue
			}
			requests = append(requests, r)
		}
	}
	requests = append(requests, Request{Inputs: []Source{{Data: manyRuns(20)}}})
	classifier, cache := mutation.New(nil, nil), &Cache{}
	vocabulary := &boundary.Vocabulary{Aliases: [][]string{{"cancelOrder", "delete_item"}}}
	reused := 0
	for round := range 6 {
		for i, r := range requests {
			r.Options.Classifier = classifier
			r.Options.Unreferenced = round%3 == 1
			if round%3 == 2 {
				r.Options.Vocabulary = vocabulary
			}
			want, wantErr := Evaluate(r)
			before := cache.bytes
			r.Options.Cache = cache
			got, err := Evaluate(r)
			if !reflect.DeepEqual(got, want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Errorf("request %d, round %d: another report with the calls of earlier requests", i, round)
			}
			if round > 0 && cache.bytes == before && before > 0 {
				reused++
			}
		}
	}
	if reused < 4*len(requests) {
		t.Errorf("only %d of %d requests found all their calls prepared", reused, 5*len(requests))
	}
}

// TestCacheForgets checks that a Cache does not grow without limit, and keeps no long call.
func TestCacheForgets(t *testing.T) {
	cache := &Cache{}
	for i := range 300 {
		scoreWith(t, cache, fmt.Sprintf(`[{"name":"get_a","arguments":{"id":"%d %s"}}]`, i, strings.Repeat("x", 1500)))
		if cache.bytes > callsLimit {
			t.Fatalf("%d bytes after %d calls", cache.bytes, i+1)
		}
	}
	if n := len(cache.known); n == 0 || n > callsLimit/1500 {
		t.Errorf("%d calls", n)
	}
	cache = &Cache{}
	scoreWith(t, cache, `[{"name":"get_a","arguments":{"id":"`+strings.Repeat("x", longestSpelling)+`"}}]`)
	if len(cache.known) > 0 {
		t.Error("a long call is kept")
	}
}

// TestCacheNeedsItsClassifier checks that a request with tools of its own does not use
// verdicts of other requests.
func TestCacheNeedsItsClassifier(t *testing.T) {
	cache := &Cache{}
	const trace = `[{"name":"mark","arguments":{"id":"1"}}]`
	scoreWith(t, cache, trace)
	r := Request{Inputs: []Source{{Data: []byte(trace)}}, Options: Options{Classifier: mutation.New(nil, nil), Cache: cache, Table: mutation.Table{"mark": {Mutating: mutation.No}}}}
	scored, err := Evaluate(r)
	if err != nil {
		t.Fatal(err)
	}
	if got := scored.Trajectories[0].Observed[0].Mutating; got != report.MutatingNo {
		t.Errorf("the operator's table says no, got %v", got)
	}
}

func scoreWith(t *testing.T, cache *Cache, trace string) {
	t.Helper()
	_, err := Evaluate(Request{Inputs: []Source{{Data: []byte(trace)}}, Options: Options{Classifier: mutation.New(nil, nil), Cache: cache}})
	if err != nil {
		t.Fatal(err)
	}
}
