"""What ./run does to a machine before it starts the table."""

import pytest

from .conftest import Machine


def one_line(text: str) -> str:
    """The message, which must be a single line that names the program."""
    assert text.count("\n") == 1, text
    assert text.startswith("dealer-station: ")
    return text


def test_help_installs_nothing(machine: Machine) -> None:
    ended = machine.start("run", "--rounds", "3", "--help")
    assert ended.returncode == 0
    assert "installs nothing" in ended.stdout
    assert machine.journal == []
    assert not (machine.project / ".venv").exists()


def test_first_start_sets_up_and_hands_its_arguments_to_the_table(machine: Machine) -> None:
    ended = machine.start("run", "--rounds", "3")
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.endswith("Set-up done.\nhw-sim table --rounds 3\n")


def test_second_start_installs_nothing_and_says_nothing(machine: Machine) -> None:
    machine.start("run")
    machine.forget()
    ended = machine.start("run")
    assert machine.journal == []
    assert ended.stdout == "hw-sim table\n"


def test_python_packages_are_checked_by_hash_and_the_project_fetches_nothing(
    machine: Machine,
) -> None:
    machine.start("run")
    packages, project = (line for line in machine.journal if line.startswith("pip"))
    assert "--require-hashes" in packages
    assert "requirements-build.lock" in packages
    assert "requirements.lock" in packages
    assert "--no-index --no-deps --no-build-isolation --editable" in project


def test_what_will_be_installed_is_said_before_it_is(machine: Machine) -> None:
    machine.installed.remove("libzbar0")
    machine.offered = ["libzbar0"]
    machine.start("run")
    assert "libzbar0               reading card codes" in machine.said_before_apt
    assert "packages of requirements.lock" in machine.said_before_apt


def test_only_missing_system_packages_are_installed(machine: Machine) -> None:
    machine.installed.remove("libzbar0")
    machine.offered = ["libzbar0"]
    machine.start("run")
    installs = [line for line in machine.journal if line.startswith("apt-get")]
    assert len(installs) == 1, "the list of packages knew it: no update is needed"
    assert installs[0].endswith(" install --no-install-recommends libzbar0")


def test_unknown_package_asks_for_an_update_first(machine: Machine) -> None:
    machine.installed.remove("libzbar0")
    ended = machine.start("run")
    assert [line.split()[-1] for line in machine.journal] == ["update"]
    assert "do not offer all of: libzbar0 (reading card codes" in one_line(ended.stderr)


def test_update_that_found_no_network_but_calls_it_success_is_seen(machine: Machine) -> None:
    machine.installed.remove("libzbar0")
    machine.settings["UPDATE_WARNS"] = "W: Failed to fetch: Temporary failure resolving 'mirror'"
    ended = machine.start("run")
    assert "no network while fetching the list" in one_line(ended.stderr)


def test_list_older_than_its_source_is_fetched_anew(machine: Machine) -> None:
    machine.installed.remove("libzbar0")
    machine.offered = ["libzbar0"]
    machine.settings["INSTALL_FAILS_ONCE"] = "E: Failed to fetch libzbar0_1.deb  404  Not Found"
    assert machine.start("run").returncode == 0
    last_words = [line.split()[-1] for line in machine.journal if line.startswith("apt-get")]
    assert last_words == ["libzbar0", "update", "libzbar0"]


def test_system_installation_that_was_cut_off_is_finished_first(machine: Machine) -> None:
    machine.installed.remove("libzbar0")
    machine.offered = ["libzbar0"]
    machine.settings["INSTALL_FAILS_ONCE"] = "E: dpkg was interrupted, you must manually run ..."
    assert machine.start("run").returncode == 0
    assert machine.journal[1] == "dpkg --configure -a"
    assert machine.journal[2].endswith(" libzbar0")


