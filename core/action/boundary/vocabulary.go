package boundary

import (
	"fmt"
	"maps"
	"slices"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Vocabulary holds what is known about tools, except whether they change anything. A nil
// Vocabulary is empty.
type Vocabulary struct {
	Aliases      [][]string // groups of names with the same meaning for the same arguments
	Compositions []Composition
	Stated       map[string]Stated // by tool name
}

// Composition says that one action has the same effect as several other actions together.
type Composition struct {
	Whole string
	Parts []string // in the order in which they are done; at least two
}

// Stated holds the parts of a boundary that a tool table or a reference step states. They
// replace the inferred parts. A field that is nil, "" or 0 is not stated, so that part is
// inferred.
type Stated struct {
	Pre   []string // names of the actions that must come before
	Eff   string   // verb class and object, such as "remove item"; "none" for no effect
	Scope []string // in a tool table: the arguments that name the affected entities; in a reference: the entities
	Gran  float64  // the number of steps the action stands for; 1 is atomic

	Arguments bool // Scope lists names of arguments, as in a tool table
}

// Empty reports whether s is nil or states no part of a boundary.
func (s *Stated) Empty() bool {
	return s == nil || len(s.Pre) == 0 && s.Eff == "" && len(s.Scope) == 0 && s.Gran == 0
}

// ReadVocabulary reads the members of a tools file that concern boundaries:
//
//	{"aliases":      [["delete_item", "remove_from_cart"]],
//	 "compositions": [{"whole": "send_email", "parts": ["compose", "attach", "send"]}],
//	 "tools":        {"pay_invoice": {"mutating": "yes", "pre": ["approve_invoice"], "eff": "pay invoice",
//	                                  "scope": ["invoice_id"], "gran": 1}}}
//
// All three members are optional, but at least one must exist. ReadVocabulary ignores the
// words yes, no and control and the member shell in "tools", because package mutation reads
// them.
func ReadVocabulary(v jsonval.Value) (*Vocabulary, error) {
	if v.Kind() != jsonval.Object || !v.Get("tools").Exists() && !v.Get("aliases").Exists() && !v.Get("compositions").Exists() {
		return nil, fmt.Errorf("invalid tools: want an object with tools, aliases or compositions, got %s", v.Kind())
	}
	out := &Vocabulary{}
	var err error
	v.Each(func(key string, m jsonval.Value) bool {
		switch key {
		case "aliases":
			err = out.readAliases(m)
		case "compositions":
			err = out.readCompositions(m)
		case "tools":
			err = out.readStated(m)
		case "title", "description":
		default:
			err = fmt.Errorf("invalid tools: unknown member %q. The known members are tools, aliases, compositions, title and description", key)
		}
		return err == nil
	})
	return out, err
}

// ReadSynonyms reads only the members aliases and compositions, in the same form as
// ReadVocabulary. References and plugins use it. It returns nil if v has neither of the
// two members.
func ReadSynonyms(v jsonval.Value) (*Vocabulary, error) {
	aliases, compositions := v.Get("aliases"), v.Get("compositions")
	if !aliases.Exists() && !compositions.Exists() {
		return nil, nil
	}
	out := &Vocabulary{}
	if aliases.Exists() {
		if err := out.readAliases(aliases); err != nil {
			return nil, err
		}
	}
	if compositions.Exists() {
		if err := out.readCompositions(compositions); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// With returns the union of two vocabularies. If both state something about the same
// tool, the result has the statement of o. Each of the two may be nil.
func (o *Vocabulary) With(other *Vocabulary) *Vocabulary {
	switch {
	case other == nil:
		return o
	case o == nil:
		return other
	}
	out := &Vocabulary{
		Aliases:      slices.Concat(o.Aliases, other.Aliases),
		Compositions: slices.Concat(o.Compositions, other.Compositions),
		Stated:       maps.Clone(other.Stated),
	}
	for name, s := range o.Stated {
		if out.Stated == nil {
			out.Stated = map[string]Stated{}
		}
		out.Stated[name] = s
	}
	return out
}

func (o *Vocabulary) readAliases(v jsonval.Value) error {
	if v.Kind() != jsonval.Array {
		return fmt.Errorf(`invalid aliases: want lists of names, as in [["buy", "purchase"]]; got %s`, v.Kind())
	}
	for i, group := range v.Elements() {
		list, err := toolNames(group)
		if err == nil && len(list) < 2 {
			err = fmt.Errorf("want at least two names")
		}
		if err != nil {
			return fmt.Errorf("invalid aliases %d: %w", i+1, err)
		}
		o.Aliases = append(o.Aliases, list)
	}
	return nil
}

func (o *Vocabulary) readCompositions(v jsonval.Value) error {
	if v.Kind() != jsonval.Array {
		return fmt.Errorf(`invalid compositions: want a list of objects with "whole" and "parts"; got %s`, v.Kind())
	}
	for i, e := range v.Elements() {
		whole, ok := e.Get("whole").Str()
		if !ok || whole == "" {
			return fmt.Errorf(`invalid composition %d: the "whole" must be a name`, i+1)
		}
		parts, err := toolNames(e.Get("parts"))
		if err == nil && len(parts) < 2 {
			err = fmt.Errorf("want at least two parts")
		}
		if err != nil {
			return fmt.Errorf("invalid composition %d: %w", i+1, err)
		}
		o.Compositions = append(o.Compositions, Composition{whole, parts})
	}
	return nil
}

func (o *Vocabulary) readStated(v jsonval.Value) error {
	var err error
	v.Each(func(name string, m jsonval.Value) bool {
		if m.Kind() != jsonval.Object {
			return true
		}
		s := Stated{Arguments: true}
		m.Each(func(key string, value jsonval.Value) bool {
			var known bool
			if known, err = s.Set(key, value); err == nil && !known && key != "mutating" && key != "shell" {
				err = fmt.Errorf("unknown member %q. The known members are mutating, shell, pre, eff, scope and gran", key)
			}
			return err == nil
		})
		if err != nil {
			err = fmt.Errorf("invalid tools: %q: %w", name, err)
			return false
		}
		if !s.Empty() {
			if o.Stated == nil {
				o.Stated = map[string]Stated{}
			}
			o.Stated[name] = s
		}
		return true
	})
	return err
}

// Set sets one part of the boundary to the value m. key is the name of the part: pre,
// eff, scope or gran. known is false for any other key.
func (s *Stated) Set(key string, m jsonval.Value) (known bool, err error) {
	switch key {
	case "pre":
		s.Pre, err = toolNames(m)
	case "scope":
		s.Scope, err = toolNames(m)
	case "eff":
		var ok bool
		if s.Eff, ok = m.Str(); !ok {
			err = fmt.Errorf("want a string, got %s", m.Kind())
		}
	case "gran":
		n, ok := m.Float()
		if s.Gran = n; !ok || !(n > 0 && n <= 1e6) {
			err = fmt.Errorf("want a number above 0 and at most 1000000, got %.40s", m.Raw())
		}
	default:
		return false, nil
	}
	if err != nil {
		err = fmt.Errorf("invalid %q: %w", key, err)
	}
	return true, err
}

// toolNames converts a JSON list to strings. An empty string is an error.
func toolNames(v jsonval.Value) ([]string, error) {
	if v.Kind() != jsonval.Array {
		return nil, fmt.Errorf("want a list of strings, got %s", v.Kind())
	}
	var out []string
	for _, e := range v.Elements() {
		s, ok := e.Str()
		if !ok || s == "" {
			return nil, fmt.Errorf("want strings, got %s", e.Kind())
		}
		out = append(out, s)
	}
	return out, nil
}

// Alias reports whether one group of aliases contains both names.
func (o *Vocabulary) Alias(a, b string) bool {
	if o == nil {
		return false
	}
	for _, group := range o.Aliases {
		hasA, hasB := false, false
		for _, name := range group {
			hasA, hasB = hasA || name == a, hasB || name == b
		}
		if hasA && hasB {
			return true
		}
	}
	return false
}

// Made returns all compositions whose Whole is the given name.
func (o *Vocabulary) Made(whole string) (all []Composition) {
	if o == nil {
		return nil
	}
	for _, c := range o.Compositions {
		if c.Whole == whole {
			all = append(all, c)
		}
	}
	return all
}
