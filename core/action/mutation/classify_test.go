package mutation

import (
	"encoding/json"
	"sync"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

func newTrue() *bool  { b := true; return &b }
func newFalse() *bool { b := false; return &b }

func TestLayers(t *testing.T) {
	var none jsonval.Value
	for _, x := range []struct {
		about string
		tool  Tool
		want  Tri
		layer Layer
	}{
		{"untrusted hints do not lower", Tool{Name: "create_x", Annotations: Annotations{ReadOnly: newTrue()}}, Yes, LayerName},
		{"untrusted hints do not lower unknown", Tool{Name: "frob", Annotations: Annotations{ReadOnly: newTrue()}}, Unknown, LayerNone},
		{"untrusted hints raise", Tool{Name: "get_x", Annotations: Annotations{ReadOnly: newFalse()}}, Yes, LayerAnnotation},
		{"untrusted destruction raises", Tool{Name: "get_x", Annotations: Annotations{ReadOnly: newTrue(), Destructive: newTrue()}}, Yes, LayerAnnotation},
		{"trusted hints lower", Tool{Name: "post_search", Trusted: true, Annotations: Annotations{ReadOnly: newTrue()}}, No, LayerAnnotation},
		{"trusted contradiction is strict", Tool{Name: "post_search", Trusted: true, Annotations: Annotations{ReadOnly: newTrue(), Destructive: newTrue()}}, Yes, LayerName},
		{"not destructive is not read-only", Tool{Name: "frob", Trusted: true, Annotations: Annotations{Destructive: newFalse()}}, Unknown, LayerNone},
		{"safe method lowers unknown", Tool{Name: "frob", Method: "GET"}, No, LayerHTTP},
		{"safe method leaves a writing name", Tool{Name: "delete_x", Method: "GET"}, Yes, LayerName},
		{"unsafe method raises", Tool{Name: "get_x", Method: "DELETE"}, Yes, LayerHTTP},
		{"POST raises", Tool{Name: "search_x", Method: "post"}, Unknown, LayerHTTP},
		{"description raises", Tool{Name: "get_link", Description: "Generates a link and stores it."}, No, LayerName},
		{"description's lead raises", Tool{Name: "get_link", Description: "Creates a link."}, Yes, LayerDescription},
		{"description's second deed raises", Tool{Name: "find_x", Description: "Finds a thing and deletes it."}, Yes, LayerDescription},
		{"description lowers no verb", Tool{Name: "console_frobs", Description: "Returns all console frobs."}, No, LayerDescription},
		{"description lowers a vague verb", Tool{Name: "take_reading", Description: "Checks the speed of the connection."}, No, LayerDescription},
		{"description never lowers code", Tool{Name: "run_code", Description: "Returns the output of the program."}, Unknown, LayerName},
		{"description never lowers what runs anything", Tool{Name: "execute_x", Description: "Gets results."}, Unknown, LayerName},
		{"a leading adjective does not raise", Tool{Name: "get_x", Description: "Complete list of x."}, No, LayerName},
		{"description repeats the name", Tool{Name: "browser_check", Description: "Check a checkbox."}, Unknown, LayerName},
		{"description names a change", Tool{Name: "frob", Description: "Returns x. Also deletes y."}, Unknown, LayerNone},
		{"description leaves a writing name", Tool{Name: "delete_x", Description: "Gets x."}, Yes, LayerName},
	} {
		if v := New([]Tool{x.tool}, nil).Classify(x.tool.Name, none); v.Mutating != x.want || v.Layer != x.layer {
			t.Errorf("%s: %s (%s: %s), want %s (%s)", x.about, v.Mutating, v.Layer, v.Reason, x.want, x.layer)
		}
	}
}

// TestTrustHasLimits checks that evidence in the arguments overrides a trusted hint.
func TestTrustHasLimits(t *testing.T) {
	c := New([]Tool{{Name: "run_query", Trusted: true, Annotations: Annotations{ReadOnly: newTrue()}}}, nil)
	if v := c.Classify("run_query", mustParse(t, `{"query":"drop table t"}`)); v.Mutating != Yes || v.Layer != LayerSQL {
		t.Errorf("drop: %+v", v)
	}
	if v := c.Classify("run_query", mustParse(t, `{"query":"select 1"}`)); v.Mutating != No || v.Layer != LayerSQL {
		t.Errorf("select: %+v", v)
	}
}

// TestTwins checks that the stricter of two definitions with the same name counts.
// Servers that have a read-only build have such definitions.
func TestTwins(t *testing.T) {
	twins := []Tool{{Name: "get_x"}, {Name: "get_x", Annotations: Annotations{ReadOnly: newFalse()}}, {Name: "get_x"}}
	for _, args := range []jsonval.Value{{}, mustParse(t, `{}`)} {
		if v := New(twins, nil).Classify("get_x", args); v.Mutating != Yes {
			t.Errorf("twins: %+v", v)
		}
	}
}

func TestZeroAndNil(t *testing.T) {
	var zero Classifier
	for _, c := range []*Classifier{nil, &zero, New(nil, nil)} {
		if v := c.Classify("get_x", jsonval.Value{}); v.Mutating != No {
			t.Errorf("%+v", v)
		}
		for _, name := range []string{"", "__", "123", "\x00", "constructor", "toString"} {
			if v := c.Classify(name, jsonval.Value{}); v.Mutating != Unknown || !v.Counts() {
				t.Errorf("%q: %+v", name, v)
			}
		}
	}
}

// TestOnceIsClassify checks that Once and Classify return the same verdict, also if the
// operator's table or a definition has classified the tool.
func TestOnceIsClassify(t *testing.T) {
	yes := true
	tools := []Tool{{Name: "get_x", Annotations: Annotations{Destructive: &yes}}, {Name: "frob", Description: "Returns a frob."}}
	arguments, err := jsonval.Parse(`{"output_path":"a"}`)
	if err != nil {
		t.Fatal(err)
	}
	c := New(tools, Table{"delete_x": {Mutating: No}})
	for _, name := range []string{"get_x", "frob", "delete_x", "read_y", "delete_y", "z"} {
		for _, v := range []jsonval.Value{{}, arguments} {
			want := New(tools, Table{"delete_x": {Mutating: No}}).Once(name, v)
			if first, again := c.Classify(name, v), c.Classify(name, v); first != want || again != want {
				t.Errorf("%s: %+v, then %+v; once %+v", name, first, again, want)
			}
		}
	}
	if v := (*Classifier)(nil).Once("get_y", jsonval.Value{}); v.Mutating != No {
		t.Errorf("%+v", v)
	}
}

func TestCacheIsSafe(t *testing.T) {
	c := New(nil, nil)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 100 {
				if c.Classify("get_x", jsonval.Value{}).Mutating != No || c.Classify("delete_x", jsonval.Value{}).Mutating != Yes {
					t.Error("verdict changed")
				}
			}
		})
	}
	wg.Wait()
}

