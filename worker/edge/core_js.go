package main

import (
	"strings"
	"syscall/js"

	"github.com/boundcheck/boundcheck/worker/api"
)

// exportCore gives the shell two properties: limit, the number of body bytes to
// read at most, and answer, which returns status, header lines and body.
func exportCore(core js.Value) {
	core.Set("limit", api.BodyLimit+1)
	core.Set("answer", js.FuncOf(func(_ js.Value, args []js.Value) any {
		a := api.Options{}.Answer(request(args))
		return []any{a.Status, lines(a.Header), toJS(a.Body)}
	}))
}

// lines writes headers as one text, since each value that crosses costs about a
// microsecond and the shell can remember what it has read before.
func lines(headers []api.Header) string {
	var b strings.Builder
	for _, h := range headers {
		b.WriteString(h.Name + ": " + h.Value + "\n")
	}
	return b.String()
}

// request reads answer's arguments: method, path, content-encoding, announced
// length (negative when unknown), and the body as a Uint8Array.
func request(args []js.Value) api.Request {
	return api.Request{
		Method:   args[0].String(),
		Path:     args[1].String(),
		Encoding: args[2].String(),
		Length:   int64(args[3].Float()),
		Read: func(max int) ([]byte, error) {
			b := make([]byte, min(args[4].Length(), max))
			js.CopyBytesToGo(b, args[4])
			return b, nil
		},
	}
}

func toJS(b []byte) js.Value {
	array := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(array, b)
	return array
}
