package bench

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
)

// journal is an append-only file with one JSON text per line. The first line is the
// experiment. Each exchange is appended when it happens, and each run when it ends. If a
// kill cut off the last line, openJournal removes that line. The end of a run is synced to
// the disk.
type journal struct {
	mu   sync.Mutex
	file *os.File
}

type line struct {
	Experiment *Experiment `json:"experiment,omitempty"`
	Exchange   *exchange   `json:"exchange,omitempty"`
	Run        *Run        `json:"run,omitempty"`
}

// exchange is one request of a run and its answer.
type exchange struct {
	Run    string          `json:"run"`
	N      int             `json:"n"`
	Digest string          `json:"digest"` // of the request
	Status int             `json:"status"`
	Answer json.RawMessage `json:"answer"`
}

// recorded is the content of a journal.
type recorded struct {
	experiment *Experiment
	exchanges  map[string][]exchange // by run, in order
	runs       map[string]*Run
}

// readJournal reads the complete lines of a journal. The result whole is the length of
// these lines in bytes. A missing file counts as empty.
func readJournal(file string) (r recorded, whole int64, err error) {
	r = recorded{exchanges: map[string][]exchange{}, runs: map[string]*Run{}}
	f, err := os.Open(file)
	if errors.Is(err, os.ErrNotExist) {
		return r, 0, nil
	}
	if err != nil {
		return r, 0, err
	}
	defer f.Close()
	in := bufio.NewReader(f)
	for n := 1; ; n++ {
		text, err := in.ReadBytes('\n')
		if err == io.EOF {
			return r, whole, nil // the rest is a line that was cut off
		}
		if err != nil {
			return r, 0, err
		}
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			return r, 0, fmt.Errorf("line %d of %s: %w", n, file, err)
		}
		if err := r.addLine(&l); err != nil {
			return r, 0, fmt.Errorf("line %d of %s: %w", n, file, err)
		}
		whole += int64(len(text))
	}
}

func (r *recorded) addLine(l *line) error {
	switch {
	case l.Experiment != nil:
		r.experiment = l.Experiment
	case l.Exchange != nil:
		if l.Exchange.N != len(r.exchanges[l.Exchange.Run]) {
			return fmt.Errorf("exchange %d of run %s is out of order", l.Exchange.N, l.Exchange.Run)
		}
		r.exchanges[l.Exchange.Run] = append(r.exchanges[l.Exchange.Run], *l.Exchange)
	case l.Run != nil:
		if r.runs[l.Run.key()] != nil {
			return fmt.Errorf("run %s appears twice", l.Run.key())
		}
		r.runs[l.Run.key()] = l.Run
	}
	return nil
}

// openJournal opens a journal for appending. It first cuts off an incomplete last line.
// The parameter whole is the length of the complete lines in bytes.
func openJournal(file string, whole int64) (*journal, error) {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := f.Truncate(whole); err != nil {
		f.Close()
		return nil, err
	}
	if _, err := f.Seek(whole, io.SeekStart); err != nil {
		f.Close()
		return nil, err
	}
	return &journal{file: f}, nil
}

func (j *journal) writeLine(l line) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(l); err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, err := j.file.Write(b.Bytes()); err != nil {
		return err
	}
	if l.Exchange != nil {
		return nil // if the process is killed, nothing written is lost; after a power failure some may be
	}
	return j.file.Sync()
}

// tape is a run's transport. It answers a request from the journal if the exchange is
// recorded there, and otherwise asks the server and records the exchange. If a request
// differs from the recorded one, it returns an error, because the run cannot be repeated.
type tape struct {
	run     string
	past    []exchange
	n       int
	next    http.RoundTripper // nil if offline
	journal *journal
}

func (t *tape) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(append([]byte(r.URL.Path+"\n"), body...))
	digest := hex.EncodeToString(sum[:])
	if t.n < len(t.past) {
		e := t.past[t.n]
		if t.n++; e.Digest != digest {
			return nil, fmt.Errorf("run %s: request %d differs from the recorded request", t.run, t.n)
		}
		return newResponse(e.Status, e.Answer), nil
	}
	if t.next == nil {
		return nil, fmt.Errorf("run %s: request %d was not recorded", t.run, t.n+1)
	}
	r = r.Clone(r.Context())
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	a, err := t.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err != nil {
		return nil, err
	}
	if a.StatusCode == 200 { // only successful answers are recorded; others are requested again when the run is repeated
		var flat bytes.Buffer
		if err := json.Compact(&flat, text); err != nil {
			return nil, err
		}
		text = flat.Bytes()
		if err := t.journal.writeLine(line{Exchange: &exchange{t.run, t.n, digest, a.StatusCode, text}}); err != nil {
			return nil, err
		}
		t.n++
	}
	return newResponse(a.StatusCode, text), nil
}
