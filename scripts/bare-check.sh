#!/usr/bin/env bash
# Proves that ./run and ./test work on a bare Debian: a minimal system in a folder, Python, and a
# clone of this repository's last commit. Needs root, debootstrap and about 3 GB.
#
#   scripts/bare-check.sh [--suite NAME] [--without-python] [--setup-only] [--keep]
#
# Package sources, certificates and pip's settings are the ones this machine uses.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
suite=bookworm
keep=no
setup_only=no
python=yes
arguments=("$@")
while (($#)); do
    case $1 in
        --suite) suite=${2:?--suite needs a name}; shift ;;
        --keep) keep=yes ;;
        --setup-only) setup_only=yes ;;
        --without-python) python=no ;;
        -h | --help) sed -n '2,7s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
        *) echo "bare-check: unknown argument '$1'; see --help" >&2; exit 2 ;;
    esac
    shift
done
[[ $(id -u) == 0 ]] || { echo "bare-check: needs root (debootstrap and chroot)" >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "bare-check: install debootstrap first: apt-get install debootstrap" >&2; exit 1; }

# In namespaces of its own: no mount and no process is left behind, however this ends.
if [[ -z ${BARE_CHECK_INSIDE:-} ]]; then
    exec env BARE_CHECK_INSIDE=yes unshare --mount --pid --fork --kill-child --propagation private --mount-proc \
        "${BASH_SOURCE[0]}" "${arguments[@]}"
fi

work=$(mktemp -d "${TMPDIR:-/tmp}/bare-check.XXXXXX")
bare=$work/system

take_down() {
    if [[ $keep == yes ]]; then
        echo "bare-check: kept $work"
        return
    fi
    # Deepest first; nothing is removed while a folder of this machine still shows inside.
    awk -v below="$work/" 'index($2, below) == 1 { print $2 }' /proc/mounts | sort -r | xargs -r umount
    rm -rf --one-file-system "$work"
}
trap take_down EXIT

# The first source apt knows for the suite; with none, the first source that is no security archive.
mirror() {
    apt-get indextargets --format "\$(CODENAME) \$(REPO_URI)" 'Created-By: Packages' |
        awk -v suite="$suite" '
            $1 == suite { print $2; found = 1; exit }
            $1 !~ /security|updates/ && !other { other = $2 }
            END { if (!found) print other }'
}

