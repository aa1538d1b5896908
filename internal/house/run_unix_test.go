//go:build unix

package house

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMakeRun builds the page, which takes minutes with empty caches. It runs the first
// command of the README on a machine with Go and without Node. The command must print a
// scored example, and then serve the page and the API on the given port. The plugins of the
// page may come later. make check leaves this test out, so that a run of both builds the
// page once.
func TestMakeRun(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: short")
	}
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("SKIPPED: no make")
	}
	port := freePort(t)
	ctx, cancel := context.WithTimeout(context.Background(), 8*time.Minute) // with empty caches, Go compiles for three platforms
	defer cancel()
	cmd := exec.CommandContext(ctx, "make", "--no-print-directory", "run")
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), "PORT="+port, "PATH="+goOnly(t))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { cancel(); cmd.Wait() }()

	said := ""
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		said += lines.Text() + "\n"
		if strings.Contains(lines.Text(), "http://localhost:"+port) {
			break
		}
	}
	if !regexp.MustCompile(`↑ 0\.500 +steps within bounds`).MatchString(said) || !strings.Contains(said, "http://localhost:"+port) {
		t.Fatalf("make run said\n%s", said)
	}
	for path, part := range map[string]string{"/": "<title>", "/npm/boundcheck.wasm": "\x00asm", "/npm/seldom.wasm": "\x00asm", "/examples.json": "notify_finance", "/healthz": `"ok":true`} {
		if body := getBody(t, "http://localhost:"+port+path); !strings.Contains(body, part) {
			t.Errorf("%s has no %q: %.200q", path, part, body)
		}
	}
	for !strings.Contains(getBody(t, "http://localhost:"+port+"/plugins/catalog.json"), `"taubench"`) {
		if ctx.Err() != nil {
			t.Fatal("the plugins of the page were not built")
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// goOnly returns a PATH with Go and the base system's tools, but without Node.
func goOnly(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, tool := range []string{"go", "make", "sh", "cp", "mkdir", "chmod", "dirname", "cat", "rm", "mv", "nice", "awk", "ls", "git", "gcc", "env"} {
		if path, err := exec.LookPath(tool); err == nil {
			if err := os.Symlink(path, filepath.Join(dir, tool)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

func getBody(t *testing.T, url string) string {
	t.Helper()
	client := http.Client{Timeout: time.Minute}
	r, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}
