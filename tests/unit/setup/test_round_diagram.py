"""The docs' picture of a round is the round the core plays."""

from __future__ import annotations

from tests.round_diagram import PAGE, page


def test_the_diagram_in_the_docs_is_drawn_from_the_core() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "write it: python -m tests.round_diagram"
