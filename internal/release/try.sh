#!/bin/sh
# Builds the release of this platform into build/release and tries its program in an
# empty folder, without network where user namespaces are allowed.
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
	echo "SKIPPED: no user namespaces here, the network is NOT taken away"
	BOUNDCHECK_RELEASE=$archive ../../build/release/try.test -test.v -test.run Released
fi
