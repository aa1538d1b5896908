package plugins_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/host"
	"github.com/boundcheck/boundcheck/plugins/sdk/example"
)

// TestExample checks that the example plugin of the SDK can be built and passes all
// checks. It also checks that the plugin gives the same answers in the sandbox as in
// native code.
func TestExample(t *testing.T) {
	ctx := context.Background()
	wasm, err := host.Build(ctx, "sdk/example", "..")
	if err != nil {
		t.Fatal(err)
	}
	p, all := newHost(t).Verify(ctx, wasm, host.Manifest{Name: "example"})
	for _, v := range all {
		if v.Err != nil {
			t.Errorf("%s: %v", v.Name, v.Err)
		}
	}
	if p == nil {
		t.FailNow()
	}
	t.Logf("%d checks", len(all))
	of := messageSchemas(t)
	for _, r := range []string{
		`{"op":"prompt.render","template":"calendar-rules","variables":{"owner":"Ada","rules":["a","b"]}}`,
		`{"op":"prompt.render","template":"calendar-rules"}`,
		`{"op":"tools.classify","tools":[{"name":"rsvp"},{"name":"other","description":"x","parameters":{"type":"object"}}]}`,
	} {
		got, err := p.Raw(ctx, []byte(r))
		if want := example.Plugin().Answer([]byte(r)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s\nanswers %s, %v\nwant    %s", r, got, err, want)
		}
		op := abi.OpPromptRender
		if strings.Contains(r, abi.OpToolsClassify) {
			op = abi.OpToolsClassify
		}
		for name, text := range map[string][]byte{op + ".request": []byte(r), op + ".answer": got} {
			if err := validateText(t, of(name), text); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	said, err := p.Classify(ctx, []abi.Tool{{Name: "propose_slot"}, {Name: "delete_event"}})
	if err != nil || len(said.Tools) != 1 || said.Tools[0].Mutating != "yes" {
		t.Errorf("%+v, %v", said, err)
	}
}
