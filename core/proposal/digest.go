package proposal

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// digestTag separates these digests from any other use of the same hash.
const digestTag = "boundcheck.call/1"

// Digest returns "sha256:" and the hash of one call: the tag, the tool and the raw
// arguments, each after its length, so that no two calls share an encoding (moving bytes
// from one field to the other changes it). The raw bytes count: different spacing makes a
// different digest. O(n).
func Digest(tool, arguments string) string {
	fields := [...]string{digestTag, tool, arguments}
	b := make([]byte, 0, 3*8+len(digestTag)+len(tool)+len(arguments))
	for _, field := range fields {
		b = append(binary.BigEndian.AppendUint64(b, uint64(len(field))), field...)
	}
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}
