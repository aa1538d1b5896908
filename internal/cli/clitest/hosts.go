package clitest

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/internal/hostile"
	"github.com/boundcheck/boundcheck/plugins/host"
)

// probeModule is the tests' own plugin, which decodes a test format and classifies tools.
// It is built once for all tests.
var probeModule = sync.OnceValues(func() ([]byte, error) {
	return host.Build(context.Background(), "internal/probe", root)
})

// ProbeFile returns the file of the tests' own plugin.
func ProbeFile(t *testing.T) string {
	t.Helper()
	wasm, err := probeModule()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	SpoilFile(t, dir, "probe.wasm", string(wasm))
	return filepath.Join(dir, "probe.wasm")
}

// PreToolUse returns the event that an agent program sends before a call of a tool.
func PreToolUse(tool, input string) string {
	return `{"session_id":"s1","hook_event_name":"PreToolUse","tool_name":"` + tool + `","tool_input":` + input + `,"tool_use_id":"toolu_` + proposal.Digest(tool, input)[7:20] + `"}`
}

// CalbenchModule returns a plugin with this version, which does nothing.
func CalbenchModule(version string) []byte {
	return hostile.Honest(strings.Replace(hostile.Describe("calbench"), "1.0.0", version, 1))
}

// LockedBuffer is written by the server and read by the test.
type LockedBuffer struct {
	sync.Mutex
	bytes.Buffer
}

func (b *LockedBuffer) Write(p []byte) (int, error) {
	b.Lock()
	defer b.Unlock()
	return b.Buffer.Write(p)
}

func (b *LockedBuffer) String() string {
	b.Lock()
	defer b.Unlock()
	return b.Buffer.String()
}
