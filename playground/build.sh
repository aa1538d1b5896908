#!/bin/sh
# Puts the page together: its sources as they stand, the npm package it calls,
# the headers for a static host, the example cases, and the plugins. Usage: playground/build.sh [OUTDIR]
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
out=${1:-$root/dist/playground}
mkdir -p "$out/examples"
out=$(CDPATH= cd -- "$out" && pwd)
"$root/wasm/build.sh" --page "$out/npm"
cd "$root"
cp playground/*.html playground/*.css playground/*.js playground/*.svg playground/_headers "$out/"
# A lesson is a folder; the page reads the list of them.
rm -rf "$out/lessons"
cp -R playground/lessons "$out/lessons"
lessons=$(cd "$out/lessons" && comma='' && for f in */lesson.json; do
	printf '%s"%s"' "$comma" "${f%/lesson.json}"
	comma=', '
done)
printf '[%s]\n' "$lessons" >"$out/lessons/index.json"
for f in testdata/cases/abb-*.json; do
	if [ -e "$f" ]; then cp "$f" "$out/examples/"; fi
done
# Modules that are fetched when somebody asks for one, and the list of them.
rm -rf "$out/plugins"
go run ./plugins/internal/catalog "$out/plugins"
# The documentation, under /docs wherever the page is served.
go run ./internal/site "$out/docs"
