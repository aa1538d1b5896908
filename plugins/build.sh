#!/bin/sh
# Builds every bundled plugin (a folder with a guest) into dist/plugins, with
# the flags of host/build.go.
set -eu
cd "$(dirname "$0")/.."
mkdir -p dist/plugins
for guest in plugins/*/guest; do
  name=$(basename "$(dirname "$guest")")
  GOOS=wasip1 GOARCH=wasm GOWORK=off go build -trimpath -buildvcs=false -buildmode=c-shared -ldflags='-s -w' \
    -o "dist/plugins/$name.wasm" "./$guest"
  echo "dist/plugins/$name.wasm: $(wc -c <"dist/plugins/$name.wasm") bytes, $(gzip -9c "dist/plugins/$name.wasm" | wc -c) gzip"
done
