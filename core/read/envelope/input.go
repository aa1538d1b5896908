package envelope

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/boundcheck/boundcheck/core/read/othertext"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// maxInflated limits the size of decompressed data to 256 MiB, because a few kilobytes of
// gzip data can expand to terabytes.
const maxInflated = 256 << 20

// InflateGzip decompresses gzip data. It returns other data unchanged.
func InflateGzip(data []byte) ([]byte, error) {
	if !bytes.HasPrefix(data, []byte("\x1f\x8b")) {
		return data, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, &trajectory.Error{Msg: "invalid gzip data: " + err.Error(), Seen: "gzip data"}
	}
	return readCapped(r, "gzip data")
}

// readCapped reads decompressed data to the end. It returns an error if there are more
// than maxInflated bytes. The argument what is the name of the data in error messages.
func readCapped(r io.Reader, what string) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxInflated+1))
	switch {
	case len(data) > maxInflated:
		return nil, &trajectory.Error{Msg: fmt.Sprintf("the %s expands to more than %d MiB", what, maxInflated>>20), Seen: what}
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, &trajectory.Error{Msg: "the " + what + " ends too early; the file is probably incomplete", Seen: what}
	case err != nil:
		return nil, &trajectory.Error{Msg: "invalid " + what + ": " + err.Error(), Seen: what}
	}
	return data, nil
}

// IsZip reports whether data begins like a zip archive.
func IsZip(data []byte) bool { return bytes.HasPrefix(data, []byte("PK\x03\x04")) }

// CheckText returns an error for data that is empty or clearly not text, and nil for other data.
// It is called before a parser reads the data. The error lists no formats.
func CheckText(data []byte) *trajectory.Error {
	if len(bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))) == 0 {
		return &trajectory.Error{Msg: "the input is empty; want a trace", Seen: fmt.Sprintf("%d bytes, only white space", len(data))}
	}
	if bytes.HasPrefix(data, []byte("PAR1")) {
		const what = "a table in Parquet"
		return &trajectory.Error{Msg: "the input is " + what + `, not text. Convert it to rows: python3 -c "import pandas; pandas.read_parquet('t.parquet').to_json('t.json', orient='records')"`, Seen: what}
	}
	for _, m := range []struct{ magic, what string }{
		{"\x89PNG\r\n\x1a\n", "a PNG image"}, {"\xff\xd8\xff", "a JPEG image"}, {"GIF8", "a GIF image"},
		{"%PDF-", "a PDF document"}, {"\x1f\x8b", "gzip data inside gzip data"}, {"\x28\xb5\x2f\xfd", "zstd data"},
		{"\x00asm", "a WebAssembly module"}, {"\x7fELF", "a program"}, {"\xff\xfe", "UTF-16 text"}, {"\xfe\xff", "UTF-16 text"},
	} {
		if bytes.HasPrefix(data, []byte(m.magic)) {
			return &trajectory.Error{Msg: "the input is " + m.what + ", not a trace; want JSON text in UTF-8", Seen: m.what}
		}
	}
	if first := bytes.TrimSpace(bytes.TrimPrefix(data[:min(len(data), 4096)], []byte("\xef\xbb\xbf"))); len(first) > 0 && first[0] != '{' && first[0] != '[' && othertext.HoldsKeys(string(first)) {
		return &trajectory.Error{Msg: "the input is " + othertext.Keys.What + ", not a trace; " + othertext.Keys.Advice, Seen: othertext.Keys.What}
	}
	if i := bytes.IndexByte(data[:min(len(data), 4096)], 0); i >= 0 {
		return &trajectory.Error{Msg: "the input is binary, not a trace; want JSON text in UTF-8", Seen: fmt.Sprintf("a NUL byte at offset %d", i)}
	}
	return nil
}