def test_package_with_the_newer_name_counts(machine: Machine) -> None:
    machine.installed.remove("libglib2.0-0")
    machine.installed.append("libglib2.0-0t64")
    machine.start("run")
    assert not any(line.startswith("apt-get") for line in machine.journal)


def test_package_is_asked_for_by_the_name_on_offer(machine: Machine) -> None:
    machine.installed.remove("libglib2.0-0")
    machine.offered = ["libglib2.0-0t64"]
    machine.start("run")
    assert machine.journal[0].endswith(" libglib2.0-0t64")


@pytest.mark.parametrize(
    ("display", "package"),
    [("DISPLAY", "libxcb-cursor0"), ("WAYLAND_DISPLAY", "libwayland-cursor0")],
)
def test_window_packages_are_wanted_only_with_a_display(
    machine: Machine, display: str, package: str
) -> None:
    machine.installed += ["libwayland-cursor0", "libwayland-egl1"]
    machine.installed.remove(package)
    machine.offered = [package]
    machine.start("run")
    assert not any(line.startswith("apt-get") for line in machine.journal)
    machine.settings[display] = ":0"
    machine.start("run")
    assert machine.journal[-1].endswith(f" {package}")


def test_no_root_and_no_sudo_names_what_an_administrator_should_run(machine: Machine) -> None:
    machine.installed.remove("libzbar0")
    machine.settings["USER_ID"] = "1000"
    ended = machine.start("run")
    assert ended.returncode == 1
    assert "not root, no sudo" in one_line(ended.stderr)
    assert "apt-get install libzbar0" in ended.stderr
    assert machine.journal == []


def test_sudo_that_wants_a_password_nobody_can_type_is_not_waited_for(machine: Machine) -> None:
    machine.installed.remove("libzbar0")
    machine.settings["USER_ID"] = "1000"
    machine.put("sudo", "exit 1")
    ended = machine.start("run")
    assert "nobody is there" in one_line(ended.stderr)
    assert machine.journal == []


def test_sudo_without_a_password_is_used(machine: Machine) -> None:
    machine.installed.remove("libzbar0")
    machine.offered = ["libzbar0"]
    machine.settings["USER_ID"] = "1000"
    machine.put("sudo", '[[ $1 == -n ]] && exit 0; echo "sudo" >>"$JOURNAL"; exec "$@"')
    assert machine.start("run").returncode == 0
    assert machine.journal[0] == "sudo"
    assert machine.journal[1].endswith(" libzbar0")


def test_without_rights_a_complete_set_up_still_starts(machine: Machine) -> None:
    machine.start("run")
    machine.settings["USER_ID"] = "1000"
    assert machine.start("run").returncode == 0


def test_no_apt_lists_the_packages_by_purpose(machine: Machine) -> None:
    machine.installed.remove("libzbar0")
    machine.take("apt-get")
    ended = machine.start("run")
    assert "libzbar0 (reading card codes in camera pictures)" in one_line(ended.stderr)


def test_no_dpkg_lists_the_libraries_by_purpose(machine: Machine) -> None:
    machine.take("dpkg-query")
    machine.put("ldconfig", "echo 'libGL.so.1 (libc6,x86-64) => /lib/libGL.so.1'")
    ended = machine.start("run")
    assert "libzbar.so.0 (reading card codes in camera pictures)" in one_line(ended.stderr)
    assert "libGL.so.1" not in ended.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("E: Could not resolve 'mirror.example'", "no network while installing system packages"),
        ("E: You don't have enough free space in /var/cache", "no space left on the disk"),
        ("E: Unable to correct problems", "E: Unable to correct problems"),
    ],
)
def test_apt_failure_is_one_line(machine: Machine, words: str, message: str) -> None:
    machine.installed.remove("libzbar0")
    machine.settings["APT_FAILS"] = words
    ended = machine.start("run")
    assert ended.returncode == 1
    expected = (
        message.replace("installing", "fetching the list of") if "network" in message else message
    )
    assert expected in one_line(ended.stderr)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("ERROR: ... [Errno -3] Temporary failure in name resolution", "no network while"),
        ("ERROR: Could not install packages: [Errno 28] No space left on device", "no space left"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE FILE", "differs from the lock"),
        ("ERROR: No matching distribution found for numpy==0", "No matching distribution found"),
    ],
)
def test_pip_failure_is_one_line_and_nothing_starts(
    machine: Machine, words: str, message: str
) -> None:
    machine.settings["PIP_FAILS"] = words
    ended = machine.start("run")
    assert ended.returncode == 1
    assert message in one_line(ended.stderr)
    assert "setup.log" in ended.stderr
    assert "hw-sim" not in ended.stdout


