package mutation

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Names of tools, by the shell that each of them names.
var (
	windowsTools = []string{
		"cmd", "run_cmd", "cmd_exec", "cmdExec", "windows_cmd", "cmd.run_command", "cmd.exec", "cmd_shell", "cmd_terminal", "execute_cmd", "windows_command", "windowsTerminal", "WindowsShell", "run_windows_command",
		"mcp__windows__run_command", "mcp__win-cli__execute_command", "dos_command", "msdos_shell", "run_dos_command", "batch_command", "run_batch_commands", "bat_shell",
		"powershell", "PowerShell", "POWERSHELL", "Power_Shell", "power-shell", "powershell_exec", "run_powershell_command", "runPowerShellCommand", "mcp__powershell__run_command", "pwsh", "PWSH", "pwsh_command",
		"powershell.exec", "pwsh7_shell", "win32_shell", "bash_or_powershell",
	}
	posixTools   = []string{"bash", "Bash", "run_bash", "bash_command", "sh", "run_sh_command", "zsh", "dash_shell", "posix_shell", "mcp__box__bash", "docker.exec_bash", "shell_sh", "bash_cmd"}
	unknownTools = []string{"run_in_terminal", "execute_command", "terminal", "run_shell_command", "shell_exec", "run_terminal_cmd", "runTerminalCmd", "shell_cmd", "shell", "local_shell", "exec_command", "run_command", "exec", "subprocess", "bash.run_command"}
)

func command(line string) string { return `{"command":` + jsonval.Quoted(line) + `}` }

// TestShellOfNames checks which shell a tool's name names.
func TestShellOfNames(t *testing.T) {
	for want, names := range map[Shell][]string{WindowsShell: windowsTools, PosixShell: posixTools, UnknownShell: unknownTools} {
		for _, name := range names {
			if parts := splitSegments(name); shellOf(name, parts[len(parts)-1]) != want {
				t.Errorf("%s: not %s", name, want)
			}
		}
	}
}

// TestWindowsTools checks that every call of a tool for a shell of Windows is asked about,
// whatever its line is.
func TestWindowsTools(t *testing.T) {
	for _, name := range windowsTools {
		for _, c := range append(readCalls(t, "reads.txt"), aCall{"bash", command("dir")}, aCall{"bash", command("Get-ChildItem")}) {
			if c.tool == "bash" {
				if c.tool = name; !c.classifyOnce(t).Counts() {
					t.Errorf("%s %s passes", name, c.arguments)
				}
			}
		}
	}
}

// differentials are lines that read in sh, and change something in cmd.exe or PowerShell.
var differentials = []string{
	"echo 'a & del x'", "grep -E 'a>b' f", `echo "a\" & del x & echo \"b"`, "echo 'a & rd /s /q x'", `echo "a\"; rm x; echo \"b"`, "echo 'a’; rm x; ‘b'", "echo “a”",
	"sort 'a -o b'", "sort \"a -o b\"", `sort "x"-o y`, `sort 'x" -o "y'`, "echo '%PATH%'", "echo 'a\ndel x'", `echo "\$(rm x)"`, `ls \; rm x`, "psql -c 'select 1'", "sort /o b a", "expand a b",
}

// TestUnknownShell checks that a line passes in a tool of an unknown shell only if it reads
// in each shell, and that only the operator says which shell it is.
func TestUnknownShell(t *testing.T) {
	posix := func(name string) Table { return Table{name: Entry{Runs: true, Shell: PosixShell}} }
	for _, line := range differentials {
		arguments, err := jsonval.Parse(command(line))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range unknownTools {
			if v := New(nil, nil).Once(name, arguments); !v.Counts() {
				t.Errorf("%s passes %q", name, line)
			}
			if v := New(nil, posix(name)).Once(name, arguments); v.Counts() {
				t.Errorf("%s, posix by the table, is asked about %q: %s", name, line, v.Reason)
			}
			if v := New(nil, nil).InShell(PosixShell).Once(name, arguments); v.Counts() {
				t.Errorf("%s, posix by the policy, is asked about %q: %s", name, line, v.Reason)
			}
		}
		for _, name := range posixTools {
			if v := New(nil, nil).Once(name, arguments); v.Counts() {
				t.Errorf("%s is asked about %q: %s", name, line, v.Reason)
			}
			if v := New(nil, nil).InShell(WindowsShell).Once(name, arguments); v.Counts() {
				t.Errorf("%s, which names its shell, is asked about %q: %s", name, line, v.Reason)
			}
		}
	}
}

