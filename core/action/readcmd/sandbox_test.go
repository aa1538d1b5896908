//go:build linux

package readcmd

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// A sandbox runs lines in real shells. It has separate namespaces for mounts, processes
// and the network, runs as nobody, and has canaries for files, processes, connections and
// programs that the table does not name. All its files are in two file systems in memory.
const (
	inSandbox = "BOUNDCHECK_SANDBOX"
	boxDir    = "/mnt/box"
	workDir   = boxDir + "/work"
	safeDir   = boxDir + "/bin"
	homeDir   = boxDir + "/home"
	calledLog = boxDir + "/called"
	nobody    = 65534
	lineTime  = 2 * time.Second
	groupTime = 20 * time.Second // on a busy machine
)

type sandbox struct {
	connections atomic.Int64
	sentinel    *exec.Cmd
	before      map[string]string
	ran         atomic.Int64
	killed      atomic.Bool
	slow        chan string // lines that timed out; the first of them are kept
}

// enterSandbox starts this test binary again in separate namespaces, where it runs only
// the given test. It returns the output of that test.
func enterSandbox(t *testing.T, test string, env ...string) string {
	t.Helper()
	for _, shell := range []string{"bash", "zsh", "dash", "git"} {
		if _, err := exec.LookPath(shell); err != nil {
			t.Skipf("SKIPPED: no %s here; NOTHING WAS RUN IN A REAL SHELL (Debian: apt-get install zsh git)", shell)
		}
	}
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: the sandbox needs root; NOTHING WAS RUN IN A REAL SHELL")
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+test+"$", "-test.v", "-test.timeout=2h")
	cmd.Env = append(append(os.Environ(), inSandbox+"=1"), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET | syscall.CLONE_NEWIPC, Pdeathsig: syscall.SIGKILL}
	out, err := cmd.CombinedOutput()
	if errors.Is(err, syscall.EPERM) {
		t.Skip("SKIPPED: namespaces are not permitted here; NOTHING WAS RUN IN A REAL SHELL")
	}
	if err != nil || !strings.Contains(string(out), "--- PASS: "+test) {
		t.Errorf("%v\n%s", err, out)
	}
	return string(out)
}

// openSandbox sets up the sandbox around the current process, which the function
// enterSandbox has started in separate namespaces.
func openSandbox(t *testing.T) *sandbox {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	programs := map[string]string{} // found before /tmp and /mnt are covered
	for name := range tableNames() {
		if !strings.Contains(realPrograms, " "+name+" ") {
			continue
		}
		if path, err := exec.LookPath(name); err == nil {
			path, err = filepath.EvalSymlinks(path)
			must(err)
			programs[name] = path
		}
	}
	must(syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""))
	for _, dir := range []string{"/mnt", "/tmp"} {
		must(syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=256m,mode=1777"))
	}
	must(syscall.Mount("proc", "/proc", "proc", 0, ""))
	must(raiseLoopback())
	must(os.MkdirAll(safeDir, 0o755))
	for name := range tableNames() {
		if path, real := programs[name]; real {
			must(os.Symlink(path, filepath.Join(safeDir, name)))
		} else if name != ":" && name != "[" {
			must(os.WriteFile(filepath.Join(safeDir, name), []byte("#!/bin/sh\nexit 0\n"), 0o755))
		}
	}
	must(os.MkdirAll(homeDir, 0o755))
	must(os.WriteFile(homeDir+"/.zshenv", []byte("command_not_found_handler() { echo \"$1\" >> "+calledLog+"; return 127 }\n[[ -n $HOSTILE_OPTIONS ]] && setopt extendedglob shwordsplit globsubst braceccl nullglob rcexpandparam magicequalsubst\n"), 0o644))
	must(os.WriteFile(homeDir+"/history", []byte("touch PWN\ntouch PWN\n"), 0o644))
	must(os.WriteFile(calledLog, nil, 0o666))
	must(os.Chmod(calledLog, 0o666))
	s := &sandbox{slow: make(chan string, 10)}
	s.rebuildWorkDir(t)
	listener, err := net.Listen("tcp", "127.0.0.1:9")
	must(err)
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			s.connections.Add(1)
			c.Close()
		}
	}()
	s.sentinel = exec.Command("/bin/sleep", "100000")
	s.sentinel.SysProcAttr = asNobody()
	must(s.sentinel.Start())
	return s
}

// realPrograms holds the programs that really run if they are installed. The others of
// the table are stubs without an effect: for them the table relies on their
// documentation.
const realPrograms = ` ls dir vdir pwd echo cat head tail wc cut tr nl tac rev fold fmt pr od hexdump cmp comm join paste expand unexpand stat du df id groups whoami logname who users tty basename dirname pathchk
 realpath readlink seq factor expr numfmt nproc tsort printenv which whereis diff column look cal locale strings md5sum sha1sum sha256sum b2sum cksum sum sort uniq uname hostname date base64 base32 shuf
 grep egrep fgrep zgrep jq yq rg fd fdfind tree file less xxd iconv bc zcat gzcat bzcat xzcat gzip xz bzip2 unzip tar ps free lscpu pgrep git bash sh zsh dash find sed awk gawk mawk xargs env nice timeout stdbuf
 test printf true false curl getconf getent nm objdump readelf openssl gofmt sysctl lsof ss ip `