def test_too_little_space_is_said_before_anything_is_fetched(machine: Machine) -> None:
    machine.settings["FREE_MB"] = "300"
    ended = machine.start("run")
    assert "300 MB are free" in one_line(ended.stderr)
    assert machine.journal == []


def test_interrupted_set_up_is_built_anew_at_the_next_start(machine: Machine) -> None:
    machine.settings["PIP_FAILS"] = "ERROR: cut off"
    machine.start("run")
    half_written = machine.project / ".venv" / "half-written"
    half_written.touch()
    machine.forget()
    del machine.settings["PIP_FAILS"]
    assert machine.start("run").returncode == 0
    assert machine.journal[0] == "venv"
    assert not half_written.exists()


def test_changed_lock_file_brings_the_packages_up_to_date(machine: Machine) -> None:
    machine.start("run")
    machine.forget()
    with (machine.project / "requirements.lock").open("a") as lock:
        lock.write("# changed\n")
    machine.start("run")
    assert [line.split()[0] for line in machine.journal] == ["pip", "pip"]


def test_moved_folder_is_built_anew(machine: Machine) -> None:
    machine.start("run")
    machine.forget()
    machine.project.rename(machine.home / "elsewhere")
    (machine.home / "elsewhere" / "moved").touch()
    (machine.home / "elsewhere").rename(machine.home / "project2")
    machine.home.joinpath("project").symlink_to("project2")
    machine.start("run")
    assert machine.journal[0] == "venv"


def test_environment_for_development_is_not_reduced_by_running(machine: Machine) -> None:
    machine.start("test")
    machine.forget()
    machine.start("run")
    assert machine.journal == []


def test_another_python_asked_for_builds_anew(machine: Machine) -> None:
    machine.start("run")
    machine.forget()
    machine.put("python-of-choice", (machine.commands / "python3.11").read_text())
    machine.settings["DEALER_STATION_PYTHON"] = "python-of-choice"
    machine.start("run")
    assert machine.journal[0] == "venv"


def test_python_too_old_is_one_line(machine: Machine) -> None:
    machine.take("python3.11")
    machine.put("python3", 'echo "3.10 ok"')
    ended = machine.start("run")
    assert "python3 is 3.10" in one_line(ended.stderr)
    assert "DEALER_STATION_PYTHON" in ended.stderr


def test_python_asked_for_that_does_not_suit_is_one_line(machine: Machine) -> None:
    machine.settings["DEALER_STATION_PYTHON"] = "/no/such/python"
    ended = machine.start("run")
    assert "DEALER_STATION_PYTHON is '/no/such/python'" in one_line(ended.stderr)


def test_newest_suitable_python_is_taken(machine: Machine) -> None:
    machine.put("python3.12", (machine.commands / "python3.11").read_text())
    machine.put("python3.13", "exit 127")
    ended = machine.start("run")
    assert f"({machine.commands}/python3.12)" in ended.stdout


def test_no_python_at_all_is_installed_with_the_system_packages(machine: Machine) -> None:
    machine.take("python3.11")
    machine.offered = ["python3", "python3-venv"]
    machine.settings["APT_FAILS"] = "E: stop here"
    machine.start("run")
    assert machine.journal[0].endswith(" python3 python3-venv")
