# shellcheck shell=bash
# Set-up shared by ./run and ./test: system packages, a virtual environment, the locked packages.
# To be sourced by bash. The one thing to call is `set_up run` or `set_up dev`; it says what it
# will install, installs what is missing and returns, or explains in one line why it cannot.
#
# DEALER_STATION_PYTHON names the Python to use. pip's and apt's own settings are respected.

set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
VENV=$ROOT/.venv
STAMP=$VENV/.dealer-station-set-up
UNFINISHED=$VENV/.dealer-station-unfinished # there while the environment is being changed
LOG=$ROOT/build/setup.log
OLDEST_PYTHON=3.11
NEWEST_PYTHON=3.14

# shellcheck source=scripts/system-packages.sh
source "$ROOT/scripts/system-packages.sh"
# shellcheck source=scripts/python-environment.sh
source "$ROOT/scripts/python-environment.sh"

say() { printf '%s\n' "$*"; }

die() { # one line: what is wrong, and what to do about it
    printf 'dealer-station: %s\n' "$*" >&2
    exit 1
}

logged() { # command: its output goes to the log; its status is returned
    printf '\n$ %s\n' "$*" >>"$LOG"
    "$@" >>"$LOG" 2>&1 9<&-
}

log_says() { # pattern: whether the last command in the log printed it
    local last
    last=$(awk '/^\$ / { text = "" } { text = text "\n" $0 } END { print text }' "$LOG")
    grep -qiE "$1" <<<"$last"
}

# Messages that apt-get, pip and the kernel give when there is no way out, or no room left.
NO_NETWORK='could not resolve|temporary failure (in name )?resol|name or service not known|unable to connect|could not connect|failed to establish a new connection|network is unreachable|connection (refused|timed out)|read timed out|proxyerror|cannot initiate the connection|getaddrinfo'
NO_SPACE='no space left on device|enough free space|disk quota exceeded'

die_from_log() { # what was being done
    log_says "$NO_SPACE" && die "no space left on the disk while $1: free some and start again (log: $LOG)"
    log_says "$NO_NETWORK" && die "no network while $1: check the connection, the proxy and the package sources, then start again (log: $LOG)"
    log_says 'THESE PACKAGES DO NOT MATCH THE HASHES' && die "a downloaded package differs from the lock file while $1: nothing of it was installed; check the package source (log: $LOG)"
    die "failed while $1: $(tail -n 40 "$LOG" | grep -iE '^(E:|ERROR)' | tail -n 1) (log: $LOG)"
}

require_space() { # megabytes
    local folder free
    for folder in "$ROOT" "${TMPDIR:-/tmp}"; do
        free=$(df -Pm "$folder" 2>/dev/null | awk 'NR == 2 { print $4 }')
        [[ -z $free || $free -ge $1 ]] ||
            die "not enough space in $folder: $1 MB are needed, $free MB are free"
    done
}

only_one_at_a_time() { # the lock is this file itself, so none is left lying about
    command -v flock >/dev/null || return 0
    exec 9<"$ROOT/scripts/setup.sh"
    flock --nonblock 9 && return 0
    say "Another set-up is at work here; waiting for it."
    flock 9
}

announce() { # profile
    say "Dealer Station has to set something up first. It will install:"
    if ((${#MISSING[@]})); then
        say "  system packages, with apt-get:"
        local package
        for package in "${MISSING[@]}"; do
            printf '    %-22s %s\n' "$package" "$(purpose_of "$package")"
        done
    fi
    if [[ $VENV_WORK != none ]]; then
        say "  Python packages into $VENV (nothing outside it):"
        say "    $(count_locked "$(lock_for "$1")") packages of $(basename "$(lock_for "$1")"), each checked by its hash"
        [[ $VENV_WORK == update ]] || say "    with ${PYTHON_LABEL}"
    fi
}

set_up() { # run | dev
    local profile=$1
    only_one_at_a_time
    find_missing_packages "$profile"
    examine_environment "$profile"
    if ((${#MISSING[@]})) || [[ $VENV_WORK != none ]]; then
        announce "$PROFILE"
        [[ $VENV_WORK == none ]] || require_space "$(space_for "$PROFILE")"
        ((${#MISSING[@]} == 0)) || require_rights
        { mkdir -p "$ROOT/build" && : >"$LOG"; } 2>/dev/null ||
            die "cannot write to $ROOT: use an account that may, or copy the project elsewhere"
        ((${#MISSING[@]} == 0)) || install_missing_packages
        [[ $VENV_WORK == none ]] || install_environment
        say "Set-up done."
    fi
    command -v flock >/dev/null && exec 9<&-
    return 0
}
