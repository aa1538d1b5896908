package plugin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/words"
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/host"
)

// verifiedPlugin is the output of "plugin verify --format json".
type verifiedPlugin struct {
	Name   string       `json:"name"`
	OK     bool         `json:"ok"`
	Failed int          `json:"failed"`
	Checks []checkedRow `json:"checks"`
}

type checkedRow struct {
	Name  string    `json:"name"`
	OK    bool      `json:"ok"`
	Note  string    `json:"note,omitempty"`
	Code  host.Code `json:"code,omitempty"`
	Error string    `json:"error,omitempty"`
}

func (f *pluginFlags) runVerify(s pluginStreams) error {
	ctx := context.Background()
	name, wasm, err := f.findModule(ctx, f.args[0], s.stderr)
	if err != nil {
		return err
	}
	manifest, err := cmd.LockOf{File: f.lock, Locked: f.locked}.PinManifest(host.Manifest{Name: name})
	if err != nil {
		return err
	}
	h, err := host.New(ctx, host.Options{})
	if err != nil {
		return err
	}
	defer h.Close(ctx)
	_, all := h.Verify(ctx, wasm, manifest)
	v := verifiedPlugin{Name: name}
	for _, c := range all {
		v.Checks = append(v.Checks, rowOf(c))
		if c.Err != nil {
			v.Failed++
		}
	}
	v.OK = v.Failed == 0
	if f.format == "json" {
		err = promptJSON(s.stdout, v)
	} else {
		err = v.writeTable(s.stdout)
	}
	if err == nil && !v.OK {
		err = v.PrintFailures(s.stderr)
	}
	return err
}

func rowOf(c host.Verified) checkedRow {
	r := checkedRow{Name: c.Name, OK: c.Err == nil, Note: c.Note}
	var e *host.Error
	if errors.As(c.Err, &e) {
		r.Code, r.Error = e.Code, e.Msg
	} else if c.Err != nil {
		r.Error = c.Err.Error()
	}
	return r
}

func (v *verifiedPlugin) writeTable(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, c := range v.Checks {
		if c.OK {
			fmt.Fprintf(w, "ok\t%s\t%s\n", words.Printable(c.Name), words.Printable(c.Note))
		} else {
			fmt.Fprintf(w, "FAILED\t%s\t%s (%s)\n", words.Printable(c.Name), words.Printable(c.Error), words.Printable(string(c.Code)))
		}
	}
	if v.OK {
		fmt.Fprintf(w, "%s holds: %s\n", v.Name, words.Count(len(v.Checks), "check", "checks"))
	}
	return w.Flush()
}

// PrintFailures prints the failed checks once more, for logs that keep only errors.
func (v *verifiedPlugin) PrintFailures(stderr io.Writer) error {
	for _, c := range v.Checks {
		if !c.OK {
			fmt.Fprintf(stderr, "boundcheck plugin: plugin %q: %s: %s (%s)\n", v.Name, words.Printable(c.Name), words.Printable(c.Error), words.Printable(string(c.Code)))
		}
	}
	return errPluginSaid
}

// runOperation carries out "plugin run".
func (f *pluginFlags) runOperation(s pluginStreams) error {
	if f.op == "" {
		return pluginMisuse{"missing --op OP, as in --op " + abi.OpDescribe}
	}
	request, err := f.ReadRequest(s.stdin)
	if err != nil {
		return err
	}
	return f.withPlugin(s, func(ctx context.Context, p *host.Plugin) error {
		if f.env != "" {
			if request, err = f.UseEnvironment(ctx, p, request); err != nil {
				return err
			}
		}
		answer, err := p.Run(ctx, f.op, request)
		if answer != nil { // a refusal by the plugin is also an answer
			s.stdout.Write(append(printableJSON(answer), '\n'))
		}
		return err
	})
}

// UseEnvironment lets the plugin use the environment in the folder of --env-data. If the
// request names no environment, UseEnvironment adds the id of this environment to the
// request and returns it.
func (f *pluginFlags) UseEnvironment(ctx context.Context, p *host.Plugin, request []byte) ([]byte, error) {
	e, err := p.EnvironmentDir(f.env)
	if err != nil {
		return nil, err
	}
	if _, err := p.Use(ctx, e); err != nil {
		return nil, err
	}
	var named struct{ Environment *string }
	if err := json.Unmarshal(request, &named); err != nil || named.Environment != nil {
		return request, nil // the plugin reports what is wrong with the request
	}
	member := fmt.Sprintf(`,"environment":%q}`, e.ID)
	return append(bytes.TrimSuffix(bytes.TrimSpace(request), []byte("}")), member...), nil
}

// ReadRequest reads the request, which must be a JSON object. If the object has no member
// "op", ReadRequest adds "op" as the first member. It returns an error if the object has
// another op.
func (f *pluginFlags) ReadRequest(stdin io.Reader) ([]byte, error) {
	head, err := json.Marshal(abi.Request{Op: f.op})
	if err != nil || len(f.args) < 2 {
		return head, err
	}
	name := f.args[1]
	data, err := cmd.ReadFile(name, stdin)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", name, cmd.FileCause(err))
	}
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	var members map[string]json.RawMessage
	var syntax *json.SyntaxError
	if err := json.Unmarshal(data, &members); errors.As(err, &syntax) {
		line, column := jsonPosition(data, int(syntax.Offset)-1)
		return nil, fmt.Errorf("%s: line %d, column %d: invalid JSON: %v", name, line, column, syntax)
	} else if err != nil || members == nil {
		return nil, fmt.Errorf("%s: invalid request: want a JSON object", name)
	}
	raw, there := members["op"]
	var op string
	switch {
	case there && (json.Unmarshal(raw, &op) != nil || op != f.op):
		return nil, pluginMisuse{fmt.Sprintf("the request in %s has op %s, but --op is %q", name, raw, f.op)}
	case there:
		return data, nil
	case len(members) == 0:
		return head, nil
	}
	return append(append(head[:len(head)-1], ','), data[1:]...), nil
}

// printableJSON makes a JSON text safe for a terminal. It replaces characters that are
// not printable by JSON escapes with the same meaning.
func printableJSON(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for _, r := range string(b) {
		switch {
		case unicode.IsPrint(r) || r < ' ': // JSON has control characters only between its tokens
			if r < ' ' && r != '\n' && r != '\t' {
				r = ' '
			}
			out = utf8.AppendRune(out, r)
		case r > 0xffff:
			a, b := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, a, b)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
}
