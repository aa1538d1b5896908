package cmd

import (
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/boundcheck/boundcheck/plugins/host"
)

// pluginLog records the requests to plugins and their answers, for authors of plugins.
// nil records nothing.
type pluginLog struct {
	mu   sync.Mutex
	file *os.File
	err  error
}

// openPluginLog creates the log file. If the file exists, its content is deleted. If path
// is "", the result is nil, which is a log that records nothing.
func openPluginLog(path string) (*pluginLog, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, fmt.Errorf("cannot write %s: %w", path, FileCause(err))
	}
	return &pluginLog{file: f}, nil
}

// heardCall is a line of the log. A request that is not JSON, for example one with
// attachments, is a text.
type heardCall struct {
	Plugin  string  `json:"plugin"`
	Ms      float64 `json:"ms"`
	Request any     `json:"request"`
	Answer  any     `json:"answer,omitempty"`
	Error   string  `json:"error,omitempty"`
}

func (l *pluginLog) writeCall(c host.Heard) {
	if l == nil {
		return
	}
	line := heardCall{Plugin: c.Plugin, Ms: float64(c.Took.Round(time.Microsecond)) / 1e6, Request: toLogValue(c.Request), Answer: toLogValue(c.Answer)}
	if c.Err != nil {
		line.Error = c.Err.Error()
	}
	b, err := json.Marshal(line)
	l.mu.Lock()
	defer l.mu.Unlock()
	if err == nil {
		_, err = l.file.Write(append(b, '\n'))
	}
	if l.err == nil {
		l.err = err
	}
}

// toLogValue returns a message as a value for the log. A message in JSON stays unchanged,
// and any other message becomes a string.
func toLogValue(b []byte) any {
	switch {
	case b == nil:
		return nil
	case json.Valid(b):
		return json.RawMessage(b)
	}
	return string(b)
}

func (l *pluginLog) Close() {
	if l != nil {
		l.file.Close()
	}
}
