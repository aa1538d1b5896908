package wire

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// embedded, odd and rare hold what our own reports do not have.
type embedded struct {
	odd
	Name string `json:"name"`
}

type odd struct {
	Count int64           `json:"count,string"`
	Raw   json.RawMessage `json:"raw"`
	Zero  core.Input      `json:"zero,omitzero"`
	Bytes []byte
}

type rare struct {
	Any    any            `json:"any"`
	Map    map[string]any `json:"map,omitempty"`
	Named  map[named]int  `json:"named"`
	Number json.Number    `json:"number"`
	Self   *rare          `json:"self,omitempty"`
	Tri    mutation.Tri   `json:"tri"`
	Tris   []mutation.Tri `json:"tris"`
	Odd    map[string]odd `json:"odd"`
	Small  [3]uint8       `json:"small"`
	Wide   float32        `json:"wide"`
	Empty  struct{}       `json:"empty,omitempty"`
	Hidden string         `json:"-"`
	//lint:ignore SA5008 an encoder must know this odd tag
	Dash  string            `json:"-,"`
	Plain map[string]string `json:"plain"`
	//lint:ignore U1000 an encoder must leave it out
	own string
}

type named string

// drawValue fills a value of any type with drawn content.
func drawValue(r *rand.Rand, v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(r.Int64N(5) - 2)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(r.Uint64N(3))
	case reflect.Float32:
		v.SetFloat(r.NormFloat64())
	case reflect.Float64:
		v.SetFloat([]float64{0, 1, 0.5, -1e-7, 1e21, 1e-6, 123456789.25, math.MaxFloat64, math.SmallestNonzeroFloat64, r.NormFloat64()}[r.IntN(10)])
	case reflect.String:
		if v.Type() == reflect.TypeFor[json.Number]() {
			v.SetString("12.50")
			return
		}
		v.SetString(drawText(r))
	case reflect.Pointer:
		if depth > 0 && r.IntN(3) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			drawValue(r, v.Elem(), depth-1)
		}
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			v.SetBytes([]byte(`{"a": [1, "\u003c"]}`))
			return
		}
		if n := r.IntN(4); depth > 0 && n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n-1, n))
		}
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			drawValue(r, v.Index(i), depth-1)
		}
	case reflect.Map:
		if n := r.IntN(4); n > 0 {
			v.Set(reflect.MakeMap(v.Type()))
			for range n - 1 {
				key, member := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
				drawValue(r, key, depth-1)
				drawValue(r, member, depth-1)
				v.SetMapIndex(key, member)
			}
		}
	case reflect.Interface:
		if some := []any{nil, true, 1.5, drawText(r), []any{1, "<a>"}, map[string]any{"b": nil, "a": 2}, odd{Count: 3}, &embedded{Name: "x"}}; v.NumMethod() == 0 {
			if one := reflect.ValueOf(some[r.IntN(len(some))]); one.IsValid() {
				v.Set(one)
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				drawValue(r, v.Field(i), depth)
			}
		}
	}
}

// drawText returns a text in which each sort of character that JSON may escape is frequent.
func drawText(r *rand.Rand) string {
	parts := []string{"a", "order 7", `"`, `\`, "\n", "\t", "\b", "\f", "\r", "\x00", "\x1f", "\x7f", "é", "日本", "😀", "\u2028", "\u2029", "\xff", "\xe2\x80", "<&>", "12345678", "/", "\ufffd"}
	var b strings.Builder
	for range r.IntN(12) {
		b.WriteString(parts[r.IntN(len(parts))])
	}
	return b.String()
}

// TestEncodesAsEncoder checks that a drawn value of any type has the bytes that a
// json.Encoder writes.
func TestEncodesAsEncoder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	check := func(v any) {
		t.Helper()
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
		if got := encodeAnswer(v); !bytes.Equal(got, want.Bytes()) {
			t.Fatalf("%T:\n%s\nwant\n%s", v, got, want.Bytes())
		}
	}
	for range drawn.Cases(400) {
		for _, v := range []any{&core.Report{}, &core.Trajectory{}, &rare{}, &embedded{}, &[]any{nil}, &map[string]Error{}, &Handshake{}} {
			drawValue(r, reflect.ValueOf(v).Elem(), 4)
			check(v)
			check(reflect.ValueOf(v).Elem().Interface())
			if r, ok := v.(*core.Report); ok {
				var whole bytes.Buffer
				if WriteReport(&whole, r); !bytes.Equal(whole.Bytes(), encodeAnswer(r)) {
					t.Fatalf("in parts:\n%s\nwant\n%s", whole.Bytes(), encodeAnswer(r))
				}
			}
		}
		check(drawText(r))
	}
	check(nil)
	check((*core.Report)(nil))
}

// TestEncodesNoNaN checks that a number that JSON does not have is an internal error.
func TestEncodesNoNaN(t *testing.T) {
	for _, v := range []any{math.NaN(), math.Inf(1), []float64{math.Inf(-1)}} {
		answer, ok := Guard("score", func([]byte) (any, error) { return v, nil }, nil)
		if ok || !strings.Contains(string(answer), CodeInternal) {
			t.Errorf("%v: %s", v, answer)
		}
	}
}
