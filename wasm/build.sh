#!/bin/sh
# Builds the npm package: the core as wasm, the building Go's own wasm_exec.js,
# and the client's files as they stand. Usage: wasm/build.sh [OUTDIR]
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
out=${1:-$root/dist/npm}
mkdir -p "$out"
out=$(CDPATH= cd -- "$out" && pwd)
cd "$root"
# Where no time is spent the module is smaller without inlining: 100 kB gzip less,
# and a results file is scored in the same time.
flags=
for package in encoding/json time archive/zip fmt; do
	flags="$flags -gcflags=$package=-l"
done
for package in readcmd mutation reference proposal; do
	flags="$flags -gcflags=github.com/boundcheck/boundcheck/core/$package=-l"
done
GOOS=js GOARCH=wasm go build -trimpath $flags -ldflags='-s -w' -o "$out/boundcheck.wasm" ./wasm
go run ./internal/wasmpack "$out/boundcheck.wasm" "$out/boundcheck.wasm"
# The support file must be of the same Go version as the module, so it is never in git.
cp "$(go env GOROOT)/lib/wasm/wasm_exec.js" "$out/wasm_exec.js"
chmod u+w "$out/wasm_exec.js"
# The plugin host is modules; a worker made from a Blob can import none.
{
	printf '%s\n' '// Made of plugins/hostjs.' '(() => {'
	for f in claims wasi host environment shelf; do
		awk '/^import /{next} {sub(/^export /, "")} 1' "plugins/hostjs/$f.mjs"
	done
	printf '%s\n' 'globalThis.boundcheckPlugins = shelf;' '})();'
} >"$out/plugins.js"
for f in package.json README.md client.js worker.js index.d.ts types.d.ts abi.d.ts; do
	cp "wasm/npm/$f" "$out/$f"
done
cp LICENSE "$out/LICENSE"
