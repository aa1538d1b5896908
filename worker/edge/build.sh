#!/bin/sh
# Builds the Cloudflare Worker into OUTDIR (default: dist/worker of this
# repository): the Go program as app.wasm, its glue, and the shell. Its folder batches
# contains the Worker of batches and that of scores, which have one program.
#
#   worker/edge/build.sh [OUTDIR [main|batches]]    (one of them; else both)
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
out=${1:-$root/dist/worker}
which=${2:-both}
mkdir -p "$out"
out=$(cd "$out" && pwd)

# The generator empties the folder that it writes to, so it gets one of its own.
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

# Without inlining the program is a seventh smaller. The packages that take most of the
# time are inlined. net/http is inlined as well: only then are its variables laid out at
# build time, which keeps a good part of crypto out of the program.
flags='-gcflags=all=-l'
text='bytes encoding/binary internal/bytealg internal/byteorder internal/stringslite strings unicode/utf8'
for package in net/http runtime github.com/boundcheck/boundcheck/core/base/jsonval $text; do
  flags="$flags -gcflags=$package="
done

cd "$root"
go tool workers-assets-gen -mode=go -o "$tmp/gen"

# module links a program into a folder, with its tags and flags.
module() {
  to=$1 tags=$2
  shift 2
  GOOS=js GOARCH=wasm go build -tags "$tags" -trimpath "$@" -ldflags='-s -w' -o "$tmp/linked.wasm" ./worker/edge
  go run ./internal/wasmpack "$tmp/linked.wasm" "$to/app.wasm"
}

if [ "$which" != batches ]; then
  module "$out" nethttpomithttp2 $flags
  for file in "$here"/*.mjs; do
    case "${file##*/}" in batchshell.mjs | scoreshell.mjs) continue ;; esac
    cp "$file" "$out/"
  done
  cp "$tmp/gen/worker.mjs" "$tmp/gen/runtime.mjs" "$tmp/gen/wasm_exec.js" "$out/"
fi

# The core alone is small, so all of it is inlined: it scores a third faster.
if [ "$which" != main ]; then
  mkdir -p "$out/batches"
  module "$out/batches" batches
  for name in batchshell scoreshell batches batchquota batchstate batchwork busy core go keys turns; do
    cp "$here/$name.mjs" "$out/batches/"
  done
  cp "$tmp/gen/wasm_exec.js" "$out/batches/"
fi
