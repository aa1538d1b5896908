package kind

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/colors"
)

// compareColors compares two colors in hexadecimal digits, such as #FFF and #ffffff, as
// rgb(255, 255, 255), or by the names of CSS.
func (p *pair) compareColors() Outcome {
	marked := strings.HasPrefix(p.a.text, "#") && strings.HasPrefix(p.b.text, "#")
	if !marked && !p.named(" color colour fill stroke background foreground ") && !p.tool.has(" color colour ") {
		return Open
	}
	a, b := colors.Hex(p.a.text), colors.Hex(p.b.text)
	if a == "" || b == "" {
		return Open
	}
	if isName := func(s string) bool { return !strings.ContainsAny(s, "#(0123456789") }; a != b && isName(p.a.text) && isName(p.b.text) {
		return Likely // a name may stand for a shade
	}
	return sameIf(a == b)
}
