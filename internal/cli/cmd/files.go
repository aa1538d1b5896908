package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/internal/stream"
)

// InputFiles returns the input files of a command. A name may be a file, a URL, a
// pattern, or a folder, which stands for all files in the folder. If there are no names
// and data is piped in, the result is "-" (standard input). If there are no names and no
// piped data, the result is an error.
func InputFiles(names []string, stdin io.Reader) (files []string, err error) {
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
			inside, err := FilesIn(name, name)
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

// FilesIn returns the files in a folder and its subfolders, sorted by name. It omits
// hidden files and folders. The folder may be a stranger's, for example a pull request's:
// so a file that is not an ordinary one is an error, because reading it may never end, and
// so is a symbolic link that leads out of root.
func FilesIn(root, dir string) (files []string, err error) {
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case strings.HasPrefix(e.Name(), ".") && path != dir:
			if e.IsDir() {
				return filepath.SkipDir
			}
		case e.Type().IsRegular():
			files = append(files, path)
		case !e.IsDir():
			if err := checkLink(root, path); err != nil {
				return err
			}
			files = append(files, path)
		}
		return nil
	})
	return files, err
}

// checkLink returns an error unless a path is a symbolic link to an ordinary file or a
// folder that is below the folder root.
func checkLink(root, path string) error {
	root, err := filepath.EvalSymlinks(root)
	if err != nil {
		return err
	}
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(target)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular() && !info.IsDir():
		return fmt.Errorf("%s is not an ordinary file, but %s; remove it from the folder", path, typeOf(info.Mode()))
	}
	full, err := filepath.Abs(target)
	if err != nil {
		return err
	}
	if root, err = filepath.Abs(root); err != nil {
		return err
	}
	if rel, err := filepath.Rel(root, full); err != nil || !filepath.IsLocal(rel) {
		return fmt.Errorf("%s is a symbolic link that leads out of %s; copy the file, or name it on the command line", path, root)
	}
	return nil
}

func typeOf(m fs.FileMode) string {
	switch {
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "of another type"
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

// WriteWhole writes data to the file at path, and creates the folder of the file. It
// writes a new file and renames it, so that a reader never sees an incomplete file.
func WriteWhole(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".new-")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// ReadFile reads a file, or standard input for "-", and unpacks what zstd has packed.
func ReadFile(name string, stdin io.Reader) ([]byte, error) {
	var data []byte
	var err error
	if name == "-" {
		data, err = io.ReadAll(stdin)
	} else {
		data, err = os.ReadFile(name)
	}
	if err != nil {
		return nil, err
	}
	if data, err = unpackZstd(data); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return data, nil
}

// ReadJSON reads a file that must be JSON. An error contains the name of the file.
func ReadJSON(name string, stdin io.Reader) (jsonval.Value, error) {
	data, err := ReadFile(name, stdin)
	if err != nil {
		return jsonval.Value{}, err
	}
	v, err := jsonval.Parse(string(bytes.TrimPrefix(data, []byte("\ufeff"))))
	if err != nil {
		return v, fmt.Errorf("%s: %w", name, err)
	}
	return v, nil
}
