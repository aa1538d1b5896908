package plugin

import (
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/clitest"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

// TestPluginTest checks that "plugin test" runs cases against a bundled plugin and
// against a module in a file, and that it fails if the answer to a case is wrong.
func TestPluginTest(t *testing.T) {
	dir := t.TempDir()
	const cases = "../../../plugins/testdata/cases/"
	mustRunPlugin(t, cmd.ExitOK, "ok      ", "test", "prompts", cases+"prompts-describe.txtar", cases+"prompts-judge.txtar")
	clitest.SpoilFile(t, dir, "calbench.wasm", string(clitest.CalbenchModule("1.0.0")))
	clitest.SpoilFile(t, dir, "good.txtar", "-- request.json --\n{}\n-- answer.json --\n"+string(calbenchAnswer)+"\n")
	mustRunPlugin(t, cmd.ExitOK, "good.txtar", "test", dir+"/calbench.wasm", dir)
	mustRunPlugin(t, cmd.ExitOK, "median", "bench", dir+"/calbench.wasm", dir)
	clitest.SpoilFile(t, dir, "other.txtar", "-- request.json --\n{}\n-- answer.json --\n{\"ok\":1}\n")
	mustRunPlugin(t, cmd.ExitInput, "1 of 2 cases failed", "test", dir+"/calbench.wasm", dir)
	clitest.SpoilFile(t, dir, "half.txtar", "-- request.json --\n{}\n")
	mustRunPlugin(t, cmd.ExitInput, "want a case with request.json and answer.json", "test", dir+"/calbench.wasm", dir)
	mustRunPlugin(t, cmd.ExitInput, "no cases in", "test", dir+"/calbench.wasm", t.TempDir())
	mustRunPlugin(t, cmd.ExitUsage, "missing FILE.wasm or NAME, and CASES", "test", dir+"/calbench.wasm")
}

const calbenchAnswer = `{"ok":{"abi":1,"name":"calbench","version":"1.0.0","summary":"","operations":["describe"]}}`
