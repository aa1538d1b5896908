package mcp

import (
	"encoding/base64"
	"math/big"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// modernVersion is the stateless revision that this proxy supports.
const modernVersion = "2026-07-28"

// legacyVersions holds the revisions with a handshake, newest first.
var legacyVersions = []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

func allVersions() []string { return append([]string{modernVersion}, legacyVersions...) }

func isKnownVersion(version string, list []string) bool {
	for _, v := range list {
		if v == version {
			return true
		}
	}
	return false
}

// The reserved members of _meta.
const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaClient       = "io.modelcontextprotocol/clientInfo"
	metaServer       = "io.modelcontextprotocol/serverInfo"
)

// singleValue returns the value of a header, or "" if the header is missing. The result
// ok is false if the header appears more than once.
func singleValue(h http.Header, name string) (value string, ok bool) {
	all := h.Values(name)
	if len(all) == 0 {
		return "", true
	}
	return all[0], len(all) == 1
}

// isModernMessage reports whether a message belongs to the modern revision. Such a
// message has a version in its body, or a version header that does not name an older
// revision.
func isModernMessage(h http.Header, m *message) bool {
	version, _ := singleValue(h, "MCP-Protocol-Version")
	if m.params.At("_meta", metaVersion).Exists() {
		return true
	}
	return version != "" && !isKnownVersion(version, legacyVersions)
}

// checkHeaders compares the headers that repeat values of the body with the body. Modern
// requests must have these headers. A header that differs from the body is an error.
func checkHeaders(h http.Header, m *message, isModern bool) *fault {
	request := m.id.Exists() && m.method != ""
	version, once := singleValue(h, "MCP-Protocol-Version")
	if !once {
		return invalidFault(codeHeader, "header mismatch: the header MCP-Protocol-Version is given more than once")
	}
	if isModern && request {
		if f := checkVersion(version, m); f != nil {
			return f
		}
	}
	if f := checkMirrored(h, "Mcp-Method", m.method, isModern && request, false); f != nil {
		return f
	}
	name, named := "", true
	switch m.method {
	case "tools/call", "prompts/get":
		name, _ = m.params.Get("name").Str()
	case "resources/read":
		name, _ = m.params.Get("uri").Str()
	case "tasks/get", "tasks/update", "tasks/cancel":
		name, _ = m.params.Get("taskId").Str()
	default:
		named = false
	}
	if !named && len(h.Values("Mcp-Name")) == 0 {
		return nil
	}
	return checkMirrored(h, "Mcp-Name", name, isModern && request && named, true)
}

func checkVersion(version string, m *message) *fault {
	body, ok := m.params.At("_meta", metaVersion).Str()
	switch {
	case !ok && version != modernVersion:
		return unsupportedVersion(version)
	case !ok:
		return checkBodyVersion(m, true)
	case version == "":
		return invalidFault(codeHeader, "header mismatch: the header MCP-Protocol-Version is missing, but the body says %q", body)
	case version != body:
		return invalidFault(codeHeader, "header mismatch: the header MCP-Protocol-Version says %q, but the body says %q", version, body)
	}
	return checkBodyVersion(m, true)
}

// checkBodyVersion returns an error if a request of the modern revision does not say so
// completely in its body. A transport without headers needs no other check.
func checkBodyVersion(m *message, isModern bool) *fault {
	meta := m.params.Get("_meta")
	body, ok := meta.Get(metaVersion).Str()
	switch {
	case !isModern || !m.id.Exists() || m.method == "":
	case !ok:
		return invalidFault(codeParams, "invalid params: _meta must have the string member %q", metaVersion)
	case meta.Get(metaCapabilities).Kind() != jsonval.Object:
		return invalidFault(codeParams, "invalid params: _meta must have the object member %q", metaCapabilities)
	case body != modernVersion:
		return unsupportedVersion(body)
	}
	return nil
}

// unsupportedVersion is the answer to a request of a revision that the gate does not know.
func unsupportedVersion(version string) *fault {
	f := invalidFault(codeUnsupported, "unsupported protocol version %.40q", version)
	f.data = map[string]any{"supported": allVersions(), "requested": version}
	return f
}

// checkMirrored returns an error if the value of a header differs from want, the value in
// the body. If required is true, the header must exist. If encoded is true, the header
// may be in Base64.
func checkMirrored(h http.Header, header, want string, required, encoded bool) *fault {
	got, once := singleValue(h, header)
	switch {
	case !once:
		return invalidFault(codeHeader, "header mismatch: the header %s is given more than once", header)
	case len(h.Values(header)) == 0 && !required:
		return nil
	case len(h.Values(header)) == 0:
		return invalidFault(codeHeader, "header mismatch: the header %s is missing, but the body says %q", header, want)
	}
	if encoded {
		var ok bool
		if got, ok = decodeValue(got); !ok {
			return invalidFault(codeHeader, "header mismatch: the header %s contains invalid characters or invalid Base64", header)
		}
	}
	if got != want {
		return invalidFault(codeHeader, "header mismatch: the header %s says %q, but the body says %q", header, got, want)
	}
	return nil
}

