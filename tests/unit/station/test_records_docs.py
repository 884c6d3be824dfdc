"""The examples of docs/recall.md are what the commands say."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

from tests.support.eventful import eventful

PAGE = Path(__file__).parents[3] / "docs" / "recall.md"
# Keys are another at each run; how large a file is depends on them.
_VARIES = re.compile(r"\b[0-9a-f]{16,64}\b|\b\d{5} (?=bytes)")
CODE = "import sys; from station.cli import main; main()"


def test_the_examples_of_the_page_are_what_the_commands_say(tmp_path: Path) -> None:
    eventful(tmp_path / "journal.db").close_file()
    config = '[table]\nid = "T01"\nkind = "test"\n\n[journal]\npath = "journal.db"\n'
    (tmp_path / "table.toml").write_text(config)
    examples = re.findall(r"```console\n(.*?)```", PAGE.read_text(), re.DOTALL)
    commands = 0
    for example in examples:
        for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", example, re.MULTILINE):
            said = run(command, tmp_path)
            commands += 1
            for part in expected.split("\n…\n"):
                wanted = part.removeprefix("…\n").strip("\n")
                assert wanted in said, (command, wanted)
    assert commands > 8


def run(command: str, folder: Path) -> str:
    """A line of the page, as a person would give it."""
    if command.startswith("dealer-station "):
        words = [sys.executable, "-c", CODE, *shlex.split(command)[1:]]
    else:
        words = ["sh", "-c", command]
    root = str(PAGE.parents[1])
    done = subprocess.run(
        words,
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": root, "LC_ALL": "C.UTF-8"},
        capture_output=True,
        check=False,
        timeout=100,
    )
    assert done.stderr == b"", (command, done.stderr)
    text = done.stdout.decode()
    return _VARIES.sub(lambda found: "… " if found[0].endswith(" ") else "…", text)
