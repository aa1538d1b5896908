package sdk

import (
	"unsafe"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// A guest is one instance on one thread, so these are its whole state. They are
// package variables because exports take no receiver, and because they keep the
// buffers alive while only the host holds their addresses.
var (
	all     []*Plugin
	served  *Plugin // of all, the one that answers
	request []byte
	answer  []byte
	warmed  bool // it has been made ready, once it was asked to describe itself
)

// Serve puts plugins behind the module's exports: one, or several that share the
// module, which a host then chooses from. Call it once, from init: a reactor's main
// never runs, _initialize does.
func Serve(p ...*Plugin) { all, served = p, p[0] }

// ServeOn is like Serve, for modules whose memory hosts keep between calls, such as
// those that come with Boundcheck. Results of a first call are kept, so nothing is
// prepared in advance.
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

// spare is how large a request buffer may stay that is not needed.
const spare = 1 << 20

//go:wasmexport alloc
func exportAlloc(n uint32) uint32 {
	if n > abi.MaxMessage {
		return 0
	}
	answer = nil                                                     // no longer the host's: make room before taking more
	if c := uint32(cap(request)); c < n || c > spare && n <= spare { // an environment is loaded once: give its room back
		request = make([]byte, n)
	}
	request = request[:n]
	return address(request)
}

//go:wasmexport invoke
func exportInvoke(n uint32) uint64 {
	if n > uint32(len(request)) {
		answer = envelope(nil, Errorf(abi.CodeInvalidRequest, "%d bytes announced, %d allocated", n, len(request)))
	} else {
		if !warmed {
			warmed = true
			served.warm()
		}
		answer = served.Answer(request[:n])
	}
	return uint64(address(answer))<<32 | uint64(len(answer))
}

func address(b []byte) uint32 { return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) }
