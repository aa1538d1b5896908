package main

import (
	"runtime/debug"
	"strconv"
	"strings"
	"syscall/js"
	"unsafe"

	"github.com/boundcheck/boundcheck/core/study/lines"
	"github.com/boundcheck/boundcheck/worker/api"
	"github.com/boundcheck/boundcheck/worker/batch"
)

// exportCore sets these properties of the JavaScript object core:
//
//   - limit: the largest number of body bytes to read
//   - tooLong and lineLimit: the values TooLong and LineLimit of package batch
//   - part, order and rows: functions that make objects for the types Part, Order and
//     Rows of package batch
//   - empty: the function Empty of package batch
//
// The functions that JavaScript calls for each request are exported in another way, by
// the directive go:wasmexport.
func exportCore(core js.Value) {
	// Little data lives from one line to the next, and the heap is even smaller at first.
	// With Go's default settings, a sixth of the time would go into garbage collections.
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(40 << 20)
	core.Set("limit", api.BodyLimit+1)
	core.Set("tooLong", batch.TooLong)
	core.Set("lineLimit", batch.LineLimit)
	export := func(name string, begin func(args []js.Value) any) {
		core.Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any { return begin(args) }))
	}
	export("part", func(args []js.Value) any {
		p := batch.NewPart(&scorer, batch.File{Name: args[0].String(), Bytes: int64(args[1].Float()), Parts: args[2].Int()}, args[3].Int())
		parts.last++
		number := parts.last
		parts.all[number] = p
		object := newObject(methods{
			"refuse": func(args []js.Value) any { p.Refuse(args[0].Int(), args[1].String(), args[2].String()); return nil },
			"index":  func(args []js.Value) any { return toJS(p.Index(args[0].Int())) },
			"counts": func([]js.Value) any {
				elements, faults := p.Counts()
				return []any{elements, faults}
			},
		}, func() { delete(parts.all, number) })
		object.Set("number", number)
		return object
	})
	export("order", func([]js.Value) any {
		var o batch.Order
		return newObject(methods{
			"add":     func(args []js.Value) any { return textOr(o.Add(toGo(args[0]))) },
			"summary": func([]js.Value) any { return textOr(o.Summary()) },
			"partial": func([]js.Value) any { return textOr(o.Partial()) },
		}, nil)
	})
	export("rows", func(args []js.Value) any {
		r, err := batch.NewRows(args[0].String(), args[1].Int(), toGo(args[2]), toGo(args[3]), toGo(args[4]))
		if err != nil {
			return err.Error()
		}
		return newObject(methods{
			"next": func(args []js.Value) any { return toJS(r.Next(args[0].Int())) },
		}, nil)
	})
	export("empty", func(args []js.Value) any { return toJS(batch.Empty(args[0].String(), args[1].Int())) })
}

// textOr returns a result for JavaScript. If err is nil, this is the text as a
// Uint8Array. Otherwise it is the error message as a string.
func textOr(text []byte, err error) any {
	if err != nil {
		return err.Error()
	}
	return toJS(text)
}

type methods map[string]func(args []js.Value) any

// newObject returns a JavaScript object with the given methods and a method "end". The
// method "end" frees the memory of all methods, and calls the function end if it is not
// nil. After that, the object cannot be used.
func newObject(all methods, end func()) js.Value {
	made := js.Global().Get("Object").New()
	var funcs []js.Func
	set := func(name string, f func(args []js.Value) any) {
		funcs = append(funcs, js.FuncOf(func(_ js.Value, args []js.Value) any { return f(args) }))
		made.Set(name, funcs[len(funcs)-1])
	}
	for name, f := range all {
		set(name, f)
	}
	set("end", func([]js.Value) any {
		for _, f := range funcs {
			f.Release()
		}
		if end != nil {
			end()
		}
		return nil
	})
	return made
}

