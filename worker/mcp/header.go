package mcp

import (
	"errors"
	"net/http"
	"net/textproto"
	"strings"
)

// Variable returns the name of the environment variable that holds the headers for a
// server. On Cloudflare Workers it is the name of a secret. The headers are not a
// command-line argument, because other users of a machine can see the arguments of its
// processes.
func Variable(name string) string {
	return "BOUNDCHECK_MCP_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// ReadHeader parses lines of the form "Header: value".
func ReadHeader(text string) (http.Header, error) {
	out := http.Header{}
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		key, value, ok := strings.Cut(line, ":")
		if key, value = strings.TrimSpace(key), strings.TrimSpace(value); !ok || key == "" || value == "" || strings.ContainsAny(key, " \t") {
			return nil, errors.New(`each line must have the form "Header: value"`)
		}
		key = textproto.CanonicalMIMEHeaderKey(key)
		out[key] = append(out[key], value)
	}
	return out, nil
}
