# shellcheck shell=bash
# The virtual environment: which Python, whether it is as it should be, and its installation.
# Sourced by scripts/setup.sh.

PROFILE=run      # run | dev: what the environment shall hold
VENV_WORK=none   # none | update | build
PYTHON=          # the Python to build with
PYTHON_LABEL=    # the same for people

lock_for() { # profile
    if [[ $1 == dev ]]; then say "$ROOT/requirements-dev.lock"; else say "$ROOT/requirements.lock"; fi
}

count_locked() { grep -c '^[A-Za-z0-9].*==' "$1"; }

space_for() { if [[ $1 == dev ]]; then say 2000; else say 1500; fi; }

digest() { cat "$@" | sha256sum | cut -d ' ' -f 1; }

stamp_text() { # profile: what an environment made from these files, in this place, would carry
    say "python $(readlink -f "$VENV/bin/python")"
    say "folder $ROOT"
    say "build $(digest "$ROOT/requirements-build.lock" "$ROOT/pyproject.toml")"
    say "profile $1 $(digest "$(lock_for "$1")")"
}

examine_environment() { # profile asked for: sets PROFILE, VENV_WORK, PYTHON, PYTHON_LABEL
    local found=''
    PROFILE=$1
    VENV_WORK=none
    [[ ! -e $STAMP ]] || found=$(<"$STAMP")
    # An environment for development holds all that running needs; it is never reduced.
    [[ $found != *"profile dev"* ]] || PROFILE=dev
    if ! environment_is_sound "$found"; then
        VENV_WORK=build
        choose_python
    elif [[ $found != "$(stamp_text "$PROFILE")" ]]; then
        VENV_WORK=update
    fi
}

environment_is_sound() { # stamp: whether the environment there can be kept
    [[ -x $VENV/bin/python && ! -e $UNFINISHED ]] || return 1
    if [[ -n ${DEALER_STATION_PYTHON:-} ]]; then
        local asked
        asked=$("$DEALER_STATION_PYTHON" -c 'import os, sys; print(os.path.realpath(sys.executable))' 2>/dev/null) ||
            die "DEALER_STATION_PYTHON is '$DEALER_STATION_PYTHON', which does not run"
        [[ $(readlink -f "$VENV/bin/python") == "$asked" ]] || return 1
    fi
    if [[ -n $1 ]]; then
        [[ $1 == "$(stamp_text "$PROFILE" | head -n 2)"* ]]
    else # made by hand: it must run, belong to this folder and be new enough
        local seen
        seen=$(probe_python "$VENV/bin/python") && suits "${seen% *}" &&
            [[ $(head -n 1 "$VENV/bin/pip" 2>/dev/null) == "#!$VENV/bin/"* ]]
    fi
}

probe_python() { # executable: prints "3.11 ok" or "3.11 ssl,ensurepip" (what it lacks)
    "$1" -I -c '
import sys
lacks = []
for name in ("ssl", "sqlite3", "ctypes", "venv", "ensurepip"):
    try:
        __import__(name)
    except ImportError:
        lacks.append(name)
print("%d.%d %s" % (sys.version_info[0], sys.version_info[1], ",".join(lacks) or "ok"))
' 2>/dev/null
}

suits() { # version
    [[ $1 =~ ^3\.([0-9]+)$ ]] && ((BASH_REMATCH[1] >= ${OLDEST_PYTHON#3.} && BASH_REMATCH[1] <= ${NEWEST_PYTHON#3.}))
}

choose_python() { # the newest that suits and can make environments; sets PYTHON, PYTHON_LABEL
    local name path seen fallback='' fallback_version='' turned_down=''
    local -a names=(python3.13 python3.12 python3.11 python3.14 python3)
    [[ -z ${DEALER_STATION_PYTHON:-} ]] || names=("$DEALER_STATION_PYTHON")
    for name in "${names[@]}"; do
        if ! path=$(command -v "$name") || ! seen=$(probe_python "$path"); then
            continue
        elif ! suits "${seen% *}"; then
            turned_down+="${turned_down:+, }$path is ${seen% *}"
        elif [[ ${seen#* } == ok ]]; then
            use_python "$path" "${seen% *}"
            return
        elif [[ ${seen#* } == ensurepip && $path == /usr/bin/* && -z $fallback ]]; then
            fallback=$path fallback_version=${seen% *}
        elif [[ ${seen#* } != ensurepip ]]; then
            turned_down+="${turned_down:+, }$path has no ${seen#* }"
        fi
    done
    if [[ -n $fallback ]]; then # Debian ships the making of environments apart
        MISSING+=("python$fallback_version-venv")
        use_python "$fallback" "$fallback_version"
    elif [[ -n ${DEALER_STATION_PYTHON:-} ]]; then
        die "DEALER_STATION_PYTHON is '$DEALER_STATION_PYTHON', which is no Python $OLDEST_PYTHON to $NEWEST_PYTHON with venv${turned_down:+ ($turned_down)}"
    elif [[ -n $turned_down ]]; then
        die "Python $OLDEST_PYTHON to $NEWEST_PYTHON is needed, but $turned_down: install one, or name one in DEALER_STATION_PYTHON"
    else
        MISSING+=(python3 python3-venv)
        use_python /usr/bin/python3 'of this system'
    fi
}

# shellcheck disable=SC2034 # announced in setup.sh
use_python() {
    PYTHON=$1
    PYTHON_LABEL="Python $2 ($1)"
}

pip_install() { # what is being done, then pip's arguments
    local doing=$1
    shift
    printf '\n$ pip install %s\n' "$*" >>"$LOG"
    PIP_USER=0 "$VENV/bin/python" -m pip install --disable-pip-version-check --no-input "$@" 2>&1 9<&- |
        tee -a "$LOG" | show_progress || die_from_log "$doing"
}

show_progress() { # one changing line on a terminal, nothing elsewhere
    local word name _
    while read -r word name _; do
        [[ -t 1 && $word == Collecting ]] && printf '\r\033[K  %s' "${name%%[=;]*}"
        [[ -t 1 && $word == Installing ]] && printf '\r\033[K  putting them in place'
    done
    [[ ! -t 1 ]] || printf '\r\033[K'
}

install_environment() {
    local seen
    if [[ $VENV_WORK == build ]]; then
        seen=$(probe_python "$PYTHON") || die "$PYTHON does not run"
        if ! suits "${seen% *}" || [[ ${seen#* } != ok ]]; then
            die "Python $OLDEST_PYTHON to $NEWEST_PYTHON with venv is needed, but $PYTHON is $seen: name another in DEALER_STATION_PYTHON"
        fi
        rm -rf "$VENV"
        mkdir "$VENV"
    fi
    # From here to the stamp an interruption leaves a mark, and the next start builds anew.
    : >"$UNFINISHED"
    rm -f "$STAMP"
    if [[ $VENV_WORK == build ]]; then
        say "Making the virtual environment ..."
        logged "$PYTHON" -m venv "$VENV" || die_from_log "making the virtual environment"
    fi
    say "Fetching and installing Python packages ..."
    pip_install "installing Python packages" --require-hashes --only-binary :all: \
        -r "$ROOT/requirements-build.lock" -r "$(lock_for "$PROFILE")"
    # The project itself, in place: with the locked build tools, fetching nothing.
    pip_install "installing the project itself" --no-index --no-deps --no-build-isolation --editable "$ROOT"
    stamp_text "$PROFILE" >"$STAMP"
    rm -f "$UNFINISHED"
}
