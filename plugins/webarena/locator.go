package webarena

import (
	"errors"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/sdk/pycall"
)

// readLocator stores the element that a chain such as page.get_by_role("button",
// name="Go").first names. It skips leading names that are not called, such as page or
// frame.
func (a *action) readLocator(links []pycall.Link) error {
	for len(links) > 0 && !links[0].Called {
		links = links[1:]
	}
	var steps []string
	for i := range links {
		l := &links[i]
		switch {
		case !l.Called && l.Name == "first":
			steps = append(steps, "nth=0")
		case !l.Called && l.Name == "last":
			steps = append(steps, "nth=-1")
		case !l.Called:
			return errors.New("unknown member " + l.Name)
		default:
			step, t, err := readLocatorStep(l)
			if err != nil {
				return err
			}
			if t != nil && len(links) == 1 {
				a.target = *t
				return nil
			}
			steps = append(steps, step)
		}
	}
	a.target.selector = strings.Join(steps, " >> ")
	return nil
}

// readLocatorStep parses one call of a locator. The result step is the call in normal
// form. If the call gives a role, a name or a test id, t is the element with it.
// Otherwise t is nil.
func readLocatorStep(l *pycall.Link) (step string, t *target, err error) {
	arg := func(i int, names ...string) string {
		if v := l.Argument(i, names...); v != nil {
			return v.Text
		}
		return ""
	}
	switch l.Name {
	case "get_by_role":
		t = &target{role: strings.ToLower(arg(0, "role")), name: stableText(arg(-1, "name"))}
	case "get_by_label":
		t = &target{name: stableText(arg(0, "text"))}
	case "get_by_text", "get_by_title", "get_by_alt_text", "get_by_placeholder":
		t = &target{name: stableText(arg(0, "text"))}
	case "get_by_test_id":
		return "test-id=" + arg(0, "test_id"), &target{id: arg(0, "test_id")}, nil
	case "locator", "frame_locator", "query_selector", "wait_for_selector":
		return normalSelector(arg(0, "selector")), nil, nil
	case "nth":
		return "nth=" + arg(0, "index"), nil, nil
	case "filter":
		return "has-text=" + stableText(arg(-1, "has_text")), nil, nil
	default:
		return "", nil, errors.New("unknown locator " + l.Name)
	}
	return t.String(), t, nil
}
