#!/bin/sh
# Builds the wheel, installs it into a fresh environment without network, and runs the
# package's tests there with the system's pytest. Usage: python/test.sh [PYTEST ARGUMENTS]
set -eu
cd "$(dirname "$0")/.."
python=${PYTHON:-/usr/bin/python3}
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
wheel=$(go run ./internal/wheel/make "$home")
"$python" -m venv --system-site-packages "$home/env"
"$home/env/bin/pip" install -q --no-index --disable-pip-version-check "$wheel"
PYTHONDONTWRITEBYTECODE=1 "$home/env/bin/python" -m pytest -p no:cacheprovider "$@" python/tests
