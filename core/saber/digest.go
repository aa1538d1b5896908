package saber

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"
)

// digestTag keeps these digests apart from any other use of the same hash.
const digestTag = "boundcheck.call/1"

// Digest gives "sha256:" and the hash of one call: the tag, the tool and the
// raw arguments, each behind its length, so that no two calls share an encoding
// (moving bytes from one field to the other changes it). The raw bytes count:
// other spacing is another digest. O(n).
func Digest(tool, arguments string) string {
	h := sha256.New()
	var length [8]byte
	for _, field := range [...]string{digestTag, tool, arguments} {
		binary.BigEndian.PutUint64(length[:], uint64(len(field)))
		h.Write(length[:])
		io.WriteString(h, field)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}
