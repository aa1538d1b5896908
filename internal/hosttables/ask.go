package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// ask installs the package of a server, starts it, and returns its answer to tools/list.
// It reads all pages of the answer.
func (s *server) ask(installed string) (raw []byte, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	if installed == "" {
		if installed, err = os.MkdirTemp("", "hosttables"); err != nil {
			return nil, err
		}
		defer os.RemoveAll(installed)
		install := exec.CommandContext(ctx, "npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", installed, s.Package+"@"+s.Version)
		if out, err := install.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("npm: %w: %.200s", err, out)
		}
	}
	program, err := s.program(installed)
	if err != nil {
		return nil, err
	}
	ctx, cancel = context.WithTimeout(ctx, 40*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", append([]string{program}, s.Args...)...)
	cmd.Dir = os.TempDir()
	cmd.WaitDelay = time.Second
	cmd.Env = append(os.Environ(), "NO_UPDATE_NOTIFIER=1", "HOME="+os.TempDir())
	for name, value := range s.Env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { stdout.Close() }) // a child of the server may hold the pipe
	defer func() {
		stop()
		stdin.Close() // ends the children, too
		stdout.Close()
		cancel()
		_ = cmd.Wait()
	}()
	return talk(stdin, bufio.NewReader(stdout))
}

// program returns the file that node runs for the package.
func (s *server) program(installed string) (string, error) {
	folder := filepath.Join(installed, "node_modules", filepath.FromSlash(s.Package))
	data, err := os.ReadFile(filepath.Join(folder, "package.json"))
	if err != nil {
		return "", err
	}
	var p struct{ Bin any }
	if err := json.Unmarshal(data, &p); err != nil {
		return "", err
	}
	switch bin := p.Bin.(type) {
	case string:
		return filepath.Join(folder, bin), nil
	case map[string]any:
		for name, file := range bin {
			if text, ok := file.(string); ok && (s.Bin == "" || s.Bin == name) {
				return filepath.Join(folder, text), nil
			}
		}
	}
	return "", fmt.Errorf("the package %s has no program", s.Package)
}

// talk speaks the Model Context Protocol over a server's standard streams.
func talk(to io.Writer, from *bufio.Reader) ([]byte, error) {
	id := 0
	call := func(method string, params any) (json.RawMessage, error) {
		id++
		request, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
		if _, err := to.Write(append(request, '\n')); err != nil {
			return nil, err
		}
		for {
			line, err := from.ReadBytes('\n')
			if err != nil {
				return nil, err
			}
			var m struct {
				ID     *int
				Result json.RawMessage
				Error  any
			}
			if json.Unmarshal(line, &m) == nil && m.ID != nil && *m.ID == id && (m.Result != nil || m.Error != nil) {
				if m.Error != nil {
					return nil, fmt.Errorf("%s: %v", method, m.Error)
				}
				return m.Result, nil
			}
		}
	}
	if _, err := call("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "hosttables", "version": "1"}}); err != nil {
		return nil, err
	}
	if _, err := io.WriteString(to, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"); err != nil {
		return nil, err
	}
	var all []json.RawMessage
	cursor := ""
	for {
		params := map[string]any{}
		if cursor != "" {
			params["cursor"] = cursor
		}
		result, err := call("tools/list", params)
		if err != nil {
			return nil, err
		}
		var page struct {
			Tools      []json.RawMessage
			NextCursor string
		}
		if err := json.Unmarshal(result, &page); err != nil {
			return nil, err
		}
		all = append(all, page.Tools...)
		if cursor = page.NextCursor; cursor == "" {
			return json.Marshal(map[string]any{"tools": all})
		}
	}
}