// tableNames returns the first words of all rows, and the names of the commands that have
// a function of their own instead of a row.
func tableNames() map[string]bool {
	names := map[string]bool{}
	for _, n := range strings.Fields("test [ printf find sed gsed awk gawk mawk nawk xargs env nice timeout gtimeout stdbuf bash sh zsh dash tar curl aws gcloud az") {
		names[n] = true
	}
	for _, g := range table() {
		for line := range strings.Lines(g.rows) {
			rows, _, _ := strings.Cut(line, ": ")
			for name := range strings.SplitSeq(strings.TrimSuffix(rows, ":\n"), ",") {
				first, _, _ := strings.Cut(name, " ")
				names[first] = true
			}
		}
	}
	return names
}

// raiseLoopback activates the network interface lo.
func raiseLoopback() error {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM, 0)
	if err != nil {
		return err
	}
	defer syscall.Close(fd)
	var request [40]byte
	copy(request[:], "lo")
	*(*uint16)(unsafe.Pointer(&request[16])) = syscall.IFF_UP | syscall.IFF_RUNNING
	if _, _, code := syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), syscall.SIOCSIFFLAGS, uintptr(unsafe.Pointer(&request))); code != 0 {
		return code
	}
	return nil
}

func asNobody() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
}

// hostileNames holds file names that become options, commands or patterns if a shell or a
// program reads them as such.
var hostileNames = []string{"-o", "-i", "-n", "-delete", "-exec", "-r", "out", "--output=out", "--compress-program=pwn", "--pre=pwn", "--to-command=pwn", "$(touch PWN)", "a[$(touch PWN)]", "`touch PWN`", ";touch PWN", "a b", "w out", "'", "\"", "new\nline",
	"--textconv", "--ext-diff", "-O", "-f", "-C", "a", "b", "f", "x", "y", "a.go", "b.py", "in.txt", "list", "1", "src/a", "src/b.go", "core/c.go"}

