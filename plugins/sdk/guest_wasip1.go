package sdk

import (
	"unsafe"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// The whole state of a guest, which is one instance on one thread. These are package
// variables because exports have no receiver, and because they keep the buffers alive
// while only the host holds their addresses.
var (
	all     []*Plugin
	served  *Plugin // the selected plugin
	request []byte
	answer  []byte
	warmed  bool // warmUp has run, at the first describe
)

// Serve makes the module answer as one plugin. If there are several plugins, the host
// selects one of them. Call Serve once, from init, because main never runs in a
// WebAssembly reactor.
func Serve(p ...*Plugin) { all, served = p, p[0] }

// ServeOn does the same as Serve, for a module whose memory hosts keep between calls.
// Such a module keeps the data of its first call, so ServeOn leaves out the preparation
// by warmUp.
func ServeOn(p ...*Plugin) {
	Serve(p...)
	warmed = true
}

//go:wasmexport boundcheck_plugins
func exportPlugins() uint32 { return uint32(len(all)) }

//go:wasmexport boundcheck_select
func exportSelect(i uint32) { served = all[i] }

//go:wasmexport boundcheck_abi
func exportVersion() uint32 { return abi.Version }

// spare is the largest size of a request buffer that is kept although it is larger than
// needed.
const spare = 1 << 20

//go:wasmexport alloc
func exportAlloc(n uint32) uint32 {
	if n > abi.MaxMessage {
		return 0
	}
	answer = nil                                                     // the host no longer needs it: free it before allocating more
	if c := uint32(cap(request)); c < n || c > spare && n <= spare { // an environment is loaded once: free its large buffer
		request = make([]byte, n)
	}
	request = request[:n]
	return sliceAddress(request)
}

//go:wasmexport invoke
func exportInvoke(n uint32) uint64 {
	if n > uint32(len(request)) {
		answer = encodeAnswer(nil, Errorf(abi.CodeInvalidRequest, "invoke was called with %d bytes, but only %d bytes are allocated", n, len(request)))
	} else {
		if !warmed {
			warmed = true
			served.warmUp()
		}
		answer = served.Answer(request[:n])
	}
	return uint64(sliceAddress(answer))<<32 | uint64(len(answer))
}

func sliceAddress(b []byte) uint32 { return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) }
