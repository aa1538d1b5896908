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
func Digest(tool, arguments string) string { return DigestIn("", tool, arguments) }

// DigestIn returns the digest of a call that runs in a directory: the directory is hashed
// after the arguments. If it is not known (""), DigestIn is Digest.
func DigestIn(dir, tool, arguments string) string {
	fields := [...]string{digestTag, tool, arguments, dir}
	b := make([]byte, 0, len(fields)*8+len(digestTag)+len(tool)+len(arguments)+len(dir))
	for i, field := range fields {
		if i < 3 || dir != "" {
			b = append(binary.BigEndian.AppendUint64(b, uint64(len(field))), field...)
		}
	}
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}
