#!/bin/sh
# Builds the page: it joins the page's modules into one script for each document, and adds the npm
# package, the headers for a static host, the example cases and the plugins.
# Usage: playground/build.sh [--first|--plugins] [OUTDIR]
# --first leaves the plugins as they are, and --plugins builds only them. So a server can offer the
# page before the plugins are built: their list is empty until then.
set -eu
part=
case ${1:-} in --first | --plugins)
	part=$1
	shift
	;;
esac
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
out=${1:-$root/dist/playground}
mkdir -p "$out"
out=$(CDPATH= cd -- "$out" && pwd)
if [ "$out" = "$root/playground" ]; then
	echo 'playground/build.sh: want a folder other than that of the sources' >&2
	exit 2
fi
cd "$root"
build_page() {
	"$root/wasm/build.sh" --page "$out/npm"
	rm -f "$out"/*.js
	cp playground/*.html playground/*.css playground/*.svg playground/_headers "$out/"
	go run ./internal/pagescript "$out"
	# Each lesson is a folder. The page reads lessons/index.json, the list of the folders.
	rm -rf "$out/lessons"
	cp -R playground/lessons "$out/lessons"
	lessons=$(cd "$out/lessons" && comma='' && for f in */lesson.json; do
		printf '%s"%s"' "$comma" "${f%/lesson.json}"
		comma=', '
	done)
	printf '[%s]\n' "$lessons" >"$out/lessons/index.json"
	# All examples in one file. The case studies are first.
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
	# The page for a report that is saved as HTML. The browser fetches it when a reader saves a report.
	go run ./internal/savedpage >"$out/saved.json"
	# The documentation, in docs/ next to the page.
	go run ./internal/site "$out/docs"
}
if [ "$part" != --plugins ]; then build_page; fi
# The plugins' modules, which are fetched on request, and their list.
rm -rf "$out/plugins.new"
if [ "$part" != --first ]; then
	go run ./plugins/internal/catalog "$out/plugins.new"
	rm -rf "$out/plugins"
	mv "$out/plugins.new" "$out/plugins"
fi
# The service worker, which stores these files for use without a network, with the hash of each file.
go run ./internal/offline "$out"