// decodeValue returns the value of a header. It decodes the text in a value of the form
// =?base64?…?=. The bool is false if the value is invalid.
func decodeValue(s string) (string, bool) {
	inner, framed := strings.CutPrefix(s, "=?base64?")
	if inner, framed = cutSuffixIf(inner, "?=", framed); framed {
		b, err := base64.StdEncoding.Strict().DecodeString(inner)
		return string(b), err == nil && utf8.Valid(b)
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; c != '\t' && (c < ' ' || c > '~') {
			return "", false
		}
	}
	return s, true
}

func cutSuffixIf(s, suffix string, framed bool) (string, bool) {
	if !framed {
		return s, false
	}
	return strings.CutSuffix(s, suffix)
}

// parameter is an argument that a tool's schema requires to be mirrored into a header.
type parameter struct {
	header string
	path   []string
	kind   string
}

// mirroredParameters returns the arguments that clients must repeat in headers. In the
// schema, the annotation x-mcp-header marks such an argument. ok is false if the
// definition of the tool is invalid: an annotation breaks a rule, or it does not belong
// to one of the schema's properties.
func mirroredParameters(schema jsonval.Value) (out []parameter, ok bool) {
	ok = true
	seen := map[string]bool{}
	var walk func(v jsonval.Value, path []string, reachable bool)
	walk = func(v jsonval.Value, path []string, reachable bool) {
		if v.Kind() == jsonval.Array {
			v.Each(func(_ string, m jsonval.Value) bool { walk(m, nil, false); return ok })
			return
		}
		if v.Kind() != jsonval.Object {
			return
		}
		if mark := v.Get("x-mcp-header"); mark.Exists() {
			name, text := mark.Str()
			kind := v.Get("type").Text()
			lower := strings.ToLower(name)
			ok = ok && text && reachable && len(path) > 0 && isToken(name) && !seen[lower] && (kind == "string" || kind == "integer" || kind == "boolean")
			seen[lower] = true
			out = append(out, parameter{"Mcp-Param-" + name, path, kind})
		}
		v.Each(func(key string, m jsonval.Value) bool {
			if key != "properties" {
				if key != "default" && key != "enum" && key != "const" && key != "examples" {
					walk(m, nil, false)
				}
				return ok
			}
			m.Each(func(name string, p jsonval.Value) bool {
				walk(p, append(path[:len(path):len(path)], name), reachable)
				return ok
			})
			return ok
		})
	}
	walk(schema, []string{}, true)
	return out, ok
}

// isToken reports whether s can be part of a header's name.
func isToken(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0) {
			return false
		}
	}
	return s != ""
}

// checkParameters compares the arguments that are repeated in headers with these headers.
func checkParameters(h http.Header, list []parameter, arguments jsonval.Value) *fault {
	for _, p := range list {
		v := arguments.At(p.path...)
		got, once := singleValue(h, p.header)
		present := len(h.Values(p.header)) > 0
		absent := !v.Exists() || v.Kind() == jsonval.Null
		switch {
		case !once:
			return invalidFault(codeHeader, "header mismatch: the header %s is given more than once", p.header)
		case absent && present:
			return invalidFault(codeHeader, "header mismatch: the header %s is given, but the argument %s is missing", p.header, strings.Join(p.path, "."))
		case absent:
			continue
		case !present:
			return invalidFault(codeHeader, "header mismatch: the header %s for the argument %s is missing", p.header, strings.Join(p.path, "."))
		}
		text, ok := decodeValue(got)
		if !ok || !sameValue(text, v) {
			return invalidFault(codeHeader, "header mismatch: the header %s differs from the argument %s", p.header, strings.Join(p.path, "."))
		}
	}
	return nil
}

// sameValue reports whether a header's text is the same as an argument. Numbers are
// compared by value.
func sameValue(text string, v jsonval.Value) bool {
	if v.Kind() != jsonval.Number {
		return text == v.Text()
	}
	const longest = 64
	if len(text) > longest || len(v.Raw()) > longest || strings.ContainsAny(text+v.Raw(), "eE/_xX") {
		return text == v.Raw()
	}
	a, okA := new(big.Rat).SetString(text)
	b, okB := new(big.Rat).SetString(v.Raw())
	return okA && okB && a.Cmp(b) == 0
}
