package failure

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

func parsed(t *testing.T, text string) jsonval.Value {
	t.Helper()
	v, err := jsonval.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestListings draws results of tools whose names say no deed. Facts about what a call names are a listing. The same
// result with one sign of a change is none: a report, a new state, a flag or a new id.
func TestListings(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 27))
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	write := func(v any) jsonval.Value {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return parsed(t, string(text))
	}
	for range 2000 {
		noun := pick("stock", "seat_map", "silo_level", "roster", "tide", "crewSheet")
		arguments := map[string]any{"thing": pick("Nora Ek", "hall b", "north")}
		if r.IntN(3) == 0 {
			arguments["floor"] = r.IntN(9) + 20
		}
		result := map[string]any{}
		for range 1 + r.IntN(3) {
			result[pick("width_cm", "litres", "colour", "owner")] = pick("blue", "Ada Lind", "large")
		}
		if r.IntN(2) == 0 {
			result["rows"] = []any{map[string]any{"nr": 4, "name": "x", "paid": true}, map[string]any{"nr": 5, "name": "y", "paid": false}}
		} else if len(arguments) > 1 || r.IntN(2) == 0 {
			result["thing"] = arguments["thing"]
		}
		if text := write(result).Raw(); !Lists(mutation.NameWords(noun), write(arguments), text) {
			t.Fatalf("%s %v: %s is no listing", noun, arguments, text)
		}
		switch sign := pick("ok", "status", "state", "result", "updated", "booked", "open", "order_id", "number", "code"); sign {
		case "ok", "updated", "booked", "open":
			result[sign] = true
		case "order_id", "number", "code":
			result[sign] = pick("AB-12", "7719-x")
		default:
			result[sign] = pick("done", "booked", "large")
		}
		if text := write(result).Raw(); Lists(mutation.NameWords(noun), write(arguments), text) {
			t.Fatalf("%s %v: %s may report a change, and is taken as a listing", noun, arguments, text)
		}
	}
	for text, want := range map[string]bool{`{"kn":9}`: true, `{"state":"pending"}`: false, `{"job":"J-7"}`: false, `{}`: false, `[]`: false, `ok`: false,
		`[{"a":1,"b":2}]`: true, `{"hut":"Weiss"}`: false, `{"Weiss":2}`: true, `{"deleted":2}`: false} {
		if got := Lists([]string{"wind"}, parsed(t, `{"hut":"Weiss"}`), text); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
	if !Lists([]string{"approval", "state"}, parsed(t, `{"approval":"A-1"}`), `{"state":"pending"}`) {
		t.Error("the state that was asked for is no listing")
	}
	if Lists([]string{"wind"}, parsed(t, `{"clock":"C-1","hard":true}`), `[{"a":1,"b":2}]`) {
		t.Error("a call with a switch lists nothing")
	}
}

// TestLeavesSome checks that the result of a deed of unknown class says that a part was left only if it names a thing of the call.
func TestLeavesSome(t *testing.T) {
	arguments := parsed(t, `{"bikes":["b1","b8","b9"]}`)
	for text, want := range map[string]Report{`{"recalled":1,"failed":["b8","b9"]}`: Partly, `{"recalled":1,"failed":["x8"]}`: Silent, `{"recalled":3,"failed":[]}`: Silent, `{"recalled":1,"failed":2}`: Silent} {
		deed := mutation.DeedOf("recall_bikes")
		if got := reportOf(&deed, arguments, text); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}
