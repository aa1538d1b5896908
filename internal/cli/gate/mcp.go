//go:build !js

package gate

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/hook"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/postgres"
	"github.com/boundcheck/boundcheck/worker/gate/sqlite"
	"github.com/boundcheck/boundcheck/worker/mcp"
)

const mcpUsage = `usage: boundcheck mcp [FLAGS] -- COMMAND [ARG…]
       boundcheck mcp scan [--name NAME] -- COMMAND [ARG…]

Starts an MCP server that speaks over its standard input and output, and puts a gate in front of it.
Configure it in the host in place of COMMAND. Calls that change nothing pass. Every other call waits
until a person decides on the gate's page, which opens in the browser.

  --gate URL     let people decide at this gate, with the agent's key in $BOUNDCHECK_AGENT_KEY. The
                 gate's policy, pages and receipts count; --policy, --form, --trust and --receipt… need a
                 local gate
  --policy FILE  the policy, YAML or JSON; the tool t of server NAME is mcp__NAME__t
  --name NAME    the server's name in the policy (default: from COMMAND)
  --hide TOOL    do not show the host this tool; * stands for any text. May be repeated
  --trust        believe the server's hints about its tools
  --form         for calls that can be undone: accept a form that the host shows as the decision
  --receipt-key FILE, --receipts WORDS
                 sign a receipt for each held call that runs, as for "boundcheck gate"
  --wait TIME    how long a held call waits for its decision before the host gets the page's address
                 (default 50s). The same call made again waits again
  --no-open      open no browser. Hosts that can, open the page; the sign-in link is on stderr
  --addr ADDR    where the gate's pages are (default a free port on 127.0.0.1)
  --db FILE      the database (default: a file for NAME in the user's configuration folder)

scan asks the server for its tools, calls none, and prints a first policy for them.
`

// mcpCommandFlags are the flags of "boundcheck mcp".
type mcpCommandFlags struct {
	gate    gateFlags
	remote  string
	name    string
	hide    []string
	trust   bool
	form    bool
	noOpen  bool
	wait    time.Duration
	command []string
}

func readMCPFlags(args []string) (f mcpCommandFlags, err error) {
	set := flag.NewFlagSet("mcp", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&f.remote, "gate", "", "")
	set.StringVar(&f.gate.policy, "policy", "", "")
	set.StringVar(&f.gate.db, "db", "", "")
	set.StringVar(&f.gate.addr, "addr", "127.0.0.1:0", "")
	set.StringVar(&f.name, "name", "", "")
	set.Func("hide", "", func(s string) error { f.hide = append(f.hide, s); return nil })
	set.BoolVar(&f.trust, "trust", false, "")
	set.BoolVar(&f.form, "form", false, "")
	set.BoolVar(&f.noOpen, "no-open", false, "")
	f.gate.receipts.RegisterFlags(set)
	set.DurationVar(&f.wait, "wait", 50*time.Second, "")
	if err := set.Parse(args); err != nil {
		return f, err
	}
	if f.command = set.Args(); len(f.command) == 0 {
		return f, errors.New("missing COMMAND after --")
	}
	if postgres.IsAddress(f.gate.db) {
		return f, errors.New("--db must be a file; to decide at a gate with PostgreSQL, use --gate")
	}
	if f.name == "" {
		f.name = mcp.NameOf(f.command)
	}
	if f.remote != "" && (f.gate.policy != "" || f.form || f.trust || f.gate.receipts != receiptFlags{}) {
		return f, errors.New("--policy, --form, --trust and the flags of receipts cannot be used with --gate: the gate has its own policy and keys, and its people decide on its pages")
	}
	if f.wait < 0 || f.wait > time.Hour {
		return f, errors.New("invalid --wait: want 0s to 1h")
	}
	f.gate.dev, f.gate.run = true, runFlags{log: "errors", lease: sqlite.DefaultLease}
	return f, nil
}

// MCP implements "boundcheck mcp". Its exit code is that of the server.
func MCP(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	scan := len(args) > 0 && args[0] == "scan"
	if scan {
		args = args[1:]
	}
	f, err := readMCPFlags(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, mcpUsage)
		return cmd.ExitOK
	}
	if err != nil {
		fmt.Fprintf(stderr, "boundcheck mcp: %v\n", err)
		return cmd.ExitUsage
	}
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // the terminal has closed, and nohup did not start this
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	defer stop()
	run := f.serveHost
	if scan {
		run = f.scanTools
	}
	code, err := run(ctx, stdin, stdout, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "boundcheck mcp: %v\n", err)
	}
	return code
}

// startedServer is a running MCP server.
type startedServer struct {
	*mcp.Child
	in    io.Closer
	child *exec.Cmd
	ended chan struct{} // closed when the process has ended
}

