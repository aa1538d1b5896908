package cmd

import (
	"bytes"
	"compress/gzip"
	"io"
	"path"
	"strconv"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
)

const (
	smallestPacked = 1 << 10  // in bytes; a smaller file is sent uncompressed
	mostPacked     = 64 << 20 // in bytes; compressed files that are kept in memory
)

// packed keeps the page's files compressed. A file is compressed once, at the first
// request of a browser that accepts the coding. Requests for other files do not wait
// for it.
var packed = struct {
	sync.Mutex
	of   map[string]func() []byte
	size int
}{of: map[string]func() []byte{}}

// CompressFile compresses a file with Brotli if the browser accepts it, and otherwise
// with gzip. The result coding is "br" or "gzip", or "" if the file stays uncompressed.
// The parameter tag identifies the file's content.
//
// The file stays uncompressed in each of these cases:
//
//   - the browser accepts neither Brotli nor gzip
//   - the file is small or already compressed
//   - the file is not smaller after compression
func CompressFile(name, tag, accepted string, data []byte) (out []byte, coding string) {
	if len(data) < smallestPacked || !isCompressible(name) {
		return nil, ""
	}
	switch {
	case AcceptsCoding(accepted, "br"):
		coding = "br"
	case AcceptsCoding(accepted, "gzip"):
		coding = "gzip"
	default:
		return nil, ""
	}
	if out = packedOnce(coding+" "+name+" "+tag, func() []byte { return compressBytes(data, coding) })(); len(out) >= len(data) {
		return nil, ""
	}
	return out, coding
}

// packedOnce returns a function that calls pack when it is first called, and then always
// returns the same result. For the same key, packedOnce returns the same function while
// the result is in the cache. Other files can be compressed while pack runs.
func packedOnce(key string, pack func() []byte) func() []byte {
	packed.Lock()
	defer packed.Unlock()
	if made := packed.of[key]; made != nil {
		return made
	}
	made := sync.OnceValue(func() []byte {
		out := pack()
		packed.Lock()
		defer packed.Unlock()
		if packed.size += len(out); packed.size > mostPacked {
			packed.of, packed.size = map[string]func() []byte{}, 0
		}
		return out
	})
	packed.of[key] = made
	return made
}

func compressBytes(data []byte, coding string) []byte {
	var b bytes.Buffer
	var w io.WriteCloser
	if coding == "br" {
		w = brotli.NewWriterLevel(&b, 9) // 11 saves another eighth, and takes 20 times as long
	} else {
		w, _ = gzip.NewWriterLevel(&b, gzip.BestCompression)
	}
	w.Write(data) // to memory: it cannot fail
	w.Close()
	return b.Bytes()
}

// isCompressible reports whether it is useful to compress a file with this name. It
// returns false for formats that are already compressed.
func isCompressible(name string) bool {
	switch path.Ext(name) {
	case ".png", ".ico", ".woff2":
		return false
	}
	return true
}

// AcceptsCoding reports whether an Accept-Encoding header names a coding and does not
// refuse it with q=0.
func AcceptsCoding(header, coding string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, params, _ := strings.Cut(part, ";")
		if !strings.EqualFold(strings.TrimSpace(name), coding) {
			continue
		}
		weight, found := strings.CutPrefix(strings.ReplaceAll(strings.ToLower(params), " ", ""), "q=")
		q, err := strconv.ParseFloat(weight, 64)
		return !found || err == nil && q > 0
	}
	return false
}

// GzipSize returns the compressed size in bytes.
func GzipSize(b []byte) int {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // the level is valid
	w.Write(b)
	w.Close()
	return out.Len()
}