// exchange holds a request and its answer, or a chunk of a part and its rows. The shell
// writes the request into this program's own memory, and reads the answer from there. So a
// call passes only two numbers and makes no js.Value: a request would need thirty of them,
// at several microseconds each. A call never waits, so two calls never overlap.
var exchange struct {
	kept         []byte // for requests of usual size
	request      []byte
	header, body []byte // of the answer; the shell reads them before its next call

	// The address of the buffer for the request, the status of the answer, the address
	// and length of the answer's header, and those of its body. A status of 0 means that
	// there is no answer.
	places [6]uint32
}

// kept is the number of bytes of memory that always stays reserved for requests.
const kept = 64 << 10

// coreRoom prepares a buffer for a request of size bytes. It returns the address of
// exchange.places, whose first element is the address of the buffer.
//
//go:wasmexport coreRoom
func coreRoom(size int32) unsafe.Pointer {
	x := &exchange
	if x.kept == nil {
		x.kept = make([]byte, kept)
	}
	if x.request = x.kept; int(size) > kept {
		x.request = make([]byte, size)
	}
	x.places = [6]uint32{sliceAddress(x.request)}
	return unsafe.Pointer(&x.places)
}

// coreAnswer answers the request that JavaScript has written into the buffer of coreRoom.
// The request consists of a head and a body, and the parameters are their lengths in
// bytes. The head has one line each for the method, the path, the content-encoding, and
// the announced length of the body, which is negative if it is unknown.
//
//go:wasmexport coreAnswer
func coreAnswer(head, body int32) {
	x := &exchange
	a := api.Options{}.Answer(parseRequest(string(x.request[:head]), x.request[head:head+body]))
	x.request, x.header, x.body = nil, encodeHeaders(a.Header), a.Body
	x.places = [6]uint32{0, uint32(a.Status), sliceAddress(x.header), uint32(len(x.header)), sliceAddress(x.body), uint32(len(x.body))}
}

// parts holds the parts that are being scored, by the numbers that JavaScript passes.
var parts = struct {
	all  map[int32]*batch.Part
	last int32
}{all: map[int32]*batch.Part{}}

// scorer scores the lines of all parts, which may belong to several tenants. Its caches
// contain only what depends on the text of a call or of a task.
var scorer lines.Scorer

// partRoom prepares a buffer for a chunk of size bytes, and returns the address of
// exchange.places, whose first element is the address of the buffer. A chunk gets memory of
// its own, because a part may keep pieces of it.
//
//go:wasmexport partRoom
func partRoom(size int32) unsafe.Pointer {
	x := &exchange
	x.request = make([]byte, size)
	x.places = [6]uint32{sliceAddress(x.request)}
	return unsafe.Pointer(&x.places)
}

// partAdd calls the method Add of a part with the chunk in the buffer of partRoom. The
// answer has the status 1 and a body, but no header.
//
//go:wasmexport partAdd
func partAdd(number, line int32) {
	x := &exchange
	chunk := x.request
	x.request, x.header, x.body = nil, nil, parts.all[number].Add(chunk, int(line))
	x.places = [6]uint32{0, 1, 0, 0, sliceAddress(x.body), uint32(len(x.body))}
}

func sliceAddress(b []byte) uint32 { return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) }

func parseRequest(head string, body []byte) api.Request {
	method, head, _ := strings.Cut(head, "\n")
	path, head, _ := strings.Cut(head, "\n")
	encoding, length, _ := strings.Cut(head, "\n")
	n, err := strconv.ParseInt(length, 10, 64)
	if err != nil {
		n = -1
	}
	return api.Request{Method: method, Path: path, Encoding: encoding, Length: n,
		Read: func(max int) ([]byte, error) { return body[:min(len(body), max)], nil }}
}

// encodeHeaders returns headers as one text, with one header on each line. The JavaScript
// side parses each different text only once.
func encodeHeaders(headers []api.Header) []byte {
	b := make([]byte, 0, 256)
	for _, h := range headers {
		b = append(append(append(append(b, h.Name...), ": "...), h.Value...), '\n')
	}
	return b
}

func toGo(array js.Value) []byte {
	b := make([]byte, array.Length())
	js.CopyBytesToGo(b, array)
	return b
}

func toJS(b []byte) js.Value {
	array := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(array, b)
	return array
}