func TestVerdictJSON(t *testing.T) {
	got, err := json.Marshal((*Classifier)(nil).Classify("get_x", jsonval.Value{}))
	if want := `{"mutating":"no","layer":"name","reason":"\"get\" only looks"}`; err != nil || string(got) != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	if Tri(9).String() != "unknown" {
		t.Error("a Tri out of range must be unknown")
	}
}

func FuzzClassify(f *testing.F) {
	f.Add("get_x", `{"sql":"select 1"}`)
	f.Add("mcp__a__b", `{"command":["a",{"b":null}]}`)
	f.Add("ÄÖ_list", `{}`)
	f.Fuzz(func(t *testing.T, name, args string) {
		v, _ := jsonval.Parse(args)
		var c Classifier
		a := c.Classify(name, v)
		if b := (*Classifier)(nil).Classify(name, v); a != b || a.Reason == "" || a.Layer == "" || a.Control && a.Mutating != No {
			t.Fatalf("%q %q: %+v, %+v", name, args, a, b)
		}
		if tv := ClassifyText(name); tv.Reason == "" {
			t.Fatalf("%q: %+v", name, tv)
		}
	})
}

func BenchmarkClassify(b *testing.B) {
	c := New(nil, nil)
	args, err := jsonval.Parse(`{"reservation_id":"ABC","cabin":"economy","passengers":[{"first":"a","last":"b"}]}`)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		c.Classify("get_reservation_details", args)
	}
}

// adviser holds verdicts by tool name.
type adviser map[string]Tri

func (a adviser) Advise(t Tool) (Tri, string, bool) {
	word, ok := a[t.Name]
	return word, "somebody said so", ok
}

// TestAdvised checks that an advisor can only make a verdict stricter, and cannot change
// the operator's own verdict.
func TestAdvised(t *testing.T) {
	check := func(name, arguments string, word, want Tri, layer Layer) {
		t.Helper()
		v, err := jsonval.Parse(arguments)
		if err != nil {
			t.Fatal(err)
		}
		c := New([]Tool{{Name: "defined", Description: "Read a thing."}}, Table{"ours": {Mutating: No}}).Advised(adviser{name: word})
		for _, got := range []Verdict{c.Classify(name, v), c.Classify(name, v), c.Once(name, v)} {
			if got.Mutating != want || layer != "" && got.Layer != layer || got.Mutating == Yes && got.Control {
				t.Errorf("%s with the word %s: %+v", name, word, got)
			}
		}
	}
	check("get_order", `{}`, No, No, "")
	check("get_order", `{}`, Unknown, Unknown, LayerPlugin)
	check("get_order", `{}`, Yes, Yes, LayerPlugin)
	check("cancel_order", `{}`, No, Yes, LayerName)
	check("cancel_order", `{}`, Unknown, Yes, LayerName)
	check("defined", `{}`, Yes, Yes, LayerPlugin)
	check("bash", `{"command":"ls -l"}`, Yes, Yes, LayerPlugin)
	check("think", `{"thought":"x"}`, Yes, Yes, LayerPlugin)
	check("ours", `{}`, Yes, No, LayerTable)
	if v := New(nil, nil).Advised(nil).Classify("get_order", jsonval.Value{}); v.Mutating != No {
		t.Errorf("%+v", v)
	}
}
