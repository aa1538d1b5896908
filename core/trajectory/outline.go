package trajectory

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Outline says how a text holds its records, before any format is looked at.
type Outline struct {
	Packing string // gzip or zip; "" for none
	// Envelope is how the records are put together: lines (or other values after each
	// other), list, inside (of one object), object, columns (of a table), csv, text or archive.
	Envelope string
	Records  int    // 0 if they are not known before a format is
	Parts    bool   // the records are the messages, events or steps of a run
	Sides    []Side // of the records, in the order of the first record that has the member
}

// Side is a member of records, and what it is read as: run, reference, outcome, id, task,
// trial or profile. Records is the number of records that have it.
type Side struct {
	Member  string `json:"member"`
	As      string `json:"as"`
	Records int    `json:"records"`
}

// OutlineOf returns the outline of a text that Decode reads. O(n).
func OutlineOf(data []byte) Outline {
	var out Outline
	if isZip(data) {
		return Outline{Packing: "zip", Envelope: "archive"}
	}
	plain, err := inflateGzip(data)
	if err != nil {
		return Outline{Packing: "gzip"}
	}
	if len(plain) != len(data) {
		out.Packing = "gzip"
	}
	text, _ := jsonval.Sanitize(strings.TrimPrefix(viewString(plain), "\uFEFF"))
	if rows, ok, _ := csvRows(text); ok {
		d := &decoder{text: rows, golds: &Golds{}}
		if list, err := d.splitRecords(rows); err == nil {
			out.setRecords(list)
		}
		out.Envelope = "csv"
		return out
	}
	d := &decoder{text: text, golds: &Golds{}}
	list, err := d.splitRecords(text)
	if err != nil || d.matchText(text) {
		out.Envelope = "text"
		return out
	}
	rows, isTable := frameText(list)
	if isTable {
		if list, err = d.splitRecords(rows); err != nil {
			return out
		}
	}
	out.setRecords(list)
	if isTable {
		out.Envelope = "columns"
	}
	return out
}

func (out *Outline) setRecords(list source) {
	records := list.rowValues()
	switch {
	case len(list.values) != 1:
		out.Envelope = "lines"
	case list.values[0].Kind() == jsonval.Array:
		out.Envelope = "list"
	default:
		out.Envelope = "object"
		if in := innerDocuments(openObject(list.values[0])); isListOfDocuments(in.rows) {
			out.Envelope, records = "inside", in.rows
		}
	}
	if in := recordsIn(records); in.rows != nil {
		out.Envelope, records = "inside", in.rows
	}
	out.Records = len(records)
	kind := kindOfRows(records)
	if out.Parts = out.Envelope != "object" && (kind == partRows || kind == eventRows); out.Parts {
		return
	}
	at := map[string]int{}
	for _, record := range records {
		o := openObject(record)
		for i, key := range o.keys {
			as := sideOf(key, o.values[i])
			if as == "" || slices.Contains(o.keys[:i], key) {
				continue
			}
			k, seen := at[key]
			if !seen {
				k = len(out.Sides)
				at[key] = k
				out.Sides = append(out.Sides, Side{Member: key, As: as})
			}
			out.Sides[k].Records++
		}
	}
}

// sideOf returns what a member of a record is read as, or "".
func sideOf(key string, v jsonval.Value) string {
	switch {
	case v.Kind() == jsonval.Null:
		return ""
	case isExpected(key):
		return "reference"
	case oneOf(key, "success passed pass reward"):
		return "outcome"
	case oneOf(key, trialNames):
		return "trial"
	case oneOf(key, "profile trial"):
		return key
	case oneOf(key, "task task_id taskId"):
		return "task"
	case oneOf(key, "id _id case_id test_id sample_id problem_id execution_id request_id example_id instance_id eval_id question_id uid uuid conversation_id thread_id session_id trace_id run_id"):
		return "id"
	case v.Kind() < jsonval.Array && v.Kind() != jsonval.String:
		return ""
	case isSpanList(key), isRunSide(key), oneOf(key, "messages contents events trace trajectory actions output outputs response"), countFacts([]jsonval.Value{v}).calls > 0:
		return "run"
	}
	return ""
}
