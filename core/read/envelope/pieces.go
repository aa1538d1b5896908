package envelope

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// A log may send a call or a message in pieces: an event with an id and the name of the tool, then events with the
// same id and a text each, such as {"type": "TOOL_CALL_START", "toolCallId": "c1", "toolCallName": "pay"} and
// {"type": "TOOL_CALL_ARGS", "toolCallId": "c1", "delta": "{\"n\":"}. The law of this file: the texts of the
// pieces are the arguments of the call, or the words of the message, in their order, and no piece stays alone.

// pieces collects what the events with one id send.
type pieces struct {
	begin int // the row that begins
	id    string
	call  bool
	text  strings.Builder
	rows  []int
}

// JoinPieces returns rows in which each call that was sent in pieces is one row, with its arguments, and each
// message, too. Rows that send the whole call once more are left as they are. O(n).
func JoinPieces(rows []jsonval.Value) []jsonval.Value {
	if len(rows) < 2 || !hasPiece(rows) {
		return rows
	}
	return joinPieces(rows)
}

func joinPieces(rows []jsonval.Value) []jsonval.Value {
	open, gone, last := map[string]*pieces{}, map[int]bool{}, map[string]bool{}
	var order []*pieces
	for i, row := range rows {
		o := shape.OpenObject(row)
		for k, key := range o.Keys {
			id, is := o.Values[k].Str()
			if !is || id == "" || !isIDName(key) {
				continue
			}
			at := key + "\x00" + id
			p := open[at]
			switch delta, piece := o.MemberNamed("delta").Str(); {
			case p != nil && piece:
				p.text.WriteString(delta)
				p.rows = append(p.rows, i)
			case p != nil && len(p.rows) > 0 && saysOnlyID(o): // the end of the pieces
				p.rows = append(p.rows, i)
			case (p == nil || len(p.rows) > 0) && !piece && beginsPieces(o): // ids may begin again in each run
				open[at] = &pieces{begin: i, id: id, call: namesTool(o)}
				order = append(order, open[at])
			case o.HasAny("arguments args input"):
				last[id] = true
			}
		}
	}
	for _, p := range order {
		if last[p.id] {
			p.rows = nil
		}
	}
	out := append([]jsonval.Value(nil), rows...)
	for _, p := range order {
		if len(p.rows) == 0 {
			continue
		}
		raw := strings.TrimSpace(rows[p.begin].Raw())
		member := shape.IfElse(p.call, "arguments", "content")
		whole, err := jsonval.Parse(raw[:len(raw)-1] + `,"` + member + `":` + literal.Quote(p.text.String()) + "}")
		if err != nil {
			continue
		}
		out[p.begin] = whole
		for _, i := range p.rows {
			gone[i] = true
		}
	}
	kept := out[:0]
	for i, row := range out {
		if !gone[i] {
			kept = append(kept, row)
		}
	}
	return kept
}

// hasPiece reports whether one of the first rows is a piece.
func hasPiece(rows []jsonval.Value) bool {
	for _, row := range rows[:min(len(rows), 16)] {
		if _, is := row.Get("delta").Str(); is && row.Get("type").Kind() == jsonval.String {
			return true
		}
	}
	return false
}

func isIDName(key string) bool {
	return strings.HasSuffix(key, "Id") || strings.HasSuffix(key, "_id") || key == "id"
}

// saysOnlyID reports whether an event has nothing but its sort, an id and a time.
func saysOnlyID(o *shape.Object) bool {
	for i, key := range o.Keys {
		if k := o.Values[i].Kind(); k >= jsonval.Array || k == jsonval.String && key != "type" && !isIDName(key) {
			return false
		}
	}
	return true
}

// namesTool reports whether a row has the name of a tool.
func namesTool(o *shape.Object) bool {
	for i, key := range o.Keys {
		if text, is := o.Values[i].Str(); is && shape.IsName(text) && strings.HasSuffix(strings.ToLower(key), "name") {
			return true
		}
	}
	return false
}

// beginsPieces reports whether a row may begin a call or a message: it names a tool or the speaker, and sends
// neither arguments nor words.
func beginsPieces(o *shape.Object) bool {
	return !o.HasAny("arguments args input content text delta") && (namesTool(o) || shape.RoleOf(o) != "")
}
