package osworld

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/sdk/pycall"
)

// errNothing is the error for a text without any statement.
var errNothing = errors.New("no action was found")

// maxGestures is the largest number of gestures in one text. An agent makes only a few
// at a time.
const maxGestures = 2000

var errTooMany = errors.New("more than 2000 gestures in one text")

// parseCode reads Python code that acts on a screen, without running the code. Every
// argument must be a literal. The words WAIT, DONE and FAIL are also read as statements.
func parseCode(text string) ([]gesture, error) {
	text = stripFence(text)
	program, err := pycall.Parse(text)
	if err != nil {
		return nil, err
	}
	var out []gesture
	for i := range program {
		st := &program[i]
		if st.Import != "" || st.Target != "" && isSetting(st.Target) {
			continue
		}
		gestures, err := readStatement(&st.Value)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", st.Line, err)
		}
		if out = append(out, gestures...); len(out) > maxGestures {
			return nil, errTooMany
		}
	}
	if len(out) == 0 {
		return nil, errNothing
	}
	return out, nil
}

// stripFence removes the lines with ``` around a text.
func stripFence(text string) string {
	text = strings.TrimSpace(text)
	inner, fenced := strings.CutPrefix(text, "```")
	if !fenced {
		return text
	}
	if i := strings.IndexByte(inner, '\n'); i >= 0 {
		inner = inner[i+1:]
	}
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(inner), "```"))
}

// isSetting reports whether the target of an assignment is one of the library's own
// settings, such as pyautogui.PAUSE.
func isSetting(target string) bool {
	_, name, ok := strings.Cut(target, ".")
	return ok && name == strings.ToUpper(name)
}

// readStatement reads a statement, which is a call or one of the words WAIT, DONE and
// FAIL.
func readStatement(v *pycall.Value) ([]gesture, error) {
	if v.Kind == pycall.Chain && len(v.Links) == 1 && !v.Links[0].Called {
		switch v.Links[0].Name {
		case "WAIT":
			return []gesture{{kind: pause}}, nil
		case "DONE":
			return []gesture{{kind: done}}, nil
		case "FAIL":
			return []gesture{{kind: fail}}, nil
		}
	}
	object, call, ok := v.Call()
	if !ok || len(v.Links) > 2 {
		return nil, errors.New("the statement is not a call")
	}
	if f, known := functions[strings.ToLower(call.Name)]; known && (object != "pyperclip" || call.Name == "copy") {
		return f(&arguments{call})
	}
	return nil, fmt.Errorf("unknown function %q", strings.TrimPrefix(object+"."+call.Name, "."))
}

// arguments holds the arguments of one call.
type arguments struct{ call *pycall.Link }

// numberArgument returns the value of the argument at index i or with one of the names.
// ok is false if the argument is missing or None.
func (a *arguments) numberArgument(i int, names ...string) (n float64, ok bool, err error) {
	v := a.call.Argument(i, names...)
	if v == nil || v.Kind == pycall.None {
		return 0, false, nil
	}
	n, err = parseNumber(v)
	return n, err == nil, err
}

// parseNumber returns the value of a number literal.
func parseNumber(v *pycall.Value) (float64, error) {
	text := strings.ReplaceAll(v.Text, "_", "")
	if v.Kind == pycall.Number {
		if n, err := strconv.ParseFloat(text, 64); err == nil && n > -1e6 && n < 1e6 {
			return n, nil
		}
		if n, err := strconv.ParseInt(text, 0, 32); err == nil {
			return float64(n), nil
		}
	}
	if v.Kind == pycall.String || v.Kind == pycall.Number {
		return 0, fmt.Errorf("%q is not a coordinate or count", v.Text)
	}
	return 0, errors.New("a number must be a literal, not an expression")
}

// countArgument returns an argument of the call as a whole number. If the call lacks this
// argument, the result is the default value, which is the parameter without.
func (a *arguments) countArgument(without, i int, names ...string) (int, error) {
	n, ok, err := a.numberArgument(i, names...)
	if !ok {
		n = float64(without)
	}
	return int(n), err
}

// textArgument returns a string argument. ok is false if the argument is missing or None.
func (a *arguments) textArgument(i int, names ...string) (s string, ok bool, err error) {
	v := a.call.Argument(i, names...)
	switch {
	case v == nil || v.Kind == pycall.None:
		return "", false, nil
	case v.Kind == pycall.String || v.Kind == pycall.Number:
		return v.Text, true, nil
	}
	return "", false, errors.New("a text must be a literal, not an expression")
}

// placeArgument reads a place on the screen, beginning at the argument with the index i.
// A place is written in one of three ways:
//
//   - two arguments, x and y;
//   - one argument, the pair (x, y);
//   - one argument, the name of an image.
//
// If there is no place, p is empty, which means the place of the pointer. The result next
// is the index of the argument after the place.
func (a *arguments) placeArgument(i int) (p point, next int, err error) {
	v := a.call.Argument(i, "x", "coordinate", "start_box", "point", "position")
	switch {
	case v == nil || v.Kind == pycall.None:
		if y := a.call.Argument(i+1, "y"); y != nil && y.Kind != pycall.None {
			return p, 0, errors.New("y without x")
		}
		return p, i + 2, nil
	case (v.Kind == pycall.Tuple || v.Kind == pycall.List) && len(v.Items) == 2:
		p, err = pointFromValues(&v.Items[0], &v.Items[1])
		return p, i + 1, err
	case v.Kind == pycall.String:
		return pointFromText(v.Text), i + 1, nil
	}
	y := a.call.Argument(i+1, "y")
	if y == nil {
		return p, 0, errors.New("x without y")
	}
	p, err = pointFromValues(v, y)
	return p, i + 2, err
}

func pointFromValues(x, y *pycall.Value) (point, error) {
	a, err := parseNumber(x)
	if err != nil {
		return point{}, err
	}
	b, err := parseNumber(y)
	return pointAt(a, b), err
}

// pointFromText returns the point for a text such as "(10,20)". Any other text is the
// name of an image.
func pointFromText(text string) point {
	inner := strings.Trim(strings.TrimSpace(text), "()[]")
	x, y, ok := strings.Cut(inner, ",")
	if a, err := strconv.ParseFloat(strings.TrimSpace(x), 64); ok && err == nil {
		if b, err := strconv.ParseFloat(strings.TrimSpace(y), 64); err == nil {
			return pointAt(a, b)
		}
	}
	return point{words: text}
}

// buttonArgument returns the name of a mouse button. The argument is a name or a number.
// If the argument is missing, the result is "left".
func (a *arguments) buttonArgument(i int) (string, error) {
	text, ok, err := a.textArgument(i, "button")
	if err != nil || !ok {
		return "left", err
	}
	return buttonName(text), nil
}

func buttonName(text string) string {
	switch text = strings.ToLower(text); text {
	case "1", "primary", "":
		return "left"
	case "2", "wheel":
		return "middle"
	case "3", "secondary":
		return "right"
	}
	return text
}
