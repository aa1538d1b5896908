// Package colors reads colors as CSS writes them: digits, rgb(), hsl() and names.
package colors

import (
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/base/codes"
)

// colorNames has the named colors of CSS with their digits, from codes.txt, with a space on both
// sides of each.
var colorNames = sync.OnceValue(func() string { return " " + strings.Join(codes.Rows("colors"), " ") + " " })

// Hex returns the six or eight digits of a color in lower case, or "" for any other text. O(len(s)) beside the table of names.
func Hex(s string) string {
	if inner, ok := strings.CutPrefix(strings.ToLower(s), "rgb("); ok {
		return rgbColor(strings.TrimSuffix(inner, ")"))
	}
	if inner, ok := strings.CutPrefix(strings.ToLower(s), "hsl("); ok {
		return hslColor(strings.TrimSuffix(inner, ")"))
	}
	if i := strings.Index(colorNames(), " "+strings.ToLower(s)+"="); i >= 0 && s != "" {
		return colorNames()[i+len(s)+2:][:6]
	}
	s, marked := strings.CutPrefix(strings.ToLower(s), "#")
	if strings.Trim(s, "0123456789abcdef") != "" {
		return ""
	}
	switch {
	case marked && len(s) == 3:
		return s[:1] + s[:1] + s[1:2] + s[1:2] + s[2:] + s[2:]
	case marked && len(s) == 8:
		return strings.TrimSuffix(s, "ff") // opaque
	case len(s) == 6:
		return s
	}
	return ""
}

// rgbColor returns the digits of a color that three numbers from 0 to 255 name, or "".
func rgbColor(s string) string {
	parts := colorParts(s)
	out := ""
	for _, part := range parts {
		n, err := strconv.ParseUint(strings.TrimSpace(part), 10, 8)
		if err != nil {
			return ""
		}
		out += strconv.FormatUint(n>>4, 16) + strconv.FormatUint(n&15, 16)
	}
	return out
}

// colorParts splits the three parts of a color, which commas or blanks separate. It returns
// nil for any other number of parts.
func colorParts(s string) []string {
	parts := strings.Fields(strings.ReplaceAll(s, ",", " "))
	if len(parts) != 3 {
		return nil
	}
	return parts
}

// hslColor returns the digits of a color by its hue, saturation and lightness, or "" (CSS
// Color 4, section 7.1).
func hslColor(s string) string {
	parts := colorParts(s)
	if parts == nil {
		return ""
	}
	var v [3]float64
	for i, part := range parts {
		n, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSuffix(part, "deg"), "%"), 64)
		if err != nil || i > 0 && !strings.HasSuffix(part, "%") {
			return ""
		}
		v[i] = n
	}
	out := ""
	for _, at := range [...]float64{0, 8, 4} {
		k := math.Mod(at+v[0]/30+12, 12)
		light := v[2] / 100
		c := light - v[1]/100*min(light, 1-light)*max(-1, min(k-3, 9-k, 1))
		n := uint64(math.Round(255 * max(0, min(c, 1))))
		out += strconv.FormatUint(n>>4, 16) + strconv.FormatUint(n&15, 16)
	}
	return out
}
