package reference

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/match"
)

// schema is the part of JSON Schema that schema.json uses.
type schema struct{ root jsonval.Value }

// fitsRules reports whether v satisfies the rules in s.
func (c schema) fitsRules(s, v jsonval.Value) bool {
	if ref := s.Get("$ref").Text(); ref != "" {
		return c.fitsRules(c.root.At(strings.Split(strings.TrimPrefix(ref, "#/"), "/")...), v)
	}
	if any := s.Get("anyOf"); any.Exists() {
		return slices.ContainsFunc(any.Elements(), func(a jsonval.Value) bool { return c.fitsRules(a, v) })
	}
	if types := s.Get("type"); types.Exists() && !isOf(types, v) {
		return false
	}
	for _, name := range s.Get("required").Elements() {
		if !v.Get(name.Text()).Exists() {
			return false
		}
	}
	if n, ok := s.Get("minItems").Int(); ok && v.Len() < int(n) {
		return false
	}
	return c.childrenFit(s, v)
}

func (c schema) childrenFit(s, v jsonval.Value) bool {
	ok := true
	v.Each(func(key string, m jsonval.Value) bool {
		rule := s.Get("items")
		if v.Kind() == jsonval.Object {
			if rule = s.At("properties", key); !rule.Exists() {
				rule = s.Get("additionalProperties")
			}
		}
		allowed, boolean := rule.Bool()
		ok = boolean && allowed || !boolean && (!rule.Exists() || c.fitsRules(rule, m))
		return ok
	})
	return ok
}

func isOf(types, v jsonval.Value) bool {
	if name, ok := types.Str(); ok {
		return name == v.Kind().String()
	}
	return slices.ContainsFunc(types.Elements(), func(t jsonval.Value) bool { return t.Text() == v.Kind().String() })
}

func readSchema(t *testing.T) schema {
	t.Helper()
	return schema{mustParse(t, readTestFile(t, "../schema.json"))}
}

// TestSchemaFitsExamples checks that the schema accepts the inputs that the reader
// accepts, and refuses the examples with a wrong form.
func TestSchemaFitsExamples(t *testing.T) {
	c := readSchema(t)
	good, _ := filepath.Glob("testdata/good/*.json")
	bad, _ := filepath.Glob("testdata/bad/*.json")
	if len(good) < 6 || len(bad) < 6 {
		t.Fatalf("%d and %d examples", len(good), len(bad))
	}
	for _, name := range good {
		if !c.fitsRules(c.root, mustParse(t, readTestFile(t, strings.TrimPrefix(name, "testdata/")))) {
			t.Errorf("%s does not fit the schema", name)
		}
	}
	// A schema cannot express these three: repeated names, places, groups of empty lists.
	beyond := []string{"testdata/bad/twice.json", "testdata/bad/forbidden.json", "testdata/bad/optional.json"}
	for _, name := range bad {
		fits := c.fitsRules(c.root, mustParse(t, readTestFile(t, strings.TrimPrefix(name, "testdata/"))))
		if fits != slices.Contains(beyond, name) {
			t.Errorf("%s: fits = %v", name, fits)
		}
	}
}

// TestSchemaListsMembers checks that the schema, the reader and its error text list the
// same members.
func TestSchemaListsMembers(t *testing.T) {
	c := readSchema(t)
	var members []string
	for _, def := range [...]string{"call", "sequence", "anyOrder", "oneOf", "optional"} {
		members = append(members, c.root.At("$defs", def, "properties").Keys()...)
	}
	slices.Sort(members)
	members = slices.Compact(members)
	want := slices.Sorted(slices.Values(knownMembers()))
	if !slices.Equal(members, want) {
		t.Errorf("schema has %q, the error text %q", members, want)
	}
	for _, name := range members {
		_, _, group := groupOf(mustParse(t, `{"`+name+`": []}`))
		if !group && !HoldsArguments(name) && !slices.Contains(stepKeys[:], name) {
			t.Errorf("the reader does not know %q", name)
		}
	}
	if keys := c.root.At("$defs", "matcher", "properties").Keys(); !slices.Equal(keys, match.Words) {
		t.Errorf("matchers have %q, the reader %q", keys, match.Words)
	}
	if keys := c.root.At("$defs", "reference", "properties").Keys(); !slices.Equal(keys, []string{"steps", "only", "says", "aliases", "compositions", "title"}) {
		t.Errorf("outermost members are %q", keys)
	}
}
