#!/bin/sh
# Builds the npm package: the core as wasm, wasm_exec.js of the Go installation that builds
# it, and the unchanged files of the client. Usage: wasm/build.sh [--page|--core|--trace] [OUTDIR]
# --page builds only what the page needs: no command, and a smaller core in two modules.
# --core builds the package without the command, which takes longest to build. --trace builds
# only the page's core as one module that records which functions are called.
set -eu
tags=library what=
case ${1:-} in
--page | --trace) tags=page what=$1 ;;
--core) what=$1 ;;
esac
if [ -n "$what" ]; then shift; fi
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
out=${1:-$root/dist/npm}
mkdir -p "$out"
out=$(CDPATH= cd -- "$out" && pwd)
cd "$root"
# These packages need little time, so they are compiled without inlining. This saves 100 kB
# of gzip, and scoring a results file takes the same time.
flags=
for package in encoding/json encoding/csv time archive/zip fmt os io/fs path path/filepath internal/poll reflect github.com/tidwall/pretty; do
	flags="$flags -gcflags=$package=-l"
done
for package in core core/action/readcmd core/action/mutation core/ref/reference core/gate/proposal core/read/mapping core/config core/ref/linearize core/study/compare core/base/repair core/explain core/stage/attribution core/stage/equivalence core/stage/relation core/stage/proof core/read/react core/read/calltext core/trajectory core/read core/score core/stage/respell core/read/envelope core/read/records core/read/shape core/read/engine core/read/several core/read/format core/base/literal core/stage/violation core/action/boundary core/study/tally core/math/metric core/study/deviation core/action/provenance core/gate/dialogue core/base/path core/study/label core/stage/judge core/study/lines core/action/kind core/action/notation core/action/pairing core/base/codes core/base/colors core/base/units core/base/zones core/stage/story core/action/requests core/action/heard core/action/limits core/action/utterance core/action/deed core/base/tongues core/action/participle core/action/argname core/action/uses core/stage/sentences core/report core/read/failure core/read/othertext core/read/byshape core/study/causes core/study/fork core/read/spent core/stage/took core/action/verbs core/base/match core/reading core/math/stats core/base/dates core/base/wordlist core/base/packed core/base/concurrent core/action/similarity core/stage/checker core/wire plugins/abi plugins/checkers plugins/meter core/action/speaker core/base/secrets core/stage/motion core/read/written core/action/handing internal/export internal/words; do
	flags="$flags -gcflags=github.com/boundcheck/boundcheck/$package=-l"
done
# Remarks and sources in the tables that stay in the module are for people who read them in the repository.
remarks=$out/remarks
mkdir -p "$remarks"
{
	printf '{"Replace":{'
	n=0
	for table in core/action/mutation/words.txt core/action/mutation/hosts.txt core/action/mutation/servers.txt core/action/mutation/redis.txt core/action/verbs/names.txt; do
		n=$((n + 1))
		awk '/^#/{print "#"; next} /^source /{print "source"; next} 1' "$table" >"$remarks/$n.txt"
		if [ $n -gt 1 ]; then printf ,; fi
		printf '"%s":"%s"' "$root/$table" "$remarks/$n.txt"
	done
	printf '}}\n'
} >"$remarks/overlay.json"
# go build keeps an output of the same sources, also if wasmpack has changed it since. So it
# writes to another file.
GOOS=js GOARCH=wasm go build -tags "$tags" -overlay "$remarks/overlay.json" -trimpath $flags -ldflags='-s -w' -o "$out/linked.wasm" ./wasm
case $what in
--page) go run ./internal/wasmpack -no-lines -seldom wasm/seldom.txt -second "$out/seldom.wasm" -text github.com/boundcheck/boundcheck/core/action/verbs.readText=core/action/verbs/verbs.txt -text github.com/boundcheck/boundcheck/core/base/codes.codesFile=core/base/codes/codes.txt -text github.com/boundcheck/boundcheck/core/action/utterance.wordsFile=core/action/utterance/words.txt -text github.com/boundcheck/boundcheck/core/action/verbs.oppositesFile=core/action/verbs/opposites.txt -text github.com/boundcheck/boundcheck/core/stage/violation.wordsFile=core/stage/violation/words.txt -text github.com/boundcheck/boundcheck/core/action/readcmd.tableFile=core/action/readcmd/table.txt -text github.com/boundcheck/boundcheck/core/gate/proposal.confusablesFile=core/gate/proposal/confusables.bin -text github.com/boundcheck/boundcheck/core/base/tongues.tonguesFile=core/base/tongues/tongues.txt -text github.com/boundcheck/boundcheck/core/base/tongues.rolesFile=core/base/tongues/roles.txt -text github.com/boundcheck/boundcheck/core/base/tongues.speakersFile=core/base/tongues/speakers.txt -text github.com/boundcheck/boundcheck/core/base/tongues.outcomesFile=core/base/tongues/outcomes.txt -text github.com/boundcheck/boundcheck/core/action/handing.wordsFile=core/action/handing/words.txt "$out/linked.wasm" "$out/boundcheck.wasm" ;;
--trace) go run ./internal/wasmpack -trace "$out/linked.wasm" "$out/traced.wasm" ;;
*) go run ./internal/wasmpack -no-lines "$out/linked.wasm" "$out/boundcheck.wasm" ;;
esac
rm -rf "$out/linked.wasm" "$remarks"
# The support file must be of the same Go version as the module, so it is never in git.
cp "$(go env GOROOT)/lib/wasm/wasm_exec.js" "$out/wasm_exec.js"
chmod u+w "$out/wasm_exec.js"
if [ "$what" = --trace ]; then exit; fi
# The plugin host consists of modules. A worker made from a Blob cannot import modules, so the host becomes one script.
{
	printf '%s\n' '// Made of plugins/hostjs.' '(() => {'
	for f in claims wasi host environment shelf; do
		awk '/^import /{next} {sub(/^export /, "")} 1' "plugins/hostjs/$f.mjs"
	done
	printf '%s\n' 'globalThis.boundcheckPlugins = shelf;' '})();'
} >"$out/plugins.js"
for f in package.json README.md wasm/npm/*.js wasm/npm/*.d.ts; do
	cp "wasm/npm/${f#wasm/npm/}" "$out/"
done
cp LICENSE "$out/LICENSE"
if [ -z "$what" ]; then
	GOOS=js GOARCH=wasm go build -trimpath $flags -ldflags="-s -w ${BOUNDCHECK_LDFLAGS:-}" -o "$out/command.wasm" ./cmd/boundcheck
	go run ./internal/wasmpack "$out/command.wasm" "$out/command.wasm"
	gzip -9 -n -f "$out/command.wasm"
fi
