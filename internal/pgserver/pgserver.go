//go:build linux || darwin

// Package pgserver runs a PostgreSQL server for tests. It needs the server's programs, such
// as Debian's package postgresql installs them.
package pgserver

import (
	"bufio"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// Server is a running server with an empty database.
type Server struct {
	bin, dir string
	port     int
	as       *syscall.SysProcAttr
	input    interface{ Close() error } // the server ends when it closes, and so with this process

	mu      sync.Mutex
	schemas int
}

// script runs the server until the standard input ends, and then removes its folder.
const script = `set -e
"$1/initdb" -D "$2/data" -A trust -U gate -E UTF8 --locale=C --no-sync >"$2/log" 2>&1
"$1/pg_ctl" -D "$2/data" -l "$2/log" -w -o "$3" start >>"$2/log" 2>&1
echo ready
cat >/dev/null
"$1/pg_ctl" -D "$2/data" -m immediate stop >/dev/null 2>&1 || true
rm -rf "$2"
`

var shared = sync.OnceValues(startServer)

// Shared returns a server for all tests of this process, and starts it at the first call.
// If PostgreSQL is not installed, it skips the test.
func Shared(t testing.TB) *Server {
	t.Helper()
	if findPrograms() == "" {
		t.Skip("SKIPPED: PostgreSQL is not installed (Debian: apt-get install postgresql); the gate was not tested on it")
	}
	s, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// findPrograms returns the folder of the server's programs, or "".
func findPrograms() string {
	if path, err := exec.LookPath("initdb"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			return filepath.Dir(path)
		}
	}
	all, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // Debian has them outside of PATH
	if len(all) == 0 {
		return ""
	}
	return filepath.Dir(all[len(all)-1])
}

// roomyFolder returns a folder in memory, because nothing but the time of the tests depends
// on the disk, or a folder on the disk if there is too little memory. Both names are short,
// as those of sockets must be.
func roomyFolder() string {
	var s syscall.Statfs_t
	if err := syscall.Statfs("/dev/shm", &s); err != nil || s.Bavail*uint64(s.Bsize) < 1<<30 {
		return "/tmp"
	}
	return "/dev/shm"
}

func startServer() (s *Server, err error) {
	s = &Server{bin: findPrograms()}
	if s.dir, err = os.MkdirTemp(roomyFolder(), "pg"); err != nil {
		return nil, err
	}
	if os.Geteuid() == 0 { // the server refuses to run as root
		who, err := user.Lookup("postgres")
		if err != nil {
			return nil, err
		}
		uid, _ := strconv.Atoi(who.Uid)
		gid, _ := strconv.Atoi(who.Gid)
		if err := os.Chown(s.dir, uid, gid); err != nil {
			return nil, err
		}
		s.as = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s.port = free.Addr().(*net.TCPAddr).Port
	free.Close()
	run := s.newCommand("/bin/sh", "-c", script, "sh", s.bin, s.dir, s.serverOptions())
	run.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a signal for the tests must not keep it from cleaning up
	if s.as != nil {
		run.SysProcAttr.Credential = s.as.Credential
	}
	input, err := run.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := run.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := run.Start(); err != nil {
		return nil, err
	}
	s.input = input
	if line, _ := bufio.NewReader(output).ReadString('\n'); line != "ready\n" {
		log, _ := os.ReadFile(filepath.Join(s.dir, "log"))
		return nil, fmt.Errorf("PostgreSQL does not start: %s", log)
	}
	return s, nil
}

func (s *Server) serverOptions() string {
	return fmt.Sprintf("-h 127.0.0.1 -p %d -k %s -c max_connections=300 -c max_wal_size=256MB", s.port, s.dir)
}

func (s *Server) newCommand(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir, c.SysProcAttr = s.dir, s.as
	return c
}

const schemasAtOnce = 50

// Address returns the address of an empty schema of its own.
func (s *Server) Address(t testing.TB) string {
	t.Helper()
	s.mu.Lock()
	s.schemas++
	defer s.mu.Unlock()
	name := fmt.Sprintf("gate%d", s.schemas)
	if s.schemas%schemasAtOnce == 1 { // one program for many
		s.Run(t, fmt.Sprintf("DO $$ BEGIN FOR i IN %d..%d LOOP EXECUTE 'CREATE SCHEMA gate' || i; END LOOP; END $$", s.schemas, s.schemas+schemasAtOnce-1))
	}
	return s.AddressAt(fmt.Sprintf("127.0.0.1:%d", s.port), name)
}

// AddressAt returns the address of a schema at another host and port, such as those of a
// proxy.
func (s *Server) AddressAt(host, schema string) string {
	q := url.Values{"sslmode": {"disable"}, "search_path": {schema}}
	return (&url.URL{Scheme: "postgres", User: url.User("gate"), Host: host, Path: "/postgres", RawQuery: q.Encode()}).String()
}

// Host returns the host and port of the server.
func (s *Server) Host() string { return fmt.Sprintf("127.0.0.1:%d", s.port) }

// Run runs SQL with psql.
func (s *Server) Run(t testing.TB, query string) string {
	t.Helper()
	out, err := s.newCommand(filepath.Join(s.bin, "psql"), "-h", s.dir, "-p", strconv.Itoa(s.port), "-U", "gate", "-d", "postgres", "-v", "ON_ERROR_STOP=1", "-qAt", "-c", query).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", query, err, out)
	}
	return strings.TrimSpace(string(out))
}

// Stop stops the server as a crash would: without waiting for anything.
func (s *Server) Stop(t testing.TB) { s.runControl(t, "stop", "-m", "immediate") }

// Start starts the server after Stop.
func (s *Server) Start(t testing.TB) {
	s.runControl(t, "start", "-l", filepath.Join(s.dir, "log"), "-o", s.serverOptions())
}

func (s *Server) runControl(t testing.TB, args ...string) {
	t.Helper()
	c := s.newCommand(filepath.Join(s.bin, "pg_ctl"), append([]string{"-D", filepath.Join(s.dir, "data"), "-w"}, args...)...)
	if err := c.Run(); err != nil { // without pipes, which the server would keep open
		t.Fatalf("pg_ctl %s: %v", args[0], err)
	}
}