copy_machine_settings() {
    local path
    for path in /etc/resolv.conf /etc/hosts /etc/pip.conf /etc/xdg/pip /root/.config/pip \
        /root/.pip /etc/ssl/certs /usr/local/share/ca-certificates /usr/share/ca-certificates; do
        [[ -e $path ]] || continue
        mkdir -p "$bare$(dirname "$path")"
        cp -aLT "$path" "$bare$path" 2>/dev/null || true # dangling certificate links are of no use
    done
    # shellcheck source=/dev/null
    if [[ $suite == "$(. /etc/os-release && echo "${VERSION_CODENAME:-}")" ]]; then
        rm -rf "$bare/etc/apt/sources.list"
        for path in sources.list sources.list.d trusted.gpg.d keyrings auth.conf.d; do
            [[ -e /etc/apt/$path ]] && cp -aT "/etc/apt/$path" "$bare/etc/apt/$path"
        done
        cp -a /usr/share/keyrings/. "$bare/usr/share/keyrings/"
    fi
    local settings=/etc/apt/apt.conf.d
    # Only how to fetch, not what else the machine hooks into apt.
    grep -lsE '^Acquire::|^APT::Sandbox' "$settings"/* | while read -r path; do
        grep -E '^Acquire::|^APT::Sandbox' "$path" >"$bare$settings/$(basename "$path")"
    done
}

local_indexes() { # folders that pip's settings name, if any
    { pip config list 2>/dev/null || python3 -m pip config list 2>/dev/null || true; env | grep ^PIP_ || true; } |
        grep -oE "(file://)?/[^ '\",]+" | sed 's#^file://##' | sort -u |
        while read -r path; do
            # A file:// index ends in /simple and refers to its neighbours.
            [[ $path == */simple ]] && path=$(dirname "$path")
            [[ -d $path && $path != /etc/* && $path != / ]] && echo "$path"
        done | sort -u
}

inside() { # command: runs it in the bare system as a new login would, with this machine's pip and certificate settings
    local -a settings=()
    local line
    while IFS= read -r line; do
        settings+=("$line")
    done < <(env | grep -iE '^(PIP_[A-Z_]+|[a-z]+_proxy|SSL_CERT_(FILE|DIR)|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|CI)=' || true)
    env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        LANG=C.UTF-8 "${settings[@]}" chroot "$bare" bash -c "cd /root/dealer-station && $1"
}

step() { # title, command
    local start=$EPOCHREALTIME code=0
    echo "=== $1"
    inside "$2" </dev/null || code=$?
    printf '=== %s: exit %d after %.1f s\n' "$1" "$code" "$(awk "BEGIN{print $EPOCHREALTIME - $start}")"
    ((code == 0)) || failed=yes
}

echo "=== bare $suite system in $bare"
debootstrap --variant=minbase "$suite" "$bare" "$(mirror)" >"$work/debootstrap.log" 2>&1 ||
    { tail -5 "$work/debootstrap.log" >&2; exit 1; }
copy_machine_settings
mount -t proc proc "$bare/proc"
mount -t sysfs -o ro sysfs "$bare/sys"
mount -t tmpfs -o mode=755 dev "$bare/dev"
mkdir "$bare/dev/pts" "$bare/dev/shm"
# Terminals of its own: the simulated devices live on them.
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$bare/dev/pts"
mount -t tmpfs shm "$bare/dev/shm"
mknod -m 666 "$bare/dev/null" c 1 3
mknod -m 666 "$bare/dev/zero" c 1 5
mknod -m 666 "$bare/dev/full" c 1 7
mknod -m 666 "$bare/dev/random" c 1 8
mknod -m 666 "$bare/dev/urandom" c 1 9
mknod -m 666 "$bare/dev/tty" c 5 0
ln -s pts/ptmx "$bare/dev/ptmx"
ln -s /proc/self/fd "$bare/dev/fd"
ln -s /proc/self/fd/0 "$bare/dev/stdin"
ln -s /proc/self/fd/1 "$bare/dev/stdout"
ln -s /proc/self/fd/2 "$bare/dev/stderr"
while read -r folder; do # a package index in this machine's folders, read-only
    mkdir -p "$bare$folder"
    mount --bind -o ro "$folder" "$bare$folder"
done < <(local_indexes)
git clone --quiet "$root" "$bare/root/dealer-station"

failed=no
[[ $python == no ]] || step "install Python" "apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends python3 >/dev/null"
inside "python3 --version || true; dpkg-query -W | wc -l | sed 's/\$/ system packages before/'"
step "help installs nothing" "./run --help && test ! -e .venv"
if [[ $setup_only == yes ]]; then
    step "set-up without network" "! unshare --net ./run --setup-only"
    step "first set-up" "./run --setup-only"
    step "second set-up" "./run --setup-only"
else
    step "first start" "./run --rounds 3"
    step "second start" "./run --rounds 3"
    step "second set-up" "./run --setup-only"
fi
step "cameras and barcodes load" ".venv/bin/python -c 'import cv2, pyzbar.pyzbar'"
step "a window offscreen" "QT_QPA_PLATFORM=offscreen .venv/bin/python -c '
from PySide6.QtGui import QGuiApplication
from PySide6.QtQuick import QQuickView
application, view = QGuiApplication([]), QQuickView()
view.show()
application.processEvents()
assert view.isVisible()
'"
if [[ $setup_only == yes ]]; then
    step "set-up of the tests" "./test --setup-only"
else
    step "tests" "./test"
fi
step "size" "du -sh .venv"
[[ $failed == no ]]
