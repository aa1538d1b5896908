// Package report generates descriptions of the types that cross the wire: the TypeScript
// types of the npm package, the JSON Schema of a report, and the classes of the Python
// package.
package report

import (
	"path/filepath"

	"github.com/boundcheck/boundcheck/wasm/gen/model"
)

// source is the folder of a Go package and the types that are read from it.
type source struct {
	dir   string
	types []model.Root
}

// foreign maps types of other packages to the kind of their JSON.
var foreign = map[string]model.Kind{
	"RawMessage": {Name: model.Any},
	"Tri":        {Name: model.Union, Type: "Mutating"},
	"Layer":      {Name: model.String},
	"Warning":    {Name: model.Object, Type: "Warning"},
}

// roots contains the types that front ends use, by folder. The types to which they refer
// are added. Error gets another name, because TypeScript has an Error, too.
var roots = []source{
	{"core/report", []model.Root{{Name: "Report", As: "Report"}}},
	{"core/score", []model.Root{{Name: "Transcript", As: "Transcript"}}},
	{"core/gate/proposal", []model.Root{{Name: "Decision", As: "Decision"}}},
	{"core/wire", []model.Root{{Name: "Error", As: "WireError"}, {Name: "Handshake", As: "Handshake"}, {Name: "Mapped", As: "Mapped"}, {Name: "Repaired", As: "Repaired"}}},
	{"internal/library", []model.Root{{Name: "Converted", As: "Converted"}, {Name: "Explained", As: "Explained"}, {Name: "Proposed", As: "Proposed"}, {Name: "Checked", As: "Checked"}}},
	{"core/score", []model.Root{{Name: "Params", As: "Parameters"}}},
}

// readStructs returns the structs of several packages. A member with an entry in the map
// unions gets that union as its type.
func readStructs(base string, sources []source) (all []model.Struct, err error) {
	for _, s := range sources {
		structs, err := model.Read(filepath.Join(base, s.dir), s.types, foreign)
		if err != nil {
			return nil, err
		}
		all = append(all, structs...)
	}
	for _, s := range all {
		for i := range s.Fields {
			f := &s.Fields[i]
			u := unions[s.Name+"."+f.Name]
			switch {
			case u == "":
			case f.Kind.Elem != nil:
				f.Kind.Elem = &model.Kind{Name: model.Union, Type: u}
			default:
				f.Kind = model.Kind{Name: model.Union, Type: u}
			}
		}
	}
	return all, nil
}
