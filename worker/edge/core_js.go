package main

import (
	"strings"
	"syscall/js"

	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/worker/api"
	"github.com/boundcheck/boundcheck/worker/batch"
)

// exportCore gives the shell its properties: limit, the number of body bytes to
// read at most; answer, which returns status, header lines and body; batch, which
// scores lines of JSONL; and tally, which makes corpus figures.
func exportCore(core js.Value) {
	core.Set("limit", api.BodyLimit+1)
	core.Set("answer", js.FuncOf(func(_ js.Value, args []js.Value) any {
		a := api.Options{}.Answer(request(args))
		return []any{a.Status, lines(a.Header), toJS(a.Body)}
	}))
	core.Set("batch", js.FuncOf(func(_ js.Value, args []js.Value) any {
		chunk := make([]byte, args[0].Length())
		js.CopyBytesToGo(chunk, args[0])
		return string(wire.Marshal(batch.Score(chunk)))
	}))
	core.Set("tally", js.FuncOf(func(js.Value, []js.Value) any { return exportTally() }))
}

// exportTally makes an object that adds lists of summaries, gives the figures, and
// is no longer of use after end.
func exportTally() js.Value {
	var t batch.Tally
	var add, corpus, end js.Func
	add = js.FuncOf(func(_ js.Value, args []js.Value) any {
		if err := t.Add([]byte(args[0].String())); err != nil {
			return err.Error()
		}
		return ""
	})
	corpus = js.FuncOf(func(js.Value, []js.Value) any { return string(t.Corpus(0)) })
	end = js.FuncOf(func(js.Value, []js.Value) any {
		add.Release()
		corpus.Release()
		end.Release()
		return nil
	})
	object := js.Global().Get("Object").New()
	object.Set("add", add)
	object.Set("corpus", corpus)
	object.Set("end", end)
	return object
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
