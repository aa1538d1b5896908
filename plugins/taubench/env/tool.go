package env

import (
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/taubench/py"
)

// tool is one of the environment's functions: its parameters in the order of its
// signature, whether it writes, and its code. run raises an exception for every error.
// A string result is the answer itself; any other result is answered as JSON.
type tool struct {
	params string // separated by blanks
	writes bool
	run    func(*call) py.Value
}

// signed is a tool with its parameters split.
type signed struct {
	tool
	names []string
}

func splitSignatures(tools map[string]tool) map[string]signed {
	out := make(map[string]signed, len(tools))
	for name, t := range tools {
		out[name] = signed{t, strings.Fields(t.params)}
	}
	return out
}

type call struct {
	s    *Session
	args *py.Dict
}

// argValue returns the argument with this name. The argument always exists, because Call
// has checked the signature.
func (c *call) argValue(name string) py.Value {
	v, _ := c.args.Get(name)
	return v
}

// argKey returns an argument as the key of a table. It raises an error for an unhashable
// value.
func (c *call) argKey(name string) string {
	k, _ := py.Key(c.argValue(name))
	return k
}

// Result is the environment's answer to one call.
type Result struct {
	Output string
	Error  bool  // an error result
	Rows   []Row // the rows that the call changed; none if it left the database unchanged
	Known  bool  // the environment has this tool

	// Rewritten reports whether the text of a row changed, even if Rows is empty: the
	// same values in another order are the same state.
	Rewritten bool
}

// Call carries out one call. If the tool refuses the call, the Result says so, and err is
// nil. err is not nil if the database cannot be read. recorded is the recorded answer, or
// "" if there is none.
func (s *Session) Call(name string, args *py.Dict, recorded string) (res Result, err error) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*DataError)
			if !ok {
				panic(r)
			}
			err = e
		}
	}()
	t, ok := s.tools[name]
	if !ok {
		return Result{Output: s.dialect.unknownTool(name), Error: true}, nil
	}
	res.Known = true
	raised := py.Catch(func() {
		s.dialect.checkSignature(s.db.Domain, name, t.names, args)
		out := t.run(&call{s: s, args: args})
		if text, ok := out.(string); ok {
			res.Output = text
			return
		}
		if row, ok := out.(*py.Dict); ok && s.peeked != nil && row == s.peeked.value {
			res.Output = s.peeked.order() // the shared row has its text already
			return
		}
		if py.Reads(recorded, out) {
			res.Output = recorded
			return
		}
		res.Output = py.Dumps(out)
	})
	if raised != nil {
		res.Output, res.Error = "Error: "+raised.Text, true
	}
	res.Rows, res.Rewritten = s.settleCall()
	return res, nil
}

// checkSignature checks a call against a signature. If they do not match, it raises
// Python's TypeError.
func (d Dialect) checkSignature(domain Domain, name string, params []string, args *py.Dict) {
	for i := range args.Len() {
		if key, _ := args.At(i); !slices.Contains(params, key) {
			py.Raise("%s() got an unexpected keyword argument '%s'", d.functionName(domain, name), key)
		}
	}
	var missing []string
	for _, p := range params {
		if !args.Has(p) {
			missing = append(missing, "'"+p+"'")
		}
	}
	switch n := len(missing); n {
	case 0:
	case 1:
		py.Raise("%s() missing 1 required positional argument: %s", d.functionName(domain, name), missing[0])
	default:
		comma := map[bool]string{true: ",", false: ""}[n > 2]
		py.Raise("%s() missing %d required positional arguments: %s%s and %s", d.functionName(domain, name), n,
			strings.Join(missing[:n-1], ", "), comma, missing[n-1])
	}
}

// camelCase returns the name of the class of a tool of τ-bench. For example, the class of
// book_reservation is BookReservation.
func camelCase(name string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(name, "_") {
		if part != "" {
			fmt.Fprintf(&b, "%s%s", strings.ToUpper(part[:1]), part[1:])
		}
	}
	return b.String()
}
