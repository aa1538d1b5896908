package report

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/wasm/gen/model"
)

// TestReportsKeepTheSchema checks that every golden report keeps the published schema.
// The report has no member that is not in the schema, no wrong value of a union, and no
// missing required member.
func TestReportsKeepTheSchema(t *testing.T) {
	all, err := readStructs("../../..", roots)
	if err != nil {
		t.Fatal(err)
	}
	c := checked{t: t, objects: map[string]model.Struct{}, unions: map[string]string{}}
	for _, o := range all {
		c.objects[o.Name] = o
	}
	for _, u := range allUnions() {
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
		c.checkValue(path, model.Kind{Name: model.Object, Type: "Report"}, v)
		return nil
	})
	if err != nil || reports < 50 {
		t.Fatalf("%d reports, %v", reports, err)
	}
}

type checked struct {
	t       *testing.T
	objects map[string]model.Struct
	unions  map[string]string
}

func (c *checked) checkValue(at string, k model.Kind, v any) {
	ok := true
	switch k.Name {
	case model.Object:
		var m map[string]any
		if m, ok = v.(map[string]any); ok {
			c.checkMembers(at, c.objects[k.Type], m)
		}
	case model.Array:
		var list []any
		if list, ok = v.([]any); ok {
			for _, e := range list {
				c.checkValue(at+"[]", *k.Elem, e)
			}
		}
	case model.Map:
		_, ok = v.(map[string]any)
	case model.Union:
		s, _ := v.(string)
		ok = strings.Contains(c.unions[k.Type], "\n"+s+"\n")
	case model.String:
		_, ok = v.(string)
	case model.Bool:
		_, ok = v.(bool)
	case model.Int:
		n, is := v.(json.Number)
		_, err := n.Int64()
		ok = is && err == nil
	case model.Number:
		_, ok = v.(json.Number)
	}
	if !ok {
		c.t.Errorf("%s: %v is not of kind %s %s", at, v, k.Name, k.Type)
	}
}

func (c *checked) checkMembers(at string, o model.Struct, m map[string]any) {
	known := map[string]bool{}
	for _, f := range o.Fields {
		known[f.Name] = true
		v, there := m[f.Name]
		switch {
		case !there && !f.Omitted:
			c.t.Errorf("%s: %s has no %s", at, o.Name, f.Name)
		case there && v == nil && !f.Null:
			c.t.Errorf("%s: %s.%s is null", at, o.Name, f.Name)
		case there && v != nil:
			c.checkValue(at+"."+f.Name, f.Kind, v)
		}
	}
	for name := range m {
		if !known[name] {
			c.t.Errorf("%s: %s has a member %s that is not in the schema", at, o.Name, name)
		}
	}
}
