package settings

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	doc, err := os.ReadFile("../../docs/deploy.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, s := range All() {
		if seen[s.Variable] || s.Value == "" || !strings.HasPrefix(s.Variable, "BOUNDCHECK_") {
			t.Errorf("a bad row: %+v", s)
		}
		seen[s.Variable] = true
		if s.Secret && s.Flag != "" {
			t.Errorf("%s: a secret has no flag", s.Variable)
		}
		if !strings.Contains(string(doc), "`"+s.Variable+"`") {
			t.Errorf("docs/deploy.md does not name %s", s.Variable)
		}
	}
}

func TestValues(t *testing.T) {
	vars := map[string]string{URL: "https://g.example", Webhooks: "a=https://a b=https://b", Aux: "https://m small", Explain: "on",
		MCP: "shop=https://s.example/mcp trust form\n\nfiles=https://f.example host-asks\n", Slack: "\ntenant=a x=1\n tenant=b\n", Secret: "ignored: it has no flag", Ask: " page "}
	all, err := Values(func(v string) string { return vars[v] })
	want := "[{url https://g.example} {webhook a=https://a} {webhook b=https://b} {slack tenant=a x=1} {slack tenant=b} {ask page} {aux https://m} {aux-model small} {explain true} " +
		"{mcp shop=https://s.example/mcp} {mcp-trust shop} {mcp-form shop} {mcp files=https://f.example} {mcp-host-asks files}]"
	if got := fmt.Sprint(all); err != nil || got != want {
		t.Errorf("%s, %v\nwant %s", got, err, want)
	}
	for variable, text := range map[string]string{Aux: "https://m", Explain: "yes", MCP: "a=b trusted"} {
		if _, err := Values(func(v string) string { return map[string]string{variable: text}[v] }); err == nil || !strings.Contains(err.Error(), variable) {
			t.Errorf("%s=%s: %v", variable, text, err)
		}
	}
}
