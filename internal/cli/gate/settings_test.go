//go:build !js

package gate

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/worker/settings"
)

// TestGateSettings checks that the gate reads each setting from its flag. If the flag is
// not given, it reads the setting from the environment variable that the Worker also
// uses.
func TestGateSettings(t *testing.T) {
	for _, s := range settings.All() {
		t.Setenv(s.Variable, "")
		if s.Flag != "" && !strings.Contains(gateUsage, "--"+s.Flag+" ") {
			t.Errorf("the usage does not name --%s", s.Flag)
		}
	}
	t.Setenv(settings.Rate, "7")
	t.Setenv(settings.Upstream, "https://model.example/v1")
	t.Setenv(settings.Ask, "page")
	t.Setenv(settings.Wait, "30s")
	t.Setenv(settings.Explain, "on")
	t.Setenv(settings.Aux, "https://aux.example/v1 small")
	t.Setenv(settings.Embed, "https://e.example/v1 e")
	t.Setenv(settings.Blocks, "8")
	t.Setenv(settings.Budget, "1000")
	t.Setenv(settings.Reflect, "think")
	t.Setenv(settings.Webhooks, "a=https://a.example b=https://b.example")
	t.Setenv(settings.MCP, "shop=https://s.example/mcp trust\nfiles=https://f.example/mcp form")
	t.Setenv(settings.URL, "https://gate.example")
	f, err := readGateFlags([]string{"--db", "x", "--rate", "9", "--mcp", "own=https://own.example/mcp"})
	if err != nil {
		t.Fatal(err)
	}
	if f.limits.rate != 9 || len(f.mcp.servers) != 1 || f.mcp.trusted != nil {
		t.Errorf("a flag that is given counts alone: %+v %+v", f.limits, f.mcp)
	}
	if p := f.proxy; f.url != "https://gate.example" || len(f.hooks) != 2 || p.ask != "page" || p.wait.Seconds() != 30 || !p.explain || p.auxModel != "small" || p.embedM != "e" ||
		p.blocks != 8 || p.budget != 1000 || p.reflect != "think" || p.upstream != "https://model.example/v1" {
		t.Errorf("%+v %+v", f, p)
	}
	if f, err := readGateFlags([]string{"--dev"}); err != nil || f.proxy.upstream != "" || f.url != "" {
		t.Errorf("--dev reads the environment: %+v, %v", f, err)
	}
	t.Setenv(settings.Rate, "many")
	if _, err := readGateFlags([]string{"--db", "x"}); err == nil || !strings.Contains(err.Error(), "invalid BOUNDCHECK_RATE") {
		t.Errorf("a wrong rate: %v", err)
	}
	t.Setenv(settings.Policy, `{"mode":"loose"}`)
	if _, err := (&gateFlags{}).readPolicy(); err == nil || !strings.Contains(err.Error(), "invalid BOUNDCHECK_POLICY") {
		t.Errorf("a wrong policy: %v", err)
	}
}
