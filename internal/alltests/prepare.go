package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"time"
)

// installTools installs what the tests need, and reports whether Node is available. For
// each part that cannot be installed, it prints which suites are skipped, and how to
// install it.
func installTools(t *tally) (node bool) {
	installPrograms()
	if _, err := exec.LookPath("node"); err != nil {
		t.skip("all Node suites (js/wasm, page, Worker)", "node is not on PATH; install Node.js 20 or newer")
		return false
	}
	if err := npmInstall(os.Stdout, "."); err != nil {
		t.skip("all Node suites (js/wasm, page, Worker)", "npm ci failed: "+err.Error())
		return false
	}
	return true
}

// installPrograms installs the programs that are missing, and changes no folder of the
// repository. So it can run while other programs list the repository's packages.
func installPrograms() {
	installZsh()
	installPostgres()
	installCompilers()
	installPytest()
	if _, err := exec.LookPath("node"); err == nil {
		installBrowsers()
	}
}

func installBrowsers() {
	chromium := findChromium()
	if chromium == "" && os.Geteuid() == 0 {
		installDebian("chromium")
		chromium = findChromium()
	}
	if chromium == "" {
		fmt.Println("!!! Chromium is missing, so the tests of the page will be skipped. Install Chromium (Debian: apt-get install chromium), or set CHROMIUM to its path.")
	} else {
		os.Setenv("CHROMIUM", chromium)
	}
	installFirefox()
}

// mcpSDK is the folder of the tests with the official MCP SDK and conformance suite. It
// is a separate Go module and a separate npm package.
const mcpSDK = "worker/mcp/sdk"

// npmInstall runs npm ci in a folder. It does nothing if the installed tree already
// matches the folder's lock file.
func npmInstall(out io.Writer, dir string) error {
	lock, err := os.ReadFile(filepath.Join(dir, "package-lock.json"))
	if err != nil {
		return err
	}
	stamp := filepath.Join(dir, "node_modules", ".boundcheck-lock")
	if have, err := os.ReadFile(stamp); err == nil && bytes.Equal(have, lock) {
		return nil
	}
	fmt.Fprintln(out, "=== npm ci in", dir, "(as in the lock file, without install scripts)")
	ci, end := limited("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	defer end()
	ci.Dir, ci.Stdout, ci.Stderr = dir, out, out
	if err := ci.Run(); err != nil {
		return err
	}
	return os.WriteFile(stamp, lock, 0o644)
}

func findChromium() string {
	if path := os.Getenv("CHROMIUM"); path != "" {
		return path
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// installZsh installs zsh if it is missing, because fuzzShell runs its command lines in
// zsh, among other shells.
func installZsh() {
	if _, err := exec.LookPath("zsh"); err != nil && os.Geteuid() == 0 {
		installDebian("zsh")
	}
}

// installPostgres installs the server of PostgreSQL, because the gate's tests run on it.
func installPostgres() {
	installed, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if _, err := exec.LookPath("initdb"); err != nil && len(installed) == 0 && os.Geteuid() == 0 {
		installDebian("postgresql")
	}
}

// installCompilers installs the compilers for the plugin starters in C and Rust. It
// selects Debian's rustc, because a rustc from another source may lack the wasm target.
func installCompilers() {
	if os.Geteuid() != 0 {
		return
	}
	for program, pkg := range map[string]string{"clang": "clang", "wasm-ld": "lld"} {
		if _, err := exec.LookPath(program); err != nil {
			installDebian(pkg)
		}
	}
	const rustc = "/usr/bin/rustc"
	if _, err := os.Stat(rustc); err != nil {
		installDebian("rustc")
		installDebian("libstd-rust-dev-wasm32")
	}
	if _, err := os.Stat(rustc); err == nil && os.Getenv("BOUNDCHECK_RUSTC") == "" {
		os.Setenv("BOUNDCHECK_RUSTC", rustc)
	}
}

// installFirefox installs Firefox, because some tests try the page's main functions in
// Firefox.
func installFirefox() {
	for _, name := range []string{"firefox-esr", "firefox"} {
		if _, err := exec.LookPath(name); err == nil {
			return
		}
	}
	if os.Getenv("FIREFOX") == "" && os.Geteuid() == 0 {
		installDebian("firefox-esr")
	}
}

// unreachable is set when an installation has taken too long.
var unreachable atomic.Bool

// limited returns a command that is killed after ten minutes, and after one minute if another
// took too long: a network that does not answer must not hold all suites. The caller calls end
// when the command has ended.
func limited(name string, args ...string) (cmd *exec.Cmd, end func()) {
	limit := 10 * time.Minute
	if unreachable.Load() {
		limit = time.Minute
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	cmd = exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = 10 * time.Second
	return cmd, func() {
		if ctx.Err() != nil {
			unreachable.Store(true)
			fmt.Println("!!!", cmd.Args, "was ended after", limit)
		}
		cancel()
	}
}

// installDebian installs a Debian package. It needs root's rights.
func installDebian(name string) {
	if _, err := exec.LookPath("apt-get"); err != nil {
		return
	}
	fmt.Println("=== apt-get install", name)
	for _, args := range [][]string{{"update", "-qq"}, {"install", "-y", "-qq", "--no-install-recommends", name}} {
		cmd, end := limited("apt-get", args...)
		cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		cmd.Stderr = os.Stderr
		if err := cmd.Run(); err != nil {
			fmt.Println("!!!", cmd.Args, err)
		}
		end()
	}
}
