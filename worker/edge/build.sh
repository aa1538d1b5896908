#!/bin/sh
# Builds the Cloudflare Worker into OUTDIR (default: dist/worker of this
# repository): the Go program as app.wasm, its glue, and the shell.
#
#   worker/edge/build.sh [OUTDIR]
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
out=${1:-$root/dist/worker}
mkdir -p "$out"
out=$(cd "$out" && pwd)

# The generator empties the folder that it writes to, so it gets one of its own.
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

# Without inlining the program is a seventh smaller; where the time goes it stays.
# net/http needs it too: its variables are laid out at build time only so, and
# keep a good part of crypto from being linked.
flags='-gcflags=all=-l'
text='bytes encoding/binary internal/bytealg internal/byteorder internal/stringslite strings unicode/utf8'
for package in net/http runtime github.com/boundcheck/boundcheck/core/jsonval $text; do
  flags="$flags -gcflags=$package="
done

cd "$root"
go tool workers-assets-gen -mode=go -o "$tmp/gen"
GOOS=js GOARCH=wasm go build -tags nethttpomithttp2 -trimpath $flags -ldflags='-s -w' -o "$tmp/linked.wasm" ./worker/edge
go run ./internal/wasmpack "$tmp/linked.wasm" "$tmp/app.wasm"
cp "$tmp/gen/worker.mjs" "$tmp/gen/runtime.mjs" "$tmp/gen/wasm_exec.js" "$tmp/app.wasm" "$here"/*.mjs "$out/"
