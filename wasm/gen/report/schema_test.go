package report

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReportsKeepTheSchema holds every golden report to the published schema: each
// member is in it, each text of a closed list is of that list, and nothing required is
// missing.
func TestReportsKeepTheSchema(t *testing.T) {
	all, err := read("../../..", roots)
	if err != nil {
		t.Fatal(err)
	}
	c := checked{t: t, objects: map[string]object{}, unions: map[string]string{}}
	for _, o := range all {
		c.objects[o.name] = o
	}
	for _, u := range lists() {
		c.unions[u.name] = "\n" + strings.Join(u.values, "\n") + "\n"
	}
	reports := 0
	err = filepath.WalkDir("../../../testdata/golden", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		var v map[string]any
		if err := d.Decode(&v); err != nil || v["error"] != nil {
			return err
		}
		reports++
		c.value(path, kind{name: "object", object: "Report"}, v)
		return nil
	})
	if err != nil || reports < 50 {
		t.Fatalf("%d reports, %v", reports, err)
	}
}

type checked struct {
	t       *testing.T
	objects map[string]object
	unions  map[string]string
}

func (c *checked) value(at string, k kind, v any) {
	ok := true
	switch k.name {
	case "object":
		var m map[string]any
		if m, ok = v.(map[string]any); ok {
			c.members(at, c.objects[k.object], m)
		}
	case "array":
		var list []any
		if list, ok = v.([]any); ok {
			for _, e := range list {
				c.value(at+"[]", *k.elem, e)
			}
		}
	case "map":
		_, ok = v.(map[string]any)
	case "union":
		s, _ := v.(string)
		ok = strings.Contains(c.unions[k.union], "\n"+s+"\n")
	case "string":
		_, ok = v.(string)
	case "bool":
		_, ok = v.(bool)
	case "int":
		n, is := v.(json.Number)
		_, err := n.Int64()
		ok = is && err == nil
	case "number":
		_, ok = v.(json.Number)
	}
	if !ok {
		c.t.Errorf("%s: %v is no %s %s%s", at, v, k.name, k.object, k.union)
	}
}

func (c *checked) members(at string, o object, m map[string]any) {
	known := map[string]bool{}
	for _, f := range o.fields {
		known[f.name] = true
		v, there := m[f.name]
		switch {
		case !there && !f.omitted:
			c.t.Errorf("%s: %s has no %s", at, o.name, f.name)
		case there && v == nil && !f.null:
			c.t.Errorf("%s: %s.%s is null", at, o.name, f.name)
		case there && v != nil:
			c.value(at+"."+f.name, f.kind, v)
		}
	}
	for name := range m {
		if !known[name] {
			c.t.Errorf("%s: %s has a member %s that is not in the schema", at, o.name, name)
		}
	}
}
