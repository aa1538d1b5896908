package sdk

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

type echo struct {
	Op   string         `json:"op"`
	N    int64          `json:"n"`
	Deep map[string]any `json:"deep"`
}

func newTestPlugin() *Plugin {
	return &Plugin{
		Description: abi.Description{Name: "test", Version: "1.0.0"},
		Ops: map[string]Op{
			"number": Typed(func(r echo) (int64, error) { return r.N, nil }),
			"markup": Typed(func(echo) (string, error) { return "<a> & \u2028", nil }),
			"coded":  Typed(func(echo) (any, error) { return nil, Errorf("no-luck", "missing %s", "luck") }),
			"wraps":  Typed(func(echo) (any, error) { return nil, fmt.Errorf("outer: %w", Errorf("no-luck", "inner")) }),
			"plain":  Typed(func(echo) (any, error) { return nil, errors.New("disk full") }),
			"panics": func([]byte) (any, error) { panic("boom") },
			"nan":    func([]byte) (any, error) { return math.NaN(), nil },
		},
	}
}

func TestAnswer(t *testing.T) {
	for request, want := range map[string]string{
		`{"op":"number","n":9007199254740993}`: `{"ok":9007199254740993}`,
		`{"op":"number","later":[]}`:           `{"ok":0}`,
		`{"op":"markup"}`:                      `{"ok":"<a> & \u2028"}`,
		`{"op":"coded"}`:                       `{"error":{"code":"no-luck","message":"missing luck"}}`,
		`{"op":"wraps"}`:                       `{"error":{"code":"no-luck","message":"inner"}}`,
		`{"op":"plain"}`:                       `{"error":{"code":"failed","message":"disk full"}}`,
		`{"op":"panics"}`:                      `{"error":{"code":"internal","message":"panic: boom"}}`,
		`{"op":"nan"}`:                         `{"error":{"code":"failed","message":"json: unsupported value: NaN"}}`,
		`{"op":"number","n":"1"}`:              `{"error":{"code":"invalid-request","message":"invalid n: cannot be string"}}`,
		`{"op":"number","deep":[1]}`:           `{"error":{"code":"invalid-request","message":"invalid deep: cannot be array"}}`,
		`{"op":"\ud800 number"}x`:              `{"error":{"code":"invalid-request","message":"invalid JSON near byte 23"}}`,
		"{\"op\":\"\xff\"}":                    `{"error":{"code":"invalid-request","message":"invalid UTF-8 in the request"}}`,
		``:                                     `{"error":{"code":"invalid-request","message":"invalid JSON near byte 0"}}`,
	} {
		if got := string(newTestPlugin().Answer([]byte(request))); got != want {
			t.Errorf("%s\n got %s\nwant %s", request, got, want)
		}
	}
}

func TestDescribe(t *testing.T) {
	var a struct{ OK abi.Description }
	if err := json.Unmarshal(newTestPlugin().Answer([]byte(`{"op":"describe"}`)), &a); err != nil {
		t.Fatal(err)
	}
	want := []string{"coded", "describe", "markup", "nan", "number", "panics", "plain", "wraps"}
	if got := fmt.Sprint(a.OK.Operations); got != fmt.Sprint(want) || a.OK.ABI != abi.Version {
		t.Errorf("abi %d, operations %s, want %s", a.OK.ABI, got, want)
	}
}

// TestDescribeOwn checks that a plugin may have its own operation describe. This
// operation must be used, and must be listed only once.
func TestDescribeOwn(t *testing.T) {
	p := newTestPlugin()
	p.Ops[abi.OpDescribe] = func([]byte) (any, error) { return "mine", nil }
	if got := string(p.Answer([]byte(`{"op":"describe"}`))); got != `{"ok":"mine"}` {
		t.Errorf("answer %s", got)
	}
	if n := len(p.Describe().Operations); n != len(p.Ops) {
		t.Errorf("%d operations described, %d there are", n, len(p.Ops))
	}
}

// TestWarm checks that the method warmUp calls the checker with each tool of the plugin's
// benchmarks, on both sides. The method must not change the answers of the plugin.
func TestWarm(t *testing.T) {
	var seen []string
	p := &Plugin{
		Description: abi.Description{Name: "x", Version: "1.0.0", Benchmarks: []abi.Benchmark{{ID: "x", Tools: []string{"a", "b"}}}},
		Ops: map[string]Op{
			abi.OpEquivalenceCheck: Checks(func(r abi.CheckRequest) (abi.Check, error) {
				for i, row := range r.Alignment {
					seen = append(seen, r.Observed[row.Obs].Name+r.Reference[row.Ref].Name)
					if string(r.Observed[i].Arguments) == string(r.Reference[i].Arguments) {
						t.Error("both sides are the same")
					}
				}
				panic("its answers are dropped, and so is this")
			}),
			"own": func([]byte) (any, error) { t.Error("not asked by anybody"); return nil, nil },
		},
	}
	before := string(p.Answer([]byte(`{"op":"describe"}`)))
	p.warmUp()
	if got := strings.Join(seen, " "); got != "aa bb aa bb" || string(p.Answer([]byte(`{"op":"describe"}`))) != before {
		t.Errorf("asked about %q", got)
	}
	(&Plugin{}).warmUp()
}
