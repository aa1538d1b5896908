#!/bin/sh
# Puts the page together: its sources as they stand, the npm package it calls,
# the headers for a static host, the example cases, and the plugins. Usage: playground/build.sh [OUTDIR]
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
out=${1:-$root/dist/playground}
mkdir -p "$out/lessons" "$out/examples"
out=$(CDPATH= cd -- "$out" && pwd)
"$root/wasm/build.sh" "$out/npm"
cd "$root"
cp playground/*.html playground/*.css playground/*.js playground/*.svg playground/_headers "$out/"
cp playground/lessons/*.json "$out/lessons/"
for f in testdata/cases/abb-*.json; do
	if [ -e "$f" ]; then cp "$f" "$out/examples/"; fi
done
# Modules that are fetched when somebody asks for one, and the list of them.
rm -rf "$out/plugins"
go run ./plugins/internal/catalog "$out/plugins"