// startServer starts the server. Its standard error goes to stderr unchanged.
func startServer(command []string, rest, note func(string), stderr io.Writer) (*startedServer, error) {
	child := exec.Command(command[0], command[1:]...)
	child.Stderr = stderr
	cmd.OwnGroup(child)
	in, err := child.StdinPipe()
	if err != nil {
		return nil, err
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	child.Stdout = write
	child.WaitDelay = time.Second // a process that the server left behind may keep its stderr
	if err := child.Start(); err != nil {
		return nil, fmt.Errorf("cannot start the server: %w", err)
	}
	write.Close()
	s := &startedServer{Child: mcp.NewChild(in, read, rest, note), in: in, child: child, ended: make(chan struct{})}
	go func() {
		child.Wait()
		close(s.ended)
		time.AfterFunc(time.Second, func() { read.Close() }) // its last lines are read by then
	}()
	return s, nil
}

// shutDown ends the server as the protocol says: it closes the server's input, and later
// ends and kills its processes. It returns the exit code.
func (s *startedServer) shutDown() int {
	s.in.Close()
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		select {
		case <-s.ended:
		case <-time.After(2 * time.Second):
			cmd.SignalGroup(s.child, sig)
		}
	}
	<-s.ended
	cmd.SignalGroup(s.child, syscall.SIGKILL) // what the server has started
	if code := s.child.ProcessState.ExitCode(); code >= 0 {
		return code
	}
	return cmd.ExitInput
}

// serveHost puts a local gate in front of the server and serves the host until it leaves, the
// server ends, or ctx ends.
func (f *mcpCommandFlags) serveHost(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer) (int, error) {
	note := func(s string) { fmt.Fprintf(stderr, "boundcheck mcp: %s\n", s) }
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var remote *hook.Remote
	var err error
	if f.remote != "" {
		if remote, err = hook.NewRemote(f.remote, machine.Principal{Tenant: "dev", Name: "agent", Role: machine.Agent}); err == nil {
			err = remote.Check(ctx)
		}
		if err != nil {
			return cmd.ExitInput, err
		}
	}
	life, endGate := context.WithCancel(context.WithoutCancel(ctx)) // longer than the questions, which end with the host
	local, err := f.startGate(life, stderr)
	if err != nil {
		endGate()
		return cmd.ExitInput, err
	}
	defer local.awaitEnd()
	defer endGate()
	defer cancel()
	send := mcp.LineWriter(stdout)
	server, err := startServer(f.command, func(s string) { send(s) }, note, stderr)
	if err != nil {
		return cmd.ExitInput, err
	}
	h, err := mcp.New(local.gate, http.DefaultTransport, mcp.Server{Name: f.name, Transport: server, Trusted: f.trust, Form: f.form, Hide: f.hide})
	if err != nil {
		server.shutDown()
		return cmd.ExitUsage, err
	}
	h.Wait = f.wait
	if remote != nil {
		h.Elsewhere = remote
	}
	page := signInPage{gate: local.gate, dir: filepath.Dir(f.gate.db), note: note}
	if remote != nil {
		if link, err := page.newLink(); err == nil {
			note("to accept changed definitions of tools, open this link within ten minutes; it works once: " + link)
		}
		h.Waiting = func(link string) { note("a call waits for a decision at " + link) }
		if !f.noOpen && page.canOpen() {
			h.Waiting = page.openLink
		}
	} else if h.Waiting = page.openPage; f.noOpen || !page.canOpen() {
		h.Waiting = nil
		if link, err := page.newLink(); err == nil {
			note("to sign in as the approver, open this link within ten minutes; it works once: " + link)
		}
	}
	served := make(chan error, 1)
	lines := mcp.NewLines(h, f.name, local.line.AgentKey, send)
	go func() { served <- lines.Serve(ctx, stdin) }()
	select {
	case err = <-served: // the host has closed its stream
		cancel()
		return server.shutDown(), err
	case <-ctx.Done():
		lines.End(0)
		server.shutDown()
		return cmd.ExitOK, nil
	case <-server.Gone():
		lines.End(2 * time.Second)
		code := server.shutDown()
		cancel()
		if code == cmd.ExitOK {
			code = cmd.ExitInput // the host did not ask for it
		}
		return code, errors.New("the server has ended")
	}
}

// localGate is a gate of this process.
type localGate struct {
	*gateRunner
	ended chan error
}

func (g *localGate) awaitEnd() { <-g.ended }

// startGate starts a gate with new keys. If another process of the same server has the
// database, it takes the next one.
func (f *mcpCommandFlags) startGate(ctx context.Context, stderr io.Writer) (*localGate, error) {
	named := f.gate.db != ""
	for n := 1; ; n++ {
		if !named {
			file, err := stateFile(f.name, n)
			if err != nil {
				return nil, err
			}
			f.gate.db = file
		}
		line := ready{}
		o, err := gateOptions(&f.gate, &line)
		if err != nil {
			return nil, err
		}
		r := &gateRunner{flags: &f.gate, options: o, line: line, stderr: io.Discard, log: slog.New(slog.NewJSONHandler(stderr, nil))}
		g := &localGate{r, make(chan error, 1)}
		begun := make(chan struct{})
		r.stdout = writerFunc(func(b []byte) (int, error) { close(begun); return len(b), nil })
		go func() { g.ended <- r.run(ctx); close(g.ended) }()
		select {
		case <-begun:
			return g, nil
		case err := <-g.ended:
			if !errors.Is(err, sqlite.ErrHeld) || named || n == 20 {
				return nil, err
			}
		}
	}
}

