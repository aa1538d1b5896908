package stream

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// WriteWhole writes a file, or an object if name is a URL. The function write writes the
// content. The new content appears only after it is complete. If write fails, the file or
// object stays unchanged.
func WriteWhole(name string, write func(io.Writer) error) error {
	if !IsURL(name) {
		return writeFile(name, write)
	}
	spool, err := newSpool()
	if err != nil {
		return err
	}
	defer spool.dropFile()
	if err := write(spool); err != nil {
		return err
	}
	return spool.uploadFile(name)
}

func writeFile(path string, write func(io.Writer) error) error {
	temporary, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	err = write(temporary)
	err = errors.Join(err, temporary.Chmod(0o644), temporary.Sync(), temporary.Close())
	if err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		os.Remove(temporary.Name())
	}
	return err
}

// spool is a temporary file whose content is later sent as an object. Its name is removed
// at once if the system allows that, so that a killed process leaves no file behind.
type spool struct {
	*os.File
	named bool
}

func newSpool() (spool, error) {
	file, err := os.CreateTemp("", "boundcheck-*")
	if err != nil {
		return spool{}, err
	}
	return spool{file, os.Remove(file.Name()) != nil}, nil
}

func (s spool) dropFile() {
	s.Close()
	if s.named {
		os.Remove(s.Name())
	}
}

// expectFrom is the size of a body that is sent only after the server has agreed.
const expectFrom = 1 << 20

// uploadFile sends the file to a URL. The request contains the length of the file, and
// for s3 also a checksum, so that the server does not store an incomplete object.
func (s spool) uploadFile(name string) error {
	a, err := readAddress(name)
	if err != nil {
		return fmt.Errorf("cannot write: %w", err)
	}
	size, err := s.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	payload := noPayload
	if a.sign != nil {
		sum := sha256.New()
		if _, err := io.Copy(sum, io.NewSectionReader(s, 0, size)); err != nil {
			return err
		}
		payload = hex.EncodeToString(sum.Sum(nil))
	}
	err = withRetries(context.Background(), func(ctx context.Context) error {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		body := &sent{io.NewSectionReader(s, 0, size), time.AfterFunc(idleLimit, cancel)}
		defer body.idle.Stop()
		r, err := http.NewRequestWithContext(ctx, http.MethodPut, a.url, body)
		if err != nil {
			return fatal{withoutURL(err)}
		}
		r.ContentLength = size
		if size == 0 {
			r.Body = http.NoBody
		}
		if size >= expectFrom {
			r.Header.Set("Expect", "100-continue")
		}
		answer, err := a.signAndSend(r, payload)
		if ctx.Err() != nil {
			return fmt.Errorf("the server has accepted no data for %v", idleLimit)
		}
		if err != nil {
			return err
		}
		defer answer.Body.Close()
		if answer.StatusCode/100 != 2 {
			return refusalError(answer)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("writing %s: %w", a.name, err)
	}
	return nil
}

// sent is the body of a request. Each read from it restarts the timer of idleLimit.
type sent struct {
	io.Reader
	idle *time.Timer
}

func (s *sent) Read(b []byte) (int, error) {
	s.idle.Reset(idleLimit)
	return s.Reader.Read(b)
}
