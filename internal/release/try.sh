#!/bin/sh
# Builds the release for this platform into build/release and tests its program in an empty
# folder. The program has no network if this system allows user namespaces.
set -eu
cd "$(dirname "$0")/../.."
go run ./internal/release -out build/release -targets "$(go env GOOS)/$(go env GOARCH)"
go test -c -o build/release/try.test ./internal/release
archive=$(echo "$PWD"/build/release/boundcheck_*.tar.gz)
cd internal/release
if unshare -rn sh -c 'ip link set lo up' 2>/dev/null; then
	echo "without network:"
	BOUNDCHECK_RELEASE=$archive unshare -rn sh -c 'ip link set lo up && exec ../../build/release/try.test -test.v -test.run Released'
else
	echo "SKIPPED: this system has no user namespaces, so the program is tested WITH network"
	BOUNDCHECK_RELEASE=$archive ../../build/release/try.test -test.v -test.run Released
fi
