#!/bin/sh
# Puts the page together: its sources as they stand, the npm package it calls,
# the headers for a static host, the example cases, and the plugins. Usage: playground/build.sh [OUTDIR]
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
out=${1:-$root/dist/playground}
mkdir -p "$out"
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
# The examples as one file, the case studies first.
rm -rf "$out/examples"
{
	comma='{'
	cases=testdata/cases
	for f in $cases/abb-missing-verification.json $cases/abb-scope-creep.json $cases/abb-granularity.json $cases/example-*.json; do
		name=${f##*/}
		printf '%s"%s":' "$comma" "${name%.json}"
		cat "$f"
		comma=','
	done
	printf '}\n'
} >"$out/examples.json"
# The page of a report that is saved as HTML, fetched when somebody saves one.
go run ./internal/savedpage >"$out/saved.json"
# Modules that are fetched when somebody asks for one, and the list of them.
rm -rf "$out/plugins"
go run ./plugins/internal/catalog "$out/plugins"
# The documentation, under /docs wherever the page is served.
go run ./internal/site "$out/docs"
# What keeps all of this for when there is no network, with the hash of each file.
go run ./internal/offline "$out"
