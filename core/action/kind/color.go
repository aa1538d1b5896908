package kind

import (
	"strconv"
	"strings"
)

// compareColors compares two colors in hexadecimal digits, such as #FFF and #ffffff, as
// rgb(255, 255, 255), or by the names of CSS.
func (p *pair) compareColors() Outcome {
	marked := strings.HasPrefix(p.a.text, "#") && strings.HasPrefix(p.b.text, "#")
	if !marked && !p.named(" color colour fill stroke background foreground ") {
		return Open
	}
	a, b := hexColor(p.a.text), hexColor(p.b.text)
	if a == "" || b == "" {
		return Open
	}
	return sameIf(a == b)
}

// colorNames has the basic colors of CSS, and orange, with their digits.
const colorNames = " black=000000 silver=c0c0c0 gray=808080 grey=808080 white=ffffff maroon=800000 red=ff0000 purple=800080 fuchsia=ff00ff magenta=ff00ff green=008000 lime=00ff00 olive=808000 yellow=ffff00 navy=000080 blue=0000ff teal=008080 aqua=00ffff cyan=00ffff orange=ffa500 "

// hexColor returns the six or eight digits of a color in lower case, or "".
func hexColor(s string) string {
	if inner, ok := strings.CutPrefix(strings.ToLower(s), "rgb("); ok {
		return rgbColor(strings.TrimSuffix(inner, ")"))
	}
	if i := strings.Index(colorNames, " "+strings.ToLower(s)+"="); i >= 0 && s != "" {
		return colorNames[i+len(s)+2:][:6]
	}
	s, marked := strings.CutPrefix(strings.ToLower(s), "#")
	if strings.Trim(s, "0123456789abcdef") != "" {
		return ""
	}
	switch {
	case marked && len(s) == 3:
		return s[:1] + s[:1] + s[1:2] + s[1:2] + s[2:] + s[2:]
	case len(s) == 6, marked && len(s) == 8:
		return s
	}
	return ""
}

// rgbColor returns the digits of a color that three numbers from 0 to 255 name, or "".
func rgbColor(s string) string {
	parts := strings.Split(s, ",")
	if len(parts) != 3 {
		return ""
	}
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
