package plugins_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/alfworld"
	"github.com/boundcheck/boundcheck/plugins/host"
	"github.com/boundcheck/boundcheck/plugins/osworld"
	"github.com/boundcheck/boundcheck/plugins/prompts"
	"github.com/boundcheck/boundcheck/plugins/sdk"
	"github.com/boundcheck/boundcheck/plugins/swebench"
	"github.com/boundcheck/boundcheck/plugins/taubench"
	"github.com/boundcheck/boundcheck/plugins/theagentcompany"
	"github.com/boundcheck/boundcheck/plugins/webarena"
	"github.com/boundcheck/boundcheck/plugins/yaml"
)

var update = flag.Bool("update", false, "rewrite the answers in testdata from the native run")

// bundled holds each plugin that has cases, by name. The files of the cases are named
// PLUGIN-WHAT.txtar.
var bundled = map[string]*sdk.Plugin{"alfworld": alfworld.Plugin(), "osworld": osworld.Plugin(), "prompts": prompts.Plugin(), "taubench": taubench.Plugin(),
	"swebench": swebench.Plugin(), "theagentcompany": theagentcompany.Plugin(), "webarena": webarena.Plugin(), "yaml": yaml.Plugin()}

// loadRequest returns the env.load request for a plugin's conformance cases. The
// request has the files of the plugin's folder testdata/env, under the name "mini".
// loadRequest returns nil if there are no such files.
func loadRequest(t *testing.T, plugin string) []byte {
	t.Helper()
	files := environmentFiles(t, plugin)
	if files == nil {
		return nil
	}
	return abi.Load("mini", files)
}

func environmentFiles(t *testing.T, plugin string) []abi.File {
	t.Helper()
	dir := filepath.Join(plugin, "testdata", "env")
	var files []abi.File
	paths, err := filepath.Glob(filepath.Join(dir, "*", "*.json"))
	if err != nil || len(paths) == 0 {
		return nil
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		rel, _ := filepath.Rel(dir, path)
		files = append(files, abi.File{Name: filepath.ToSlash(rel), Data: data})
	}
	return files
}

// loads holds the answer to env.load for each plugin with an environment.
var loads = map[string]string{
	"osworld":  `{"ok":{"environment":"mini","summary":["osworld/tasks.json: 2 tasks"]}}`,
	"taubench": `{"ok":{"environment":"mini","summary":["airline: 3 flights, 2 reservations, 2 users (airline)","retail: 3 orders, 2 products, 1 users (retail)"]}}`,
	"webarena": `{"ok":{"environment":"mini","summary":["webarena/tasks.json: 5 tasks"]}}`,
}

// checkLoadAnswer checks that the plugin gave the expected answer to env.load.
func checkLoadAnswer(t *testing.T, plugin string, answer []byte) {
	t.Helper()
	if want := loads[plugin]; string(answer) != want {
		t.Fatalf("%s: answer to env.load\n%s\nwant\n%s", plugin, answer, want)
	}
}

// testCase is one conformance case: the answer to request.json must equal answer.json
// byte for byte. text.md, if present, repeats the answer's ok.text for readers.
type testCase struct {
	path, plugin    string
	request, answer []byte
	text            string
	archive         *txtar.Archive
}

func readCases(t testing.TB) []testCase {
	t.Helper()
	paths, err := filepath.Glob("testdata/cases/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no conformance cases found: %v", err)
	}
	out := make([]testCase, len(paths))
	for i, path := range paths {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		c := testCase{path: path, archive: a}
		c.plugin, _, _ = strings.Cut(filepath.Base(path), "-")
		for _, f := range a.Files {
			body := bytes.TrimSuffix(f.Data, []byte("\n"))
			switch f.Name {
			case "request.json":
				c.request = body
			case "answer.json":
				c.answer = body
			case "text.md":
				c.text = string(body)
			default:
				t.Fatalf("%s: unknown file %q", path, f.Name)
			}
		}
		if bundled[c.plugin] == nil || c.request == nil || len(bytes.TrimSpace(a.Comment)) == 0 {
			t.Fatalf("%s: needs a bundled plugin's name, request.json and a comment that says why", path)
		}
		out[i] = c
	}
	return out
}

func TestNative(t *testing.T) {
	for name, p := range bundled {
		if r := loadRequest(t, name); r != nil {
			checkLoadAnswer(t, name, p.Answer(r))
		}
	}
	for _, c := range readCases(t) {
		t.Run(filepath.Base(c.path), func(t *testing.T) {
			got := bundled[c.plugin].Answer(c.request)
			if *update {
				c.rewriteCase(t, got)
				return
			}
			c.checkAnswer(t, got)
			if want := answerText(t, got); c.text != want {
				t.Errorf("text.md is\n%s\nbut the answer's text is\n%s", c.text, want)
			}
		})
	}
}