// rebuildWorkDir recreates the working directory.
func (s *sandbox) rebuildWorkDir(t *testing.T) {
	t.Helper()
	for _, dir := range []string{workDir, "/tmp"} {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
	os.MkdirAll(workDir+"/src", 0o755)
	os.MkdirAll(workDir+"/core", 0o755)
	for i, name := range hostileNames {
		text := fmt.Sprintf("%d one two\nfoo bar\n-o\n--output=out\n$(touch PWN)\na[$(touch PWN)]\n", i)
		if err := os.WriteFile(filepath.Join(workDir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	owned := func() {
		filepath.WalkDir(workDir, func(path string, _ fs.DirEntry, err error) error {
			return errors.Join(err, os.Lchown(path, nobody, nobody))
		})
	}
	owned()
	for _, args := range [][]string{{"init", "-q"}, {"add", "--all", "src"}, {"commit", "-qm", "first"}, {"branch", "topic"}, {"tag", "v1"}, {"init", "-q", "--bare", "bare"}} {
		git := exec.Command("git", args...)
		git.Dir = workDir
		git.SysProcAttr = asNobody()
		git.Env = []string{"PATH=/usr/bin:/bin", "HOME=" + homeDir, "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a"}
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v %s", args, err, out)
		}
	}
	hostile := "[core]\n\tbare = false\n\tworktree = /mnt/box/work/src\n\tfsmonitor = touch /mnt/box/work/PWN\n\tpager = touch /mnt/box/work/PWN\n[diff]\n\texternal = touch /mnt/box/work/PWN\n"
	os.WriteFile(workDir+"/bare/config", []byte(hostile), 0o644)
	owned()
	os.Truncate(calledLog, 0)
	s.connections.Store(0)
	s.before = snapshotFiles()
}

// snapshotFiles describes every file that a line could have changed.
func snapshotFiles() map[string]string {
	all := map[string]string{}
	for _, dir := range []string{workDir, homeDir, "/tmp", safeDir} {
		filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || path == workDir+"/.git/index" || path == workDir+"/.git" || path == "/tmp" {
				return nil // git refreshes its index, and zsh keeps here-strings in a file that it removes
			}
			info, err := d.Info()
			if err != nil {
				return nil
			}
			text := ""
			if info.Mode().IsRegular() && dir != safeDir {
				content, _ := os.ReadFile(path)
				text = fmt.Sprintf("%x", sha256.Sum256(content))
			}
			all[path] = fmt.Sprint(info.Mode(), info.Size(), info.ModTime().UnixNano(), text)
			return nil
		})
	}
	return all
}

// findChanges returns the effects of the lines that were run since the last rebuild of
// the working directory:
//
//   - changed and new files;
//   - calls of programs that the table does not name;
//   - network connections;
//   - the end of the sentinel process.
func (s *sandbox) findChanges() (out []string) {
	after := snapshotFiles()
	for path, was := range s.before {
		if after[path] != was {
			out = append(out, "changed: "+path)
		}
	}
	for path := range after {
		if s.killed.Load() && (strings.HasPrefix(path, "/tmp/zsh") || strings.HasPrefix(path, "/tmp/sh-thd")) {
			continue // a here-string of a shell that was killed
		}
		if _, known := s.before[path]; !known {
			out = append(out, "new: "+path)
		}
	}
	called, _ := os.ReadFile(calledLog)
	for name := range strings.SplitSeq(strings.TrimSpace(string(called)), "\n") {
		if name != "" && !strings.HasPrefix(name, "#") { // a comment in an interactive zsh
			out = append(out, "called: "+name)
		}
	}
	if s.connections.Load() > 0 {
		out = append(out, "connected")
	}
	if s.sentinel.Process.Signal(syscall.Signal(0)) != nil {
		out = append(out, "killed a process")
	}
	slices.Sort(out)
	return out
}

// way is one of the ways in which a shell reads a line.
type way struct {
	name  string
	args  []string // the line comes after them, or on the standard input
	stdin bool
	env   string
}

var ways = []way{
	{name: "bash", args: []string{"bash", "-c"}},
	{name: "zsh", args: []string{"zsh", "-c"}},
	{name: "zsh with options", args: []string{"zsh", "-c"}, env: "HOSTILE_OPTIONS=1"},
	{name: "sh", args: []string{"dash", "-c"}},
	{name: "interactive bash", args: []string{"bash", "--norc", "-i"}, stdin: true},
	{name: "interactive zsh", args: []string{"zsh", "-i"}, stdin: true},
}

// runLine runs a line and discards its output.
func (s *sandbox) runLine(w way, line string, values int) {
	if w.stdin {
		s.runShell(w, nil, line+"\n", values, lineTime)
		return
	}
	s.runShell(w, []string{line}, "", values, lineTime)
}

// runTogether runs lines concurrently in subshells of one shell, which is faster than one
// shell for each line.
func (s *sandbox) runTogether(w way, lines []string, values int) {
	const script = `for l do ( eval "$l" ) </dev/null >/dev/null 2>&1 & done; wait`
	s.runShell(w, append([]string{script, "lines"}, lines...), "", values, groupTime)
	s.ran.Add(int64(len(lines) - 1))
}

func (s *sandbox) runShell(w way, more []string, stdin string, values int, most time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), most)
	defer cancel()
	args := append(slices.Clip(w.args[1:]), more...)
	cmd := exec.CommandContext(ctx, filepath.Join(safeDir, w.args[0]), args...)
	if stdin != "" {
		cmd.Stdin = strings.NewReader(stdin)
	}
	cmd.Dir = workDir
	cmd.Env = append(shellEnv(values), w.env)
	cmd.SysProcAttr = asNobody()
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); ctx.Err() != nil && err != nil {
		s.killed.Store(true)
		select {
		case s.slow <- w.name + ": " + clipText(strings.Join(more, " | ")+stdin):
		default:
		}
	}
	s.ran.Add(1)
}

// reapOrphans removes the ended processes that killed shells have started. It must be
// called while no line runs.
func (s *sandbox) reapOrphans() {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err == nil && pid != os.Getpid() && pid != s.sentinel.Process.Pid {
			syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
		}
	}
}

// hostileValues holds the values of a line's variables.
var hostileValues = []string{"a[$(touch PWN)]", "-o out", "--output=out", "-delete", "$(touch PWN)", "*(e:'touch PWN':)", "; touch PWN", "-i s/a/b/w", "-o -v a[$(touch PWN)]", "-exec touch PWN ;", "x", ""}

func shellEnv(values int) []string {
	env := []string{"PATH=" + safeDir, "HOME=" + homeDir, "ZDOTDIR=" + homeDir, "TERM=dumb", "LANG=C.UTF-8", "IFS= \t\n-a", "LESSHISTFILE=-", "HISTFILE=" + homeDir + "/history", "TMPDIR=/tmp", "GIT_PAGER=cat", "CDPATH=src",
		"BASH_FUNC_command_not_found_handle%%=() { echo \"$1\" >> " + calledLog + "; return 127; }"}
	for i, name := range []string{"X", "x", "f", "NAME", "a", "A", "HOME2", "g", "h", "y"} {
		env = append(env, name+"="+hostileValues[(values+i)%len(hostileValues)])
	}
	return env
}
