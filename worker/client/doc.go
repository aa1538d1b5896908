// Package client holds only tests: the clients of the gate in TypeScript (wasm/npm/gate.js)
// and Python (python/boundcheck/gate.py) against a real gate, through a network that loses,
// doubles, delays and cuts what they send and get.
package client
