package engine

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/envelope"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/read/written"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// Outline returns the outline of a text that decode reads. O(n).
func (t Table) Outline(data []byte) trajectory.Outline {
	var out trajectory.Outline
	if envelope.IsZip(data) {
		return trajectory.Outline{Packing: "zip", Envelope: "archive"}
	}
	plain, err := envelope.InflateGzip(data)
	if err != nil {
		return trajectory.Outline{Packing: "gzip"}
	}
	if len(plain) != len(data) {
		out.Packing = "gzip"
	}
	text, _ := jsonval.Sanitize(strings.TrimPrefix(viewString(plain), "\uFEFF"))
	rows, kind := t.written(text)
	if text = rows; kind != "" && kind != "english" && kind != "almost" {
		d := &Decoder{text: rows, formats: t, golds: &reference.Golds{}}
		if list, err := d.splitRecords(rows); err == nil {
			d.setRecords(&out, list)
		}
		out.Envelope = kind
		return out
	}
	d := &Decoder{text: text, formats: t, golds: &reference.Golds{}}
	list, err := d.splitRecords(text)
	if rows, ok := "", false; err != nil {
		if rows, ok = written.Almost(text); ok {
			d.text = rows
			list, err = d.splitRecords(rows)
		}
	}
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
	d.setRecords(&out, list)
	if isTable {
		out.Envelope = "columns"
	}
	return out
}

// written returns a text as JSON in English, and what it was; "" for JSON in English, and for plain text that a
// format knows.
func (t Table) written(text string) (rows, kind string) {
	if rows, kind, _ = envelope.Rows(text); kind == "" && !(&Decoder{text: text, formats: t, golds: &reference.Golds{}}).matchText(text) {
		rows, kind = envelope.WrittenRows(text)
	}
	return rows, kind
}

// InEnglish returns a JSON text with the names of its members in English.
func InEnglish(text string) string {
	rows, _, err := envelope.Rows(text)
	if err != nil {
		return text
	}
	return rows
}

// Lines returns a text that is not JSON as lines of JSON, or any other text unchanged. others are the names of
// the files of an archive that are not among the lines.
func (t Table) Lines(data []byte) (lines []byte, others []string) {
	if envelope.IsTar(data) {
		text, names, err := envelope.TarText(data)
		if err != nil {
			return data, nil
		}
		data, others = []byte(text), names
	}
	text, _ := jsonval.Sanitize(strings.TrimPrefix(viewString(data), "\uFEFF"))
	if rows, kind := t.written(text); kind != "" {
		return []byte(rows), others
	}
	return data, others
}

// setRecords sets what an outline says of the records in a text.
func (d *Decoder) setRecords(out *trajectory.Outline, list envelope.Source) {
	records := list.Rows()
	switch {
	case len(list.Values) != 1:
		out.Envelope = "lines"
	case list.Values[0].Kind() == jsonval.Array:
		out.Envelope = "list"
	default:
		out.Envelope = "object"
		if in := innerDocuments(shape.OpenObject(list.Values[0])); d.isListOfDocuments(in.rows) {
			out.Envelope, records = "inside", in.rows
		}
	}
	if in := recordsIn(records); in.rows != nil {
		out.Envelope, records = "inside", in.rows
	}
	out.Records = len(records)
	kind := KindOfRows(records)
	if out.Parts = out.Envelope != "object" && (kind == shape.PartRows || kind == shape.EventRows); out.Parts {
		return
	}
	at := map[string]int{}
	for _, record := range records {
		o := shape.OpenObject(record)
		for i, key := range o.Keys {
			as := sideOf(key, o.Values[i])
			if as == "" || slices.Contains(o.Keys[:i], key) {
				continue
			}
			k, seen := at[key]
			if !seen {
				k = len(out.Sides)
				at[key] = k
				out.Sides = append(out.Sides, trajectory.Side{Member: key, As: as})
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
	case shape.IsExpected(key):
		return "reference"
	case shape.OneOf(key, "success passed pass reward"):
		return "outcome"
	case shape.OneOf(key, shape.TrialNames):
		return "trial"
	case shape.OneOf(key, "profile trial"):
		return key
	case shape.OneOf(key, "task task_id taskId"):
		return "task"
	case shape.OneOf(key, "id _id case_id test_id sample_id problem_id execution_id request_id example_id instance_id eval_id question_id uid uuid conversation_id thread_id session_id trace_id run_id"):
		return "id"
	case v.Kind() < jsonval.Array && v.Kind() != jsonval.String:
		return ""
	case shape.IsSpanList(key), shape.IsRunSide(key), shape.OneOf(key, "messages contents events trace trajectory actions output outputs response"), shape.CountFacts([]jsonval.Value{v}).Calls > 0:
		return "run"
	}
	return ""
}
