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
	d.mark = firstLine
	list, err := d.splitRecords(clean)
	if err != nil {
		return nil
	}
	return d.expectations(list)
}

func (d *Decoder) expectations(s envelope.Source) []trajectory.Expectation {
	var out []trajectory.Expectation
	cases, names := casesOf(s.Rows())
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

// casesOf returns the objects in which the cases of a data set are, with their names in a map.
func casesOf(rows []jsonval.Value) ([]*shape.Object, []string) {
	if cases, names := shape.ExpectedCases(rows); cases != nil {
		return cases, names
	}
	return OpenRows(rows, "data rows examples items cases test_cases testCases tests"), nil
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
	if shape.IsExample(o) {
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

// onlyExpected returns the error for a text that has only expected sides, or nil. A text with
// calls elsewhere, or with an answer of an agent, has more.
func (d *Decoder) onlyExpected(s envelope.Source, facts []fact) error {
	if !reference.IsOldSet(s.Values[0]) {
		if len(d.expectations(s)) == 0 || slices.ContainsFunc(facts, func(f fact) bool { return !d.isLeftOut(f.offset) }) {
			return nil
		}
		cases, _ := casesOf(s.Rows())
		for _, o := range []*shape.Object{shape.OpenObject(s.Rows()[0]), cases[0]} {
			if !shape.IsExample(o) && (shape.HasRunSide(o) || o.FirstNonNull("output outputs response messages trajectory trace actual actual_output events").Exists()) {
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