func TestWazero(t *testing.T) {
	ctx := context.Background()
	plugins := map[string]*host.Plugin{}
	ids := map[string]string{} // ids of environments: a host names an environment by its content
	h := newHost(t)
	for name := range bundled {
		p, err := h.Load(ctx, buildModule(t, name), host.Manifest{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		plugins[name] = p
		if files := environmentFiles(t, name); files != nil {
			e := host.NewEnvironment(files)
			found, err := p.Use(ctx, e)
			if err != nil {
				t.Fatal(err)
			}
			if ids[name] = e.ID; !strings.Contains(loads[name], `"`+found.Summary[0]+`"`) {
				t.Fatalf("%s: found %q", name, found.Summary)
			}
		}
	}
	for _, c := range readCases(t) {
		t.Run(filepath.Base(c.path), func(t *testing.T) {
			request := c.request
			if id := ids[c.plugin]; id != "" {
				request = bytes.ReplaceAll(request, []byte(`"mini"`), []byte(`"`+id+`"`))
			}
			for range 2 { // nothing of the first call may reach the second
				got, err := plugins[c.plugin].Raw(ctx, request)
				if err != nil {
					t.Fatal(err)
				}
				c.checkAnswer(t, got)
			}
		})
	}
}

// probe is a request that makes the guest try to reach the machine.
const probe = `{"op":"probe"}`

// TestSandbox runs a guest that tries to get access to the machine. The guest must find
// only the functions that ABI.md defines, and must get the same answers in every
// instance.
func TestSandbox(t *testing.T) {
	t.Setenv("SECRET", "in the environment")
	const want = `{"ok":{"args":0,"environment":0,"stdin":0,"files":false,"write":false,"clock":0,"random":"`
	wasm := buildModule(t, "internal/probe")
	h := newHost(t)
	var answers []string
	for range 2 {
		p, err := h.Load(context.Background(), wasm, host.Manifest{Name: "probe"})
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Raw(context.Background(), []byte(probe))
		if err != nil {
			t.Fatal(err)
		}
		answers = append(answers, string(got))
	}
	t.Log(answers[0])
	if !strings.HasPrefix(answers[0], want) || answers[0] != answers[1] {
		t.Errorf("native host: %s\nand: %s\nwant: %s...", answers[0], answers[1], want)
	}
}

// TestLayers checks which packages the bundled plugins link. A plugin may link most
// packages in the folder plugins, but not the hosts. Outside this folder, it may link
// only three packages.
func TestLayers(t *testing.T) {
	const ours = "github.com/boundcheck/boundcheck/"
	no := []string{"checkers", "host", "hostjs", "meter", "skeleton", "internal/catalog", "internal/metered", "internal/plugintest", "internal/probe"} // the same list as in host/build.go
	for _, name := range []string{"bundled", "bundled-code", "bundled-web", "taubench", "prompts"} {
		cmd := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "./"+name+"/guest")
		cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range strings.Fields(string(out)) {
			own, isOurs := strings.CutPrefix(path, ours)
			in, ok := strings.CutPrefix(own, "plugins/")
			leaf := slices.Contains([]string{"core/action/readcmd", "core/base/jsonval", "internal/yamljson"}, own) // the same list as in host/build.go
			if isOurs && !leaf && (!ok || slices.Contains(no, in)) {
				t.Errorf("%s links %s; it may link the plugins, the SDK, the contract and leaves", name, path)
			}
		}
	}
}

func (c testCase) checkAnswer(t *testing.T, got []byte) {
	t.Helper()
	if !bytes.Equal(got, c.answer) {
		t.Errorf("answer\n%s\nwant\n%s", got, c.answer)
	}
}

func (c testCase) rewriteCase(t *testing.T, answer []byte) {
	t.Helper()
	line := func(b []byte) []byte { return append(slices.Clone(b), '\n') }
	c.archive.Files = []txtar.File{{Name: "request.json", Data: line(c.request)}, {Name: "answer.json", Data: line(answer)}}
	if s := answerText(t, answer); s != "" {
		c.archive.Files = append(c.archive.Files, txtar.File{Name: "text.md", Data: line([]byte(s))})
	}
	if err := os.WriteFile(c.path, txtar.Format(c.archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

// answerText returns the member ok.text of an answer, or "".
func answerText(t *testing.T, answer []byte) string {
	t.Helper()
	var a struct {
		OK abi.Rendered `json:"ok"`
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		t.Fatal(err)
	}
	return a.OK.Text
}

var builds sync.Map // plugin name → func() ([]byte, error), called once

// buildModule returns the module that holds a plugin. Each module is built only once in a
// test run.
func buildModule(t testing.TB, name string) []byte {
	t.Helper()
	name = host.ModuleOf(name)
	once, _ := builds.LoadOrStore(name, sync.OnceValues(func() ([]byte, error) {
		return host.Build(context.Background(), name, "..")
	}))
	wasm, err := once.(func() ([]byte, error))()
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}

// newHost returns a host that is closed when the test ends. It takes compiled code from
// the user's cache, as the hosts in the tests of other packages do.
func newHost(t testing.TB) *host.Host {
	t.Helper()
	return openHost(t, host.Options{})
}

func openHost(t testing.TB, o host.Options) *host.Host {
	t.Helper()
	h, err := host.New(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close(context.Background()) })
	return h
}
