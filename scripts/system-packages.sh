# shellcheck shell=bash
# Debian and Ubuntu packages: which are needed, which are missing, and their installation.
# Sourced by scripts/setup.sh.

# package | shared library, where there is no dpkg to ask | purpose
SYSTEM_PACKAGES='
libglib2.0-0     | libglib-2.0.so.0    | base library of Qt and OpenCV
libgl1           | libGL.so.1          | drawing
libegl1          | libEGL.so.1         | drawing without a window system
libxkbcommon0    | libxkbcommon.so.0   | keyboard
libfontconfig1   | libfontconfig.so.1  | finding fonts
libdbus-1-3      | libdbus-1.so.3      | desktop messages
libgssapi-krb5-2 | libgssapi_krb5.so.2 | network library of Qt Quick
libzbar0         | libzbar.so.0        | reading card codes in camera pictures
fonts-noto-cjk   | -                   | Korean text
'
WINDOW_PACKAGES='
libxcb-cursor0      | libxcb-cursor.so.0    | windows on a display
libxkbcommon-x11-0  | libxkbcommon-x11.so.0 | windows on a display
libxcb-icccm4       | libxcb-icccm.so.4     | windows on a display
libxcb-keysyms1     | libxcb-keysyms.so.1   | windows on a display
libxcb-shape0       | libxcb-shape.so.0     | windows on a display
'
WAYLAND_PACKAGES='
libwayland-cursor0  | libwayland-cursor.so.0 | windows on a Wayland display
libwayland-egl1     | libwayland-egl.so.1    | windows on a Wayland display
'
TEST_PACKAGES='
xvfb    | - | tests of real windows
xauth   | - | tests of real windows
strace  | - | tests of what reaches the disk, and when
'

MISSING=() # packages to install, by the name this system knows

packages_for() { # run | dev
    printf '%s' "$SYSTEM_PACKAGES"
    if [[ $1 == dev || -n ${DISPLAY:-} || -n ${WAYLAND_DISPLAY:-} ]]; then
        printf '%s' "$WINDOW_PACKAGES"
    fi
    [[ -z ${WAYLAND_DISPLAY:-} ]] || printf '%s' "$WAYLAND_PACKAGES"
    [[ $1 != dev ]] || printf '%s' "$TEST_PACKAGES"
}

purpose_of() { # package, under either of its names
    local name=${1%t64}
    case $name in
        python3 | python3*-venv) say "Python and its virtual environments" ;;
        *) printf '%s' "$SYSTEM_PACKAGES$WINDOW_PACKAGES$WAYLAND_PACKAGES$TEST_PACKAGES" |
            awk -F ' *[|] *' -v name="$name" '$1 == name { print $3; exit }' ;;
    esac
}

find_missing_packages() { # profile: fills MISSING
    local package library purpose installed
    MISSING=()
    if ! command -v dpkg-query >/dev/null; then
        find_missing_libraries "$1"
        return
    fi
    installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' 2>/dev/null | sed -n 's/^installed //p')
    while IFS='|' read -r package library purpose; do
        package=${package// /}
        # Since 64-bit time_t some libraries carry t64 at the end of their package's name.
        [[ -z $package || $'\n'$installed$'\n' == *$'\n'"$package"$'\n'* ||
            $'\n'$installed$'\n' == *$'\n'"${package}t64"$'\n'* ]] || MISSING+=("$package")
    done < <(packages_for "$1")
}

find_missing_libraries() { # without dpkg nothing can be installed: name all that is missing
    local package library purpose known missing=''
    known=$(ldconfig -p 2>/dev/null || /sbin/ldconfig -p 2>/dev/null || true)
    while IFS='|' read -r package library purpose; do
        library=${library// /}
        [[ -z $library || $library == - || $known == *"$library"* ]] ||
            missing+="${missing:+, }$library (${purpose# })"
    done < <(packages_for "$1")
    [[ -z $missing ]] ||
        die "this is not Debian or Ubuntu (no dpkg), so these libraries are yours to install: $missing"
}

AS_ROOT=()

require_rights() { # fills AS_ROOT, or explains
    local wanted="${MISSING[*]}"
    command -v apt-get >/dev/null ||
        die "there is no apt-get here; install by other means: $(with_purposes)"
    if [[ $(id -u) == 0 ]]; then
        AS_ROOT=(env)
    elif ! command -v sudo >/dev/null; then
        die "no right to install system packages (not root, no sudo); let an administrator run: apt-get install $wanted"
    elif [[ -t 0 ]] || sudo -n true 2>/dev/null; then
        AS_ROOT=(sudo env)
        [[ ! -t 0 ]] || sudo -v || die "sudo was refused; let an administrator run: apt-get install $wanted"
    else
        die "no right to install system packages (sudo asks for a password and nobody is there); let an administrator run: apt-get install $wanted"
    fi
}

with_purposes() {
    local package list=''
    for package in "${MISSING[@]}"; do
        list+="${list:+, }$package ($(purpose_of "$package"))"
    done
    say "$list"
}

apt_get() {
    logged "${AS_ROOT[@]}" DEBIAN_FRONTEND=noninteractive NEEDRESTART_MODE=a LC_ALL=C.UTF-8 \
        apt-get -y -o DPkg::Lock::Timeout=300 "$@"
}

is_offered() { # package: whether apt could install it
    [[ $(LC_ALL=C apt-cache policy "$1" 2>/dev/null) == *"Candidate: "[^\(]* ]]
}

settle_names() { # each missing package by the name on offer; fails when one has none
    local package unknown=0
    local -a settled=()
    for package in "${MISSING[@]}"; do
        if is_offered "${package}t64"; then
            settled+=("${package}t64")
        else
            settled+=("$package")
            is_offered "$package" || unknown=1
        fi
    done
    MISSING=("${settled[@]}")
    return "$unknown"
}

fetch_package_list() {
    say "Fetching the list of system packages ..."
    apt_get update || die_from_log "fetching the list of system packages"
    settle_names && return
    # apt-get calls an update without any network a success, with warnings.
    ! log_says "$NO_NETWORK" || die_from_log "fetching the list of system packages"
    die "this system's package sources do not offer all of: $(with_purposes)"
}

install_missing_packages() {
    local fetched=no
    if ! settle_names; then
        fetch_package_list
        fetched=yes
    fi
    say "Installing ${#MISSING[@]} system packages ..."
    apt_get install --no-install-recommends "${MISSING[@]}" && return
    if log_says 'dpkg was interrupted|dpkg --configure -a'; then # an earlier installation was cut off
        logged "${AS_ROOT[@]}" DEBIAN_FRONTEND=noninteractive dpkg --configure -a || true
    elif [[ $fetched == no ]]; then # the list may be older than what the source still has
        fetch_package_list
    else
        die_from_log "installing system packages"
    fi
    apt_get install --no-install-recommends --fix-broken "${MISSING[@]}" ||
        die_from_log "installing system packages"
}
