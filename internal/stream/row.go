package stream

import "github.com/boundcheck/boundcheck/core/lines"

// score scores an element of a file.
func (p *pool) score(file string, e element, text []byte) lines.Row {
	if e.fault != nil {
		return lines.Row{Fault: e.fault}
	}
	return p.scorer.Score(file, lines.At{Line: e.line, Column: e.column}, text)
}
