//go:build !js

package gate

import (
	"strings"
	"testing"
)

// TestOldServers checks that sse+URL names a server with the transport of 2024-11-05.
func TestOldServers(t *testing.T) {
	f := mcpFlags{servers: []string{"shop=sse+https://shop.example/sse", "new=https://new.example/mcp"}}
	all, err := f.readServers()
	if err != nil || len(all) != 2 || all[0].Transport == nil || all[1].Transport != nil {
		t.Errorf("%+v %v", all, err)
	}
	f.servers = []string{"shop=sse+http://shop.example/sse"}
	if _, err := f.readServers(); err == nil || !strings.Contains(err.Error(), "invalid --mcp shop") {
		t.Error(err)
	}
}
