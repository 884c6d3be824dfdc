"""A copy of the project's scripts on a machine whose package tools are stand-ins.

The scripts, bash and the usual small commands are real; dpkg, apt, sudo, Python and pip are
replaced, since a test may not install anything. What the stand-ins were told is kept in a journal.
"""

import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
COPIED = [
    "run",
    "test",
    "scripts",
    "pyproject.toml",
    "requirements.lock",
    "requirements-dev.lock",
    "requirements-build.lock",
]
REAL_COMMANDS = [
    "bash",
    "env",
    "cat",
    "cut",
    "head",
    "tail",
    "grep",
    "sed",
    "awk",
    "sha256sum",
    "readlink",
    "dirname",
    "basename",
    "mkdir",
    "rm",
    "tee",
    "mktemp",
    "flock",
]

DPKG_QUERY = 'for name in $INSTALLED; do echo "installed $name"; done'
APT_CACHE = """
for name in $OFFERED; do
    [[ $name != "$2" ]] || echo "  Candidate: 1.0"
done
"""
APT_GET = """
echo "apt-get $*" >>"$JOURNAL"
cp_to=$(dirname "$JOURNAL")/said-before
[[ -e $cp_to ]] || cat "$STDOUT" >"$cp_to"
[[ -z ${APT_FAILS:-} ]] || { echo "$APT_FAILS"; exit 100; }
[[ " $* " != *" update "* ]] || echo "${UPDATE_WARNS:-}"
[[ " $* " != *" install "* || -z ${INSTALL_FAILS_ONCE:-} || -e $JOURNAL.failed ]] || {
    >"$JOURNAL.failed"
    echo "$INSTALL_FAILS_ONCE"
    exit 100
}
"""
PYTHON = """
case "$*" in
    "-I -c "*) [[ -n ${PROBE:=3.11 ok} ]] && echo "$PROBE" ;;
    "-c "*) readlink -f "$0" ;;
    "-m venv "*)
        echo "venv" >>"$JOURNAL"
        mkdir -p "$3/bin"
        cat "$0" >"$3/bin/python"
        { echo "#!$3/bin/python"; } >"$3/bin/pip"
        # A tool that says how it was called and ends as told.
        for tool in hw-sim ruff mypy lint-imports; do
            printf '#!%s\\necho "%s $*"\\n[[ " ${FAILING:-} " != *" %s "* ]]\\n' \
                "$(command -v bash)" "$tool" "$tool" >"$3/bin/$tool"
            chmod_x "$3/bin/$tool"
        done
        chmod_x "$3/bin/python" ;;
    "-m pip install "*)
        echo "pip $*" >>"$JOURNAL"
        [[ -z ${PIP_FAILS:-} ]] || { echo "$PIP_FAILS"; exit 1; } ;;
    "-m pytest"*) echo "pytest ${*:3}"; echo "1 passed"; exit "${PYTEST_STATUS:-0}" ;;
esac
"""


@dataclass
class Machine:
    """A machine to try the scripts on.

    `installed` and `offered` are names of system packages; `settings` are what the stand-ins read:
    APT_FAILS, INSTALL_FAILS_ONCE, UPDATE_WARNS and PIP_FAILS (their last words), PROBE (what
    Python says of itself), FAILING (tools).
    """

    home: Path
    installed: list[str] = field(default_factory=list)
    offered: list[str] = field(default_factory=list)
    settings: dict[str, str] = field(default_factory=dict)

    @property
    def project(self) -> Path:
        return self.home / "project"

    @property
    def commands(self) -> Path:
        return self.home / "bin"

    @property
    def journal(self) -> list[str]:
        """What the package tools were told, in order."""
        path = self.home / "journal"
        return path.read_text().splitlines() if path.exists() else []

    @property
    def said_before_apt(self) -> str:
        """What a person could read before apt-get was called first."""
        return (self.home / "said-before").read_text()

    def forget(self) -> None:
        (self.home / "journal").unlink(missing_ok=True)

    def put(self, name: str, body: str) -> None:
        """Places a stand-in."""
        path = self.commands / name
        path.unlink(missing_ok=True)
        path.write_text(f"#!{shutil.which('bash')}\n{body}\n")
        path.chmod(0o755)

    def take(self, name: str) -> None:
        (self.commands / name).unlink()

    def start(self, script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Runs one of the project's scripts with nobody at the terminal."""
        stdout = self.home / "stdout"
        environment = {
            "PATH": str(self.commands),
            "HOME": str(self.home),
            "JOURNAL": str(self.home / "journal"),
            "STDOUT": str(stdout),
            "INSTALLED": " ".join(self.installed),
            "OFFERED": " ".join(self.offered),
        } | self.settings
        with stdout.open("w") as out:
            ended = subprocess.run(
                [self.project / script, *arguments],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.PIPE,
                text=True,
                check=False,
            )
        ended.stdout = stdout.read_text()
        return ended


BASE = [
    "libglib2.0-0",
    "libgl1",
    "libegl1",
    "libxkbcommon0",
    "libfontconfig1",
    "libdbus-1-3",
    "libgssapi-krb5-2",
    "libzbar0",
    "fonts-noto-cjk",
]
FOR_TESTS = [
    "libxcb-cursor0",
    "libxkbcommon-x11-0",
    "libxcb-icccm4",
    "libxcb-keysyms1",
    "libxcb-shape0",
    "xvfb",
    "xauth",
    "strace",
]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """All system packages there, root, a suitable Python, room on the disk; nothing set up yet."""
    made = Machine(tmp_path, installed=[*BASE, *FOR_TESTS])
    made.project.mkdir()
    for name in COPIED:
        source = ROOT / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, made.project / name)
    made.commands.mkdir()
    for name in REAL_COMMANDS:
        real = shutil.which(name)
        assert real is not None, f"this machine has no {name}"
        (made.commands / name).symlink_to(os.path.realpath(real))
    made.put("dpkg-query", DPKG_QUERY)
    made.put("apt-cache", APT_CACHE)
    made.put("apt-get", APT_GET)
    made.put("id", "echo ${USER_ID:-0}")
    made.put("dpkg", 'echo "dpkg $*" >>"$JOURNAL"')
    made.put("df", 'printf "Filesystem\\n/ 9 9 %s 1%%\\n" "${FREE_MB:-90000}"')
    made.put("chmod_x", f'exec {shutil.which("chmod")} +x "$@"')
    made.put("python3.11", PYTHON)
    return made
