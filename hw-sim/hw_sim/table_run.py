"""`hw-sim table`: a directory, a view on standard output, the run, and the summary."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from hw_sim.children import ChildError
from hw_sim.journal import how_released
from hw_sim.ledger import Ledger, LedgerError
from hw_sim.link import LinkRefused
from hw_sim.sockets import SocketError
from hw_sim.summary import summary
from hw_sim.table import Table, TableSettings
from hw_sim.table_config import TableDir, TableError, config_text, default_root, fresh_dir
from hw_sim.view import RoundView

OnSignals = Callable[[Callable[[], None]], None]


def run_table(directory: Path | None, settings: TableSettings, on_signals: OnSignals) -> int:
    """Run a test table; the exit code. Says on standard error what failed."""
    console = Console(file=sys.stdout, highlight=False, markup=False, soft_wrap=True)

    def emit(line: str, style: str) -> None:
        console.print(line, style=style or None)
        console.file.flush()

    emit(f"seed {settings.seed}", "bold")
    try:
        place = TableDir(directory) if directory else fresh_dir(default_root())
        quick = settings.pace == "fast" and settings.strategy != "basic"
        place.open(
            config_text(
                settings.host or "link",
                quick=quick,
                kind=settings.kind or "text-line",
                place=place.path,
                board=settings.board,
                code=settings.code,
            )
        )
        emit(f"directory {place.path}", "")
        before = Ledger.load(place.ledger)
        truth_from = place.truth.stat().st_size if place.truth.exists() else 0
        view = RoundView(settings.language, emit, lambda hold: how_released(place.journal, hold))
        table = Table(place, settings, view, emit)
        on_signals(table.stop)
        code = table.run()
    except BrokenPipeError:
        # Nobody watches any more, as after `| head`: that is an end, not a failure.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (TableError, ChildError, SocketError, LinkRefused, LedgerError, OSError) as error:
        sys.stderr.write(f"hw-sim: {error}\n")
        return 1
    for line in summary(place, before, truth_from, table.snapshot, settings.language):
        emit(line, "bold")
    return code
