package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/envelope"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// A data set of an evaluator may have only the expected side of each record. Its law: such
// a text is a reference, and never a run.

// Expectations returns the expected sides of the records in a text. It is for a text that
// Decode refuses. The result is empty if no record has expected calls. O(n).
func (t Table) Expectations(data []byte) []trajectory.Expectation {
	data, err := envelope.InflateGzip(data)
	if err != nil || !envelope.IsTar(data) && envelope.CheckText(data) != nil {
		return nil
	}
	data, _ = t.Lines(data)
	clean, _ := jsonval.Sanitize(strings.TrimPrefix(viewString(data), "\uFEFF"))
	d := &Decoder{text: clean, formats: t, golds: reference.GoldsOfOneText()}
	d.mark.line = 1
	list, err := d.splitRecords(clean)
	if err != nil {
		return nil
	}
	return d.expectations(list)
}

func (d *Decoder) expectations(s envelope.Source) []trajectory.Expectation {
	var out []trajectory.Expectation
	cases, names := expectedCases(s.Rows())
	for i, o := range cases {
		if ref := d.expectedIn(o); ref != nil {
			id := cmp.Or(RecordID(o), RecordID(o.OpenMember("inputs input item")))
			if id == "" && names != nil {
				id = names[i]
			}
			out = append(out, trajectory.Expectation{ID: id, Reference: ref})
		}
	}
	return out
}

// expectedCases returns the objects in which the cases of a data set are: what is in the only list or map of
// cases of one object, with their names in a map, or else the rows.
func expectedCases(rows []jsonval.Value) (cases []*shape.Object, names []string) {
	doc, at := shape.OpenObject(rows[0]), -1
	for i, key := range doc.Keys {
		switch {
		case len(rows) > 1 || !holdsCases(doc.Values[i]) && !shape.IsExpected(key):
		case at >= 0 || !holdsCases(doc.Values[i]):
			return OpenRows(rows, caseLists), nil
		default:
			at = i
		}
	}
	if at < 0 {
		return OpenRows(rows, caseLists), nil
	}
	list, names := ValuesOf(doc.Values[at])
	for _, e := range list {
		cases = append(cases, shape.OpenObject(e))
	}
	return cases, names
}

// caseLists are names of lists of cases.
const caseLists = "data rows examples items cases test_cases testCases tests"

// holdsCases reports whether a list or a map has only objects, of which one says what was expected.
func holdsCases(v jsonval.Value) bool {
	list, _ := ValuesOf(v)
	found := false
	for _, e := range list {
		if e.Kind() != jsonval.Object {
			return false
		}
		found = found || slices.ContainsFunc(shape.OpenObject(e).Keys, shape.IsExpected)
	}
	return found
}

// ValuesOf returns the elements of a list, or the members of an object with their names.
func ValuesOf(v jsonval.Value) (list []jsonval.Value, names []string) {
	if v.Kind() == jsonval.Object {
		o := shape.OpenObject(v)
		return o.Values, o.Keys
	}
	return v.Elements(), nil
}

// expectedIn returns the reference in an object, or nil if it expects no calls. The expected
// side may be beside the question, in an inner object.
func (d *Decoder) expectedIn(o *shape.Object) *reference.Reference {
	for i, key := range o.Keys {
		if v := o.Values[i]; v.Kind() != jsonval.Null && shape.IsExpected(key) {
			d.LeaveOut(v)
			if ref, _ := d.readExpected(key, v); ref != nil {
				return ref
			}
		}
	}
	inner := o.OpenMember("item outputs")
	if isExample(o) {
		for i, key := range inner.Keys {
			if v := inner.Values[i]; v.Kind() >= jsonval.Array && shape.SpeaksOfCalls(key) {
				d.LeaveOut(v)
				if ref, _ := d.readExpected(key, v); ref != nil {
					return ref
				}
			}
		}
	}
	if len(inner.Keys) > 0 {
		return d.expectedIn(inner)
	}
	return nil
}

// isExample reports whether a record says that it is an example of a data set, and not a run: its
// outputs are what is expected.
func isExample(o *shape.Object) bool {
	return o.HasAll("inputs outputs") && !o.HasAny("run_type trace_id start_time events") && (o.HasAny("dataset_id dataset_name") || o.OpenMember("metadata").HasAny("dataset_split"))
}

// onlyExpected returns the error for a text that has only expected sides, or nil. A text with
// calls elsewhere, or with an answer of an agent, has more.
func (d *Decoder) onlyExpected(s envelope.Source, facts []fact) error {
	if !reference.IsOldSet(s.Values[0]) {
		if len(d.expectations(s)) == 0 || slices.ContainsFunc(facts, func(f fact) bool { return !d.isLeftOut(f.offset) }) {
			return nil
		}
		cases, _ := expectedCases(s.Rows())
		for _, o := range []*shape.Object{shape.OpenObject(s.Rows()[0]), cases[0]} {
			if !isExample(o) && (shape.HasRunSide(o) || o.FirstNonNull("output outputs response messages trajectory trace actual actual_output events").Exists()) {
				return nil
			}
		}
	}
	seen := shape.DescribeValue(s.Values[0])
	return &trajectory.Error{
		Msg:  fmt.Sprintf("the text says only what an agent should do, not what it did: saw %s. Use it as the reference of runs: `boundcheck score RUNS --reference FILE`", seen),
		Seen: seen,
	}
}
