package embed

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
)

// disk stores vectors in files. The name of a file is a hash of the model and the text.
// The zero value stores nothing.
type disk struct{ folder, model string }

const magic = "bce1" // followed by little-endian float32 values

func openDisk(folder, model string) (disk, error) {
	if folder == "" {
		return disk{}, nil
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return disk{}, fmt.Errorf("cannot use the embeddings cache: %w", err)
	}
	return disk{folder, model}, nil
}

// vectorPath returns the path of the file for a text. Different pairs of model and text
// have different paths.
func (d disk) vectorPath(text string) string {
	sum := sha256.Sum256([]byte(strconv.Itoa(len(d.model)) + ":" + d.model + text))
	name := hex.EncodeToString(sum[:])
	return filepath.Join(d.folder, name[:2], name)
}

// loadVector returns the vector of a text from its file. It returns nil if there is no
// file, or if the file does not contain a complete vector of length 1.
func (d disk) loadVector(text string) []float32 {
	if d.folder == "" {
		return nil
	}
	data, err := os.ReadFile(d.vectorPath(text))
	if err != nil || len(data) <= len(magic) || len(data)%4 != 0 || string(data[:len(magic)]) != magic {
		return nil
	}
	data = data[len(magic):]
	v := make([]float32, len(data)/4)
	sum := 0.0
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		sum += float64(v[i]) * float64(v[i])
	}
	if !(math.Abs(sum-1) < 1e-3) { // also true for NaN
		return nil
	}
	return v
}

// saveVector writes a vector to its file. It never leaves an incomplete file. It ignores
// errors, because the vector can be requested again.
func (d disk) saveVector(text string, v []float32) {
	if d.folder == "" {
		return
	}
	data := []byte(magic)
	for _, x := range v {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
	}
	name := d.vectorPath(text)
	if os.MkdirAll(filepath.Dir(name), 0o700) != nil {
		return
	}
	f, err := os.CreateTemp(filepath.Dir(name), "new")
	if err != nil {
		return
	}
	_, err = f.Write(data)
	if closed := f.Close(); err == nil && closed == nil && os.Rename(f.Name(), name) == nil {
		return
	}
	os.Remove(f.Name())
}
