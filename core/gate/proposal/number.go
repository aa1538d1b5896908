package proposal

import (
	"math"
	"strconv"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// AsFloat returns a JSON number after a conversion to a 64-bit float, as in JavaScript.
// The result same reports whether the value stays the same in the shortest decimal text.
// For example, 0.1 stays the same and 9007199254740993 does not. O(n).
func AsFloat(raw string) (float string, same bool) {
	f, err := strconv.ParseFloat(raw, 64)
	if err != nil || math.IsInf(f, 0) { // out of range
		if f < 0 {
			return "-Infinity", false
		}
		return "Infinity", false
	}
	float = strconv.FormatFloat(f, 'g', -1, 64)
	if f == math.Trunc(f) && math.Abs(f) < 1e21 {
		float = strconv.FormatFloat(f, 'f', -1, 64)
	}
	return float, jsonval.Decimal(float) == jsonval.Decimal(raw)
}

func inexactNote(float string) string {
	return "  ^ not exact: a program with 64-bit floats, such as JavaScript, would use " + float + "\n"
}
