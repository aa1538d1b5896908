package osworld

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// Action is a call in one of the two forms that agents use: code in its text or
// arguments, or a named action with parameters.
type Action = abi.Action

// readGestures returns the gestures of a call.
func readGestures(a *Action) ([]gesture, error) {
	if a.Text != "" {
		return parseText(a.Text)
	}
	var text string
	if json.Unmarshal(a.Arguments, &text) == nil && text != "" {
		return parseText(text)
	}
	var p parameters
	if len(a.Arguments) > 0 {
		if err := json.Unmarshal(a.Arguments, &p); err != nil {
			return nil, errors.New("parameters of the wrong type")
		}
	}
	for _, code := range [...]string{p.Code, p.Command} {
		if code != "" {
			return parseText(code)
		}
	}
	if len(p.Parameters) > 0 {
		inner := parameters{}
		if err := json.Unmarshal(p.Parameters, &inner); err != nil {
			return nil, errors.New("parameters of the wrong type")
		}
		inner.ActionType = p.ActionType
		p = inner
	}
	for _, name := range [...]string{p.Action, p.ActionType, p.Type} {
		if name != "" {
			return p.actionGestures(name)
		}
	}
	return p.actionGestures(a.Name)
}

// parseText reads an action that is given as a text. The text is code, or words that a
// person wrote, for example "`CLICK` the row".
func parseText(text string) ([]gesture, error) {
	if g, ok := parseHuman(text); ok {
		return g, nil
	}
	return parseCode(text)
}

// parameters are the parameters of an action in JSON.
type parameters struct {
	Action     string          `json:"action"`
	ActionType string          `json:"action_type"`
	Type       string          `json:"type"`
	Parameters json.RawMessage `json:"parameters"`
	Code       string          `json:"code"`
	Command    string          `json:"command"`

	X          *float64  `json:"x"`
	Y          *float64  `json:"y"`
	Coordinate []float64 `json:"coordinate"`
	Start      []float64 `json:"start_coordinate"`
	Path       []struct {
		X float64 `json:"x"`
		Y float64 `json:"y"`
	} `json:"path"`
	Button    string   `json:"button"`
	Clicks    int      `json:"num_clicks"`
	Text      *string  `json:"text"`
	Key       string   `json:"key"`
	Keys      keyList  `json:"keys"`
	DX        float64  `json:"dx"`
	DY        float64  `json:"dy"`
	ScrollX   float64  `json:"scroll_x"`
	ScrollY   float64  `json:"scroll_y"`
	Direction string   `json:"scroll_direction"`
	Amount    *float64 `json:"scroll_amount"`
}

// keyList holds keys, given as a list or as one text with + in between.
type keyList []string

// UnmarshalJSON accepts a list of keys, or one text with + between the keys.
func (k *keyList) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*k = splitKeys(one)
		return nil
	}
	return json.Unmarshal(b, (*[]string)(k))
}

func (p *parameters) targetPoint() point {
	switch {
	case len(p.Coordinate) == 2:
		return pointAt(p.Coordinate[0], p.Coordinate[1])
	case p.X != nil && p.Y != nil:
		return pointAt(*p.X, *p.Y)
	}
	return point{}
}

// clicks maps the names of actions to the buttons and counts that they imply.
var clicks = map[string]struct {
	button string
	count  int
}{
	"click": {"", 1}, "leftclick": {"left", 1}, "rightclick": {"right", 1}, "middleclick": {"middle", 1}, "doubleclick": {"", 2}, "tripleclick": {"", 3},
}

// actionGestures returns the gestures of an action. name is the action's name in the
// action space computer_13 or in a computer-use tool.
func (p *parameters) actionGestures(name string) ([]gesture, error) {
	name = strings.ToLower(strings.ReplaceAll(name, "_", ""))
	if c, ok := clicks[name]; ok {
		g := gesture{kind: click, at: p.targetPoint(), button: c.button, count: c.count}
		if g.button == "" {
			g.button = buttonName(p.Button)
		}
		if p.Clicks > 0 && p.Clicks < 4 && name == "click" {
			g.count = p.Clicks
		}
		return []gesture{g}, nil
	}
	button := buttonName(p.Button)
	switch name {
	case "moveto", "mousemove", "move":
		return p.requirePoint(gesture{kind: move, at: p.targetPoint(), button: button})
	case "mousedown", "leftmousedown":
		return []gesture{{kind: down, at: p.targetPoint(), button: button}}, nil
	case "mouseup", "leftmouseup":
		return []gesture{{kind: up, at: p.targetPoint(), button: button}}, nil
	case "dragto", "leftclickdrag", "drag":
		return p.dragGesture(button)
	case "scroll":
		return p.scrollGesture(), nil
	case "typing", "type":
		if p.Text == nil {
			return nil, errors.New("missing the text")
		}
		return []gesture{{kind: typing, text: *p.Text}}, nil
	case "press", "key", "keypress", "hotkey", "holdkey", "keydown", "keyup":
		return p.keyGesture(name)
	case "wait", "screenshot", "cursorposition", "zoom":
		return []gesture{{kind: pause}}, nil
	case "done", "fail":
		return []gesture{{kind: map[string]kind{"done": done, "fail": fail}[name]}}, nil
	}
	return nil, fmt.Errorf("unknown action %q", name)
}

func (p *parameters) requirePoint(g gesture) ([]gesture, error) {
	if g.at.isEmpty() {
		return nil, errors.New("missing coordinates")
	}
	return []gesture{g}, nil
}

func (p *parameters) dragGesture(button string) ([]gesture, error) {
	g := gesture{kind: drag, at: p.targetPoint(), button: button}
	if len(p.Start) == 2 {
		g.from = pointAt(p.Start[0], p.Start[1])
	}
	if n := len(p.Path); n > 1 {
		g.from, g.at = pointAt(p.Path[0].X, p.Path[0].Y), pointAt(p.Path[n-1].X, p.Path[n-1].Y)
	}
	return p.requirePoint(g)
}

func (p *parameters) scrollGesture() []gesture {
	g := gesture{kind: scroll, at: p.targetPoint()}
	amount := 1.0
	if p.Amount != nil {
		amount = *p.Amount
	}
	x, y := p.DX+p.ScrollX, p.DY-p.ScrollY
	switch strings.ToLower(p.Direction) {
	case "up":
		y = amount
	case "down":
		y = -amount
	case "left":
		x = -amount
	case "right":
		x = amount
	}
	if g.count = int(y); y == 0 && x != 0 {
		g.count, g.sideways = int(x), true
	}
	return []gesture{g}
}

func (p *parameters) keyGesture(name string) ([]gesture, error) {
	keys := p.Keys
	if p.Key != "" {
		keys = splitKeys(p.Key)
	}
	if len(keys) == 0 && p.Text != nil {
		keys = splitKeys(*p.Text)
	}
	if len(keys) == 0 {
		return nil, errors.New("missing the keys")
	}
	switch name {
	case "keydown":
		return []gesture{{kind: keyDown, text: keyName(keys[0])}}, nil
	case "keyup":
		return []gesture{{kind: keyUp, text: keyName(keys[0])}}, nil
	}
	return []gesture{{kind: chord, text: keysTogether(keys)}}, nil
}
