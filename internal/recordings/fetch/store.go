package main

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
	"sync"
	"time"

	"github.com/boundcheck/boundcheck/internal/recordings"
)

// state is the outcome for a file.
type state int

const (
	present  state = iota // it existed with the listed bytes
	fetched               // it was downloaded with the listed bytes
	absent                // it does not exist and is not public
	differs               // it exists with other bytes and is not public
	failed                // it could not be downloaded
	stateEnd              // the number of states
)

// result is the outcome for one file, with an error if something is wrong.
type result struct {
	file  recordings.File
	state state
	err   error
}

// store is a folder of recorded runs. It downloads into a temporary file in the same folder,
// and renames that file if its size and hash are those of the list.
type store struct {
	dir    string
	client *http.Client
	tries  int           // attempts for one download, at least 1
	wait   time.Duration // between two attempts
}

// fetchFiles checks every file against the list and returns the results in the order of
// the files. It downloads a public file that is missing or has other bytes. It handles
// four files at a time.
func (s *store) fetchFiles(ctx context.Context, files []recordings.File) []result {
	results := make([]result, len(files))
	slots := make(chan struct{}, 4)
	var all sync.WaitGroup
	for i, file := range files {
		slots <- struct{}{}
		all.Go(func() {
			results[i] = s.bringOne(ctx, file)
			<-slots
		})
	}
	all.Wait()
	return results
}

func (s *store) bringOne(ctx context.Context, file recordings.File) result {
	place := filepath.Join(s.dir, filepath.FromSlash(file.Name))
	have := checkFile(place, file)
	switch {
	case have == nil:
		return result{file, present, nil}
	case file.URL == "" && errors.Is(have, os.ErrNotExist):
		return result{file, absent, nil}
	case file.URL == "":
		return result{file, differs, have}
	}
	var err error
	for try := range s.tries {
		if try > 0 {
			select {
			case <-ctx.Done():
			case <-time.After(s.wait):
			}
		}
		if err = s.downloadFile(ctx, place, file); err == nil {
			return result{file, fetched, nil}
		}
		if ctx.Err() != nil {
			break
		}
	}
	return result{file, failed, err}
}

// checkFile returns an error if the file at path does not have the listed size and hash.
func checkFile(path string, file recordings.File) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, f)
	if err != nil {
		return err
	}
	return compareFile(file, n, sum.Sum(nil))
}

func compareFile(file recordings.File, size int64, sum []byte) error {
	if size != file.Bytes {
		return fmt.Errorf("the file has %d bytes, but the list says %d", size, file.Bytes)
	}
	if got := hex.EncodeToString(sum); got != file.SHA256 {
		return fmt.Errorf("the file's sha256 is %s, but the list says %s", got, file.SHA256)
	}
	return nil
}

// downloadFile downloads a file and stores it at the path place. If the download fails or
// has other bytes than listed, the path stays unchanged.
func (s *store) downloadFile(ctx context.Context, place string, file recordings.File) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, file.URL, nil)
	if err != nil {
		return err
	}
	response, err := s.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", file.URL, response.Status)
	}
	if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
		return err
	}
	part, err := os.CreateTemp(filepath.Dir(place), ".part-*")
	if err != nil {
		return err
	}
	defer os.Remove(part.Name()) // after the rename there is nothing to remove
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(part, sum), io.LimitReader(response.Body, file.Bytes+1))
	if err = errors.Join(err, part.Close()); err != nil {
		return err
	}
	if err := compareFile(file, n, sum.Sum(nil)); err != nil {
		return fmt.Errorf("%s: %w", file.URL, err)
	}
	return os.Rename(part.Name(), place)
}

// printReport prints the problems and a summary, and returns the exit code.
func printReport(w io.Writer, results []result) int {
	var count [stateEnd]int
	for _, r := range results {
		count[r.state]++
		switch r.state {
		case fetched:
			fmt.Fprintf(w, "fetched %s (%d bytes)\n", r.file.Name, r.file.Bytes)
		case differs:
			fmt.Fprintf(w, "DIFFERS %s: %v; the file is not public, so it was not replaced\n", r.file.Name, r.err)
		case failed:
			fmt.Fprintf(w, "FAILED  %s: %v\n", r.file.Name, r.err)
		}
	}
	fmt.Fprintf(w, "%d files: %d already present, %d fetched, %d not public and absent, %d differ, %d failed\n",
		len(results), count[present], count[fetched], count[absent], count[differs], count[failed])
	if count[differs]+count[failed] > 0 {
		return 1
	}
	return 0
}
