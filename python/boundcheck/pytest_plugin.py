"""The pytest plugin: the option --boundcheck-update, and the folder in which references are searched."""

import os

from boundcheck import testing


def pytest_addoption(parser):
    group = parser.getgroup("boundcheck")
    group.addoption("--boundcheck-update", action="store_true", help="write the references of assert_within again, from the runs of these tests")


def pytest_configure(config):
    testing._state.update(update=config.getoption("--boundcheck-update"), written=[])


def pytest_runtest_setup(item):
    testing._state["folder"] = os.path.dirname(str(item.path))


def pytest_runtest_teardown(item):
    testing._state["folder"] = None


def pytest_terminal_summary(terminalreporter):
    for path in testing._state["written"]:
        terminalreporter.write_line(f"boundcheck: wrote {os.path.relpath(path)}: read it before you commit it")