type writerFunc func([]byte) (int, error)

func (w writerFunc) Write(b []byte) (int, error) { return w(b) }

// stateFile returns the name of the database number n for a server.
func stateFile(name string, n int) (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("name a database with --db: %w", err)
	}
	dir = filepath.Join(dir, "boundcheck", "mcp")
	if n > 1 {
		name = fmt.Sprintf("%s--%d", name, n) // no server's name has two hyphens
	}
	return filepath.Join(dir, name+".db"), os.MkdirAll(dir, 0o700)
}

// signInPage shows the gate's page to the approver, who sits at this machine.
type signInPage struct {
	gate *gate.Gate
	dir  string
	note func(string)
	last atomic.Int64
}

func (p *signInPage) newLink() (string, error) {
	return p.gate.SignInLink(machine.Principal{Tenant: "dev", Name: "approver", Role: machine.Approver}, time.Now().Add(linkFor).UnixMilli())
}

func (p *signInPage) canOpen() bool {
	return runtime.GOOS == "windows" || runtime.GOOS == "darwin" || os.Getenv("DISPLAY")+os.Getenv("WAYLAND_DISPLAY") != ""
}

// openPage opens a sign-in link in the browser. The link is in a file that only this user can
// read, because other users can see the arguments of processes. The page lists all held
// calls, so a second one within a few seconds opens nothing.
func (p *signInPage) openPage(link string) {
	p.note("a call waits for your decision at " + link)
	now := time.Now().UnixMilli()
	if before := p.last.Swap(now); now-before < 5000 {
		return
	}
	once, err := p.newLink()
	if err == nil {
		file := filepath.Join(p.dir, "decide.html")
		text := `<!doctype html><meta charset="utf-8"><title>Boundcheck</title><meta http-equiv="refresh" content="0;url=` + once + `"><a href="` + once + `">Decide</a>`
		os.Remove(file)
		if err = os.WriteFile(file, []byte(text), 0o600); err == nil {
			time.AfterFunc(30*time.Second, func() { os.Remove(file) }) // it is read by then
			err = openInBrowser(file)
		}
	}
	if err != nil {
		p.note("the browser cannot be opened: " + err.Error())
	}
}

// openLink opens the page of a held call at another gate, whose people have keys of their
// own.
func (p *signInPage) openLink(link string) {
	p.note("a call waits for a decision at " + link)
	if now := time.Now().UnixMilli(); now-p.last.Swap(now) < 5000 {
		return
	}
	if err := openInBrowser(link); err != nil {
		p.note("the browser cannot be opened: " + err.Error())
	}
}

// openInBrowser opens a file or an address. Tests replace it.
var openInBrowser = func(file string) error {
	name, args := "xdg-open", []string{file}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", file}
	}
	child := exec.Command(name, args...)
	if err := child.Start(); err != nil {
		return err
	}
	go child.Wait()
	return nil
}

// scanTools prints a first policy for the tools of the server.
func (f *mcpCommandFlags) scanTools(ctx context.Context, _ io.Reader, stdout, stderr io.Writer) (int, error) {
	note := func(s string) { fmt.Fprintf(stderr, "boundcheck mcp: %s\n", s) }
	server, err := startServer(f.command, func(string) {}, note, stderr)
	if err != nil {
		return cmd.ExitInput, err
	}
	defer server.shutDown()
	tools, withheld, err := mcp.Scan(ctx, mcp.Server{Name: f.name, Transport: server})
	if err != nil {
		return cmd.ExitInput, err
	}
	if withheld > 0 {
		note(fmt.Sprintf("%d definitions are ambiguous, and a gate does not pass them on", withheld))
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# The %d tools of the MCP server %s. The lines with # change nothing: they say how the gate decides\n"+
		"# without them. A \"no\" lets every call of a tool pass, whatever its arguments are.\ntools:\n", len(tools), f.name)
	p := machine.Default()
	for i := range tools {
		v, destructive := p.Judge(tools[i])
		said := hintText(tools[i].Annotations.ReadOnly, tools[i].Annotations.Destructive)
		switch {
		case !v.Counts():
			fmt.Fprintf(&b, "  # %q: \"no\"  # passes unless its arguments ask for a change%s\n", tools[i].Name, said)
		case destructive:
			fmt.Fprintf(&b, "  %q: \"yes\"  # asks; perhaps it cannot be undone%s\n", tools[i].Name, said)
		default:
			fmt.Fprintf(&b, "  %q: \"yes\"  # asks%s\n", tools[i].Name, said)
		}
	}
	if !strings.Contains(b.String(), "\n  \"") {
		b.WriteString("  {}\n")
	}
	_, err = stdout.Write(b.Bytes())
	return cmd.ExitOK, err
}

// hintText returns what the server says about a tool itself.
func hintText(readOnly, destructive *bool) string {
	switch {
	case readOnly != nil && *readOnly:
		return "; the server says: reads only"
	case destructive != nil && *destructive:
		return "; the server says: destructive"
	case readOnly != nil:
		return "; the server says: changes something"
	}
	return ""
}
