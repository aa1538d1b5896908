// Package query finds values by gjson's paths, as people write them in a mapping:
// steps.#.toolCalls, function.name. It is apart from jsonval so that only programs that
// take such paths link their reader.
package query

import (
	"github.com/boundcheck/boundcheck/core/jsonval"
	"github.com/tidwall/gjson"
)

// Get gives what a path names in a value; a value that does not exist where it names
// nothing. An empty path names the value itself.
func Get(v jsonval.Value, path string) jsonval.Value {
	if path == "" || path == "@this" {
		return v
	}
	r := gjson.Get(v.Raw(), path)
	if !r.Exists() {
		return jsonval.Value{}
	}
	out, err := jsonval.Parse(r.Raw)
	if err != nil {
		return jsonval.Value{}
	}
	return out
}
