"""./test runs every check, says how each ended, and fails if any failed."""

import pytest

from .conftest import Machine


def test_every_check_runs_and_the_tests_have_the_last_word(machine: Machine) -> None:
    ended = machine.start("test", "-k", "burn")
    assert ended.returncode == 0, ended.stderr
    checks = [line.split("  ")[0] for line in ended.stdout.splitlines() if "  ok  " in line]
    assert checks == ["ruff check", "ruff format", "mypy", "import contracts"]
    assert ended.stdout.endswith("pytest -k burn\n1 passed\n")


@pytest.mark.parametrize("tool", ["ruff", "mypy", "lint-imports"])
def test_failed_check_fails_the_run_but_stops_nothing(machine: Machine, tool: str) -> None:
    machine.settings["FAILING"] = tool
    ended = machine.start("test")
    assert ended.returncode == 1
    assert "FAILED" in ended.stdout
    assert f"    {tool} " in ended.stdout, "what the check said is shown"
    assert "1 passed" in ended.stdout
    assert "Checks that failed" in ended.stderr


def test_failed_tests_fail_the_run_with_their_own_status(machine: Machine) -> None:
    machine.settings["PYTEST_STATUS"] = "5"
    assert machine.start("test").returncode == 5


def test_fast_runs_the_tests_alone(machine: Machine) -> None:
    ended = machine.start("test", "--fast")
    assert "pytest" in ended.stdout
    assert "ruff" not in ended.stdout


def test_test_tools_are_wanted_for_testing_only(machine: Machine) -> None:
    machine.installed.remove("strace")
    machine.offered = ["strace"]
    machine.start("run")
    assert not any(line.startswith("apt-get") for line in machine.journal)
    machine.start("test")
    assert any(line.endswith(" strace") for line in machine.journal)


def test_help_of_the_checks_installs_nothing(machine: Machine) -> None:
    ended = machine.start("test", "--help")
    assert "installs nothing" in ended.stdout
    assert machine.journal == []
