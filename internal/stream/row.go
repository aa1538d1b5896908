package stream

import "github.com/boundcheck/boundcheck/core/study/lines"

// scoreElement scores an element of a file.
func (p *pool) scoreElement(file string, e element, text []byte) lines.Row {
	if e.fault != nil {
		return lines.Row{Fault: e.fault}
	}
	return p.scorer.Score(file, lines.At{Line: e.line, Column: e.column}, text)
}
