package gate

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
	"github.com/boundcheck/boundcheck/core/stage/sentences"
	"github.com/boundcheck/boundcheck/core/wire"
)

// This file holds one law: a request of the API is either read completely or refused. No
// member and no parameter that the OpenAPI description lacks takes part in a request
// that is answered with anything but 400, and none is read that appears twice. So a
// decision with "arguments" or "remember" never approves the original call.
//
// The reader follows the schemas of the description itself. Two sorts of objects are
// open: the data of others inside a request (arguments, tools, messages), and the
// message of an agent's host at hookPath, which grows with the host's versions.

// parameter is one parameter in the query of an operation.
type parameter struct {
	name, about string
	schema      object
}

// strict holds the schemas that checkBody follows; they are built on first use.
var strict struct {
	once    sync.Once
	schemas object
}

// checkStrict returns nil, or the answer that refuses a request with an unknown or
// repeated parameter or member. It parses the body into q.json.
func (q *request) checkStrict() *reply {
	err := q.to.checkQuery(q.URL.RawQuery)
	if err == nil && q.Method != "POST" && q.ContentLength != 0 {
		err = fmt.Errorf("%s %s takes no body; want an empty one", q.Method, q.to.path)
	}
	if err == nil {
		err = q.checkBody()
	}
	if err == nil {
		return nil
	}
	return &reply{status: 400, body: wire.FailWith(err)}
}

// checkQuery returns an error if a query has a parameter that the operation does not
// take, or one parameter twice.
func (to *route) checkQuery(raw string) error {
	query, err := url.ParseQuery(raw)
	if err != nil {
		return fmt.Errorf("cannot read the parameters: %w", err)
	}
	known := make([]string, len(to.query))
	for i, p := range to.query {
		known[i] = p.name
	}
	for _, pair := range strings.Split(raw, "&") { // in the order of the text
		name, _, _ := strings.Cut(pair, "=")
		name, _ = url.QueryUnescape(name)
		switch {
		case pair == "":
		case !slices.Contains(known, name):
			return unknownName("parameter", nil, name, known)
		case len(query[name]) > 1:
			return fmt.Errorf("the parameter %q appears twice; want it once", name)
		}
	}
	return nil
}

// checkBody parses the body, and compares it with the schema of the operation. An empty
// body has no members.
func (q *request) checkBody() (err error) {
	text := string(q.body)
	if strings.TrimSpace(text) == "" {
		return nil
	}
	if q.json, err = jsonval.Parse(text); err != nil {
		return err
	}
	strict.once.Do(func() { strict.schemas = messageSchemas() })
	schema := object{}
	if q.to.takes != "" {
		schema = schemaRef(q.to.takes)
	}
	return checkMembers(schema, q.json, nil)
}

// spot is where a value is in a body. The zero pointer is the body itself.
type spot struct {
	in   *spot
	name string // of a member; "" for an element
	n    int    // index of an element
}

// String returns the place as text, for example "calls[1]", or "" for the body itself.
func (p *spot) String() string {
	switch {
	case p == nil:
		return ""
	case p.name == "":
		return fmt.Sprintf("%v[%d]", p.in, p.n)
	}
	return strings.TrimPrefix(p.in.String()+"."+p.name, ".")
}

// checkMembers returns an error if an object in v has a member twice, or if its schema
// is closed and lacks a member. The parameter at is the place of v in the body. O(n).
func checkMembers(schema object, v jsonval.Value, at *spot) (err error) {
	if name, twice := v.Repeated(); twice {
		return fmt.Errorf("invalid body: %sthe member %.60q appears twice; want it once", inPlace(at), name)
	}
	schema = resolveSchema(schema, v)
	properties, _ := schema["properties"].(object)
	items, _ := schema["items"].(object)
	n := -1
	isObject := v.Kind() == jsonval.Object
	v.Each(func(name string, m jsonval.Value) bool {
		n++
		inner := items
		if isObject {
			p, known := properties[name]
			if !known && schema["additionalProperties"] == false {
				err = unknownName("member", at, name, slices.Sorted(maps.Keys(properties)))
				return false
			}
			inner, _ = p.(object)
		}
		if k := m.Kind(); k == jsonval.Object || k == jsonval.Array {
			err = checkMembers(inner, m, &spot{at, name, n})
		}
		return err == nil
	})
	return err
}

// resolveSchema returns the schema that a reference names. Of several alternatives, it
// returns the first that fits the kind of v and whose required members v has, otherwise
// the last.
func resolveSchema(schema object, v jsonval.Value) object {
	if ref, ok := schema["$ref"].(string); ok {
		schema, _ = strict.schemas[strings.TrimPrefix(ref, schemaPrefix)].(object)
	}
	all, _ := schema["oneOf"].([]object)
	for i := range all {
		one := resolveSchema(all[i], v)
		if i == len(all)-1 || fitsSchema(one, v) {
			return one
		}
	}
	return schema
}

// fitsSchema reports whether v is of the schema's kind and has its required members.
func fitsSchema(schema object, v jsonval.Value) bool {
	if v.Kind() == jsonval.Array || schema["type"] == "array" {
		return v.Kind() == jsonval.Array && schema["type"] == "array"
	}
	required, _ := schema["required"].([]string)
	return !slices.ContainsFunc(required, func(name string) bool { return !v.Get(name).Exists() })
}

func inPlace(at *spot) string {
	if at == nil {
		return ""
	}
	return fmt.Sprintf("in %.80q, ", at)
}

// unknownName returns the error about an unknown member or parameter. It names the known
// ones, and the one that the sender perhaps meant.
func unknownName(what string, at *spot, name string, known []string) error {
	if len(known) == 0 {
		return fmt.Errorf("unknown %s %.60q: this request takes no %ss", what, name, what)
	}
	meant := "."
	if near := wordlist.Nearest(name, known); near != "" {
		meant = fmt.Sprintf("; did you mean %q?", near)
	}
	return fmt.Errorf("%sunknown %s %.60q%s The known %ss are %s", inPlace(at), what, name, meant, what, sentences.List(known))
}
