package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/boundcheck/boundcheck/internal/stream"
)

// inputFiles returns the input files of a command. A name may be a file, a URL, a
// pattern, or a folder, which stands for all files in the folder. If there are no names
// and data is piped in, the result is "-" (standard input). If there are no names and no
// piped data, the result is an error.
func inputFiles(names []string, stdin io.Reader) (files []string, err error) {
	if len(names) == 0 {
		if isPiped(stdin) {
			return []string{"-"}, nil
		}
		return nil, errors.New("missing FILE")
	}
	for _, name := range names {
		info, err := os.Stat(name)
		switch {
		case name == "-" || stream.IsURL(name):
			files = append(files, name)
		case err == nil && info.IsDir():
			inside, err := filesIn(name)
			if err != nil {
				return nil, err
			}
			if len(inside) == 0 {
				return nil, fmt.Errorf("%s contains no file", name)
			}
			files = append(files, inside...)
		case err != nil && strings.ContainsAny(name, "*?["):
			found, bad := filepath.Glob(name) // shells expand patterns, but not those of Windows
			if bad != nil || len(found) == 0 {
				return nil, fmt.Errorf("no file matches %s", name)
			}
			files = append(files, found...)
		default:
			files = append(files, name)
		}
	}
	return files, nil
}

// isPiped reports whether standard input is a pipe or a file. It returns false for a
// terminal and for no input.
func isPiped(stdin io.Reader) bool {
	f, ok := stdin.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && (info.Mode()&os.ModeNamedPipe != 0 || info.Mode().IsRegular() && info.Size() > 0)
}

// unpackedMost is the largest unpacked size of a file.
const unpackedMost = 2 << 30

// unpackZstd unpacks Zstandard data, and returns other data unchanged. Gzip is unpacked
// by the core.
func unpackZstd(data []byte) ([]byte, error) {
	if !bytes.HasPrefix(data, []byte("\x28\xb5\x2f\xfd")) {
		return data, nil
	}
	d, err := zstd.NewReader(bytes.NewReader(data), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(256<<20))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	out, err := io.ReadAll(io.LimitReader(d, unpackedMost+1))
	if err != nil {
		return nil, fmt.Errorf("cannot unpack the Zstandard data: %w", err)
	}
	if int64(len(out)) > unpackedMost {
		return nil, errors.New("the Zstandard data unpacks to more than 2 GiB")
	}
	return out, nil
}
