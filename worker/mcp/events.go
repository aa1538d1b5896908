package mcp

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

// maxMessage is the largest size of a server's message in bytes.
const maxMessage = 32 << 20

var errLarge = errors.New("a message is larger than 32 MiB")

// events reads a stream of server-sent events.
type events struct {
	r     *bufio.Reader
	begun bool
	cr    bool // the last byte was a carriage return, which a following line feed belongs to
}

// next returns the raw bytes and the data of the next event. An event that is cut off at
// the end of the stream is not returned. A carriage return without a line feed also ends
// a line.
func (e *events) next() (raw []byte, data string, err error) {
	var line, all bytes.Buffer
	var lines []string
	for {
		c, err := e.r.ReadByte()
		if err != nil {
			return nil, "", err
		}
		all.WriteByte(c)
		if all.Len() > maxMessage {
			return nil, "", errLarge
		}
		behind := e.cr && c == '\n'
		e.cr = c == '\r'
		if behind {
			continue
		}
		if c != '\n' && c != '\r' {
			line.WriteByte(c)
			continue
		}
		text := line.String()
		line.Reset()
		if !e.begun {
			text, e.begun = strings.TrimPrefix(text, "\uFEFF"), true
		}
		if text == "" {
			return all.Bytes(), strings.Join(lines, "\n"), nil
		}
		if field, value, _ := strings.Cut(text, ":"); field == "data" {
			lines = append(lines, strings.TrimPrefix(value, " "))
		}
	}
}

func readEvents(r io.Reader) *events { return &events{r: bufio.NewReaderSize(r, 16<<10)} }
