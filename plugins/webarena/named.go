package webarena

import "strings"

// tagRoles holds the implicit roles of HTML's elements.
var tagRoles = map[string]string{"a": "link", "button": "button", "select": "combobox", "textarea": "textbox", "option": "option", "img": "img", "summary": "button",
	"h1": "heading", "h2": "heading", "h3": "heading", "h4": "heading", "h5": "heading", "h6": "heading"}

// inputRoles holds the roles of input elements by their type; other types are
// textboxes.
var inputRoles = map[string]string{"checkbox": "checkbox", "radio": "radio", "button": "button", "submit": "button", "reset": "button", "image": "button",
	"range": "slider", "number": "spinbutton", "search": "searchbox"}

// roleAndName returns the role and the name that an element has in an accessibility tree.
// For an element of a page's source, they are derived from its tag, attributes and text.
func (n *node) roleAndName() (role, name string) {
	role = strings.ToLower(n.role)
	if n.name != "" {
		return role, n.name
	}
	switch tag := tagRoles[role]; {
	case n.attrValue("role") != "":
		role = n.attrValue("role")
	case role == "input":
		if role = inputRoles[n.attrValue("type")]; role == "" {
			role = "textbox"
		}
	case tag != "":
		role = tag
	}
	for _, key := range [...]string{"aria-label", "alt", "title", "placeholder"} {
		if name = n.attrValue(key); name != "" {
			return role, name
		}
	}
	if role == "button" && n.attrValue("value") != "" {
		return role, n.attrValue("value")
	}
	return role, stableText(strings.TrimSpace(n.allNames()))
}

func (n *node) attrValue(key string) string {
	for _, a := range n.attrs {
		if a.key == key {
			return a.value
		}
	}
	return ""
}
