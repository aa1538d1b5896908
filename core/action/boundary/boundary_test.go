package boundary

import (
	"github.com/boundcheck/boundcheck/internal/drawn"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/path"
)

func newTestAction(t *testing.T, name, arguments string) Action {
	t.Helper()
	v, err := jsonval.Parse(arguments)
	if err != nil {
		t.Fatal(err)
	}
	return Action{Call: similarity.NewCall(name, v, "", "")}
}

// TestWrites checks that an action counts as a write if its effect is unknown, and that a
// failed action is not a write.
func TestWrites(t *testing.T) {
	check := func(m mutation.Tri, failed, want bool) {
		t.Helper()
		a := Action{Mutation: mutation.Verdict{Mutating: m}, Failed: failed}
		if got := a.Writes(); got != want {
			t.Errorf("mutating %v, failed %v: writes %v, want %v", m, failed, got, want)
		}
	}
	check(mutation.Yes, false, true)
	check(mutation.Unknown, false, true)
	check(mutation.No, false, false)
	check(mutation.Yes, true, false)
	check(mutation.Unknown, true, false)
}

func TestScopeIsTheSortedSetOfEntities(t *testing.T) {
	check := func(arguments, want string) {
		t.Helper()
		a := newTestAction(t, "f", arguments)
		if got := strings.Join(a.Scope(), " "); got != want {
			t.Errorf("scope of %s is %q, want %q", arguments, got, want)
		}
	}
	check(`{}`, ``)
	check(`{"seat":"window","limit":5}`, ``)
	check(`{"order_id":"b"}`, `"b"`)
	check(`{"z_id":"a","a_id":"c","m_id":"b"}`, `"a" "b" "c"`)
	check(`{"from_id":"x","to_id":"x"}`, `"x"`)
	check(`{"a_id":"x","b_id":"y","c_id":"x","d_id":"y","e_id":"z"}`, `"x" "y" "z"`)
	check(`{"ids":["b","a","b"]}`, `"a" "b"`)
	check(`{"order":{"id":7,"note":"soon"}}`, `7e0`)
	check(`{"seat":"12a","note":"row 12a"}`, `"12a"`)
}

func TestIdentifies(t *testing.T) {
	check := func(key, value string, want bool) {
		t.Helper()
		if got := Identifies(key, value); got != want {
			t.Errorf("Identifies(%s, %s) = %v, want %v", key, value, got, want)
		}
	}
	for _, key := range []string{"id", "orderId", "item_ids", "api_key", "path", "file", "URL", "uri", "Email", "phone_number", "username", "slug", "uuid"} {
		check(key, `5`, true)
		check(key, `"anything at all"`, true)
	}
	check("amount", `5`, false)
	check("seat", `"a1"`, true) // a string of letters and digits, like an id
	check("seat", `"1A"`, true)
	check("seat", `"Z9"`, true)
	check("seat", `"z0"`, true)
	check("seat", `"12"`, false)
	check("seat", `"ab"`, false)
	check("seat", `"a 1"`, false)
	check("seat", "\"a\t1\"", false)
	check("seat", `1e5`, false) // a number, although it contains a letter
	check("seat", `"é1"`, false)
	check("seat", `""`, false)
}

// TestHTTPVerb checks that the verb of an HTTP request depends on its method.
func TestHTTPVerb(t *testing.T) {
	for arguments, want := range map[string]string{
		`{"method":"GET","url":"u"}`: "", `{"method":"post","url":"u"}`: "create", `{"method":"PATCH","url":"u"}`: "update", `{"method":"DELETE","url":"u"}`: "delete",
	} {
		a := newTestAction(t, "http_request", arguments)
		a.Mutation.Layer = mutation.LayerHTTP
		if a.httpVerb() != want || want == "create" && a.Deed().Class != "create" {
			t.Errorf("%s: verb %q, want %q; class %q", arguments, a.httpVerb(), want, a.Deed().Class)
		}
	}
	if a := newTestAction(t, "ship", `{"method":"POST"}`); a.httpVerb() != "" {
		t.Errorf("ship by post: verb %q", a.httpVerb())
	}
}

func TestDoes(t *testing.T) {
	check := func(name, obs, ref string, terms *similarity.Terms, want bool) {
		t.Helper()
		a, rule := newTestAction(t, name, obs), newTestAction(t, "drop", ref)
		rule.Terms = terms
		if got := a.Does(&rule); got != want {
			t.Errorf("%s %s does drop %s under %+v: %v, want %v", name, obs, ref, terms, got, want)
		}
	}
	check("drop", `{"id":"a","force":true}`, `{}`, nil, true) // every drop
	check("drop", `{"id":"a","force":true}`, `{"id":"a"}`, nil, true)
	check("drop", `{"id":"b"}`, `{"id":"a"}`, nil, false)
	check("drop", `{"force":true}`, `{"id":"a"}`, nil, false)
	check("drag", `{"id":"a"}`, `{"id":"a"}`, nil, false)
	check("drop", `{"id":"b"}`, `{"id":"a"}`, &similarity.Terms{Key: "k", Ignore: path.MustPlaces("id")}, true)
}

func TestHasLooksBelowAPath(t *testing.T) {
	a := newTestAction(t, "f", `{"leg":{"no":"T1"},"legs":[{"no":"T2"}],"legal":true}`)
	check := func(path string, want bool) {
		t.Helper()
		if got := a.Has(path); got != want {
			t.Errorf("Has(%s) = %v, want %v", path, got, want)
		}
	}
	check("leg", true)
	check("legs", true)
	check("legs[0]", true)
	check("legs[1]", false)
	check("leg.no", false) // a leaf: no value is below it
	check("legal", false)
	check("le", false)
}

func TestProfileNames(t *testing.T) {
	if Outcome.String() != "outcome" || SOP.String() != "sop" {
		t.Errorf("the profiles are called %v and %v", Outcome, SOP)
	}
}

// TestLastWord compares the last words of drawn keys with those of a simple program.
func TestLastWord(t *testing.T) {
	simple := func(key string) string {
		key = key[strings.LastIndexAny(key, "_-. ")+1:]
		for i := len(key) - 1; i > 0; i-- {
			if isUpper(key[i]) && !isUpper(key[i-1]) {
				return strings.ToLower(key[i:])
			}
		}
		return strings.ToLower(key)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range drawn.Cases(20000) {
		var key []byte
		for range r.IntN(8) {
			key = append(key, "abIDz_-. 7é"[r.IntN(12)])
		}
		if got, want := lastWord(string(key)), simple(string(key)); got != want {
			t.Fatalf("%q: %q, want %q", key, got, want)
		}
	}
}
