package proposal

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// digestTag separates these digests from any other use of the same hash.
const digestTag = "boundcheck.call/1"

// Digest returns "sha256:" and the hash of one call. It hashes digestTag, the tool's name
// and the raw arguments, each after its length, so that no two calls have the same
// encoding. Other spaces in the arguments give another digest. O(n).
func Digest(tool, arguments string) string {
	fields := [...]string{digestTag, tool, arguments}
	b := make([]byte, 0, 3*8+len(digestTag)+len(tool)+len(arguments))
	for _, field := range fields {
		b = append(binary.BigEndian.AppendUint64(b, uint64(len(field))), field...)
	}
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}
