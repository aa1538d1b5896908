#!/bin/sh
# Builds the modules that come with boundcheck (a folder with a guest each) into
# dist/plugins, with the flags of host/build.go, and into dist/plugins/edge the Worker
# that has one of them as a static import, metered.
set -eu
cd "$(dirname "$0")/.."
mkdir -p dist/plugins/edge
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
size() { echo "$1: $(wc -c <"$1") bytes, $(gzip -9c "$1" | wc -c) gzip"; }
for guest in plugins/*/guest; do
  name=$(basename "$(dirname "$guest")")
  GOOS=wasip1 GOARCH=wasm GOWORK=off go build -trimpath -buildvcs=false -buildmode=c-shared -ldflags='-s -w' \
    -o "$tmp/linked.wasm" "./$guest"
  go run ./internal/wasmpack "$tmp/linked.wasm" "dist/plugins/$name.wasm"
  size "dist/plugins/$name.wasm"
done
sh worker/edge/plugins/build.sh dist/plugins/edge
size dist/plugins/edge/prompts.wasm
