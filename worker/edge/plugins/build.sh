#!/bin/sh
# Builds the plugins' Worker into OUTDIR (default: dist/plugins/edge): the prompts
# module, metered, the JavaScript host and the shell.
#
#   worker/edge/plugins/build.sh [OUTDIR]
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
out=${1:-$root/dist/plugins/edge}
mkdir -p "$out"
out=$(cd "$out" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

cd "$root"
GOOS=wasip1 GOARCH=wasm GOWORK=off go build -trimpath -buildvcs=false -buildmode=c-shared -ldflags='-s -w' -o "$tmp/linked.wasm" ./plugins/prompts/guest
go run ./internal/wasmpack "$tmp/linked.wasm" "$tmp/packed.wasm"
go run ./plugins/internal/metered "$tmp/packed.wasm" "$out/prompts.wasm"
cp plugins/hostjs/host.mjs plugins/hostjs/claims.mjs plugins/hostjs/wasi.mjs "$here"/*.mjs "$out/"
