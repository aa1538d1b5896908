// Package plugins holds what the core must not know: one ABI, its hosts, the guest SDK
// and the bundled plugins.
//
//	ABI.md    the contract, enough to write a plugin in any language
//	abi       the same contract as Go types; standard library only
//	sdk       guest side: a plugin as a table of operations
//	host      native host; only this package imports wazero
//	hostjs    the same host over a JavaScript engine's own WebAssembly
//	meter     makes a module count its work, so that any host can stop it
//	bundled   a module that holds several of the plugins, as do bundled-code and bundled-web
//	prompts   a bundled plugin: logic here, its main in prompts/guest
//	taubench  the checker for τ-bench and τ²: runs replayed on their databases
//	webarena  the checker for runs in a browser
//	osworld   the checker for runs with mouse and keyboard
//
// Imports: prompts → sdk → abi ← host. A plugin never imports a host, and a host never
// imports a plugin. The cases in testdata run on every host and must return the same
// bytes.
package plugins
