package cli

import "testing"

// TestPluginTest checks that "plugin test" runs cases against a bundled plugin and
// against a module in a file, and that it fails if the answer to a case is wrong.
func TestPluginTest(t *testing.T) {
	dir := t.TempDir()
	const cases = "../../plugins/testdata/cases/"
	mustRunPlugin(t, exitOK, "ok      ", "test", "prompts", cases+"prompts-describe.txtar", cases+"prompts-judge.txtar")
	spoilFile(t, dir, "calbench.wasm", string(calbenchModule("1.0.0")))
	spoilFile(t, dir, "good.txtar", "-- request.json --\n{}\n-- answer.json --\n"+string(calbenchAnswer)+"\n")
	mustRunPlugin(t, exitOK, "good.txtar", "test", dir+"/calbench.wasm", dir)
	mustRunPlugin(t, exitOK, "median", "bench", dir+"/calbench.wasm", dir)
	spoilFile(t, dir, "other.txtar", "-- request.json --\n{}\n-- answer.json --\n{\"ok\":1}\n")
	mustRunPlugin(t, exitInput, "1 of 2 cases failed", "test", dir+"/calbench.wasm", dir)
	spoilFile(t, dir, "half.txtar", "-- request.json --\n{}\n")
	mustRunPlugin(t, exitInput, "want a case with request.json and answer.json", "test", dir+"/calbench.wasm", dir)
	mustRunPlugin(t, exitInput, "no cases in", "test", dir+"/calbench.wasm", t.TempDir())
	mustRunPlugin(t, exitUsage, "missing FILE.wasm or NAME, and CASES", "test", dir+"/calbench.wasm")
}

const calbenchAnswer = `{"ok":{"abi":1,"name":"calbench","version":"1.0.0","summary":"","operations":["describe"]}}`