// TestWordsForUnknownShell checks commands that are given word by word: a tool may join the
// words to a line for its shell.
func TestWordsForUnknownShell(t *testing.T) {
	for words, reads := range map[string]bool{
		`["bash","-lc","ls | head"]`: true, `["bash","-lc","sed -n '1,20p' f"]`: true, `["git","log","--oneline"]`: true,
		`["bash","-lc","echo 'a & del x'"]`: false, `["bash","-lc","grep -E 'a>b' f"]`: false, `["sh","-c","echo 'a’; rm x'"]`: false, `["grep","%PATH%","f"]`: false,
	} {
		v, err := jsonval.Parse(`{"command":` + words + `}`)
		if err != nil {
			t.Fatal(err)
		}
		if got := New(nil, nil).Once("shell", v); got.Counts() == reads {
			t.Errorf("shell %s: %s: %s", words, got.Mutating, got.Reason)
		}
		if got := New(nil, nil).InShell(PosixShell).Once("shell", v); got.Counts() {
			t.Errorf("shell in a POSIX shell %s: %s: %s", words, got.Mutating, got.Reason)
		}
	}
}

// TestOperatorNamesShell checks what the operator's table says about tools.
func TestOperatorNamesShell(t *testing.T) {
	hint := true
	table := Table{"cmd": {Runs: true, Shell: PosixShell}, "frobnicate": {Runs: true, Shell: PosixShell}, "bash": {Runs: true, Shell: WindowsShell}, "sh": {Runs: true}, "gone": {Runs: true, Shell: PosixShell}}
	c := New([]Tool{{Name: "gone", Annotations: Annotations{Destructive: &hint}}}, table)
	for call, asked := range map[aCall]bool{
		{"cmd", command("echo 'a & b'")}:           false,
		{"cmd", command("rm x")}:                   true,
		{"frobnicate", command("ls -la")}:          false,
		{"frobnicate", command("frob")}:            true,
		{"frobnicate", `{"command":"ls","x":1}`}:   true,
		{"frobnicate", `{"operation":"list"}`}:     true,
		{"bash", command("ls")}:                    true,
		{"sh", command("echo 'a & b'")}:            true,
		{"sh", command("ls")}:                      false,
		{"gone", command("ls")}:                    true,
		{"run_in_terminal", command("echo 'a&b'")}: true,
	} {
		v, err := jsonval.Parse(call.arguments)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Once(call.tool, v); got.Counts() != asked {
			t.Errorf("%s %s: %s: %s", call.tool, call.arguments, got.Mutating, got.Reason)
		}
	}
}

// TestModelNamesNoShell checks that neither the members of a call nor a definition can say
// that the shell is a POSIX shell.
func TestModelNamesNoShell(t *testing.T) {
	var tools []Tool
	for _, schema := range []string{
		`{"properties":{"command":{"type":"string","description":"a line for bash"},"shell":{"enum":["posix"]}}}`, `{"properties":{"shell":{"const":"posix","default":"posix"}}}`, `{"shell":"posix"}`,
	} {
		v, err := jsonval.Parse(`[{"name":"execute_command","description":"Runs a command in bash (POSIX).","shell":"posix","table":{"shell":"posix"},"annotations":{"shell":"posix"},"parameters":` + schema + `}]`)
		if err != nil {
			t.Fatal(err)
		}
		read, err := ReadTools(v)
		if err != nil {
			t.Fatal(err)
		}
		tools = append(tools, read...)
	}
	line := jsonval.Quoted("echo 'a & del x'")
	for _, more := range []string{"", `,"shell":"posix"`, `,"shell":"bash"`, `,"description":"in bash"`, `,"executable":"/bin/sh"`, `,"interpreter":"bash"`, `,"platform":"linux"`, `,"cwd":"/bin/bash"`, `,"os":"posix"`} {
		v, err := jsonval.Parse(`{"command":` + line + more + `}`)
		if err != nil {
			t.Fatal(err)
		}
		for i := range tools {
			for _, set := range [][]Tool{nil, {tools[i]}, tools} {
				if got := New(set, nil).Once("execute_command", v); !got.Counts() {
					t.Errorf("execute_command with %s passes", more)
				}
			}
		}
	}
}

