#!/usr/bin/env bash
# Writes the lock files anew from pyproject.toml: exact versions with hashes, no index addresses.
# scripts/lock.sh [--upgrade]: without --upgrade, versions stay where pyproject.toml allows.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
cd "$root"

tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
uv=$(command -v uv || true)
[[ ! -x .venv/bin/uv ]] || uv=$root/.venv/bin/uv
if [[ -z $uv ]]; then
    echo "Fetching uv into a folder of its own ..."
    "${DEALER_STATION_PYTHON:-python3}" -m venv "$tools/venv"
    "$tools/venv/bin/pip" install --quiet uv
    uv=$tools/venv/bin/uv
fi

compile() { # output, then arguments
    local output=$1
    shift
    "$uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes \
        --no-header --no-annotate --no-emit-index-url --no-emit-find-links \
        --output-file "$output" "$@"
    if grep -nE '://|^--' "$output"; then
        echo "lock: $output holds an address or an index option (above); look at the settings of pip and uv" >&2
        exit 1
    fi
    echo "$output: $(grep -c '==' "$output") packages"
}

compile requirements.lock pyproject.toml "$@"
compile requirements-dev.lock pyproject.toml --group dev --constraint requirements.lock "$@"
# What builds the project itself (build-system.requires), with the versions the others have.
awk -F '[][]' '/^requires *=/ { gsub(/", *"/, "\n", $2); gsub(/"/, "", $2); print $2; exit }' pyproject.toml >"$tools/build.in"
compile requirements-build.lock "$tools/build.in" --constraint requirements-dev.lock "$@"
