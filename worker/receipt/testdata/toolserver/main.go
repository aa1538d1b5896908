// Command toolserver is an example of an MCP server over standard input and output that
// runs no changing call without a receipt of the confirmation gate.
//
//	toolserver DIR SERVER ISSUER TENANT KEYS
//
// It writes refunds to DIR/ledger, and the receipts that were used to DIR/used. SERVER is
// its name at the gate and the audience of its receipts. KEYS is what receipt.ReadKeys
// reads.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/boundcheck/boundcheck/worker/receipt"
)

type server struct {
	dir, name string
	verifier  *receipt.Verifier
}

func main() {
	if len(os.Args) != 6 {
		fmt.Fprintln(os.Stderr, "usage: toolserver DIR SERVER ISSUER TENANT KEYS")
		os.Exit(2)
	}
	s := &server{dir: os.Args[1], name: os.Args[2]}
	keys, err := receipt.ReadKeys(os.Args[5])
	if err == nil {
		s.verifier, err = receipt.NewVerifier(receipt.Options{Keys: keys, Issuer: os.Args[3], Tenant: os.Args[4], Audience: s.name, Spend: s.spend})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "toolserver:", err)
		os.Exit(1)
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		if answer := s.answer(in.Bytes()); answer != nil {
			json.NewEncoder(os.Stdout).Encode(answer)
		}
	}
}

// spend marks a receipt as used. A file that must not exist yet is one step, and it is
// still there after a restart. A job may remove the files that are older than an hour.
func (s *server) spend(_ context.Context, id string, _ time.Time) (bool, error) {
	dir := filepath.Join(s.dir, "used")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return false, err
	}
	f, err := os.OpenFile(filepath.Join(dir, base64.RawURLEncoding.EncodeToString([]byte(id))), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, f.Close()
}

type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name            string          `json:"name"`
		Arguments       json.RawMessage `json:"arguments"`
		Meta            map[string]any  `json:"_meta"`
		ProtocolVersion string          `json:"protocolVersion"`
	} `json:"params"`
}

func (s *server) answer(line []byte) any {
	var r request
	if err := json.Unmarshal(line, &r); err != nil || len(r.ID) == 0 {
		return nil
	}
	result := map[string]any{}
	switch r.Method {
	case "initialize":
		result = map[string]any{"protocolVersion": r.Params.ProtocolVersion, "capabilities": map[string]any{"tools": map[string]any{}}, "serverInfo": map[string]any{"name": s.name, "version": "1"}}
	case "tools/list":
		schema := map[string]any{"type": "object"}
		result["tools"] = []any{
			map[string]any{"name": "get_order", "inputSchema": schema, "annotations": map[string]any{"readOnlyHint": true}},
			map[string]any{"name": "refund", "inputSchema": schema}, map[string]any{"name": "cancel_order", "inputSchema": schema}}
	case "tools/call":
		text, err := s.call(&r)
		if err != nil {
			text = err.Error()
		}
		result = map[string]any{"content": []any{map[string]any{"type": "text", "text": text}}, "isError": err != nil}
	}
	return map[string]any{"jsonrpc": "2.0", "id": r.ID, "result": result}
}

// call runs a call. What changes something needs a receipt.
func (s *server) call(r *request) (string, error) {
	switch r.Params.Name {
	case "get_order":
		return "an order", nil
	case "refund", "cancel_order":
		arguments, err := s.approved(r)
		if err != nil {
			return "", err
		}
		return "done", s.run(r.Params.Name, arguments)
	}
	return "", errors.New("unknown tool")
}

// approved returns the arguments for which the call has a receipt. These bytes run.
func (s *server) approved(r *request) ([]byte, error) {
	text, _ := r.Params.Meta[receipt.Meta].(string)
	exact, _ := r.Params.Meta[receipt.MetaArguments].(string)
	var said, signed bytes.Buffer // the transport may have changed line feeds between the tokens
	if json.Compact(&said, r.Params.Arguments) != nil || json.Compact(&signed, []byte(exact)) != nil || !bytes.Equal(said.Bytes(), signed.Bytes()) {
		return nil, errors.New("this tool runs only with a receipt of the gate for its arguments")
	}
	if _, err := s.verifier.Verify(context.Background(), text, receipt.MCPTool(s.name, r.Params.Name), []byte(exact)); err != nil {
		return nil, err
	}
	return []byte(exact), nil
}

func (s *server) run(tool string, arguments []byte) error {
	f, err := os.OpenFile(filepath.Join(s.dir, "ledger"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "%s %q\n", tool, arguments)
	return errors.Join(err, f.Close())
}
