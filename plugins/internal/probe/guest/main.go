//go:build wasip1

// Command guest is a plugin that tries to use everything that a plugin must not have,
// and reports what it got. Tests build it; it is not shipped.
package main

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/sdk"
)

// loot reports what a guest can reach.
type loot struct {
	Args        int    `json:"args"`
	Environment int    `json:"environment"`
	Stdin       int    `json:"stdin"`
	Files       bool   `json:"files"`
	Write       bool   `json:"write"`
	Clock       int64  `json:"clock"`
	Random      string `json:"random"`
}

func init() {
	sdk.Serve(&sdk.Plugin{
		Description: abi.Description{Name: "probe", Version: "1.0.0"},
		Ops: map[string]sdk.Op{
			"probe":             func([]byte) (any, error) { return reachOutside(), nil },
			abi.OpToolsClassify: sdk.Typed(classifyTools),

			abi.OpEquivalenceCheck: sdk.Typed(misbehave),
		},
		Decode: decodeProbe,
	})
}

func reachOutside() loot {
	l := loot{Args: len(os.Args), Environment: len(os.Environ()), Clock: time.Now().Unix()}
	l.Stdin, _ = os.Stdin.Read(make([]byte, 16))
	_, err := os.ReadDir("/")
	l.Files = err == nil
	l.Write = os.WriteFile("/tmp/probe", nil, 0o600) == nil
	time.Sleep(time.Hour) // returns at once, or the deadline ends the call
	b := make([]byte, 8)
	rand.Read(b)
	l.Random = hex.EncodeToString(b)
	return l
}

// misbehave does something wrong, depending on the name of the task. It runs forever,
// uses up the memory, excuses a row that does not exist, or panics. For the task calm it
// answers normally.
func misbehave(r abi.CheckRequest) (abi.Check, error) {
	switch r.Task {
	case "forever":
		for {
		}
	case "memory":
		for all := [][]byte{}; ; {
			all = append(all, make([]byte, 1<<24))
		}
	case "calm":
		return abi.Check{}, nil
	case "claim":
		return abi.Check{Excused: []abi.Excuse{{Row: 7, Stage: abi.StageState}}}, nil
	}
	panic("boom")
}

// classifyTools answers yes for a tool that mentions a rocket, and no for any other tool.
// For the tool get_stuck it never returns, and for the tool get_broken it panics.
func classifyTools(r abi.ClassifyRequest) (abi.Classified, error) {
	out := abi.Classified{Tools: []abi.Classification{}}
	for _, t := range r.Tools {
		c := abi.Classification{Name: t.Name, Mutating: "no", Reason: "nothing flies"}
		switch t.Name {
		case "get_stuck":
			for {
			}
		case "get_broken":
			panic("boom")
		}
		if strings.Contains(t.Name+t.Description, "rocket") {
			c = abi.Classification{Name: t.Name, Mutating: "yes", Reason: "a rocket does not come back"}
		}
		out.Tools = append(out.Tools, c)
	}
	return out, nil
}

// decodeProbe reads calls in a format for tests. The first line is PROBE, and each line
// after it is the name of a call. The file may also be JSON, for example {"probe":
// "get_order cancel_order"}.
func decodeProbe(f abi.File) (abi.Decoded, error) {
	head, lines, _ := strings.Cut(string(f.Data), "\n")
	var spelt struct{ Probe string }
	if json.Unmarshal(f.Data, &spelt) == nil && spelt.Probe != "" {
		head, lines = "PROBE", spelt.Probe
	}
	if head != "PROBE" {
		return abi.Decoded{}, sdk.Errorf(abi.CodeUnknownFormat, "it does not begin with PROBE")
	}
	type call struct {
		Name      string            `json:"name"`
		Arguments map[string]string `json:"arguments"`
	}
	calls := []call{}
	for name := range strings.FieldsSeq(lines) {
		calls = append(calls, call{name, map[string]string{}})
	}
	trace, err := json.Marshal(calls)
	return abi.Decoded{Format: "probe", Trace: trace}, err
}

func main() {}