// TestReadShell checks the words of a table, and what its errors say.
func TestReadShell(t *testing.T) {
	v, err := jsonval.Parse(`{"tools":{"a":{"shell":"posix"},"b":{"shell":"windows"},"c":{"shell":"unknown","pre":["a"]},"d":{"pre":["a"]}}}`)
	if err != nil {
		t.Fatal(err)
	}
	table, err := ReadTable(v)
	if want := (Table{"a": {Runs: true, Shell: PosixShell}, "b": {Runs: true, Shell: WindowsShell}, "c": {Runs: true}}); err != nil || fmt.Sprint(table) != fmt.Sprint(want) {
		t.Errorf("%v %v", table, err)
	}
	for text, want := range map[string]string{
		`{"shell":"bash"}`:                   `for bash, write "posix"`,
		`{"shell":"PowerShell"}`:             `for PowerShell, write "windows"`,
		`{"shell":"fish"}`:                   `want "posix", "windows" or "unknown", saw "fish"`,
		`{"shell":true}`:                     `saw "true"`,
		`{"shell":"posix","mutating":"no"}`:  `both "mutating" and "shell"`,
		`{"shell":"posix","mutating":"yes"}`: `the tool "x"`,
	} {
		v, err := jsonval.Parse(`{"tools":{"x":` + text + `}}`)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ReadTable(v); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestTerminalCases measures how many of the labelled reading lines are asked about. None
// more than sh's reader holds may be asked of bash, and at most 3 more of a tool that does
// not name its shell. Two of the lines compile or load packages with the go command, which can run programs.
func TestTerminalCases(t *testing.T) {
	calls, want := readGateCases(t)
	if len(calls) == 0 {
		t.Skipf("SKIPPED: %s is not there; nothing was measured", gateCases)
	}
	lines := 0
	asked := map[string]int{}
	for i, c := range calls {
		if want[i] != "shell allow" {
			continue
		}
		lines++
		for _, name := range []string{"bash", "run_in_terminal", "execute_command", "run_shell_command"} {
			if c.tool = name; c.classifyOnce(t).Counts() {
				asked[name]++
			}
		}
	}
	t.Logf("of %d reading lines, asked: %v", lines, asked)
	for name, n := range asked {
		if limit := map[bool]int{true: 5, false: 8}[name == "bash"]; n > limit {
			t.Errorf("%s: %d lines are asked about, more than %d", name, n, limit)
		}
	}
}

// TestEachShell checks that a line of the tests that passes for a tool of unknown shell also
// passes for bash: the unknown shell is only stricter.
func TestEachShell(t *testing.T) {
	passed := map[string]int{}
	for _, c := range slices.Concat(readCalls(t, "reads.txt"), readCalls(t, "attacks.txt")) {
		if c.tool != "bash" {
			continue
		}
		inBash := c.classifyOnce(t).Counts()
		c.tool = "run_in_terminal"
		if !c.classifyOnce(t).Counts() {
			passed["run_in_terminal"]++
			if inBash {
				t.Errorf("%s passes only in run_in_terminal", c.arguments)
			}
		}
		if !inBash {
			passed["bash"]++
		}
	}
	t.Logf("lines that pass: %v", passed)
}
