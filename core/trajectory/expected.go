package trajectory

import (
	"fmt"
	"slices"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// A data set of an evaluator may have only the expected side of each record. Its law: such
// a text is a reference, and never a run.

// Expectation is what should have been done in one record.
type Expectation struct {
	ID        string // "" if the record has none
	Reference *reference.Reference
}

// Expectations returns the expected sides of the records in a text. It is for a text that
// Decode refuses. The result is empty if no record has expected calls. O(n).
func Expectations(data []byte) []Expectation {
	data, err := inflateGzip(data)
	if err != nil || checkText(data) != nil {
		return nil
	}
	clean, _ := jsonval.Sanitize(viewString(data))
	d := &decoder{text: clean, golds: &Golds{oneText: true}}
	d.mark.line = 1
	list, err := d.splitRecords(clean)
	if err != nil {
		return nil
	}
	return d.expectations(list)
}

func (d *decoder) expectations(s source) []Expectation {
	var out []Expectation
	for _, o := range openRows(s.rowValues(), "data rows examples items cases test_cases testCases tests") {
		if ref := d.expectedIn(o); ref != nil {
			id := recordID(o)
			if id == "" {
				id = recordID(o.openMember("inputs input item"))
			}
			out = append(out, Expectation{id, ref})
		}
	}
	return out
}

// expectedIn returns the reference in an object, or nil if it expects no calls. The expected
// side may be beside the question, in an inner object.
func (d *decoder) expectedIn(o *object) *reference.Reference {
	for i, key := range o.keys {
		if v := o.values[i]; v.Kind() != jsonval.Null && isExpected(key) {
			d.leaveOut(v)
			if ref, _ := d.readExpected(key, v); ref != nil {
				return ref
			}
		}
	}
	if inner := o.openMember("item outputs"); len(inner.keys) > 0 {
		return d.expectedIn(inner)
	}
	return nil
}

// onlyExpected returns the error for a text that has only expected sides, or nil. A text with
// calls elsewhere, or with an answer of an agent, has more.
func (d *decoder) onlyExpected(s source, facts []fact) error {
	if !reference.IsOldSet(s.values[0]) {
		if len(d.expectations(s)) == 0 || slices.ContainsFunc(facts, func(f fact) bool { return !d.isLeftOut(f.offset) }) {
			return nil
		}
		if o := openObject(s.rowValues()[0]); hasRunSide(o) || o.hasAny("output outputs response messages trajectory trace actual actual_output events") {
			return nil
		}
	}
	seen := describeValue(s.values[0])
	return &Error{
		Msg:  fmt.Sprintf("the text says only what an agent should do, not what it did: saw %s. Use it as the reference of runs: `boundcheck score RUNS --reference FILE`", seen),
		Seen: seen,
	}
}
